//! Compiles the kernel with nvcc where there is one; otherwise the PTX that lies beside it is used.

use std::env;
use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=scale.cu");
    println!("cargo:rerun-if-changed=scale.ptx");
    for variable in ["NVCC", "PATH", "CONDA_PREFIX", "VIRTUAL_ENV"]
        .iter()
        .chain(&cuda_locate::ROOT_VARIABLES)
    {
        println!("cargo:rerun-if-env-changed={variable}");
    }
    let image = PathBuf::from(env::var("OUT_DIR")?).join("scale.image");
    match cuda_locate::nvcc(&cuda_locate::System, &cuda_locate::Target::current()) {
        Ok(nvcc) => {
            let arguments = [
                "-fatbin",
                "-gencode=arch=compute_80,code=sm_80",
                "-gencode=arch=compute_90,code=sm_90",
            ];
            let status = Command::new(&nvcc.path)
                .args(arguments)
                .arg("-o")
                .arg(&image)
                .arg("scale.cu")
                .status()?;
            if !status.success() {
                return Err(format!("{}: {status}", nvcc.path).into());
            }
        }
        Err(missing) => {
            println!(
                "cargo:warning=no nvcc in {} places: the PTX is used",
                missing.tried.len()
            );
            fs::copy("scale.ptx", &image)?;
        }
    }
    println!("cargo:rustc-env=SCALE_IMAGE={}", image.display());
    Ok(())
}
