//! Handles: what C gets for an object, and what became of it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::report::Label;

/// The type of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Context,
    Stream,
    Event,
    Module,
    Function,
    Library,
    Kernel,
}

/// What became of an object.
#[derive(Clone, Debug)]
pub(crate) enum Fate {
    Live,
    /// Destroyed by this call.
    Destroyed(Arc<Label>),
    /// Its context was destroyed by this call.
    Orphaned(Arc<Label>),
}

#[derive(Clone, Debug)]
struct Slot {
    kind: Kind,
    index: usize,
    fate: Fate,
}

/// Why a handle does not lead to an object.
#[derive(Clone, Debug)]
pub(crate) enum Stale {
    Unknown,
    Destroyed(Arc<Label>),
    Orphaned(Arc<Label>),
}

/// All handles that were given out.
#[derive(Debug)]
pub(crate) struct Handles {
    slots: HashMap<usize, Slot>,
    free: HashMap<Kind, Vec<usize>>,
    next: usize,
    /// Whether a new object may get the handle of a destroyed one, as with the real driver.
    recycle: bool,
}

impl Handles {
    pub(crate) fn new(recycle: bool) -> Self {
        // No memory of the program is there.
        Self { slots: HashMap::new(), free: HashMap::new(), next: 1 << 49, recycle }
    }

    /// The handle of a new object.
    pub(crate) fn add(&mut self, kind: Kind, index: usize) -> usize {
        let used_before = self.recycle.then(|| self.free.get_mut(&kind).and_then(Vec::pop)).flatten();
        let handle = used_before.unwrap_or_else(|| {
            self.next += 64;
            self.next
        });
        self.slots.insert(handle, Slot { kind, index, fate: Fate::Live });
        handle
    }

    /// The object of a handle.
    pub(crate) fn find(&self, kind: Kind, handle: usize) -> Result<usize, Stale> {
        match self.slots.get(&handle) {
            Some(slot) if slot.kind == kind => match &slot.fate {
                Fate::Live => Ok(slot.index),
                Fate::Destroyed(by) => Err(Stale::Destroyed(by.clone())),
                Fate::Orphaned(by) => Err(Stale::Orphaned(by.clone())),
            },
            _ => Err(Stale::Unknown),
        }
    }

    /// Ends an object.
    pub(crate) fn end(&mut self, handle: usize, fate: Fate) {
        if let Some(slot) = self.slots.get_mut(&handle) {
            if matches!(fate, Fate::Destroyed(_)) {
                self.free.entry(slot.kind).or_default().push(handle);
            }
            slot.fate = fate;
        }
    }
}

/// The handle as C sees it. It leads to no memory.
pub(crate) fn pointer<T>(handle: usize) -> *mut T {
    std::ptr::without_provenance_mut(handle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn destroyed_handles_are_known_as_such() {
        let mut handles = Handles::new(false);
        let by = Arc::new(Label::host("cuStreamDestroy_v2", 9));
        let handle = handles.add(Kind::Stream, 4);
        assert_eq!(handles.find(Kind::Stream, handle).unwrap(), 4);
        assert!(matches!(handles.find(Kind::Event, handle), Err(Stale::Unknown)));
        handles.end(handle, Fate::Destroyed(by.clone()));
        assert!(matches!(handles.find(Kind::Stream, handle), Err(Stale::Destroyed(label)) if label == by));
        assert_ne!(handles.add(Kind::Stream, 5), handle);
    }

    #[test]
    fn recycled_handles_lead_to_the_new_object() {
        let mut handles = Handles::new(true);
        let handle = handles.add(Kind::Event, 1);
        handles.end(handle, Fate::Destroyed(Arc::new(Label::host("cuEventDestroy_v2", 1))));
        assert_ne!(handles.add(Kind::Stream, 7), handle, "another kind");
        assert_eq!(handles.add(Kind::Event, 2), handle);
        assert_eq!(handles.find(Kind::Event, handle).unwrap(), 2);
    }
}
