//! From facts to a verdict. Pure: the same facts give the same answer on any machine.

use std::path::Path;

use cuda_driver_sys::loader::CudaVersion;

use super::Release;
use super::facts::{ComputeMode, Device, Facts, File, KernelDriver, Library, Lost, Missing};
use super::problem::{Finding, Problem};
use super::verdict::{Fits, Maybe, Unfit, Unknown, Verdict};
use super::{rules, ways};
use crate::error::{Origin, catalogue};

impl Facts {
    /// The verdict on these facts, for both layers: the driver and its devices, and the runtime if
    /// there is one.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        judge(self, true)
    }
}

/// Judges the driver, and the runtime as well if that matters.
pub(super) fn judge(facts: &Facts, with_runtime: bool) -> Verdict {
    let mut remarks = Vec::new();
    let mut reasons = Vec::new();
    let driver = driver(facts, &mut remarks);
    let is_wrong_library = matches!(&driver, Err(problems) if problems.iter().any(Problem::is_wrong_library));
    // A library that does not belong here has a version that means nothing.
    if with_runtime && !is_wrong_library {
        reasons.extend(versions(facts));
    }
    match driver {
        Ok(driver_api) if reasons.is_empty() => {
            if with_runtime {
                reasons.extend(runtime(facts, driver_api, &mut remarks));
            }
            if reasons.is_empty() {
                return Verdict::Fits(Fits {
                    driver_api,
                    driver_release: Maybe::new(release(facts).cloned(), "release unknown"),
                    runtime: Maybe::new(facts.runtime.version.filter(|_| with_runtime), "none found"),
                    devices: facts.driver.devices.clone(),
                    remarks: remarks.into_iter().map(|problem| finding(problem, facts)).collect(),
                });
            }
        }
        Ok(_) => {}
        Err(problems) => reasons.extend(problems),
    }
    // What is known goes first; only if nothing is known, the answer is that it is not known.
    reasons.sort_by_key(Problem::is_unknown);
    let mut findings = reasons.into_iter().map(|problem| finding(problem, facts));
    match findings.next() {
        Some(first) if first.problem.is_unknown() => Verdict::Unknown(Unknown::new(first, findings)),
        Some(first) => Verdict::Unfit(Unfit::new(first, findings)),
        // `driver` gives a reason with each failure.
        None => {
            Verdict::Unknown(Unknown::new(finding(Problem::Noted { note: "no reason found".to_owned() }, facts), []))
        }
    }
}

/// A problem with its ways out, and the places tried if it is that of a missing library.
pub(super) fn finding(problem: Problem, facts: &Facts) -> Finding {
    let missing = match problem {
        Problem::NoDriver { .. } | Problem::DriverLibraryUnusable { .. } => facts.driver.library.as_ref(),
        Problem::NoRuntimeLibrary | Problem::RuntimeLibraryUnusable { .. } => facts.runtime.library.as_ref(),
        _ => None,
    };
    let Missing { tried, searched } = missing.and_then(|library| library.as_ref().err()).cloned().unwrap_or_default();
    Finding { ways_out: ways::out(&problem, facts), problem, tried, searched }
}

/// The driver's release: that of the kernel's part, else that in the library's name.
pub(super) fn release(facts: &Facts) -> Option<&Release> {
    facts.machine.kernel_driver.release().or(facts.driver.release.as_ref())
}

/// Driver and runtime of majors that do not go together: seen from the versions alone, whether or
/// not there is a device.
fn versions(facts: &Facts) -> Option<Problem> {
    let driver = facts.driver.version?.ok()?;
    let runtime = facts.runtime.version?;
    let needs = rules::minimum_driver(runtime.major());
    (!rules::driver_serves(driver, runtime)).then(|| Problem::DriverOlderThanRuntime {
        driver,
        // The library's release is the one that has to change; in WSL and containers the kernel's is another's.
        release: facts.driver.release.clone().or_else(|| release(facts).cloned()),
        runtime,
        needs,
    })
}

/// The version of a driver that works and has a device, or what keeps it from that.
fn driver(facts: &Facts, remarks: &mut Vec<Problem>) -> Result<CudaVersion, Vec<Problem>> {
    match &facts.lost {
        Some(Lost::Forked) => return Err(vec![Problem::UsedAfterFork]),
        Some(Lost::Fault(first)) => return Err(vec![Problem::ContextLost { first: first.clone() }]),
        None => {}
    }
    let kernel = facts.machine.kernel_driver.clone();
    let library = match &facts.driver.library {
        Some(Ok(library)) => library,
        Some(Err(missing)) => return Err(vec![no_library(facts, missing, kernel)]),
        None => return Err(vec![Problem::NoDriver { kernel }]),
    };
    let path = library.path.clone();
    let mismatch = mismatch(facts, library);
    let init = facts.driver.init.unwrap_or_default();
    let no_device = || Problem::NoDevice {
        path: path.clone(),
        visible_devices: facts.variable("CUDA_VISIBLE_DEVICES").map(str::to_owned),
        kernel: kernel.clone(),
    };
    let problem = match init {
        0 => match (facts.driver.version, facts.driver.count) {
            (_, Some(Err(code))) => failed("cuDeviceGetCount", Origin::Driver, code),
            (Some(Err(code)), _) => failed("cuDriverGetVersion", Origin::Driver, code),
            (None, _) => failed("cuDriverGetVersion", Origin::Driver, 999),
            (Some(Ok(_)), Some(Ok(0)) | None) => no_device(),
            _ if all_prohibited(&facts.driver.devices) => Problem::DeviceUnavailable,
            (Some(Ok(version)), Some(Ok(_))) => {
                remarks.extend(mismatch);
                remarks.extend(library.note.clone().map(|note| Problem::Noted { note }));
                return Ok(version);
            }
        },
        34 => Problem::Stub { path: path.clone() },
        46 => Problem::DeviceUnavailable,
        100 => no_device(),
        802 => Problem::SystemNotReady,
        803 => Problem::LibraryKernelMismatch {
            code: Some(803),
            path: path.clone(),
            is_compat: is_compat(library),
            library: facts.driver.release.clone(),
            kernel: kernel.clone(),
        },
        804 => Problem::CompatUnsupported { path: path.clone(), kernel: kernel.clone() },
        code => failed("cuInit", Origin::Driver, code),
    };
    // Parts of two releases explain most other failures: said first, then what came of it.
    let by_release = mismatch.filter(|_| !matches!(init, 34 | 802 | 803 | 804));
    Err(by_release.into_iter().chain([problem]).collect())
}

/// What to say of a driver library that could not be loaded.
fn no_library(facts: &Facts, missing: &Missing, kernel: KernelDriver) -> Problem {
    let Some(tried) = missing.unusable() else { return Problem::NoDriver { kernel } };
    // The system's loader takes the first file of the name, in the same order as these.
    let named = |file: &&File| !tried.is_file && file.path.file_name().is_some_and(|name| name == tried.place.as_str());
    let file = facts.driver_files.iter().find(named);
    let path = file.map_or_else(|| tried.place.clone(), |file| file.path.display().to_string());
    Problem::DriverLibraryUnusable { path, problem: tried.problem.clone() }
}

/// The library's release against that of the kernel's part. A compatibility package is meant to
/// be newer.
fn mismatch(facts: &Facts, library: &Library) -> Option<Problem> {
    let (kernel, release) = (facts.machine.kernel_driver.release()?, facts.driver.release.as_ref()?);
    let same = kernel.is_at_least(release) && release.is_at_least(kernel);
    (!same && !is_compat(library)).then(|| Problem::LibraryKernelMismatch {
        code: None,
        path: library.path.clone(),
        is_compat: false,
        library: Some(release.clone()),
        kernel: facts.machine.kernel_driver.clone(),
    })
}

/// Whether a driver library belongs to a forward compatibility package: those lie in a directory
/// named `compat`.
fn is_compat(library: &Library) -> bool {
    let in_compat = |path: &Path| path.components().any(|part| part.as_os_str() == "compat");
    [&library.path, &library.target].into_iter().flatten().any(|path| in_compat(path))
}

/// Whether every device admits no process: the first context would fail with 46.
fn all_prohibited(devices: &[Device]) -> bool {
    !devices.is_empty() && devices.iter().all(|device| device.compute_mode == Some(ComputeMode::Prohibited))
}

/// The runtime, below which a driver works.
fn runtime(facts: &Facts, driver: CudaVersion, remarks: &mut Vec<Problem>) -> Option<Problem> {
    let library = match &facts.runtime.library {
        Some(Ok(library)) => library,
        _ => {
            remarks.extend(no_runtime(facts));
            return None;
        }
    };
    remarks.extend(library.note.clone().map(|note| Problem::Noted { note }));
    if let Some(runtime) =
        facts.runtime.version.filter(|runtime| rules::is_minor_version_compatibility(driver, *runtime))
    {
        remarks.push(Problem::MinorVersionCompatibility { driver, runtime });
    }
    match facts.runtime.count {
        Some(Err(35)) if facts.runtime.driver_version == Some(Ok(None)) => {
            Some(Problem::RuntimeSeesNoDriver { path: facts.driver_path().map(Path::to_path_buf) })
        }
        Some(Err(46)) => Some(Problem::DeviceUnavailable),
        Some(Err(code)) => Some(failed("cudaGetDeviceCount", Origin::Runtime, code)),
        _ => None,
    }
}

/// What to say of a runtime library that was looked for and could not be loaded.
pub(super) fn no_runtime(facts: &Facts) -> Option<Problem> {
    let missing = facts.runtime.library.as_ref()?.as_ref().err()?;
    Some(match missing.unusable() {
        Some(tried) => Problem::RuntimeLibraryUnusable { path: tried.place.clone(), problem: tried.problem.clone() },
        None => Problem::NoRuntimeLibrary,
    })
}

/// A call that failed, its code known or not.
fn failed(api: &'static str, origin: Origin, code: u32) -> Problem {
    match catalogue::lookup(code) {
        Some(_) => Problem::CallFailed { api, origin, code },
        None => Problem::UnknownCode { api, code },
    }
}

#[cfg(test)]
pub(super) mod machines;
#[cfg(test)]
mod tests;
