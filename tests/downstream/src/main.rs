//! Doubles some numbers on the GPU, through both layers. Where CUDA can't be used it says why, with status 2.

use std::process::ExitCode;

use cuda_rt::{LaunchConfig, Report, driver, runtime};

static IMAGE: &[u8] = include_bytes!(env!("SCALE_IMAGE"));

fn main() -> ExitCode {
    println!("runtime {}", runtime::version().map_or_else(|_| "none".to_owned(), |version| version.to_string()));
    match by_driver().and_then(|()| by_runtime()) {
        Ok(()) => {
            println!("downstream: both layers doubled the numbers");
            ExitCode::SUCCESS
        }
        Err(error) => {
            println!("{error}\n\n{}", Report::collect());
            ExitCode::from(2)
        }
    }
}

fn by_driver() -> cuda_rt::Result<()> {
    let context = driver::Context::primary(driver::Device::new(0)?)?;
    let stream = driver::Stream::new(&context)?;
    let scale = driver::Module::load(&context, IMAGE)?.kernel("scale")?;
    let mut data = stream.buffer_from(&[1.0f32, 2.0, 3.0])?;
    let config = LaunchConfig::for_elements(3, 32)?;
    // SAFETY: the kernel reads and writes data below 3, its length.
    unsafe {
        stream
            .launch(&scale, config)
            .arg(3u32)
            .arg(2.0f32)
            .arg(&mut data)
            .submit()?
    };
    assert_eq!(data.to_vec(&stream)?, [2.0, 4.0, 6.0]);
    Ok(())
}

fn by_runtime() -> cuda_rt::Result<()> {
    runtime::set_device(0)?;
    let stream = runtime::Stream::new()?;
    let scale = runtime::Library::load(IMAGE)?.kernel("scale")?;
    let mut data = stream.buffer_from(&[1.0f32, 2.0, 3.0])?;
    let config = LaunchConfig::for_elements(3, 32)?;
    // SAFETY: as above.
    unsafe {
        stream
            .launch(&scale, config)
            .arg(3u32)
            .arg(2.0f32)
            .arg(&mut data)
            .submit()?
    };
    assert_eq!(data.to_vec(&stream)?, [2.0, 4.0, 6.0]);
    Ok(())
}
