//! Releases of NVIDIA's driver, such as 580.159.04: a numbering of its own, next to the CUDA version.

use std::fmt;
use std::path::Path;

/// A release of the driver, such as 535.261.03 or 580.159.04.
///
/// Parts keep the way they are written (`04`), and compare as numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Release {
    text: String,
    parts: Vec<u32>,
}

impl Release {
    /// Reads two to four numbers with dots between them; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let parts: Vec<u32> = text.split('.').map(part).collect::<Option<_>>()?;
        (2..=4).contains(&parts.len()).then(|| Self { text: text.to_owned(), parts })
    }

    /// Whether this release is the other one or a later one.
    #[must_use]
    pub fn is_at_least(&self, other: &Self) -> bool {
        self.parts >= other.parts
    }

    /// 580 of 580.159.04: the branch that the release belongs to.
    #[must_use]
    pub fn branch(&self) -> u32 {
        self.parts.first().copied().unwrap_or_default()
    }

    /// The kernel driver's release from the text of `/proc/driver/nvidia/version`: the first thing
    /// after "Kernel Module" that looks like a release. Open and closed modules word that line
    /// differently.
    #[must_use]
    pub fn of_kernel_driver(text: &str) -> Option<Self> {
        let line = text.lines().find(|line| line.contains("NVRM"))?;
        let (_, rest) = line.split_once("Kernel Module")?;
        rest.split_whitespace().find_map(Self::parse)
    }

    /// The release in the name of a driver library's file: 535.261.03 of `libcuda.so.535.261.03`.
    /// `None` for `libcuda.so.1`: give the file that the link leads to.
    #[must_use]
    pub fn of_library(file: &Path) -> Option<Self> {
        let name = file.file_name()?.to_str()?;
        let (_, release) = name.split_once(".so.")?;
        Self::parse(release)
    }
}

/// One number: digits only, so that no sign or blank is taken.
fn part(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn release(text: &str) -> Release {
        Release::parse(text).unwrap()
    }

    #[test]
    fn release_text_that_is_none_is_refused() {
        for text in ["", "1", "580", "a.b", "580.", ".5", "580.1 ", "+580.1", "1.2.3.4.5", "4294967296.1"] {
            assert_eq!(Release::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn releases_compare_as_numbers_and_print_as_written() {
        assert!(release("550.107").is_at_least(&release("550.90")));
        assert!(!release("550.90").is_at_least(&release("550.107")));
        assert!(release("535.54.03").is_at_least(&release("535.54")));
        assert_eq!(release("580.159.04").to_string(), "580.159.04");
        assert_eq!(release("580.159.04").branch(), 580);
        assert_eq!(release("580.95.05"), release("580.95.05"));
    }

    #[test]
    fn kernel_driver_is_read_from_both_kinds_of_module() {
        let closed = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024\nGCC version:  gcc 12\n";
        let open = "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build  (root@host)\n";
        assert_eq!(Release::of_kernel_driver(closed), Some(release("550.90.07")));
        assert_eq!(Release::of_kernel_driver(open), Some(release("580.159.04")));
        for text in ["", "garbage", "NVRM version: nothing", "Kernel Module 1.2.3"] {
            assert_eq!(Release::of_kernel_driver(text), None, "{text:?}");
        }
    }

    #[test]
    fn library_release_is_in_the_name_of_the_real_file() {
        assert_eq!(Release::of_library(Path::new("/x/libcuda.so.535.261.03")), Some(release("535.261.03")));
        for path in ["/x/libcuda.so.1", "/x/libcuda.so", "/", "nvcuda.dll"] {
            assert_eq!(Release::of_library(Path::new(path)), None, "{path}");
        }
    }
}
