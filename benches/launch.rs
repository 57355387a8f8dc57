//! What a launch costs the host, in both layers, beside the same calls made raw.

use std::error::Error;
use std::ffi::c_void;

use criterion::Criterion;
use cuda_driver_sys as sys;
use cuda_rt::{DeviceBuffer, LaunchConfig, driver, runtime};
use cuda_runtime_sys::{common as rt, v13};

mod common;
use common::{Timed, bursts, compare, ok};

/// Elements of saxpy: the launch is measured, not the kernel.
const N: u32 = 256;

fn main() {
    common::main(|criterion| {
        driver_layer(criterion)?;
        if let Err(why) = runtime::version() {
            println!("the runtime layer is not measured: {why}");
            return Ok(());
        }
        runtime_layer(criterion)
    });
}

/// Pointers to the four arguments of saxpy, as the C functions take them.
struct RawArguments {
    n: u32,
    a: f32,
    x: sys::CUdeviceptr,
    y: sys::CUdeviceptr,
}

impl RawArguments {
    fn new(x: &DeviceBuffer<f32>, y: &DeviceBuffer<f32>) -> Self {
        Self { n: N, a: 2.0, x: x.device_ptr(), y: y.device_ptr() }
    }

    /// C code builds this array anew for each launch too.
    #[inline]
    fn pointers(&mut self) -> [*mut c_void; 4] {
        [(&raw mut self.n).cast(), (&raw mut self.a).cast(), (&raw mut self.x).cast(), (&raw mut self.y).cast()]
    }
}

fn driver_layer(criterion: &mut Criterion) -> Result<(), Box<dyn Error>> {
    let context = driver::Context::primary(driver::Device::new(0)?)?;
    let stream = driver::Stream::new(&context)?;
    let image = common::SAXPY.last().ok_or("no image")?;
    let kernel = driver::Module::load(&context, image.bytes)?.kernel("saxpy")?;
    let (x, mut y) = (stream.buffer_zeroed::<f32>(N as usize)?, stream.buffer_zeroed::<f32>(N as usize)?);
    let launch = sys::symbols::cuLaunchKernel.get()?;
    let mut raw = RawArguments::new(&x, &y);
    let (raw_kernel, raw_stream) = (kernel.as_raw().cast(), stream.as_raw());
    let _current = context.enter()?;
    let wait = || stream.synchronize().expect("the stream fails");

    let mut by_raw_call = |count| {
        let one = || {
            let mut pointers = raw.pointers();
            // SAFETY: the kernel is loaded, and the pointers are those of its four parameters.
            ok(unsafe {
                launch(raw_kernel, 1, 1, 1, N, 1, 1, 0, raw_stream, pointers.as_mut_ptr(), std::ptr::null_mut())
            });
        };
        bursts(count, one, wait)
    };
    let mut by_stream = |count| {
        let one = || {
            let config = LaunchConfig::new(1, N);
            let launch = stream.launch(&kernel, config).arg(N).arg(2.0_f32).arg(&x).arg(&mut y);
            // SAFETY: the kernel reads x and writes y below N, their length.
            unsafe { launch.submit() }.expect("the launch fails");
        };
        bursts(count, one, wait)
    };
    let rows: &mut [(&str, &mut Timed<'_>)] =
        &mut [("cuLaunchKernel", &mut by_raw_call), ("driver::Stream::launch", &mut by_stream)];
    compare(criterion, "launch, driver layer, 4 arguments", rows);
    Ok(())
}

fn runtime_layer(criterion: &mut Criterion) -> Result<(), Box<dyn Error>> {
    runtime::set_device(0)?;
    let stream = runtime::Stream::new()?;
    let image = common::SAXPY.last().ok_or("no image")?;
    let kernel = runtime::Library::load(image.bytes)?.kernel("saxpy")?;
    let (x, mut y) = (stream.buffer_zeroed::<f32>(N as usize)?, stream.buffer_zeroed::<f32>(N as usize)?);
    let launch = rt::symbols::cudaLaunchKernelExC.get()?;
    let mut raw = RawArguments::new(&x, &y);
    let (raw_kernel, raw_stream) = (kernel.as_raw(), stream.as_raw());
    let wait = || stream.synchronize().expect("the stream fails");

    let mut by_raw_call = |count| {
        let one = || {
            let mut pointers = raw.pointers();
            let config = v13::cudaLaunchConfig_t {
                gridDim: v13::dim3 { x: 1, y: 1, z: 1 },
                blockDim: v13::dim3 { x: N, y: 1, z: 1 },
                stream: raw_stream,
                ..Default::default()
            };
            // SAFETY: the kernel is loaded, and the pointers are those of its four parameters.
            let code = unsafe { launch(&raw const config, raw_kernel, pointers.as_mut_ptr()) };
            assert!(code == v13::cudaError_t::cudaSuccess, "{code:?}");
        };
        bursts(count, one, wait)
    };
    let mut by_stream = |count| {
        let one = || {
            let config = LaunchConfig::new(1, N);
            let launch = stream.launch(&kernel, config).arg(N).arg(2.0_f32).arg(&x).arg(&mut y);
            // SAFETY: the kernel reads x and writes y below N, their length.
            unsafe { launch.submit() }.expect("the launch fails");
        };
        bursts(count, one, wait)
    };
    let rows: &mut [(&str, &mut Timed<'_>)] =
        &mut [("cudaLaunchKernelExC", &mut by_raw_call), ("runtime::Stream::launch", &mut by_stream)];
    compare(criterion, "launch, runtime layer, 4 arguments", rows);
    Ok(())
}
