//! Which calls need a current context, and what they do with a foreign one, as measured on an H200
//! (`docs/experiments/current_context.md`, A and B).

mod common;

use std::ptr::null_mut;

use common::raw::*;
use cuda_sim::Machine;

fn current() -> CUcontext {
    let mut context = null_mut();
    ok!(cuCtxGetCurrent(&raw mut context));
    context
}

/// Calls a runtime function; gives its code.
macro_rules! rt {
    ($name:ident($($argument:expr),* $(,)?)) => {{
        // SAFETY: the simulator checks what it is given; places for results are valid.
        unsafe { cuda_runtime_sys::common::$name($($argument),*) }.code()
    }};
}

#[test]
fn driver_calls_with_no_context_current() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(0..8, |_| {
        primary(0);
        let (a, e, memory, module) = (stream(), event(), alloc(64), module());
        let fill = function(module, c"fill");
        ok!(cuCtxSetCurrent(null_mut()));
        let mut words = [0_u32; 4];
        // Addressed by a stream, an event, a function: no context is needed.
        assert_eq!(launch_fill(fill, a, 4, 1, memory), 0);
        ok!(cuEventRecord(e, a));
        ok!(cuStreamWaitEvent(a, e, 0));
        ok!(cuMemcpyDtoHAsync_v2(words.as_mut_ptr().cast(), memory, 16, a));
        ok!(cuMemsetD8Async(memory, 0, 16, a));
        let pooled = alloc_async(16, a);
        ok!(cuMemFreeAsync(pooled, a));
        ok!(cuStreamGetCtx(a, &mut null_mut()));
        ok!(cuFuncGetParamInfo(fill, 0, &mut 0, &mut 0));
        ok!(cuModuleGetFunction(&mut null_mut(), module, c"fill".as_ptr()));
        // These make something, or mean the default stream.
        assert_eq!(cu!(cuStreamCreate(&mut null_mut(), 0)), 201);
        assert_eq!(cu!(cuEventCreate(&mut null_mut(), 0)), 201);
        assert_eq!(cu!(cuMemAlloc_v2(&mut 0, 8)), 201);
        assert_eq!(cu!(cuMemHostAlloc(&mut null_mut(), 8, 0)), 201);
        assert_eq!(cu!(cuModuleLoadData(&mut null_mut(), c".version 7.0".as_ptr().cast())), 201);
        assert_eq!(cu!(cuMemcpyDtoH_v2(words.as_mut_ptr().cast(), memory, 16)), 201);
        assert_eq!(cu!(cuMemsetD8_v2(memory, 0, 8)), 201);
        assert_eq!(cu!(cuMemsetD8Async(memory, 0, 8, LEGACY)), 201);
        assert_eq!(cu!(cuMemGetInfo_v2(&mut 0, &mut 0)), 201);
        assert_eq!(cu!(cuCtxSynchronize()), 201);
        assert_eq!(cu!(cuCtxGetDevice(&mut 0)), 201);
        // Ends need none.
        ok!(cuStreamDestroy_v2(a));
        ok!(cuEventDestroy_v2(e));
        ok!(cuMemFree_v2(memory));
        assert!(current().is_null(), "no driver call changes what is current");
    });
}

#[test]
fn driver_calls_make_things_in_the_context_that_is_current() {
    let machine = Machine::builder().install();
    primary(0);
    let ours = stream();
    let other = create_context(0);
    let theirs = stream();
    let mut owner = null_mut();
    ok!(cuStreamGetCtx(theirs, &raw mut owner));
    assert_eq!(owner, other);
    assert_eq!(launch_fill(function(module(), c"fill"), ours, 1, 1, 0), 400, "a function of the other context");
    assert_eq!(current(), other);
    drop(machine);
}

#[test]
fn library_kernels_run_where_the_stream_is() {
    let machine = Machine::builder().install();
    primary(0);
    let (ours, memory) = (stream(), alloc(64));
    create_context(0);
    let text = std::ffi::CString::new(common::TESTING).unwrap();
    let (mut library, mut kernel, mut function) = (null_mut(), null_mut(), null_mut());
    ok!(cuLibraryLoadData(
        &raw mut library,
        text.as_ptr().cast(),
        null_mut(),
        null_mut(),
        0,
        null_mut(),
        null_mut(),
        0
    ));
    ok!(cuLibraryGetKernel(&raw mut kernel, library, c"fill".as_ptr()));
    assert_eq!(launch_fill(kernel.cast(), ours, 4, 5, memory), 0);
    assert_eq!(read(memory, 4, ours), [5; 4]);
    ok!(cuKernelGetFunction(&raw mut function, kernel));
    assert_eq!(launch_fill(function, ours, 4, 5, memory), 400, "the other context's function");
    // Each takes one off the stack.
    ok!(cuCtxSetCurrent(null_mut()));
    ok!(cuCtxSetCurrent(null_mut()));
    assert_eq!(cu!(cuKernelGetFunction(&raw mut function, kernel)), 201);
    assert_eq!(cu!(cuKernelGetParamInfo(kernel, 0, &mut 0, &mut 0)), 201);
    drop(machine);
}

#[test]
fn runtime_calls_and_the_current_context() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(0..8, |_| {
        let context = primary(0);
        let (a, e) = (stream(), event());
        ok!(cuCtxSetCurrent(null_mut()));
        let mut memory = null_mut();
        // Still none.
        assert_eq!(rt!(cudaMallocAsync(&raw mut memory, 64, a)), 0);
        assert_eq!(rt!(cudaEventQuery(e)), 0);
        assert_eq!(rt!(cudaGetDevice(&mut 0)), 0);
        assert_eq!(rt!(cudaGetLastError()), 0);
        assert!(current().is_null());
        // Now the primary one.
        assert_eq!(rt!(cudaMemsetAsync(memory, 0, 64, a)), 0);
        assert_eq!(current(), context);
        ok!(cuCtxSetCurrent(null_mut()));
        assert_eq!(rt!(cudaStreamSynchronize(a)), 0);
        assert_eq!(current(), context);
        ok!(cuCtxSetCurrent(null_mut()));
        let mut made = null_mut();
        assert_eq!(rt!(cudaStreamCreateWithFlags(&raw mut made, 1)), 0);
        let mut owner = null_mut();
        ok!(cuStreamGetCtx(made, &raw mut owner));
        assert_eq!((owner, current()), (context, context));
        // Another context: things are made there, silently; setting the device takes it away.
        let other = create_context(0);
        assert_eq!(rt!(cudaStreamCreateWithFlags(&raw mut made, 1)), 0);
        ok!(cuStreamGetCtx(made, &raw mut owner));
        assert_eq!((owner, current()), (other, other));
        assert_eq!(rt!(cudaMemsetAsync(memory, 0, 64, a)), 0, "done where it belongs");
        assert_eq!(rt!(cudaFreeAsync(memory, a)), 0);
        assert_eq!(rt!(cudaSetDevice(0)), 0);
        assert_eq!(current(), context);
    });
}

#[test]
fn last_error_slot_is_the_threads_own_and_read_once() {
    let machine = Machine::builder().install();
    assert_eq!(rt!(cudaSetDevice(99)), 101);
    std::thread::spawn(|| assert_eq!(rt!(cudaGetLastError()), 0)).join().unwrap();
    assert_eq!([rt!(cudaPeekAtLastError()), rt!(cudaGetLastError()), rt!(cudaGetLastError())], [101, 101, 0]);
    drop(machine);
}

#[test]
fn what_was_current_comes_back_after_push_and_pop() {
    let machine = Machine::builder().devices(2).install();
    let (one, two) = (primary(0), primary(1));
    assert_eq!(current(), two);
    ok!(cuCtxPushCurrent_v2(one));
    std::thread::spawn(|| assert!(current().is_null())).join().unwrap();
    let mut popped = null_mut();
    ok!(cuCtxPopCurrent_v2(&raw mut popped));
    assert_eq!((popped, current()), (one, two));
    drop(machine);
}

#[test]
fn a_primary_context_that_is_made_again_is_another_by_its_number() {
    let machine = Machine::builder().devices(2).install();
    let mut seen = std::collections::BTreeSet::new();
    for device in [0, 1, 0] {
        let context = primary(device);
        let (mut by_handle, mut by_thread) = (0, 1);
        ok!(cuCtxGetId(context, &raw mut by_handle));
        ok!(cuCtxGetId(null_mut(), &raw mut by_thread));
        assert_eq!(by_handle, by_thread);
        assert!(seen.insert(by_handle));
        release(device);
    }
    let mut id = 0;
    assert_eq!(cu!(cuCtxGetId(null_mut(), &raw mut id)), 201);
    drop(machine);
}
