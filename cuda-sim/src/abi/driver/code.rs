//! Modules, libraries, kernels, launches.

use std::ffi::{c_char, c_int, c_uint, c_void};

use cuda_driver_sys as sys;
use cuda_driver_sys::{CUfunction, CUjit_option, CUkernel, CUlibrary, CUmodule, CUresult, CUstream};

use crate::abi::{Pointer, functions};
use crate::code::{Refusal, text_of};
use crate::handles::{Kind, pointer};
use crate::ops::Geometry;
use crate::sim::{Outcome, codes};

/// Text of an image that a caller gave.
fn read(image: *const c_void) -> Result<String, Refusal> {
    // SAFETY: the contract of the functions that take images.
    unsafe { text_of(image.cast()) }
}

/// Writes the compiler's words where the caller wants them.
fn write_log(log: &str, count: c_uint, options: &Pointer<CUjit_option>, values: &Pointer<*mut c_void>) {
    let (mut buffer, mut size) = (std::ptr::null_mut::<c_char>(), 0_usize);
    if options.raw().is_null() || values.raw().is_null() {
        return;
    }
    for i in 0..count as usize {
        // SAFETY: both arrays have `count` elements by the contract of the function.
        let option = unsafe { options.raw().wrapping_add(i).read() };
        // SAFETY: as above.
        let value = unsafe { values.raw().wrapping_add(i).read() };
        match option {
            CUjit_option::CU_JIT_ERROR_LOG_BUFFER => buffer = value.cast(),
            CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES => size = value.addr(),
            _ => {}
        }
    }
    if !buffer.is_null() {
        let _ = Pointer(buffer).put_text(log, i32::try_from(size).unwrap_or(i32::MAX));
    }
}

fn geometry(grid: [u32; 3], block: [u32; 3], shared: u32) -> Geometry {
    Geometry { grid, block, shared }
}

functions! { Driver, sys::symbols, CUresult;
    fn cuModuleLoadData(module: *mut CUmodule, image: *const c_void) |sim| {
        let context = sim.current()?;
        let text = read(image.raw()).map_err(|refusal| refusal.code)?;
        let handle = sim.load_module(context, &text).map_err(|refusal| refusal.code)?;
        module.put(pointer(handle))
    }
    fn cuModuleLoadDataEx(module: *mut CUmodule, image: *const c_void, count: c_uint, options: *mut CUjit_option, values: *mut *mut c_void) |sim| {
        let context = sim.current()?;
        let loaded = read(image.raw()).and_then(|text| sim.load_module(context, &text));
        match loaded {
            Ok(handle) => module.put(pointer(handle)),
            Err(refusal) => {
                write_log(&refusal.log, count, &options, &values);
                Err(refusal.code)
            }
        }
    }
    fn cuModuleUnload(module: CUmodule) |sim| { sim.unload(Kind::Module, module.handle()) }
    fn cuModuleGetFunction(function: *mut CUfunction, module: CUmodule, name: *const c_char) |sim| {
        let handle = sim.module_function(module.handle(), &name.text()?)?;
        function.put(pointer(handle))
    }
    fn cuModuleGetGlobal_v2(address: *mut sys::CUdeviceptr, bytes: *mut usize, module: CUmodule, name: *const c_char) |sim| {
        let image = sim.object(Kind::Module, module.handle())?;
        let context = sim.images[image].context.ok_or(codes::INVALID_HANDLE)?;
        let (base, size) = sim.variable(image, context, &name.text()?)?;
        address.put_if_wanted(base);
        bytes.put_if_wanted(size);
        Ok(())
    }
    fn cuModuleGetFunctionCount(count: *mut c_uint, module: CUmodule) |sim| {
        let names = sim.kernel_names(Kind::Module, module.handle())?;
        count.put(c_uint::try_from(names.len()).unwrap_or(0))
    }
    fn cuModuleEnumerateFunctions(functions: *mut CUfunction, count: c_uint, module: CUmodule) |sim| {
        let names = sim.kernel_names(Kind::Module, module.handle())?;
        for (i, name) in names.iter().take(count as usize).enumerate() {
            let handle = sim.module_function(module.handle(), name)?;
            functions.put_at(i, pointer(handle))?;
        }
        Ok(())
    }
    fn cuFuncGetName(name: *mut *const c_char, function: CUfunction) |sim| {
        let function = sim.object(Kind::Function, function.handle())?;
        name.put(sim.functions[function].name.as_ptr())
    }
    fn cuFuncGetModule(module: *mut CUmodule, function: CUfunction) |sim| {
        let function = sim.object(Kind::Function, function.handle())?;
        module.put(pointer(sim.images[sim.functions[function].image].handle))
    }
    fn cuFuncGetParamInfo(function: CUfunction, index: usize, offset: *mut usize, size: *mut usize) |sim| {
        let function = sim.object(Kind::Function, function.handle())?;
        let (image, kernel) = (sim.functions[function].image, sim.functions[function].kernel.clone());
        let parameter = sim.parameter(image, &kernel, index)?;
        offset.put(parameter.0)?;
        size.put_if_wanted(parameter.1);
        Ok(())
    }
    fn cuFuncGetAttribute(value: *mut c_int, attribute: sys::CUfunction_attribute, function: CUfunction) |sim| {
        let function = sim.object(Kind::Function, function.handle())?;
        match attribute {
            sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK => value.put(1024),
            sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES => value.put(sim.functions[function].shared_limit),
            _ => value.put(0),
        }
    }
    fn cuFuncSetAttribute(function: CUfunction, attribute: sys::CUfunction_attribute, value: c_int) |sim| {
        let function = sim.object(Kind::Function, function.handle())?;
        if attribute == sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES {
            sim.functions[function].shared_limit = value;
        }
        Ok(())
    }
    fn cuLibraryLoadData(library: *mut CUlibrary, image: *const c_void, _jit: *mut CUjit_option, _jit_values: *mut *mut c_void, _jit_count: c_uint, _options: *mut sys::CUlibraryOption, _values: *mut *mut c_void, _count: c_uint) |sim| {
        let text = read(image.raw()).map_err(|refusal| refusal.code)?;
        let handle = sim.load_library(&text);
        library.put(pointer(handle))
    }
    fn cuLibraryUnload(library: CUlibrary) |sim| { sim.unload(Kind::Library, library.handle()) }
    fn cuLibraryGetKernel(kernel: *mut CUkernel, library: CUlibrary, name: *const c_char) |sim| {
        let handle = sim.library_kernel(library.handle(), &name.text()?)?;
        kernel.put(pointer(handle))
    }
    fn cuLibraryGetKernelCount(count: *mut c_uint, library: CUlibrary) |sim| {
        let names = sim.kernel_names(Kind::Library, library.handle())?;
        count.put(c_uint::try_from(names.len()).unwrap_or(0))
    }
    fn cuLibraryEnumerateKernels(kernels: *mut CUkernel, count: c_uint, library: CUlibrary) |sim| {
        let names = sim.kernel_names(Kind::Library, library.handle())?;
        for (i, name) in names.iter().take(count as usize).enumerate() {
            let handle = sim.library_kernel(library.handle(), name)?;
            kernels.put_at(i, pointer(handle))?;
        }
        Ok(())
    }
    fn cuKernelGetName(name: *mut *const c_char, kernel: CUkernel) |sim| {
        let kernel = sim.object(Kind::Kernel, kernel.handle())?;
        name.put(sim.kernels[kernel].name.as_ptr())
    }
    fn cuKernelGetLibrary(library: *mut CUlibrary, kernel: CUkernel) |sim| {
        let kernel = sim.object(Kind::Kernel, kernel.handle())?;
        library.put(pointer(sim.images[sim.kernels[kernel].image].handle))
    }
    fn cuKernelGetFunction(function: *mut CUfunction, kernel: CUkernel) |sim| {
        let context = sim.current()?;
        let handle = sim.kernel_function(kernel.handle(), context)?;
        function.put(pointer(handle))
    }
    fn cuKernelGetParamInfo(kernel: CUkernel, index: usize, offset: *mut usize, size: *mut usize) |sim| {
        sim.current()?;
        let kernel = sim.object(Kind::Kernel, kernel.handle())?;
        let (image, name) = (sim.kernels[kernel].image, sim.kernels[kernel].kernel.clone());
        let parameter = sim.parameter(image, &name, index)?;
        offset.put(parameter.0)?;
        size.put_if_wanted(parameter.1);
        Ok(())
    }
    fn cuLaunchKernel(function: CUfunction, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint, block_x: c_uint, block_y: c_uint, block_z: c_uint, shared: c_uint, stream: CUstream, parameters: *mut *mut c_void, extra: *mut *mut c_void) |sim| {
        let stream = sim.stream(stream.handle())?;
        let geometry = geometry([grid_x, grid_y, grid_z], [block_x, block_y, block_z], shared);
        // SAFETY: the contract of the C function.
        unsafe { sim.launch(function.handle(), stream, &geometry, parameters.raw(), extra.raw()) }
    }
    fn cuLaunchKernelEx(config: *const sys::CUlaunchConfig, function: CUfunction, parameters: *mut *mut c_void, extra: *mut *mut c_void) |sim| {
        let config = read_config(config.raw())?;
        let stream = sim.stream(config.hStream.expose_provenance())?;
        let grid = [config.gridDimX, config.gridDimY, config.gridDimZ];
        let geometry = geometry(grid, [config.blockDimX, config.blockDimY, config.blockDimZ], config.sharedMemBytes);
        // SAFETY: the contract of the C function.
        unsafe { sim.launch(function.handle(), stream, &geometry, parameters.raw(), extra.raw()) }
    }
}

fn read_config(config: *const sys::CUlaunchConfig) -> Outcome<sys::CUlaunchConfig> {
    if config.is_null() {
        return Err(codes::INVALID_VALUE);
    }
    // SAFETY: not null, so valid by the contract of the C function.
    Ok(unsafe { config.read() })
}
