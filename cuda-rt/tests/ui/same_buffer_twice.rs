use cuda_rt::{DeviceBuffer, LaunchConfig, driver};

fn launch(stream: &driver::Stream, kernel: &driver::Kernel, y: &mut DeviceBuffer<f32>) {
    let _ = stream.launch(kernel, LaunchConfig::new(1, 1)).arg(&*y).arg(&mut *y);
}

fn main() {}
