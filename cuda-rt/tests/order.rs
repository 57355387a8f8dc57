//! Order across streams, on a real device: with late work, a missing wait shows.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use cuda_rt::driver::{Kernel, Module, Stream};
use cuda_rt::{DeviceBuffer, LaunchConfig};

const N: usize = 1 << 16;
const COUNT: u32 = 1 << 16;
const LATE: u64 = 20_000_000;

fn config() -> LaunchConfig {
    LaunchConfig::for_elements(N, 256).unwrap()
}

fn late_fill(stream: &Stream, kernel: &Kernel, value: u32, out: &mut DeviceBuffer<u32>) {
    // SAFETY: the kernel writes `out` below N.
    unsafe { stream.launch(kernel, config()).arg(LATE).arg(COUNT).arg(value).arg(out).submit() }.unwrap();
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn read_on_other_stream_sees_late_write() {
    let (context, a) = common::start();
    let b = Stream::new(&context).unwrap();
    let slow = Module::load(&context, common::TESTING).unwrap().kernel("slow_fill").unwrap();
    let mut buffer = a.buffer_zeroed(N).unwrap();
    for round in 1..=5 {
        late_fill(&a, &slow, round, &mut buffer);
        assert_eq!(buffer.to_vec(&b).unwrap(), vec![round; N]);
    }
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn write_waits_for_readers_on_every_stream() {
    let (context, home) = common::start();
    let module = Module::load(&context, common::TESTING).unwrap();
    let (slow, fill) = (module.kernel("slow_fill").unwrap(), module.kernel("fill").unwrap());
    let readers: Vec<Stream> = (0..6).map(|_| Stream::new(&context).unwrap()).collect();
    let writer = Stream::new(&context).unwrap();
    let mut source = home.buffer_from(&vec![7_u32; N]).unwrap();
    let spin = module.kernel("spin").unwrap();
    let copy = |stream: &Stream, source: &DeviceBuffer<u32>| {
        // The reading stream is late: it holds a spinning kernel before its copy.
        // SAFETY: the kernel accesses no memory.
        unsafe { stream.launch(&spin, LaunchConfig::new(1, 1)).arg(LATE).submit() }.unwrap();
        stream.buffer_copy(source).unwrap()
    };
    let copies: Vec<DeviceBuffer<u32>> = readers.iter().map(|stream| copy(stream, &source)).collect();
    // SAFETY: the kernel writes `out` below N.
    unsafe { writer.launch(&fill, config()).arg(COUNT).arg(9_u32).arg(&mut source).submit() }.unwrap();
    for (copy, stream) in copies.iter().zip(&readers) {
        assert_eq!(copy.to_vec(stream).unwrap(), vec![7; N], "the writer did not wait");
    }
    assert_eq!(source.to_vec(&home).unwrap(), vec![9; N]);
    drop(slow);
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn timed_drop_frees_behind_uses_on_other_streams() {
    let (context, home) = common::start();
    let other = Stream::new(&context).unwrap();
    let slow = Module::load(&context, common::TESTING).unwrap().kernel("slow_fill").unwrap();
    let mut buffer = home.buffer_zeroed::<u32>(N).unwrap();
    late_fill(&other, &slow, 3, &mut buffer);
    let started = std::time::Instant::now();
    drop(buffer);
    assert!(started.elapsed().as_nanos() < u128::from(LATE), "drop waited for the GPU");
    // The freed block is the first candidate for the next allocation on its home stream.
    let next = home.buffer_from(&vec![5_u32; N]).unwrap();
    other.synchronize().unwrap();
    assert_eq!(next.to_vec(&home).unwrap(), vec![5; N], "a late write hit memory that was freed");
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn timed_kernel_and_stream_dropped_with_work_pending() {
    let (context, home) = common::start();
    let mut buffer = home.buffer_zeroed::<u32>(N).unwrap();
    {
        let stream = Stream::new(&context).unwrap();
        let slow = Module::load(&context, common::TESTING).unwrap().kernel("slow_fill").unwrap();
        late_fill(&stream, &slow, 11, &mut buffer);
        let started = std::time::Instant::now();
        drop(slow);
        drop(stream);
        assert!(started.elapsed().as_nanos() < u128::from(LATE), "drop waited for the GPU");
    }
    assert_eq!(buffer.to_vec(&home).unwrap(), vec![11; N]);
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn foreign_stream_is_ordered_and_not_destroyed() {
    let (context, home) = common::start();
    let module = Module::load(&context, common::TESTING).unwrap();
    let slow = module.kernel("slow_fill").unwrap();
    let owner = Stream::new(&context).unwrap();
    let raw = owner.as_raw();
    // SAFETY: the owner is kept alive by the borrowed stream.
    let lent = unsafe { Stream::borrow_raw(raw, &context, owner) };
    let mut buffer = home.buffer_zeroed::<u32>(N).unwrap();
    late_fill(&lent, &slow, 4, &mut buffer);
    assert_eq!(buffer.to_vec(&home).unwrap(), vec![4; N]);
    let on_lent = lent.buffer_from(&[1_u8, 2, 3]).unwrap();
    assert_eq!(on_lent.to_vec(&home).unwrap(), [1, 2, 3]);
    drop((on_lent, lent));
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn raw_round_trip_frees_once() {
    let (context, stream) = common::start();
    let buffer = stream.buffer_from(&[1_u8]).unwrap();
    let stream = stream.into_raw().expect_err("a buffer still uses it");
    drop(buffer);
    let raw = stream.into_raw().expect("nobody uses it");
    // SAFETY: the handle was just given away by its owner.
    let again = unsafe { Stream::from_raw(raw, &context) };
    again.synchronize().unwrap();
    drop(again);
    let more = Stream::new(&context).unwrap();
    more.synchronize().unwrap();
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn readers_on_threads_share_one_buffer() {
    let (context, home) = common::start();
    let slow = Module::load(&context, common::TESTING).unwrap().kernel("slow_fill").unwrap();
    let mut buffer = home.buffer_zeroed::<u32>(N).unwrap();
    late_fill(&home, &slow, 21, &mut buffer);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let stream = Stream::new(&context).unwrap();
                for _ in 0..20 {
                    assert_eq!(buffer.to_vec(&stream).unwrap(), vec![21; N]);
                }
            });
        }
    });
    late_fill(&home, &slow, 22, &mut buffer);
    assert_eq!(buffer.to_vec(&home).unwrap(), vec![22; N]);
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn timed_first_launch_of_a_library_kernel_does_not_wait_for_other_streams() {
    use cuda_rt::runtime;
    common::in_child("timed_first_launch_of_a_library_kernel_does_not_wait_for_other_streams", &[], || {
        let (context, busy) = common::start();
        let spin = Module::load(&context, common::TESTING).unwrap().kernel("spin").unwrap();
        runtime::set_device(0).unwrap();
        let stream = runtime::Stream::new().unwrap();
        let empty = runtime::Library::load(common::TESTING).unwrap().kernel("empty").unwrap();
        // SAFETY: the kernel accesses no memory.
        unsafe { busy.launch(&spin, LaunchConfig::new(1, 1)).arg(300_000_000_u64).submit() }.unwrap();
        let started = std::time::Instant::now();
        // SAFETY: as above.
        unsafe { stream.launch(&empty, LaunchConfig::new(1, 1)).submit() }.unwrap();
        stream.synchronize().unwrap();
        assert!(started.elapsed().as_millis() < 150, "the launch waited {:?}", started.elapsed());
        assert!(!busy.is_done().unwrap());
    });
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn runtime_kernel_on_the_same_stream_of_the_driver_layer() {
    use cuda_rt::runtime;
    let stream = runtime::Stream::new().unwrap();
    let fill = runtime::Library::load(common::TESTING).unwrap().kernel("fill").unwrap();
    let mut out = stream.buffer_zeroed::<u32>(8).unwrap();
    let (driver, kernel) = (stream.as_driver(), fill.as_driver());
    // SAFETY: the kernel writes below 8.
    unsafe { driver.launch(&kernel, LaunchConfig::new(1, 8)).arg(8_u32).arg(3_u32).arg(&mut out).submit() }.unwrap();
    assert_eq!(out.to_vec(&stream).unwrap(), [3; 8]);
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn legacy_default_stream_borrowed_with_another_context_current() {
    common::in_child("legacy_default_stream_borrowed_with_another_context_current", &[], || {
        let (context, other) = common::start();
        let mut created = std::ptr::null_mut();
        let device = context.device().as_raw();
        // SAFETY: a place for the handle; no parameters.
        let code = unsafe { cuda_driver_sys::cuCtxCreate_v4(&raw mut created, std::ptr::null_mut(), 0, device) };
        assert_eq!(code, cuda_driver_sys::CUresult::CUDA_SUCCESS);
        // SAFETY: the legacy default stream of the primary context, which the context keeps.
        let legacy = unsafe { Stream::borrow_raw(std::ptr::null_mut(), &context, context.clone()) };
        let slow = Module::load(&context, common::TESTING).unwrap().kernel("slow_fill").unwrap();
        let mut buffer = legacy.buffer_zeroed::<u32>(N).unwrap();
        late_fill(&legacy, &slow, 6, &mut buffer);
        assert_eq!(buffer.to_vec(&other).unwrap(), vec![6; N]);
        drop(buffer);
    });
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn many_short_lived_streams_do_not_pile_up_in_a_record() {
    let (context, _home) = common::start();
    let empty = Module::load(&context, common::TESTING).unwrap().kernel("empty").unwrap();
    let mut seen = std::collections::HashSet::new();
    for _ in 0..500 {
        let stream = Stream::new(&context).unwrap();
        // SAFETY: the kernel accesses no memory.
        unsafe { stream.launch(&empty, LaunchConfig::new(1, 1)).submit() }.unwrap();
        stream.synchronize().unwrap();
        seen.insert(stream.as_raw().addr());
    }
    assert!(seen.len() < 100, "{} handles: destroyed ones would have been recycled", seen.len());
}
