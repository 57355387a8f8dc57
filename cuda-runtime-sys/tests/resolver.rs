//! Functions from a resolver in place of a library. One test, since it is for the whole process.
#![allow(clippy::unwrap_used)]

use core::ffi::{CStr, c_int, c_void};

use cuda_driver_sys::loader::{CudaVersion, FoundVia, LoadError, Resolver};
use cuda_runtime_sys::v13::cudaError;
use cuda_runtime_sys::{Major, common, library, v12, v13};

extern "C" fn device_count(count: *mut c_int) -> cudaError {
    // SAFETY: the test gives a place.
    unsafe { *count = 3 };
    cudaError::cudaSuccess
}

#[allow(clippy::fn_to_numeric_cast_any)]
fn lookup(name: &CStr) -> *const c_void {
    if name == c"cudaGetDeviceCount" { device_count as *const c_void } else { core::ptr::null() }
}

#[test]
fn resolver_stands_for_the_major_of_its_version() {
    let resolver = Resolver { symbol: lookup, version: CudaVersion::of(12, 9) };
    // SAFETY: the function has its signature.
    unsafe { library::install_resolver(resolver) }.unwrap();
    assert_eq!(library::major(), Ok(Major::V12));
    let mut count = 0;
    // SAFETY: writes one int.
    assert_eq!(unsafe { common::cudaGetDeviceCount(&raw mut count) }, cudaError::cudaSuccess);
    assert_eq!(count, 3);
    assert!(v12::symbols::cudaGetDeviceCount.is_present());
    let error = v13::symbols::cudaGetDeviceCount.get().unwrap_err();
    assert!(matches!(error, LoadError::Symbol(details) if details.needs_major == Some(13)));
    // SAFETY: the function is not there, so that nothing is called.
    assert_eq!(unsafe { v13::cudaGetDeviceCount(&raw mut count) }.code(), 302);
    // SAFETY: as above; a function that returns a text gives null.
    assert!(unsafe { common::cudaGetErrorString(cudaError::cudaSuccess) }.is_null());
    assert_eq!(library::load().unwrap().via(), &FoundVia::Resolver);
}
