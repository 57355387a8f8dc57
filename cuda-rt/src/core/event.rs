//! Events for internal order: untimed, pooled per context.

use std::sync::Mutex;
use std::sync::PoisonError;

use cuda_driver_sys as sys;

use super::context::ContextCore;
use crate::driver::call::{CoreResult, cu, number};
use crate::error::Origin;
use crate::{health, teardown};

/// Untimed events that are not in use.
#[derive(Debug, Default)]
pub(crate) struct EventPool {
    idle: Mutex<Vec<RawEvent>>,
}

/// An event of our own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RawEvent(pub(crate) sys::CUevent);

// SAFETY: an event is a handle that the driver lets any thread use; access to it is by value.
unsafe impl Send for RawEvent {}
// SAFETY: as above; the driver serialises calls on one event.
unsafe impl Sync for RawEvent {}

impl RawEvent {
    /// Whether all work before its last record is done; false if that is not known.
    pub(crate) fn is_complete(self) -> bool {
        // SAFETY: the event is ours and was recorded.
        (unsafe { sys::cuEventQuery(self.0) }) == sys::CUresult::CUDA_SUCCESS
    }

    /// Ends it. Nobody else has it.
    pub(crate) fn destroy(self) {
        if health::is_well() {
            // SAFETY: the event is ours and nobody else has it.
            let code = unsafe { sys::cuEventDestroy_v2(self.0) };
            teardown::report("cuEventDestroy", number(code), Origin::Driver, "the event is leaked");
        }
    }
}

impl ContextCore {
    /// An event of this context, from the pool or new.
    #[track_caller]
    pub(crate) fn take_event(&self) -> CoreResult<RawEvent> {
        if let Some(event) = self.events.idle.lock().unwrap_or_else(PoisonError::into_inner).pop() {
            return Ok(event);
        }
        let current = self.enter()?;
        let mut event = std::ptr::null_mut();
        // CU_EVENT_DISABLE_TIMING: its C type is signed on Windows, the parameter is not.
        let flags = 2;
        // SAFETY: `event` is a place for the handle; the context is current.
        unsafe { cu!(cuEventCreate(&raw mut event, flags)) }?;
        drop(current);
        Ok(RawEvent(event))
    }

    /// Gives an event back. A wait that was enqueued on it keeps its meaning when it is recorded again.
    pub(crate) fn put_event(&self, event: RawEvent) {
        self.events.idle.lock().unwrap_or_else(PoisonError::into_inner).push(event);
    }

    /// Destroys the pooled events; the context is about to be released.
    pub(crate) fn destroy_events(&self) {
        let idle = std::mem::take(&mut *self.events.idle.lock().unwrap_or_else(PoisonError::into_inner));
        let _current = self.enter_if_needed();
        idle.into_iter().for_each(RawEvent::destroy);
    }
}
