//! The program itself: its command line, what it is linked with, that it never panics.

#![cfg(target_os = "linux")]

mod machine;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use machine::{DOCTOR, Machine};

#[test]
fn command_line_is_explained() {
    let machine = Machine::new("command_line");
    for option in ["--help", "-h"] {
        let said = machine.run(DOCTOR, &[option]);
        assert_eq!(said.status, Some(0));
        said.has(&["--probe", "--version", "Exit status: 0", "2 if it is not"]);
    }
    for option in ["--version", "-V"] {
        let said = machine.run(DOCTOR, &[option]);
        assert_eq!((said.status, said.out), (Some(0), format!("cuda-doctor {}\n", env!("CARGO_PKG_VERSION"))));
    }
}

#[test]
fn wrong_options_are_named_and_end_with_1() {
    let machine = Machine::new("wrong_options");
    for arguments in [&["--prob"][..], &["probe"], &[""], &["--probe", "--probe"]] {
        let said = machine.run(DOCTOR, arguments);
        assert_eq!((said.status, said.out.as_str()), (Some(1), ""), "{arguments:?}");
        assert!(said.err.contains(&format!("{:?}", arguments[arguments.len() - 1])), "{}", said.err);
    }
    let odd = Command::new(DOCTOR).arg(OsStr::from_bytes(b"\xff")).output().unwrap();
    assert_eq!(odd.status.code(), Some(1));
    assert!(!String::from_utf8_lossy(&odd.stderr).contains("panicked"));
}

#[test]
fn environment_that_is_not_unicode_does_no_harm() {
    for arguments in [&[][..], &["--probe"]] {
        let mut doctor = Command::new(DOCTOR);
        for variable in ["LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "CUDA_HOME", "CUDA_RT_X", "VIRTUAL_ENV"] {
            doctor.env(variable, OsStr::from_bytes(b"/\xff\xfe"));
        }
        let output = doctor.args(arguments).output().unwrap();
        assert!(matches!(output.status.code(), Some(0 | 2)), "{:?}", output.status);
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }
}

#[test]
fn reader_that_went_away_does_no_harm() {
    let mut child = Command::new(DOCTOR).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(matches!(output.status.code(), Some(0 | 2)), "{:?}", output.status);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn report_167_program_needs_no_cuda_library_to_start() {
    let output = Command::new("readelf").args(["--dynamic", DOCTOR]).output().expect("readelf (binutils) is needed");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("(NEEDED)"), "{text}");
    let needed: Vec<&str> = text.lines().filter(|line| line.contains("(NEEDED)")).collect();
    assert!(!needed.iter().any(|line| line.contains("cuda")), "{needed:#?}");
}

/// A program that does without CUDA must not need `catch_unwind` for it, which does nothing here.
#[test]
fn report_002_probe_built_to_abort_on_panic_answers() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("abort");
    let output = Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["build", "--offline", "--quiet", "--package=cuda-doctor", "--bin=cuda-doctor", "--target-dir"])
        .arg(&folder)
        .env("CARGO_PROFILE_DEV_PANIC", "abort")
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let machine = Machine::new("report_002");
    let said = machine.run(folder.join("debug/cuda-doctor"), &["--probe"]);
    assert_eq!((said.status, said.err.as_str()), (Some(0), ""), "{}", said.out);
    if machine::nothing_installed() {
        said.has(&["not usable: no driver found"]);
    }
}
