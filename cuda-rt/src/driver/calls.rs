//! The driver's calls, by concern.

use std::ffi::c_void;
use std::sync::Arc;

use cuda_driver_sys as sys;

use super::Driver;
use super::call::{CoreResult, check, cu, number};
use crate::backend::sealed::{LaunchCalls, MemoryCalls, StreamCalls};
use crate::core::allocation::FreeAsync;
use crate::core::context::ContextCore;
use crate::core::retire::Free;
use crate::core::stream::StreamCore;
use crate::error::Origin;
use crate::launch::RawLaunch;

/// # Safety
/// `stream` is a stream that nobody uses any more.
unsafe fn destroy(stream: *mut c_void) -> u32 {
    // SAFETY: (caller)
    number(unsafe { sys::cuStreamDestroy_v2(stream.cast()) })
}

/// # Safety
/// `pointer` came from `cuMemAllocAsync`, and all its uses come before in the order of `stream`.
unsafe fn free(pointer: sys::CUdeviceptr, stream: sys::CUstream) -> u32 {
    // SAFETY: (caller)
    number(unsafe { sys::cuMemFreeAsync(pointer, stream) })
}

impl StreamCalls for Driver {
    const DESTROY: Free =
        Free { ends_with_context: true, api: "cuStreamDestroy", origin: Origin::Driver, call: destroy };

    #[track_caller]
    fn stream_create(_: &Arc<ContextCore>, flags: u32, priority: Option<i32>) -> CoreResult<sys::CUstream> {
        let mut stream = std::ptr::null_mut();
        match priority {
            // SAFETY: `stream` is a place for the handle; the context is current.
            None => unsafe { cu!(cuStreamCreate(&raw mut stream, flags)) },
            // SAFETY: as above.
            Some(priority) => unsafe { cu!(cuStreamCreateWithPriority(&raw mut stream, flags, priority)) },
        }?;
        Ok(stream)
    }

    #[track_caller]
    fn stream_synchronize(stream: &StreamCore) -> CoreResult<()> {
        // SAFETY: the stream is alive.
        unsafe { cu!(cuStreamSynchronize(stream.raw)) }
    }

    #[track_caller]
    fn stream_query(stream: &StreamCore) -> CoreResult<bool> {
        if !crate::health::is_well() {
            return Err(crate::health::refusal("cuStreamQuery"));
        }
        // SAFETY: the stream is alive.
        let code = unsafe { sys::cuStreamQuery(stream.raw) };
        if code == sys::CUresult::CUDA_ERROR_NOT_READY {
            return Ok(false);
        }
        check(code, "cuStreamQuery").map(|()| true)
    }
}

impl MemoryCalls for Driver {
    const FREE: &'static FreeAsync = &FreeAsync { api: "cuMemFreeAsync", origin: Origin::Driver, call: free };

    #[track_caller]
    fn alloc_async(stream: &StreamCore, bytes: usize) -> CoreResult<sys::CUdeviceptr> {
        let mut pointer = 0;
        // SAFETY: `pointer` is a place for the address; the stream is alive.
        unsafe { cu!(cuMemAllocAsync(&raw mut pointer, bytes, stream.raw)) }?;
        Ok(pointer)
    }

    #[track_caller]
    unsafe fn copy_to_device(
        stream: &StreamCore,
        dst: sys::CUdeviceptr,
        src: *const c_void,
        bytes: usize,
    ) -> CoreResult<()> {
        // SAFETY: (caller)
        unsafe { cu!(cuMemcpyHtoDAsync_v2(dst, src, bytes, stream.raw)) }
    }

    #[track_caller]
    unsafe fn copy_to_host(
        stream: &StreamCore,
        dst: *mut c_void,
        src: sys::CUdeviceptr,
        bytes: usize,
    ) -> CoreResult<()> {
        // SAFETY: (caller)
        unsafe { cu!(cuMemcpyDtoHAsync_v2(dst, src, bytes, stream.raw)) }
    }

    #[track_caller]
    unsafe fn copy_on_device(
        stream: &StreamCore,
        dst: sys::CUdeviceptr,
        src: sys::CUdeviceptr,
        bytes: usize,
    ) -> CoreResult<()> {
        // SAFETY: (caller)
        unsafe { cu!(cuMemcpyDtoDAsync_v2(dst, src, bytes, stream.raw)) }
    }

    #[track_caller]
    unsafe fn fill_bytes(stream: &StreamCore, dst: sys::CUdeviceptr, value: u8, bytes: usize) -> CoreResult<()> {
        // SAFETY: (caller)
        unsafe { cu!(cuMemsetD8Async(dst, value, bytes, stream.raw)) }
    }
}

impl LaunchCalls for Driver {
    #[inline]
    #[track_caller]
    unsafe fn launch(
        stream: &StreamCore,
        kernel: *mut c_void,
        launch: &RawLaunch,
        params: *mut *mut c_void,
    ) -> CoreResult<()> {
        let (grid, block) = (launch.grid, launch.block);
        // SAFETY: (caller); the kernel is a CUfunction, or a CUkernel, which is accepted as one.
        unsafe {
            cu!(cuLaunchKernel(
                kernel.cast(),
                grid.x,
                grid.y,
                grid.z,
                block.x,
                block.y,
                block.z,
                launch.shared_bytes,
                stream.raw,
                params,
                std::ptr::null_mut(),
            ))
        }
    }
}
