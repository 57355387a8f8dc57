//! The rules of order: what comes before what, and nothing more. Each rule for many seeds.

mod common;

use common::raw::*;
use cuda_sim::{FindingKind, Machine, Schedule};

const SEEDS: std::ops::Range<u64> = 0..200;

/// Fills on one stream, reads on another; `between` may put the two in order.
fn write_then_read(between: impl FnOnce(CUstream, CUstream)) -> Vec<u32> {
    primary(0);
    let (a, b) = (stream(), stream());
    let memory = alloc(64);
    ok!(cuMemsetD32Async(memory, 7, 16, a));
    between(a, b);
    let words = read(memory, 16, b);
    ok!(cuStreamSynchronize(a));
    ok!(cuMemFree_v2(memory));
    ok!(cuStreamDestroy_v2(a));
    ok!(cuStreamDestroy_v2(b));
    release(0);
    words
}

#[test]
fn missing_wait_is_caught_for_every_seed_even_where_the_data_are_equal() {
    let mut machine = Machine::builder().install();
    let (mut seen_new, mut seen_old) = (false, false);
    machine.for_seeds(SEEDS, |machine| {
        let words = write_then_read(|_, _| {});
        seen_new |= words == [7; 16];
        seen_old |= words != [7; 16];
        let findings = machine.findings();
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert_eq!(findings[0].kind, FindingKind::Race);
        let text = findings[0].to_string();
        assert!(text.contains("cuMemsetD32Async") && text.contains("cuMemcpyDtoHAsync_v2"), "{text}");
        assert!(text.contains("stream 1") && text.contains("stream 2") && text.contains("bytes 0..64"), "{text}");
    });
    assert!(seen_new && seen_old, "both outcomes occur");
}

#[test]
fn event_wait_is_an_order() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(SEEDS, |machine| {
        assert_eq!(write_then_read(|a, b| join(b, a)), [7; 16]);
        machine.assert_clean();
    });
}

#[test]
fn host_synchronisation_and_a_successful_query_are_orders() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(SEEDS, |machine| {
        assert_eq!(write_then_read(|a, _| ok!(cuStreamSynchronize(a))), [7; 16]);
        assert_eq!(write_then_read(|a, _| while cu!(cuStreamQuery(a)) == 600 {}), [7; 16]);
        assert_eq!(write_then_read(|_, _| ok!(cuCtxSynchronize())), [7; 16]);
        machine.assert_clean();
    });
}

#[test]
fn a_query_that_says_not_ready_is_no_order() {
    let mut machine = Machine::builder().schedule(Schedule::Lazy).install();
    machine.for_seeds(SEEDS, |machine| {
        let mut ready = false;
        write_then_read(|a, _| ready = cu!(cuStreamQuery(a)) == 0);
        assert_eq!(machine.findings().is_empty(), ready);
    });
}

#[test]
fn wait_keeps_the_state_of_the_event_at_the_call() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(SEEDS, |machine| {
        // Recorded, waited for, recorded again elsewhere: the wait means the first record.
        let words = write_then_read(|a, b| {
            let (event, other) = (event(), stream());
            ok!(cuEventRecord(event, a));
            ok!(cuStreamWaitEvent(b, event, 0));
            ok!(cuEventRecord(event, other));
            ok!(cuEventDestroy_v2(event));
            ok!(cuStreamDestroy_v2(other));
        });
        assert_eq!(words, [7; 16]);
        machine.assert_clean();
        // Recorded before the write, and again after it: the wait between means the first.
        write_then_read(|a, b| {
            let (event, other) = (event(), stream());
            ok!(cuEventRecord(event, other));
            ok!(cuStreamWaitEvent(b, event, 0));
            ok!(cuEventRecord(event, a));
            ok!(cuEventDestroy_v2(event));
            ok!(cuStreamDestroy_v2(other));
        });
        assert!(machine.found(FindingKind::Race, "cuMemsetD32Async"));
    });
}

#[test]
fn never_recorded_event_counts_as_complete_and_orders_nothing() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(SEEDS, |machine| {
        write_then_read(|_, b| {
            let event = event();
            ok!(cuEventQuery(event));
            ok!(cuEventSynchronize(event));
            ok!(cuStreamWaitEvent(b, event, 0));
            ok!(cuEventDestroy_v2(event));
        });
        assert!(machine.found(FindingKind::Race, "cuMemsetD32Async"));
    });
}

#[test]
fn legacy_stream_orders_blocking_streams_and_no_others() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(SEEDS, |machine| {
        primary(0);
        let (blocking, non_blocking) = (stream_with(0), stream());
        let (x, y) = (alloc(64), alloc(64));
        ok!(cuMemsetD32Async(x, 1, 16, blocking));
        ok!(cuMemcpyDtoDAsync_v2(y, x, 64, LEGACY));
        assert_eq!(read(y, 16, blocking), [1; 16]);
        machine.assert_no_findings();
        ok!(cuMemsetD32Async(y, 2, 16, LEGACY));
        read(y, 16, non_blocking);
        assert!(machine.found(FindingKind::Race, "cuMemsetD32Async"));
        ok!(cuCtxSynchronize());
        [x, y].into_iter().for_each(|memory| ok!(cuMemFree_v2(memory)));
        [blocking, non_blocking].into_iter().for_each(|stream| ok!(cuStreamDestroy_v2(stream)));
        release(0);
    });
}

#[test]
fn two_blocking_streams_have_no_order_without_the_legacy_one() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(SEEDS, |machine| {
        primary(0);
        let (a, b) = (stream_with(0), stream_with(0));
        let memory = alloc(64);
        ok!(cuMemsetD32Async(memory, 1, 16, a));
        read(memory, 16, b);
        assert!(machine.found(FindingKind::Race, "cuMemsetD32Async"));
    });
}

#[test]
fn per_thread_default_stream_is_a_blocking_stream_of_each_thread() {
    let mut machine = Machine::builder().install();
    let per_thread: usize = 2;
    machine.for_seeds(SEEDS, |machine| {
        let context = primary(0).expose_provenance();
        let mine: CUstream = std::ptr::without_provenance_mut(per_thread);
        let (x, y) = (alloc(64), alloc(64));
        // The legacy stream waits for it.
        ok!(cuMemsetD32Async(x, 1, 16, mine));
        ok!(cuMemcpyDtoDAsync_v2(y, x, 64, LEGACY));
        assert_eq!(read(y, 16, mine), [1; 16]);
        machine.assert_no_findings();
        // Another thread's is another stream.
        ok!(cuMemsetD32Async(x, 2, 16, mine));
        std::thread::spawn(move || {
            ok!(cuCtxSetCurrent(std::ptr::with_exposed_provenance_mut(context)));
            ok!(cuMemsetD32Async(x, 3, 16, std::ptr::without_provenance_mut(per_thread)));
        })
        .join()
        .unwrap();
        assert!(machine.found(FindingKind::Race, "cuMemsetD32Async"));
    });
}

#[test]
fn freeing_and_loading_are_no_orders() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(SEEDS, |machine| {
        write_then_read(|_, _| ok!(cuMemFree_v2(alloc(16))));
        assert!(machine.found(FindingKind::Race, "cuMemsetD32Async"));
        let before = machine.findings().len();
        write_then_read(|_, _| ok!(cuModuleUnload(module())));
        assert_eq!(machine.findings().len(), before + 1);
    });
}

#[test]
fn pageable_source_is_taken_at_the_call_and_pageable_target_is_there_at_return() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(SEEDS, |machine| {
        primary(0);
        let (a, memory) = (stream(), alloc(64));
        let mut source = [3_u32; 16];
        ok!(cuMemcpyHtoDAsync_v2(memory, source.as_ptr().cast(), 64, a));
        source.fill(4);
        let mut target = vec![0_u32; 16];
        ok!(cuMemcpyDtoHAsync_v2(target.as_mut_ptr().cast(), memory, 64, a));
        assert_eq!(target, [3; 16]);
        machine.assert_no_findings();
        ok!(cuMemFree_v2(memory));
        ok!(cuStreamDestroy_v2(a));
        release(0);
        machine.assert_clean();
    });
}

#[test]
fn pinned_memory_is_copied_late() {
    let machine = Machine::builder().schedule(Schedule::Lazy).install();
    primary(0);
    let (a, memory, host) = (stream(), alloc(4), pinned(4));
    let word = host.cast::<u32>();
    // SAFETY: the block has room for a word; nobody else uses it now.
    unsafe { word.write(1) };
    ok!(cuMemcpyHtoDAsync_v2(memory, host, 4, a));
    // SAFETY: as above; the race with the copy is the subject.
    unsafe { word.write(2) };
    assert_eq!(read(memory, 1, a), [2], "the source was read when the copy ran");
    drop(machine);
}

#[test]
fn access_to_pinned_memory_by_the_program_is_checked_when_told() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(SEEDS, |machine| {
        primary(0);
        let (a, memory, host) = (stream(), alloc(64), pinned(64));
        // SAFETY: the block has 64 bytes, and the slice is not looked into.
        let words = unsafe { std::slice::from_raw_parts(host.cast::<u32>(), 16) };
        ok!(cuMemcpyDtoHAsync_v2(host, memory, 64, a));
        ok!(cuStreamSynchronize(a));
        machine.host_reads(words);
        machine.assert_no_findings();
        ok!(cuMemcpyDtoHAsync_v2(host, memory, 64, a));
        machine.host_reads(words);
        assert!(machine.found(FindingKind::Race, "cuMemcpyDtoHAsync_v2"));
    });
}

#[test]
fn stream_ordered_memory_is_given_out_again_in_order_only() {
    let mut machine = Machine::builder().install();
    let (mut again, mut other) = (0, 0);
    machine.for_seeds(SEEDS, |machine| {
        primary(0);
        let (a, b) = (stream(), stream());
        let first = alloc_async(64, a);
        ok!(cuMemsetD8Async(first, 1, 64, a));
        ok!(cuMemFreeAsync(first, a));
        let elsewhere = alloc_async(64, b);
        assert_ne!(first, elsewhere, "no order between the free and this");
        let second = alloc_async(64, a);
        if second == first {
            again += 1;
        } else {
            other += 1;
        }
        ok!(cuMemsetD8Async(second, 2, 64, a));
        assert_eq!(read(second, 16, a), [0x0202_0202; 16]);
        ok!(cuMemFreeAsync(second, a));
        ok!(cuMemFreeAsync(elsewhere, b));
        ok!(cuStreamDestroy_v2(a));
        ok!(cuStreamDestroy_v2(b));
        release(0);
        machine.assert_clean();
        assert_eq!(machine.memory_in_use(0), 0);
    });
    assert!(again > 50 && other > 50, "{again} {other}");
}

#[test]
fn blocking_upload_of_pageable_memory_is_no_order_for_other_streams() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(SEEDS, |machine| {
        primary(0);
        let (other, memory, source) = (stream(), alloc(64), [5_u32; 16]);
        ok!(cuMemcpyHtoD_v2(memory, source.as_ptr().cast(), 64));
        read(memory, 16, other);
        assert!(machine.found(FindingKind::Race, "cuMemcpyHtoD_v2"));
    });
}

#[test]
fn blocking_download_is_an_order() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(SEEDS, |machine| {
        primary(0);
        let (other, memory, source) = (stream(), alloc(64), [5_u32; 16]);
        ok!(cuMemcpyHtoD_v2(memory, source.as_ptr().cast(), 64));
        let mut target = [0_u32; 16];
        ok!(cuMemcpyDtoH_v2(target.as_mut_ptr().cast(), memory, 64));
        assert_eq!(target, source);
        ok!(cuMemsetD32Async(memory, 0, 16, other));
        ok!(cuStreamSynchronize(other));
        ok!(cuMemFree_v2(memory));
        ok!(cuStreamDestroy_v2(other));
        release(0);
        machine.assert_clean();
    });
}

#[test]
fn kernels_race_by_the_bytes_that_they_touch() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(0..50, |machine| {
        primary(0);
        let (a, b, memory, module) = (stream(), stream(), alloc(256), module());
        let fill = function(module, c"fill");
        // Neighbours: no race.
        assert_eq!(launch_fill(fill, a, 32, 1, memory), 0);
        assert_eq!(launch_fill(fill, b, 32, 2, memory + 128), 0);
        ok!(cuCtxSynchronize());
        machine.assert_no_findings();
        // One word in common.
        assert_eq!(launch_fill(fill, a, 33, 1, memory), 0);
        assert_eq!(launch_fill(fill, b, 32, 2, memory + 128), 0);
        ok!(cuCtxSynchronize());
        let findings = machine.findings();
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert!(
            findings[0].text.contains("kernel fill") && findings[0].text.contains("bytes 128..132"),
            "{}",
            findings[0]
        );
    });
}

#[test]
fn destroyed_stream_completes_its_work() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(SEEDS, |machine| {
        primary(0);
        let (a, b, memory) = (stream(), stream(), alloc(64));
        ok!(cuMemsetD32Async(memory, 9, 16, a));
        join(b, a);
        ok!(cuStreamDestroy_v2(a));
        assert_eq!(read(memory, 16, b), [9; 16]);
        ok!(cuMemFree_v2(memory));
        ok!(cuStreamDestroy_v2(b));
        release(0);
        machine.assert_clean();
    });
}

#[test]
fn callback_runs_in_order_and_may_not_call() {
    use std::sync::atomic::{AtomicU32, Ordering};
    static SEEN: AtomicU32 = AtomicU32::new(0);
    unsafe extern "C" fn look(_: *mut std::ffi::c_void) {
        SEEN.store(cu!(cuCtxSynchronize()), Ordering::Relaxed);
    }
    let mut machine = Machine::builder().install();
    machine.for_seeds(0..20, |_| {
        primary(0);
        let a = stream();
        SEEN.store(0, Ordering::Relaxed);
        ok!(cuLaunchHostFunc(a, Some(look), std::ptr::null_mut()));
        ok!(cuStreamSynchronize(a));
        assert_eq!(SEEN.load(Ordering::Relaxed), 800);
    });
}
