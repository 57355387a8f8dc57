//! The roots of toolkits.

use std::fmt;

use crate::{Env, Target};

/// Variables that may name the root of a toolkit, in the order in which they are asked.
pub const ROOT_VARIABLES: [&str; 4] = ["CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CUDA_TOOLKIT_PATH"];

/// Why a place is looked at.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Via {
    /// An environment variable names it, or a folder above it.
    Variable(&'static str),
    /// Wheels of the Python environment that `VIRTUAL_ENV` names.
    PyPi,
    /// The conda environment that `CONDA_PREFIX` names.
    Conda,
    /// It is in a folder of `PATH`.
    SearchPath,
    /// A usual place of the system.
    Known,
    /// The system's own loader finds it by its name.
    SystemLoader,
}

impl fmt::Display for Via {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => f.write_str(name),
            Self::PyPi => f.write_str("wheels in VIRTUAL_ENV"),
            Self::Conda => f.write_str("CONDA_PREFIX"),
            Self::SearchPath => f.write_str("PATH"),
            Self::Known => f.write_str("usual place"),
            Self::SystemLoader => f.write_str("system loader"),
        }
    }
}

/// A folder that may be the root of a toolkit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// The folder.
    pub path: String,
    /// Why it is looked at.
    pub via: Via,
}

/// All roots worth a look, in order: the variables, conda, wheels, the compiler in `PATH`, the
/// usual places. A root that a variable names is listed even if it does not exist, so that a
/// report can say so.
#[must_use]
pub fn roots(env: &dyn Env, target: &Target) -> Vec<Root> {
    let mut all = variables(env);
    all.extend(conda(env, target));
    all.extend(wheels(env, target));
    all.extend(search_path(env, target));
    all.extend(known(env, target));
    let mut seen: Vec<Root> = Vec::new();
    for root in all {
        if !seen.iter().any(|earlier| earlier.path == root.path) {
            seen.push(root);
        }
    }
    seen
}

pub(crate) fn variables(env: &dyn Env) -> Vec<Root> {
    let root = |name| Some(Root { path: env.variable(name)?, via: Via::Variable(name) });
    ROOT_VARIABLES.into_iter().filter_map(root).collect()
}

pub(crate) fn conda(env: &dyn Env, target: &Target) -> Vec<Root> {
    let Some(prefix) = env.variable("CONDA_PREFIX") else {
        return Vec::new();
    };
    let mut roots = vec![Root { path: prefix.clone(), via: Via::Conda }];
    if target.is_windows() {
        roots.push(Root { path: target.join(&prefix, "Library"), via: Via::Conda });
    }
    roots
}

/// The folders of NVIDIA's wheels: `nvidia/cu13` is a whole toolkit, the wheels of CUDA 12 have a
/// folder each.
pub(crate) fn wheels(env: &dyn Env, target: &Target) -> Vec<Root> {
    let Some(prefix) = env.variable("VIRTUAL_ENV") else {
        return Vec::new();
    };
    let mut packages = Vec::new();
    if target.is_windows() {
        packages.push(target.join(&prefix, "Lib/site-packages/nvidia"));
    } else {
        for lib in ["lib", "lib64"] {
            let lib = target.join(&prefix, lib);
            for python in env.list(&lib).into_iter().filter(|name| name.starts_with("python3")) {
                packages.push(target.join(&lib, &format!("{python}/site-packages/nvidia")));
            }
        }
    }
    let mut roots = Vec::new();
    for nvidia in packages {
        let mut folders = env.list(&nvidia);
        // cu13, cu14…: the newest first; then the split wheels.
        folders.retain(|name| name.strip_prefix("cu").is_some_and(|rest| rest.parse::<u32>().is_ok()));
        folders.reverse();
        folders.extend(["cuda_runtime", "cuda_nvcc", "cuda_nvrtc"].map(str::to_owned));
        for folder in folders {
            let path = target.join(&nvidia, &folder);
            if env.is_dir(&path) {
                roots.push(Root { path, via: Via::PyPi });
            }
        }
    }
    roots
}

/// The root above the compiler in `PATH`: `/opt/cuda` for `/opt/cuda/bin/nvcc`.
fn search_path(env: &dyn Env, target: &Target) -> Vec<Root> {
    let list = env.variable("PATH").unwrap_or_default();
    let mut roots = Vec::new();
    for folder in target.split_list(&list) {
        if env.is_file(&target.join(folder, crate::names::nvcc(target.os))) {
            let folder = folder.trim_end_matches(['/', '\\']);
            if let Some(root) = folder.strip_suffix("/bin").or_else(|| folder.strip_suffix("\\bin")) {
                roots.push(Root { path: root.to_owned(), via: Via::SearchPath });
            }
        }
    }
    roots
}

pub(crate) fn known(env: &dyn Env, target: &Target) -> Vec<Root> {
    let mut paths = Vec::new();
    if target.is_windows() {
        let programs = env.variable("ProgramFiles").unwrap_or_else(|| "C:\\Program Files".to_owned());
        let folder = target.join(&programs, "NVIDIA GPU Computing Toolkit/CUDA");
        paths.extend(newest_first(env.list(&folder), "v").iter().map(|name| target.join(&folder, name)));
    } else {
        paths.push("/usr/local/cuda".to_owned());
        paths.extend(newest_first(env.list("/usr/local"), "cuda-").iter().map(|name| format!("/usr/local/{name}")));
        paths.push("/opt/cuda".to_owned());
        // Debian and Ubuntu: nvcc in /usr/bin, headers in /usr/include, libraries in multiarch.
        paths.push("/usr/lib/cuda".to_owned());
        paths.push("/usr/lib/nvidia-cuda-toolkit".to_owned());
        paths.push("/usr".to_owned());
    }
    // The usual place is listed even if it is not there, so that a report can say so.
    paths
        .into_iter()
        .filter(|path| path == "/usr/local/cuda" || env.is_dir(path))
        .map(|path| Root { path, via: Via::Known })
        .collect()
}

/// The names that are `prefix` and a version, the highest version first.
fn newest_first(names: Vec<String>, prefix: &str) -> Vec<String> {
    let version = |name: &str| -> Option<Vec<u32>> {
        name.strip_prefix(prefix)?.split('.').map(|part| part.parse().ok()).collect()
    };
    let mut versions: Vec<(Vec<u32>, String)> =
        names.into_iter().filter_map(|name| Some((version(&name)?, name))).collect();
    versions.sort_unstable();
    versions.into_iter().rev().map(|(_, name)| name).collect()
}
