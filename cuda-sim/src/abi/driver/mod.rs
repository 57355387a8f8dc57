//! The driver's functions.

mod code;
mod contexts;
mod devices;
mod memory;
mod streams;

use cuda_driver_sys as sys;

use super::{Argument, Return, plain_arguments};
use crate::record::Value;
use crate::sim::Code;

impl Return for sys::CUresult {
    fn of(code: Code) -> Self {
        Self(super::c_enum_of(code))
    }
}

plain_arguments! {
    sys::CUdevice_attribute => |attribute| Value::Number(i64::from(attribute.0));
    sys::CUpointer_attribute => |attribute| Value::Number(i64::from(attribute.0));
    sys::CUfunction_attribute => |attribute| Value::Number(i64::from(attribute.0));
    sys::CUresult => |code| Value::Number(i64::from(code.0));
}

/// The function with this name, whatever the version.
pub(crate) fn find(name: &str) -> Option<*const std::ffi::c_void> {
    devices::find(name)
        .or_else(|| contexts::find(name))
        .or_else(|| streams::find(name))
        .or_else(|| memory::find(name))
        .or_else(|| code::find(name))
}

/// All names.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    [devices::NAMES, contexts::NAMES, streams::NAMES, memory::NAMES, code::NAMES].into_iter().flatten().copied()
}
