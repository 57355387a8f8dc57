//! What a program needs, said once, at its start.

use cuda_driver_sys::loader::CudaVersion;

use super::facts::Facts;
use super::judge::{finding, judge, no_runtime, release};
use super::problem::Problem;
use super::verdict::{Fits, Unfit, Verdict};

/// What a program needs of CUDA. All of it is "this or higher".
///
/// ```no_run
/// use cuda_rt::{Requirement, require};
/// # fn main() -> Result<(), cuda_rt::check::Unfit> {
/// let cuda = require(Requirement::runtime(12, 4).compute_capability(8, 0))?;
/// println!("{cuda}");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requirement {
    runtime: Option<CudaVersion>,
    driver: Option<CudaVersion>,
    compute_capability: Option<(u32, u32)>,
}

impl Requirement {
    /// A driver and a device, of whatever version. The runtime is not looked at: this is for
    /// programs that use the driver layer only.
    #[must_use]
    pub const fn any() -> Self {
        Self { runtime: None, driver: None, compute_capability: None }
    }

    /// A runtime library of this version or a later one, of any major that this crate binds, and a
    /// driver that serves it.
    #[must_use]
    pub const fn runtime(major: u32, minor: u32) -> Self {
        Self { runtime: Some(CudaVersion::of(major, minor)), ..Self::any() }
    }

    /// And a driver that serves this CUDA version: for functions of that version, or PTX that its
    /// toolkit wrote.
    #[must_use]
    pub const fn driver(mut self, major: u32, minor: u32) -> Self {
        self.driver = Some(CudaVersion::of(major, minor));
        self
    }

    /// And at least one device of this compute capability or a higher one. [`Fits::devices`] has
    /// all devices: choose among them.
    #[must_use]
    pub const fn compute_capability(mut self, major: u32, minor: u32) -> Self {
        self.compute_capability = Some((major, minor));
        self
    }

    pub(super) const fn needs_runtime(&self) -> bool {
        self.runtime.is_some()
    }
}

impl Facts {
    /// Whether these facts meet a requirement.
    ///
    /// # Errors
    /// [`Unfit`] with everything that keeps them from it. A failure that is not known counts as
    /// unfit: nothing shows that the requirement is met.
    pub fn fulfil(&self, requirement: &Requirement) -> Result<Fits, Unfit> {
        let fits = match judge(self, requirement.needs_runtime()) {
            Verdict::Fits(fits) => fits,
            Verdict::Unfit(unfit) => return Err(unfit),
            Verdict::Unknown(unknown) => return Err(unknown.into()),
        };
        let mut unmet = Vec::new();
        if let Some(needs) = requirement.driver.filter(|needs| fits.driver_api < *needs) {
            unmet.push(Problem::DriverTooOld { driver: fits.driver_api, release: release(self).cloned(), needs });
        }
        if let Some(needs) = requirement.runtime {
            unmet.extend(runtime_below(self, needs));
        }
        if let Some(needs) = requirement.compute_capability {
            let best = fits.devices.iter().filter_map(|device| device.compute_capability).max();
            if best < Some(needs) {
                unmet.push(Problem::ComputeCapability { best, needs });
            }
        }
        let mut findings = unmet.into_iter().map(|problem| finding(problem, self));
        match findings.next() {
            Some(first) => Err(Unfit::new(first, findings)),
            None => Ok(fits),
        }
    }
}

/// What is wrong with a runtime that is missing, or older than needed.
fn runtime_below(facts: &Facts, needs: CudaVersion) -> Option<Problem> {
    match facts.runtime.version {
        Some(runtime) => (runtime < needs).then_some(Problem::RuntimeTooOld { runtime, needs }),
        None => Some(no_runtime(facts).unwrap_or(Problem::NoRuntimeLibrary)),
    }
}

#[cfg(test)]
mod tests;
