#[derive(Debug)]
struct Evil;

impl cuda_rt::Layer for Evil {
    type Code = cuda_rt::DriverCode;
    const ORIGIN: cuda_rt::Origin = cuda_rt::Origin::Driver;
}

fn main() {}
