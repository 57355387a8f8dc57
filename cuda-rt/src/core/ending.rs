//! The end of a context's last user: nothing waits for the GPU, nothing that is in use is freed.
//!
//! Two things would wait: unloading code, for every kernel that runs in the context, other code's
//! too; and the release of the last reference, for all work that is pending. So while work of ours
//! is pending everything lingers for the next user. When it is done the reference to the primary context is given back
//! first. If ours was the last one, the driver ends the context and its modules with it. If others
//! hold it, the reference is taken again, and it lingers with the queue and the events.

use std::sync::{Mutex, PoisonError};

use cuda_driver_sys as sys;

use super::context::{ContextCore, Holder};
use super::event::EventPool;
use super::retire::RetireQueue;
use crate::device::Device;
use crate::driver::call::{CoreError, CoreResult, cu, number};
use crate::error::{Cause, Origin};
use crate::{health, teardown};

impl Drop for ContextCore {
    fn drop(&mut self) {
        if !health::is_well() {
            return;
        }
        let mut queue = std::mem::take(&mut self.retired);
        let settled = queue.settle(self);
        match self.holder {
            Holder::Primary if !settled => Lingering::keep(self, queue),
            Holder::Primary if queue.is_empty() => self.end_primary(),
            Holder::Primary => self.end_primary_with_code(queue),
            Holder::Foreign(_) if settled => {
                // May wait for kernels that other code runs in its own context.
                queue.drain(self);
                self.destroy_events();
            }
            Holder::Foreign(_) => {
                let cause = Cause::Unsupported { what: "unloading code of a borrowed context with launches pending" };
                teardown::report_error(&CoreError::new("cuModuleUnload", cause), "the code stays loaded");
            }
        }
    }
}

impl ContextCore {
    fn end_primary(&self) {
        self.destroy_events();
        release(self.device);
    }

    /// As `end_primary`, with code that no kernel of ours uses any more.
    fn end_primary_with_code(&mut self, queue: RetireQueue) {
        let Some(id) = context_id(self.raw) else {
            // A driver before 12.0 can't tell contexts apart: wait rather than leak.
            queue.drain(self);
            return self.end_primary();
        };
        self.end_primary();
        if !is_active(self.device) {
            // The driver has ended the context, and its modules with it; libraries belong to none.
            return queue.free_survivors();
        }
        let mut raw = std::ptr::null_mut();
        // SAFETY: `raw` is a place for the handle; the device came from the driver.
        let retained = unsafe { cu!(cuDevicePrimaryCtxRetain(&raw mut raw, self.device.as_raw())) };
        match retained {
            Ok(()) if context_id(raw) == Some(id) => Lingering::keep(self, queue),
            // Ended meanwhile, and begun anew by somebody else.
            Ok(()) => release(self.device),
            Err(error) => teardown::report_error(&error, "code stays loaded in the primary context"),
        }
    }
}

fn release(device: Device) {
    // SAFETY: gives back one reference of ours.
    let code = unsafe { sys::cuDevicePrimaryCtxRelease_v2(device.as_raw()) };
    teardown::report("cuDevicePrimaryCtxRelease", number(code), Origin::Driver, "the primary context stays alive");
}

/// A number that no other context of the process has or had (12.0).
fn context_id(context: sys::CUcontext) -> Option<u64> {
    let get = sys::symbols::cuCtxGetId.get().ok()?;
    let mut id = 0;
    // SAFETY: `id` is a place for the number; the context is retained.
    (unsafe { get(context, &raw mut id) } == sys::CUresult::CUDA_SUCCESS).then_some(id)
}

fn is_active(device: Device) -> bool {
    let (mut flags, mut active) = (0, 0);
    // SAFETY: both are places for a number; the device came from the driver.
    let asked: CoreResult<()> =
        unsafe { cu!(cuDevicePrimaryCtxGetState(device.as_raw(), &raw mut flags, &raw mut active)) };
    asked.is_ok() && active != 0
}

/// A primary context that nobody uses, but in which code waits to be unloaded.
pub(super) struct Lingering {
    ordinal: u32,
    raw: SendContext,
    pub(super) retired: RetireQueue,
    pub(super) events: EventPool,
}

struct SendContext(sys::CUcontext);
// SAFETY: a context handle may be used from any thread.
unsafe impl Send for SendContext {}

static LINGERING: Mutex<Vec<Lingering>> = Mutex::new(Vec::new());

impl Lingering {
    fn keep(core: &mut ContextCore, retired: RetireQueue) {
        let raw = SendContext(core.raw);
        let lingering = Self { ordinal: core.device.ordinal(), raw, retired, events: std::mem::take(&mut core.events) };
        LINGERING.lock().unwrap_or_else(PoisonError::into_inner).push(lingering);
    }

    /// What lingers of a device's primary context, with the reference to it.
    pub(super) fn take(ordinal: u32) -> Option<Self> {
        let mut list = LINGERING.lock().unwrap_or_else(PoisonError::into_inner);
        let at = list.iter().position(|lingering| lingering.ordinal == ordinal)?;
        Some(list.swap_remove(at))
    }

    pub(super) fn raw(&self) -> sys::CUcontext {
        self.raw.0
    }
}
