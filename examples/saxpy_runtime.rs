//! saxpy, y ← a·x + y, through the runtime layer: no initialisation, no context.
//!
//! `cargo run --example saxpy_runtime [-- [--sim] [ELEMENTS | FILE]]`

use std::process::ExitCode;

use cuda_rt::{LaunchConfig, runtime};

mod common;

fn main() -> ExitCode {
    common::main(run)
}

fn run(job: &common::Job) -> cuda_rt::Result<common::Done> {
    runtime::set_device(0)?;
    let stream = runtime::Stream::new()?;

    let mut refused = Vec::new();
    let (saxpy, image) =
        common::load(common::SAXPY, &mut refused, |image| runtime::Library::load(image)?.kernel("saxpy"))?;

    let x = stream.buffer_from(&job.x)?;
    let mut y = stream.buffer_from(&job.y)?;
    let config = LaunchConfig::for_elements(job.len(), 256)?;
    // SAFETY: the kernel reads x and writes y at indices below job.len(), the length of both, each by one thread.
    unsafe {
        stream.launch(&saxpy, config).arg(job.len()).arg(job.a).arg(&x).arg(&mut y).submit()?;
    };

    let result = y.to_vec(&stream)?;
    Ok(common::Done { device: runtime::Device::new(0)?.name()?, image, refused, result })
}
