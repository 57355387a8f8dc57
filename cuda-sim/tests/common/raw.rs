//! The driver's C functions, as short as a test wants them. All of it is for tests: a wrong call is
//! the test's subject, and the simulator takes it.

use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

use cuda_driver_sys as sys;
pub use cuda_driver_sys::{CUcontext, CUdeviceptr, CUevent, CUfunction, CUmodule, CUstream};

/// The number of a code.
pub fn code(result: sys::CUresult) -> u32 {
    result.code()
}

/// Calls a driver function; gives its code.
#[macro_export]
macro_rules! cu {
    ($name:ident($($argument:expr),* $(,)?)) => {{
        // SAFETY: the simulator checks what it is given; places for results are valid.
        #[allow(clippy::macro_metavars_in_unsafe)]
        let result = unsafe { cuda_driver_sys::$name($($argument),*) };
        $crate::common::raw::code(result)
    }};
}

/// Calls a driver function, which must succeed.
#[macro_export]
macro_rules! ok {
    ($name:ident($($argument:expr),* $(,)?)) => {
        assert_eq!($crate::cu!($name($($argument),*)), 0, stringify!($name))
    };
}

/// The primary context of a device, retained and current.
pub fn primary(device: i32) -> CUcontext {
    let mut context = null_mut();
    ok!(cuInit(0));
    ok!(cuDevicePrimaryCtxRetain(&raw mut context, device));
    ok!(cuCtxSetCurrent(context));
    context
}

/// Gives the primary context back; none is current afterwards.
pub fn release(device: i32) {
    ok!(cuCtxSetCurrent(null_mut()));
    ok!(cuDevicePrimaryCtxRelease_v2(device));
}

/// A context of the program's own, current.
pub fn create_context(device: i32) -> CUcontext {
    let mut context = null_mut();
    ok!(cuCtxCreate_v4(&raw mut context, null_mut(), 0, device));
    context
}

/// A stream that takes no part in the legacy stream's order.
pub fn stream() -> CUstream {
    stream_with(1)
}

/// A stream.
pub fn stream_with(flags: u32) -> CUstream {
    let mut stream = null_mut();
    ok!(cuStreamCreate(&raw mut stream, flags));
    stream
}

/// An event.
pub fn event() -> CUevent {
    let mut event = null_mut();
    ok!(cuEventCreate(&raw mut event, 2));
    event
}

/// Device memory, at once.
pub fn alloc(bytes: usize) -> CUdeviceptr {
    let mut address = 0;
    ok!(cuMemAlloc_v2(&raw mut address, bytes));
    address
}

/// Device memory, in the order of a stream.
pub fn alloc_async(bytes: usize, stream: CUstream) -> CUdeviceptr {
    let mut address = 0;
    ok!(cuMemAllocAsync(&raw mut address, bytes, stream));
    address
}

/// Pinned memory.
pub fn pinned(bytes: usize) -> *mut c_void {
    let mut address = null_mut();
    ok!(cuMemHostAlloc(&raw mut address, bytes, 0));
    address
}

/// A module of `kernels/testing.ptx`.
pub fn module() -> CUmodule {
    let text = std::ffi::CString::new(super::TESTING).unwrap();
    let mut module = null_mut();
    ok!(cuModuleLoadData(&raw mut module, text.as_ptr().cast()));
    module
}

/// A kernel of it.
pub fn function(module: CUmodule, name: &CStr) -> CUfunction {
    let mut function = null_mut();
    ok!(cuModuleGetFunction(&raw mut function, module, name.as_ptr()));
    function
}

/// Launches `fill(n, value, out)` on one block of `n` threads; gives the code.
pub fn launch_fill(fill: CUfunction, stream: CUstream, n: u32, value: u32, out: CUdeviceptr) -> u32 {
    let (mut n_, mut value, mut out) = (n, value, out);
    let mut arguments = [(&raw mut n_).cast::<c_void>(), (&raw mut value).cast(), (&raw mut out).cast()];
    cu!(cuLaunchKernel(fill, 1, 1, 1, n, 1, 1, 0, stream, arguments.as_mut_ptr(), null_mut()))
}

/// Launches `write_to(address)`; gives the code.
pub fn launch_write(write: CUfunction, stream: CUstream, address: u64) -> u32 {
    let mut address = address;
    let mut arguments = [(&raw mut address).cast::<c_void>()];
    cu!(cuLaunchKernel(write, 1, 1, 1, 1, 1, 1, 0, stream, arguments.as_mut_ptr(), null_mut()))
}

/// Makes `later` wait for all that `earlier` holds now.
pub fn join(later: CUstream, earlier: CUstream) {
    let event = event();
    ok!(cuEventRecord(event, earlier));
    ok!(cuStreamWaitEvent(later, event, 0));
    ok!(cuEventDestroy_v2(event));
}

/// Words of device memory, read behind all work of a stream.
pub fn read(address: CUdeviceptr, n: usize, stream: CUstream) -> Vec<u32> {
    let mut words = vec![0_u32; n];
    ok!(cuMemcpyDtoHAsync_v2(words.as_mut_ptr().cast(), address, n * 4, stream));
    ok!(cuStreamSynchronize(stream));
    words
}

/// Null, as a stream.
pub const LEGACY: CUstream = null_mut();

/// Nothing to read from.
pub const NOWHERE: *const c_void = null();
