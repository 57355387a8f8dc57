//! Contexts, the caller's current one, end of life.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use cuda_driver_sys as sys;
use cuda_rt::driver::{Context, Device, DeviceAttribute, Module, Stream};
use cuda_rt::{Cause, LaunchConfig, runtime};

fn current() -> sys::CUcontext {
    let mut context = std::ptr::null_mut();
    // SAFETY: a place for the handle.
    assert_eq!(unsafe { sys::cuCtxGetCurrent(&raw mut context) }, sys::CUresult::CUDA_SUCCESS);
    context
}

fn primary_is_active() -> bool {
    let (mut flags, mut active) = (0, 0);
    // SAFETY: places for the values.
    let code = unsafe { sys::cuDevicePrimaryCtxGetState(0, &raw mut flags, &raw mut active) };
    assert_eq!(code, sys::CUresult::CUDA_SUCCESS);
    active != 0
}

fn use_everything() {
    let (context, stream) = common::start();
    let module = Module::load(&context, common::TESTING).unwrap();
    let mut buffer = stream.buffer_from(&[1_u32; 1000]).unwrap();
    let add = module.kernel("add_one").unwrap();
    let config = LaunchConfig::for_elements(1000, 128).unwrap();
    // SAFETY: the kernel writes below 1000.
    unsafe { stream.launch(&add, config).arg(1000_u32).arg(&mut buffer).submit() }.unwrap();
    assert_eq!(buffer.to_vec(&stream).unwrap(), [2; 1000]);
    assert!(module.kernel("no_such_kernel").is_err());
    assert!(stream.is_done().unwrap());
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn listing_devices_creates_no_context() {
    common::in_child("listing_devices_creates_no_context", &[], || {
        for device in Device::all().unwrap() {
            let facts = (device.name().unwrap(), device.uuid().unwrap(), device.total_memory().unwrap());
            assert!(!facts.0.is_empty() && facts.2 > 0);
            assert!(device.attribute(DeviceAttribute::MULTIPROCESSOR_COUNT).unwrap() > 0);
            assert!(device.compute_capability().unwrap().0 >= 5);
            assert!(device.pci_bus_id().unwrap().contains(':'));
        }
        assert!(!primary_is_active());
        assert!(current().is_null());
        for ordinal in 0..runtime::device_count().unwrap() {
            let device = runtime::Device::new(ordinal).unwrap();
            assert!(!device.name().unwrap().is_empty());
            device.uuid().unwrap();
        }
        assert!(!primary_is_active(), "the runtime's queries made a context");
    });
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn report_175_attributes_and_properties_of_both_layers_agree() {
    let (ours, theirs) = (Device::new(0).unwrap(), runtime::Device::new(0).unwrap());
    assert_eq!(ours.name().unwrap(), theirs.name().unwrap());
    assert_eq!(ours.uuid().unwrap(), theirs.uuid().unwrap());
    assert_eq!(ours.total_memory().unwrap(), theirs.total_memory().unwrap());
    assert_eq!(ours.compute_capability().unwrap(), theirs.compute_capability().unwrap());
    assert_eq!(ours.pci_bus_id().unwrap().to_lowercase(), theirs.pci_bus_id().unwrap().to_lowercase());
    for attribute in [
        DeviceAttribute::MAX_THREADS_PER_BLOCK,
        DeviceAttribute::MULTIPROCESSOR_COUNT,
        DeviceAttribute::MAX_SHARED_MEMORY_PER_BLOCK,
        DeviceAttribute::MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
        DeviceAttribute::WARP_SIZE,
        DeviceAttribute::MEMORY_POOLS_SUPPORTED,
    ] {
        assert_eq!(ours.attribute(attribute).unwrap(), theirs.attribute(attribute).unwrap(), "{attribute:?}");
    }
    let asked = [
        ours.attribute(DeviceAttribute::MULTIPROCESSOR_COUNT).unwrap(),
        ours.attribute(DeviceAttribute::MAX_THREADS_PER_BLOCK).unwrap(),
        ours.attribute(DeviceAttribute::MAX_SHARED_MEMORY_PER_BLOCK_OPTIN).unwrap(),
        ours.attribute(DeviceAttribute::MAX_REGISTERS_PER_BLOCK).unwrap(),
        ours.attribute(DeviceAttribute::COMPUTE_CAPABILITY_MAJOR).unwrap(),
    ];
    assert_eq!(asked, properties());
}

/// The same facts out of the struct of the loaded major.
fn properties() -> [i32; 5] {
    use cuda_runtime_sys::{Major, library, v12, v13};
    macro_rules! read {
        ($module:ident::$function:ident) => {{
            let mut p = $module::cudaDeviceProp::default();
            // SAFETY: a place for this major's struct, zeroed.
            assert_eq!(unsafe { $module::$function(&raw mut p, 0) }.code(), 0);
            let shared = i32::try_from(p.sharedMemPerBlockOptin).unwrap();
            [p.multiProcessorCount, p.maxThreadsPerBlock, shared, p.regsPerBlock, p.major]
        }};
    }
    match library::major().unwrap() {
        Major::V12 => read!(v12::cudaGetDeviceProperties_v2),
        Major::V13 => read!(v13::cudaGetDeviceProperties),
    }
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn empty_context_stack_stays_empty_and_the_primary_is_released() {
    common::in_child("empty_context_stack_stays_empty_and_the_primary_is_released", &[], || {
        for _ in 0..3 {
            use_everything();
            assert!(current().is_null());
            assert!(!primary_is_active(), "a reference to the primary context is left");
        }
        let (context, stream) = common::start();
        std::thread::spawn(move || drop((stream, context))).join().unwrap();
        assert!(!primary_is_active());
    });
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn callers_context_is_the_same_after_every_call() {
    common::in_child("callers_context_is_the_same_after_every_call", &[], || {
        let device = Device::new(0).unwrap();
        let mut other = std::ptr::null_mut();
        // SAFETY: a place for the handle; no parameters.
        let code = unsafe { sys::cuCtxCreate_v4(&raw mut other, std::ptr::null_mut(), 0, device.as_raw()) };
        assert_eq!(code, sys::CUresult::CUDA_SUCCESS);
        assert_eq!(current(), other);
        use_everything();
        assert_eq!(current(), other);
        // The runtime layer works on the primary context although another one is current.
        let stream = runtime::Stream::new().unwrap();
        let library = runtime::Library::load(common::TESTING).unwrap();
        let add = library.kernel("add_one").unwrap();
        let mut buffer = stream.buffer_from(&[1_u32; 100]).unwrap();
        // SAFETY: the kernel writes below 100.
        unsafe { stream.launch(&add, LaunchConfig::new(1, 100)).arg(100_u32).arg(&mut buffer).submit() }.unwrap();
        assert_eq!(buffer.to_vec(&stream).unwrap(), [2; 100]);
        assert!(library.kernel("no_such_kernel").is_err());
        assert_eq!(current(), other);
        let context = Context::primary(device).unwrap();
        let guard = context.enter().unwrap();
        assert_eq!(current(), context.as_raw());
        guard.leave().unwrap();
        assert_eq!(current(), other);
        drop((buffer, add, library, stream));
        assert_eq!(current(), other);
    });
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn report_032_bad_ordinal_is_an_error_with_the_count() {
    let count = Device::count().unwrap();
    let error = Device::new(count + 6).unwrap_err();
    assert!(matches!(*error.cause(), Cause::NoSuchDevice { ordinal, count: c } if ordinal == count + 6 && c == count));
    let error = runtime::set_device(99).unwrap_err();
    assert_eq!((error.api(), error.code().map(|c| c.0)), ("cudaSetDevice", Some(101)));
    assert!(runtime::Device::new(99).is_err());
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn report_028_hidden_devices_are_error_100() {
    for (i, hidden) in ["", "-1"].into_iter().enumerate() {
        let _ = i;
        common::in_child("report_028_hidden_devices_are_error_100", &[("CUDA_VISIBLE_DEVICES", hidden)], || {
            assert_eq!(Device::count().unwrap_err().code().map(|c| c.0), Some(100));
            assert_eq!(runtime::device_count().unwrap_err().code().map(|c| c.0), Some(100));
            assert!(cuda_rt::Report::collect().to_string().contains("CUDA_VISIBLE_DEVICES"));
        });
    }
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn report_029_device_chosen_by_uuid() {
    let uuid = format!("GPU-{}", Device::new(0).unwrap().uuid().unwrap());
    for choice in [uuid.as_str(), &uuid[..12]] {
        common::in_child("report_029_device_chosen_by_uuid", &[("CUDA_VISIBLE_DEVICES", choice)], || {
            assert_eq!(Device::count().unwrap(), 1);
            use_everything();
            let error = Device::new(1).unwrap_err().to_string();
            assert!(error.contains("no device 1") && error.contains("there are 1"), "{error}");
        });
    }
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn report_030_hiding_devices_after_the_first_query_has_no_effect() {
    common::in_child("report_030_hiding_devices_after_the_first_query_has_no_effect", &[], || {
        let before = Device::count().unwrap();
        // SAFETY: this process has one thread that reads the environment.
        unsafe { std::env::set_var("CUDA_VISIBLE_DEVICES", "") };
        assert_eq!(Device::count().unwrap(), before);
    });
}

#[cfg(unix)]
#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn report_033_child_of_fork_gets_a_named_error_and_its_drops_do_nothing() {
    common::in_child("report_033_child_of_fork_gets_a_named_error_and_its_drops_do_nothing", &[], || {
        let (context, stream) = common::start();
        let buffer = stream.buffer_from(&[1_u32, 2, 3]).unwrap();
        let module = Module::load(&context, common::TESTING).unwrap();
        // SAFETY: the child only calls functions that are refused before they reach CUDA.
        let child = unsafe { libc::fork() };
        if child == 0 {
            let refused = |result: cuda_rt::driver::Result<()>| {
                matches!(result.map_err(|e| e.cause().clone()), Err(Cause::Forked))
            };
            let well = refused(cuda_rt::driver::init())
                && refused(stream.synchronize())
                && refused(buffer.to_vec(&stream).map(drop))
                && refused(Stream::new(&context).map(drop))
                && refused(Device::count().map(drop))
                && matches!(runtime::device_count().map_err(|e| e.cause().clone()), Err(Cause::Forked));
            drop((buffer, module, stream, context));
            // SAFETY: ends the child without running the parent's exit handlers.
            unsafe { libc::_exit(if well { 0 } else { 1 }) };
        }
        let mut status = 0;
        // SAFETY: a place for the status.
        assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
        assert_eq!(status, 0, "the child");
        assert_eq!(buffer.to_vec(&stream).unwrap(), [1, 2, 3], "the parent goes on");
        let _ = module;
    });
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn objects_in_thread_locals_at_exit_are_harmless() {
    common::in_child("objects_in_thread_locals_at_exit_are_harmless", &[], || {
        thread_local!(static KEPT: std::cell::RefCell<Option<(Context, Stream)>> = const { std::cell::RefCell::new(None) });
        static SHARED: std::sync::OnceLock<(Context, Stream)> = std::sync::OnceLock::new();
        KEPT.with(|kept| *kept.borrow_mut() = Some(common::start()));
        let _ = SHARED.set(common::start());
    });
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn guards_restore_in_any_order_and_whatever_other_code_did() {
    common::in_child("guards_restore_in_any_order_and_whatever_other_code_did", &[], || {
        let device = Device::new(0).unwrap();
        let context = Context::primary(device).unwrap();
        let mut created = std::ptr::null_mut();
        // SAFETY: a place for the handle; no parameters.
        let code = unsafe { sys::cuCtxCreate_v4(&raw mut created, std::ptr::null_mut(), 0, device.as_raw()) };
        assert_eq!(code, sys::CUresult::CUDA_SUCCESS);
        // SAFETY: the created context is never destroyed.
        let other = unsafe { Context::borrow_raw(created, device, ()) }.unwrap();
        let (first, second) = (context.enter().unwrap(), other.enter().unwrap());
        drop(first);
        assert_eq!(current(), created, "the younger guard still holds");
        drop(second);
        assert_eq!(current(), created);
        let guard = context.enter().unwrap();
        // SAFETY: no context is current on this thread then.
        unsafe { sys::cuCtxSetCurrent(std::ptr::null_mut()) };
        let _ = guard.leave();
        assert_eq!(current(), created, "restored although other code changed it");
    });
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn timed_code_dropped_with_a_launch_pending_is_unloaded_later() {
    common::in_child("timed_code_dropped_with_a_launch_pending_is_unloaded_later", &[], || {
        let spin = |ns: u64| {
            let (context, stream) = common::start();
            let spin = Module::load(&context, common::TESTING).unwrap().kernel("spin").unwrap();
            // SAFETY: the kernel accesses no memory.
            unsafe { stream.launch(&spin, LaunchConfig::new(1, 1)).arg(ns).submit() }.unwrap();
            let started = std::time::Instant::now();
            drop((spin, stream, context));
            started.elapsed()
        };
        assert!(spin(200_000_000).as_millis() < 150, "the drop waited");
        assert!(primary_is_active(), "code and context wait for the kernel");
        let (context, _stream) = common::start();
        context.synchronize().unwrap();
        drop((context, _stream));
        assert!(!primary_is_active(), "all is freed after the kernel");
    });
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn query_and_wait_leave_the_runtimes_last_error_clean() {
    let stream = runtime::Stream::new().unwrap();
    let spin = runtime::Library::load(common::TESTING).unwrap().kernel("spin").unwrap();
    // SAFETY: the kernel accesses no memory.
    unsafe { stream.launch(&spin, LaunchConfig::new(1, 1)).arg(50_000_000_u64).submit() }.unwrap();
    assert!(!stream.is_done().unwrap());
    // SAFETY: no pointers.
    let slot = unsafe { cuda_runtime_sys::common::cudaPeekAtLastError() };
    assert_eq!(slot, cuda_runtime_sys::v13::cudaError_t::cudaSuccess);
    stream.synchronize().unwrap();
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn report_176_prefetch_works_with_the_signature_of_the_loaded_major() {
    use cuda_runtime_sys::{Major, common, library, v12, v13};
    runtime::set_device(0).unwrap();
    let stream = runtime::Stream::new().unwrap();
    let bytes = 1 << 20;
    let mut memory = std::ptr::null_mut();
    // SAFETY: a place for the address; 1 is cudaMemAttachGlobal.
    let allocated = unsafe { common::cudaMallocManaged(&raw mut memory, bytes, 1) };
    assert_eq!(allocated.code(), 0);
    let prefetched = match library::major().unwrap() {
        // SAFETY: the range was just allocated; device 0 exists.
        Major::V12 => unsafe { v12::cudaMemPrefetchAsync(memory, bytes, 0, stream.as_raw()) }.code(),
        Major::V13 => {
            let type_ = v13::cudaMemLocationType::cudaMemLocationTypeDevice;
            let device = v13::cudaMemLocation { type_, ..Default::default() };
            // SAFETY: as above; the location's id is 0 already.
            unsafe { v13::cudaMemPrefetchAsync(memory, bytes, device, 0, stream.as_raw()) }.code()
        }
    };
    assert_eq!(prefetched, 0);
    stream.synchronize().unwrap();
    // SAFETY: the range is freed once, with nothing pending.
    assert_eq!(unsafe { common::cudaFree(memory) }.code(), 0);
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn timed_last_drop_does_not_wait_for_copies_on_streams_that_are_gone() {
    common::in_child("timed_last_drop_does_not_wait_for_copies_on_streams_that_are_gone", &[], || {
        {
            let (context, stream) = common::start();
            let spin = Module::load(&context, common::TESTING).unwrap().kernel("spin").unwrap();
            let source = stream.buffer_zeroed::<u8>(1 << 20).unwrap();
            // SAFETY: the kernel accesses no memory.
            unsafe { stream.launch(&spin, LaunchConfig::new(1, 1)).arg(400_000_000_u64).submit() }.unwrap();
            drop(stream.buffer_copy(&source).unwrap());
            let started = std::time::Instant::now();
            drop((source, spin, stream, context));
            assert!(started.elapsed().as_millis() < 200, "the drop waited {:?}", started.elapsed());
        }
        let (context, stream) = common::start();
        context.synchronize().unwrap();
        drop((stream, context));
        assert!(!primary_is_active());
    });
}
