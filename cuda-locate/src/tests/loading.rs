//! What is handed to the system's loader.

use super::{ARM, LINUX, WINDOWS};
use crate::fake::Tree;
use crate::{Candidate, Os, Target, Via, driver_candidates, driver_directories, names, runtime_candidates};

fn paths(candidates: &[Candidate]) -> Vec<&str> {
    candidates.iter().map(|candidate| candidate.path.as_str()).collect()
}

fn runtime(tree: &Tree, target: &Target, major: u32) -> Vec<Candidate> {
    runtime_candidates(tree, target, major, &mut Vec::new())
}

#[test]
fn report_007_versioned_name_comes_first() {
    assert_eq!(paths(&driver_candidates(&Tree::new(), &LINUX)), ["libcuda.so.1", "libcuda.so"]);
    assert_eq!(paths(&runtime(&Tree::new(), &LINUX, 12)), ["libcudart.so.12"], "never the bare libcudart.so");
}

#[test]
fn report_008_windows_driver_is_nvcuda_dll() {
    assert_eq!(names::driver(Os::Windows), ["nvcuda.dll"]);
    let tree = Tree::new().var("SystemRoot", "D:\\Windows").file("D:\\Windows\\System32\\nvcuda.dll");
    assert_eq!(paths(&driver_candidates(&tree, &WINDOWS)), ["nvcuda.dll", "D:\\Windows\\System32\\nvcuda.dll"]);
    let all = driver_candidates(&tree, &WINDOWS);
    assert!(!all.iter().any(|candidate| candidate.path.ends_with("\\cuda.dll") || candidate.path == "cuda.dll"));
}

#[test]
fn report_009_windows_runtime_13_is_in_bin_x64() {
    let root = "C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v13.0";
    let new = format!("{root}\\bin\\x64\\cudart64_13.dll");
    let tree = Tree::new().var("CUDA_PATH", root).file(&new);
    assert_eq!(paths(&runtime(&tree, &WINDOWS, 13)), ["cudart64_13.dll", new.as_str()]);
    let old = "C:\\cuda\\v12.9\\bin\\cudart64_12.dll";
    let tree = Tree::new().var("CUDA_PATH", "C:\\cuda\\v12.9").file(old);
    assert_eq!(paths(&runtime(&tree, &WINDOWS, 12)), ["cudart64_12.dll", old]);
    assert!(names::runtime_folders(&WINDOWS, 13).contains(&"bin/x64".to_owned()));
    assert!(!names::runtime_folders(&WINDOWS, 12).contains(&"bin/x64".to_owned()));
}

#[test]
fn windows_toolkits_in_the_usual_place_are_found_newest_first() {
    let file = |version: &str| {
        format!("C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\{version}\\bin\\x64\\cudart64_13.dll")
    };
    let tree = Tree::new().file(&file("v13.0")).file(&file("v13.10")).file(&file("v13.2"));
    assert_eq!(paths(&runtime(&tree, &WINDOWS, 13))[1..], [file("v13.10"), file("v13.2"), file("v13.0")]);
}

#[test]
fn windows_wheels_and_conda_are_found() {
    let wheel = "C:\\venv\\Lib\\site-packages\\nvidia\\cu13\\bin\\x86_64\\cudart64_13.dll";
    let conda = "C:\\conda\\Library\\bin\\cudart64_13.dll";
    let tree = Tree::new().var("VIRTUAL_ENV", "C:\\venv").var("CONDA_PREFIX", "C:\\conda").file(wheel).file(conda);
    let all = runtime(&tree, &WINDOWS, 13);
    assert_eq!(paths(&all), ["cudart64_13.dll", wheel, conda]);
    assert_eq!((&all[1].via, &all[2].via), (&Via::PyPi, &Via::Conda));
    let wheel = "C:\\venv\\Lib\\site-packages\\nvidia\\cuda_runtime\\bin\\cudart64_12.dll";
    let tree = Tree::new().var("VIRTUAL_ENV", "C:\\venv").file(wheel);
    assert_eq!(paths(&runtime(&tree, &WINDOWS, 12)), ["cudart64_12.dll", wheel]);
}

#[test]
fn hybrid_runtime_is_known_but_left_to_the_runtime_that_loads_it() {
    assert_eq!(names::WINDOWS_HYBRID_RUNTIME, "nvcudart_hybrid64.dll");
    let tree = Tree::new().var("SystemRoot", "C:\\Windows").file("C:\\Windows\\System32\\nvcudart_hybrid64.dll");
    assert!(!paths(&runtime(&tree, &WINDOWS, 13)).iter().any(|path| path.contains("hybrid")));
}

#[test]
fn report_014_wsl_directory_comes_before_a_linux_driver_package() {
    let directories = driver_directories(&Tree::new(), &LINUX);
    let place = |directory: &str| directories.iter().position(|one| one == directory).unwrap();
    assert!(place("/usr/lib/wsl/lib") < place("/usr/lib/x86_64-linux-gnu"));
    let tree = Tree::new().file("/usr/lib/wsl/lib/libcuda.so.1").file("/usr/lib/x86_64-linux-gnu/libcuda.so.1");
    let all = driver_candidates(&tree, &LINUX);
    assert_eq!(paths(&all)[2..], ["/usr/lib/wsl/lib/libcuda.so.1", "/usr/lib/x86_64-linux-gnu/libcuda.so.1"]);
}

#[test]
fn report_011_stubs_and_compat_are_never_searched() {
    let tree = Tree::new()
        .var("CUDA_HOME", "/usr/local/cuda")
        .file("/usr/local/cuda/lib64/stubs/libcuda.so.1")
        .file("/usr/local/cuda/compat/libcuda.so.1");
    assert_eq!(paths(&driver_candidates(&tree, &LINUX)), ["libcuda.so.1", "libcuda.so"]);
}

#[test]
fn jetson_and_server_directories_are_searched_on_arm_only() {
    let jetson = "/usr/lib/aarch64-linux-gnu/tegra/libcuda.so.1";
    let tree = Tree::new().file(jetson);
    assert!(paths(&driver_candidates(&tree, &ARM)).contains(&jetson));
    assert!(!paths(&driver_candidates(&tree, &LINUX)).contains(&jetson));
    let (sbsa, tegra) = (
        "/usr/local/cuda/targets/sbsa-linux/lib/libcudart.so.13",
        "/usr/local/cuda/targets/aarch64-linux/lib/libcudart.so.13",
    );
    assert_eq!(paths(&runtime(&Tree::new().file(sbsa), &ARM, 13)), ["libcudart.so.13", sbsa]);
    assert_eq!(paths(&runtime(&Tree::new().file(tegra), &ARM, 13)), ["libcudart.so.13", tegra]);
}

#[test]
fn report_010_runtime_places_are_tried_in_the_documented_order() {
    let files = [
        "/venv/lib/python3.11/site-packages/nvidia/cu13/lib/libcudart.so.13",
        "/conda/lib/libcudart.so.13",
        "/conda/targets/x86_64-linux/lib/libcudart.so.13",
        "/home/lib64/libcudart.so.13",
        "/path/lib/libcudart.so.13",
        "/root/targets/x86_64-linux/lib/libcudart.so.13",
        "/toolkit/lib64/libcudart.so.13",
        "/usr/local/cuda/lib64/libcudart.so.13",
        "/usr/local/cuda-13.5/lib64/libcudart.so.13",
        "/usr/local/cuda-13.0/lib64/libcudart.so.13",
        "/usr/lib/x86_64-linux-gnu/libcudart.so.13",
    ];
    let mut tree = Tree::new();
    for (name, value) in [
        ("VIRTUAL_ENV", "/venv"),
        ("CONDA_PREFIX", "/conda"),
        ("CUDA_HOME", "/home"),
        ("CUDA_PATH", "/path"),
        ("CUDA_ROOT", "/root"),
        ("CUDA_TOOLKIT_PATH", "/toolkit"),
    ] {
        tree = tree.var(name, value);
    }
    for file in files {
        tree = tree.file(file);
    }
    // Wheels stand before conda, as a user who activates both would expect of the inner one.
    let all = runtime(&tree, &LINUX, 13);
    assert_eq!(all[0].via, Via::SystemLoader);
    assert_eq!(paths(&all)[1..], files);
}

#[test]
fn wheels_of_another_major_are_passed_over() {
    let file = "/venv/lib/python3.12/site-packages/nvidia/cuda_runtime/lib/libcudart.so.12";
    let tree = Tree::new().var("VIRTUAL_ENV", "/venv").file(file);
    assert_eq!(paths(&runtime(&tree, &LINUX, 12)), ["libcudart.so.12", file]);
    assert_eq!(paths(&runtime(&tree, &LINUX, 13)), ["libcudart.so.13"]);
}

#[test]
fn searched_directories_are_told_even_if_nothing_is_there() {
    let mut searched = Vec::new();
    runtime_candidates(&Tree::new().var("CUDA_HOME", "/a"), &LINUX, 13, &mut searched);
    let searched = paths(&searched);
    for directory in ["/a/lib64", "/a/lib", "/a/targets/x86_64-linux/lib", "/usr/local/cuda/lib64"] {
        assert!(searched.contains(&directory), "{directory}: {searched:?}");
    }
}
