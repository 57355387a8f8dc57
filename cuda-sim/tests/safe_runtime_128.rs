//! cudart 12.8 launches in the current context only: the safe crate makes the right one current.

#![allow(clippy::unwrap_used)]

mod common;

use cuda_driver_sys as sys;
use cuda_rt::{LaunchConfig, driver, runtime};
use cuda_sim::Machine;

#[test]
fn runtime_launches_under_a_foreign_context() {
    let mut machine = Machine::builder().driver(12, 8).runtime(12, 8).install();
    machine.for_seeds(0..200, |machine| {
        let context = driver::Context::primary(driver::Device::new(0).unwrap()).unwrap();
        runtime::set_device(0).unwrap();
        let stream = runtime::Stream::new().unwrap();
        let add = runtime::Library::load(common::TESTING).unwrap().kernel("add_one").unwrap();
        let mut foreign = std::ptr::null_mut();
        // SAFETY: a place for the handle; no parameters.
        let made = unsafe { sys::cuCtxCreate_v4(&raw mut foreign, std::ptr::null_mut(), 0, 0) };
        assert_eq!(made.code(), 0);
        let mut buffer = stream.buffer_from(&[1_u32; 8]).unwrap();
        // SAFETY: the kernel writes below 8.
        unsafe { stream.launch(&add, LaunchConfig::new(1, 8)).arg(8_u32).arg(&mut buffer).submit() }.unwrap();
        assert_eq!(buffer.to_vec(&stream).unwrap(), [2; 8]);
        drop((buffer, add, stream));
        context.synchronize().unwrap();
        drop(context);
        // SAFETY: nobody uses it.
        assert_eq!(unsafe { sys::cuCtxDestroy_v2(foreign) }.code(), 0);
        machine.assert_clean();
    });
}
