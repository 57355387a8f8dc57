//! Safe Rust for CUDA: the driver API and the runtime API, one set of objects, two error types.
//!
//! - [`driver`]: explicit, over `libcuda`. Devices, contexts, modules.
//! - [`runtime`]: implicit, over `libcudart`. A current device per thread, libraries.
//! - [`DeviceBuffer`], [`LaunchConfig`]: the same for both.
//! - [`check()`]: whether CUDA can be used here, and if not, why.
//!
//! Neither library is needed to build or to start a program: they are loaded when they are first
//! used, function by function, and what is missing is an error that says where it was looked for.
//!
//! # Threads
//!
//! | type | `Send` | `Sync` | what two threads may do at once |
//! |---|---|---|---|
//! | [`driver::Device`], [`runtime::Device`] | yes | yes | all |
//! | [`driver::Context`] | yes | yes | all |
//! | [`driver::CurrentContext`] | no | no | belongs to the thread that entered |
//! | [`Stream`] | yes | yes | all: enqueues of two threads come in some order |
//! | [`Kernel`], [`driver::Module`], [`runtime::Library`] | yes | yes | all |
//! | [`DeviceBuffer<T>`] | if `T` is | if `T` is | read on any streams (`&`); write, free by one (`&mut`) |
//! | [`Launch`] | if its arguments are | if its arguments are | is put together by value, by one owner |
//! | errors | yes | yes | all |
//!
//! Locks are internal, at most one of a kind is held, and none while code of yours runs, but for the
//! [teardown hook](set_teardown_hook), which must not come back here.

#![allow(private_interfaces, reason = "types of the core appear in sealed traits, which nothing outside can name")]

mod args;
mod backend;
mod buffer;
pub mod check;
mod core;
mod device;
pub mod driver;
pub mod error;
mod health;
pub mod image;
mod kernel;
mod launch;
pub mod runtime;
mod stream;
mod teardown;

pub use args::{ArgList, KernelArg};
pub use backend::{Backend, Layer};
pub use buffer::DeviceBuffer;
pub use check::{Report, Requirement, Verdict, check, require};
pub use cuda_driver_sys::loader::{CudaVersion, LoadError};
pub use error::{ArgumentProblem, Cause, DriverCode, Error, LayerError, Origin, Result, RuntimeCode};
pub use health::is_lost;
pub use image::{ImageError, ImageKind};
pub use kernel::Kernel;
pub use launch::{ConfigError, Dim3, LaunchConfig};
pub use stream::{Launch, Stream, StreamKind};
pub use teardown::{TeardownFailure, TeardownHook, set_teardown_hook};

#[cfg(test)]
mod traits;
