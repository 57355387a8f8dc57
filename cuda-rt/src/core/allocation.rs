//! A block of device memory: where it is, who may free it how, who used it.

use std::sync::Arc;

use cuda_driver_sys as sys;

use super::record::UseRecord;
use super::stream::StreamCore;
use super::uses::Access;
use crate::driver::call::CoreResult;
use crate::error::{Cause, Origin};
use crate::{health, teardown};

/// The partner of a stream-ordered allocation: frees in the order of a stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FreeAsync {
    pub(crate) api: &'static str,
    pub(crate) origin: Origin,
    pub(crate) call: unsafe fn(sys::CUdeviceptr, sys::CUstream) -> u32,
}

/// Device memory, allocated in the order of `home` and freed in it.
#[derive(Debug)]
pub(crate) struct Allocation {
    pub(crate) pointer: sys::CUdeviceptr,
    pub(crate) home: Arc<StreamCore>,
    free: &'static FreeAsync,
    record: UseRecord,
}

impl Allocation {
    /// Takes over a block that `home` has just allocated, or none (pointer 0).
    ///
    /// # Safety
    /// `pointer` came from a stream-ordered allocation on `home` whose partner is `free`, or is 0;
    /// nobody else frees it.
    pub(crate) unsafe fn new(pointer: sys::CUdeviceptr, home: &Arc<StreamCore>, free: &'static FreeAsync) -> Self {
        Self { pointer, home: home.clone(), free, record: UseRecord::written_by(home) }
    }

    /// Orders an access by `stream` after all conflicting ones, before it is enqueued.
    #[inline]
    #[track_caller]
    pub(crate) fn order(&self, stream: &Arc<StreamCore>, access: Access) -> CoreResult<()> {
        if self.record.is_ordered(stream, access) || self.pointer == 0 {
            return Ok(());
        }
        self.order_slowly(stream, access)
    }

    #[cold]
    #[track_caller]
    fn order_slowly(&self, stream: &Arc<StreamCore>, access: Access) -> CoreResult<()> {
        if self.home.context.id != stream.context.id {
            return Err(crate::driver::Error::new("DeviceBuffer", Cause::OtherContext { what: "buffer" }));
        }
        self.record.order(Some(&self.home), stream, access)
    }

    /// To be called after the enqueue.
    #[inline]
    #[track_caller]
    pub(crate) fn enqueued(&self, stream: &Arc<StreamCore>) -> CoreResult<()> {
        if stream.is_foreign() && self.pointer != 0 { self.record.mark(Some(&self.home), stream) } else { Ok(()) }
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        if self.pointer == 0 || !health::is_well() {
            return;
        }
        let Self { home, record, .. } = self;
        if !record.only_used_by(home) {
            if let Err(error) = record.order(Some(home), home, Access::Write) {
                return teardown::report_error(&error, "device memory is leaked: its last use could not be ordered");
            }
        }
        let _current = match home.enter() {
            Ok(current) => current,
            Err(error) => return teardown::report_error(&error, "device memory is leaked"),
        };
        // SAFETY: the block came from the partner of this call, on this stream; every use on
        // another stream comes before it in the stream's order; nobody else frees it.
        let code = unsafe { (self.free.call)(self.pointer, home.raw) };
        teardown::report(self.free.api, code, self.free.origin, "device memory is leaked");
    }
}
