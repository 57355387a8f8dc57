//! Libraries, kernels, launches.

use std::ffi::{c_char, c_uint, c_void};

use cuda_runtime_sys::v13::{
    cudaError_t, cudaJitOption, cudaKernel_t, cudaLaunchConfig_t, cudaLibrary_t, cudaLibraryOption, cudaStream_t, dim3,
};

use crate::abi::functions;
use crate::code::text_of;
use crate::handles::{Kind, pointer};
use crate::ops::Geometry;
use crate::sim::{Outcome, Sim, codes};

/// Since when libcudart launches a library's kernels, and since when in any context.
const LAUNCHES_LIBRARIES: u32 = 12_080;
const LAUNCHES_ANYWHERE: u32 = 13_000;

impl Sim {
    /// A launch by the runtime.
    ///
    /// # Safety
    /// As for [`Sim::launch`].
    unsafe fn runtime_launch(
        &mut self,
        kernel: usize,
        stream: usize,
        geometry: &Geometry,
        arguments: *mut *mut c_void,
    ) -> Outcome<()> {
        let version = self.config.runtime;
        let stream = self.runtime_stream(stream)?;
        if version < LAUNCHES_LIBRARIES || kernel == 0 {
            return Err(codes::INVALID_DEVICE_FUNCTION);
        }
        let context = self.runtime_context()?;
        let is_function = self.handles.find(Kind::Function, kernel).is_ok();
        if version < LAUNCHES_ANYWHERE && (is_function || self.streams[stream].context != context) {
            return Err(codes::INVALID_HANDLE);
        }
        // SAFETY: (caller)
        let launched = unsafe { self.launch(kernel, stream, geometry, arguments, std::ptr::null_mut()) };
        let old = version < LAUNCHES_ANYWHERE && !geometry.is_possible();
        launched.map_err(|code| if code == codes::INVALID_VALUE && old { codes::INVALID_CONFIGURATION } else { code })
    }
}

fn size(size: dim3) -> [u32; 3] {
    [size.x, size.y, size.z]
}

functions! { Runtime, cuda_runtime_sys::common::symbols, cudaError_t;
    fn cudaLibraryLoadData(library: *mut cudaLibrary_t, image: *const c_void, _jit: *mut cudaJitOption, _jit_values: *mut *mut c_void, _jit_count: c_uint, _options: *mut cudaLibraryOption, _values: *mut *mut c_void, _count: c_uint) |sim| {
        sim.runtime_context()?;
        // SAFETY: the contract of the C function.
        let text = unsafe { text_of(image.raw().cast()) }.map_err(|refusal| refusal.code)?;
        let handle = sim.load_library(&text);
        library.put(pointer(handle))
    }
    fn cudaLibraryUnload(library: cudaLibrary_t) |sim| { sim.unload(Kind::Library, library.handle()) }
    fn cudaLibraryGetKernel(kernel: *mut cudaKernel_t, library: cudaLibrary_t, name: *const c_char) |sim| {
        let handle = sim.library_kernel(library.handle(), &name.text()?)?;
        kernel.put(pointer(handle))
    }
    fn cudaLaunchKernelExC(config: *const cudaLaunchConfig_t, kernel: *const c_void, arguments: *mut *mut c_void) |sim| {
        if config.raw().is_null() {
            return Err(codes::INVALID_VALUE);
        }
        // SAFETY: not null, so valid by the contract of the C function.
        let config = unsafe { config.raw().read() };
        let shared = u32::try_from(config.dynamicSmemBytes).unwrap_or(u32::MAX);
        let geometry = Geometry { grid: size(config.gridDim), block: size(config.blockDim), shared };
        // SAFETY: the contract of the C function.
        unsafe { sim.runtime_launch(kernel.raw().expose_provenance(), config.stream.expose_provenance(), &geometry, arguments.raw()) }
    }
    fn cudaLaunchKernel(kernel: *const c_void, grid: dim3, block: dim3, arguments: *mut *mut c_void, shared: usize, stream: cudaStream_t) |sim| {
        let geometry = Geometry { grid: size(grid), block: size(block), shared: u32::try_from(shared).unwrap_or(u32::MAX) };
        // SAFETY: the contract of the C function.
        unsafe { sim.runtime_launch(kernel.raw().expose_provenance(), stream.handle(), &geometry, arguments.raw()) }
    }
}
