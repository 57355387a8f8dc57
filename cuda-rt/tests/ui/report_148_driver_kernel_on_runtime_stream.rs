use cuda_rt::{LaunchConfig, driver, runtime};

fn launch(stream: &runtime::Stream, kernel: &driver::Kernel) {
    let _ = stream.launch(kernel, LaunchConfig::new(1, 1));
}

fn main() {}
