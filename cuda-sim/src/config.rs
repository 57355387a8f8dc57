//! What machine is simulated: devices, versions, failures, schedule.

use crate::script::Script;

/// How a simulated machine looks. Made by [`Machine::builder`](crate::Machine::builder).
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// Number of devices.
    pub(crate) devices: usize,
    /// Which physical device each one is, where that is not its own number.
    pub(crate) identities: Vec<usize>,
    /// Memory of each device, in bytes.
    pub(crate) memory: usize,
    /// Compute capability of each device.
    pub(crate) capability: (u32, u32),
    /// What `cuDriverGetVersion` answers, and which functions the driver exports.
    pub(crate) driver: u32,
    /// What `cudaRuntimeGetVersion` answers, and which functions the runtime exports.
    pub(crate) runtime: u32,
    /// Pairs (from, to) of devices where `from` can be given access to the memory of `to`.
    pub(crate) peers: Vec<(usize, usize)>,
    /// Symbols that are missing besides those of newer versions.
    pub(crate) missing: Vec<String>,
    /// What `cuInit` answers.
    pub(crate) init: u32,
    /// Chooses the schedule and whether handles are used again.
    pub(crate) seed: u64,
    /// A schedule chosen by name, not by the seed.
    pub(crate) schedule: Option<Schedule>,
    /// Failures on demand.
    pub(crate) script: Script,
    /// Most instructions that one kernel may execute before it counts as hanging.
    pub(crate) step_limit: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            devices: 1,
            identities: Vec::new(),
            memory: 8 << 30,
            capability: (9, 0),
            driver: 13_000,
            runtime: 13_000,
            peers: Vec::new(),
            missing: Vec::new(),
            init: 0,
            seed: 0,
            schedule: None,
            script: Script::default(),
            step_limit: 1 << 40,
        }
    }
}

/// When queued work is executed, within what CUDA's rules allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Schedule {
    /// Only what somebody waits for, at the last moment.
    Lazy,
    /// As soon as it may.
    Eager,
    /// The work enqueued last goes first.
    Newest,
    /// Any that may run, some of it early.
    Random,
}

impl Schedule {
    /// The schedule of a seed.
    pub(crate) fn of_seed(seed: u64) -> Self {
        match seed % 8 {
            0 => Self::Lazy,
            1 => Self::Eager,
            2 | 5 => Self::Newest,
            _ => Self::Random,
        }
    }
}

/// First and last version that export a symbol.
struct Export {
    name: &'static str,
    first: u32,
    last: u32,
}

fn exports(text: &'static str) -> impl Iterator<Item = Export> {
    text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut columns = line.split('\t');
        let name = columns.next()?;
        let first = columns.next()?.parse().ok()?;
        let last = columns.next().map_or(Some(u32::MAX), |last| last.parse().ok())?;
        Some(Export { name, first, last })
    })
}

/// Newest runtime whose exports are known; newer ones of the same major export no less.
const NEWEST_KNOWN: u32 = 13_050;

impl Config {
    fn exported(&self, text: &'static str, version: u32, name: &str) -> bool {
        !self.missing.iter().any(|missing| missing == name)
            && exports(text).any(|export| {
                export.name == name && export.first <= version && version.min(NEWEST_KNOWN) <= export.last
            })
    }

    /// Whether the driver of this version exports the symbol.
    pub(crate) fn driver_exports(&self, name: &str) -> bool {
        self.exported(include_str!("../data/driver_symbols.tsv"), self.driver, name)
    }

    /// Whether the runtime of this version exports the symbol.
    pub(crate) fn runtime_exports(&self, name: &str) -> bool {
        self.exported(include_str!("../data/runtime_symbols.tsv"), self.runtime, name)
    }

    /// Number of the physical device.
    pub(crate) fn identity(&self, device: usize) -> usize {
        self.identities.get(device).copied().unwrap_or(device)
    }

    /// The runtime's major version.
    pub(crate) fn runtime_major(&self) -> u32 {
        self.runtime / 1000
    }

    /// Newest PTX that the driver compiles, as major and minor.
    pub(crate) fn newest_ptx(&self) -> (u32, u32) {
        // PTX 7.x came with 11.x, 8.x with 12.x, 9.x with 13.x; 12.6 and 12.7 stayed at 8.5.
        let (major, minor) = (self.driver / 1000, self.driver % 1000 / 10);
        match (major, minor) {
            (12, 6 | 7) => (8, 5),
            (12, 8..) => (8, minor - 1),
            _ => (major.saturating_sub(4), minor),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_driver_lacks_new_symbols() {
        let config = Config { driver: 12_020, ..Config::default() };
        assert!(config.driver_exports("cuCtxCreate_v3") && !config.driver_exports("cuCtxCreate_v4"));
        assert!(!config.driver_exports("cuFuncGetParamInfo") && !config.driver_exports("no_such_function"));
        let config = Config { driver: 12_040, ..Config::default() };
        assert!(config.driver_exports("cuFuncGetParamInfo"));
    }

    #[test]
    fn runtime_symbols_come_and_go() {
        let of = |runtime| Config { runtime, ..Config::default() };
        assert!(
            !of(12_040).runtime_exports("cudaLibraryLoadData") && of(12_080).runtime_exports("cudaLibraryLoadData")
        );
        assert!(
            of(12_090).runtime_exports("cudaGetDeviceProperties_v2")
                && !of(13_000).runtime_exports("cudaGetDeviceProperties_v2")
        );
        assert!(of(13_070).runtime_exports("cudaMalloc"), "newer than the list");
    }

    #[test]
    fn named_symbols_are_missing_whatever_the_version() {
        let config = Config { missing: vec!["cuMemAllocAsync".to_owned()], ..Config::default() };
        assert!(!config.driver_exports("cuMemAllocAsync") && config.driver_exports("cuMemFreeAsync"));
    }

    #[test]
    fn newest_ptx_follows_the_driver() {
        let of = |driver| Config { driver, ..Config::default() }.newest_ptx();
        assert_eq!(
            [of(11_080), of(12_020), of(12_060), of(12_090), of(13_000)],
            [(7, 8), (8, 2), (8, 5), (8, 8), (9, 0)]
        );
    }

    #[test]
    fn every_schedule_has_seeds() {
        for schedule in [Schedule::Lazy, Schedule::Eager, Schedule::Newest, Schedule::Random] {
            assert!((0..8).any(|seed| Schedule::of_seed(seed) == schedule));
        }
    }
}
