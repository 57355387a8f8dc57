//! The runtime layer: implicit. A current device per thread, the primary context behind it, no
//! initialisation; errors are [`RuntimeCode`]s.
//!
//! ```no_run
//! use cuda_rt::{LaunchConfig, runtime};
//! # const IMAGE: &[u8] = b"";
//! # fn main() -> runtime::Result<()> {
//! runtime::set_device(0)?;
//! let stream = runtime::Stream::new()?;
//! let saxpy = runtime::Library::load(IMAGE)?.kernel("saxpy")?;
//! let (x, mut y) = (stream.buffer_from(&[1.0f32; 1000])?, stream.buffer_from(&[2.0f32; 1000])?);
//! let config = LaunchConfig::for_elements(1000, 256)?;
//! // SAFETY: the kernel reads x and writes y below index n, which both have.
//! unsafe { stream.launch(&saxpy, config).arg(1000u32).arg(2.0f32).arg(&x).arg(&mut y).submit()? };
//! assert_eq!(y.to_vec(&stream)?, [4.0; 1000]);
//! # Ok(())
//! # }
//! ```
//!
//! Objects of this layer are those of the driver layer: [`Stream::as_driver`] costs nothing, and a
//! [`DeviceBuffer`](crate::DeviceBuffer) works with streams of both. What orders their use, and
//! frees code and events, are driver calls; their codes keep their numbers, which mean the same.
//!
//! # The thread's current context
//!
//! Every object works on its own device's primary context, whatever is current: where the runtime
//! would use another one instead, this crate makes the right one current for the call. One habit of
//! the runtime stays: on a thread that has no current context, most of its calls leave the primary
//! context current.
//!
//! # Old runtimes
//!
//! libcudart before 12.8 can't load libraries or launch their kernels; there [`Library`] and
//! launches use the driver's functions on the same objects.

pub(crate) mod call;
mod calls;
mod device;
mod library;

use std::ffi::c_int;
use std::sync::Arc;

use cuda_driver_sys::loader::CudaVersion;

use crate::backend::{Layer, sealed};
use crate::core::context::ContextCore;
use crate::error::{LayerError, Origin, RuntimeCode};
use crate::health;
use call::rt;

pub use crate::device::{DeviceAttribute, Uuid};
pub use crate::stream::StreamKind;
pub use device::Device;
pub use library::Library;

/// The runtime layer, as a type parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Runtime {}

impl sealed::Sealed for Runtime {}

impl Layer for Runtime {
    type Code = RuntimeCode;
    const ORIGIN: Origin = Origin::Runtime;
}

/// An error of the runtime layer.
pub type Error = LayerError<Runtime>;
/// Result of a call of the runtime layer.
pub type Result<T> = std::result::Result<T, Error>;
/// A stream of the runtime layer.
pub type Stream = crate::stream::Stream<Runtime>;
/// A kernel of the runtime layer.
pub type Kernel = crate::kernel::Kernel<Runtime>;

/// `cudaSetDevice` (CUDA 2.0; 12.0 for what follows): the device that this thread works with from now on. From CUDA 12 on it
/// initialises the device's primary context, and makes it current on this thread.
///
/// # Errors
/// 101 for an ordinal that is not there; 35 or 100 without a usable driver or device;
/// [`Cause::Load`](crate::Cause::Load) without libcudart.
#[track_caller]
pub fn set_device(ordinal: u32) -> Result<()> {
    let ordinal = c_int::try_from(ordinal).unwrap_or(c_int::MAX);
    // SAFETY: no pointers.
    unsafe { rt!(common::cudaSetDevice(ordinal)) }?;
    health::watch_fork();
    Ok(())
}

/// `cudaGetDevice` (CUDA 2.0): the device that this thread works with; 0 unless it was set.
///
/// # Errors
/// 35 or 100 without a usable driver or device.
#[track_caller]
pub fn current_device() -> Result<u32> {
    let mut ordinal = 0;
    // SAFETY: `ordinal` is a place for an int.
    unsafe { rt!(common::cudaGetDevice(&raw mut ordinal)) }?;
    health::watch_fork();
    Ok(ordinal.unsigned_abs())
}

/// `cudaGetDeviceCount` (CUDA 2.0): the number of devices. Creates no context.
///
/// # Errors
/// 35 without a driver, or with one of an older major; 100 without a device.
#[track_caller]
pub fn device_count() -> Result<u32> {
    let mut count = 0;
    // SAFETY: `count` is a place for an int.
    unsafe { rt!(common::cudaGetDeviceCount(&raw mut count)) }?;
    health::watch_fork();
    Ok(count.unsigned_abs())
}

/// `cudaRuntimeGetVersion` (CUDA 2.2): the version of the runtime that is loaded. Needs no driver.
///
/// # Errors
/// [`Cause::Load`](crate::Cause::Load) without libcudart.
#[track_caller]
pub fn version() -> Result<CudaVersion> {
    let mut number = 0;
    // SAFETY: `number` is a place for an int.
    unsafe { rt!(common::cudaRuntimeGetVersion(&raw mut number)) }?;
    Ok(CudaVersion::new(number.unsigned_abs()))
}

/// `cudaDriverGetVersion` (CUDA 2.2): the newest CUDA version that the driver serves; `None` if there is no
/// driver. Needs no initialisation.
///
/// # Errors
/// [`Cause::Load`](crate::Cause::Load) without libcudart.
#[track_caller]
pub fn driver_version() -> Result<Option<CudaVersion>> {
    let mut number = 0;
    // SAFETY: `number` is a place for an int.
    unsafe { rt!(common::cudaDriverGetVersion(&raw mut number)) }?;
    Ok((number > 0).then(|| CudaVersion::new(number.unsigned_abs())))
}

/// The primary context of this thread's device.
#[track_caller]
pub(crate) fn current_context() -> Result<Arc<ContextCore>> {
    let ordinal = current_device()?;
    let device = crate::driver::Device::new(ordinal).map_err(LayerError::retag)?;
    ContextCore::primary(device).map_err(LayerError::retag)
}

impl Stream {
    /// `cudaStreamCreateWithFlags` (CUDA 5.0): a stream of this thread's device that takes no part in the
    /// order of the legacy default stream.
    ///
    /// # Errors
    /// Those of the runtime; [`Cause::Load`](crate::Cause::Load) without libcudart.
    #[track_caller]
    pub fn new() -> Result<Self> {
        Self::with_kind(StreamKind::NonBlocking)
    }

    /// `cudaStreamCreateWithFlags`, of the kind given.
    ///
    /// # Errors
    /// As [`Stream::new`].
    #[track_caller]
    pub fn with_kind(kind: StreamKind) -> Result<Self> {
        Self::create(&current_context()?, kind, None)
    }

    /// `cudaStreamCreateWithPriority` (CUDA 5.5): lower numbers come first; the runtime clamps to its range.
    ///
    /// # Errors
    /// As [`Stream::new`].
    #[track_caller]
    pub fn with_priority(kind: StreamKind, priority: i32) -> Result<Self> {
        Self::create(&current_context()?, kind, Some(priority))
    }

    /// Takes over a stream that other code created on this thread's device (`cudaStream_t`); it is
    /// destroyed with its last handle.
    ///
    /// # Errors
    /// As [`current_device`].
    ///
    /// # Safety
    /// 1. `raw` was created on the current device, and is not a default stream.
    /// 2. Nobody else destroys it.
    /// 3. Work that others enqueue on it uses no buffer of this crate unseen.
    #[track_caller]
    pub unsafe fn from_raw(raw: cuda_driver_sys::CUstream) -> Result<Self> {
        let context = current_context()?;
        // SAFETY: (caller)
        Ok(unsafe { Self::adopt(raw, context) })
    }

    /// Uses a stream of other code, of this thread's device, and never destroys it; `keep_alive` is
    /// dropped with the last handle. See [`driver::Stream::borrow_raw`](crate::driver::Stream::borrow_raw).
    ///
    /// # Errors
    /// As [`current_device`].
    ///
    /// # Safety
    /// 1. `raw` is a stream of the current device that stays valid until `keep_alive` is dropped.
    /// 2. It is not the per-thread default stream, which is another stream on every thread.
    /// 3. It is not capturing while this crate uses it.
    #[track_caller]
    pub unsafe fn borrow_raw(raw: cuda_driver_sys::CUstream, keep_alive: impl Send + Sync + 'static) -> Result<Self> {
        let context = current_context()?;
        // SAFETY: (caller)
        Ok(unsafe { Self::lend(raw, context, Box::new(keep_alive)) })
    }
}
