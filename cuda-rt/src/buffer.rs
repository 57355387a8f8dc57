//! Device memory with an order.

use std::fmt;
use std::marker::PhantomData;

use bytemuck::{AnyBitPattern, NoUninit};
use cuda_driver_sys as sys;

use crate::backend::{BResult, Backend};
use crate::core::allocation::Allocation;
use crate::core::uses::Access;
use crate::error::{Cause, LayerError};
use crate::stream::{Stream, order};

/// `len` elements of `T` in device memory, of either layer.
///
/// The buffer knows which streams used it. A use on another stream first waits, on the device, for
/// the uses that it conflicts with; uses on one stream cost nothing. Dropping it frees the memory
/// in the order of the stream that it was allocated on, behind all uses, and never waits.
///
/// Made by [`Stream::buffer_from`] and [`Stream::buffer_zeroed`].
pub struct DeviceBuffer<T> {
    allocation: Allocation,
    len: usize,
    element: PhantomData<T>,
}

impl<T> fmt::Debug for DeviceBuffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeviceBuffer")
            .field("device_ptr", &format_args!("{:#x}", self.allocation.pointer))
            .field("len", &self.len)
            .field("home", &self.allocation.home)
            .finish()
    }
}

impl<T> DeviceBuffer<T> {
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none; then there is no memory either.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Size in bytes.
    pub fn size_bytes(&self) -> usize {
        self.len * size_of::<T>()
    }

    /// Address on the device; 0 if there is no memory. Uses of it by other code are not recorded.
    pub fn device_ptr(&self) -> sys::CUdeviceptr {
        self.allocation.pointer
    }

    pub(crate) fn allocation(&self) -> &Allocation {
        &self.allocation
    }

    /// Memory whose bytes are not written yet; the caller writes them before anyone reads.
    #[track_caller]
    pub(crate) fn allocate<B: Backend>(stream: &Stream<B>, len: usize) -> BResult<Self, B> {
        let core = stream.core();
        let size = len.checked_mul(size_of::<T>()).filter(|bytes| isize::try_from(*bytes).is_ok());
        let Some(bytes) = size else {
            return Err(LayerError::new("DeviceBuffer", Cause::Overflow { len, element: size_of::<T>() }));
        };
        let pointer = if bytes == 0 {
            0
        } else if core.context.limits.memory_pools {
            let _current = core.enter().map_err(LayerError::retag)?;
            B::alloc_async(core, bytes)?
        } else {
            return Err(LayerError::new(
                "DeviceBuffer",
                Cause::Unsupported { what: "stream-ordered allocation (memory pools)" },
            ));
        };
        // SAFETY: the block was just allocated on the stream, and `FREE` is the partner.
        let allocation = unsafe { Allocation::new(pointer, core, B::FREE) };
        allocation.enqueued(core).map_err(LayerError::retag)?;
        Ok(Self { allocation, len, element: PhantomData })
    }

    #[track_caller]
    fn same_length<L>(&self, given: usize, api: &'static str) -> Result<(), LayerError<L>> {
        if given == self.len { Ok(()) } else { Err(LayerError::new(api, Cause::Length { given, needed: self.len })) }
    }

    /// Copies a host slice of the same length here, in the order of `stream`
    /// (`cuMemcpyHtoDAsync`, `cudaMemcpyAsync`); returns when the slice is free again, and all
    /// earlier work of the stream is done.
    ///
    /// # Errors
    /// [`Cause::Length`] if the lengths differ, then nothing is called; else those of the copy,
    /// and late ones of earlier work; [`Cause::ContextLost`] and [`Cause::Forked`].
    ///
    /// # Aborts
    /// If the copy fails and the slice is memory that other code registered with CUDA: the device
    /// may go on using it, and nothing tells when it ends.
    #[track_caller]
    pub fn copy_from_host<B: Backend>(&mut self, stream: &Stream<B>, source: &[T]) -> Result<(), LayerError<B>>
    where
        T: NoUninit,
    {
        self.same_length(source.len(), "DeviceBuffer::copy_from_host")?;
        if self.allocation.pointer == 0 {
            return Ok(());
        }
        order(self, stream, Access::Write)?;
        let core = stream.core();
        let _current = core.enter().map_err(LayerError::retag)?;
        // SAFETY: both ranges have this many bytes; the slice is borrowed until the copy let go of it.
        let copied =
            unsafe { B::copy_to_device(core, self.allocation.pointer, source.as_ptr().cast(), self.size_bytes()) };
        let marked = self.allocation.enqueued(core).map_err(LayerError::retag);
        let (enqueued, done) = match copied {
            Ok(()) => (true, B::stream_synchronize(core)),
            refused => (false, refused),
        };
        match done {
            Ok(()) => marked,
            Err(error) if may_go_on(enqueued, &error, source.as_ptr()) => end_process(),
            Err(error) => Err(error),
        }
    }

    /// Copies another buffer of the same length here, in the order of `stream`
    /// (`cuMemcpyDtoDAsync`, `cudaMemcpyAsync`). Returns at once.
    ///
    /// # Errors
    /// [`Cause::Length`] if the lengths differ, then nothing is called; else those of the copy.
    #[track_caller]
    pub fn copy_from_device<B: Backend>(&mut self, stream: &Stream<B>, source: &Self) -> Result<(), LayerError<B>> {
        self.same_length(source.len, "DeviceBuffer::copy_from_device")?;
        if self.allocation.pointer == 0 {
            return Ok(());
        }
        order(source, stream, Access::Read)?;
        order(self, stream, Access::Write)?;
        let core = stream.core();
        let _current = core.enter().map_err(LayerError::retag)?;
        // SAFETY: both blocks have this many bytes and are freed behind this copy.
        unsafe { B::copy_on_device(core, self.allocation.pointer, source.allocation.pointer, self.size_bytes()) }?;
        // Both, whatever fails.
        let (read, written) = (source.allocation.enqueued(core), self.allocation.enqueued(core));
        read.and(written).map_err(LayerError::retag)
    }

    /// Copies the content into a host slice of the same length, in the order of `stream`
    /// (`cuMemcpyDtoHAsync`, `cudaMemcpyAsync`); returns when it is there.
    ///
    /// # Errors
    /// As [`DeviceBuffer::copy_from_host`].
    ///
    /// # Aborts
    /// As [`DeviceBuffer::copy_from_host`].
    #[track_caller]
    pub fn copy_to_host<B: Backend>(&self, stream: &Stream<B>, target: &mut [T]) -> Result<(), LayerError<B>>
    where
        T: AnyBitPattern,
    {
        self.same_length(target.len(), "DeviceBuffer::copy_to_host")?;
        // SAFETY: the slice has the buffer's size and is borrowed until the copy is done.
        match unsafe { self.read(stream, target.as_mut_ptr()) } {
            Err(failure) if failure.may_still_write => end_process(),
            done => done.map_err(|failure| failure.error),
        }
    }

    /// The content as a new `Vec`, in the order of `stream` (`cuMemcpyDtoHAsync`,
    /// `cudaMemcpyAsync`): waits for the uses that wrote it and for the stream, nothing else.
    ///
    /// # Errors
    /// Those of the copy, and late ones of earlier work.
    #[track_caller]
    pub fn to_vec<B: Backend>(&self, stream: &Stream<B>) -> Result<Vec<T>, LayerError<B>>
    where
        T: AnyBitPattern,
    {
        let mut content = Vec::new();
        if content.try_reserve_exact(self.len).is_err() {
            let cause = Cause::Overflow { len: self.len, element: size_of::<T>() };
            return Err(LayerError::new("DeviceBuffer::to_vec", cause));
        }
        // SAFETY: the spare room has the buffer's size and lives until the copy is done.
        if let Err(failure) = unsafe { self.read(stream, content.as_mut_ptr()) } {
            if failure.may_still_write {
                content.leak();
            }
            return Err(failure.error);
        }
        // SAFETY: the copy has written all elements, and any bit pattern is one.
        unsafe { content.set_len(self.len) };
        Ok(content)
    }

    /// # Safety
    /// `target` is valid for writes of the buffer's size, until this is back, or for good if the
    /// failure says so.
    #[track_caller]
    unsafe fn read<B: Backend>(&self, stream: &Stream<B>, target: *mut T) -> Result<(), ReadFailure<B>> {
        if self.allocation.pointer == 0 {
            return Ok(());
        }
        order(self, stream, Access::Read)?;
        let core = stream.core();
        let _current = core.enter().map_err(LayerError::retag)?;
        // SAFETY: (caller); the range on the device has this many bytes.
        let copied = unsafe { B::copy_to_host(core, target.cast(), self.allocation.pointer, self.size_bytes()) };
        let marked = self.allocation.enqueued(core).map_err(LayerError::retag);
        let (enqueued, done) = match copied {
            Ok(()) => (true, B::stream_synchronize(core)),
            refused => (false, refused),
        };
        match done {
            Ok(()) => marked.map_err(ReadFailure::from),
            Err(error) => Err(ReadFailure { may_still_write: may_go_on(enqueued, &error, target), error }),
        }
    }
}

/// A read that failed.
struct ReadFailure<B> {
    error: LayerError<B>,
    /// The copy was handed to the driver, and nothing proves that it has ended.
    may_still_write: bool,
}

impl<B> From<LayerError<B>> for ReadFailure<B> {
    fn from(error: LayerError<B>) -> Self {
        Self { error, may_still_write: false }
    }
}

/// Whether a copy that failed may go on using this host memory.
///
/// For memory that is not registered with CUDA the copy call itself returns only when it has let go
/// of it: the driver promises it for reads, and stages writes (measured:
/// `docs/experiments/current_context.md`). Registered memory is used by the device, and after a
/// failure nobody tells until when.
#[cold]
fn may_go_on<B, T>(enqueued: bool, error: &LayerError<B>, memory: *const T) -> bool {
    if !enqueued && error.raw_code().is_none() {
        // Refused before the C function was called.
        return false;
    }
    let mut kind = 0_u32;
    let which = sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
    // SAFETY: `kind` is a place for the attribute's value. It answers after a fault too.
    let code = unsafe { sys::cuPointerGetAttribute((&raw mut kind).cast(), which, memory.addr() as sys::CUdeviceptr) };
    code == sys::CUresult::CUDA_SUCCESS
}

/// Borrowed memory must not be given back while the device may use it, and nothing can prove that
/// it does not. The only abort of this crate: it takes a failed copy *and* a slice of memory that
/// other code registered with CUDA.
#[cold]
fn end_process() -> ! {
    use std::io::Write;
    let _ = writeln!(
        std::io::stderr(),
        "cuda-rt: a copy failed and its registered host memory may still be in use: ending the process"
    );
    std::process::abort()
}
