//! Memory: allocated, copied, filled, asked about.

use std::ffi::{c_uchar, c_uint, c_ushort, c_void};

use cuda_driver_sys as sys;
use cuda_driver_sys::{CUcontext, CUdeviceptr, CUresult, CUstream};

use crate::abi::functions;
use crate::handles::pointer;
use crate::memory::{Origin, State};
use crate::ops::{Releaser, Way};
use crate::sim::codes;

/// A host address as C gives it.
fn host<T>(address: u64) -> *mut T {
    std::ptr::with_exposed_provenance_mut(usize::try_from(address).unwrap_or(0))
}

functions! { Driver, sys::symbols, CUresult;
    fn cuMemAlloc_v2(address: *mut CUdeviceptr, bytes: usize) |sim| {
        let context = sim.current()?;
        let base = sim.allocate(context, bytes)?;
        address.put(base)
    }
    fn cuMemFree_v2(address: CUdeviceptr) |sim| { sim.free_now(address, Releaser::Free) }
    fn cuMemAllocAsync(address: *mut CUdeviceptr, bytes: usize, stream: CUstream) |sim| {
        let stream = sim.stream(stream.handle())?;
        let base = sim.allocate_async(stream, bytes)?;
        address.put(base)
    }
    fn cuMemFreeAsync(address: CUdeviceptr, stream: CUstream) |sim| {
        let stream = sim.stream(stream.handle())?;
        sim.free_async(address, stream)
    }
    fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) |sim| {
        let context = sim.current()?;
        let (used, all) = sim.memory.usage(sim.contexts[context].device);
        free.put(all - used)?;
        total.put(all)
    }
    fn cuMemAllocHost_v2(address: *mut *mut c_void, bytes: usize) |sim| {
        let context = sim.current()?;
        let base = sim.pin(context, bytes)?;
        address.put(host(base))
    }
    fn cuMemHostAlloc(address: *mut *mut c_void, bytes: usize, _flags: c_uint) |sim| {
        let context = sim.current()?;
        let base = sim.pin(context, bytes)?;
        address.put(host(base))
    }
    fn cuMemFreeHost(address: *mut c_void) |sim| { sim.free_now(address.handle() as u64, Releaser::FreeHost) }
    fn cuMemHostRegister_v2(address: *mut c_void, bytes: usize, _flags: c_uint) |sim| {
        let context = sim.current()?;
        sim.register(context, address.handle(), bytes)
    }
    fn cuMemHostUnregister(address: *mut c_void) |sim| { sim.free_now(address.handle() as u64, Releaser::Unregister) }
    fn cuMemHostGetDevicePointer_v2(device: *mut CUdeviceptr, address: *mut c_void, _flags: c_uint) |sim| {
        let address = address.handle() as u64;
        let known = sim.memory.at(address).is_some_and(|region| region.origin.is_host() && region.has_content());
        if known { device.put(address) } else { Err(codes::INVALID_VALUE) }
    }
    fn cuMemcpyHtoD_v2(to: CUdeviceptr, from: *const c_void, bytes: usize) |sim| {
        let context = sim.current()?;
        sim.copy_blocking(context, Way::Up, to, from.raw().expose_provenance() as u64, bytes)
    }
    fn cuMemcpyDtoH_v2(to: *mut c_void, from: CUdeviceptr, bytes: usize) |sim| {
        let context = sim.current()?;
        sim.copy_blocking(context, Way::Down, to.handle() as u64, from, bytes)
    }
    fn cuMemcpyDtoD_v2(to: CUdeviceptr, from: CUdeviceptr, bytes: usize) |sim| {
        let context = sim.current()?;
        sim.copy_blocking(context, Way::OnDevice, to, from, bytes)
    }
    fn cuMemcpy(to: CUdeviceptr, from: CUdeviceptr, bytes: usize) |sim| {
        let context = sim.current()?;
        sim.copy_blocking(context, Way::Any, to, from, bytes)
    }
    fn cuMemcpyHtoDAsync_v2(to: CUdeviceptr, from: *const c_void, bytes: usize, stream: CUstream) |sim| {
        let stream = sim.stream(stream.handle())?;
        sim.copy(stream, Way::Up, to, from.raw().expose_provenance() as u64, bytes)
    }
    fn cuMemcpyDtoHAsync_v2(to: *mut c_void, from: CUdeviceptr, bytes: usize, stream: CUstream) |sim| {
        let stream = sim.stream(stream.handle())?;
        sim.copy(stream, Way::Down, to.handle() as u64, from, bytes)
    }
    fn cuMemcpyDtoDAsync_v2(to: CUdeviceptr, from: CUdeviceptr, bytes: usize, stream: CUstream) |sim| {
        let stream = sim.stream(stream.handle())?;
        sim.copy(stream, Way::OnDevice, to, from, bytes)
    }
    fn cuMemcpyAsync(to: CUdeviceptr, from: CUdeviceptr, bytes: usize, stream: CUstream) |sim| {
        let stream = sim.stream(stream.handle())?;
        sim.copy(stream, Way::Any, to, from, bytes)
    }
    fn cuMemcpyPeerAsync(to: CUdeviceptr, _to_context: CUcontext, from: CUdeviceptr, _from_context: CUcontext, bytes: usize, stream: CUstream) |sim| {
        let stream = sim.stream(stream.handle())?;
        sim.copy(stream, Way::OnDevice, to, from, bytes)
    }
    fn cuMemsetD8_v2(to: CUdeviceptr, value: c_uchar, times: usize) |sim| {
        let context = sim.current()?;
        let stream = sim.default_stream(context, false);
        sim.fill(stream, to, &[value], times)
    }
    fn cuMemsetD16_v2(to: CUdeviceptr, value: c_ushort, times: usize) |sim| {
        let context = sim.current()?;
        let stream = sim.default_stream(context, false);
        sim.fill(stream, to, &value.to_ne_bytes(), times)
    }
    fn cuMemsetD32_v2(to: CUdeviceptr, value: c_uint, times: usize) |sim| {
        let context = sim.current()?;
        let stream = sim.default_stream(context, false);
        sim.fill(stream, to, &value.to_ne_bytes(), times)
    }
    fn cuMemsetD8Async(to: CUdeviceptr, value: c_uchar, times: usize, stream: CUstream) |sim| {
        let stream = sim.stream(stream.handle())?;
        sim.fill(stream, to, &[value], times)
    }
    fn cuMemsetD16Async(to: CUdeviceptr, value: c_ushort, times: usize, stream: CUstream) |sim| {
        let stream = sim.stream(stream.handle())?;
        sim.fill(stream, to, &value.to_ne_bytes(), times)
    }
    fn cuMemsetD32Async(to: CUdeviceptr, value: c_uint, times: usize, stream: CUstream) |sim| {
        let stream = sim.stream(stream.handle())?;
        sim.fill(stream, to, &value.to_ne_bytes(), times)
    }
    fn cuPointerGetAttribute(data: *mut c_void, attribute: sys::CUpointer_attribute, address: CUdeviceptr) |sim| {
        let region = sim.memory.at(address).filter(|region| !matches!(region.state, State::Freed(_)));
        let Some(region) = region else { return Err(codes::INVALID_VALUE) };
        let (base, size, is_host) = (region.base, region.size, region.origin.is_host());
        match attribute {
            sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE => {
                // 1 is host memory, 2 device memory.
                super::super::Pointer(data.raw().cast::<c_uint>()).put(if is_host { 1 } else { 2 })
            }
            sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_CONTEXT => {
                // Stream-ordered memory has no context.
                let handle = if region.origin == Origin::Pool { 0 } else { sim.contexts[region.context].handle };
                super::super::Pointer(data.raw().cast::<CUcontext>()).put(pointer(handle))
            }
            sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL => {
                let ordinal = i32::try_from(region.device).unwrap_or(0);
                super::super::Pointer(data.raw().cast::<i32>()).put(ordinal)
            }
            sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR => super::super::Pointer(data.raw().cast::<u64>()).put(base),
            sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_RANGE_SIZE => super::super::Pointer(data.raw().cast::<usize>()).put(size),
            _ => Err(codes::NOT_SUPPORTED),
        }
    }
}
