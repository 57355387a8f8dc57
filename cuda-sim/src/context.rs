//! Contexts, and what is current on each thread.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::clock::Agent;
use crate::report::Label;

/// A context. The primary one of a device keeps its place and its handle for ever.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) handle: usize,
    /// What `cuCtxGetId` answers: no other context has it or had it. A primary context that is made
    /// again gets a new one.
    pub(crate) id: u64,
    pub(crate) device: usize,
    pub(crate) primary: bool,
    pub(crate) alive: bool,
    /// For a primary one: references of the program.
    pub(crate) references: u64,
    /// For a primary one: the runtime holds a reference, till the end.
    pub(crate) held_by_runtime: bool,
    pub(crate) flags: u32,
    pub(crate) made: Arc<Label>,
    /// Its legacy default stream, once used.
    pub(crate) legacy: Option<Agent>,
    /// The default stream of each thread, once used.
    pub(crate) per_thread: HashMap<usize, Agent>,
    /// Contexts whose memory its kernels may access.
    pub(crate) peers: HashSet<usize>,
}

impl Context {
    pub(crate) fn new(handle: usize, device: usize, primary: bool, made: Arc<Label>) -> Self {
        Self {
            handle,
            id: 0,
            device,
            primary,
            alive: !primary,
            references: 0,
            held_by_runtime: false,
            flags: 0,
            made,
            legacy: None,
            per_thread: HashMap::new(),
            peers: HashSet::new(),
        }
    }
}

/// What CUDA keeps for a thread.
#[derive(Debug, Default)]
pub(crate) struct Thread {
    pub(crate) index: usize,
    /// Contexts made current, the current one last. `None` is a null context set as current.
    pub(crate) stack: Vec<Option<usize>>,
    /// The runtime's device, once set.
    pub(crate) device: Option<usize>,
    /// The runtime's last-error slot.
    pub(crate) last_error: u32,
}

impl Thread {
    /// The context that is current.
    pub(crate) fn current(&self) -> Option<usize> {
        self.stack.last().copied().flatten()
    }

    /// Replaces the context that is current.
    pub(crate) fn set_current(&mut self, context: Option<usize>) {
        match (self.stack.last_mut(), context) {
            (Some(_), None) => {
                self.stack.pop();
            }
            (Some(top), Some(_)) => *top = context,
            (None, Some(_)) => self.stack.push(context),
            (None, None) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_current_replaces_the_top_only() {
        let mut thread = Thread::default();
        assert_eq!(thread.current(), None);
        thread.set_current(Some(1));
        thread.stack.push(Some(2));
        thread.set_current(Some(3));
        assert_eq!((thread.stack.len(), thread.current()), (2, Some(3)));
        thread.stack.pop();
        assert_eq!(thread.current(), Some(1));
        thread.set_current(None);
        assert_eq!(thread.current(), None);
    }
}
