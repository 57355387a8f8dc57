//! What was found wrong.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

/// The kind of a fault in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FindingKind {
    /// Two accesses of the same bytes, at least one a write, with no order between them.
    Race,
    /// Memory used after it was freed.
    UseAfterFree,
    /// Memory freed twice.
    DoubleFree,
    /// Memory freed by a function that is not the partner of the one that allocated it.
    WrongPartner,
    /// Something that was never freed or destroyed.
    Leak,
    /// Something that nobody freed before its context went.
    Abandoned,
    /// Objects of different contexts in one call.
    WrongContext,
    /// A handle used after it was destroyed, or together with its context.
    DestroyedHandle,
    /// A value that is no handle at all.
    UnknownHandle,
    /// Memory of a device whose memory was not made accessible.
    UnreachablePeer,
    /// An address that is no memory, or beyond the end of it.
    OutOfBounds,
    /// Code unloaded while a launch of it may be running.
    UnloadedWhileRunning,
    /// A kernel that ended with a fault.
    KernelFault,
    /// A kernel whose own threads race with each other.
    KernelRace,
}

/// A call, or the work that it enqueued, as a report names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The C function.
    pub call: &'static str,
    /// Its place among all calls.
    pub number: u64,
    /// The stream, if any, by the order of creation.
    pub stream: Option<usize>,
    /// Its place in the stream.
    pub position: u64,
    /// The kernel, for a launch.
    pub kernel: Option<Arc<str>>,
}

impl Label {
    /// A call that the host made, which is on no stream.
    pub(crate) fn host(call: &'static str, number: u64) -> Self {
        Self { call, number, stream: None, position: 0, kernel: None }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (call {}", self.call, self.number)?;
        if let Some(kernel) = &self.kernel {
            write!(f, ", kernel {kernel}")?;
        }
        match self.stream {
            Some(stream) => write!(f, ", stream {stream}, operation {})", self.position),
            None => f.write_str(")"),
        }
    }
}

/// A fault in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// What kind of fault.
    pub kind: FindingKind,
    /// The call where it showed, or which made what was leaked.
    pub at: Label,
    /// The other call that has a part in it.
    pub other: Option<Label>,
    /// The whole story.
    pub text: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.kind, self.text)
    }
}

/// All findings so far.
#[derive(Debug, Default)]
pub(crate) struct Report {
    findings: Vec<Finding>,
    known: HashSet<(FindingKind, u64, u64)>,
}

/// Reports kept; a broken loop would fill the memory otherwise.
const MOST: usize = 1000;

impl Report {
    /// Adds a finding, once for each kind and pair of calls.
    pub(crate) fn add(&mut self, kind: FindingKind, at: &Label, other: Option<&Label>, text: String) {
        let key = (kind, at.number, other.map_or(0, |other| other.number));
        if self.findings.len() < MOST
            && (matches!(kind, FindingKind::Leak | FindingKind::Abandoned) || self.known.insert(key))
        {
            self.findings.push(Finding { kind, at: at.clone(), other: other.cloned(), text });
        }
    }

    pub(crate) fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_report_for_a_pair_of_calls() {
        let mut report = Report::default();
        let (a, b) = (Label::host("cuA", 1), Label::host("cuB", 2));
        for _ in 0..3 {
            report.add(FindingKind::Race, &b, Some(&a), "x".to_owned());
        }
        report.add(FindingKind::UseAfterFree, &b, Some(&a), "y".to_owned());
        assert_eq!(report.findings().len(), 2);
    }

    #[test]
    fn a_label_names_call_kernel_stream_and_place() {
        let label =
            Label { call: "cuLaunchKernel", number: 12, stream: Some(3), position: 4, kernel: Some("saxpy".into()) };
        assert_eq!(label.to_string(), "cuLaunchKernel (call 12, kernel saxpy, stream 3, operation 4)");
        assert_eq!(Label::host("cuMemFree_v2", 5).to_string(), "cuMemFree_v2 (call 5)");
    }
}
