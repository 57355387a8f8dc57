//! A stream as the core sees it.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cuda_driver_sys as sys;

use super::context::{ContextCore, Current};
use super::event::RawEvent;
use super::retire::Free;
use super::unique_id;
use crate::driver::call::{CoreResult, cu};
use crate::{health, teardown};

/// Who ends the stream.
enum Holder {
    /// We do, with the partner of the call that created it.
    Own(Free),
    /// Whoever took the handle.
    Nobody,
    /// Somebody else; kept alive as long as we are.
    Foreign(#[allow(dead_code)] Box<dyn Any + Send + Sync>),
}

/// A stream, kept alive by its handles and by all that it used.
pub(crate) struct StreamCore {
    /// Compared instead of the handle, which the driver recycles. Below 2^62.
    pub(crate) id: u64,
    pub(crate) raw: sys::CUstream,
    // Dropped before the context: a foreign stream's owner may end it then.
    holder: Holder,
    pub(crate) context: Arc<ContextCore>,
    /// Whether the driver finds the context by the handle.
    names_context: bool,
    closed: AtomicBool,
}

// SAFETY: a stream handle may be used from any thread; the driver serialises the calls.
unsafe impl Send for StreamCore {}
// SAFETY: as above.
unsafe impl Sync for StreamCore {}

impl std::fmt::Debug for StreamCore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream")
            .field("id", &self.id)
            .field("raw", &self.raw)
            .field("device", &self.context.device.ordinal())
            .field("foreign", &self.is_foreign())
            .finish()
    }
}

impl StreamCore {
    /// A stream of our own.
    ///
    /// # Safety
    /// `raw` is a stream of `context` that nobody else destroys, and `destroy` is the partner of
    /// the call that created it.
    pub(crate) unsafe fn own(raw: sys::CUstream, context: Arc<ContextCore>, destroy: Free) -> Self {
        Self::with_holder(raw, context, Holder::Own(destroy))
    }

    /// A stream of somebody else's.
    ///
    /// # Safety
    /// `raw` is a stream of `context` that stays valid until `keep_alive` is dropped.
    pub(crate) unsafe fn foreign(
        raw: sys::CUstream,
        context: Arc<ContextCore>,
        keep_alive: Box<dyn Any + Send + Sync>,
    ) -> Self {
        Self::with_holder(raw, context, Holder::Foreign(keep_alive))
    }

    fn with_holder(raw: sys::CUstream, context: Arc<ContextCore>, holder: Holder) -> Self {
        // Null, CU_STREAM_LEGACY and CU_STREAM_PER_THREAD.
        let is_default = raw.addr() <= 2;
        let names_context = context.limits.addresses_by_stream && !is_default;
        Self { id: unique_id(), raw, context, names_context, closed: AtomicBool::new(false), holder }
    }

    /// Whether somebody else enqueues work on it too, so that its uses are marked at once.
    #[inline]
    pub(crate) fn is_foreign(&self) -> bool {
        matches!(self.holder, Holder::Foreign(_))
    }

    /// Gives the duty to destroy the stream away, if it is ours.
    pub(crate) fn give_away(&mut self) -> bool {
        let own = matches!(self.holder, Holder::Own(_));
        if own {
            self.holder = Holder::Nobody;
        }
        own
    }

    /// The last handle of a user is gone: no more work comes.
    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::Release);
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    /// Makes the context current for a call on this stream, where the driver does not find it by the
    /// stream: old drivers, and the default streams, whose handles are the same in every context.
    #[inline]
    #[track_caller]
    pub(crate) fn enter(&self) -> CoreResult<Option<Current<'_>>> {
        if self.names_context { Ok(None) } else { self.context.enter().map(Some) }
    }

    /// An event recorded at the stream's tail. The caller gives it back to the stream's context.
    #[track_caller]
    pub(crate) fn tail(&self) -> CoreResult<RawEvent> {
        let event = self.context.take_event()?;
        match self.record(event) {
            Ok(()) => Ok(event),
            Err(error) => {
                self.context.put_event(event);
                Err(error)
            }
        }
    }

    /// Makes this stream wait for all that `other` holds now.
    #[track_caller]
    pub(crate) fn wait_for_tail(&self, other: &StreamCore) -> CoreResult<()> {
        let event = other.tail()?;
        let waited = self.wait(event);
        // The wait keeps the event's state of now; recording it again does not change that.
        other.context.put_event(event);
        waited
    }

    #[track_caller]
    fn record(&self, event: RawEvent) -> CoreResult<()> {
        let _current = self.enter()?;
        // SAFETY: event and stream are alive, and of one context.
        unsafe { cu!(cuEventRecord(event.0, self.raw)) }
    }

    #[track_caller]
    pub(crate) fn wait(&self, event: RawEvent) -> CoreResult<()> {
        let _current = self.enter()?;
        // SAFETY: event and stream are alive; a wait may cross contexts.
        unsafe { cu!(cuStreamWaitEvent(self.raw, event.0, 0)) }
    }

    /// Whether all work enqueued so far is done; false if that is not known.
    pub(crate) fn is_complete(&self) -> bool {
        let Ok(_current) = self.enter() else { return false };
        // SAFETY: the stream is alive.
        (unsafe { sys::cuStreamQuery(self.raw) }) == sys::CUresult::CUDA_SUCCESS
    }
}

impl Drop for StreamCore {
    fn drop(&mut self) {
        let Holder::Own(destroy) = &self.holder else { return };
        if !health::is_well() {
            return;
        }
        let _current = self.enter();
        if !self.is_complete() {
            // What is pending must not make the end of the context wait.
            match self.tail() {
                Ok(event) => self.context.retired.push_pending(&self.context, event),
                Err(error) => teardown::report_error(&error, "the end of the context may wait for pending work"),
            }
        }
        // SAFETY: the stream is ours and nobody has a handle any more. Work that is pending on it
        // completes: the driver defers the rest, and does not wait.
        let code = unsafe { (destroy.call)(self.raw.cast()) };
        teardown::report(destroy.api, code, destroy.origin, "the stream is leaked");
    }
}
