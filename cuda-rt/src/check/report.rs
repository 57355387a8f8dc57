//! Facts and verdict together, and how they print.

use std::fmt;

use super::Release;
use super::facts::{Facts, File, KernelDriver, Library, Missing};
use super::judge::{finding, no_runtime, release};
use super::verdict::Verdict;
use crate::error::{DriverCode, RuntimeCode};

/// All that was found out about CUDA on this machine, and the verdict. Prints as text of many
/// lines.
#[derive(Clone, Debug)]
pub struct Report {
    facts: Facts,
    verdict: Verdict,
}

impl Report {
    /// Finds out. Always comes to an end with a report: see [`Facts::collect`] for what it does.
    #[must_use]
    pub fn collect() -> Self {
        Facts::collect().into()
    }

    /// What was found.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// What follows from it.
    #[must_use]
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// The driver's release, such as 580.159.04: that of the kernel's part, else that of the
    /// library.
    #[must_use]
    pub fn driver_release(&self) -> Option<&Release> {
        release(&self.facts)
    }
}

impl From<Facts> for Report {
    fn from(facts: Facts) -> Self {
        let verdict = facts.verdict();
        Self { facts, verdict }
    }
}

/// One line of the table: what, and what was found.
fn row(f: &mut fmt::Formatter<'_>, what: &str, found: impl fmt::Display) -> fmt::Result {
    writeln!(f, "{what:<18} {found}")
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        driver(f, &self.facts)?;
        runtime(f, &self.facts)?;
        machine(f, &self.facts)?;
        f.write_str("\n")?;
        match &self.verdict {
            Verdict::Fits(fits) => {
                write!(f, "verdict: CUDA is usable: {fits}")?;
                for remark in &fits.remarks {
                    write!(f, "\n\n{remark}")?;
                }
                Ok(())
            }
            Verdict::Unfit(unfit) => write!(f, "verdict: CUDA is not usable\n{unfit}"),
            Verdict::Unknown(unknown) => write!(f, "verdict: cannot tell\n{unknown}"),
        }?;
        // A missing runtime is no reason, so that it is not among the reasons above.
        match no_runtime(&self.facts) {
            Some(problem) if !self.verdict.is_fit() => write!(f, "\n\nbesides: {}", finding(problem, &self.facts)),
            _ => Ok(()),
        }
    }
}

fn driver(f: &mut fmt::Formatter<'_>, facts: &Facts) -> fmt::Result {
    let driver = &facts.driver;
    row(f, "kernel driver", &facts.machine.kernel_driver)?;
    library(f, "driver library", driver.library.as_ref())?;
    if let Some(release) = &driver.release {
        row(f, "  its release", release)?;
    }
    match driver.version {
        Some(Ok(version)) => row(f, "driver API version", version)?,
        Some(Err(code)) => row(f, "driver API version", DriverCode(code))?,
        None => {}
    }
    if let Some(code) = driver.init {
        row(f, "cuInit", DriverCode(code))?;
    }
    match driver.count {
        Some(Ok(count)) => row(f, "devices", count)?,
        Some(Err(code)) => row(f, "devices", DriverCode(code))?,
        None => {}
    }
    for device in &driver.devices {
        let mut text = device.to_string();
        if let Some(uuid) = device.uuid {
            text += &format!(", UUID {uuid}");
        }
        if let Some(bus) = &device.pci_bus_id {
            text += &format!(", PCI {bus}");
        }
        if let Some(mode) = device.compute_mode {
            text += &format!(", compute mode {mode}");
        }
        row(f, &format!("  device {}", device.ordinal), text)?;
    }
    Ok(())
}

fn runtime(f: &mut fmt::Formatter<'_>, facts: &Facts) -> fmt::Result {
    let runtime = &facts.runtime;
    library(f, "runtime library", runtime.library.as_ref())?;
    if let Some(version) = runtime.version {
        row(f, "runtime version", version)?;
    }
    match runtime.driver_version {
        Some(Ok(Some(version))) => row(f, "  driver it sees", version)?,
        Some(Ok(None)) => row(f, "  driver it sees", "none")?,
        Some(Err(code)) => row(f, "  driver it sees", RuntimeCode(code))?,
        None => {}
    }
    match runtime.count {
        Some(Ok(count)) => row(f, "  devices it sees", count)?,
        Some(Err(code)) => row(f, "  devices it sees", RuntimeCode(code))?,
        None => {}
    }
    Ok(())
}

fn library(f: &mut fmt::Formatter<'_>, what: &str, library: Option<&Result<Library, Missing>>) -> fmt::Result {
    let library = match library {
        None => return row(f, what, "not looked for"),
        Some(Err(missing)) => {
            return match missing.unusable() {
                Some(tried) => row(f, what, format_args!("{}: {}", tried.place, tried.problem)),
                None => row(f, what, "not found"),
            };
        }
        Some(Ok(library)) => library,
    };
    let path = library.path.as_ref().map_or_else(|| "no file".to_owned(), |path| path.display().to_string());
    row(f, what, format_args!("{path} (found by: {})", library.via))?;
    if library.target.is_some() && library.target != library.path {
        let target = library.target.as_ref().map(|target| target.display().to_string()).unwrap_or_default();
        row(f, "  which is", target)?;
    }
    match &library.note {
        Some(note) => row(f, "  note", note),
        None => Ok(()),
    }
}

/// A value in quotes, cut where it is very long (`NVIDIA_REQUIRE_CUDA` has thousands of characters).
fn quoted(value: &str) -> String {
    const MOST: usize = 300;
    match value.char_indices().nth(MOST) {
        None => format!("{value:?}"),
        Some((end, _)) => format!("{:?}… ({} bytes)", &value[..end], value.len()),
    }
}

fn machine(f: &mut fmt::Formatter<'_>, facts: &Facts) -> fmt::Result {
    let used = facts.driver.library.as_ref().and_then(|library| library.as_ref().ok());
    // Other names of the file in use are not worth a line.
    let is_other = |file: &&File| match (used, &file.target) {
        (Some(used), Some(target)) => used.target.as_ref() != Some(target),
        _ => true,
    };
    for File { path, target, bytes } in facts.driver_files.iter().filter(is_other) {
        let path = path.display();
        match (target, bytes) {
            (None, _) => row(f, "also there", format_args!("{path}, a link that leads nowhere"))?,
            (Some(_), Some(0)) => row(f, "also there", format_args!("{path}, an empty file"))?,
            (Some(target), _) => row(f, "also there", format_args!("{path} ({})", target.display()))?,
        }
    }
    for mapped in &facts.mapped {
        row(f, "mapped", mapped)?;
    }
    for node in &facts.machine.device_nodes {
        match &node.problem {
            None => row(f, "device node", &node.path)?,
            Some(problem) => row(f, "device node", format_args!("{}: {problem}", node.path))?,
        }
    }
    if facts.machine.is_wsl {
        row(f, "machine", "WSL: Linux inside Windows")?;
    }
    if let Some(sign) = &facts.machine.container {
        row(f, "machine", format_args!("container ({sign})"))?;
    }
    for variable in &facts.environment {
        row(f, "environment", format_args!("{}={}", variable.name, quoted(&variable.value)))?;
    }
    if facts.machine.device_nodes.is_empty()
        && facts.machine.kernel_driver == KernelDriver::Absent
        && cfg!(target_os = "linux")
    {
        row(f, "device nodes", "none")?;
    }
    Ok(())
}
