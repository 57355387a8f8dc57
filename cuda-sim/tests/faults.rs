//! Sticky faults and dead contexts, as measured on an H200 (`docs/experiments/current_context.md`,
//! D2 and I; G4 in the field reports).

mod common;

use std::ptr::null_mut;

use common::raw::*;
use cuda_sim::{FindingKind, Machine, Schedule};

/// A machine on which a kernel has gone wrong, with all that can be asked afterwards.
struct Wreck {
    stream: CUstream,
    other: CUstream,
    memory: CUdeviceptr,
    pooled: CUdeviceptr,
    event: CUevent,
    module: CUmodule,
    fill: CUfunction,
    pinned: *mut std::ffi::c_void,
}

/// The fault has happened; no call has returned it.
fn wreck(machine: &Machine) -> Wreck {
    primary(0);
    let module = module();
    let wreck = Wreck {
        stream: stream(),
        other: stream(),
        memory: alloc(64),
        pooled: 0,
        event: event(),
        module,
        fill: function(module, c"fill"),
        pinned: pinned(64),
    };
    let wreck = Wreck { pooled: alloc_async(64, wreck.stream), ..wreck };
    ok!(cuEventRecord(wreck.event, wreck.stream));
    assert_eq!(launch_write(function(module, c"write_to"), wreck.stream, 0x10_0000_0000), 0);
    machine.run_all();
    wreck
}

fn memory_type(address: u64) -> u32 {
    let mut kind = 0_u32;
    cu!(cuPointerGetAttribute(
        (&raw mut kind).cast(),
        cuda_driver_sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
        address
    ))
}

#[test]
fn calls_that_notice_a_fault_return_it_at_once() {
    let mut machine = Machine::builder().install();
    type Look = fn(&Wreck) -> u32;
    let first_looks: [(&str, Look); 9] = [
        ("query", |w| cu!(cuStreamQuery(w.stream))),
        ("synchronize", |w| cu!(cuStreamSynchronize(w.stream))),
        ("record", |w| cu!(cuEventRecord(w.event, w.stream))),
        ("alloc", |w| cu!(cuMemAllocAsync(&mut 0, 16, w.stream))),
        ("ctx", |w| cu!(cuStreamGetCtx(w.stream, &mut null_mut()))),
        ("event query", |w| cu!(cuEventQuery(w.event))),
        ("free", |w| cu!(cuMemFree_v2(w.memory))),
        ("free host", |w| cu!(cuMemFreeHost(w.pinned))),
        ("unload", |w| cu!(cuModuleUnload(w.module))),
    ];
    machine.for_seeds(0..32, |machine| {
        let (name, look) = first_looks[usize::try_from(machine.seed()).unwrap() % first_looks.len()];
        let wreck = wreck(machine);
        assert_eq!(look(&wreck), 700, "{name}");
        assert_eq!(machine.findings().len(), 1);
        assert!(machine.found(FindingKind::OutOfBounds, "kernel write_to"));
    });
}

#[test]
fn calls_that_are_blind_succeed_until_the_fault_is_noticed() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(0..32, |machine| {
        let w = wreck(machine);
        let mut bytes = [0_u8; 16];
        assert_eq!(launch_fill(w.fill, w.stream, 1, 1, w.memory), 0);
        assert_eq!(cu!(cuMemcpyHtoDAsync_v2(w.memory, bytes.as_ptr().cast(), 16, w.stream)), 0);
        assert_eq!(cu!(cuMemcpyDtoHAsync_v2(w.pinned, w.memory, 16, w.stream)), 0);
        assert_eq!(cu!(cuEventCreate(&mut null_mut(), 0)), 0);
        assert_eq!(cu!(cuStreamQuery(w.other)), 0);
        assert_eq!(cu!(cuMemFreeAsync(w.pooled, w.stream)), 0);
        assert_eq!(cu!(cuStreamDestroy_v2(w.other)), 0);
        assert_eq!(cu!(cuCtxGetCurrent(&mut null_mut())), 0);
        assert_eq!(
            [memory_type(w.memory), memory_type(w.pinned.addr() as u64), memory_type(bytes.as_ptr().addr() as u64)],
            [0, 0, 1]
        );
        // Noticed.
        assert_eq!(cu!(cuStreamSynchronize(w.stream)), 700);
        assert_eq!(launch_fill(w.fill, w.stream, 1, 1, w.memory), 700);
        assert_eq!(cu!(cuMemcpyHtoDAsync_v2(w.memory, bytes.as_ptr().cast(), 16, w.stream)), 700);
        assert_eq!(cu!(cuMemcpyDtoH_v2(bytes.as_mut_ptr().cast(), w.memory, 16)), 700);
        assert_eq!(cu!(cuEventCreate(&mut null_mut(), 0)), 700);
        assert_eq!(cu!(cuStreamDestroy_v2(w.stream)), 700);
        assert_eq!(cu!(cuCtxSynchronize()), 700);
        assert_eq!(cu!(cuStreamCreate(&mut null_mut(), 0)), 700);
        assert_eq!(cu!(cuMemAlloc_v2(&mut 0, 8)), 700);
        // These work as ever.
        assert_eq!(cu!(cuCtxGetCurrent(&mut null_mut())), 0);
        assert_eq!(cu!(cuCtxSetCurrent(null_mut())), 0);
        assert_eq!(cu!(cuDevicePrimaryCtxRetain(&mut null_mut(), 0)), 0);
        assert_eq!(cu!(cuDeviceGetCount(&mut 0)), 0);
        assert_eq!(memory_type(w.memory), 0);
        // The last release, and there is no way back.
        assert_eq!(cu!(cuDevicePrimaryCtxRelease_v2(0)), 0);
        assert_eq!(cu!(cuDevicePrimaryCtxRelease_v2(0)), 0);
        assert_eq!(cu!(cuDevicePrimaryCtxRetain(&mut null_mut(), 0)), 700);
    });
}

#[test]
fn a_fault_in_a_context_of_its_own_costs_the_whole_process() {
    let machine = Machine::builder().devices(2).schedule(Schedule::Lazy).install();
    primary(1);
    let elsewhere = stream();
    let context = create_context(0);
    assert_eq!(launch_write(function(module(), c"write_to"), stream(), 0x10_0000_0000), 0);
    assert_eq!(cu!(cuCtxSynchronize()), 700);
    assert_eq!(cu!(cuCtxDestroy_v2(context)), 0);
    assert_eq!(cu!(cuCtxCreate_v4(&mut null_mut(), null_mut(), 0, 1)), 700);
    assert_eq!(cu!(cuStreamSynchronize(elsewhere)), 700);
    assert_eq!(cu!(cuDevicePrimaryCtxReset_v2(1)), 0);
    assert_eq!(cu!(cuDevicePrimaryCtxRetain(&mut null_mut(), 1)), 700);
    drop(machine);
}

#[test]
fn kinds_of_faults_have_their_codes() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(0..4, |_| {
        primary(0);
        let (stream, module) = (stream(), module());
        let memory = alloc(16);
        assert_eq!(launch_write(function(module, c"write_to"), stream, memory + 2), 0);
        assert_eq!(cu!(cuStreamSynchronize(stream)), 716, "an odd address");
    });
    machine.for_seeds(0..4, |_| {
        primary(0);
        let stream = stream();
        let trap = function(module(), c"trap");
        ok!(cuLaunchKernel(trap, 1, 1, 1, 1, 1, 1, 0, stream, null_mut(), null_mut()));
        assert_eq!(cu!(cuStreamSynchronize(stream)), 719);
    });
}

#[test]
fn scripted_fault_appears_at_the_next_synchronisation_and_stays() {
    let machine = Machine::builder().schedule(Schedule::Lazy).fault(2, 714).install();
    primary(0);
    let (stream, memory, fill) = (stream(), alloc(64), function(module(), c"fill"));
    assert_eq!(launch_fill(fill, stream, 1, 1, memory), 0);
    ok!(cuStreamSynchronize(stream));
    assert_eq!(launch_fill(fill, stream, 1, 1, memory), 0);
    assert_eq!(launch_fill(fill, stream, 1, 1, memory), 0);
    assert_eq!(cu!(cuStreamSynchronize(stream)), 714);
    assert_eq!(cu!(cuStreamSynchronize(stream)), 714);
    assert_eq!(launch_fill(fill, stream, 1, 1, memory), 714);
    assert!(machine.findings().is_empty(), "the program has done nothing wrong");
}

#[test]
fn scripted_failure_does_nothing_and_passes() {
    let machine = Machine::builder().fail("cuMemAllocAsync", 3, 2).install();
    primary(0);
    let stream = stream();
    let codes: Vec<u32> = (0..4).map(|_| cu!(cuMemAllocAsync(&mut 0, 16, stream))).collect();
    assert_eq!(codes, [0, 0, 2, 0]);
    assert_eq!(machine.count("cuMemAllocAsync"), 4);
    assert_eq!(machine.memory_in_use(0), 48);
}

#[test]
fn handles_of_a_released_context_have_the_measured_codes() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(0..16, |machine| {
        let context = primary(0);
        let (a, b, e, memory, module, host) = (stream(), stream(), event(), alloc(16), module(), pinned(16));
        let fill = function(module, c"fill");
        release(0);
        assert_eq!(cu!(cuStreamQuery(a)), 709);
        assert_eq!(cu!(cuStreamSynchronize(a)), 709);
        assert_eq!(cu!(cuStreamDestroy_v2(b)), 709);
        assert_eq!(launch_fill(fill, a, 1, 1, 0), 709);
        assert_eq!(cu!(cuEventDestroy_v2(e)), 709);
        assert_eq!(cu!(cuModuleUnload(module)), 400);
        assert_eq!(memory_type(memory), 1);
        assert_eq!(primary(0), context, "the same handle again");
        assert_eq!(cu!(cuStreamQuery(a)), 709);
        assert_eq!([cu!(cuMemFree_v2(memory)), cu!(cuMemFreeHost(host))], [1, 1]);
        assert!(machine.found(FindingKind::DestroyedHandle, "cuStreamDestroy_v2"));
    });
}

#[test]
fn memory_runs_out() {
    let machine = Machine::builder().memory(1 << 20).install();
    primary(0);
    let stream = stream();
    let mut address = 0;
    assert_eq!(cu!(cuMemAllocAsync(&raw mut address, 1 << 40, stream)), 2);
    ok!(cuMemAllocAsync(&raw mut address, 1 << 20, stream));
    assert_eq!(cu!(cuMemAlloc_v2(&mut 0, 1)), 2);
    ok!(cuMemFreeAsync(address, stream));
    ok!(cuMemAllocAsync(&raw mut address, 1 << 20, stream));
    assert_eq!(machine.memory_in_use(0), 1 << 20);
}
