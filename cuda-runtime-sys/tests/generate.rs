//! The feature `bindgen`: bindings from the headers of a toolkit at build time.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::unwrap_used)]

#[path = "support/package.rs"]
mod package;

use std::fs::File;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

use package::{Package, real, said};

/// One build at a time, whether the tests are threads or processes: they share a folder. The turn
/// ends when the file is closed.
fn turn() -> File {
    let file = File::create(Path::new(env!("CARGO_TARGET_TMPDIR")).join("turn")).unwrap();
    // SAFETY: the descriptor is open.
    assert_eq!(unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX) }, 0);
    file
}

const MAIN: &str = "fn main() {
    println!(\"{} {}\", cuda_driver_sys::CUDA_VERSION, cuda_runtime_sys::v13::CUDART_VERSION);
}";

fn package(main: &str) -> Package {
    Package::new("generated", "\"bindgen\"", "\"bindgen\"", main)
}

fn output(package: &Package) -> String {
    let output = std::process::Command::new(package.program()).output().expect("the program starts");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The toolkit 13.5, saying that it is of another version and with a function more.
fn toolkit(version: u32) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("toolkit-{version}"));
    let include = folder.join("include");
    std::fs::create_dir_all(&include).unwrap();
    for entry in std::fs::read_dir(real("toolkit-13.5/include")).unwrap() {
        let entry = entry.unwrap().path();
        let copy = include.join(entry.file_name().unwrap());
        let _ = std::fs::remove_file(&copy);
        std::os::unix::fs::symlink(&entry, &copy).unwrap();
    }
    for (header, name, function) in [
        ("cuda.h", "CUDA_VERSION", "CUresult CUDAAPI cuInit(unsigned int Flags);"),
        ("cuda_runtime_api.h", "CUDART_VERSION", "extern __host__ cudaError_t CUDARTAPI cudaDeviceReset(void);"),
    ] {
        let path = include.join(header);
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        assert!(text.contains("13050"), "{header}");
        let more = function.replace("cuInit", "cuBrandNew").replace("cudaDeviceReset", "cudaBrandNew");
        let lines: Vec<String> = text
            .lines()
            .map(|line| {
                if line.starts_with("#define") && line.contains(name) && line.contains("13050") {
                    line.replace("13050", &version.to_string())
                } else if line == function {
                    format!("{line}\n{more}")
                } else {
                    line.to_owned()
                }
            })
            .collect();
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, lines.join("\n")).unwrap();
    }
    folder
}

/// The newest file of this name that a build script wrote.
fn generated(krate: &str, file: &str) -> String {
    let builds = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages/debug/build");
    let files = std::fs::read_dir(builds).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(krate));
    let files = files.map(|path| path.join("out").join(file)).filter(|path| path.is_file());
    let newest =
        files.max_by_key(|path| path.metadata().unwrap().modified().unwrap()).expect("bindings were generated");
    std::fs::read_to_string(newest).unwrap()
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs scripts/real-libs.sh and libclang")]
fn toolkit_of_the_known_version_gives_what_is_checked_in() {
    let _turn = turn();
    let package = package(MAIN);
    let (success, text) = said(package.cargo().env("CUDA_HOME", real("toolkit-13.5")));
    assert!(success, "{text}");
    assert_eq!(output(&package), "13050 13050\n");
    assert!(generated("cuda-driver-sys", "types.rs") == include_str!("../../cuda-driver-sys/src/bindings/types.rs"));
    assert!(
        generated("cuda-driver-sys", "functions.rs") == include_str!("../../cuda-driver-sys/src/bindings/functions.rs")
    );
    assert!(generated("cuda-runtime-sys", "types.rs") == include_str!("../src/bindings/v13/types.rs"));
    assert!(generated("cuda-runtime-sys", "functions.rs") == include_str!("../src/bindings/v13/functions.rs"));
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs scripts/real-libs.sh and libclang")]
fn report_172_newer_toolkit_warns_and_its_functions_are_bound() {
    let _turn = turn();
    let main = "fn main() {
        println!(\"{} {}\", cuda_driver_sys::symbols::cuBrandNew.since(), cuda_runtime_sys::v13::symbols::cudaBrandNew.since());
    }";
    let package = package(main);
    let (success, text) = said(package.cargo().env("CUDA_PATH", toolkit(13090)));
    assert!(success, "{text}");
    assert!(text.contains("cuda.h is of CUDA 13.9, newer than this version of cuda-driver-sys knows (13.5)"), "{text}");
    assert!(text.contains("cuda_runtime_api.h is of CUDA 13.9, newer than"), "{text}");
    assert_eq!(output(&package), "13.9 13.9\n");
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs scripts/real-libs.sh and libclang")]
fn report_172_next_major_binds_the_driver_and_keeps_the_runtimes_that_are_known() {
    let _turn = turn();
    let package = package(MAIN);
    let (success, text) = said(package.cargo().env("CUDA_ROOT", toolkit(14000)));
    assert!(success, "{text}");
    assert!(text.contains("of CUDA 14.0, a major that this version of cuda-runtime-sys does not bind"), "{text}");
    assert_eq!(output(&package), "14000 13050\n");
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs scripts/real-libs.sh and libclang")]
fn older_toolkit_keeps_what_is_checked_in() {
    let _turn = turn();
    let package = package(MAIN);
    let (success, text) = said(package.cargo().env("CUDA_TOOLKIT_PATH", real("toolkit-12.4")));
    assert!(success, "{text}");
    assert!(
        text.contains("cuda.h is of CUDA 12.4; the checked-in bindings, of 13.5, hold all of it and more"),
        "{text}"
    );
    assert_eq!(output(&package), "13050 13050\n");
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs scripts/real-libs.sh and libclang")]
fn report_169_missing_libclang_is_one_clear_error() {
    let _turn = turn();
    let (success, text) =
        said(package(MAIN).cargo().env("CUDA_HOME", toolkit(13091)).env("LIBCLANG_PATH", "/nonexistent"));
    assert!(!success, "{text}");
    for part in [
        "feature `bindgen`: generating bindings needs libclang",
        "LIBCLANG_PATH is `/nonexistent`",
        "libclang-dev",
        "build without the feature",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs scripts/real-libs.sh and libclang")]
fn report_170_missing_builtin_headers_are_one_clear_error() {
    let _turn = turn();
    let (success, text) =
        said(package(MAIN).cargo().env("CUDA_HOME", toolkit(13092)).env("BINDGEN_EXTRA_CLANG_ARGS", "-nobuiltininc"));
    assert!(!success, "{text}");
    for part in [
        "libclang has not got its own headers (such as stddef.h)",
        "libclang-dev",
        "'stddef.h' file not found",
        "toolkit-13092/include/cuda.h",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs scripts/real-libs.sh and libclang")]
fn report_154_missing_toolkit_is_one_clear_error() {
    let _turn = turn();
    let (success, text) = said(package(MAIN).cargo().env("CUDA_HOME", "/nowhere/cuda"));
    if success {
        return; // This machine has a toolkit in a usual place.
    }
    for part in [
        "feature `bindgen`: cuda.h was not found",
        "/nowhere/cuda/include (CUDA_HOME)",
        "/usr/local/cuda/include",
        "Not set: CUDA_PATH, CUDA_ROOT",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}
