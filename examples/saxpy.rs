//! saxpy, y ← a·x + y, through the driver layer.
//!
//! `cargo run --example saxpy [-- [--sim] [ELEMENTS | FILE]]`

use std::process::ExitCode;

use cuda_rt::{LaunchConfig, driver};

mod common;

fn main() -> ExitCode {
    common::main(run)
}

fn run(job: &common::Job) -> cuda_rt::Result<common::Done> {
    let device = driver::Device::new(0)?;
    let context = driver::Context::primary(device)?;
    let stream = driver::Stream::new(&context)?;

    let mut refused = Vec::new();
    let (saxpy, image) =
        common::load(common::SAXPY, &mut refused, |image| driver::Module::load(&context, image)?.kernel("saxpy"))?;

    let x = stream.buffer_from(&job.x)?;
    let mut y = stream.buffer_from(&job.y)?;
    let config = LaunchConfig::for_elements(job.len(), 256)?;
    // SAFETY: the kernel reads x and writes y at indices below job.len(), the length of both, each by one thread.
    unsafe {
        stream.launch(&saxpy, config).arg(job.len()).arg(job.a).arg(&x).arg(&mut y).submit()?;
    };

    let result = y.to_vec(&stream)?;
    Ok(common::Done { device: device.name()?, image, refused, result })
}
