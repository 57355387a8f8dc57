//! The rules of order, of events, of waiting, of contexts: asked of the simulator, and with
//! `--features gpu` of a real driver, which must answer the same.
//!
//! The work is late: a kernel waits, then writes. Who comes behind it without an order reads the old
//! value on a GPU; on the simulator that is a race for every seed.

#![allow(clippy::unwrap_used)]

mod common;

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering};

use common::raw::*;
use common::target::{Place, in_child, on_target};

/// How late the late kernel is, in nanoseconds.
const LATE: u64 = 20_000_000;
const OLD: u32 = 3;
const NEW: u32 = 7;
const PER_THREAD: usize = 2;

/// One round: memory of 16 words that hold `OLD`, and a kernel that fills them late.
struct Round {
    module: CUmodule,
    slow: CUfunction,
    memory: CUdeviceptr,
}

impl Round {
    fn new() -> Self {
        primary(0);
        let (module, memory) = (module(), alloc(64));
        let slow = function(module, c"slow_fill");
        ok!(cuMemsetD32_v2(memory, OLD, 16));
        ok!(cuCtxSynchronize());
        Self { module, slow, memory }
    }

    fn write_late(&self, stream: CUstream, value: u32) {
        let (mut ns, mut n, mut value, mut out) = (LATE, 16_u32, value, self.memory);
        let mut arguments =
            [(&raw mut ns).cast::<c_void>(), (&raw mut n).cast(), (&raw mut value).cast(), (&raw mut out).cast()];
        ok!(cuLaunchKernel(self.slow, 1, 1, 1, 16, 1, 1, 0, stream, arguments.as_mut_ptr(), null_mut()));
    }

    fn read(&self, stream: CUstream) -> Vec<u32> {
        read(self.memory, 16, stream)
    }

    /// Writes late on one stream, reads on the other.
    fn late_then_read(&self, from: CUstream, to: CUstream, between: impl FnOnce()) -> Vec<u32> {
        self.write_late(from, NEW);
        between();
        let words = self.read(to);
        ok!(cuCtxSynchronize());
        words
    }

    fn end(self, streams: &[CUstream]) {
        ok!(cuCtxSynchronize());
        ok!(cuMemFree_v2(self.memory));
        ok!(cuModuleUnload(self.module));
        streams.iter().for_each(|stream| ok!(cuStreamDestroy_v2(*stream)));
        release(0);
    }
}

fn per_thread() -> CUstream {
    std::ptr::without_provenance_mut(PER_THREAD)
}

#[test]
fn legacy_stream_waits_for_blocking_streams_and_they_for_it() {
    on_target(|_| {
        let (round, blocking) = (Round::new(), stream_with(0));
        assert_eq!(round.late_then_read(blocking, LEGACY, || {}), [NEW; 16]);
        round.end(&[blocking]);
        let (round, blocking) = (Round::new(), stream_with(0));
        assert_eq!(round.late_then_read(LEGACY, blocking, || {}), [NEW; 16]);
        round.end(&[blocking]);
    });
}

#[test]
fn legacy_stream_and_non_blocking_streams_do_not_wait_for_each_other() {
    for up in [true, false] {
        on_target(|place| {
            let (round, other) = (Round::new(), stream_with(1));
            let (from, to) = if up { (other, LEGACY) } else { (LEGACY, other) };
            let words = round.late_then_read(from, to, || {});
            place.assert_unordered(&words, OLD);
            round.end(&[other]);
        });
    }
}

#[test]
fn two_blocking_streams_do_not_wait_for_each_other() {
    on_target(|place| {
        let (round, a, b) = (Round::new(), stream_with(0), stream_with(0));
        let words = round.late_then_read(a, b, || {});
        place.assert_unordered(&words, OLD);
        round.end(&[a, b]);
    });
}

#[test]
fn work_on_the_legacy_stream_between_two_blocking_ones_orders_them() {
    on_target(|_| {
        let (round, a, b, other) = (Round::new(), stream_with(0), stream_with(0), alloc(64));
        let words = round.late_then_read(a, b, || ok!(cuMemsetD8Async(other, 0, 64, LEGACY)));
        assert_eq!(words, [NEW; 16]);
        ok!(cuMemFree_v2(other));
        round.end(&[a, b]);
    });
}

#[test]
fn per_thread_default_stream_is_a_blocking_one() {
    on_target(|_| {
        let round = Round::new();
        assert_eq!(round.late_then_read(per_thread(), LEGACY, || {}), [NEW; 16]);
        round.end(&[]);
    });
    on_target(|place| {
        let (round, blocking) = (Round::new(), stream_with(0));
        let words = round.late_then_read(per_thread(), blocking, || {});
        place.assert_unordered(&words, OLD);
        round.end(&[blocking]);
    });
}

#[test]
fn per_thread_default_streams_of_two_threads_do_not_wait_for_each_other() {
    on_target(|place| {
        let round = Round::new();
        let mut context = null_mut();
        ok!(cuCtxGetCurrent(&raw mut context));
        let (context, memory) = (context.expose_provenance(), round.memory);
        let words = round.late_then_read_elsewhere(move || {
            ok!(cuCtxSetCurrent(std::ptr::with_exposed_provenance_mut(context)));
            read(memory, 16, per_thread())
        });
        place.assert_unordered(&words, OLD);
        round.end(&[]);
    });
}

impl Round {
    /// Writes late on this thread's default stream; another thread reads.
    fn late_then_read_elsewhere(&self, read: impl FnOnce() -> Vec<u32> + Send + 'static) -> Vec<u32> {
        self.write_late(per_thread(), NEW);
        let words = std::thread::spawn(read).join().unwrap();
        ok!(cuCtxSynchronize());
        words
    }
}

/// Two non-blocking streams, and what is between the write and the read.
fn between(place: &Place<'_>, ordered: bool, between: impl FnOnce(CUstream, CUstream)) {
    let (round, a, b) = (Round::new(), stream(), stream());
    let words = round.late_then_read(a, b, || between(a, b));
    if ordered {
        assert_eq!(words, [NEW; 16]);
    } else {
        place.assert_unordered(&words, OLD);
    }
    round.end(&[a, b]);
}

#[test]
fn waits_of_stream_host_and_context_are_orders_and_nothing_is_none() {
    on_target(|place| between(place, false, |_, _| {}));
    on_target(|place| between(place, true, |a, b| join(b, a)));
    on_target(|place| between(place, true, |a, _| ok!(cuStreamSynchronize(a))));
    on_target(|place| between(place, true, |_, _| ok!(cuCtxSynchronize())));
    on_target(|place| {
        between(place, true, |a, _| {
            let event = event();
            ok!(cuEventRecord(event, a));
            ok!(cuEventSynchronize(event));
            ok!(cuEventDestroy_v2(event));
        });
    });
}

#[test]
fn a_wait_means_the_events_state_at_the_call() {
    // Recorded again elsewhere after the wait: it still means the first record.
    on_target(|place| {
        between(place, true, |a, b| {
            let (event, other) = (event(), stream());
            ok!(cuEventRecord(event, a));
            ok!(cuStreamWaitEvent(b, event, 0));
            ok!(cuEventRecord(event, other));
            ok!(cuEventDestroy_v2(event));
            ok!(cuStreamDestroy_v2(other));
        });
    });
    // Recorded behind the write after the wait: too late.
    on_target(|place| {
        between(place, false, |a, b| {
            let (event, other) = (event(), stream());
            ok!(cuEventRecord(event, other));
            ok!(cuStreamWaitEvent(b, event, 0));
            ok!(cuEventRecord(event, a));
            ok!(cuEventDestroy_v2(event));
            ok!(cuStreamDestroy_v2(other));
        });
    });
}

#[test]
fn a_never_recorded_event_is_complete_and_orders_nothing() {
    on_target(|place| {
        between(place, false, |_, b| {
            let event = event();
            ok!(cuEventQuery(event));
            ok!(cuEventSynchronize(event));
            ok!(cuStreamWaitEvent(b, event, 0));
            ok!(cuEventDestroy_v2(event));
        });
    });
}

#[test]
fn queries_say_600_till_the_work_is_done_and_are_orders_then() {
    let poll = |query: &dyn Fn() -> u32| {
        let mut fruitless = 0_u64;
        loop {
            match query() {
                0 => break,
                code => assert_eq!(code, 600),
            }
            fruitless += 1;
            assert!(fruitless < 1 << 32);
        }
        assert_eq!(query(), 0, "done is done");
        fruitless
    };
    on_target(|place| {
        between(place, true, |a, _| {
            let fruitless = poll(&|| cu!(cuStreamQuery(a)));
            assert!(fruitless > 0 || !common::target::ON_GPU, "the first query came before the end");
        });
    });
    on_target(|place| {
        between(place, true, |a, _| {
            let event = event();
            ok!(cuEventRecord(event, a));
            poll(&|| cu!(cuEventQuery(event)));
            ok!(cuEventDestroy_v2(event));
        });
    });
}

#[test]
fn pageable_source_is_taken_at_the_call_and_pageable_target_is_there_at_return() {
    for bytes in [64, 64 << 10, 1 << 20] {
        on_target(|_| {
            let (round, a, memory) = (Round::new(), stream(), alloc(bytes));
            let mut source = vec![1_u8; bytes];
            round.write_late(a, NEW);
            ok!(cuMemcpyHtoDAsync_v2(memory, source.as_ptr().cast(), bytes, a));
            source.fill(2);
            let mut target = vec![0_u8; bytes];
            ok!(cuMemcpyDtoHAsync_v2(target.as_mut_ptr().cast(), memory, bytes, a));
            assert!(target.iter().all(|byte| *byte == 1), "{bytes}");
            ok!(cuMemFree_v2(memory));
            round.end(&[a]);
        });
        if !common::target::ON_GPU && bytes > 64 {
            break;
        }
    }
}

#[test]
fn blocking_download_waits_for_blocking_streams_only() {
    let download = |round: &Round| {
        let mut words = vec![0_u32; 16];
        ok!(cuMemcpyDtoH_v2(words.as_mut_ptr().cast(), round.memory, 64));
        words
    };
    on_target(|_| {
        let (round, a) = (Round::new(), stream_with(0));
        round.write_late(a, NEW);
        assert_eq!(download(&round), [NEW; 16]);
        round.end(&[a]);
    });
    on_target(|place| {
        let (round, a) = (Round::new(), stream());
        round.write_late(a, NEW);
        let words = download(&round);
        ok!(cuCtxSynchronize());
        place.assert_unordered(&words, OLD);
        round.end(&[a]);
    });
}

#[test]
fn a_destroyed_stream_completes_its_work() {
    on_target(|_| {
        let (round, a, b) = (Round::new(), stream(), stream());
        round.write_late(a, NEW);
        join(b, a);
        ok!(cuStreamDestroy_v2(a));
        assert_eq!(round.read(b), [NEW; 16]);
        round.end(&[b]);
    });
}

#[test]
fn stream_ordered_memory_is_given_out_again_in_order() {
    on_target(|_| {
        let (round, a, b) = (Round::new(), stream(), stream());
        let first = alloc_async(64, a);
        let late = Round { memory: first, ..round };
        late.write_late(a, 1);
        ok!(cuMemFreeAsync(first, a));
        // Another stream's block is another one: nothing orders it behind the free.
        let elsewhere = alloc_async(64, b);
        assert_ne!(first, elsewhere);
        let second = alloc_async(64, a);
        ok!(cuMemsetD32Async(second, 2, 16, a));
        assert_eq!(read(second, 16, a), [2; 16]);
        // The partner that does not wait, and the one that does.
        ok!(cuMemFreeAsync(second, a));
        ok!(cuStreamSynchronize(b));
        ok!(cuMemFree_v2(elsewhere));
        Round { memory: round.memory, ..late }.end(&[a, b]);
    });
}

#[test]
fn a_function_called_by_a_stream_comes_in_order_and_may_not_call() {
    static SEEN: AtomicU32 = AtomicU32::new(0);
    unsafe extern "C" fn look(_: *mut c_void) {
        SEEN.store(cu!(cuStreamQuery(LEGACY)), Ordering::Relaxed);
    }
    on_target(|_| {
        let (round, a) = (Round::new(), stream());
        SEEN.store(0, Ordering::Relaxed);
        round.write_late(a, NEW);
        ok!(cuLaunchHostFunc(a, Some(look), null_mut()));
        ok!(cuStreamSynchronize(a));
        assert_eq!(SEEN.load(Ordering::Relaxed), 800);
        round.end(&[a]);
    });
}

fn current() -> CUcontext {
    let mut context = null_mut();
    ok!(cuCtxGetCurrent(&raw mut context));
    context
}

#[test]
fn the_threads_stack_of_contexts_follows_its_rules() {
    in_child("the_threads_stack_of_contexts_follows_its_rules", |_| {
        ok!(cuInit(0));
        assert!(current().is_null());
        assert_eq!(cu!(cuCtxPopCurrent_v2(null_mut())), 201);
        ok!(cuCtxSetCurrent(null_mut()));
        let one = primary(0);
        ok!(cuCtxSetCurrent(one));
        let two = create_context(0);
        assert_eq!(current(), two, "a new context is pushed");
        ok!(cuCtxPushCurrent_v2(one));
        ok!(cuCtxPushCurrent_v2(one));
        let mut popped = null_mut();
        ok!(cuCtxPopCurrent_v2(&raw mut popped));
        assert_eq!((popped, current()), (one, one));
        ok!(cuCtxSetCurrent(two));
        assert_eq!(current(), two, "the top was replaced");
        ok!(cuCtxSetCurrent(null_mut()));
        assert_eq!(current(), two, "null pops");
        std::thread::spawn(|| assert!(current().is_null())).join().unwrap();
        ok!(cuCtxDestroy_v2(two));
        assert_eq!(current(), one, "a context that is destroyed and current is popped");
        ok!(cuCtxPopCurrent_v2(null_mut()));
        assert!(current().is_null());
        ok!(cuDevicePrimaryCtxRelease_v2(0));
    });
}

#[test]
fn the_primary_context_lives_as_long_as_it_is_referred_to() {
    fn active() -> bool {
        let (mut flags, mut active) = (7, 7);
        ok!(cuDevicePrimaryCtxGetState(0, &raw mut flags, &raw mut active));
        active != 0
    }
    fn id(context: CUcontext) -> u64 {
        let mut id = 0;
        ok!(cuCtxGetId(context, &raw mut id));
        id
    }
    in_child("the_primary_context_lives_as_long_as_it_is_referred_to", |place| {
        place.makes_mistakes();
        ok!(cuInit(0));
        assert!(!active());
        let (mut a, mut b) = (null_mut(), null_mut());
        ok!(cuDevicePrimaryCtxRetain(&raw mut a, 0));
        ok!(cuDevicePrimaryCtxRetain(&raw mut b, 0));
        assert_eq!(a, b);
        assert!(active() && current().is_null(), "retaining makes nothing current");
        let first = id(a);
        ok!(cuDevicePrimaryCtxRelease_v2(0));
        assert!(active());
        ok!(cuDevicePrimaryCtxRelease_v2(0));
        assert!(!active());
        assert_eq!(cu!(cuDevicePrimaryCtxRelease_v2(0)), 201);
        ok!(cuDevicePrimaryCtxRetain(&raw mut b, 0));
        assert_eq!(a, b, "its handle is for ever");
        assert_ne!(id(b), first, "its number is not");
        ok!(cuDevicePrimaryCtxRelease_v2(0));
    });
}

#[test]
#[cfg_attr(feature = "gpu", ignore = "the real driver crashes when it is asked about a dead stream")]
fn handles_of_a_released_context() {
    in_child("handles_of_a_released_context", |place| {
        place.makes_mistakes();
        primary(0);
        let (stream, event, memory, module) = (stream(), [event(), event()], alloc(64), module());
        ok!(cuDevicePrimaryCtxRelease_v2(0));
        assert!(!current().is_null(), "what is current stays");
        assert_eq!([cu!(cuStreamQuery(stream)), cu!(cuStreamSynchronize(stream))], [709; 2]);
        assert_eq!([cu!(cuMemFree_v2(memory)), cu!(cuModuleUnload(module))], [709, 400]);
        assert_eq!(cu!(cuEventDestroy_v2(event[0])), 709);
        let mut context = null_mut();
        ok!(cuDevicePrimaryCtxRetain(&raw mut context, 0));
        assert_eq!(context, current(), "alive again");
        assert_eq!([cu!(cuStreamQuery(stream)), cu!(cuMemFree_v2(memory)), cu!(cuModuleUnload(module))], [709, 1, 400]);
        assert_eq!(cu!(cuEventDestroy_v2(event[1])), 201);
        ok!(cuCtxSetCurrent(null_mut()));
        ok!(cuDevicePrimaryCtxRelease_v2(0));
    });
}

#[test]
fn a_second_device_needs_leave_to_be_reached() {
    on_target(|_| {
        ok!(cuInit(0));
        let mut count = 0;
        ok!(cuDeviceGetCount(&raw mut count));
        let mut can = 7;
        ok!(cuDeviceCanAccessPeer(&raw mut can, 0, 0));
        assert_eq!(can, 0, "not one's own peer");
        assert_eq!(cu!(cuDeviceCanAccessPeer(&raw mut can, 0, count)), 101);
        if count < 2 {
            println!("skipped: peer access between two devices, there is one");
        }
    });
}
