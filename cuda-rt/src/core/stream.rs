//! A stream as the core sees it.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cuda_driver_sys as sys;

use super::context::ContextCore;
use super::retire::Free;
use super::unique_id;
use crate::{health, teardown};

/// Who ends the stream.
enum Holder {
    /// We do, with the partner of the call that created it, unless the handle was given away.
    Own { destroy: Free, given_away: AtomicBool },
    /// Somebody else; kept alive as long as we are.
    Foreign(#[allow(dead_code)] Box<dyn Any + Send + Sync>),
}

/// A stream, kept alive by its handles and by all that it used.
pub(crate) struct StreamCore {
    /// Compared instead of the handle, which the driver recycles. Below 2^62.
    pub(crate) id: u64,
    pub(crate) raw: sys::CUstream,
    pub(crate) context: Arc<ContextCore>,
    holder: Holder,
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
        Self { id: unique_id(), raw, context, holder: Holder::Own { destroy, given_away: AtomicBool::new(false) } }
    }

    /// A stream of somebody else's.
    ///
    /// # Safety
    /// `raw` is a stream of `context` that stays valid until `keep_alive` is dropped.
    pub(crate) unsafe fn foreign(raw: sys::CUstream, context: Arc<ContextCore>, keep_alive: Box<dyn Any + Send + Sync>) -> Self {
        Self { id: unique_id(), raw, context, holder: Holder::Foreign(keep_alive) }
    }

    /// Whether somebody else enqueues work on it too, so that its uses are marked at once.
    #[inline]
    pub(crate) fn is_foreign(&self) -> bool {
        matches!(self.holder, Holder::Foreign(_))
    }

    /// Gives the duty to destroy the stream away.
    pub(crate) fn give_away(&self) {
        if let Holder::Own { given_away, .. } = &self.holder {
            given_away.store(true, Ordering::Relaxed);
        }
    }
}

impl Drop for StreamCore {
    fn drop(&mut self) {
        let Holder::Own { destroy, given_away } = &self.holder else { return };
        if given_away.load(Ordering::Relaxed) || !health::is_well() {
            return;
        }
        // SAFETY: the stream is ours and nobody has a handle any more. Work that is pending on it
        // completes: the driver defers the rest, and does not wait.
        let code = unsafe { (destroy.call)(self.raw.cast()) };
        teardown::report(destroy.api, code, destroy.origin, "the stream is leaked");
    }
}
