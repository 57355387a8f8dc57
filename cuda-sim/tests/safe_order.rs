//! Order across streams as the safe crate makes it: nothing may race, for a thousand schedules.

#![allow(clippy::unwrap_used, clippy::cast_possible_truncation)]

mod common;

use cuda_rt::{LaunchConfig, driver, runtime};
use cuda_sim::{FindingKind, Machine};

const N: usize = 64;

fn start() -> driver::Context {
    driver::Context::primary(driver::Device::new(0).unwrap()).unwrap()
}

/// Ends the context: what a drop had to put off is freed first, so that nothing outlives the seed.
fn end(context: driver::Context, machine: &Machine) {
    context.synchronize().unwrap();
    drop(context);
    machine.assert_clean();
}

fn config() -> LaunchConfig {
    LaunchConfig::for_elements(N, 32).unwrap()
}

#[test]
fn buffers_used_on_many_streams_never_race() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(0..1000, |machine| {
        let context = start();
        let streams: Vec<driver::Stream> = (0..4).map(|_| driver::Stream::new(&context).unwrap()).collect();
        let module = driver::Module::load(&context, common::TESTING).unwrap();
        let (fill, add) = (module.kernel("fill").unwrap(), module.kernel("add_one").unwrap());
        let mut a = streams[0].buffer_zeroed::<u32>(N).unwrap();
        for round in 0..3_u32 {
            let stream = &streams[(round as usize + 1) % 4];
            // SAFETY: the kernel writes below N.
            unsafe { stream.launch(&fill, config()).arg(N as u32).arg(round * 10).arg(&mut a).submit() }.unwrap();
            for stream in &streams {
                // SAFETY: as above.
                unsafe { stream.launch(&add, config()).arg(N as u32).arg(&mut a).submit() }.unwrap();
            }
            let copies: Vec<_> = streams.iter().map(|stream| stream.buffer_copy(&a).unwrap()).collect();
            // SAFETY: as above.
            unsafe { streams[0].launch(&add, config()).arg(N as u32).arg(&mut a).submit() }.unwrap();
            for (copy, stream) in copies.iter().zip(streams.iter().rev()) {
                assert_eq!(copy.to_vec(stream).unwrap(), [round * 10 + 4; N]);
            }
        }
        assert_eq!(a.to_vec(&streams[3]).unwrap(), [25; N]);
        drop((a, fill, add, module, streams));
        end(context, machine);
    });
}

#[test]
fn both_layers_share_one_order() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(0..1000, |machine| {
        let context = start();
        let ours = driver::Stream::new(&context).unwrap();
        runtime::set_device(0).unwrap();
        let theirs = runtime::Stream::new().unwrap();
        let mut buffer = ours.buffer_from(&[1_u32; N]).unwrap();
        buffer.copy_from_host(&theirs, &[2; N]).unwrap();
        assert_eq!(buffer.to_vec(&ours).unwrap(), [2; N]);
        let copy = theirs.buffer_copy(&buffer).unwrap();
        drop(buffer);
        assert_eq!(copy.to_vec(&ours).unwrap(), [2; N]);
        drop((copy, ours, theirs));
        end(context, machine);
    });
}

#[test]
fn memory_is_freed_behind_its_last_use() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(0..1000, |machine| {
        let context = start();
        let (home, other) = (driver::Stream::new(&context).unwrap(), driver::Stream::new(&context).unwrap());
        let module = driver::Module::load(&context, common::TESTING).unwrap();
        let fill = module.kernel("fill").unwrap();
        let mut buffer = home.buffer_zeroed::<u32>(N).unwrap();
        // SAFETY: the kernel writes below N.
        unsafe { other.launch(&fill, config()).arg(N as u32).arg(3_u32).arg(&mut buffer).submit() }.unwrap();
        let copy = other.buffer_copy(&buffer).unwrap();
        drop(buffer);
        drop(home);
        assert_eq!(copy.to_vec(&other).unwrap(), [3; N]);
        drop((copy, fill, module, other));
        end(context, machine);
    });
}

#[test]
fn foreign_stream_is_marked_and_kept() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(0..300, |machine| {
        let context = start();
        let home = driver::Stream::new(&context).unwrap();
        let owner = driver::Stream::new(&context).unwrap();
        let raw = owner.as_raw();
        // SAFETY: the owner is kept alive by the borrowed stream.
        let lent = unsafe { driver::Stream::borrow_raw(raw, &context, owner) };
        let module = driver::Module::load(&context, common::TESTING).unwrap();
        let fill = module.kernel("fill").unwrap();
        let mut buffer = home.buffer_zeroed::<u32>(N).unwrap();
        // SAFETY: the kernel writes below N.
        unsafe { lent.launch(&fill, config()).arg(N as u32).arg(4_u32).arg(&mut buffer).submit() }.unwrap();
        assert_eq!(buffer.to_vec(&home).unwrap(), [4; N]);
        let on_lent = lent.buffer_from(&[1_u8, 2, 3]).unwrap();
        assert_eq!(on_lent.to_vec(&home).unwrap(), [1, 2, 3]);
        drop((on_lent, buffer, fill, module, lent, home));
        end(context, machine);
    });
}

#[test]
fn threads_share_one_buffer() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(0..50, |machine| {
        let context = start();
        let home = driver::Stream::new(&context).unwrap();
        let mut buffer = home.buffer_zeroed::<u32>(N).unwrap();
        buffer.copy_from_host(&home, &[21; N]).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let stream = driver::Stream::new(&context).unwrap();
                    for _ in 0..5 {
                        assert_eq!(buffer.to_vec(&stream).unwrap(), [21; N]);
                    }
                });
            }
        });
        buffer.copy_from_host(&home, &[22; N]).unwrap();
        drop((buffer, home));
        end(context, machine);
    });
}

/// The test's own test: without the crate's order the simulator complains.
#[test]
fn use_that_the_crate_does_not_see_is_a_race() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(0..100, |machine| {
        let context = start();
        let (a, b) = (driver::Stream::new(&context).unwrap(), driver::Stream::new(&context).unwrap());
        let buffer = a.buffer_zeroed::<u32>(N).unwrap();
        // SAFETY: the block has room; the missing order is the subject.
        let code = unsafe { cuda_driver_sys::cuMemsetD32Async(buffer.device_ptr(), 1, N, b.as_raw()) };
        assert_eq!(code.code(), 0);
        assert!(machine.found(FindingKind::Race, "cuMemsetD32Async"));
        drop(buffer);
        context.synchronize().unwrap();
    });
}
