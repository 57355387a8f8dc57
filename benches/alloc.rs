//! What it costs the host to allocate and free device memory in the order of a stream, in both layers, beside the same
//! calls made raw. The device's default pool keeps its memory (release threshold at the maximum) in all of them.

use std::error::Error;
use std::ptr;

use criterion::Criterion;
use cuda_driver_sys as sys;
use cuda_rt::{driver, runtime};
use cuda_runtime_sys::{common as rt, v13};

mod common;
use common::{Timed, bursts, compare, ok};

/// Bytes of each block.
const BYTES: usize = 4096;

fn main() {
    common::main(|criterion| {
        keep_pool_memory()?;
        driver_layer(criterion)?;
        if let Err(why) = runtime::version() {
            println!("the runtime layer is not measured: {why}");
            return Ok(());
        }
        runtime_layer(criterion)
    });
}

/// Without this the pool gives its memory back at each synchronisation, and that is what would be measured.
fn keep_pool_memory() -> Result<(), Box<dyn Error>> {
    let device = driver::Device::new(0)?;
    let mut pool = ptr::null_mut();
    // SAFETY: `pool` is a place for the handle.
    ok(unsafe { sys::symbols::cuDeviceGetDefaultMemPool.get()?(&raw mut pool, device.as_raw()) });
    let mut threshold = u64::MAX;
    let attribute = sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
    // SAFETY: this attribute is 64 bits wide.
    ok(unsafe { sys::symbols::cuMemPoolSetAttribute.get()?(pool, attribute, (&raw mut threshold).cast()) });
    Ok(())
}

fn driver_layer(criterion: &mut Criterion) -> Result<(), Box<dyn Error>> {
    let context = driver::Context::primary(driver::Device::new(0)?)?;
    let stream = driver::Stream::new(&context)?;
    let (allocate, free, fill) = (
        sys::symbols::cuMemAllocAsync.get()?,
        sys::symbols::cuMemFreeAsync.get()?,
        sys::symbols::cuMemsetD8Async.get()?,
    );
    let raw_stream = stream.as_raw();
    let _current = context.enter()?;
    let wait = || stream.synchronize().expect("the stream fails");

    let mut by_raw_calls = |count| {
        let one = || {
            let mut block = 0;
            // SAFETY: `block` is a place for the address; the stream is alive.
            ok(unsafe { allocate(&raw mut block, BYTES, raw_stream) });
            // SAFETY: the block is filled before it is freed, in the order of the stream, and not used after.
            ok(unsafe { fill(block, 0, BYTES, raw_stream) });
            // SAFETY: as above.
            ok(unsafe { free(block, raw_stream) });
        };
        bursts(count, one, wait)
    };
    let mut by_stream = |count| {
        let one = || drop(stream.buffer_zeroed::<u8>(BYTES).expect("the allocation fails"));
        bursts(count, one, wait)
    };
    let rows: &mut [(&str, &mut Timed<'_>)] = &mut [
        ("cuMemAllocAsync, MemsetD8Async, FreeAsync", &mut by_raw_calls),
        ("driver::Stream::buffer_zeroed and drop", &mut by_stream),
    ];
    compare(criterion, "allocate, zero and free 4 KiB, driver layer", rows);
    Ok(())
}

fn runtime_layer(criterion: &mut Criterion) -> Result<(), Box<dyn Error>> {
    runtime::set_device(0)?;
    let stream = runtime::Stream::new()?;
    let (allocate, free, fill) =
        (rt::symbols::cudaMallocAsync.get()?, rt::symbols::cudaFreeAsync.get()?, rt::symbols::cudaMemsetAsync.get()?);
    let raw_stream = stream.as_raw();
    let wait = || stream.synchronize().expect("the stream fails");
    let ok = |code| assert!(code == v13::cudaError_t::cudaSuccess, "{code:?}");

    let mut by_raw_calls = |count| {
        let one = || {
            let mut block = ptr::null_mut();
            // SAFETY: `block` is a place for the address; the stream is alive.
            ok(unsafe { allocate(&raw mut block, BYTES, raw_stream) });
            // SAFETY: the block is filled before it is freed, in the order of the stream, and not used after.
            ok(unsafe { fill(block, 0, BYTES, raw_stream) });
            // SAFETY: as above.
            ok(unsafe { free(block, raw_stream) });
        };
        bursts(count, one, wait)
    };
    let mut by_stream = |count| {
        let one = || drop(stream.buffer_zeroed::<u8>(BYTES).expect("the allocation fails"));
        bursts(count, one, wait)
    };
    let rows: &mut [(&str, &mut Timed<'_>)] = &mut [
        ("cudaMallocAsync, MemsetAsync, FreeAsync", &mut by_raw_calls),
        ("runtime::Stream::buffer_zeroed and drop", &mut by_stream),
    ];
    compare(criterion, "allocate, zero and free 4 KiB, runtime layer", rows);
    Ok(())
}
