use cuda_rt::driver;

fn make(stream: &driver::Stream) {
    let _ = stream.buffer_from(&[String::new()]);
}

fn main() {}
