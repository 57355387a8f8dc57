//! saxpy through both layers, against the CPU.

mod common;

use cuda_rt::{Backend, Error, LaunchConfig, LayerError, Stream, driver, runtime};

fn saxpy<B: Backend>(stream: &Stream<B>, kernel: &cuda_rt::Kernel<B>, n: usize) -> Result<(), LayerError<B>> {
    let x: Vec<f32> = (0..n).map(|i| (i % 1000) as f32 * 0.5).collect();
    let y: Vec<f32> = (0..n).map(|i| (i % 77) as f32 - 3.0).collect();
    let (dx, mut dy) = (stream.buffer_from(&x)?, stream.buffer_from(&y)?);
    let config = LaunchConfig::for_elements(n, 256)?;
    let count = u32::try_from(n).unwrap_or(u32::MAX);
    // SAFETY: the kernel reads x and writes y below index n, which both have.
    unsafe { stream.launch(kernel, config).arg(count).arg(2.5f32).arg(&dx).arg(&mut dy).submit() }?;
    let result = dy.to_vec(stream)?;
    assert_eq!(result.len(), n);
    for i in 0..n {
        assert_eq!(result[i].to_bits(), 2.5f32.mul_add(x[i], y[i]).to_bits(), "element {i} of {n}");
    }
    Ok(())
}

const SIZES: [usize; 4] = [0, 1, 1000, (1 << 24) + 3];

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn driver_layer_matches_the_cpu() -> Result<(), Error> {
    let (context, stream) = common::start();
    let kernel = driver::Module::load(&context, common::SAXPY)?.kernel("saxpy")?;
    for n in SIZES {
        saxpy(&stream, &kernel, n)?;
    }
    Ok(())
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn runtime_layer_matches_the_cpu() -> Result<(), Error> {
    runtime::set_device(0)?;
    let stream = runtime::Stream::new()?;
    let kernel = runtime::Library::load(common::SAXPY)?.kernel("saxpy")?;
    for n in SIZES {
        saxpy(&stream, &kernel, n)?;
    }
    Ok(())
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn layers_share_streams_and_buffers() -> Result<(), Error> {
    runtime::set_device(0)?;
    let stream = runtime::Stream::new()?;
    let buffer = stream.buffer_from(&[1_u32, 2, 3])?;
    assert_eq!(buffer.to_vec(stream.as_driver())?, [1, 2, 3]);
    let (_context, other) = common::start();
    let through_driver = other.buffer_from(&[4_u32, 5])?;
    assert_eq!(through_driver.to_vec(&stream)?, [4, 5]);
    assert_eq!(other.as_runtime()?.as_raw(), other.as_raw());
    Ok(())
}
