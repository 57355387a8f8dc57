//! The real driver library of CUDA 12.2 (535), on a machine without a GPU. One process, one library.
#![cfg(all(target_os = "linux", not(feature = "link-driver")))]
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use cuda_driver_sys::loader::{CudaVersion, FoundVia, LoadError};
use cuda_driver_sys::{
    CUresult, Driver, Table as _, cuCtxCreate_v4, cuDriverGetVersion, cuGetErrorName, cuInit, library, symbols,
};

fn load() -> Option<&'static cuda_driver_sys::loader::Loaded> {
    let file = PathBuf::from(option_env!("CUDA_RT_REAL_LIBS")?).join("driver-535/libcuda.so.1");
    Some(library::load_from(&file).unwrap())
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs scripts/real-libs.sh")]
fn report_004_driver_535_loads_and_what_is_newer_is_named() {
    let Some(loaded) = load() else { return };
    assert_eq!(loaded.version(), Some(CudaVersion::of(12, 2)));
    assert_eq!(loaded.via(), &FoundVia::Explicit);
    assert!(loaded.path().is_some_and(|path| path.ends_with("driver-535/libcuda.so.1")));
    let mut version = -1;
    // SAFETY: writes one int.
    assert_eq!(unsafe { cuDriverGetVersion(&raw mut version) }, CUresult::CUDA_SUCCESS);
    assert_eq!(version, 12020);
    // SAFETY: no precondition.
    let code = unsafe { cuInit(0) };
    assert!(code != CUresult::CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, "{code:?}");
    let mut name = core::ptr::null();
    // SAFETY: writes one pointer.
    assert_eq!(unsafe { cuGetErrorName(CUresult::CUDA_ERROR_NO_DEVICE, &raw mut name) }, CUresult::CUDA_SUCCESS);
    let error = symbols::cuCtxCreate_v4.get().unwrap_err();
    let LoadError::Symbol(details) = &error else { panic!("{error}") };
    assert_eq!(
        (details.name, details.since, details.loaded),
        ("cuCtxCreate_v4", Some(CudaVersion::of(12, 5)), Some(CudaVersion::of(12, 2)))
    );
    let text = error.to_string();
    assert!(text.contains("of CUDA 12.2") && text.contains("cuCtxCreate_v4, which exists since CUDA 12.5"), "{text}");
    // SAFETY: the function is not there, so that nothing is called.
    let code = unsafe { cuCtxCreate_v4(core::ptr::null_mut(), core::ptr::null_mut(), 0, 0) };
    assert_eq!(code.code(), 302);
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs scripts/real-libs.sh")]
fn report_016_missing_optional_function_leaves_the_rest_usable() {
    if load().is_none() {
        return;
    }
    assert!(!symbols::cuFuncGetParamInfo.is_present());
    assert!(!symbols::cuLogsCurrent.is_present());
    assert!(symbols::cuLaunchKernel.is_present() && symbols::cuLaunchKernelEx.is_present());
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs scripts/real-libs.sh")]
fn driver_535_has_exactly_what_is_as_old_as_12_2() {
    let Some(loaded) = load() else { return };
    let mut present = 0;
    for index in 0..685 {
        let entry = Driver::entry(index);
        let found = loaded.find(entry);
        assert_eq!(found.is_ok(), entry.since <= 12020, "{} since {}", entry.name(), entry.since());
        present += usize::from(found.is_ok());
        if let Err(error) = found {
            assert!(error.to_string().contains(&format!("exists since CUDA {}", entry.since())), "{error}");
        }
    }
    assert!(present > 500, "{present}");
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs scripts/real-libs.sh")]
fn second_library_is_refused_and_the_same_is_not() {
    let Some(loaded) = load() else { return };
    let path = loaded.path().unwrap();
    assert!(library::load_from(path).is_ok());
    assert!(library::load_from(&path.with_file_name("libcuda.so.535.261.03")).is_ok(), "the same file by another name");
    let error = library::load_from(std::path::Path::new("/elsewhere/libcuda.so.1")).unwrap_err().to_string();
    assert!(error.contains("is in use already") && error.contains("driver-535"), "{error}");
    let resolver = cuda_driver_sys::loader::Resolver { symbol: |_| core::ptr::null(), version: CudaVersion::of(13, 0) };
    // SAFETY: it comes too late, and gives nothing.
    assert!(unsafe { library::install_resolver(resolver) }.is_err());
}
