//! What was found on this machine: plain data, gathered by [`Facts::collect`], judged elsewhere.
//!
//! Nothing here is an opinion. A question that could not be asked is `None`, one that the driver
//! refused is its code.

use std::path::{Path, PathBuf};

use cuda_driver_sys::loader::CudaVersion;

use super::Release;
use super::maps::Mapped;
use crate::driver::Uuid;

/// All facts.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Facts {
    /// The machine, apart from CUDA's libraries.
    pub machine: Machine,
    /// Environment variables that matter and are set, by name.
    pub environment: Vec<Variable>,
    /// Files with the name of the driver library, in the places where one belongs or that
    /// `LD_LIBRARY_PATH` names, used or not.
    pub driver_files: Vec<File>,
    /// The driver library and what it said.
    pub driver: Driver,
    /// The runtime library and what it said.
    pub runtime: Runtime,
    /// CUDA libraries in the memory of this process, once the others were loaded.
    pub mapped: Vec<Mapped>,
    /// Why this process can't use CUDA any more, whatever the machine has.
    pub lost: Option<Lost>,
}

impl Facts {
    /// Value of an environment variable that matters and is set.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.environment.iter().find(|variable| variable.name == name).map(|variable| variable.value.as_str())
    }

    /// The file of the driver library in use, links followed where that could be done.
    #[must_use]
    pub fn driver_path(&self) -> Option<&Path> {
        let Some(Ok(library)) = &self.driver.library else { return None };
        library.path.as_deref()
    }
}

/// The machine, apart from CUDA's libraries.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Machine {
    /// The kernel's part of the driver.
    pub kernel_driver: KernelDriver,
    /// The device nodes of the driver, such as `/dev/nvidia0`.
    pub device_nodes: Vec<Node>,
    /// Linux inside Windows: the driver is the one of Windows.
    pub is_wsl: bool,
    /// What shows that this is a container, such as `/.dockerenv`.
    pub container: Option<String>,
}

/// The kernel's part of the driver.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum KernelDriver {
    /// It is loaded and has this release.
    Loaded(Release),
    /// It does not show: not loaded (or, in WSL and on Windows, not visible this way).
    #[default]
    Absent,
    /// It shows, but its release could not be read, for this reason.
    Unreadable(String),
}

impl KernelDriver {
    /// Its release, if known.
    #[must_use]
    pub fn release(&self) -> Option<&Release> {
        match self {
            Self::Loaded(release) => Some(release),
            _ => None,
        }
    }
}

/// A device node.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Node {
    /// Such as `/dev/nvidiactl`.
    pub path: String,
    /// The system's words for why this user can't open it; `None` if they can.
    pub problem: Option<String>,
    /// Whether that is a matter of rights. Otherwise there is no kernel driver behind the node (the
    /// driver library makes nodes by itself where it may).
    pub is_forbidden: bool,
}

/// An environment variable.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value, which may be empty; bytes that are not Unicode are replaced.
    pub value: String,
}

/// A file with the name of a library.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct File {
    /// Where it is.
    pub path: PathBuf,
    /// The file that links lead to; `None` if they lead nowhere.
    pub target: Option<PathBuf>,
    /// Size in bytes of what links lead to.
    pub bytes: Option<u64>,
}

/// A library in use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Library {
    /// Its file; `None` if it is part of the program, or a stand-in.
    pub path: Option<PathBuf>,
    /// The file that links lead to.
    pub target: Option<PathBuf>,
    /// How it was come by.
    pub via: String,
    /// Something odd about it.
    pub note: Option<String>,
}

/// No library could be loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Missing {
    /// Files and names that were tried, in order.
    pub tried: Vec<Tried>,
    /// Directories that hold no such file.
    pub searched: Vec<String>,
}

impl Missing {
    /// The first file that is there (or that was asked for by its path) and can't be used.
    #[must_use]
    pub fn unusable(&self) -> Option<&Tried> {
        self.tried.iter().find(|tried| tried.is_file).or_else(|| self.tried.iter().find(|tried| tried.is_refused))
    }
}

/// A file or name that was tried.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tried {
    /// The path, or the name that the system's loader was given.
    pub place: String,
    /// Why it was tried.
    pub via: String,
    /// Why it was not taken.
    pub problem: String,
    /// Whether `place` is the path of a file: it is there, or it was asked for by its path.
    pub is_file: bool,
    /// Whether the system's loader found a file by this name, which was of no use.
    pub is_refused: bool,
}

/// The driver library and what it said.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Driver {
    /// The library; `None` if it was not looked for.
    pub library: Option<Result<Library, Missing>>,
    /// The release in the name of its file.
    pub release: Option<Release>,
    /// `cuDriverGetVersion`: the newest CUDA version that it serves, or its code.
    pub version: Option<Result<CudaVersion, u32>>,
    /// What `cuInit` returned; 0 is success.
    pub init: Option<u32>,
    /// `cuDeviceGetCount` after a successful start, or its code.
    pub count: Option<Result<u32, u32>>,
    /// The devices.
    pub devices: Vec<Device>,
}

/// What the driver says of a device; `None` for what it would not tell. No context was created.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Device {
    /// Position among the visible devices.
    pub ordinal: u32,
    /// Marketing name.
    pub name: Option<String>,
    /// Compute capability: major and minor.
    pub compute_capability: Option<(u32, u32)>,
    /// Memory in bytes.
    pub memory_bytes: Option<u64>,
    /// Identifies the device or MIG instance.
    pub uuid: Option<Uuid>,
    /// Such as `0000:1b:00.0`.
    pub pci_bus_id: Option<String>,
    /// Which processes may use it.
    pub compute_mode: Option<ComputeMode>,
}

/// Which processes may use a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ComputeMode {
    /// Any number.
    Default,
    /// None.
    Prohibited,
    /// One at a time.
    ExclusiveProcess,
    /// Another mode, by its number.
    Other(u32),
}

/// The runtime library and what it said.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Runtime {
    /// The library; `None` if it was not looked for.
    pub library: Option<Result<Library, Missing>>,
    /// `cudaRuntimeGetVersion`.
    pub version: Option<CudaVersion>,
    /// `cudaDriverGetVersion`: the driver that it sees. `Ok(None)` if it sees none.
    pub driver_version: Option<Result<Option<CudaVersion>, u32>>,
    /// `cudaGetDeviceCount`, or its code.
    pub count: Option<Result<u32, u32>>,
}

/// Why a process can't use CUDA any more.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lost {
    /// CUDA was started before `fork`, and this is the child.
    Forked,
    /// A fault; the text is the first error.
    Fault(String),
}
