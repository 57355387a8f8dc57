//! What the two layers have in common, and what each supplies.
//!
//! A layer supplies the calls that its user sees, by concern, and its error type. The traits can't
//! be implemented or called from outside.

#![allow(unreachable_pub, reason = "sealed: nothing outside can name these traits")]

use std::ffi::c_void;
use std::fmt;
use std::sync::Arc;

use cuda_driver_sys as sys;

use crate::core::allocation::FreeAsync;
use crate::core::context::ContextCore;
use crate::core::retire::Free;
use crate::core::stream::StreamCore;
use crate::error::{LayerError, Origin};
use crate::launch::RawLaunch;

/// One of the two layers: [`Driver`](crate::driver::Driver) or [`Runtime`](crate::runtime::Runtime).
pub trait Layer: sealed::Sealed + fmt::Debug + Send + Sync + 'static {
    /// The codes that its functions return.
    type Code: From<u32> + Copy + fmt::Debug + fmt::Display + PartialEq;
    /// The API that its codes belong to.
    const ORIGIN: Origin;
}

/// A layer whose objects can be made and used.
pub trait Backend: Layer + sealed::StreamCalls + sealed::MemoryCalls + sealed::LaunchCalls {}
impl<B: Layer + sealed::StreamCalls + sealed::MemoryCalls + sealed::LaunchCalls> Backend for B {}

/// Result of a call of layer `B`.
pub(crate) type BResult<T, B> = Result<T, LayerError<B>>;

pub(crate) mod sealed {
    use super::{Arc, BResult, ContextCore, Free, FreeAsync, RawLaunch, StreamCore, c_void, sys};

    pub trait Sealed: Sized {}

    /// Streams.
    pub trait StreamCalls: Sealed {
        /// The partner of `stream_create`.
        const DESTROY: Free;
        /// A new stream of the context, which is current.
        #[track_caller]
        fn stream_create(context: &Arc<ContextCore>, flags: u32, priority: Option<i32>)
        -> BResult<sys::CUstream, Self>;
        #[track_caller]
        fn stream_synchronize(stream: &StreamCore) -> BResult<(), Self>;
        /// False while work is pending.
        #[track_caller]
        fn stream_query(stream: &StreamCore) -> BResult<bool, Self>;
    }

    /// Stream-ordered memory.
    pub trait MemoryCalls: Sealed {
        /// The partner of `alloc_async`.
        const FREE: &'static FreeAsync;
        /// `bytes` is not 0.
        #[track_caller]
        fn alloc_async(stream: &StreamCore, bytes: usize) -> BResult<sys::CUdeviceptr, Self>;
        /// # Safety
        /// Both ranges are valid for `bytes`; the source until the copy is done.
        #[track_caller]
        unsafe fn copy_to_device(
            stream: &StreamCore,
            dst: sys::CUdeviceptr,
            src: *const c_void,
            bytes: usize,
        ) -> BResult<(), Self>;
        /// # Safety
        /// Both ranges are valid for `bytes`; the destination until the copy is done.
        #[track_caller]
        unsafe fn copy_to_host(
            stream: &StreamCore,
            dst: *mut c_void,
            src: sys::CUdeviceptr,
            bytes: usize,
        ) -> BResult<(), Self>;
        /// # Safety
        /// Both ranges are valid for `bytes`.
        #[track_caller]
        unsafe fn copy_on_device(
            stream: &StreamCore,
            dst: sys::CUdeviceptr,
            src: sys::CUdeviceptr,
            bytes: usize,
        ) -> BResult<(), Self>;
        /// # Safety
        /// The range is valid for `bytes`.
        #[track_caller]
        unsafe fn fill_bytes(stream: &StreamCore, dst: sys::CUdeviceptr, value: u8, bytes: usize) -> BResult<(), Self>;
    }

    /// Launches.
    pub trait LaunchCalls: Sealed {
        /// # Safety
        /// `params` points to one pointer per parameter of the kernel, each to a value of its size,
        /// and the kernel is safe to run with these values.
        #[track_caller]
        unsafe fn launch(
            stream: &StreamCore,
            kernel: *mut c_void,
            launch: &RawLaunch,
            params: *mut *mut c_void,
        ) -> BResult<(), Self>;
    }
}
