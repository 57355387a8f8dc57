//! Libraries: code that is loaded into a context when it is first used there.

use std::ffi::{CString, c_void};
use std::sync::Arc;

use cuda_driver_sys as sys;
use cuda_runtime_sys::common;

use super::call::{number as rt_number, rt};
use super::{Kernel, Result, current_context};
use crate::core::retire::Free;
use crate::driver::call::{cu, number};
use crate::error::{Cause, LayerError, Origin};
use crate::image;
use crate::kernel::Code;

/// Code that both layers can launch, in any context (`cudaLibrary_t`, the driver's `CUlibrary`).
/// Kernels keep it loaded.
///
/// libcudart before 12.8 has no functions for libraries; there the driver's are called, on the same
/// kind of object.
#[derive(Clone, Debug)]
pub struct Library(Arc<Code>);

/// # Safety
/// `library` came from `cudaLibraryLoadData`, and nobody uses it any more.
unsafe fn unload(library: *mut c_void) -> u32 {
    // SAFETY: (caller)
    rt_number(unsafe { common::cudaLibraryUnload(library.cast()) })
}

/// # Safety
/// `library` came from `cuLibraryLoadData`, and nobody uses it any more.
unsafe fn unload_by_driver(library: *mut c_void) -> u32 {
    // SAFETY: (caller)
    number(unsafe { sys::cuLibraryUnload(library.cast()) })
}

const UNLOAD: Free = Free { ends_with_context: false, api: "cudaLibraryUnload", origin: Origin::Runtime, call: unload };
const UNLOAD_BY_DRIVER: Free =
    Free { ends_with_context: false, api: "cuLibraryUnload", origin: Origin::Driver, call: unload_by_driver };

impl Library {
    /// `cudaLibraryLoadData` (12.8; before, `cuLibraryLoadData`): takes PTX, a cubin or a fatbin.
    ///
    /// The driver compiles and loads it at the first use; [`Library::kernel`] is one, and reports
    /// an image that does not fit the device or the driver.
    ///
    /// # Errors
    /// [`Cause::Image`] for bytes that are no complete image; otherwise those of the call.
    #[track_caller]
    pub fn load(image: &[u8]) -> Result<Self> {
        let context = current_context()?;
        let image = match image::check(image) {
            Ok(image) => image,
            Err(error) => return Err(LayerError::new("cudaLibraryLoadData", Cause::Image(error))),
        };
        let (none, nones) = (std::ptr::null_mut(), std::ptr::null_mut());
        let mut library: sys::CUlibrary = std::ptr::null_mut();
        let by_runtime = common::symbols::cudaLibraryLoadData.is_present();
        let current = context.enter().map_err(LayerError::retag)?;
        if by_runtime {
            // SAFETY: the image is complete and outlives the call, which copies it; no options.
            unsafe {
                rt!(common::cudaLibraryLoadData(
                    &raw mut library,
                    image.as_ptr(),
                    std::ptr::null_mut(),
                    nones,
                    0,
                    std::ptr::null_mut(),
                    none,
                    0
                ))
            }?;
        } else {
            // SAFETY: as above.
            unsafe {
                cu!(cuLibraryLoadData(
                    &raw mut library,
                    image.as_ptr(),
                    std::ptr::null_mut(),
                    nones,
                    0,
                    std::ptr::null_mut(),
                    none,
                    0
                ))
            }
            .map_err(LayerError::retag)?;
        }
        let free = if by_runtime { UNLOAD } else { UNLOAD_BY_DRIVER };
        // SAFETY: the library was just loaded, with `free` as the partner.
        let code = unsafe { Code::new(library.cast(), context.clone(), free) };
        current.leave().map_err(LayerError::retag)?;
        Ok(Self(Arc::new(code)))
    }

    /// `cudaLibraryGetKernel` (12.8; before, `cuLibraryGetKernel`): the kernel of this name
    /// (mangled, unless it is `extern "C"`), loaded for the device that was current in
    /// [`Library::load`].
    ///
    /// # Errors
    /// [`Cause::NotFound`], with the names that are there where the driver lists them (12.4); 209,
    /// 218 or 222 if the image does not fit the device or the driver.
    #[track_caller]
    pub fn kernel(&self, name: &str) -> Result<Kernel> {
        let missing = |present| Cause::NotFound { name: name.to_owned(), present };
        let Ok(c_name) = CString::new(name) else {
            return Err(LayerError::new("cudaLibraryGetKernel", missing(Vec::new())));
        };
        let context = &self.0.context;
        context.retired.drain(context);
        let current = context.enter().map_err(LayerError::retag)?;
        let mut kernel: sys::CUkernel = std::ptr::null_mut();
        let found = if common::symbols::cudaLibraryGetKernel.is_present() {
            // SAFETY: `kernel` is a place for the handle; the library is loaded.
            unsafe { rt!(common::cudaLibraryGetKernel(&raw mut kernel, self.0.handle.cast(), c_name.as_ptr())) }
        } else {
            // SAFETY: as above.
            unsafe { cu!(cuLibraryGetKernel(&raw mut kernel, self.0.handle.cast(), c_name.as_ptr())) }
                .map_err(LayerError::retag)
        };
        if let Err(error) = found {
            const NOT_FOUND: u32 = 500;
            return Err(match error.raw_code() {
                Some((_, NOT_FOUND)) => error.with_cause(missing(self.kernel_names())),
                _ => error,
            });
        }
        let mut function = std::ptr::null_mut();
        // SAFETY: `function` is a place for the handle; the kernel is one of the library.
        unsafe { cu!(cuKernelGetFunction(&raw mut function, kernel)) }
            .map_err(LayerError::<super::super::driver::Driver>::retag)?;
        let parameters = crate::driver::parameter_sizes(function);
        current.leave().map_err(LayerError::retag)?;
        // SAFETY: the kernel is one of this library, which any context can use.
        Ok(unsafe { Kernel::new(kernel.cast(), name, &self.0, true, parameters) })
    }

    /// `cuLibraryEnumerateKernels` (12.4): the names of its kernels; empty where the driver can't
    /// list them.
    pub fn kernel_names(&self) -> Vec<String> {
        names(self.0.handle.cast()).unwrap_or_default()
    }

    /// The handle, the same in both APIs. Lent: it must not be unloaded.
    pub fn as_raw(&self) -> sys::CUlibrary {
        self.0.handle.cast()
    }
}

fn names(library: sys::CUlibrary) -> crate::driver::Result<Vec<String>> {
    let mut count = 0;
    // SAFETY: `count` is a place for a number; the library is loaded.
    unsafe { cu!(cuLibraryGetKernelCount(&raw mut count, library)) }?;
    let mut kernels = vec![std::ptr::null_mut(); count as usize];
    // SAFETY: the array has room for the number given.
    unsafe { cu!(cuLibraryEnumerateKernels(kernels.as_mut_ptr(), count, library)) }?;
    kernels
        .into_iter()
        .map(|kernel| {
            let mut name = std::ptr::null();
            // SAFETY: `name` is a place for a pointer; the kernel is one of the library.
            unsafe { cu!(cuKernelGetName(&raw mut name, kernel)) }?;
            // SAFETY: the driver gave a terminated text that lives as long as the library.
            Ok(unsafe { std::ffi::CStr::from_ptr(name) }.to_string_lossy().into_owned())
        })
        .collect()
}
