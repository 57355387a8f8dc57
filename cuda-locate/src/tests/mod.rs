//! Invented machines of every kind.

mod linking;
mod loading;
mod toolkits;

use crate::{Arch, Os, Target};

pub(crate) const LINUX: Target = Target { os: Os::Linux, arch: Arch::X86_64 };
pub(crate) const ARM: Target = Target { os: Os::Linux, arch: Arch::Aarch64 };
pub(crate) const WINDOWS: Target = Target { os: Os::Windows, arch: Arch::X86_64 };
