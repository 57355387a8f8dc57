//! The driver layer: explicit. Devices, contexts, modules; errors are [`DriverCode`]s.
//!
//! ```no_run
//! use cuda_rt::{LaunchConfig, driver};
//! # const IMAGE: &[u8] = b"";
//! # fn main() -> driver::Result<()> {
//! let context = driver::Context::primary(driver::Device::new(0)?)?;
//! let stream = driver::Stream::new(&context)?;
//! let saxpy = driver::Module::load(&context, IMAGE)?.kernel("saxpy")?;
//! let (x, mut y) = (stream.buffer_from(&[1.0f32; 1000])?, stream.buffer_from(&[2.0f32; 1000])?);
//! let config = LaunchConfig::for_elements(1000, 256)?;
//! // SAFETY: the kernel reads x and writes y below index n, which both have.
//! unsafe { stream.launch(&saxpy, config).arg(1000u32).arg(2.0f32).arg(&x).arg(&mut y).submit()? };
//! assert_eq!(y.to_vec(&stream)?, [4.0; 1000]);
//! # Ok(())
//! # }
//! ```

pub(crate) mod call;
mod calls;
mod context;
mod current;
mod module;

use cuda_driver_sys as sys;
use cuda_driver_sys::loader::CudaVersion;
use once_cell::sync::OnceCell;

use crate::backend::{Layer, sealed};
use crate::error::{DriverCode, LayerError, Origin};
use crate::health;
use call::cu;

pub use crate::device::{Device, DeviceAttribute, Uuid};
pub use crate::stream::StreamKind;
pub use context::Context;
pub use current::CurrentContext;
pub use module::Module;
pub(crate) use module::parameter_sizes;

/// The driver layer, as a type parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Driver {}

impl sealed::Sealed for Driver {}

impl Layer for Driver {
    type Code = DriverCode;
    const ORIGIN: Origin = Origin::Driver;
}

/// An error of the driver layer.
pub type Error = LayerError<Driver>;
/// Result of a call of the driver layer.
pub type Result<T> = std::result::Result<T, Error>;
/// A stream of the driver layer.
pub type Stream = crate::stream::Stream<Driver>;
/// A kernel of the driver layer.
pub type Kernel = crate::kernel::Kernel<Driver>;

/// `cuInit(0)` (CUDA 2.0): initialises the driver, once; later calls return at once. Making a [`Device`] does
/// it too.
///
/// # Errors
/// [`Cause::Load`](crate::Cause::Load) if there is no usable driver library; the codes of `cuInit`,
/// such as 100 (no device). A failure is not remembered: the next call tries again.
/// [`Cause::Forked`](crate::Cause::Forked) in the child of a `fork` after this call.
#[track_caller]
pub fn init() -> Result<()> {
    static DONE: OnceCell<()> = OnceCell::new();
    if DONE.get().is_some() && health::is_well() {
        return Ok(());
    }
    // SAFETY: no pointers; may be called any number of times, from any thread.
    unsafe { cu!(cuInit(0)) }?;
    health::watch_fork();
    let _ = DONE.set(());
    Ok(())
}

/// `cuDriverGetVersion` (CUDA 2.2): the newest CUDA version that the driver serves. Needs no initialisation.
///
/// # Errors
/// [`Cause::Load`](crate::Cause::Load) if there is no usable driver library.
#[track_caller]
pub fn version() -> Result<CudaVersion> {
    let mut number = 0;
    // SAFETY: `number` is a place for an int.
    unsafe { cu!(cuDriverGetVersion(&raw mut number)) }?;
    Ok(CudaVersion::new(number.unsigned_abs()))
}

impl Stream {
    /// `cuStreamCreate` (CUDA 2.0): a stream that takes no part in the order of the legacy default stream.
    ///
    /// # Errors
    /// 2 if memory is short; late ones of earlier work; [`Cause::ContextLost`](crate::Cause::ContextLost)
    /// and [`Cause::Forked`](crate::Cause::Forked).
    #[track_caller]
    pub fn new(context: &Context) -> Result<Self> {
        Self::with_kind(context, StreamKind::NonBlocking)
    }

    /// `cuStreamCreate`, of the kind given.
    ///
    /// # Errors
    /// As [`Stream::new`].
    #[track_caller]
    pub fn with_kind(context: &Context, kind: StreamKind) -> Result<Self> {
        Self::create(context.core(), kind, None)
    }

    /// `cuStreamCreateWithPriority` (CUDA 5.5): lower numbers come first; the driver clamps to its range.
    ///
    /// # Errors
    /// As [`Stream::new`].
    #[track_caller]
    pub fn with_priority(context: &Context, kind: StreamKind, priority: i32) -> Result<Self> {
        Self::create(context.core(), kind, Some(priority))
    }

    /// Takes over a stream that other code created; it is destroyed with its last handle.
    ///
    /// # Safety
    /// 1. `raw` was created in `context`, and is not a default stream.
    /// 2. Nobody else destroys it.
    /// 3. Work that others enqueue on it uses no buffer of this crate unseen.
    ///
    /// ```no_run
    /// # use cuda_rt::driver::{Context, Device, Stream};
    /// # fn main() -> cuda_rt::driver::Result<()> {
    /// # let context = Context::primary(Device::new(0)?)?;
    /// let stream = Stream::new(&context)?;
    /// if let Ok(raw) = stream.into_raw() {
    ///     // SAFETY: the handle was just given away by its owner.
    ///     let again = unsafe { Stream::from_raw(raw, &context) }; // freed once
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub unsafe fn from_raw(raw: sys::CUstream, context: &Context) -> Self {
        // SAFETY: (caller)
        unsafe { Self::adopt(raw, context.core().clone()) }
    }

    /// Uses a stream of other code and never destroys it; `keep_alive` is dropped with the last
    /// handle. Its uses of buffers are marked by an event each (one more call): its tail may hold
    /// other work.
    ///
    /// # Safety
    /// 1. `raw` is a stream of `context` that stays valid until `keep_alive` is dropped.
    /// 2. It is not the per-thread default stream, which is another stream on every thread.
    /// 3. It is not capturing while this crate uses it.
    pub unsafe fn borrow_raw(raw: sys::CUstream, context: &Context, keep_alive: impl Send + Sync + 'static) -> Self {
        // SAFETY: (caller)
        unsafe { Self::lend(raw, context.core().clone(), Box::new(keep_alive)) }
    }
}
