//! A context as the core sees it: a handle, an id, the device's limits, what waits to be freed.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use cuda_driver_sys as sys;

use super::ending::Lingering;
use super::event::EventPool;
use super::retire::RetireQueue;
use super::unique_id;
use crate::device::Device;
use crate::driver::call::{CoreError, CoreResult, check, cu};
use crate::error::Cause;
use crate::launch::DeviceLimits;
use crate::{health, teardown};

/// Who ends the context.
pub(super) enum Holder {
    /// One counted reference to the device's primary context, given back on drop.
    Primary,
    /// Somebody else; kept alive as long as we are.
    Foreign(#[allow(dead_code)] Box<dyn Any + Send + Sync>),
}

/// A context, shared by all that was made in it.
pub(crate) struct ContextCore {
    pub(crate) id: u64,
    pub(crate) raw: sys::CUcontext,
    pub(crate) device: Device,
    pub(crate) limits: DeviceLimits,
    pub(crate) events: EventPool,
    pub(crate) retired: RetireQueue,
    pub(super) holder: Holder,
}

// SAFETY: a context handle may be used from any thread; the driver locks internally. All other
// fields are Send and Sync themselves.
unsafe impl Send for ContextCore {}
// SAFETY: as above.
unsafe impl Sync for ContextCore {}

impl std::fmt::Debug for ContextCore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context")
            .field("id", &self.id)
            .field("raw", &self.raw)
            .field("device", &self.device.ordinal())
            .finish()
    }
}

/// The primary contexts in use, by device ordinal: one reference of ours each.
static PRIMARY: Mutex<Vec<(u32, Weak<ContextCore>)>> = Mutex::new(Vec::new());

impl ContextCore {
    /// The primary context of a device: retained once however often it is asked for.
    #[track_caller]
    pub(crate) fn primary(device: Device) -> CoreResult<Arc<Self>> {
        if !health::is_well() {
            return Err(health::refusal("cuDevicePrimaryCtxRetain"));
        }
        let mut table = PRIMARY.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(core) =
            table.iter().find(|(ordinal, _)| *ordinal == device.ordinal()).and_then(|(_, weak)| weak.upgrade())
        {
            return Ok(core);
        }
        let limits = DeviceLimits::query(device)?;
        let core = if let Some(lingering) = Lingering::take(device.ordinal()) {
            let mut core = Self::with_holder(lingering.raw(), device, limits, Holder::Primary);
            (core.retired, core.events) = (lingering.retired, lingering.events);
            Arc::new(core)
        } else {
            let mut raw = std::ptr::null_mut();
            // SAFETY: `raw` is a place for the handle; the device came from the driver.
            unsafe { cu!(cuDevicePrimaryCtxRetain(&raw mut raw, device.as_raw())) }?;
            Arc::new(Self::with_holder(raw, device, limits, Holder::Primary))
        };
        table.retain(|(ordinal, weak)| *ordinal != device.ordinal() && weak.strong_count() > 0);
        table.push((device.ordinal(), Arc::downgrade(&core)));
        Ok(core)
    }

    /// A context of somebody else's, kept alive by `keep_alive`.
    ///
    /// # Safety
    /// `raw` is a context of `device` that stays valid until `keep_alive` is dropped.
    #[track_caller]
    pub(crate) unsafe fn foreign(
        raw: sys::CUcontext,
        device: Device,
        keep_alive: Box<dyn Any + Send + Sync>,
    ) -> CoreResult<Arc<Self>> {
        let limits = DeviceLimits::query(device)?;
        Ok(Arc::new(Self::with_holder(raw, device, limits, Holder::Foreign(keep_alive))))
    }

    fn with_holder(raw: sys::CUcontext, device: Device, limits: DeviceLimits, holder: Holder) -> Self {
        Self {
            id: unique_id(),
            raw,
            device,
            limits,
            events: EventPool::default(),
            retired: RetireQueue::default(),
            holder,
        }
    }

    /// Whether it is its device's primary context, as far as this crate knows.
    pub(crate) fn is_primary(&self) -> bool {
        matches!(self.holder, Holder::Primary)
    }

    /// As [`Self::enter`] on a driver that needs it to find the context of an event. A failure is
    /// left to the call that follows.
    pub(super) fn enter_if_needed(&self) -> Option<Current<'_>> {
        if self.limits.addresses_by_stream { None } else { self.enter().ok() }
    }

    /// Makes the context current for the guard's life, if it is not; restores what was current.
    #[track_caller]
    pub(crate) fn enter(&self) -> CoreResult<Current<'_>> {
        let mut now = std::ptr::null_mut();
        // SAFETY: `now` is a place for the handle.
        unsafe { cu!(cuCtxGetCurrent(&raw mut now)) }?;
        let pushed = now != self.raw;
        if pushed {
            // SAFETY: the context is valid while `self` lives.
            unsafe { cu!(cuCtxPushCurrent_v2(self.raw)) }?;
        }
        Ok(Current { context: self, pushed, thread: std::marker::PhantomData })
    }
}

/// A context made current for calls of this crate; dropping it restores the caller's.
#[derive(Debug)]
pub(crate) struct Current<'a> {
    context: &'a ContextCore,
    pushed: bool,
    /// The stack of contexts belongs to a thread.
    thread: std::marker::PhantomData<*mut ()>,
}

impl Current<'_> {
    /// Restores, and tells if that failed.
    pub(crate) fn leave(mut self) -> CoreResult<()> {
        self.restore()
    }

    fn restore(&mut self) -> CoreResult<()> {
        if !std::mem::take(&mut self.pushed) {
            return Ok(());
        }
        if health::is_forked() {
            return Ok(());
        }
        let mut popped = std::ptr::null_mut();
        // Not refused after a fault: the caller's context comes back on every path.
        // SAFETY: `popped` is a place for the handle. The guard can't leave its thread.
        check(unsafe { sys::cuCtxPopCurrent_v2(&raw mut popped) }, "cuCtxPopCurrent")?;
        if popped == self.context.raw {
            return Ok(());
        }
        // Not what was pushed: put back what was taken.
        // SAFETY: the driver just handed the context out as current.
        check(unsafe { sys::cuCtxPushCurrent_v2(popped) }, "cuCtxPushCurrent")?;
        Err(CoreError::new("cuCtxPopCurrent", Cause::Unsupported { what: "a stack of contexts left unbalanced" }))
    }
}

impl Drop for Current<'_> {
    fn drop(&mut self) {
        if let Err(error) = self.restore() {
            teardown::report_error(&error, "the thread's current context was not restored");
        }
    }
}
