//! What becomes of runtime libraries, real and broken. Each case has a process of its own.
#![cfg(all(target_os = "linux", not(any(feature = "link-runtime", feature = "static-runtime"))))]
#![allow(clippy::unwrap_used)]

#[path = "support/probe.rs"]
mod probe;
#[path = "../../cuda-driver-sys/tests/support/process.rs"]
mod process;

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

fn real(path: &str) -> String {
    format!("{}/{path}", option_env!("CUDA_RT_REAL_LIBS").unwrap_or_default())
}

/// Major and version of the four runtimes that are tried.
const RUNTIMES: [(&str, u32); 4] = [("12.4", 12), ("12.9", 12), ("13.0", 13), ("13.5", 13)];

#[test]
#[cfg_attr(not(real_libs), ignore = "needs scripts/real-libs.sh")]
fn each_runtime_loads_with_its_major_and_version() {
    for (version, major) in RUNTIMES {
        let file = real(&format!("toolkit-{version}/lib/libcudart.so.{major}"));
        let text = output(probe().env("PROBE_FILE", &file));
        for line in [format!("path: {file}\n"), format!("version: {version}\n"), format!("major: {major}\n")] {
            assert!(text.contains(&line), "{line}{text}");
        }
    }
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs scripts/real-libs.sh")]
fn report_010_runtime_is_found_by_each_toolkit_variable_alone() {
    for variable in ["CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CUDA_TOOLKIT_PATH"] {
        let text = output(probe().env(variable, real("toolkit-13.5")));
        assert!(
            text.contains(&format!("via: {variable}")) && text.contains(&real("toolkit-13.5/lib/libcudart.so.13")),
            "{text}"
        );
    }
    let text = output(probe().env("CONDA_PREFIX", real("toolkit-12.9")));
    assert!(text.contains("via: CONDA_PREFIX") && text.contains("major: 12"), "{text}");
    let text = output(probe().env("CUDA_RT_RUNTIME_LIBRARY", real("toolkit-12.4/lib/libcudart.so.12")));
    assert!(text.contains("via: CUDA_RT_RUNTIME_LIBRARY") && text.contains("version: 12.4"), "{text}");
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs scripts/real-libs.sh")]
fn wheels_of_the_python_environment_are_found() {
    let prefix = folder("venv");
    let nvidia = prefix.join("lib/python3.12/site-packages/nvidia");
    std::fs::create_dir_all(&nvidia).unwrap();
    std::os::unix::fs::symlink(real("toolkit-12.9"), nvidia.join("cuda_runtime")).unwrap();
    assert!(output(probe().env("VIRTUAL_ENV", &prefix)).contains("version: 12.9"));
    std::os::unix::fs::symlink(real("toolkit-13.5"), nvidia.join("cu13")).unwrap();
    let text = output(probe().env("VIRTUAL_ENV", &prefix));
    assert!(text.contains("version: 13.5") && text.contains("via: Python wheels"), "{text}");
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs scripts/real-libs.sh")]
fn major_that_the_driver_serves_comes_first() {
    let prefix = folder("both");
    let lib = prefix.join("lib");
    std::fs::create_dir_all(&lib).unwrap();
    for (version, major) in [("12.9", 12), ("13.5", 13)] {
        let name = format!("libcudart.so.{major}");
        std::os::unix::fs::symlink(real(&format!("toolkit-{version}/lib/{name}")), lib.join(name)).unwrap();
    }
    let text = output(probe().env("CUDA_HOME", &prefix).env("CUDA_RT_DRIVER_LIBRARY", real("driver-535/libcuda.so.1")));
    assert!(text.contains("version: 12.9"), "a driver of 12.2 can't serve 13: {text}");
    let newer = folder("driver-13").join("libcuda.so.1");
    library(&newer, "int cuInit(unsigned f){return 100;} int cuDriverGetVersion(int*v){*v=13000;return 0;}", &[]);
    let text = output(probe().env("CUDA_HOME", &prefix).env("CUDA_RT_DRIVER_LIBRARY", newer));
    assert!(text.contains("version: 13.5"), "{text}");
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs scripts/real-libs.sh")]
fn report_173_properties_resolve_by_the_loaded_major() {
    let text = output(probe().env("PROBE_FILE", real("toolkit-12.4/lib/libcudart.so.12")));
    assert!(
        text.contains("v12 cudaGetDeviceProperties_v2: present") && text.contains("v12 cudaMemPrefetchAsync: present"),
        "{text}"
    );
    assert!(text.contains("v13 cudaMemPrefetchAsync: the CUDA runtime library of CUDA 12.4"), "{text}");
    assert!(text.contains("is not of major 13, whose cudaMemPrefetchAsync was asked for"), "{text}");
    assert!(
        text.contains("v12 cudaLibraryLoadData: ")
            && text.contains("has no cudaLibraryLoadData, which exists since CUDA 12.8"),
        "{text}"
    );
    let text = output(probe().env("PROBE_FILE", real("toolkit-13.0/lib/libcudart.so.13")));
    assert!(
        text.contains("v13 cudaGetDeviceProperties: present")
            && text.contains("whose cudaGetDeviceProperties_v2 was asked for"),
        "{text}"
    );
    assert!(text.contains("has no cudaFuncGetParamCount, which exists since CUDA 13.2"), "{text}");
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs scripts/real-libs.sh")]
fn third_major_is_refused_by_name() {
    let text = output(probe().env("PROBE_FILE", real("cudart-11.8/lib/libcudart.so.11.0")));
    assert!(
        text.contains("libcudart major 11 is not supported: 12 and 13 are") && text.contains("cudaMalloc: 303"),
        "{text}"
    );
    // Even under the name of a known major.
    let file = folder("renamed").join("libcudart.so.13");
    std::os::unix::fs::symlink(real("cudart-11.8/lib/libcudart.so.11.0"), &file).unwrap();
    assert!(output(probe().env("PROBE_FILE", &file)).contains("libcudart major 11 is not supported"));
}

#[test]
fn untagged_library_is_judged_by_its_version() {
    let folder = folder("untagged");
    let file = folder.join("libcudart.so.13");
    library(&file, "int cudaRuntimeGetVersion(int*v){*v=14000;return 0;}", &[]);
    assert!(output(probe().env("PROBE_FILE", &file)).contains("libcudart major 14 is not supported: 12 and 13 are"));
    let file = folder.join("libcudart.so.12");
    library(
        &file,
        "int cudaRuntimeGetVersion(int*v){*v=12060;return 0;} int cudaMalloc(void**p,long n){return 2;}",
        &[],
    );
    assert!(output(probe().env("PROBE_FILE", &file)).contains("major: 12\n"));
}

#[test]
fn report_013_library_without_functions_is_refused_by_name() {
    let file = folder("partial").join("libcudart.so.13");
    library(&file, "int other;", &[]);
    assert!(output(probe().env("PROBE_FILE", &file)).contains("exports no cudaRuntimeGetVersion"));
}

#[test]
fn report_018_every_place_is_named_and_what_to_do() {
    let places = [
        ("CUDA_HOME", "/a/home"),
        ("CUDA_PATH", "/a/path"),
        ("CUDA_ROOT", "/a/root"),
        ("CUDA_TOOLKIT_PATH", "/a/toolkit"),
        ("CONDA_PREFIX", "/a/conda"),
    ];
    let text = output(probe().envs(places));
    if text.contains("path: ") {
        return; // This machine has a runtime where the system's loader finds it.
    }
    for (_, place) in places {
        assert!(text.contains(&format!("{place}/lib")), "{place}: {text}");
    }
    for part in [
        "libcudart.so.13 (system loader)",
        "libcudart.so.12 (system loader)",
        "/usr/local/cuda/lib64",
        "nvidia-cuda-runtime",
        "static-runtime",
        "Not set: VIRTUAL_ENV",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs scripts/real-libs.sh")]
fn report_150_two_majors_in_one_process_do_not_mix() {
    // What another part of the program loaded does not decide what is loaded here.
    let other = real("toolkit-12.9/lib/libcudart.so.12");
    let text = output(probe().env("PROBE_FILE", real("toolkit-13.5/lib/libcudart.so.13")).env("LD_PRELOAD", other));
    assert!(
        text.contains("version: 13.5")
            && text.contains("v12 cudaMemPrefetchAsync: the CUDA runtime library of CUDA 13.5"),
        "{text}"
    );
}

#[test]
fn report_006_function_that_a_release_dropped_leaves_the_others_usable() {
    let file = folder("dropped").join("libcudart.so.13");
    library(
        &file,
        "int cudaRuntimeGetVersion(int*v){*v=13090;return 0;} int cudaGetDeviceCount(int*n){*n=7;return 0;}",
        &[],
    );
    let text = output(probe().env("PROBE_FILE", &file));
    assert!(text.contains("cudaGetDeviceCount: 0 7\n"), "{text}");
    assert!(text.contains("has no cudaGetDeviceProperties, although it exists since"), "{text}");
}
