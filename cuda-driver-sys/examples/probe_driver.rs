//! Prints what becomes of the driver library on this machine. Its tests run it in processes of
//! their own; exit status 0 whatever it finds.

use core::ffi::c_int;
use std::path::Path;

use cuda_driver_sys::{cuDriverGetVersion, cuInit, library, symbols};

fn main() {
    let loaded = match std::env::args().nth(1) {
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
    if let Some(path) = std::env::args().nth(2) {
        match library::load_from(Path::new(&path)) {
            Ok(_) => println!("second: loaded"),
            Err(error) => println!("second: {error}"),
        }
    }
}
