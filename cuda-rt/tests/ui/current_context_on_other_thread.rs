use cuda_rt::driver;

fn send(context: &driver::Context) {
    let current = context.enter().unwrap();
    std::thread::scope(|s| {
        s.spawn(|| drop(current));
    });
}

fn main() {}
