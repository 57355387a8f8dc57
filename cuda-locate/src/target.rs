//! The machine that the parts are for.

/// Operating system, as far as CUDA's file names depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Os {
    /// Linux, WSL 2 and Jetson among it.
    Linux,
    /// Windows.
    Windows,
    /// CUDA has no current release for it; names as on Linux.
    Other,
}

/// Processor, as far as CUDA's directories depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Arch {
    /// 64-bit x86.
    X86_64,
    /// 64-bit Arm: servers (SBSA) and Jetson.
    Aarch64,
    /// Any other; CUDA has no current release for it.
    Other,
}

/// System and processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Target {
    /// Operating system.
    pub os: Os,
    /// Processor.
    pub arch: Arch,
}

impl Target {
    /// What this code was compiled for.
    #[must_use]
    pub const fn current() -> Self {
        let os = if cfg!(target_os = "linux") {
            Os::Linux
        } else if cfg!(windows) {
            Os::Windows
        } else {
            Os::Other
        };
        let arch = if cfg!(target_arch = "x86_64") {
            Arch::X86_64
        } else if cfg!(target_arch = "aarch64") {
            Arch::Aarch64
        } else {
            Arch::Other
        };
        Self { os, arch }
    }

    /// From cargo's words: `CARGO_CFG_TARGET_OS` and `CARGO_CFG_TARGET_ARCH` in a build script.
    #[must_use]
    pub fn from_cargo(os: &str, arch: &str) -> Self {
        Self {
            os: match os {
                "linux" => Os::Linux,
                "windows" => Os::Windows,
                _ => Os::Other,
            },
            arch: match arch {
                "x86_64" => Arch::X86_64,
                "aarch64" => Arch::Aarch64,
                _ => Arch::Other,
            },
        }
    }

    /// Whether it is Windows.
    #[must_use]
    pub const fn is_windows(&self) -> bool {
        matches!(self.os, Os::Windows)
    }

    /// A path below a directory, in the system's notation. `relative` is written with `/`.
    #[must_use]
    pub fn join(&self, directory: &str, relative: &str) -> String {
        if relative.is_empty() {
            return directory.to_owned();
        }
        let separator = if self.is_windows() { '\\' } else { '/' };
        let relative = if self.is_windows() { relative.replace('/', "\\") } else { relative.to_owned() };
        let directory = directory.trim_end_matches(['/', separator]);
        format!("{directory}{separator}{relative}")
    }

    /// The entries of a list such as `PATH`.
    #[must_use]
    pub fn split_list<'a>(&self, list: &'a str) -> Vec<&'a str> {
        let separator = if self.is_windows() { ';' } else { ':' };
        list.split(separator).filter(|entry| !entry.is_empty()).collect()
    }

    /// The folders under `targets/` of a toolkit that may serve this processor, most likely first.
    #[must_use]
    pub const fn toolkit_targets(&self) -> &'static [&'static str] {
        match (self.os, self.arch) {
            (Os::Linux | Os::Other, Arch::X86_64) => &["x86_64-linux"],
            // Servers have sbsa-linux, Jetson aarch64-linux; CUDA 13 gives Jetson Thor the first.
            (Os::Linux | Os::Other, Arch::Aarch64) => &["sbsa-linux", "aarch64-linux"],
            _ => &[],
        }
    }

    /// Debian's name for the processor's library directory, such as `x86_64-linux-gnu`.
    #[must_use]
    pub const fn multiarch(&self) -> Option<&'static str> {
        match (self.os, self.arch) {
            (Os::Linux, Arch::X86_64) => Some("x86_64-linux-gnu"),
            (Os::Linux, Arch::Aarch64) => Some("aarch64-linux-gnu"),
            _ => None,
        }
    }
}
