//! File names of CUDA's libraries.

use crate::{Os, Target};

/// Majors of the runtime that this project binds, newest first.
pub const RUNTIME_MAJORS: [u32; 2] = [13, 12];

/// Names of the driver library, in the order to try. The versioned name comes first: it is the
/// only one that a machine without development files has (and WSL's cache of libraries holds).
#[must_use]
pub const fn driver(os: Os) -> &'static [&'static str] {
    match os {
        Os::Windows => &["nvcuda.dll"],
        Os::Linux | Os::Other => &["libcuda.so.1", "libcuda.so"],
    }
}

/// Name of the shared runtime of one major: `libcudart.so.13`, `cudart64_13.dll`. Never the bare
/// `libcudart.so`, which may be any major.
#[must_use]
pub fn runtime(os: Os, major: u32) -> String {
    match os {
        Os::Windows => format!("cudart64_{major}.dll"),
        Os::Linux | Os::Other => format!("libcudart.so.{major}"),
    }
}

/// Name of the runtime that Windows drivers bring along since CUDA 13 (`cudart64_13.dll` and the
/// static library are thin and load it): its minor version is the driver's, not the toolkit's. It
/// lies in the driver's own store and is loaded by them, not by us.
pub const WINDOWS_HYBRID_RUNTIME: &str = "nvcudart_hybrid64.dll";

/// Name of the static runtime.
#[must_use]
pub const fn static_runtime(os: Os) -> &'static str {
    match os {
        Os::Windows => "cudart_static.lib",
        Os::Linux | Os::Other => "libcudart_static.a",
    }
}

/// Name of the CUDA compiler.
#[must_use]
pub const fn nvcc(os: Os) -> &'static str {
    match os {
        Os::Windows => "nvcc.exe",
        Os::Linux | Os::Other => "nvcc",
    }
}

/// Folders that hold a toolkit's libraries, relative to its root, most specific first. Which of
/// them holds a file has to be looked at: Nix and the wheels have only `lib`.
#[must_use]
pub fn library_folders(target: &Target) -> Vec<String> {
    if target.is_windows() {
        // Import libraries; bin holds the DLLs: bin/x64 since 13, bin/x86_64 in wheels.
        return [
            "lib/x64",
            "Library/lib/x64",
            "Library/lib",
            "lib/x86_64",
            "lib",
            "bin/x64",
            "bin/x86_64",
            "bin",
            "Library/bin/x64",
            "Library/bin",
        ]
        .map(str::to_owned)
        .to_vec();
    }
    let mut folders: Vec<String> = target.toolkit_targets().iter().map(|name| format!("targets/{name}/lib")).collect();
    folders.extend(["lib64", "lib"].map(str::to_owned));
    if let Some(multiarch) = target.multiarch() {
        folders.push(format!("lib/{multiarch}"));
    }
    folders
}

/// Folders that hold the shared runtime for loading, relative to a toolkit's root.
#[must_use]
pub fn runtime_folders(target: &Target, major: u32) -> Vec<String> {
    if target.is_windows() {
        // CUDA 13 moved the DLLs to bin\x64; wheels have bin\x86_64, conda Library\bin.
        let mut folders = vec!["bin/x64", "bin", "bin/x86_64", "Library/bin/x64", "Library/bin"];
        if major < 13 {
            folders.retain(|folder| *folder != "bin/x64" && *folder != "Library/bin/x64");
        }
        return folders.into_iter().map(str::to_owned).collect();
    }
    let mut folders: Vec<String> = ["lib64", "lib"].map(str::to_owned).to_vec();
    folders.extend(target.toolkit_targets().iter().map(|name| format!("targets/{name}/lib")));
    folders
}
