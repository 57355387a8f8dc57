//! CUDA's version numbers.

use core::fmt;

/// A version of CUDA as its headers and functions give it: `12040` is 12.4.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CudaVersion(u32);

impl CudaVersion {
    /// From CUDA's number, such as 12040.
    #[must_use]
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// From major and minor, such as 12 and 4.
    #[must_use]
    pub const fn of(major: u32, minor: u32) -> Self {
        Self(major * 1000 + minor * 10)
    }

    /// CUDA's number, such as 12040.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// 12 of 12.4.
    #[must_use]
    pub const fn major(self) -> u32 {
        self.0 / 1000
    }

    /// 4 of 12.4.
    #[must_use]
    pub const fn minor(self) -> u32 {
        self.0 % 1000 / 10
    }
}

impl fmt::Display for CudaVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major(), self.minor())
    }
}
