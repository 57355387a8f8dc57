//! Macros of the runtime's headers that bindgen can't read, since they are casts.
#![allow(non_upper_case_globals)]

use core::ffi::c_int;

use cuda_driver_sys::CUstream;

/// `cudaStreamLegacy`: the legacy default stream, by a handle that is not null.
pub const cudaStreamLegacy: CUstream = 1 as CUstream;
/// `cudaStreamPerThread`: the default stream of the calling thread.
pub const cudaStreamPerThread: CUstream = 2 as CUstream;
/// `cudaCpuDeviceId`: stands for the CPU where a device is wanted.
pub const cudaCpuDeviceId: c_int = -1;
/// `cudaInvalidDeviceId`: no device.
pub const cudaInvalidDeviceId: c_int = -2;
