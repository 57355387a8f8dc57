//! Memory.

use std::ffi::{c_int, c_uint, c_void};

use cuda_runtime_sys::v13::{cudaError_t, cudaMemcpyKind, cudaStream_t};

use crate::abi::functions;
use crate::ops::{Releaser, Way};

/// An address as C gives it.
fn address(base: u64) -> *mut c_void {
    std::ptr::with_exposed_provenance_mut(usize::try_from(base).unwrap_or(0))
}

/// The byte that a fill takes of its argument.
fn byte(value: c_int) -> [u8; 1] {
    [value.to_le_bytes()[0]]
}

functions! { Runtime, cuda_runtime_sys::common::symbols, cudaError_t;
    fn cudaMalloc(place: *mut *mut c_void, bytes: usize) |sim| {
        let context = sim.runtime_current()?;
        if bytes == 0 {
            return place.put(std::ptr::null_mut());
        }
        let base = sim.allocate(context, bytes)?;
        place.put(address(base))
    }
    fn cudaFree(memory: *mut c_void) |sim| {
        sim.runtime_current()?;
        sim.free_now(memory.handle() as u64, Releaser::Free)
    }
    fn cudaMallocAsync(place: *mut *mut c_void, bytes: usize, stream: cudaStream_t) |sim| {
        let context = sim.runtime_context()?;
        let stream = sim.stream_in(context, stream.handle())?;
        if bytes == 0 {
            return place.put(std::ptr::null_mut());
        }
        let base = sim.allocate_async(stream, bytes)?;
        place.put(address(base))
    }
    fn cudaFreeAsync(memory: *mut c_void, stream: cudaStream_t) |sim| {
        let context = sim.runtime_context()?;
        let stream = sim.stream_in(context, stream.handle())?;
        sim.free_async(memory.handle() as u64, stream)
    }
    fn cudaMemGetInfo(free: *mut usize, total: *mut usize) |sim| {
        let context = sim.runtime_current()?;
        let (used, all) = sim.memory.usage(sim.contexts[context].device);
        free.put(all - used)?;
        total.put(all)
    }
    fn cudaMemcpy(to: *mut c_void, from: *const c_void, bytes: usize, kind: cudaMemcpyKind) |sim| {
        let context = sim.runtime_current()?;
        let way = Way::of_kind(crate::abi::enum_number(kind.0))?;
        sim.copy_blocking(context, way, to.handle() as u64, from.raw().expose_provenance() as u64, bytes)
    }
    fn cudaMemcpyAsync(to: *mut c_void, from: *const c_void, bytes: usize, kind: cudaMemcpyKind, stream: cudaStream_t) |sim| {
        let stream = sim.runtime_stream(stream.handle())?;
        let way = Way::of_kind(crate::abi::enum_number(kind.0))?;
        sim.copy(stream, way, to.handle() as u64, from.raw().expose_provenance() as u64, bytes)
    }
    fn cudaMemset(to: *mut c_void, value: c_int, bytes: usize) |sim| {
        let context = sim.runtime_current()?;
        let stream = sim.default_stream(context, false);
        sim.fill(stream, to.handle() as u64, &byte(value), bytes)
    }
    fn cudaMemsetAsync(to: *mut c_void, value: c_int, bytes: usize, stream: cudaStream_t) |sim| {
        let stream = sim.runtime_stream(stream.handle())?;
        sim.fill(stream, to.handle() as u64, &byte(value), bytes)
    }
    fn cudaMallocHost(place: *mut *mut c_void, bytes: usize) |sim| {
        let context = sim.runtime_current()?;
        let base = sim.pin(context, bytes)?;
        place.put(address(base))
    }
    fn cudaHostAlloc(place: *mut *mut c_void, bytes: usize, _flags: c_uint) |sim| {
        let context = sim.runtime_current()?;
        let base = sim.pin(context, bytes)?;
        place.put(address(base))
    }
    fn cudaFreeHost(memory: *mut c_void) |sim| {
        sim.runtime_current()?;
        if memory.handle() == 0 {
            return Ok(());
        }
        sim.free_now(memory.handle() as u64, Releaser::FreeHost)
    }
    fn cudaHostRegister(memory: *mut c_void, bytes: usize, _flags: c_uint) |sim| {
        let context = sim.runtime_current()?;
        sim.register(context, memory.handle(), bytes)
    }
    fn cudaHostUnregister(memory: *mut c_void) |sim| {
        sim.runtime_current()?;
        sim.free_now(memory.handle() as u64, Releaser::Unregister)
    }
}
