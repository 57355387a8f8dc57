//! An old driver and an old runtime: driver 12.2, which has no cuFuncGetParamInfo, and cudart 12.4,
//! which has no libraries.

#![allow(clippy::unwrap_used)]

mod common;

use cuda_rt::{Cause, LaunchConfig, LoadError, driver, runtime};
use cuda_sim::Machine;

#[test]
fn both_layers_work_with_what_is_there() {
    let mut machine = Machine::builder().driver(12, 2).runtime(12, 4).install();
    machine.for_seeds(0..200, |machine| {
        let context = driver::Context::primary(driver::Device::new(0).unwrap()).unwrap();
        let stream = driver::Stream::new(&context).unwrap();
        let fill = driver::Module::load(&context, common::TESTING).unwrap().kernel("fill").unwrap();
        assert_eq!(fill.parameter_sizes(), None);
        let mut buffer = stream.buffer_zeroed::<u32>(8).unwrap();
        // SAFETY: the kernel writes below 8.
        unsafe { stream.launch(&fill, LaunchConfig::new(1, 8)).arg(8_u32).arg(1_u32).arg(&mut buffer).submit() }
            .unwrap();
        runtime::set_device(0).unwrap();
        let theirs = runtime::Stream::new().unwrap();
        let add = runtime::Library::load(common::TESTING).unwrap().kernel("add_one").unwrap();
        // SAFETY: as above.
        unsafe { theirs.launch(&add, LaunchConfig::new(1, 8)).arg(8_u32).arg(&mut buffer).submit() }.unwrap();
        assert_eq!(buffer.to_vec(&stream).unwrap(), [2; 8]);
        drop((buffer, fill, add, stream, theirs));
        context.synchronize().unwrap();
        drop(context);
        machine.assert_clean();
    });
}

#[test]
fn what_is_missing_is_a_named_error() {
    let _machine = Machine::builder().driver(12, 2).runtime(12, 4).install();
    let error = cuda_driver_sys::symbols::cuCtxCreate_v4.get().unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, LoadError::Symbol(_)), "{text}");
    assert!(text.contains("cuCtxCreate_v4") && text.contains("12.5") && text.contains("12.2"), "{text}");
    assert!(!cuda_runtime_sys::common::symbols::cudaLibraryLoadData.is_present());
    assert!(cuda_runtime_sys::v12::symbols::cudaGetDeviceProperties_v2.is_present());
    assert!(!cuda_runtime_sys::v13::symbols::cudaGetDeviceProperties.is_present());
    assert!(!runtime::Device::new(0).unwrap().name().unwrap().is_empty());
}

#[test]
fn ptx_newer_than_the_driver_is_refused_with_the_compilers_words() {
    let _machine = Machine::builder().driver(12, 2).runtime(12, 4).install();
    let context = driver::Context::primary(driver::Device::new(0).unwrap()).unwrap();
    let error = driver::Module::load(&context, b".version 8.4\n.target sm_70\n.address_size 64\n").unwrap_err();
    assert_eq!(error.code().map(|code| code.0), Some(222), "{error}");
    assert!(error.to_string().contains("8.4"), "{error}");
    let error =
        driver::Module::load(&context, b".version 7.0\n.target sm_70\n.address_size 64\nnonsense;\n").unwrap_err();
    assert_eq!(error.code().map(|code| code.0), Some(218), "{error}");
    assert!(error.to_string().contains("nonsense"), "{error}");
    let error = driver::Module::load(&context, &elf()).unwrap_err();
    assert_eq!(error.code().map(|code| code.0), Some(209), "{error}");
    assert!(matches!(driver::Module::load(&context, b"garbage").unwrap_err().cause(), Cause::Image(_)));
}

/// The head of a cubin, as far as lengths are looked at.
fn elf() -> Vec<u8> {
    let mut elf = vec![0_u8; 64];
    elf[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
    elf[52] = 64;
    elf
}
