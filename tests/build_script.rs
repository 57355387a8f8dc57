//! The build script of this package, run by cargo in a project of its own, with a stand-in for nvcc.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An nvcc that knows two architectures and writes its arguments instead of an image.
const NVCC: &str = r#"#!/bin/sh
case $1 in
    --version) echo "Cuda compilation tools, release 13.9, V13.9.1"; exit ;;
    --list-gpu-code) printf 'sm_80\nsm_90\n'; exit ;;
esac
echo "$@" >>"$(dirname "$0")/calls"
while [ $# -gt 0 ]; do
    [ "$1" != -o ] || echo "made by a stand-in" >"$2"
    shift
done
"#;

/// A small project with the build script and one kernel; it prints what its images are.
struct Project {
    root: PathBuf,
}

impl Project {
    fn new(name: &str) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&root);
        for folder in ["src", "kernels", "bin"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
        fs::copy(repository.join("build.rs"), root.join("build.rs")).unwrap();
        fs::copy(repository.join("Cargo.lock"), root.join("Cargo.lock")).unwrap();
        fs::copy(repository.join("kernels/saxpy.ptx"), root.join("kernels/saxpy.ptx")).unwrap();
        fs::copy(repository.join("kernels/saxpy.cu"), root.join("kernels/saxpy.cu")).unwrap();
        let locate = repository.join("cuda-locate").canonicalize().unwrap().display().to_string();
        let manifest = format!(
            "[package]\nname = \"project\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n[build-dependencies]\ncc = \"1\"\ncuda-locate = {{ path = {locate:?} }}\n"
        );
        fs::write(root.join("Cargo.toml"), manifest).unwrap();
        let program = r#"include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
fn main() { for image in SAXPY { println!("{}", image.what); } }
"#;
        fs::write(root.join("src/main.rs"), program).unwrap();
        Self { root }
    }

    fn install_nvcc(&self, text: &str) {
        let path = self.root.join("bin/nvcc");
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// How often the stand-in compiled.
    fn compilations(&self) -> usize {
        fs::read_to_string(self.root.join("bin/calls")).map_or(0, |calls| calls.lines().count())
    }

    /// Builds and runs it: what it printed, and what cargo said.
    fn run(&self) -> (String, String) {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(&self.root).args(["run", "--offline"]);
        cargo.env("CARGO_TARGET_DIR", self.root.join("target")).env("CARGO_TERM_COLOR", "never");
        for variable in
            ["NVCC", "CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CUDA_TOOLKIT_PATH", "CONDA_PREFIX", "VIRTUAL_ENV"]
        {
            cargo.env_remove(variable);
        }
        let inherited = std::env::var_os("PATH").unwrap_or_default();
        let path = std::iter::once(self.root.join("bin")).chain(std::env::split_paths(&inherited));
        let path = path.filter(|folder| *folder == self.root.join("bin") || !folder.join("nvcc").exists());
        let output = cargo.env("PATH", std::env::join_paths(path).unwrap()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        (String::from_utf8_lossy(&output.stdout).into_owned(), said)
    }
}

/// Whether a toolkit is in a fixed place of this machine, where the stand-in can't hide it.
fn has_toolkit() -> bool {
    Path::new("/usr/local/cuda/bin/nvcc").exists() || Path::new("/opt/cuda/bin/nvcc").exists()
}

#[test]
fn report_186_nvcc_installed_later_is_used_and_its_absence_is_said() {
    let project = Project::new("installed-later");
    if !has_toolkit() {
        let (images, said) = project.run();
        assert_eq!(images, "checked-in PTX 7.0 for sm_50 and later\n");
        assert!(said.contains("warning: project@0.0.0: no nvcc"), "{said}");
        assert!(said.contains("CUDA_HOME"), "the way out is named: {said}");
    }
    project.install_nvcc(NVCC);
    let (images, _) = project.run();
    // Report 180: nothing of this asked for a GPU or for nvidia-smi. Report 181: several architectures, and PTX.
    assert_eq!(images, "fatbin by nvcc 13.9 (sm_80 sm_90, PTX compute_90)\nchecked-in PTX 7.0 for sm_50 and later\n");
}

#[test]
fn report_187_changed_header_rebuilds_and_nothing_changed_does_not() {
    let project = Project::new("changed-header");
    project.install_nvcc(NVCC);
    project.run();
    project.run();
    assert_eq!(project.compilations(), 1);
    fs::write(project.root.join("kernels/common.cuh"), "// new\n").unwrap();
    project.run();
    assert_eq!(project.compilations(), 2);
}

#[test]
fn report_178_nvcc_that_fails_is_quoted_and_the_build_goes_on() {
    let project = Project::new("failing");
    let failing = NVCC.replace("echo \"$@\"", "echo 'error: unsupported GNU version!' >&2; exit 1; echo \"$@\"");
    project.install_nvcc(&failing);
    let (images, said) = project.run();
    assert_eq!(images, "checked-in PTX 7.0 for sm_50 and later\n");
    assert!(said.contains("kernels/saxpy.cu") && said.contains("unsupported GNU version!"), "{said}");
}

#[test]
fn nvcc_that_knows_no_listed_architecture_is_named_with_its_version() {
    let project = Project::new("strange");
    project.install_nvcc(&NVCC.replace("sm_80\\nsm_90", "sm_999"));
    let (images, said) = project.run();
    assert_eq!(images, "checked-in PTX 7.0 for sm_50 and later\n");
    assert!(said.contains("13.9") && said.contains("knows none of"), "{said}");
}
