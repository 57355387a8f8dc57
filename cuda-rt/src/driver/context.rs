//! Contexts.

use std::sync::Arc;

use cuda_driver_sys as sys;

use super::current::CurrentContext;
use super::{Device, Result};
use crate::core::context::ContextCore;

/// A context; cloning gives another handle to the same one.
///
/// The primary context of a device is the one that the runtime uses, and every library built on it:
/// streams, memory and kernels made in it can be shared with them.
#[derive(Clone, Debug)]
pub struct Context(Arc<ContextCore>);

impl Context {
    /// `cuDevicePrimaryCtxRetain` (CUDA 7.0): the device's primary context. Retained once by this crate,
    /// however many handles there are; released with the last thing made in it. Does not become
    /// current.
    ///
    /// # Errors
    /// Those of the driver, such as 2 (out of memory) or 46 (the device is in exclusive use).
    #[track_caller]
    pub fn primary(device: Device) -> Result<Self> {
        ContextCore::primary(device).map(Self)
    }

    /// Uses a context of other code and never destroys it; `keep_alive` is dropped with the last
    /// thing made in it.
    ///
    /// # Errors
    /// Those of the driver.
    ///
    /// # Safety
    /// `raw` is a context of `device` that stays valid until `keep_alive` is dropped.
    #[track_caller]
    pub unsafe fn borrow_raw(
        raw: sys::CUcontext,
        device: Device,
        keep_alive: impl Send + Sync + 'static,
    ) -> Result<Self> {
        // SAFETY: (caller)
        unsafe { ContextCore::foreign(raw, device, Box::new(keep_alive)) }.map(Self)
    }

    /// The handle. Lent: it must not be destroyed.
    pub fn as_raw(&self) -> sys::CUcontext {
        self.0.raw
    }

    /// The device.
    pub fn device(&self) -> Device {
        self.0.device
    }

    /// Makes the context current on this thread until the guard is dropped, for other code that
    /// needs it; then what was current before is again. This crate's own calls need no such thing.
    ///
    /// ```no_run
    /// # use cuda_rt::driver::{Context, Device};
    /// # fn my_driver_code() {}
    /// # fn main() -> cuda_rt::driver::Result<()> {
    /// let context = Context::primary(Device::new(0)?)?;
    /// {
    ///     let _current = context.enter()?;
    ///     my_driver_code();
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Guards of one thread may be dropped in any order: what was current before the first of them
    /// comes back with the last. A guard that is forgotten keeps its context current.
    ///
    /// Calls `cuCtxGetCurrent` and `cuCtxPushCurrent`, and `cuCtxPopCurrent` at the end (CUDA 4.0).
    ///
    /// # Errors
    /// Those of the driver; [`Cause::Unsupported`](crate::Cause::Unsupported) in the destructor of a
    /// thread-local, when the thread's guards are gone.
    #[track_caller]
    pub fn enter(&self) -> Result<CurrentContext<'_>> {
        CurrentContext::new(&self.0)
    }

    /// `cuCtxSynchronize` (CUDA 2.0): waits until all work of the context is done.
    ///
    /// # Errors
    /// The first failure of that work, if any.
    #[track_caller]
    pub fn synchronize(&self) -> Result<()> {
        let current = self.0.enter()?;
        // SAFETY: no pointers; the context is current.
        unsafe { super::call::cu!(cuCtxSynchronize()) }?;
        self.0.retired.drain(&self.0);
        current.leave()
    }

    pub(crate) fn from_core(core: Arc<ContextCore>) -> Self {
        Self(core)
    }

    pub(crate) fn core(&self) -> &Arc<ContextCore> {
        &self.0
    }
}
