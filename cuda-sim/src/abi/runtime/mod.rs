//! The runtime's functions, over the same machine: the real runtime is not involved.

mod code;
mod devices;
mod memory;
mod streams;

use cuda_runtime_sys::v13::{cudaDeviceAttr, cudaError, cudaMemcpyKind, dim3};

use super::{Argument, Return, plain_arguments};
use crate::record::Value;
use crate::sim::{Code, Outcome, Sim};

impl Return for cudaError {
    fn of(code: Code) -> Self {
        Self(super::c_enum_of(code))
    }
}

impl Return for *const std::ffi::c_char {
    fn of(code: Code) -> Self {
        if code == 0 { c"cudaSuccess".as_ptr() } else { c"cudaErrorSimulated".as_ptr() }
    }
}

plain_arguments! {
    cudaDeviceAttr => |attribute| Value::Number(i64::from(attribute.0));
    cudaMemcpyKind => |kind| Value::Number(i64::from(kind.0));
    cudaError => |code| Value::Number(i64::from(code.0));
    dim3 => |size| Value::Word(u64::from(size.x) * u64::from(size.y) * u64::from(size.z));
}

/// The function with this name, of this major.
pub(crate) fn find(major: u32, name: &str) -> Option<*const std::ffi::c_void> {
    let of_major = match major {
        12 => devices::twelve::find(name),
        _ => devices::thirteen::find(name),
    };
    of_major
        .or_else(|| devices::find(name))
        .or_else(|| streams::find(name))
        .or_else(|| memory::find(name))
        .or_else(|| code::find(name))
}

/// All names.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    let tables =
        [devices::NAMES, devices::twelve::NAMES, devices::thirteen::NAMES, streams::NAMES, memory::NAMES, code::NAMES];
    tables.into_iter().flatten().copied()
}

impl Sim {
    /// The device that the thread works with: that of its current context, or the one it set.
    pub(crate) fn runtime_device(&mut self) -> usize {
        match self.thread().current() {
            Some(context) if self.contexts[context].alive => self.contexts[context].device,
            _ => self.thread().device.unwrap_or(0),
        }
    }

    /// The context that the runtime works in: the current one, whatever it is, or else the primary
    /// one of the thread's device.
    pub(crate) fn runtime_context(&mut self) -> Outcome<usize> {
        match self.thread().current() {
            Some(context) if self.contexts[context].alive => Ok(context),
            _ => {
                let device = self.thread().device.unwrap_or(0);
                self.hold_primary(device)
            }
        }
    }

    /// The same, and it is current afterwards.
    pub(crate) fn runtime_current(&mut self) -> Outcome<usize> {
        let context = self.runtime_context()?;
        if self.thread().current() != Some(context) {
            self.thread().set_current(Some(context));
        }
        Ok(context)
    }

    /// A stream as the runtime takes it; afterwards some context is current.
    pub(crate) fn runtime_stream(&mut self, handle: usize) -> Outcome<usize> {
        let context = self.runtime_current()?;
        self.stream_in(context, handle)
    }
}
