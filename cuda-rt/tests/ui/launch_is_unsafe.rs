use cuda_rt::{LaunchConfig, driver};

fn launch(stream: &driver::Stream, kernel: &driver::Kernel) {
    let _ = stream.launch(kernel, LaunchConfig::new(1, 1)).submit();
}

fn main() {}
