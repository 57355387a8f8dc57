//! What the safe crate costs: calls of the driver or the runtime, and heap allocations.

#![allow(clippy::unwrap_used, clippy::cast_possible_truncation)]

mod common;

use cuda_rt::{LaunchConfig, driver, runtime};
use cuda_sim::{Call, Machine, alloc};

#[global_allocator]
static HEAP: alloc::Counting = alloc::Counting;

fn names(calls: &[Call]) -> Vec<&'static str> {
    calls.iter().map(|call| call.name).collect()
}

#[test]
fn launch_is_one_call_and_no_allocation_in_both_layers() {
    assert!(alloc::is_counting());
    let mut machine = Machine::builder().install();
    machine.for_seeds(0..8, |machine| {
        let context = driver::Context::primary(driver::Device::new(0).unwrap()).unwrap();
        // Other streams are alive.
        let _others: Vec<driver::Stream> = (0..3).map(|_| driver::Stream::new(&context).unwrap()).collect();
        let stream = driver::Stream::new(&context).unwrap();
        let fill = driver::Module::load(&context, common::TESTING).unwrap().kernel("fill").unwrap();
        let mut buffer = stream.buffer_zeroed::<u32>(64).unwrap();
        let config = LaunchConfig::for_elements(64, 64).unwrap();
        let mut launch = || {
            // SAFETY: the kernel writes below 64.
            unsafe { stream.launch(&fill, config).arg(64_u32).arg(3_u32).arg(&mut buffer).submit() }.unwrap();
        };
        launch();
        let (allocations, calls) = machine.calls_of(|| alloc::count(|| (0..10).for_each(|_| launch())));
        assert_eq!(names(&calls), ["cuLaunchKernel"; 10]);
        assert_eq!(allocations, 0);

        drop((fill, buffer, stream));
        runtime::set_device(0).unwrap();
        let stream = runtime::Stream::new().unwrap();
        let fill = runtime::Library::load(common::TESTING).unwrap().kernel("fill").unwrap();
        let mut buffer = stream.buffer_zeroed::<u32>(64).unwrap();
        let mut launch = || {
            // SAFETY: the kernel writes below 64.
            unsafe { stream.launch(&fill, config).arg(64_u32).arg(3_u32).arg(&mut buffer).submit() }.unwrap();
        };
        launch();
        let (allocations, calls) = machine.calls_of(|| alloc::count(|| (0..10).for_each(|_| launch())));
        assert_eq!(names(&calls), ["cudaLaunchKernelExC"; 10]);
        assert_eq!(allocations, 0);
        drop((fill, buffer, stream));
        // Nothing is left for the next seed.
        context.synchronize().unwrap();
    });
}

#[test]
fn buffer_made_and_dropped_is_two_calls_and_no_event() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(0..8, |machine| {
        let context = driver::Context::primary(driver::Device::new(0).unwrap()).unwrap();
        let stream = driver::Stream::new(&context).unwrap();
        let ((), calls) = machine.calls_of(|| drop(stream.buffer_zeroed::<u32>(64).unwrap()));
        assert_eq!(names(&calls), ["cuMemAllocAsync", "cuMemsetD8Async", "cuMemFreeAsync"], "the fill is asked for");
        let ((), calls) = machine.calls_of(|| drop(stream.buffer_zeroed::<u32>(0).unwrap()));
        assert_eq!(names(&calls), [""; 0], "no elements, no calls");
        let stream = runtime::Stream::new().unwrap();
        let ((), calls) = machine.calls_of(|| drop(stream.buffer_zeroed::<u32>(64).unwrap()));
        assert_eq!(names(&calls), ["cudaMallocAsync", "cudaMemsetAsync", "cudaFreeAsync"]);
        // Nothing is left for the next seed.
        context.synchronize().unwrap();
    });
}

#[test]
fn copies_have_the_calls_of_c() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(0..8, |machine| {
        let context = driver::Context::primary(driver::Device::new(0).unwrap()).unwrap();
        let stream = driver::Stream::new(&context).unwrap();
        let mut buffer = stream.buffer_zeroed::<u32>(64).unwrap();
        let other = stream.buffer_zeroed::<u32>(64).unwrap();
        let ((), calls) = machine.calls_of(|| buffer.copy_from_device(&stream, &other).unwrap());
        assert_eq!(names(&calls), ["cuMemcpyDtoDAsync_v2"]);
        let ((), calls) = machine.calls_of(|| buffer.copy_from_host(&stream, &[1; 64]).unwrap());
        assert_eq!(names(&calls), ["cuMemcpyHtoDAsync_v2", "cuStreamSynchronize"]);
        let (_, calls) = machine.calls_of(|| buffer.to_vec(&stream).unwrap());
        assert_eq!(names(&calls), ["cuMemcpyDtoHAsync_v2", "cuStreamSynchronize"]);
        drop((buffer, other));
        context.synchronize().unwrap();
    });
}

#[test]
fn a_drop_never_waits_for_the_device() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(0..64, |machine| {
        let context = driver::Context::primary(driver::Device::new(0).unwrap()).unwrap();
        let (stream, other) = (driver::Stream::new(&context).unwrap(), driver::Stream::new(&context).unwrap());
        let module = driver::Module::load(&context, common::TESTING).unwrap();
        let fill = module.kernel("fill").unwrap();
        let mut buffer = stream.buffer_zeroed::<u32>(64).unwrap();
        let config = LaunchConfig::for_elements(64, 64).unwrap();
        // SAFETY: the kernel writes below 64.
        unsafe { other.launch(&fill, config).arg(64_u32).arg(3_u32).arg(&mut buffer).submit() }.unwrap();
        let ((), calls) = machine.calls_of(|| drop((buffer, fill, module, other, stream)));
        let waited: Vec<String> = calls.iter().filter(|call| call.waited).map(ToString::to_string).collect();
        assert!(waited.is_empty(), "{waited:#?}");
        context.synchronize().unwrap();
        drop(context);
        machine.assert_clean();
    });
}

#[test]
fn first_launch_of_a_library_kernel_does_not_wait_for_other_streams() {
    let mut machine = Machine::builder().schedule(cuda_sim::Schedule::Lazy).install();
    machine.for_seeds(0..8, |machine| {
        let context = driver::Context::primary(driver::Device::new(0).unwrap()).unwrap();
        let busy = driver::Stream::new(&context).unwrap();
        let empty = driver::Module::load(&context, common::TESTING).unwrap().kernel("empty").unwrap();
        runtime::set_device(0).unwrap();
        let stream = runtime::Stream::new().unwrap();
        let theirs = runtime::Library::load(common::TESTING).unwrap().kernel("empty").unwrap();
        // SAFETY: the kernel does nothing.
        unsafe { busy.launch(&empty, LaunchConfig::new(1, 1)).submit() }.unwrap();
        let ((), calls) = machine.calls_of(|| {
            // SAFETY: as above.
            unsafe { stream.launch(&theirs, LaunchConfig::new(1, 1)).submit() }.unwrap();
        });
        assert!(calls.iter().all(|call| !call.waited), "{calls:#?}");
        drop((empty, theirs, busy, stream));
        context.synchronize().unwrap();
    });
}

#[test]
fn the_last_drop_of_a_context_never_waits_for_the_device() {
    let mut machine = Machine::builder().schedule(cuda_sim::Schedule::Lazy).install();
    machine.for_seeds(0..8, |machine| {
        let context = driver::Context::primary(driver::Device::new(0).unwrap()).unwrap();
        let (one, other) = (driver::Stream::new(&context).unwrap(), driver::Stream::new(&context).unwrap());
        let done = driver::Module::load(&context, common::TESTING).unwrap().kernel("empty").unwrap();
        let running = driver::Module::load(&context, common::TESTING).unwrap().kernel("empty").unwrap();
        // SAFETY: the kernel does nothing.
        unsafe { one.launch(&done, LaunchConfig::new(1, 1)).submit() }.unwrap();
        one.synchronize().unwrap();
        drop(done);
        one.synchronize().unwrap();
        // SAFETY: as above.
        unsafe { other.launch(&running, LaunchConfig::new(1, 1)).submit() }.unwrap();
        let ((), calls) = machine.calls_of(|| drop((running, one, other, context)));
        let waited: Vec<String> = calls.iter().filter(|call| call.waited).map(ToString::to_string).collect();
        assert!(waited.is_empty(), "{waited:#?}");
        // What is left waits for the context's next user.
        let context = driver::Context::primary(driver::Device::new(0).unwrap()).unwrap();
        context.synchronize().unwrap();
        drop(context);
        machine.assert_clean();
    });
}

#[test]
fn listing_devices_makes_no_context() {
    let machine = Machine::builder().devices(3).install();
    for device in driver::Device::all().unwrap() {
        device.name().unwrap();
        device.total_memory().unwrap();
        device.compute_capability().unwrap();
    }
    assert!(machine.calls().iter().all(|call| call.context == 0));
    assert_eq!(machine.count("cuDevicePrimaryCtxRetain"), 0);
}
