//! What a `Drop` can't free at once waits here until its streams have passed.
//!
//! Drained by later calls of the same context that wait for the GPU anyway: unloading code waits for
//! every kernel that runs (measured: `docs/experiments/current_context.md`), so it must not happen in
//! a `Drop`, nor in a call that promises to return at once. What is left when the last user of
//! a primary context goes is freed with it, or waits for its next user (`ending`).

use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use smallvec::SmallVec;

use super::context::ContextCore;
use super::record::Point;
use crate::error::Origin;
use crate::{health, teardown};

/// The partner of the call that made a resource.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Free {
    pub(crate) api: &'static str,
    pub(crate) origin: Origin,
    /// Frees the handle; gives the code. The resource's context is current.
    pub(crate) call: unsafe fn(*mut c_void) -> u32,
}

/// A resource, and the events after which nobody uses it.
#[derive(Debug)]
pub(crate) struct Retired {
    pub(crate) handle: *mut c_void,
    pub(crate) free: Free,
    pub(crate) after: SmallVec<[Point; 2]>,
}

// SAFETY: the handle is a driver handle, usable from any thread, and owned by this value alone.
unsafe impl Send for Retired {}

impl Retired {
    fn is_due(&self) -> bool {
        self.after.iter().all(|point| point.raw().is_complete())
    }
}

/// The queue of one context.
#[derive(Debug, Default)]
pub(crate) struct RetireQueue {
    waiting: AtomicUsize,
    list: Mutex<Vec<Retired>>,
}

impl RetireQueue {
    pub(crate) fn push(&self, retired: Retired) {
        self.list.lock().unwrap_or_else(PoisonError::into_inner).push(retired);
        self.waiting.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) == 0
    }

    /// Whether nothing waits for the GPU any more; then gives the events back.
    pub(crate) fn settle(&mut self, context: &ContextCore) -> bool {
        let list = self.list.get_mut().unwrap_or_else(PoisonError::into_inner);
        let due = list.iter().all(Retired::is_due);
        if due {
            let points = list.iter_mut().flat_map(|retired| std::mem::take(&mut retired.after));
            points.for_each(|point| point.give_back(context));
        }
        due
    }

    /// Frees what is due. One relaxed load if nothing waits; may block on the GPU.
    #[inline]
    pub(crate) fn drain(&self, context: &ContextCore) {
        if self.waiting.load(Ordering::Relaxed) != 0 {
            self.drain_list(context);
        }
    }

    #[cold]
    fn drain_list(&self, context: &ContextCore) {
        if !health::is_well() {
            return;
        }
        let list = std::mem::take(&mut *self.list.lock().unwrap_or_else(PoisonError::into_inner));
        self.waiting.fetch_sub(list.len(), Ordering::Relaxed);
        let Ok(current) = context.enter() else {
            list.into_iter().for_each(|retired| self.push(retired));
            return;
        };
        for retired in list {
            if retired.is_due() {
                // SAFETY: all streams that used the resource have passed the events recorded after
                // its last use; the handle is owned by `retired`; its context is current.
                let code = unsafe { (retired.free.call)(retired.handle) };
                teardown::report(retired.free.api, code, retired.free.origin, "the resource is leaked");
                retired.after.into_iter().for_each(|point| point.give_back(context));
            } else {
                self.push(retired);
            }
        }
        drop(current);
    }
}
