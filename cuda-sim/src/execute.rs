//! The execution of one operation, and what it touches.

use std::sync::Arc;

use crate::clock::{Agent, Clock};
use crate::fault::Fault;
use crate::memory::{Access, Conflict, Place, Stamp, State};
use crate::report::{FindingKind, Label};
use crate::sim::{Sim, codes};
use crate::stream::Operation;
use crate::work::Work;

/// Who accesses, and what comes before.
#[derive(Clone, Copy)]
pub(crate) struct Actor<'a> {
    pub(crate) stamp: &'a Stamp,
    pub(crate) clock: &'a Clock,
}

impl Sim {
    /// Executes an operation whose turn it is.
    pub(crate) fn execute(&mut self, stream: Agent, operation: Operation) {
        let Operation { number, clock, work, label, .. } = operation;
        let stamp = Stamp { agent: stream, number, label };
        let actor = Actor { stamp: &stamp, clock: &clock };
        match work {
            Work::Marker => {}
            Work::Put { to, bytes } => self.store(to, &bytes, actor),
            Work::Copy { to, from, len } => {
                let bytes = self.load(from, len, actor);
                self.store(to, &bytes, actor);
            }
            Work::Fetch { to, from, len } => {
                let bytes = self.load(from, len, actor);
                let target = std::ptr::with_exposed_provenance_mut::<u8>(to);
                // SAFETY: the caller of the copy lent `len` bytes there until the call returns, and
                // this is executed within that call.
                unsafe { std::ptr::copy(bytes.as_ptr(), target, len) };
            }
            Work::Fill { to, pattern, times } => self.store(to, &pattern.repeat(times), actor),
            Work::Launch(launch) => self.run_kernel(stream, &launch, actor),
            Work::Allocate { base } => {
                let size = self.memory.get(base).map_or(0, |region| region.size);
                self.touch(base, 0, size, Access::Write, actor);
                self.memory.begin(base);
            }
            Work::Free { base, generation } => {
                let size = self.memory.get(base).map_or(0, |region| region.size);
                self.touch(base, 0, size, Access::Write, actor);
                self.memory.end(base, generation, &stamp.label);
            }
            Work::Call(callback) => crate::entry::call_back(callback),
        }
    }

    /// A sticky fault of work on a stream.
    pub(crate) fn fall(&mut self, stream: Agent, code: u32) {
        if self.fault.is_none() {
            self.fault = Some(Fault { code, stream, noticed: false });
            self.cancel_all();
        }
    }

    fn load(&mut self, from: u64, len: usize, actor: Actor<'_>) -> Vec<u8> {
        let mut bytes = vec![0; len];
        if let Some((base, offset)) = self.inside(from, len, actor.stamp) {
            self.touch(base, offset, offset + len, Access::Read, actor);
            if let Some(region) = self.memory.get(base) {
                region.read(offset, &mut bytes);
            }
        }
        bytes
    }

    fn store(&mut self, to: u64, bytes: &[u8], actor: Actor<'_>) {
        if let Some((base, offset)) = self.inside(to, bytes.len(), actor.stamp) {
            self.touch(base, offset, offset + bytes.len(), Access::Write, actor);
            if let Some(region) = self.memory.get_mut(base) {
                region.write(offset, bytes);
            }
        }
    }

    /// Base and offset of a range that was valid when its work was enqueued.
    fn inside(&mut self, address: u64, len: usize, stamp: &Stamp) -> Option<(u64, usize)> {
        match self.memory.place(address, len) {
            Place::Inside(base) => Some((base, self.memory.get(base)?.offset(address))),
            Place::Beyond(_) | Place::Unknown => {
                let text = format!("{}: {len} bytes at {address:#x} are no memory any more", stamp.label);
                self.report.add(FindingKind::UseAfterFree, &stamp.label, None, text);
                None
            }
        }
    }

    /// Notes an access of a block, and reports what it is in conflict with.
    pub(crate) fn touch(&mut self, base: u64, start: usize, end: usize, access: Access, actor: Actor<'_>) {
        let Some(region) = self.memory.get_mut(base) else { return };
        let conflicts = region.history.access(start, end, access, actor.stamp, actor.clock);
        let freed_by = match &region.state {
            State::Freed(by) | State::Condemned(by) => Some(by.clone()),
            State::Live => None,
        };
        for conflict in &conflicts {
            self.report_conflict(base, &conflict.clone(), access, actor.stamp, freed_by.as_ref());
        }
        let is_free = freed_by.as_ref().is_some_and(|by| by.number == actor.stamp.label.number);
        if let (Some(State::Freed(by)), false, true) =
            (self.memory.get(base).map(|r| r.state.clone()), is_free, conflicts.is_empty())
        {
            let text =
                format!("{}: bytes {start}..{end} of the block at {base:#x}, which {by} had freed", actor.stamp.label);
            self.report.add(FindingKind::UseAfterFree, &actor.stamp.label, Some(&by), text);
        }
    }

    fn report_conflict(
        &mut self,
        base: u64,
        conflict: &Conflict,
        access: Access,
        stamp: &Stamp,
        freed_by: Option<&Arc<Label>>,
    ) {
        let frees = |label: &Label| label.call.contains("Free") || freed_by.is_some_and(|by| by.number == label.number);
        let word = |access: Access, label: &Label| {
            if frees(label) {
                "frees"
            } else if is_allocation(label.call) {
                "allocates"
            } else {
                match access {
                    Access::Read => "reads",
                    Access::Write => "writes",
                    Access::Atomic => "changes atomically",
                }
            }
        };
        let (earlier, later) = (&conflict.earlier.label, &stamp.label);
        let kind = if frees(earlier) || frees(later) { FindingKind::UseAfterFree } else { FindingKind::Race };
        let text = format!(
            "{later} {} bytes {}..{} of the block at {base:#x}, which {earlier} {}, and nothing puts the two in order",
            word(access, later),
            conflict.start,
            conflict.end,
            word(conflict.earlier_access, earlier),
        );
        self.report.add(kind, later, Some(earlier), text);
    }

    /// The program itself reads or writes memory that devices reach, now.
    pub(crate) fn host_access(&mut self, what: &'static str, address: u64, len: usize, write: bool) {
        self.now.call = what;
        let clock = self.host.clone();
        let stamp = self.host_stamp();
        if let Place::Inside(base) = self.memory.place(address, len) {
            let start = self.memory.get(base).map_or(0, |region| region.offset(address));
            let access = if write { Access::Write } else { Access::Read };
            self.touch(base, start, start + len, access, Actor { stamp: &stamp, clock: &clock });
        }
    }

    /// Checks a range of device memory that a call names.
    pub(crate) fn named_range(&mut self, address: u64, len: usize) -> Result<u64, u32> {
        match self.memory.place(address, len) {
            Place::Unknown => {
                self.find(FindingKind::OutOfBounds, None, &format!("{address:#x} is no memory"));
                Err(codes::INVALID_VALUE)
            }
            Place::Beyond(base) => {
                let size = self.memory.get(base).map_or(0, |region| region.size);
                let text = format!("{len} bytes at {address:#x} go beyond the block at {base:#x} of {size} bytes");
                self.find(FindingKind::OutOfBounds, None, &text);
                Err(codes::INVALID_VALUE)
            }
            Place::Inside(base) => match self.memory.get(base).map(|region| region.state.clone()) {
                Some(State::Freed(by) | State::Condemned(by)) => {
                    self.find(
                        FindingKind::UseAfterFree,
                        Some(&by),
                        &format!("{address:#x} is memory that {by} has freed"),
                    );
                    Err(codes::INVALID_VALUE)
                }
                _ => Ok(base),
            },
        }
    }
}

fn is_allocation(call: &str) -> bool {
    call.contains("Alloc") || call.contains("cudaMalloc")
}
