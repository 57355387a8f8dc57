//! Misuse of memory and handles: each is reported, with the names of the calls.

mod common;

use std::ptr::null_mut;

use common::raw::*;
use cuda_sim::{Finding, FindingKind, Machine};

const SEEDS: std::ops::Range<u64> = 0..50;

/// For many seeds: the findings that a misuse leaves, which are all of one kind.
#[track_caller]
fn reports(kind: FindingKind, names: &[&str], misuse: impl Fn()) {
    let mut machine = Machine::builder().devices(2).install();
    machine.for_seeds(SEEDS, |machine| {
        misuse();
        let findings: Vec<Finding> = machine.findings();
        assert!(
            findings.iter().any(|f| f.kind == kind && names.iter().all(|name| f.text.contains(name))),
            "no {kind:?} with {names:?} in {findings:#?}"
        );
        assert!(findings.iter().all(|f| f.kind == kind), "{findings:#?}");
    });
}

#[test]
fn double_free_is_reported() {
    reports(FindingKind::DoubleFree, &["cuMemFree_v2"], || {
        primary(0);
        let memory = alloc(16);
        ok!(cuMemFree_v2(memory));
        assert_eq!(cu!(cuMemFree_v2(memory)), 1);
    });
    reports(FindingKind::DoubleFree, &["cuMemFreeAsync"], || {
        primary(0);
        let stream = stream();
        let memory = alloc_async(16, stream);
        ok!(cuMemFreeAsync(memory, stream));
        assert_eq!(cu!(cuMemFreeAsync(memory, stream)), 1);
    });
}

#[test]
fn wrong_partner_is_reported() {
    reports(FindingKind::WrongPartner, &["cuMemFreeAsync", "cuMemAlloc_v2"], || {
        primary(0);
        let (memory, stream) = (alloc(16), stream());
        assert_eq!(cu!(cuMemFreeAsync(memory, stream)), 1);
    });
    reports(FindingKind::WrongPartner, &["cuMemFree_v2", "cuMemHostAlloc"], || {
        primary(0);
        assert_eq!(cu!(cuMemFree_v2(pinned(16).expose_provenance() as u64)), 1);
    });
    reports(FindingKind::WrongPartner, &["cuMemHostUnregister", "cuMemHostAlloc"], || {
        primary(0);
        assert_eq!(cu!(cuMemHostUnregister(pinned(16))), 713);
    });
    reports(FindingKind::WrongPartner, &["cuCtxDestroy_v2"], || assert_eq!(cu!(cuCtxDestroy_v2(primary(0))), 201));
}

#[test]
fn use_after_free_is_reported() {
    reports(FindingKind::UseAfterFree, &["cuMemsetD8Async", "cuMemFree_v2"], || {
        primary(0);
        let (memory, stream) = (alloc(16), stream());
        ok!(cuMemFree_v2(memory));
        assert_eq!(cu!(cuMemsetD8Async(memory, 0, 16, stream)), 1);
    });
    reports(FindingKind::UseAfterFree, &["cuLaunchKernel", "kernel fill", "cuMemFreeAsync"], || {
        primary(0);
        let (stream, fill) = (stream(), function(module(), c"fill"));
        let memory = alloc_async(64, stream);
        ok!(cuMemFreeAsync(memory, stream));
        assert_eq!(launch_fill(fill, stream, 4, 1, memory), 0);
        ok!(cuStreamSynchronize(stream));
    });
}

#[test]
fn free_that_is_not_ordered_with_a_use_is_reported() {
    for sync in [false, true] {
        let name = if sync { "cuMemFree_v2" } else { "cuMemFreeAsync" };
        reports(FindingKind::UseAfterFree, &["cuLaunchKernel", name], || {
            primary(0);
            let (a, b, fill) = (stream(), stream(), function(module(), c"fill"));
            let memory = if sync { alloc(64) } else { alloc_async(64, a) };
            join(b, a);
            assert_eq!(launch_fill(fill, b, 4, 1, memory), 0);
            if sync {
                ok!(cuMemFree_v2(memory));
            } else {
                ok!(cuMemFreeAsync(memory, a));
            }
        });
    }
}

#[test]
fn use_before_the_allocation_is_reached_is_reported() {
    reports(FindingKind::Race, &["cuMemsetD8Async", "cuMemAllocAsync", "allocates"], || {
        primary(0);
        let (a, b) = (stream(), stream());
        let memory = alloc_async(64, a);
        ok!(cuMemsetD8Async(memory, 0, 64, b));
    });
}

#[test]
fn leaks_are_reported_with_the_call_that_made_them() {
    let mut machine = Machine::builder().devices(2).install();
    machine.for_seeds(SEEDS, |machine| {
        primary(0);
        alloc(16);
        alloc_async(16, stream());
        event();
        module();
        pinned(8);
        let kinds: Vec<String> =
            machine.finish().iter().filter(|f| f.kind == FindingKind::Leak).map(|f| f.text.clone()).collect();
        for call in [
            "cuMemAlloc_v2",
            "cuMemAllocAsync",
            "cuStreamCreate",
            "cuEventCreate",
            "cuModuleLoadData",
            "cuMemHostAlloc",
            "cuDevicePrimaryCtxRetain",
        ] {
            assert!(kinds.iter().any(|text| text.contains(call)), "{call} in {kinds:#?}");
        }
        assert_eq!(kinds.len(), 7, "{kinds:#?}");
    });
}

#[test]
fn what_goes_with_its_context_is_told() {
    let mut machine = Machine::builder().devices(2).install();
    machine.for_seeds(SEEDS, |machine| {
        primary(0);
        let (stream, memory) = (stream(), alloc(16));
        event();
        release(0);
        let findings = machine.finish();
        let of = |kind| findings.iter().filter(|f| f.kind == kind).count();
        assert_eq!((of(FindingKind::Leak), of(FindingKind::Abandoned)), (1, 2), "{findings:#?}");
        primary(0);
        assert_eq!(cu!(cuStreamQuery(stream)), 709);
        assert_eq!(cu!(cuMemFree_v2(memory)), 1);
        assert!(machine.found(FindingKind::DestroyedHandle, "cuStreamQuery"));
        assert!(machine.found(FindingKind::DoubleFree, "cuMemFree_v2"));
    });
}

#[test]
fn objects_of_two_contexts_in_one_call_are_reported() {
    reports(FindingKind::WrongContext, &["cuEventRecord"], || {
        let one = primary(0);
        let stream = stream();
        create_context(0);
        let event = event();
        assert_eq!(cu!(cuEventRecord(event, stream)), 400);
        ok!(cuCtxSetCurrent(one));
    });
    reports(FindingKind::WrongContext, &["cuLaunchKernel"], || {
        primary(0);
        let stream = stream();
        create_context(1);
        let fill = function(module(), c"fill");
        assert_eq!(launch_fill(fill, stream, 1, 1, 0), 400);
    });
}

#[test]
fn a_wait_may_cross_contexts() {
    let mut machine = Machine::builder().devices(2).install();
    machine.for_seeds(SEEDS, |machine| {
        primary(0);
        let (a, memory) = (stream(), alloc(64));
        primary(1);
        let b = stream();
        ok!(cuMemsetD8Async(memory, 1, 64, a));
        let mut context = null_mut();
        ok!(cuStreamGetCtx(a, &raw mut context));
        ok!(cuCtxPushCurrent_v2(context));
        join(b, a);
        ok!(cuCtxPopCurrent_v2(null_mut()));
        let copy = alloc(64);
        ok!(cuMemcpyDtoDAsync_v2(copy, memory, 64, b));
        assert_eq!(read(copy, 16, b), [0x0101_0101; 16]);
        machine.assert_no_findings();
    });
}

#[test]
fn destroyed_handles_are_reported() {
    // Half of the seeds use handles again, as the driver does: nothing else is made here.
    reports(FindingKind::DestroyedHandle, &["cuStreamSynchronize", "cuStreamDestroy_v2"], || {
        primary(0);
        let stream = stream();
        ok!(cuStreamDestroy_v2(stream));
        assert_eq!(cu!(cuStreamSynchronize(stream)), 400);
    });
    reports(FindingKind::DestroyedHandle, &["cuEventDestroy_v2"], || {
        primary(0);
        let event = event();
        ok!(cuEventDestroy_v2(event));
        assert_eq!(cu!(cuEventDestroy_v2(event)), 400);
    });
    reports(FindingKind::DestroyedHandle, &["cuLaunchKernel", "cuModuleUnload"], || {
        primary(0);
        let (stream, module) = (stream(), module());
        let fill = function(module, c"fill");
        ok!(cuModuleUnload(module));
        assert_eq!(launch_fill(fill, stream, 1, 1, 0), 400);
    });
}

#[test]
fn code_unloaded_while_it_may_run_is_reported() {
    reports(FindingKind::UnloadedWhileRunning, &["cuModuleUnload", "cuLaunchKernel", "kernel fill"], || {
        primary(0);
        let (stream, module, memory) = (stream(), module(), alloc(64));
        assert_eq!(launch_fill(function(module, c"fill"), stream, 4, 1, memory), 0);
        ok!(cuModuleUnload(module));
    });
}

#[test]
fn null_and_invented_handles_have_the_measured_codes() {
    let _machine = Machine::builder().devices(2).install();
    primary(0);
    assert_eq!(cu!(cuStreamDestroy_v2(null_mut())), 400);
    assert_eq!(cu!(cuEventDestroy_v2(null_mut())), 400, "709 with no context current");
    assert_eq!(cu!(cuStreamQuery(std::ptr::without_provenance_mut(0x1234_5678))), 400);
}

#[test]
fn unreachable_peer_memory_is_reported_and_reachable_is_not() {
    let mut machine = Machine::builder().devices(2).peers(0, 1).install();
    machine.for_seeds(SEEDS, |machine| {
        let other = primary(1);
        let memory = alloc(64);
        primary(0);
        ok!(cuCtxEnablePeerAccess(other, 0));
        let (stream, fill) = (stream(), function(module(), c"fill"));
        assert_eq!(launch_fill(fill, stream, 4, 1, memory), 0);
        ok!(cuStreamSynchronize(stream));
        machine.assert_no_findings();
        ok!(cuCtxDisablePeerAccess(other));
        assert_eq!(launch_fill(fill, stream, 4, 1, memory), 0);
        assert_eq!(cu!(cuStreamSynchronize(stream)), 700);
        assert!(machine.found(FindingKind::UnreachablePeer, "cuLaunchKernel"));
        assert!(machine.findings()[0].text.contains("device 1"));
    });
}

#[test]
fn copies_and_fills_beyond_a_block_are_reported() {
    reports(FindingKind::OutOfBounds, &["cuMemsetD32Async"], || {
        primary(0);
        let (memory, stream) = (alloc(60), stream());
        assert_eq!(cu!(cuMemsetD32Async(memory, 0, 16, stream)), 1);
    });
}

#[test]
fn out_of_bounds_in_a_kernel_names_kernel_line_thread_and_address() {
    let mut machine = Machine::builder().devices(2).install();
    machine.for_seeds(SEEDS, |machine| {
        primary(0);
        let (memory, stream, fill) = (alloc(40), stream(), function(module(), c"fill"));
        assert_eq!(launch_fill(fill, stream, 11, 1, memory), 0);
        assert_eq!(cu!(cuStreamSynchronize(stream)), 700);
        let findings = machine.findings();
        assert_eq!(findings.len(), 1, "{findings:#?}");
        let text = &findings[0].text;
        for word in [
            "cuLaunchKernel",
            "kernel fill",
            "PTX line",
            "thread (10,0,0)",
            "cuMemAlloc_v2",
            &format!("{:#x}", memory + 40),
        ] {
            assert!(text.contains(word), "{word} in {text}");
        }
    });
}
