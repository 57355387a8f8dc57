//! saxpy through both layers of the safe crate, on the simulator.

#![allow(clippy::unwrap_used, clippy::cast_possible_truncation)]

mod common;

use cuda_rt::{Backend, Kernel, LaunchConfig, LayerError, Stream, driver, runtime};
use cuda_sim::Machine;

fn saxpy<B: Backend>(stream: &Stream<B>, kernel: &Kernel<B>, n: usize) -> Result<(), LayerError<B>> {
    let x: Vec<f32> = (0..n).map(|i| (i % 1000) as f32 * 0.5).collect();
    let y: Vec<f32> = (0..n).map(|i| (i % 77) as f32 - 3.0).collect();
    let (dx, mut dy) = (stream.buffer_from(&x)?, stream.buffer_from(&y)?);
    let config = LaunchConfig::for_elements(n, 256)?;
    let count = u32::try_from(n).unwrap();
    // SAFETY: the kernel reads x and writes y below index n, which both have.
    unsafe { stream.launch(kernel, config).arg(count).arg(2.5f32).arg(&dx).arg(&mut dy).submit()? };
    let result = dy.to_vec(stream)?;
    assert_eq!(result.len(), n);
    for i in 0..n {
        assert_eq!(result[i].to_bits(), 2.5f32.mul_add(x[i], y[i]).to_bits(), "element {i} of {n}");
    }
    Ok(())
}

const SIZES: [usize; 4] = [0, 1, 1000, 10_003];

#[test]
fn driver_layer_matches_the_cpu_for_every_seed() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(0..20, |machine| {
        let context = driver::Context::primary(driver::Device::new(0).unwrap()).unwrap();
        let stream = driver::Stream::new(&context).unwrap();
        let kernel = driver::Module::load(&context, common::SAXPY).unwrap().kernel("saxpy").unwrap();
        for n in SIZES {
            saxpy(&stream, &kernel, n).unwrap();
        }
        drop((kernel, stream));
        context.synchronize().unwrap();
        drop(context);
        machine.assert_clean();
    });
}

#[test]
fn runtime_layer_matches_the_cpu_for_every_seed() {
    let mut machine = Machine::builder().install();
    machine.for_seeds(0..20, |machine| {
        runtime::set_device(0).unwrap();
        let stream = runtime::Stream::new().unwrap();
        let kernel = runtime::Library::load(common::SAXPY).unwrap().kernel("saxpy").unwrap();
        for n in SIZES {
            saxpy(&stream, &kernel, n).unwrap();
        }
        let context = driver::Context::primary(driver::Device::new(0).unwrap()).unwrap();
        drop((kernel, stream));
        context.synchronize().unwrap();
        drop(context);
        machine.assert_clean();
    });
}
