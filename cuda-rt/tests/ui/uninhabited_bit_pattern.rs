use cuda_rt::{DeviceBuffer, driver};

fn read(stream: &driver::Stream, buffer: &DeviceBuffer<bool>) {
    let _ = buffer.to_vec(stream);
}

fn main() {}
