//! Gathering the facts. Nothing here fails, panics, or creates a context.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::{env, fs};

use cuda_driver_sys::loader::{FoundVia, LoadError, Loaded};
use cuda_locate::{System, Target, driver_directories, names};

use super::facts::{Facts, File, KernelDriver, Library, Lost, Machine, Missing, Node, Tried, Variable};
use super::{Release, ask, maps};
use crate::error::{Cause, LayerError};
use crate::health;

/// Where the kernel driver tells its release.
const KERNEL_DRIVER: &str = "/proc/driver/nvidia/version";

/// Variables that change what CUDA does or where it is found, besides those that begin with
/// `CUDA_RT_`.
const VARIABLES: &[&str] = &[
    "CONDA_PREFIX",
    "CUDA_CACHE_DISABLE",
    "CUDA_DEVICE_MAX_CONNECTIONS",
    "CUDA_DEVICE_ORDER",
    "CUDA_DISABLE_JIT",
    "CUDA_DISABLE_PTX_JIT",
    "CUDA_FORCE_PTX_JIT",
    "CUDA_HOME",
    "CUDA_LAUNCH_BLOCKING",
    "CUDA_MODULE_LOADING",
    "CUDA_MPS_PIPE_DIRECTORY",
    "CUDA_PATH",
    "CUDA_ROOT",
    "CUDA_TOOLKIT_PATH",
    "CUDA_VISIBLE_DEVICES",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "NVIDIA_DISABLE_REQUIRE",
    "NVIDIA_DRIVER_CAPABILITIES",
    "NVIDIA_REQUIRE_CUDA",
    "NVIDIA_VISIBLE_DEVICES",
    "VIRTUAL_ENV",
];

impl Facts {
    /// Finds out what there is. Loads the libraries, and starts CUDA (`cuInit`) if that is
    /// possible: changes to `CUDA_VISIBLE_DEVICES` have no effect afterwards. Takes some tenths of
    /// a second where there is a GPU.
    #[must_use]
    pub fn collect() -> Self {
        Self::gather(true)
    }

    /// The same; leaves the runtime library alone if it does not matter.
    pub(super) fn gather(with_runtime: bool) -> Self {
        let lost = lost();
        let mut facts = Self {
            machine: machine(),
            environment: environment(),
            driver_files: driver_files(),
            lost,
            ..Self::default()
        };
        if facts.lost.is_none() {
            facts.driver = ask::driver();
            if with_runtime {
                facts.runtime = ask::runtime();
            }
        }
        // Read as bytes: paths need not be Unicode.
        facts.mapped = maps::parse(&String::from_utf8_lossy(&fs::read("/proc/self/maps").unwrap_or_default()));
        facts
    }
}

fn lost() -> Option<Lost> {
    if health::is_well() {
        return None;
    }
    let refusal: LayerError<crate::driver::Driver> = health::refusal("cuInit");
    Some(match refusal.cause() {
        Cause::ContextLost { first } => Lost::Fault(first.clone()),
        _ => Lost::Forked,
    })
}

fn environment() -> Vec<Variable> {
    let mut found: Vec<Variable> = env::vars_os()
        .map(|(name, value)| Variable {
            name: name.to_string_lossy().into_owned(),
            value: value.to_string_lossy().into_owned(),
        })
        .filter(|variable| VARIABLES.contains(&variable.name.as_str()) || variable.name.starts_with("CUDA_RT_"))
        .collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

fn machine() -> Machine {
    let osrelease = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default().to_lowercase();
    Machine {
        kernel_driver: kernel_driver(Path::new(KERNEL_DRIVER)),
        device_nodes: device_nodes(),
        is_wsl: osrelease.contains("microsoft") || Path::new("/usr/lib/wsl/lib").is_dir(),
        container: container(),
    }
}

/// The kernel driver, as this file tells.
fn kernel_driver(file: &Path) -> KernelDriver {
    match fs::read(file) {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes);
            Release::of_kernel_driver(&text).map_or_else(
                || KernelDriver::Unreadable(format!("{} has no release in it", file.display())),
                KernelDriver::Loaded,
            )
        }
        Err(error) if error.kind() == ErrorKind::NotFound => KernelDriver::Absent,
        Err(error) => KernelDriver::Unreadable(format!("{}: {error}", file.display())),
    }
}

fn device_nodes() -> Vec<Node> {
    let mut nodes: Vec<Node> = fs::read_dir("/dev")
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name == "dxg" || name.strip_prefix("nvidia").is_some_and(is_node))
        .map(|name| {
            let path = format!("/dev/{name}");
            let error = fs::File::open(&path).err();
            let is_forbidden = error.as_ref().is_some_and(|error| error.kind() == ErrorKind::PermissionDenied);
            Node { path, problem: error.map(|error| error.to_string()), is_forbidden }
        })
        .collect();
    nodes.sort_by(|a, b| a.path.cmp(&b.path));
    nodes
}

/// What follows `nvidia` in the names of the nodes that CUDA needs: a number, `ctl`, `-uvm`.
fn is_node(rest: &str) -> bool {
    matches!(rest, "ctl" | "-uvm") || (!rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
}

fn container() -> Option<String> {
    for file in ["/.dockerenv", "/run/.containerenv"] {
        if Path::new(file).exists() {
            return Some(file.to_owned());
        }
    }
    let variable = ["KUBERNETES_SERVICE_HOST", "APPTAINER_CONTAINER", "SINGULARITY_CONTAINER"]
        .into_iter()
        .find(|name| env::var_os(name).is_some());
    variable.map(|name| format!("the variable {name}"))
}

/// Files with the name of the driver library.
fn driver_files() -> Vec<File> {
    let target = Target::current();
    let list = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let mut directories: Vec<PathBuf> = env::split_paths(&list).filter(|path| !path.as_os_str().is_empty()).collect();
    directories.extend(driver_directories(&System, &target).into_iter().map(PathBuf::from));
    let mut found: Vec<File> = Vec::new();
    for directory in directories {
        for name in names::driver(target.os) {
            let path = directory.join(name);
            if fs::symlink_metadata(&path).is_err() || found.iter().any(|file| file.path == path) {
                continue;
            }
            let bytes = fs::metadata(&path).ok().map(|metadata| metadata.len());
            found.push(File { target: fs::canonicalize(&path).ok(), bytes, path });
        }
    }
    found
}

/// A loaded library, as a fact.
pub(super) fn library(loaded: &Loaded) -> Library {
    let path = loaded.path().map(Path::to_path_buf);
    let target = path.as_deref().and_then(|path| fs::canonicalize(path).ok());
    Library { path, target, via: loaded.via().to_string(), note: loaded.note().map(str::to_owned) }
}

/// A library that could not be loaded, as a fact.
pub(super) fn missing(error: &LoadError) -> Missing {
    let error = match error {
        LoadError::Library(error) => error,
        // The library is there, then; nothing here asks for a function before the library.
        LoadError::Symbol(error) => {
            let place =
                error.path.as_ref().map_or_else(|| error.library.to_string(), |path| path.display().to_string());
            let problem = error.to_string();
            return Missing {
                tried: vec![Tried { place, problem, is_file: true, ..Tried::default() }],
                searched: Vec::new(),
            };
        }
    };
    let tried = error.tried.iter().map(|attempt| {
        let is_path = attempt.path.contains(['/', '\\']);
        let is_named = matches!(attempt.via, FoundVia::Explicit) || attempt.via.to_string().starts_with("CUDA_RT_");
        Tried {
            place: attempt.path.clone(),
            via: attempt.via.to_string(),
            problem: attempt.problem.clone(),
            is_file: is_named || (is_path && fs::symlink_metadata(&attempt.path).is_ok()),
            // glibc and musl word a missing file so; any other problem is that of a file.
            is_refused: !is_path
                && !["No such file", "cannot open shared object", "not be found"]
                    .iter()
                    .any(|w| attempt.problem.contains(w)),
        }
    });
    Missing { tried: tried.collect(), searched: error.searched.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn report_026_kernel_driver_is_read_from_the_file_given() {
        let folder = env::temp_dir().join(format!("cuda-rt-kernel-driver-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("version");
        assert_eq!(kernel_driver(&file), KernelDriver::Absent);
        fs::write(&file, "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90  Fri May 31\n").unwrap();
        assert_eq!(kernel_driver(&file).release().map(ToString::to_string).as_deref(), Some("550.90"));
        fs::write(&file, [0xff, 0xfe, 0]).unwrap();
        assert!(matches!(kernel_driver(&file), KernelDriver::Unreadable(_)));
        assert!(matches!(kernel_driver(&folder), KernelDriver::Unreadable(_)));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn device_nodes_are_known_by_name() {
        assert!(["0", "15", "ctl", "-uvm"].into_iter().all(is_node));
        assert!(!["", "-uvm-tools", "-modeset", "-caps", "0x"].into_iter().any(is_node));
    }
}
