//! Functions from a resolver in place of a library. One test, since it is for the whole process.
#![allow(clippy::unwrap_used)]

use core::ffi::{CStr, c_int, c_uint, c_void};

use cuda_driver_sys::loader::{CudaVersion, FoundVia, Resolver};
use cuda_driver_sys::{CUresult, cuDriverGetVersion, cuInit, library, symbols};

extern "C" fn init(flags: c_uint) -> CUresult {
    if flags == 7 { CUresult::CUDA_ERROR_UNKNOWN } else { CUresult::CUDA_SUCCESS }
}

extern "C" fn version(version: *mut c_int) -> CUresult {
    // SAFETY: the test gives a place.
    unsafe { *version = 13010 };
    CUresult::CUDA_SUCCESS
}

#[allow(clippy::fn_to_numeric_cast_any)]
fn lookup(name: &CStr) -> *const c_void {
    match name.to_bytes() {
        b"cuInit" => init as *const c_void,
        b"cuDriverGetVersion" => version as *const c_void,
        _ => core::ptr::null(),
    }
}

#[test]
fn resolver_serves_functions_and_is_installed_once() {
    let resolver = Resolver { symbol: lookup, version: CudaVersion::of(13, 1) };
    assert!(library::loaded().is_none());
    // SAFETY: the two functions have their signatures.
    unsafe { library::install_resolver(resolver) }.unwrap();
    // SAFETY: as above.
    assert!(unsafe { library::install_resolver(resolver) }.is_err());
    // SAFETY: our own function.
    assert_eq!(unsafe { cuInit(7) }, CUresult::CUDA_ERROR_UNKNOWN);
    let mut number = 0;
    // SAFETY: writes one int.
    assert_eq!(unsafe { cuDriverGetVersion(&raw mut number) }, CUresult::CUDA_SUCCESS);
    assert_eq!(number, 13010);
    let loaded = library::load().unwrap();
    assert_eq!(
        (loaded.via(), loaded.version(), loaded.path()),
        (&FoundVia::Resolver, Some(CudaVersion::of(13, 1)), None)
    );
    assert!(!symbols::cuMemAlloc_v2.is_present());
}
