//! A stand-in libcuda and libcudart that needs no GPU.
#![doc = include_str!("../README.md")]

mod abi;
pub mod alloc;
mod clock;
mod code;
mod config;
mod context;
mod device;
mod engine;
mod entry;
mod execute;
mod fault;
mod file;
mod handles;
mod kernel;
mod machine;
mod memory;
mod ops;
pub mod ptx;
mod record;
mod report;
mod rng;
mod script;
mod sim;
mod stream;
mod work;

use std::ffi::{CStr, c_void};

pub use config::Schedule;
pub use machine::{Machine, MachineBuilder};
pub use record::{Arguments, Call, Value};
pub use report::{Finding, FindingKind, Label};

/// The address of a driver function by its exact symbol; null if the machine's driver has none.
///
/// What the loader's resolver hook takes. Without a machine it is the newest driver.
#[must_use]
pub fn resolve_driver(name: &CStr) -> *const c_void {
    // No lock here: a callback, during which the machine is locked, may look a function up.
    let Ok(name) = name.to_str() else { return std::ptr::null() };
    let exported = machine::versions().is_none_or(|config| config.driver_exports(name));
    if exported { abi::driver::find(name).unwrap_or(std::ptr::null()) } else { std::ptr::null() }
}

/// The address of a runtime function by its exact symbol; null if the machine's runtime has none.
///
/// What the loader's resolver hook takes. Without a machine it is the runtime 13.
#[must_use]
pub fn resolve_runtime(name: &CStr) -> *const c_void {
    let Ok(name) = name.to_str() else { return std::ptr::null() };
    let (exported, major) = match machine::versions() {
        Some(config) => (config.runtime_exports(name), config.runtime_major()),
        None => (true, 13),
    };
    if exported { abi::runtime::find(major, name).unwrap_or(std::ptr::null()) } else { std::ptr::null() }
}

/// Symbols of the driver functions that are simulated.
pub fn driver_functions() -> impl Iterator<Item = &'static str> {
    abi::driver::names()
}

/// Symbols of the runtime functions that are simulated.
pub fn runtime_functions() -> impl Iterator<Item = &'static str> {
    abi::runtime::names()
}
