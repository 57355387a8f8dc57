//! Programs that are linked with the real libraries, and what is said if there are none.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::unwrap_used)]

#[path = "support/package.rs"]
mod package;

use std::process::Command;

use package::{Package, real, said};

const MAIN: &str = r#"
use cuda_runtime_sys::{common, library, v12, v13};
fn main() {
    match cuda_driver_sys::library::load() {
        Ok(loaded) => println!("driver {} {:?} {:?}", loaded.via(), loaded.version().map(|v| v.to_string()), loaded.path()),
        Err(error) => println!("driver {error}"),
    }
    let loaded = library::load().unwrap();
    println!("runtime {} {:?} {:?}", loaded.via(), loaded.version().map(|v| v.to_string()), loaded.path());
    let mut count = -1;
    println!("count {}", unsafe { common::cudaGetDeviceCount(&mut count) }.code());
    println!("old {} new {}", v12::symbols::cudaMalloc.is_present(), v13::symbols::cudaMalloc.is_present());
    println!("newer {}", v13::symbols::cudaFuncGetParamCount.is_present() || v12::symbols::cudaLibraryLoadData.is_present());
    println!("v4 {}", cuda_driver_sys::symbols::cuCtxCreate_v4.is_present());
    println!("uuid {}", cuda_driver_sys::symbols::cuDeviceGetUuid_v2.is_present());
}
"#;

fn needed(program: &std::path::Path) -> String {
    let output = Command::new("readelf").arg("-d").arg(program).output().expect("readelf");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().filter(|line| line.contains("NEEDED")).collect()
}

fn run(package: &Package, libraries: &[String]) -> String {
    let output = Command::new(package.program())
        .env("LD_LIBRARY_PATH", libraries.join(":"))
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs scripts/real-libs.sh")]
fn report_158_program_links_with_wheels_and_the_real_driver() {
    let package = Package::new("linked-shared", "\"link-driver\"", "\"link-runtime\"", MAIN);
    for (version, major, count) in [("13.5", 13, 35), ("12.9", 12, 100)] {
        let toolkit = real(&format!("toolkit-{version}"));
        let (success, text) =
            said(package.cargo().env("CUDA_RT_DRIVER_LINK_DIR", real("driver-535")).env("CUDA_HOME", &toolkit));
        assert!(success, "{text}");
        let needed = needed(&package.program());
        assert!(needed.contains("libcuda.so.1") && needed.contains(&format!("libcudart.so.{major}")), "{needed}");
        let text = run(&package, &[real("driver-535"), format!("{toolkit}/lib")]);
        assert!(text.contains("driver linked Some(\"12.2\")"), "{text}");
        assert!(
            text.contains(&format!("runtime linked Some(\"{version}\")")) && text.contains(&format!("count {count}\n")),
            "{text}"
        );
        assert!(text.contains(&format!("old {} new {}", major == 12, major == 13)), "{text}");
        // Newer than the floor: looked up, present in the one library and absent in the other.
        assert!(text.contains("newer true") && text.contains("v4 false") && text.contains("uuid true"), "{text}");
    }
    // A newer library of the same major than the one at build time is fine; so is an older one.
    let build = package
        .cargo()
        .env("CUDA_RT_DRIVER_LINK_DIR", real("driver-535"))
        .env("CUDA_RT_RUNTIME_LINK_DIR", real("toolkit-13.5/lib"))
        .status();
    assert!(build.is_ok_and(|status| status.success()));
    let text = run(&package, &[real("driver-535"), real("toolkit-13.0/lib")]);
    assert!(text.contains("runtime linked Some(\"13.0\")") && text.contains("newer false"), "{text}");
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs scripts/real-libs.sh")]
fn report_165_static_runtime_links_and_its_libraries_follow_it() {
    // With both features the static library is the one.
    let package = Package::new("linked-static", "", "\"static-runtime\", \"link-runtime\"", MAIN);
    for (version, old) in [("13.5", false), ("12.9", true)] {
        let (success, text) =
            said(package.cargo().env("CUDA_RT_RUNTIME_LINK_DIR", real(&format!("toolkit-{version}/lib"))));
        assert!(success, "{text}");
        let order: Vec<usize> = ["-l static=cudart_static", "-l dylib=dl", "-l dylib=pthread", "-l dylib=rt"]
            .iter()
            .map(|part| text.find(part).unwrap_or_else(|| panic!("{part}: {text}")))
            .collect();
        assert!(order.is_sorted(), "{text}");
        let needed = needed(&package.program());
        assert!(!needed.contains("libcuda"), "{needed}");
        let text = run(&package, &[]);
        assert!(text.contains(&format!("runtime part of the program Some(\"{version}\") None")), "{text}");
        assert!(
            text.contains(&format!("old {old} new {}", !old))
                && text.contains("newer true")
                && text.contains("count 35"),
            "{text}"
        );
        let text = run(&package, &[real("driver-535")]);
        assert!(text.contains(if old { "count 100" } else { "count 35" }), "{text}");
    }
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs scripts/real-libs.sh")]
fn report_160_headers_of_another_major_are_a_warning() {
    let package = Package::new("linked-skew", "", "\"link-runtime\"", MAIN);
    let (success, text) = said(
        package
            .cargo()
            .env("CUDA_HOME", real("toolkit-12.9"))
            .env("CUDA_RT_RUNTIME_LINK_DIR", real("toolkit-13.5/lib")),
    );
    assert!(success && text.contains("libcudart.so.13 of CUDA 13, while the headers found are of CUDA 12.9"), "{text}");
}

#[test]
fn report_154_missing_library_is_one_clear_error() {
    let package = Package::new("linked-nothing", "\"link-driver\"", "", MAIN);
    let (success, text) = said(package.cargo().env("CUDA_RT_DRIVER_LINK_DIR", "/nowhere/lib"));
    assert!(!success, "{text}");
    for part in [
        "feature `link-driver`: libcuda.so.1 or libcuda.so was not found",
        "/nowhere/lib (CUDA_RT_DRIVER_LINK_DIR)",
        "Without this feature",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let package = Package::new("linked-nothing", "", "\"static-runtime\"", MAIN);
    let (success, text) = said(package.cargo().env("CUDA_HOME", "/nowhere/cuda"));
    if success {
        return; // This machine has a toolkit in a usual place.
    }
    for part in [
        "libcudart_static.a was not found",
        "/nowhere/cuda/lib64 (CUDA_HOME)",
        "Not set: CUDA_RT_RUNTIME_LINK_DIR, CUDA_PATH",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
#[cfg_attr(any(feature = "link-runtime", feature = "static-runtime"), ignore = "this build is linked")]
fn report_167_default_program_needs_no_cuda_library() {
    // This very test uses both crates.
    assert_eq!(cuda_runtime_sys::v13::cudaError_t::cudaSuccess.code(), 0);
    let needed = needed(&std::env::current_exe().expect("the test has a file"));
    assert!(!needed.contains("libcuda"), "{needed}");
}

#[test]
fn report_002_absence_is_no_panic_even_if_panics_abort() {
    let main = r#"fn main() {
        match cuda_driver_sys::library::load() {
            Ok(_) => println!("driver"),
            Err(error) => println!("no driver: {error}"),
        }
        let mut count = 0;
        println!("{}", unsafe { cuda_runtime_sys::common::cudaGetDeviceCount(&mut count) }.code());
    }"#;
    let package = Package::new("aborting", "", "", main);
    let (success, text) = said(package.cargo().env("CARGO_PROFILE_DEV_PANIC", "abort"));
    assert!(success, "{text}");
    let text = run(&package, &[]);
    assert!(
        text.starts_with("driver") || text.starts_with("no driver: the CUDA driver library could not be loaded"),
        "{text}"
    );
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs scripts/real-libs.sh")]
fn report_166_release_build_keeps_the_libraries() {
    let package = Package::new("linked-release", "\"link-driver\"", "\"link-runtime\"", MAIN);
    let build = |arguments: &[&str]| {
        let mut command = package.cargo();
        command
            .args(arguments)
            .env("CUDA_RT_DRIVER_LINK_DIR", real("driver-535"))
            .env("CUDA_HOME", real("toolkit-13.5"));
        let (success, text) = said(&mut command);
        assert!(success, "{text}");
    };
    build(&[]);
    build(&["--release"]);
    let cuda = |profile: &str| {
        let text = needed(&package.program_of(profile));
        ["[libcuda.so.1]", "[libcudart.so.13]"].map(|name| text.contains(name))
    };
    assert_eq!((cuda("debug"), cuda("release")), ([true; 2], [true; 2]));
}
