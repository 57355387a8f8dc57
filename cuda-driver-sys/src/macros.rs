//! Macros of `cuda.h` that bindgen can't read, since they are casts, and the second names of
//! launch attributes.

use core::ffi::c_void;

use crate::{CUdevice, CUdevice_v1, CUstream};

/// `CU_STREAM_LEGACY`: the legacy default stream, by a handle that is not null.
pub const CU_STREAM_LEGACY: CUstream = 1 as CUstream;
/// `CU_STREAM_PER_THREAD`: the default stream of the calling thread.
pub const CU_STREAM_PER_THREAD: CUstream = 2 as CUstream;
/// `CU_DEVICE_CPU`: stands for the CPU where a device is wanted.
pub const CU_DEVICE_CPU: CUdevice = -1;
/// `CU_DEVICE_INVALID`: no device.
pub const CU_DEVICE_INVALID: CUdevice_v1 = -2;
/// `CU_LAUNCH_PARAM_END`: ends the `extra` array of a launch.
pub const CU_LAUNCH_PARAM_END: *mut c_void = 0 as *mut c_void;
/// `CU_LAUNCH_PARAM_BUFFER_POINTER`: the next entry points to the packed arguments.
pub const CU_LAUNCH_PARAM_BUFFER_POINTER: *mut c_void = 1 as *mut c_void;
/// `CU_LAUNCH_PARAM_BUFFER_SIZE`: the next entry points to the size of the packed arguments.
pub const CU_LAUNCH_PARAM_BUFFER_SIZE: *mut c_void = 2 as *mut c_void;
