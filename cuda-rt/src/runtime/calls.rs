//! The runtime's calls, by concern.

use std::ffi::c_void;
use std::sync::{Arc, OnceLock};

use cuda_driver_sys as sys;
use cuda_runtime_sys::{common, v13};

use super::Runtime;
use super::call::{RtResult, check, number, rt};
use crate::backend::sealed::{LaunchCalls, MemoryCalls, StreamCalls};
use crate::core::allocation::FreeAsync;
use crate::core::context::ContextCore;
use crate::core::retire::Free;
use crate::core::stream::StreamCore;
use crate::driver::Driver;
use crate::error::{LayerError, Origin};
use crate::launch::RawLaunch;

/// # Safety
/// `stream` is a stream that nobody uses any more.
unsafe fn destroy(stream: *mut c_void) -> u32 {
    // SAFETY: (caller)
    number(unsafe { common::cudaStreamDestroy(stream.cast()) })
}

/// # Safety
/// `pointer` came from `cudaMallocAsync`, and all its uses come before in the order of `stream`.
unsafe fn free(pointer: sys::CUdeviceptr, stream: sys::CUstream) -> u32 {
    // SAFETY: (caller)
    number(unsafe { common::cudaFreeAsync(address(pointer), stream) })
}

/// The runtime's type for the same address.
fn address(pointer: sys::CUdeviceptr) -> *mut c_void {
    const { assert!(size_of::<usize>() == size_of::<sys::CUdeviceptr>(), "CUDA has 64-bit targets only") };
    #[allow(clippy::cast_possible_truncation, reason = "asserted above")]
    let address = pointer as usize;
    // Device addresses have no provenance on the host.
    std::ptr::without_provenance_mut(address)
}

impl StreamCalls for Runtime {
    const DESTROY: Free =
        Free { ends_with_context: true, api: "cudaStreamDestroy", origin: Origin::Runtime, call: destroy };

    #[track_caller]
    fn stream_create(_: &Arc<ContextCore>, flags: u32, priority: Option<i32>) -> RtResult<sys::CUstream> {
        let mut stream = std::ptr::null_mut();
        match priority {
            // SAFETY: `stream` is a place for the handle; the device's context is current.
            None => unsafe { rt!(common::cudaStreamCreateWithFlags(&raw mut stream, flags)) },
            // SAFETY: as above.
            Some(priority) => unsafe { rt!(common::cudaStreamCreateWithPriority(&raw mut stream, flags, priority)) },
        }?;
        Ok(stream)
    }

    #[track_caller]
    fn stream_synchronize(stream: &StreamCore) -> RtResult<()> {
        // SAFETY: the stream is alive.
        unsafe { rt!(common::cudaStreamSynchronize(stream.raw)) }
    }

    #[track_caller]
    fn stream_query(stream: &StreamCore) -> RtResult<bool> {
        if !crate::health::is_well() {
            return Err(crate::health::refusal("cudaStreamQuery"));
        }
        // SAFETY: the stream is alive.
        let code = unsafe { common::cudaStreamQuery(stream.raw) };
        if code == v13::cudaError_t::cudaErrorNotReady {
            return Ok(false);
        }
        check(code, "cudaStreamQuery").map(|()| true)
    }
}

impl MemoryCalls for Runtime {
    const FREE: &'static FreeAsync = &FreeAsync { api: "cudaFreeAsync", origin: Origin::Runtime, call: free };

    #[track_caller]
    fn alloc_async(stream: &StreamCore, bytes: usize) -> RtResult<sys::CUdeviceptr> {
        let mut pointer = std::ptr::null_mut();
        // SAFETY: `pointer` is a place for the address; the stream is alive.
        unsafe { rt!(common::cudaMallocAsync(&raw mut pointer, bytes, stream.raw)) }?;
        Ok(pointer.addr() as sys::CUdeviceptr)
    }

    #[track_caller]
    unsafe fn copy_to_device(
        stream: &StreamCore,
        dst: sys::CUdeviceptr,
        src: *const c_void,
        bytes: usize,
    ) -> RtResult<()> {
        let kind = v13::cudaMemcpyKind::cudaMemcpyHostToDevice;
        // SAFETY: (caller)
        unsafe { rt!(common::cudaMemcpyAsync(address(dst), src, bytes, kind, stream.raw)) }
    }

    #[track_caller]
    unsafe fn copy_to_host(stream: &StreamCore, dst: *mut c_void, src: sys::CUdeviceptr, bytes: usize) -> RtResult<()> {
        let kind = v13::cudaMemcpyKind::cudaMemcpyDeviceToHost;
        // SAFETY: (caller)
        unsafe { rt!(common::cudaMemcpyAsync(dst, address(src), bytes, kind, stream.raw)) }
    }

    #[track_caller]
    unsafe fn copy_on_device(
        stream: &StreamCore,
        dst: sys::CUdeviceptr,
        src: sys::CUdeviceptr,
        bytes: usize,
    ) -> RtResult<()> {
        let kind = v13::cudaMemcpyKind::cudaMemcpyDeviceToDevice;
        // SAFETY: (caller)
        unsafe { rt!(common::cudaMemcpyAsync(address(dst), address(src), bytes, kind, stream.raw)) }
    }

    #[track_caller]
    unsafe fn fill_bytes(stream: &StreamCore, dst: sys::CUdeviceptr, value: u8, bytes: usize) -> RtResult<()> {
        // SAFETY: (caller)
        unsafe { rt!(common::cudaMemsetAsync(address(dst), value.into(), bytes, stream.raw)) }
    }
}

/// How this process's libcudart launches a loaded kernel (`docs/experiments/current_context.md`).
#[derive(Clone, Copy, PartialEq, Eq)]
enum LaunchPath {
    /// 13.x: `cudaLaunchKernelExC`.
    Runtime,
    /// 12.8 and 12.9: the same, with the stream's context current.
    RuntimeEntered,
    /// Before 12.8 it refuses a kernel that was not compiled into the program: `cuLaunchKernel`.
    Driver,
}

#[inline]
fn launch_path() -> LaunchPath {
    static PATH: OnceLock<LaunchPath> = OnceLock::new();
    *PATH.get_or_init(|| {
        let version = cuda_runtime_sys::library::loaded().and_then(|loaded| loaded.version()).map_or(0, |v| v.number());
        match version {
            13_000.. => LaunchPath::Runtime,
            12_080.. => LaunchPath::RuntimeEntered,
            _ => LaunchPath::Driver,
        }
    })
}

impl LaunchCalls for Runtime {
    #[inline]
    #[track_caller]
    unsafe fn launch(
        stream: &StreamCore,
        kernel: *mut c_void,
        launch: &RawLaunch,
        params: *mut *mut c_void,
    ) -> RtResult<()> {
        let path = launch_path();
        if path == LaunchPath::Driver {
            // SAFETY: (caller)
            return unsafe { Driver::launch(stream, kernel, launch, params) }.map_err(LayerError::retag);
        }
        let _current = match path {
            LaunchPath::RuntimeEntered => Some(stream.context.enter().map_err(LayerError::retag)?),
            _ => None,
        };
        let (grid, block) = (launch.grid, launch.block);
        let config = v13::cudaLaunchConfig_t {
            gridDim: v13::dim3 { x: grid.x, y: grid.y, z: grid.z },
            blockDim: v13::dim3 { x: block.x, y: block.y, z: block.z },
            dynamicSmemBytes: launch.shared_bytes as usize,
            stream: stream.raw,
            attrs: std::ptr::null_mut(),
            numAttrs: 0,
        };
        // SAFETY: (caller); the kernel is a cudaKernel_t; the configuration outlives the call.
        unsafe { rt!(common::cudaLaunchKernelExC(&raw const config, kernel, params)) }
    }
}
