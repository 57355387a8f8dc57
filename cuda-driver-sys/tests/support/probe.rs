//! Prints what becomes of the library on this machine: what the child processes of a test do. The
//! first line says that it ran.

use core::ffi::c_int;
use std::path::Path;

use cuda_driver_sys::{cuDriverGetVersion, cuInit, library, symbols};

pub(crate) fn print() {
    println!("probe");
    let loaded = match std::env::var_os("PROBE_FILE") {
        Some(path) => library::load_from(Path::new(&path)),
        None => library::load(),
    };
    let loaded = match loaded {
        Ok(loaded) => loaded,
        Err(error) => {
            // SAFETY: no library, so that nothing is called.
            let code = unsafe { cuInit(0) }.code();
            println!("error: {error}\ncuInit: {code}\nloaded: {}", library::loaded().is_some());
            return;
        }
    };
    println!("path: {}", loaded.path().map_or("none".into(), Path::to_string_lossy));
    println!("via: {}", loaded.via());
    println!("version: {}", loaded.version().map_or_else(|| "unknown".to_owned(), |version| version.to_string()));
    println!("note: {}", loaded.note().unwrap_or("none"));
    let mut version: c_int = -1;
    // SAFETY: writes one int.
    let code = unsafe { cuDriverGetVersion(&raw mut version) }.code();
    println!("cuDriverGetVersion: {code} {version}");
    // SAFETY: no precondition.
    println!("cuInit: {}", unsafe { cuInit(0) }.code());
    match symbols::cuCtxCreate_v4.get() {
        Ok(_) => println!("cuCtxCreate_v4: present"),
        Err(error) => println!("cuCtxCreate_v4: {error}"),
    }
    println!("cuFuncGetParamInfo: {}", symbols::cuFuncGetParamInfo.is_present());
    if let Some(path) = std::env::var_os("PROBE_SECOND_FILE") {
        match library::load_from(Path::new(&path)) {
            Ok(_) => println!("second: loaded"),
            Err(error) => println!("second: {error}"),
        }
    }
}
