//! What a `Drop` can't free at once waits here until its streams have passed.
//!
//! Drained by later calls of the same context that wait for the GPU anyway: unloading code waits for
//! every kernel that runs (measured: `docs/experiments/current_context.md`), so it must not happen in
//! a `Drop`, nor in a call that promises to return at once. What is left when the last user of
//! a primary context goes is freed with it, or waits for its next user (`ending`).
//!
//! A known limit: libraries of two contexts, each dropped with a launch pending on the other, keep
//! both contexts until one of them is used again, since each queue holds an event of the other.

use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use smallvec::SmallVec;

use super::context::ContextCore;
use super::event::RawEvent;
use super::record::Point;
use crate::error::Origin;
use crate::{health, teardown};

/// The partner of the call that made a resource.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Free {
    /// Whether the resource ends with its context anyway.
    pub(crate) ends_with_context: bool,
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
    /// Nothing to free: work of a stream that is gone, which the end of the context must not wait
    /// for.
    fn pending(tail: RawEvent) -> Self {
        /// # Safety
        /// None needed.
        unsafe fn nothing(_: *mut c_void) -> u32 {
            0
        }
        let free = Free { ends_with_context: true, api: "", origin: Origin::Driver, call: nothing };
        Self { handle: std::ptr::null_mut(), free, after: smallvec::smallvec![Point::own(tail)] }
    }

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

    /// Notes work that is pending on a stream that is gone, up to `tail`. Forgets what has been done
    /// meanwhile once there is much of it, so that short-lived streams do not pile up.
    pub(crate) fn push_pending(&self, context: &ContextCore, tail: RawEvent) {
        const MUCH: usize = 16;
        self.push(Retired::pending(tail));
        if self.waiting.load(Ordering::Relaxed) < MUCH {
            return;
        }
        let list = std::mem::take(&mut *self.list.lock().unwrap_or_else(PoisonError::into_inner));
        self.waiting.fetch_sub(list.len(), Ordering::Relaxed);
        for retired in list {
            if retired.handle.is_null() && retired.is_due() {
                retired.after.into_iter().for_each(|point| point.give_back(context));
            } else {
                self.push(retired);
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) == 0
    }

    /// Whether nothing waits for the GPU any more; then gives the events back.
    pub(crate) fn settle(&mut self, context: &ContextCore) -> bool {
        let _current = context.enter_if_needed();
        let list = self.list.get_mut().unwrap_or_else(PoisonError::into_inner);
        let due = list.iter().all(Retired::is_due);
        if due {
            let points = list.iter_mut().flat_map(|retired| std::mem::take(&mut retired.after));
            points.for_each(|point| point.give_back(context));
            // What was only waited for is done with.
            list.retain(|retired| !retired.handle.is_null());
            self.waiting = AtomicUsize::new(list.len());
        }
        due
    }

    /// The context has ended: frees what does not end with it.
    pub(crate) fn free_survivors(self) {
        let list = self.list.into_inner().unwrap_or_else(PoisonError::into_inner);
        for retired in list.into_iter().filter(|retired| !retired.free.ends_with_context) {
            // SAFETY: no launch of it is pending; the handle is owned by `retired`.
            let code = unsafe { (retired.free.call)(retired.handle) };
            teardown::report(retired.free.api, code, retired.free.origin, "the resource is leaked");
        }
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
