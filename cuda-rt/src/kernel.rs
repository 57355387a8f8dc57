//! Kernels, of either layer, and the code that they keep loaded.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::core::context::ContextCore;
use crate::core::record::UseRecord;
use crate::core::retire::{Free, Retired};
use crate::core::stream::StreamCore;
use crate::core::uses::Access;
use crate::driver::Driver;
use crate::driver::call::{CoreError, CoreResult};
use crate::error::{ArgumentProblem, Cause, LayerError};
use crate::runtime::Runtime;
use crate::{health, teardown};

/// Loaded code. Unloaded when the last kernel and module are gone *and* no launch is pending.
pub(crate) struct Code {
    pub(crate) handle: *mut c_void,
    pub(crate) context: Arc<ContextCore>,
    free: Free,
    record: UseRecord,
}

// SAFETY: a module or library handle may be used from any thread.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl Code {
    /// # Safety
    /// `handle` was just loaded, with `free` as the partner, and nobody else unloads it.
    pub(crate) unsafe fn new(handle: *mut c_void, context: Arc<ContextCore>, free: Free) -> Self {
        Self { handle, context, free, record: UseRecord::new() }
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        if !health::is_well() {
            return;
        }
        match self.record.points(&self.context) {
            Ok(after) => {
                self.context.retired.push(Retired { handle: self.handle, free: self.free, after });
            }
            Err(error) => {
                teardown::report_error(&error, "code stays loaded: its last launch could not be ordered");
            }
        }
    }
}

struct Shared {
    /// `CUfunction`, or `CUkernel` (which is `cudaKernel_t`).
    raw: *mut c_void,
    /// Where it can be launched; `None` is any context.
    bound_to: Option<u64>,
    parameters: Option<Vec<usize>>,
    name: String,
    code: Arc<Code>,
}

// SAFETY: a kernel handle may be used from any thread; the rest is Send.
unsafe impl Send for Shared {}
// SAFETY: as above; nothing in it changes.
unsafe impl Sync for Shared {}

/// A kernel of layer `B`, with the code that it belongs to. Cloning gives another handle.
///
/// Made by [`driver::Module::kernel`](crate::driver::Module::kernel) and
/// [`runtime::Library::kernel`](crate::runtime::Library::kernel). A driver function can't be given
/// to the runtime, so these are different types.
pub struct Kernel<B> {
    shared: Arc<Shared>,
    layer: PhantomData<fn() -> B>,
}

impl<B> Clone for Kernel<B> {
    fn clone(&self) -> Self {
        Self { shared: self.shared.clone(), layer: PhantomData }
    }
}

impl<B> fmt::Debug for Kernel<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernel")
            .field("name", &self.shared.name)
            .field("raw", &self.shared.raw)
            .field("parameter_sizes", &self.shared.parameters)
            .finish()
    }
}

impl Kernel<Runtime> {
    /// The same kernel for streams of the driver layer, which takes kernels of libraries too.
    pub fn as_driver(&self) -> Kernel<Driver> {
        self.retyped()
    }
}

impl<B> Kernel<B> {
    /// # Safety
    /// `raw` is a kernel of `code` that layer `B` can launch, in any context if `any_context`.
    pub(crate) unsafe fn new(
        raw: *mut c_void,
        name: &str,
        code: &Arc<Code>,
        any_context: bool,
        parameters: Option<Vec<usize>>,
    ) -> Self {
        let bound_to = (!any_context).then_some(code.context.id);
        let shared = Shared { raw, bound_to, parameters, name: name.to_owned(), code: code.clone() };
        Self { shared: Arc::new(shared), layer: PhantomData }
    }

    pub(crate) fn retyped<C>(&self) -> Kernel<C> {
        Kernel { shared: self.shared.clone(), layer: PhantomData }
    }

    /// The name it was asked for by.
    pub fn name(&self) -> &str {
        &self.shared.name
    }

    /// Sizes of its parameters in bytes, if the driver tells them (12.4): compared with the
    /// arguments of every launch.
    pub fn parameter_sizes(&self) -> Option<&[usize]> {
        self.shared.parameters.as_deref()
    }

    /// The handle: `CUfunction` from a module, `CUkernel` (`cudaKernel_t`) from a library. Lent.
    pub fn as_raw(&self) -> *mut c_void {
        self.shared.raw
    }

    pub(crate) fn raw(&self) -> *mut c_void {
        self.shared.raw
    }

    /// Notes a launch by `stream`, so that the code stays loaded until it is done.
    #[inline]
    #[track_caller]
    pub(crate) fn order(&self, stream: &Arc<StreamCore>) -> CoreResult<()> {
        let code = &self.shared.code;
        if self.shared.bound_to.is_some_and(|id| id != stream.context.id) {
            return Err(CoreError::new("Stream::launch", Cause::OtherContext { what: "kernel" }));
        }
        if code.record.is_ordered(stream, Access::Read) {
            Ok(())
        } else {
            code.record.order(None, stream, Access::Read)
        }
    }

    #[cold]
    #[track_caller]
    pub(crate) fn enqueued(&self, stream: &Arc<StreamCore>) -> CoreResult<()> {
        self.shared.code.record.mark(None, stream)
    }

    #[cold]
    #[track_caller]
    pub(crate) fn misfit<L>(&self, problem: ArgumentProblem) -> LayerError<L> {
        LayerError::new("Stream::launch", Cause::Arguments { kernel: self.shared.name.clone(), problem })
    }
}
