struct Evil;

impl cuda_rt::KernelArg for Evil {}

fn main() {}
