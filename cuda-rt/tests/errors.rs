//! Errors that a device gives.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use cuda_rt::driver::{Context, Module, Stream};
use cuda_rt::{ArgumentProblem, Cause, LaunchConfig, runtime};

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn report_039_missing_kernel_is_named_with_those_that_are_there() {
    let (context, _stream) = common::start();
    let module = Module::load(&context, common::TESTING).unwrap();
    let text = module.kernel("adone").unwrap_err().to_string();
    assert!(text.contains("adone") && text.contains("add_one") && text.contains("spin"), "{text}");
    runtime::set_device(0).unwrap();
    let text = runtime::Library::load(common::TESTING).unwrap().kernel("adone").unwrap_err().to_string();
    assert!(text.contains("adone") && text.contains("add_one"), "{text}");
    assert!(matches!(module.kernel("a\0b").unwrap_err().cause(), Cause::NotFound { .. }));
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn wrong_arguments_are_refused_before_the_launch() {
    let (context, stream) = common::start();
    let module = Module::load(&context, common::TESTING).unwrap();
    let fill = module.kernel("fill").unwrap();
    assert_eq!(fill.parameter_sizes(), Some(&[4, 4, 8][..]));
    let mut out = stream.buffer_zeroed::<u32>(8).unwrap();
    let config = LaunchConfig::new(1, 8);
    // SAFETY: refused, so nothing runs.
    let error = unsafe { stream.launch(&fill, config).arg(8_u32).arg(&mut out).submit() }.unwrap_err();
    let expected = ArgumentProblem::Count { given: 2, expected: 3 };
    assert!(matches!(error.cause(), Cause::Arguments { problem, .. } if *problem == expected), "{error}");
    // SAFETY: as above.
    let error = unsafe { stream.launch(&fill, config).arg(8_u64).arg(1_u32).arg(&mut out).submit() }.unwrap_err();
    let expected = ArgumentProblem::Size { index: 0, given: 8, expected: 4 };
    assert!(matches!(error.cause(), Cause::Arguments { problem, .. } if *problem == expected), "{error}");
    // SAFETY: the kernel writes below 8.
    unsafe { stream.launch(&fill, config).arg(8_u32).arg(5_u32).arg(&mut out).submit() }.unwrap();
    assert_eq!(out.to_vec(&stream).unwrap(), [5; 8]);
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn bad_images_are_refused_by_kind() {
    let (context, _stream) = common::start();
    assert!(matches!(Module::load(&context, b"garbage").unwrap_err().cause(), Cause::Image(_)));
    let error = Module::load(&context, b".version 7.0\n.target sm_70\n.address_size 64\nnonsense;\n").unwrap_err();
    assert_eq!(error.code().map(|c| c.0), Some(218), "{error}");
    assert!(error.to_string().contains("nonsense") || error.to_string().contains("ptxas"), "no log in: {error}");
    let error = Module::load(&context, b".version 99.0\n.target sm_70\n.address_size 64\n").unwrap_err();
    assert!(matches!(error.code().map(|c| c.0), Some(218 | 222)), "{error}");
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn limits_are_those_of_the_device() {
    let (context, stream) = common::start();
    let empty = Module::load(&context, common::TESTING).unwrap().kernel("empty").unwrap();
    let refused = |config: LaunchConfig| {
        // SAFETY: the kernel accesses no memory.
        unsafe { stream.launch(&empty, config).submit() }.unwrap_err().to_string()
    };
    assert!(refused(LaunchConfig::new((1, 65536), 1)).contains("grid y is 65536, the limit is 65535"));
    assert!(refused(LaunchConfig::new(1, 1025)).contains("1025, the limit is 1024"));
    assert!(refused(LaunchConfig::new((5, 0), 1)).contains("grid y is 0"));
    // SAFETY: as above.
    unsafe { stream.launch(&empty, LaunchConfig::for_elements(0, 256).unwrap()).submit() }.unwrap();
    stream.synchronize().unwrap();
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn out_of_memory_is_told_and_the_next_call_works() {
    let (_context, stream) = common::start();
    let error = stream.buffer_zeroed::<u8>(1 << 45).unwrap_err();
    assert!(error.is_out_of_memory(), "{error}");
    assert!(matches!(stream.buffer_zeroed::<u64>(usize::MAX / 4).unwrap_err().cause(), Cause::Overflow { .. }));
    assert_eq!(stream.buffer_zeroed::<u8>(16).unwrap().to_vec(&stream).unwrap(), [0; 16]);
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn report_044_after_an_illegal_address_every_call_names_the_first_cause() {
    common::in_child("report_044_after_an_illegal_address_every_call_names_the_first_cause", &[], || {
        let (context, stream) = common::start();
        let write = Module::load(&context, common::TESTING).unwrap().kernel("write_to").unwrap();
        let buffer = stream.buffer_from(&[1_u32]).unwrap();
        // SAFETY: none: the kernel writes to an address that nobody owns, to lose the context.
        unsafe { stream.launch(&write, LaunchConfig::new(1, 1)).arg(0x10_0000_0000_u64).submit() }.unwrap();
        let first = stream.synchronize().unwrap_err();
        assert_eq!(first.code().map(|c| c.0), Some(700), "{first}");
        assert!(first.is_sticky() && first.may_be_earlier() && cuda_rt::is_lost());
        let lost = |error: cuda_rt::Error| {
            assert!(matches!(error.cause(), Cause::ContextLost { first } if first.contains("700")), "{error}");
            assert!(error.is_sticky());
        };
        lost(buffer.to_vec(&stream).unwrap_err().into());
        lost(stream.buffer_zeroed::<u8>(16).unwrap_err().into());
        lost(Stream::new(&context).unwrap_err().into());
        lost(stream.synchronize().unwrap_err().into());
        lost(Context::primary(context.device()).unwrap_err().into());
        lost(runtime::device_count().unwrap_err().into());
        drop((buffer, write, stream, context));
    });
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn parameter_sizes_include_structs() {
    let (context, stream) = common::start();
    let echo = Module::load(&context, common::TESTING).unwrap().kernel("echo").unwrap();
    assert!(echo.parameter_sizes().is_some_and(|sizes| sizes.len() == 6), "{echo:?}");
    stream.synchronize().unwrap();
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn zero_length_buffers_call_nothing() {
    let (_context, stream) = common::start();
    let mut empty = stream.buffer_from::<f32>(&[]).unwrap();
    assert_eq!((empty.len(), empty.device_ptr()), (0, 0));
    empty.copy_from_host(&stream, &[]).unwrap();
    assert!(empty.to_vec(&stream).unwrap().is_empty());
    assert!(matches!(
        empty.copy_from_host(&stream, &[1.0]).unwrap_err().cause(),
        Cause::Length { given: 1, needed: 0 }
    ));
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn error_names_the_callers_line() {
    let (context, stream) = common::start();
    let errors = [
        Module::load(&context, b"garbage").unwrap_err(),
        stream.buffer_zeroed::<u64>(usize::MAX).unwrap_err(),
        stream.buffer_zeroed::<u8>(1 << 45).unwrap_err(),
        Module::load(&context, common::TESTING).unwrap().kernel("a\0b").unwrap_err(),
        Module::load(&context, common::TESTING).unwrap().kernel("none").unwrap_err(),
    ];
    for error in errors {
        assert!(error.location().file().ends_with("errors.rs"), "{error:?}");
    }
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn late_fault_in_a_copy_names_the_callers_line() {
    common::in_child("late_fault_in_a_copy_names_the_callers_line", &[], || {
        let (context, stream) = common::start();
        let write = Module::load(&context, common::TESTING).unwrap().kernel("write_to").unwrap();
        let buffer = stream.buffer_from(&[1_u32]).unwrap();
        // SAFETY: none: the kernel writes to an address that nobody owns, to lose the context.
        unsafe { stream.launch(&write, LaunchConfig::new(1, 1)).arg(0x10_0000_0000_u64).submit() }.unwrap();
        let error = buffer.to_vec(&stream).unwrap_err();
        assert!(error.location().file().ends_with("errors.rs"), "{error:?}");
    });
}
