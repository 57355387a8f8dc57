//! Runs a program of this package in a process of its own, with an environment that the test makes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// This very test program, set to run one of its tests in a process of its own.
pub(crate) fn child(test: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("the test has a file"));
    command.args(["--exact", test, "--nocapture"]).env("PROBE", "1");
    let ours = |name: &str| {
        name.starts_with("CUDA") || ["LD_LIBRARY_PATH", "VIRTUAL_ENV", "CONDA_PREFIX", "LD_PRELOAD"].contains(&name)
    };
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(ours)) {
        command.env_remove(name);
    }
    command
}

/// What a program printed; it must not have panicked and must have ended with status 0.
pub(crate) fn output(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().expect("the program starts");
    let (stdout, stderr) =
        (String::from_utf8_lossy(&stdout).into_owned(), String::from_utf8_lossy(&stderr).into_owned());
    assert!(status.success() && !stderr.contains("panicked"), "{status}\n{stdout}\n{stderr}");
    // Code 35's own text misleads: it is also what the runtime says when there is no driver.
    assert!(!stdout.contains("insufficient"), "{stdout}");
    stdout
}

/// An empty folder for a test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// A shared library of this C source.
#[allow(dead_code)]
pub(crate) fn library(file: &Path, source: &str, arguments: &[&str]) {
    let code = file.with_extension("c");
    std::fs::write(&code, source).expect("the source is written");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let status =
        Command::new(compiler).args(["-shared", "-fPIC", "-w", "-o"]).arg(file).arg(&code).args(arguments).status();
    assert!(status.expect("a C compiler").success());
}
