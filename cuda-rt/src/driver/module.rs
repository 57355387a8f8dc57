//! Modules: code loaded into one context.

use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::Arc;

use cuda_driver_sys as sys;

use super::call::{CoreError, CoreResult, cu, number};
use super::{Context, Kernel, Result};
use crate::core::retire::Free;
use crate::error::{Cause, Origin};
use crate::image::{self, ImageKind};
use crate::kernel::Code;

/// Code loaded into a context (`CUmodule`). Kernels keep it loaded.
#[derive(Clone, Debug)]
pub struct Module(Arc<Code>);

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Code").field("handle", &self.handle).field("context", &self.context).finish()
    }
}

/// # Safety
/// `module` is a module that nobody uses any more; its context is current.
unsafe fn unload(module: *mut c_void) -> u32 {
    // SAFETY: (caller)
    number(unsafe { sys::cuModuleUnload(module.cast()) })
}

const UNLOAD: Free = Free { ends_with_context: true, api: "cuModuleUnload", origin: Origin::Driver, call: unload };

/// Room for what the driver's PTX compiler says, in bytes.
const LOG_BYTES: usize = 8 << 10;

impl Module {
    /// `cuModuleLoadDataEx`: loads PTX (compiled now), a cubin or a fatbin. Waits for kernels that
    /// run in the context, as the driver does.
    ///
    /// The bounds of the image are checked; that its content is well-formed, and what its code does
    /// when launched, is not: load what you would link.
    ///
    /// # Errors
    /// [`Cause::Image`] for bytes that are no complete image; 209 if the image has no code for the
    /// device, 218 and 222 for PTX that the driver can't compile, with the compiler's log.
    #[track_caller]
    pub fn load(context: &Context, image: &[u8]) -> Result<Self> {
        let core = context.core();
        core.retired.drain(core);
        let image = match image::check(image) {
            Ok(image) => image,
            Err(error) => return Err(CoreError::new("cuModuleLoadDataEx", Cause::Image(error))),
        };
        let current = core.enter()?;
        let mut module: sys::CUmodule = std::ptr::null_mut();
        if image.kind == ImageKind::Cubin {
            // Nothing to compile, nothing to log.
            // SAFETY: the image is complete and outlives the call; the context is current.
            unsafe { cu!(cuModuleLoadData(&raw mut module, image.as_ptr())) }?;
        } else {
            load_with_log(&mut module, &image)?;
        }
        // SAFETY: the module was just loaded.
        let code = unsafe { Code::new(module.cast(), core.clone(), UNLOAD) };
        current.leave()?;
        Ok(Self(Arc::new(code)))
    }

    /// `cuModuleGetFunction`: the kernel of this name (mangled, unless it is `extern "C"`).
    ///
    /// # Errors
    /// [`Cause::NotFound`], with the names that are there where the driver lists them (12.4).
    #[track_caller]
    pub fn kernel(&self, name: &str) -> Result<Kernel> {
        let missing = |present| Cause::NotFound { name: name.to_owned(), present };
        let Ok(c_name) = CString::new(name) else {
            return Err(CoreError::new("cuModuleGetFunction", missing(Vec::new())));
        };
        let current = self.0.context.enter()?;
        let mut function = std::ptr::null_mut();
        // SAFETY: `function` is a place for the handle; the module is loaded.
        let found = unsafe { cu!(cuModuleGetFunction(&raw mut function, self.0.handle.cast(), c_name.as_ptr())) };
        if let Err(error) = found {
            const NOT_FOUND: u32 = 500;
            return Err(match error.raw_code() {
                Some((_, NOT_FOUND)) => error.with_cause(missing(self.kernel_names())),
                _ => error,
            });
        }
        let parameters = parameter_sizes(function);
        current.leave()?;
        // SAFETY: the function is one of this module, which is bound to its context.
        Ok(unsafe { Kernel::new(function.cast(), name, &self.0, false, parameters) })
    }

    /// `cuModuleEnumerateFunctions` (12.4): the names of its kernels; empty where the driver can't
    /// list them.
    pub fn kernel_names(&self) -> Vec<String> {
        names(self.0.handle.cast()).unwrap_or_default()
    }

    /// The handle. Lent: it must not be unloaded.
    pub fn as_raw(&self) -> sys::CUmodule {
        self.0.handle.cast()
    }
}

/// Loads, and adds the compiler's words to a failure.
#[track_caller]
fn load_with_log(module: &mut sys::CUmodule, image: &image::Checked<'_>) -> CoreResult<()> {
    let mut log = vec![0_u8; LOG_BYTES];
    let mut options =
        [sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER, sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
    // The size travels in the pointer's place.
    let mut values = [log.as_mut_ptr().cast::<c_void>(), std::ptr::without_provenance_mut(LOG_BYTES - 1)];
    // SAFETY: the image is complete; options and values are arrays of two that outlive the call,
    // and the log has room for the size given.
    let loaded =
        unsafe { cu!(cuModuleLoadDataEx(module, image.as_ptr(), 2, options.as_mut_ptr(), values.as_mut_ptr())) };
    loaded.map_err(|error| {
        let text = CStr::from_bytes_until_nul(&log).map(CStr::to_string_lossy).unwrap_or_default();
        let text = text.trim();
        if text.is_empty() { error } else { error.with_detail(text.to_owned()) }
    })
}

/// `cuFuncGetParamInfo` (12.4) up to the first index that it refuses, which is the count.
pub(crate) fn parameter_sizes(function: sys::CUfunction) -> Option<Vec<usize>> {
    let info = sys::symbols::cuFuncGetParamInfo.get().ok()?;
    let mut sizes = Vec::new();
    loop {
        let (mut offset, mut size) = (0, 0);
        // SAFETY: both are places for a size; the function is loaded.
        let code = unsafe { info(function, sizes.len(), &raw mut offset, &raw mut size) };
        match code {
            sys::CUresult::CUDA_SUCCESS => sizes.push(size),
            sys::CUresult::CUDA_ERROR_INVALID_VALUE => return Some(sizes),
            _ => return None,
        }
    }
}

fn names(module: sys::CUmodule) -> CoreResult<Vec<String>> {
    let mut count = 0;
    // SAFETY: `count` is a place for a number; the module is loaded.
    unsafe { cu!(cuModuleGetFunctionCount(&raw mut count, module)) }?;
    let mut functions = vec![std::ptr::null_mut(); count as usize];
    // SAFETY: the array has room for the number given.
    unsafe { cu!(cuModuleEnumerateFunctions(functions.as_mut_ptr(), count, module)) }?;
    functions
        .into_iter()
        .map(|function| {
            let mut name: *const c_char = std::ptr::null();
            // SAFETY: `name` is a place for a pointer; the function is one of the module.
            unsafe { cu!(cuFuncGetName(&raw mut name, function)) }?;
            // SAFETY: the driver gave a terminated text that lives as long as the module.
            Ok(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
        })
        .collect()
}
