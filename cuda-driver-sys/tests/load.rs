//! What is said of driver libraries that are missing or broken. Each case has a process of its own.
#![cfg(all(target_os = "linux", not(feature = "link-driver")))]
#![allow(clippy::unwrap_used)]

#[path = "support/probe.rs"]
mod probe;
#[path = "support/process.rs"]
mod process;

use std::os::unix::fs::symlink;
use std::process::Command;

use process::{folder, library, output};

fn probe() -> Command {
    process::child("child")
}

/// Does nothing unless a test of this file runs it in a process of its own.
#[test]
fn child() {
    if std::env::var_os("PROBE").is_some() {
        probe::print();
    }
}

/// Whether this machine has a driver, which these tests can't hide.
fn machine_has_driver() -> bool {
    output(&mut probe()).contains("path: ")
}

#[test]
fn report_001_absent_library_is_an_error_that_names_what_was_tried() {
    if machine_has_driver() {
        return;
    }
    let text = output(&mut probe());
    for part in ["libcuda.so.1 (system loader)", "/usr/lib/wsl/lib", "cuInit: 303", "loaded: false", "display driver"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn report_007_versioned_name_alone_is_found() {
    let folder = folder("only-versioned");
    library(&folder.join("libcuda.so.1"), FAKE, &[]);
    let text = output(probe().env("LD_LIBRARY_PATH", &folder));
    assert!(
        text.contains("version: 12.4") && text.contains("via: system loader") && text.contains("note: none"),
        "{text}"
    );
}

#[test]
fn report_007_bare_name_alone_is_found_with_a_note() {
    if machine_has_driver() {
        return;
    }
    let folder = folder("only-bare");
    library(&folder.join("libcuda.so"), FAKE, &[]);
    let text = output(probe().env("LD_LIBRARY_PATH", &folder));
    assert!(text.contains("version: 12.4") && text.contains("looks for libcuda.so.1 only"), "{text}");
}

#[test]
fn report_011_stub_is_named_with_its_path() {
    let folder = folder("toolkit").join("lib64/stubs");
    std::fs::create_dir_all(&folder).unwrap();
    library(
        &folder.join("libcuda.so.1"),
        "int cuInit(unsigned f){return 34;} int cuDriverGetVersion(int*v){return 34;}",
        &[],
    );
    let text = output(probe().env("LD_LIBRARY_PATH", &folder));
    assert!(
        text.contains("stubs/libcuda.so.1")
            && text.contains("stub")
            && text.contains("version: unknown")
            && text.contains("cuInit: 34"),
        "{text}"
    );
}

#[test]
fn report_013_library_without_functions_is_refused_by_name() {
    let folder = folder("partial");
    let file = folder.join("libcuda.so.1");
    library(&file, "int other;", &[]);
    let text = output(probe().env("CUDA_RT_DRIVER_LIBRARY", &file));
    assert!(text.contains("exports no cuInit") && text.contains("CUDA_RT_DRIVER_LIBRARY is set"), "{text}");
    library(&file, "int cuInit(unsigned f){return 0;}", &[]);
    assert!(output(probe().env("CUDA_RT_DRIVER_LIBRARY", &file)).contains("exports no cuDriverGetVersion"));
}

#[test]
fn report_013_function_that_should_be_there_is_named() {
    let file = folder("incomplete").join("libcuda.so.1");
    library(&file, "int cuInit(unsigned f){return 0;} int cuDriverGetVersion(int*v){*v=13050;return 0;}", &[]);
    let text = output(probe().env("CUDA_RT_DRIVER_LIBRARY", &file));
    assert!(
        text.contains("has no cuCtxCreate_v4, although it exists since CUDA 12.5: the library is incomplete"),
        "{text}"
    );
}

#[test]
fn report_034_broken_files_are_told_apart() {
    let folder = folder("broken");
    let file = folder.join("libcuda.so.1");
    let said = |file: &std::path::Path| output(probe().env("CUDA_RT_DRIVER_LIBRARY", file));
    std::fs::write(&file, "").unwrap();
    assert!(said(&file).contains("empty file"));
    std::fs::write(&file, "INPUT ( -lcuda )\n").unwrap();
    assert!(said(&file).contains("text file, not a library"));
    let mut elf = std::fs::read(std::env::current_exe().unwrap()).unwrap();
    elf[18] = 3;
    std::fs::write(&file, &elf[..4096]).unwrap();
    assert!(said(&file).contains("built for another processor: 32-bit x86"));
    std::fs::remove_file(&file).unwrap();
    assert!(said(&file).contains("no such file"));
    symlink("/nowhere/libcuda.so.535", &file).unwrap();
    assert!(said(&file).contains("dangling symlink to /nowhere/libcuda.so.535"));
    assert!(said(&folder).contains("it is a directory"));
}

#[test]
fn report_034_broken_files_in_the_search_path_are_named() {
    if machine_has_driver() {
        return;
    }
    let folder = folder("broken-path");
    let file = folder.join("libcuda.so.1");
    std::fs::write(&file, "").unwrap();
    let text = output(probe().env("LD_LIBRARY_PATH", &folder));
    assert!(text.contains(&format!("{} (LD_LIBRARY_PATH): empty file", file.display())), "{text}");
    std::fs::remove_file(&file).unwrap();
    symlink("/nowhere", &file).unwrap();
    let text = output(probe().env("LD_LIBRARY_PATH", &folder));
    assert!(text.contains("(LD_LIBRARY_PATH): dangling symlink to /nowhere"), "{text}");
}

#[test]
fn report_014_mapped_file_is_the_one_that_is_shown() {
    let (one, two) = (folder("two-1"), folder("two-2"));
    for folder in [&one, &two] {
        library(&folder.join("libcuda.so.1"), FAKE, &[]);
    }
    let path = format!("{}:{}", two.display(), one.display());
    let text = output(probe().env("LD_LIBRARY_PATH", path));
    assert!(text.contains(&format!("path: {}/libcuda.so.1", two.display())), "{text}");
}

#[test]
fn explicit_path_wins_over_the_variable() {
    let (one, two) = (folder("explicit-1").join("libcuda.so.1"), folder("explicit-2").join("libcuda.so.1"));
    library(&one, FAKE, &[]);
    library(&two, FAKE, &[]);
    let text = output(probe().env("PROBE_FILE", &one).env("CUDA_RT_DRIVER_LIBRARY", &two));
    assert!(text.contains(&format!("path: {}", one.display())) && text.contains("via: given by the program"), "{text}");
}

const FAKE: &str = "int cuInit(unsigned f){return 100;} int cuDriverGetVersion(int*v){*v=12040;return 0;}";
