//! The interpreter is fast enough for the examples: 2^20 elements of saxpy.

#![allow(clippy::unwrap_used, clippy::cast_possible_truncation)]

mod common;

use cuda_rt::{LaunchConfig, driver};
use cuda_sim::Machine;

#[test]
fn saxpy_of_a_million_elements() {
    let machine = Machine::builder().seed(3).install();
    let n = 1_usize << 20;
    let context = driver::Context::primary(driver::Device::new(0).unwrap()).unwrap();
    let stream = driver::Stream::new(&context).unwrap();
    let kernel = driver::Module::load(&context, common::SAXPY).unwrap().kernel("saxpy").unwrap();
    let x = stream.buffer_from(&vec![2.0_f32; n]).unwrap();
    let mut y = stream.buffer_from(&vec![1.0_f32; n]).unwrap();
    let started = std::time::Instant::now();
    let config = LaunchConfig::for_elements(n, 256).unwrap();
    // SAFETY: the kernel reads x and writes y below n.
    unsafe { stream.launch(&kernel, config).arg(n as u32).arg(3.0_f32).arg(&x).arg(&mut y).submit() }.unwrap();
    let result = y.to_vec(&stream).unwrap();
    let took = started.elapsed();
    println!("{took:?}");
    assert!(result.iter().all(|&value| value == 7.0));
    machine.assert_no_findings();
    if !cfg!(debug_assertions) {
        assert!(took.as_secs_f64() < 1.5, "{took:?}");
    }
}
