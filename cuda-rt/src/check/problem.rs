//! What can be wrong, as values: the statement with the versions and paths involved.

use std::fmt;
use std::path::{Path, PathBuf};

use cuda_driver_sys::loader::CudaVersion;

use super::Release;
use super::facts::{KernelDriver, Tried};
use crate::error::{DriverCode, Origin, RuntimeCode, catalogue};

/// Something that keeps CUDA, or a part of it, from being used, or that limits it. Prints as one
/// line, with both versions where two are involved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// CUDA was started before `fork`, and this is the child.
    UsedAfterFork,
    /// A fault cost this process all of its contexts.
    ContextLost {
        /// The first such failure.
        first: String,
    },
    /// There is no driver library.
    NoDriver {
        /// The kernel's part of the driver.
        kernel: KernelDriver,
    },
    /// A file has the driver library's name but is of no use.
    DriverLibraryUnusable {
        /// The file, or the name under which the system's loader finds it.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The driver library is a toolkit's stub (34).
    Stub {
        /// Its file.
        path: Option<PathBuf>,
    },
    /// The driver sees no GPU (100).
    NoDevice {
        /// File of the driver library.
        path: Option<PathBuf>,
        /// Value of `CUDA_VISIBLE_DEVICES`, if it is set.
        visible_devices: Option<String>,
        /// The kernel's part of the driver.
        kernel: KernelDriver,
    },
    /// The driver is of an older major than the runtime (35).
    DriverOlderThanRuntime {
        /// Newest CUDA version that the driver serves.
        driver: CudaVersion,
        /// Release of the driver, if known.
        release: Option<Release>,
        /// Version of the runtime.
        runtime: CudaVersion,
        /// The oldest release that serves this runtime, if known.
        needs: Option<&'static str>,
    },
    /// The runtime finds no driver library, although there is one (35).
    RuntimeSeesNoDriver {
        /// File of the driver library.
        path: Option<PathBuf>,
    },
    /// The driver library and the kernel driver are of different releases (803, or seen by their
    /// releases).
    LibraryKernelMismatch {
        /// The code that came of it; `None` if it was seen by the releases alone.
        code: Option<u32>,
        /// File of the driver library.
        path: Option<PathBuf>,
        /// Whether that file belongs to a forward compatibility package.
        is_compat: bool,
        /// Release of the library, if known.
        library: Option<Release>,
        /// The kernel's part.
        kernel: KernelDriver,
    },
    /// Forward compatibility does not work with this GPU (804).
    CompatUnsupported {
        /// File of the driver library.
        path: Option<PathBuf>,
        /// Release of the kernel driver, if known.
        kernel: KernelDriver,
    },
    /// The machine is not ready: the fabric manager (802).
    SystemNotReady,
    /// The GPU is taken, or closed to compute (46).
    DeviceUnavailable,
    /// A call failed with another code that is known.
    CallFailed {
        /// The C function.
        api: &'static str,
        /// Which API the code belongs to.
        origin: Origin,
        /// The code.
        code: u32,
    },
    /// A call gave a code that no header known to this crate has.
    UnknownCode {
        /// The C function.
        api: &'static str,
        /// The code.
        code: u32,
    },
    /// There is no runtime library.
    NoRuntimeLibrary,
    /// A file has the runtime library's name but is of no use, or of a major that is not bound.
    RuntimeLibraryUnusable {
        /// The file, or the name under which the system's loader finds it.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The pair works with limits: the runtime is newer than the driver, of one major.
    MinorVersionCompatibility {
        /// Newest CUDA version that the driver serves.
        driver: CudaVersion,
        /// Version of the runtime.
        runtime: CudaVersion,
    },
    /// The library in use has a peculiarity that the loader noted.
    Noted {
        /// What it is.
        note: String,
    },
    /// The driver is older than required.
    DriverTooOld {
        /// Newest CUDA version that it serves.
        driver: CudaVersion,
        /// Its release, if known.
        release: Option<Release>,
        /// What was required.
        needs: CudaVersion,
    },
    /// The runtime is older than required.
    RuntimeTooOld {
        /// Its version.
        runtime: CudaVersion,
        /// What was required.
        needs: CudaVersion,
    },
    /// No device has the compute capability required.
    ComputeCapability {
        /// The best there is.
        best: Option<(u32, u32)>,
        /// What was required.
        needs: (u32, u32),
    },
}

impl Problem {
    /// The code of a CUDA call that shows this problem, if one does.
    #[must_use]
    pub fn code(&self) -> Option<u32> {
        match self {
            Self::Stub { .. } => Some(34),
            Self::DriverOlderThanRuntime { .. } | Self::RuntimeSeesNoDriver { .. } => Some(35),
            Self::DeviceUnavailable => Some(46),
            Self::NoDevice { .. } => Some(100),
            Self::SystemNotReady => Some(802),
            Self::CompatUnsupported { .. } => Some(804),
            Self::LibraryKernelMismatch { code, .. } => *code,
            Self::CallFailed { code, .. } | Self::UnknownCode { code, .. } => Some(*code),
            _ => None,
        }
    }

    /// Whether it may go away by itself. Nothing in this crate waits for that.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        match self {
            Self::SystemNotReady | Self::DeviceUnavailable => true,
            Self::CallFailed { code, .. } => {
                catalogue::lookup(*code).is_some_and(|entry| entry.class == catalogue::Class::Transient)
            }
            _ => false,
        }
    }

    /// Whether the driver library in use is not the one that belongs to this machine.
    pub(super) fn is_wrong_library(&self) -> bool {
        matches!(self, Self::Stub { .. } | Self::LibraryKernelMismatch { .. } | Self::CompatUnsupported { .. })
    }

    /// Whether only the fact that something failed is known, and not what it means.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::UnknownCode { .. })
    }
}

/// A path, or words for a library that has none.
fn show(path: Option<&Path>) -> String {
    path.map_or_else(|| "(part of the program)".to_owned(), |path| path.display().to_string())
}

/// ` (535.261.03)` where the release is known.
fn in_brackets(release: Option<&Release>) -> String {
    release.map(|release| format!(" ({release})")).unwrap_or_default()
}

impl fmt::Display for KernelDriver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Loaded(release) => write!(f, "{release}"),
            Self::Absent => f.write_str("not loaded (no kernel module: /proc/driver/nvidia/version is not there)"),
            Self::Unreadable(why) => write!(f, "of unknown release ({why})"),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UsedAfterFork => f.write_str("used after fork: CUDA was started before fork(), and the child can't use it"),
            Self::ContextLost { first } => write!(f, "this process has lost CUDA to a fault: {first}"),
            Self::NoDriver { kernel: KernelDriver::Loaded(release) } => {
                write!(f, "no driver library found: there is no libcuda.so.1, although the kernel driver {release} is loaded")
            }
            Self::NoDriver { .. } if cfg!(windows) => f.write_str("no driver found: there is no nvcuda.dll"),
            Self::NoDriver { kernel } => write!(f, "no driver found: there is no libcuda.so.1, and the NVIDIA kernel driver is {kernel}"),
            Self::DriverLibraryUnusable { path, problem } => write!(f, "the driver library {path} can't be used: {problem}"),
            Self::Stub { path } => {
                write!(f, "stub driver loaded from {}: a stub serves linking only (34, CUDA_ERROR_STUB_LIBRARY)", show(path.as_deref()))
            }
            Self::NoDevice { path, visible_devices, kernel } => {
                write!(f, "no device: the driver library {} sees no GPU (100, CUDA_ERROR_NO_DEVICE)", show(path.as_deref()))?;
                if let Some(value) = visible_devices {
                    write!(f, "; CUDA_VISIBLE_DEVICES is set to {value:?}")?;
                }
                if kernel.release().is_none() && cfg!(target_os = "linux") {
                    write!(f, "; the NVIDIA kernel driver is {kernel}")?;
                }
                Ok(())
            }
            Self::DriverOlderThanRuntime { driver, release, runtime, needs } => {
                let release = in_brackets(release.as_ref());
                write!(f, "driver {driver}{release} is older than runtime {runtime}: runtime {}.x needs ", runtime.major())?;
                match needs {
                    Some(needs) => write!(f, "driver {needs} or newer"),
                    None => write!(f, "a driver for CUDA {}.0 or newer", runtime.major()),
                }
            }
            Self::RuntimeSeesNoDriver { path } => {
                write!(f, "the runtime library finds no driver, although there is one at {}", show(path.as_deref()))
            }
            Self::LibraryKernelMismatch { code, path, is_compat, library, kernel } => {
                if let Some(code) = code {
                    write!(f, "{code}: ")?;
                }
                let kind = if *is_compat { " of a forward compatibility package (compat)" } else { "" };
                let release = library.as_ref().map(|release| format!(" (release {release})")).unwrap_or_default();
                write!(f, "mismatch: the driver library {}{kind}{release} does not match the kernel driver, which is {kernel}", show(path.as_deref()))
            }
            Self::CompatUnsupported { path, kernel } => write!(
                f,
                "804: forward compatibility is not supported on this GPU: the driver library {} comes from such a package; \
                 the kernel driver is {kernel}",
                show(path.as_deref())
            ),
            Self::SystemNotReady => f.write_str("802: the system is not ready: the fabric manager is not running, or has not finished yet"),
            Self::DeviceUnavailable => {
                f.write_str("46: the GPU is busy or unavailable: another process has it exclusively, or its compute mode admits none")
            }
            Self::CallFailed { api, origin: Origin::Driver, code } => write!(f, "{api} failed: {}", DriverCode(*code)),
            Self::CallFailed { api, origin: Origin::Runtime, code } => write!(f, "{api} failed: {}", RuntimeCode(*code)),
            Self::UnknownCode { api, code } => {
                write!(f, "{api} returned {}, a code that CUDA up to 13.5 does not have", i32::from_ne_bytes(code.to_ne_bytes()))
            }
            Self::NoRuntimeLibrary => f.write_str("no runtime library found: there is neither libcudart.so.13 nor libcudart.so.12"),
            Self::RuntimeLibraryUnusable { path, problem } => write!(f, "the runtime library {path} can't be used: {problem}"),
            Self::MinorVersionCompatibility { driver, runtime } => {
                write!(f, "runtime {runtime} is newer than driver {driver}, within one major: that works, with limits")
            }
            Self::Noted { note } => f.write_str(note),
            Self::DriverTooOld { driver, release, needs } => {
                write!(f, "driver {driver}{} is older than {needs}, which this program requires", in_brackets(release.as_ref()))
            }
            Self::RuntimeTooOld { runtime, needs } => write!(f, "runtime {runtime} is older than {needs}, which this program requires"),
            Self::ComputeCapability { best, needs: (major, minor) } => {
                write!(f, "no device of compute capability {major}.{minor} or higher, which this program requires: ")?;
                match best {
                    Some((major, minor)) => write!(f, "the best has {major}.{minor}"),
                    None => f.write_str("that of the devices is unknown"),
                }
            }
        }
    }
}

/// A problem with its ways out. Prints as several lines.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// What it is.
    pub problem: Problem,
    /// What can be done, each a way of its own, the likeliest first.
    pub ways_out: Vec<String>,
    /// For a library that could not be loaded: every file and name that was tried.
    pub tried: Vec<Tried>,
    /// For such a library: directories that hold no file of its name.
    pub searched: Vec<String>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.problem)?;
        for way in &self.ways_out {
            write!(f, "\n  - {way}")?;
        }
        if !self.tried.is_empty() {
            f.write_str("\n  tried:")?;
        }
        for Tried { place, via, problem, .. } in &self.tried {
            write!(f, "\n    {place} ({via}): {problem}")?;
        }
        if !self.searched.is_empty() {
            f.write_str("\n  directories without it:")?;
        }
        for directory in &self.searched {
            write!(f, "\n    {directory}")?;
        }
        Ok(())
    }
}
