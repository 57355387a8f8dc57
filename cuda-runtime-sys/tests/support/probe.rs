//! Prints what becomes of the library on this machine: what the child processes of a test do. The
//! first line says that it ran.

use core::ffi::{CStr, c_int};
use std::path::Path;

use cuda_runtime_sys::common::{cudaGetDeviceCount, cudaGetErrorString, cudaMalloc};
use cuda_runtime_sys::v13::cudaError;
use cuda_runtime_sys::{library, v12, v13};

pub(crate) fn print() {
    println!("probe");
    let loaded = match std::env::var_os("PROBE_FILE") {
        Some(path) => library::load_from(Path::new(&path)),
        None => library::load(),
    };
    let loaded = match loaded {
        Ok(loaded) => loaded,
        Err(error) => {
            let mut pointer = core::ptr::null_mut();
            // SAFETY: no library, so that nothing is called.
            let code = unsafe { cudaMalloc(&raw mut pointer, 1) }.code();
            println!("error: {error}\ncudaMalloc: {code}");
            return;
        }
    };
    println!("path: {}", loaded.path().map_or("none".into(), Path::to_string_lossy));
    println!("via: {}", loaded.via());
    println!("version: {}", loaded.version().map_or_else(|| "unknown".to_owned(), |version| version.to_string()));
    match library::major() {
        Ok(major) => println!("major: {major}"),
        Err(error) => println!("major: {error}"),
    }
    let mut count: c_int = -1;
    // SAFETY: writes one int.
    println!("cudaGetDeviceCount: {} {count}", unsafe { cudaGetDeviceCount(&raw mut count) }.code());
    // SAFETY: gives a text that lives for ever, or null.
    let text = unsafe { cudaGetErrorString(cudaError::cudaErrorNoDevice) };
    if !text.is_null() {
        // SAFETY: not null, hence a C string.
        println!("text: {}", unsafe { CStr::from_ptr(text) }.to_string_lossy());
    }
    for (name, result) in [
        ("v12 cudaGetDeviceProperties_v2", v12::symbols::cudaGetDeviceProperties_v2.get().map(|_| ())),
        ("v13 cudaGetDeviceProperties", v13::symbols::cudaGetDeviceProperties.get().map(|_| ())),
        ("v12 cudaMemPrefetchAsync", v12::symbols::cudaMemPrefetchAsync.get().map(|_| ())),
        ("v13 cudaMemPrefetchAsync", v13::symbols::cudaMemPrefetchAsync.get().map(|_| ())),
        ("v12 cudaLibraryLoadData", v12::symbols::cudaLibraryLoadData.get().map(|_| ())),
        ("v13 cudaFuncGetParamCount", v13::symbols::cudaFuncGetParamCount.get().map(|_| ())),
    ] {
        match result {
            Ok(()) => println!("{name}: present"),
            Err(error) => println!("{name}: {error}"),
        }
    }
}
