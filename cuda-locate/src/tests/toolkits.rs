//! Headers, libraries and nvcc.

use super::{ARM, LINUX, WINDOWS};
use crate::fake::Tree;
use crate::{Via, header, header_version, library, nvcc};

const VERSION: &str = "#ifndef X\n#define CUDA_VERSION 13050\n#endif\n";

#[test]
fn report_152_each_variable_alone_finds_the_header() {
    for name in ["CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CUDA_TOOLKIT_PATH"] {
        let tree = Tree::new().var(name, "/good").text("/good/include/cuda.h", VERSION);
        let found = header(&tree, &LINUX, "cuda.h").unwrap();
        assert_eq!((found.path.as_str(), &found.via), ("/good/include/cuda.h", &Via::Variable(name)));
        assert_eq!(header_version(&tree, &found.path, "CUDA_VERSION"), Ok(13050));
    }
}

#[test]
fn report_152_unreadable_header_is_an_error() {
    let tree = Tree::new().var("CUDA_HOME", "/good").unreadable("/good/include/cuda.h", "Permission denied");
    let found = header(&tree, &LINUX, "cuda.h").unwrap();
    let error = header_version(&tree, &found.path, "CUDA_VERSION").unwrap_err();
    assert_eq!(error, "/good/include/cuda.h can't be read: Permission denied");
    let tree = Tree::new().text("/cuda.h", "nothing");
    assert_eq!(header_version(&tree, "/cuda.h", "CUDA_VERSION").unwrap_err(), "/cuda.h defines no CUDA_VERSION");
}

#[test]
fn report_154_error_names_variables_and_places() {
    let tree = Tree::new().var("CUDA_HOME", "/empty").var("PATH", "/bin:/opt/bin");
    let text = nvcc(&tree, &LINUX).unwrap_err().to_string();
    for part in [
        "nvcc was not found",
        "/empty/bin (CUDA_HOME)",
        "/opt/bin (PATH)",
        "Not set: NVCC, CUDA_PATH, CUDA_ROOT, CUDA_TOOLKIT_PATH, CONDA_PREFIX, VIRTUAL_ENV",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let text = nvcc(&Tree::new().var("NVCC", "/x/nvcc"), &LINUX).unwrap_err().to_string();
    assert!(text.contains("/x/nvcc (NVCC)"), "{text}");
}

#[test]
fn report_155_debian_packages_are_found() {
    let tree = Tree::new()
        .file("/usr/bin/nvcc")
        .file("/usr/include/cuda.h")
        .file("/usr/lib/x86_64-linux-gnu/libcudart.so.12")
        .file("/usr/lib/cuda/version.txt");
    assert_eq!(header(&tree, &LINUX, "cuda.h").unwrap().directory, "/usr/include");
    assert_eq!(library(&tree, &LINUX, &["libcudart.so.12"]).unwrap().directory, "/usr/lib/x86_64-linux-gnu");
    assert_eq!(nvcc(&tree, &LINUX).unwrap().path, "/usr/bin/nvcc");
}

#[test]
fn report_156_folder_that_holds_the_library_wins() {
    // Nix has only lib.
    let tree = Tree::new().var("CUDA_PATH", "/nix/store/x-cuda").file("/nix/store/x-cuda/lib/libcudart_static.a");
    assert_eq!(library(&tree, &LINUX, &["libcudart_static.a"]).unwrap().directory, "/nix/store/x-cuda/lib");
    let tree = tree.file("/nix/store/x-cuda/lib64/other.a");
    assert_eq!(library(&tree, &LINUX, &["libcudart_static.a"]).unwrap().directory, "/nix/store/x-cuda/lib");
}

#[test]
fn report_158_wheels_are_a_toolkit() {
    let nvidia = "/venv/lib/python3.12/site-packages/nvidia";
    let tree = Tree::new()
        .var("VIRTUAL_ENV", "/venv")
        .file(&format!("{nvidia}/cu13/include/cuda.h"))
        .file(&format!("{nvidia}/cu13/bin/nvcc"))
        .file(&format!("{nvidia}/cu13/lib/libcudart.so.13"));
    assert_eq!(header(&tree, &LINUX, "cuda.h").unwrap().via, Via::PyPi);
    assert_eq!(nvcc(&tree, &LINUX).unwrap().root, format!("{nvidia}/cu13"));
    assert_eq!(library(&tree, &LINUX, &["libcudart.so.13"]).unwrap().directory, format!("{nvidia}/cu13/lib"));
    // The wheels of CUDA 12 are split: crt/ is with the compiler.
    let tree = Tree::new()
        .var("VIRTUAL_ENV", "/venv")
        .file(&format!("{nvidia}/cuda_runtime/include/cuda_runtime_api.h"))
        .file(&format!("{nvidia}/cuda_nvcc/include/crt/host_defines.h"));
    assert!(header(&tree, &LINUX, "cuda_runtime_api.h").is_ok());
    assert_eq!(header(&tree, &LINUX, "crt/host_defines.h").unwrap().directory, format!("{nvidia}/cuda_nvcc/include"));
}

#[test]
fn report_159_conda_headers_are_found() {
    let tree = Tree::new().var("CONDA_PREFIX", "/conda").file("/conda/targets/x86_64-linux/include/cuda.h");
    assert_eq!(header(&tree, &LINUX, "cuda.h").unwrap().via, Via::Conda);
    let tree = Tree::new().var("CONDA_PREFIX", "/conda").file("/conda/targets/sbsa-linux/include/cuda.h");
    assert!(header(&tree, &ARM, "cuda.h").is_ok() && header(&tree, &LINUX, "cuda.h").is_err());
    let tree = Tree::new().var("CONDA_PREFIX", "C:\\conda").file("C:\\conda\\Library\\include\\cuda.h");
    assert_eq!(header(&tree, &WINDOWS, "cuda.h").unwrap().path, "C:\\conda\\Library\\include\\cuda.h");
}

#[test]
fn compiler_in_path_leads_to_its_toolkit() {
    let tree =
        Tree::new().var("PATH", "/bin:/opt/cuda-x/bin").file("/opt/cuda-x/bin/nvcc").file("/opt/cuda-x/include/cuda.h");
    assert_eq!(header(&tree, &LINUX, "cuda.h").unwrap().path, "/opt/cuda-x/include/cuda.h");
    let tree =
        Tree::new().var("PATH", "C:\\cuda\\bin").file("C:\\cuda\\bin\\nvcc.exe").file("C:\\cuda\\include\\cuda.h");
    assert_eq!(header(&tree, &WINDOWS, "cuda.h").unwrap().path, "C:\\cuda\\include\\cuda.h");
    assert_eq!(nvcc(&tree, &WINDOWS).unwrap().path, "C:\\cuda\\bin\\nvcc.exe");
}

#[test]
fn variable_wins_over_usual_places() {
    let tree = Tree::new()
        .var("CUDA_HOME", "/mine")
        .var("CONDA_PREFIX", "/conda")
        .file("/usr/local/cuda/bin/nvcc")
        .file("/conda/bin/nvcc")
        .file("/mine/bin/nvcc");
    assert_eq!(nvcc(&tree, &LINUX).unwrap().path, "/mine/bin/nvcc");
}
