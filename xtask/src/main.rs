//! Tasks of this repository: `cargo xtask TASK [ARGUMENTS]`.

use std::process::ExitCode;

mod bindgen;
mod coverage;
mod gpu_bundle;

const USAGE: &str = "\
cargo xtask bindgen [--check]                 writes the bindings of both -sys crates from the headers
cargo xtask coverage [--check]                writes docs/COVERAGE.md
cargo xtask gpu-bundle [--out DIR]            builds tests, examples and benches for a GPU host into target/gpu-bundle
--check writes nothing and fails if what is checked in differs.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((task, rest)) = arguments.split_first() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let result = match task.as_str() {
        "bindgen" => bindgen::run(rest),
        "coverage" => coverage::run(rest),
        "gpu-bundle" => gpu_bundle::run(rest),
        _ => Err(format!("no task `{task}`\n{USAGE}").into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cargo xtask {task}: {error}");
            ExitCode::FAILURE
        }
    }
}
