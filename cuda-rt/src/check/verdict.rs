//! The three answers: fits, does not fit, cannot tell.

use std::fmt;

use cuda_driver_sys::loader::CudaVersion;

use super::Release;
use super::facts::{ComputeMode, Device};
use super::problem::{Finding, Problem};

/// Whether CUDA can be used.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It can.
    Fits(Fits),
    /// It can't, for these reasons.
    Unfit(Unfit),
    /// It failed in a way that is not known: whether and what to mend can't be told.
    Unknown(Unknown),
}

impl Verdict {
    /// Whether CUDA can be used.
    #[must_use]
    pub fn is_fit(&self) -> bool {
        matches!(self, Self::Fits(_))
    }

    /// What was found, the most important first: reasons if it does not fit, remarks if it does.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        match self {
            Self::Fits(fits) => &fits.remarks,
            Self::Unfit(unfit) => unfit.findings(),
            Self::Unknown(unknown) => unknown.findings(),
        }
    }
}

/// One line, without ways out.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first =
            |findings: &[Finding]| findings.first().map(|finding| finding.problem.to_string()).unwrap_or_default();
        match self {
            Self::Fits(fits) => write!(f, "usable: {fits}"),
            Self::Unfit(unfit) => write!(f, "not usable: {}", first(unfit.findings())),
            Self::Unknown(unknown) => write!(f, "cannot tell: {}", first(unknown.findings())),
        }
    }
}

/// A value that may be missing; prints as words then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Maybe<T> {
    /// The value.
    pub value: Option<T>,
    otherwise: &'static str,
}

impl<T> Maybe<T> {
    pub(super) const fn new(value: Option<T>, otherwise: &'static str) -> Self {
        Self { value, otherwise }
    }
}

impl<T: fmt::Display> fmt::Display for Maybe<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => value.fmt(f),
            None => f.write_str(self.otherwise),
        }
    }
}

/// CUDA can be used: the driver serves at least one device, and the runtime, if there is one, fits
/// the driver.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fits {
    /// Newest CUDA version that the driver serves (`cuDriverGetVersion`).
    pub driver_api: CudaVersion,
    /// Release of the driver, such as 580.159.04: that of the kernel's part, else that of the
    /// library.
    pub driver_release: Maybe<Release>,
    /// Version of the runtime; missing if there is no libcudart, which the driver layer does
    /// without.
    pub runtime: Maybe<CudaVersion>,
    /// The visible devices, at least one.
    pub devices: Vec<Device>,
    /// What is worth knowing all the same, such as a missing runtime.
    pub remarks: Vec<Finding>,
}

impl fmt::Display for Fits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { driver_api, driver_release, runtime, devices, .. } = self;
        write!(f, "driver {driver_api} ({driver_release}), runtime {runtime}, ")?;
        match &devices[..] {
            [device] => write!(f, "1 device: {device}"),
            [first, ..] => write!(f, "{} devices, the first: {first}", devices.len()),
            [] => f.write_str("no device"),
        }
    }
}

/// In the words of nvidia-smi.
impl fmt::Display for ComputeMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::Prohibited => f.write_str("prohibited"),
            Self::ExclusiveProcess => f.write_str("exclusive process"),
            Self::Other(number) => write!(f, "{number}"),
        }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name.as_deref().unwrap_or("of unknown name"))?;
        if let Some((major, minor)) = self.compute_capability {
            write!(f, ", compute capability {major}.{minor}")?;
        }
        if let Some(bytes) = self.memory_bytes {
            write!(f, ", {} MiB", bytes >> 20)?;
        }
        Ok(())
    }
}

macro_rules! reasons {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name {
            // Invariant: not empty.
            findings: Vec<Finding>,
        }

        impl $name {
            /// From the main reason and the others.
            pub(super) fn new(first: Finding, others: impl IntoIterator<Item = Finding>) -> Self {
                Self { findings: std::iter::once(first).chain(others).collect() }
            }

            /// The reasons, the main one first; never empty.
            #[must_use]
            pub fn findings(&self) -> &[Finding] {
                &self.findings
            }

            /// The problems, the main one first; at least one.
            pub fn problems(&self) -> impl Iterator<Item = &Problem> {
                self.findings.iter().map(|finding| &finding.problem)
            }
        }

        /// Every reason with its ways out, and the places tried for a library that is missing.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                for (index, finding) in self.findings.iter().enumerate() {
                    f.write_str(if index > 0 { "\n" } else { "" })?;
                    write!(f, "{finding}")?;
                }
                Ok(())
            }
        }

        impl std::error::Error for $name {}
    };
}

reasons! {
    /// CUDA can't be used, or not as required, and why.
    Unfit
}

reasons! {
    /// CUDA failed in a way that this crate does not know.
    Unknown
}

impl From<Unknown> for Unfit {
    fn from(unknown: Unknown) -> Self {
        Self { findings: unknown.findings }
    }
}
