//! What goes with what: the numbers, each with its source.
//!
//! Three versions are compared. The kernel driver and the driver library have a *release*
//! (580.159.04) and must be of one release, except for the forward compatibility packages. The
//! driver library serves CUDA up to a *driver version* (`cuDriverGetVersion`, 13.0). A libcudart
//! has a *runtime version* (`cudaRuntimeGetVersion`, 12.9).

use cuda_driver_sys::loader::CudaVersion;

/// Whether a driver serves a runtime: its major has to be the runtime's or a later one.
///
/// Minors do not count (*minor-version compatibility*, since CUDA 11): a runtime 12.9 runs on a
/// driver 12.2, with limits ([`is_minor_version_compatibility`]).
///
/// Source: what libcudart itself checks, found by giving nine releases of it (11.7 to 13.5) twenty
/// driver versions each: `driver >= major * 1000`, otherwise error 35. NVIDIA documents the same at
/// <https://docs.nvidia.com/deploy/cuda-compatibility/minor-version-compatibility.html>.
#[must_use]
pub const fn driver_serves(driver: CudaVersion, runtime: CudaVersion) -> bool {
    driver.major() >= runtime.major()
}

/// Whether the pair works with limits: the runtime is newer than the driver within one major.
///
/// PTX written by a toolkit newer than the driver is refused (222), and functions newer than the
/// driver are missing (36). Machine code works.
#[must_use]
pub const fn is_minor_version_compatibility(driver: CudaVersion, runtime: CudaVersion) -> bool {
    driver_serves(driver, runtime) && driver.number() < runtime.number()
}

/// The oldest driver release that serves any runtime of a major.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinimumDriver {
    /// Major of the runtime.
    pub major: u32,
    /// Release of the driver on Linux.
    pub linux: &'static str,
    /// Release of the driver on Windows.
    pub windows: &'static str,
}

/// Oldest drivers per major of the runtime.
///
/// Source: the table at
/// <https://docs.nvidia.com/deploy/cuda-compatibility/minor-version-compatibility.html>; the installer
/// of CUDA 12.0.0 brings 525.60.13, and that of 13.0.0 a driver of branch 580.
pub const MINIMUM_DRIVERS: &[MinimumDriver] = &[
    MinimumDriver { major: 11, linux: "450.80.02", windows: "452.39" },
    MinimumDriver { major: 12, linux: "525.60.13", windows: "528.33" },
    MinimumDriver { major: 13, linux: "580", windows: "580" },
];

/// The oldest driver release for runtimes of a major, on this system; `None` for a major that is
/// newer than this table.
#[must_use]
pub fn minimum_driver(major: u32) -> Option<&'static str> {
    let row = MINIMUM_DRIVERS.iter().find(|row| row.major == major)?;
    Some(if cfg!(windows) { row.windows } else { row.linux })
}

/// Driver branches and the CUDA version that they serve (`cuDriverGetVersion`), oldest first.
///
/// Source: the driver releases in the names of NVIDIA's Linux installers; 470, 535, 550 and 555
/// were asked directly, and 580 on a machine with a GPU.
pub const BRANCHES: &[(u32, CudaVersion)] = &[
    (470, CudaVersion::of(11, 4)),
    (495, CudaVersion::of(11, 5)),
    (510, CudaVersion::of(11, 6)),
    (515, CudaVersion::of(11, 7)),
    (520, CudaVersion::of(11, 8)),
    (525, CudaVersion::of(12, 0)),
    (530, CudaVersion::of(12, 1)),
    (535, CudaVersion::of(12, 2)),
    (545, CudaVersion::of(12, 3)),
    (550, CudaVersion::of(12, 4)),
    (555, CudaVersion::of(12, 5)),
    (560, CudaVersion::of(12, 6)),
    (565, CudaVersion::of(12, 7)),
    (570, CudaVersion::of(12, 8)),
    (575, CudaVersion::of(12, 9)),
    (580, CudaVersion::of(13, 0)),
    (590, CudaVersion::of(13, 1)),
    (595, CudaVersion::of(13, 2)),
    (610, CudaVersion::of(13, 3)),
    (615, CudaVersion::of(13, 4)),
];

/// The first driver branch that serves a CUDA version; `None` if this table does not reach it.
#[must_use]
pub fn branch_for(version: CudaVersion) -> Option<u32> {
    BRANCHES.iter().find(|(_, serves)| *serves >= version).map(|(branch, _)| *branch)
}

/// Package names to install, for the runtime of a major.
pub(super) fn runtime_packages(major: u32) -> String {
    // The wheels of CUDA 12 are split and carry the major in their names; those of 13 do not.
    let wheel = if major >= 13 { "nvidia-cuda-runtime".to_owned() } else { format!("nvidia-cuda-runtime-cu{major}") };
    format!(
        "`pip install {wheel}` (with VIRTUAL_ENV set, it is found there), or the toolkit's package cuda-cudart-{major}-*"
    )
}

#[cfg(test)]
mod tests {
    use super::super::Release;
    use super::*;

    const fn v(major: u32, minor: u32) -> CudaVersion {
        CudaVersion::of(major, minor)
    }

    #[test]
    fn report_021_only_the_major_decides() {
        // (driver, runtime, served, with limits)
        let table = [
            (v(12, 2), v(12, 4), true, true),
            (v(12, 2), v(12, 9), true, true),
            (v(12, 2), v(13, 0), false, false),
            (v(12, 9), v(13, 0), false, false),
            (v(13, 0), v(13, 5), true, true),
            (v(13, 0), v(12, 4), true, false),
            (v(12, 4), v(12, 4), true, false),
            (v(11, 4), v(12, 0), false, false),
            (v(11, 0), v(11, 8), true, true),
            (v(14, 0), v(12, 0), true, false),
        ];
        for (driver, runtime, served, limited) in table {
            assert_eq!(driver_serves(driver, runtime), served, "driver {driver}, runtime {runtime}");
            assert_eq!(is_minor_version_compatibility(driver, runtime), limited, "driver {driver}, runtime {runtime}");
        }
    }

    #[test]
    fn minimum_drivers_are_the_true_ones() {
        assert_eq!(MINIMUM_DRIVERS.iter().find(|row| row.major == 12).map(|row| row.linux), Some("525.60.13"));
        assert_eq!(minimum_driver(13), Some("580"));
        assert_eq!(minimum_driver(99), None);
    }

    #[test]
    fn branches_are_sorted_and_reach_the_minimum() {
        assert!(BRANCHES.is_sorted());
        assert_eq!(branch_for(v(12, 4)), Some(550));
        assert_eq!(branch_for(v(13, 0)), Some(580));
        assert_eq!(branch_for(v(99, 0)), None);
        for row in MINIMUM_DRIVERS.iter().filter(|row| row.major == 12) {
            assert_eq!(Release::parse(row.linux).map(|release| release.branch()), branch_for(v(row.major, 0)));
        }
    }
}
