use cuda_rt::{driver, runtime};

fn job() -> driver::Result<()> {
    runtime::set_device(0)?;
    Ok(())
}

fn main() {}
