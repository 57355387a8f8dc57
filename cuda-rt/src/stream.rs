//! Streams, of either layer: one generic type over one core.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use cuda_driver_sys as sys;

use crate::args::ArgList;
use crate::args::{KernelArg, Params};
use crate::backend::{BResult, Backend};
use crate::buffer::DeviceBuffer;
use crate::core::context::ContextCore;
use crate::core::stream::StreamCore;
use crate::core::uses::Access;
use crate::driver::Driver;
use crate::error::{Cause, LayerError};
use crate::kernel::Kernel;
use crate::launch::LaunchConfig;
use crate::runtime::Runtime;

/// A stream of layer `B`: [`driver::Stream`](crate::driver::Stream) or
/// [`runtime::Stream`](crate::runtime::Stream). Cloning gives another handle to the same stream.
///
/// Work enqueued on one stream runs in order. Work on different streams that uses one buffer is put
/// in order by this crate: whoever comes later waits, on the device.
///
/// Dropping the last handle destroys the stream without waiting; work that is pending completes.
/// Buffers allocated on it, and uses recorded on it, keep it alive.
#[repr(transparent)]
pub struct Stream<B> {
    handle: Arc<Handle>,
    layer: PhantomData<fn() -> B>,
}

/// What a user holds. Records hold the core only, so that a stream without a user is known as one.
struct Handle {
    core: Arc<StreamCore>,
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.core.close();
    }
}

impl<B> Clone for Stream<B> {
    fn clone(&self) -> Self {
        Self { handle: self.handle.clone(), layer: PhantomData }
    }
}

impl<B> fmt::Debug for Stream<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.core().fmt(f)
    }
}

/// Whether a stream takes part in the order of the legacy default stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum StreamKind {
    /// It does not (`CU_STREAM_NON_BLOCKING`): the default of this crate.
    #[default]
    NonBlocking,
    /// It does (`CU_STREAM_DEFAULT`): needed beside code that uses the legacy default stream.
    Blocking,
}

impl<B> Stream<B> {
    fn from_core(core: StreamCore) -> Self {
        Self { handle: Arc::new(Handle { core: Arc::new(core) }), layer: PhantomData }
    }

    #[inline]
    pub(crate) fn core(&self) -> &Arc<StreamCore> {
        &self.handle.core
    }

    /// The handle, the same in both APIs. Lent: it must not be destroyed, nor be put into capture
    /// while this crate uses the stream. Work that other code enqueues on it is not recorded with
    /// the buffers that it uses.
    pub fn as_raw(&self) -> sys::CUstream {
        self.core().raw
    }

    /// Gives the stream, and the duty to destroy it (`cuStreamDestroy`, `cudaStreamDestroy`) while its
    /// context is kept alive, to the caller. Calls nothing.
    ///
    /// # Errors
    /// The stream itself, if it is still used: by another handle, a buffer that was allocated on it
    /// or has a use on it recorded, or a kernel. So is one that was borrowed.
    pub fn into_raw(self) -> Result<sys::CUstream, Self> {
        let Self { handle, layer } = self;
        let mut handle = match Arc::try_unwrap(handle) {
            Ok(handle) => handle,
            Err(handle) => return Err(Self { handle, layer }),
        };
        match Arc::get_mut(&mut handle.core).is_some_and(StreamCore::give_away) {
            true => Ok(handle.core.raw),
            false => Err(Self { handle: Arc::new(handle), layer }),
        }
    }

    /// The context; for a stream of the runtime layer the device's primary one.
    pub fn context(&self) -> crate::driver::Context {
        crate::driver::Context::from_core(self.core().context.clone())
    }

    /// A number that no other stream of this process has or had; handles are recycled.
    pub fn id(&self) -> u64 {
        self.core().id
    }

    /// Ordinal of the device.
    pub fn device_ordinal(&self) -> u32 {
        self.core().context.device.ordinal()
    }

    /// The same stream as one of the driver layer.
    pub fn as_driver(&self) -> &Stream<Driver> {
        // SAFETY: `Stream` is transparent over the core, whatever `B` is.
        unsafe { &*std::ptr::from_ref(self).cast::<Stream<Driver>>() }
    }
}

impl Stream<Driver> {
    /// The same stream as one of the runtime layer.
    ///
    /// # Errors
    /// [`Cause::OtherContext`] if the stream belongs to a context that is not its device's primary
    /// one: the runtime works with primary contexts only.
    #[track_caller]
    pub fn as_runtime(&self) -> Result<&Stream<Runtime>, LayerError<Runtime>> {
        if !self.core().context.is_primary() {
            return Err(LayerError::new("Stream::as_runtime", Cause::OtherContext { what: "primary context" }));
        }
        // SAFETY: `Stream` is transparent over the core, whatever `B` is.
        Ok(unsafe { &*std::ptr::from_ref(self).cast::<Stream<Runtime>>() })
    }
}

impl<B: Backend> Stream<B> {
    #[track_caller]
    pub(crate) fn create(context: &Arc<ContextCore>, kind: StreamKind, priority: Option<i32>) -> BResult<Self, B> {
        let flags = match kind {
            StreamKind::NonBlocking => 1,
            StreamKind::Blocking => 0,
        };
        let current = context.enter().map_err(LayerError::retag)?;
        let raw = B::stream_create(context, flags, priority)?;
        // SAFETY: the stream was just created in this context, with the partner of `DESTROY`.
        let core = unsafe { StreamCore::own(raw, context.clone(), B::DESTROY) };
        current.leave().map_err(LayerError::retag)?;
        Ok(Self::from_core(core))
    }

    /// Takes over a stream that other code created in `context`; it is destroyed with the last
    /// handle.
    ///
    /// # Safety
    /// 1. `raw` is a stream that was created in `context`, not a default stream.
    /// 2. Nobody else destroys it, or enqueues work on it that uses this crate's buffers unseen.
    pub(crate) unsafe fn adopt(raw: sys::CUstream, context: Arc<ContextCore>) -> Self {
        // SAFETY: (caller); the layers share the handle, so either partner destroys it.
        Self::from_core(unsafe { StreamCore::own(raw, context, B::DESTROY) })
    }

    /// Uses a stream of other code, kept alive by `keep_alive`, and never destroys it.
    ///
    /// # Safety
    /// `raw` is a stream of `context` that stays valid until `keep_alive` is dropped.
    pub(crate) unsafe fn lend(
        raw: sys::CUstream,
        context: Arc<ContextCore>,
        keep_alive: Box<dyn Any + Send + Sync>,
    ) -> Self {
        // SAFETY: (caller)
        Self::from_core(unsafe { StreamCore::foreign(raw, context, keep_alive) })
    }

    /// Waits until all work enqueued so far is done (`cuStreamSynchronize`,
    /// `cudaStreamSynchronize`).
    ///
    /// # Errors
    /// The first failure of that work, if any (see [late errors](crate::error#late)).
    #[track_caller]
    pub fn synchronize(&self) -> Result<(), LayerError<B>> {
        let _current = self.core().enter().map_err(LayerError::retag)?;
        B::stream_synchronize(self.core())
    }

    /// Whether all work enqueued so far is done (`cuStreamQuery`, `cudaStreamQuery`).
    ///
    /// # Errors
    /// The first failure of that work, if any.
    #[track_caller]
    pub fn is_done(&self) -> Result<bool, LayerError<B>> {
        let _current = self.core().enter().map_err(LayerError::retag)?;
        B::stream_query(self.core())
    }

    /// Makes work that is enqueued here from now on wait for all that `other` holds now, on the
    /// device (`cuEventRecord` on an event of this crate, and `cuStreamWaitEvent`, CUDA 3.2). Buffers need no such call: their order is
    /// kept by this crate.
    ///
    /// # Errors
    /// Late ones of earlier work; [`Cause::ContextLost`] and [`Cause::Forked`].
    #[track_caller]
    pub fn join<C>(&self, other: &Stream<C>) -> Result<(), LayerError<B>> {
        self.core().wait_for_tail(other.core()).map_err(LayerError::retag)
    }

    /// A launch of `kernel`: add the arguments with [`Launch::arg`], then [`Launch::submit`] it.
    #[inline]
    pub fn launch<'a>(&'a self, kernel: &'a Kernel<B>, config: LaunchConfig) -> Launch<'a, B, ()> {
        Launch { stream: self, kernel, config, args: () }
    }

    /// Device memory with the content of a slice, allocated and filled in the order of this stream
    /// (`cuMemAllocAsync`, `cuMemcpyHtoDAsync`; `cudaMallocAsync`, `cudaMemcpyAsync`). Returns when
    /// the slice is free again. An empty slice calls nothing.
    ///
    /// # Errors
    /// Code 2 if memory is short; [`Cause::Unsupported`] on a device without memory pools;
    /// [`Cause::Overflow`] if the size is out of range; [`Cause::ContextLost`] and
    /// [`Cause::Forked`], as from every call. See
    /// [`DeviceBuffer::copy_from_host`] for the copy.
    #[track_caller]
    pub fn buffer_from<T: bytemuck::NoUninit>(&self, source: &[T]) -> Result<DeviceBuffer<T>, LayerError<B>> {
        let mut buffer = DeviceBuffer::allocate(self, source.len())?;
        buffer.copy_from_host(self, source)?;
        Ok(buffer)
    }

    /// Device memory with the content of another buffer, allocated and copied in the order of this
    /// stream (`cuMemcpyDtoDAsync`, `cudaMemcpyAsync`). Returns at once.
    ///
    /// # Errors
    /// As [`Stream::buffer_from`].
    #[track_caller]
    pub fn buffer_copy<T>(&self, source: &DeviceBuffer<T>) -> Result<DeviceBuffer<T>, LayerError<B>> {
        let mut buffer = DeviceBuffer::allocate(self, source.len())?;
        buffer.copy_from_device(self, source)?;
        Ok(buffer)
    }

    /// Device memory of `len` elements, all bytes zero, in the order of this stream
    /// (`cuMemsetD8Async`, `cudaMemsetAsync`). Returns at once.
    ///
    /// # Errors
    /// As [`Stream::buffer_from`]; [`Cause::Overflow`] if the size is out of range.
    #[track_caller]
    pub fn buffer_zeroed<T: bytemuck::Zeroable>(&self, len: usize) -> Result<DeviceBuffer<T>, LayerError<B>> {
        let buffer = DeviceBuffer::allocate(self, len)?;
        if len != 0 {
            let core = self.core();
            let current = core.enter().map_err(LayerError::retag)?;
            // SAFETY: the block was just allocated on this stream and has this many bytes.
            unsafe { B::fill_bytes(core, buffer.device_ptr(), 0, buffer.size_bytes()) }?;
            drop(current);
            buffer.allocation().enqueued(core).map_err(LayerError::retag)?;
        }
        Ok(buffer)
    }
}

/// A launch that is being put together.
#[must_use = "nothing is launched until `submit`"]
#[derive(Debug)]
pub struct Launch<'a, B, A> {
    stream: &'a Stream<B>,
    kernel: &'a Kernel<B>,
    config: LaunchConfig,
    args: A,
}

impl<'a, B: Backend, A: ArgList> Launch<'a, B, A> {
    /// Adds the next argument: a plain value, `&buffer` or `&mut buffer`.
    #[inline]
    pub fn arg<T: KernelArg>(self, value: T) -> Launch<'a, B, (A, T)> {
        Launch { stream: self.stream, kernel: self.kernel, config: self.config, args: (self.args, value) }
    }

    /// Enqueues the launch (`cuLaunchKernel`, `cudaLaunchKernelExC`): one call, no allocation, if
    /// the buffers were last used on this stream.
    ///
    /// # Errors
    /// Before anything is enqueued: geometry beyond the device's limits; number or sizes of the
    /// arguments that differ from the kernel's parameters (where the driver tells them, 12.4);
    /// objects of different contexts; a failed wait. Then those of the call.
    ///
    /// # Safety
    /// With these arguments the kernel
    /// 1. accesses only memory inside the buffers given, or other memory that the caller vouches for;
    /// 2. writes only what was given as `&mut`, without data races among its own threads;
    /// 3. leaves in every buffer values that are valid for its element type.
    #[inline]
    #[track_caller]
    pub unsafe fn submit(self) -> Result<(), LayerError<B>> {
        let stream = self.stream.core();
        if self.config.is_empty() {
            return Ok(());
        }
        let geometry = self.config.check(&stream.context.limits)?;
        let mut params = Params::new(self.kernel.parameter_sizes());
        self.args.collect(&mut params);
        if let Some(problem) = params.problem() {
            return Err(self.kernel.misfit(problem));
        }
        self.kernel.order(stream).map_err(LayerError::retag)?;
        self.args.order(stream).map_err(LayerError::retag)?;
        let current = stream.enter().map_err(LayerError::retag)?;
        // SAFETY: the pointers point into `self.args`; number and sizes were compared where known,
        // and all else is the caller's promise. Conflicting uses of the buffers come before.
        unsafe { B::launch(stream, self.kernel.raw(), &geometry, params.pointers.as_mut_ptr()) }?;
        drop(current);
        if stream.is_foreign() {
            // All of them, whatever fails.
            let (kernel, args) = (self.kernel.enqueued(stream), self.args.enqueued(stream));
            kernel.and(args).map_err(LayerError::retag)?;
        }
        Ok(())
    }
}

/// Orders an access of a buffer, in the error type of the stream.
#[inline]
#[track_caller]
pub(crate) fn order<B: Backend, T>(buffer: &DeviceBuffer<T>, stream: &Stream<B>, access: Access) -> BResult<(), B> {
    buffer.allocation().order(stream.core(), access).map_err(LayerError::retag)
}
