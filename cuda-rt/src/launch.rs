//! Launch geometry: plain values, checked against a device before the driver is called.

use std::fmt;

use crate::device::{Device, DeviceAttribute};
use crate::driver::call::CoreResult;
use crate::error::{Cause, LayerError};

/// Three extents, in blocks or threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dim3 {
    /// Extent along x.
    pub x: u32,
    /// Extent along y.
    pub y: u32,
    /// Extent along z.
    pub z: u32,
}

impl From<u32> for Dim3 {
    fn from(x: u32) -> Self {
        Self { x, y: 1, z: 1 }
    }
}

impl From<(u32, u32)> for Dim3 {
    fn from((x, y): (u32, u32)) -> Self {
        Self { x, y, z: 1 }
    }
}

impl From<(u32, u32, u32)> for Dim3 {
    fn from((x, y, z): (u32, u32, u32)) -> Self {
        Self { x, y, z }
    }
}

/// Grid, block and dynamic shared memory of a launch.
///
/// ```
/// use cuda_rt::LaunchConfig;
/// let config = LaunchConfig::for_elements(1000, 256)?;
/// assert_eq!((config.grid().x, config.block().x), (4, 256));
/// let tiles = LaunchConfig::new((20, 32), (16, 16)).shared_bytes(2048);
/// # let _ = tiles;
/// # Ok::<(), cuda_rt::ConfigError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LaunchConfig {
    grid: Dim3,
    block: Dim3,
    shared_bytes: u32,
    empty: bool,
}

impl LaunchConfig {
    /// A grid of blocks. Limits are checked when it is launched, against the stream's device.
    pub fn new(grid: impl Into<Dim3>, block: impl Into<Dim3>) -> Self {
        Self { grid: grid.into(), block: block.into(), shared_bytes: 0, empty: false }
    }

    /// Enough blocks of `block` threads along x for `elements` threads, rounded up.
    ///
    /// Zero elements give an empty launch: submitting it does nothing and succeeds.
    ///
    /// # Errors
    /// `block` is 0, or more than 2^31 - 1 blocks would be needed.
    pub fn for_elements(elements: impl TryInto<u64>, block: u32) -> Result<Self, ConfigError> {
        const MAX_BLOCKS: u64 = i32::MAX as u64;
        let elements = elements.try_into().unwrap_or(u64::MAX);
        if block == 0 {
            return Err(ConfigError(Problem::Zero("block x")));
        }
        let blocks = elements.div_ceil(u64::from(block));
        match u32::try_from(blocks) {
            Ok(grid) if blocks <= MAX_BLOCKS => Ok(Self { empty: elements == 0, ..Self::new(grid, block) }),
            _ => Err(ConfigError(Problem::Limit("grid x", blocks, MAX_BLOCKS))),
        }
    }

    /// Sets the dynamic shared memory of a block, in bytes. Above 48 KiB the kernel's own limit
    /// has to be raised first (`cuFuncSetAttribute`), or the launch is refused with code 1.
    #[must_use]
    pub fn shared_bytes(mut self, bytes: u32) -> Self {
        self.shared_bytes = bytes;
        self
    }

    /// The grid, in blocks.
    pub fn grid(&self) -> Dim3 {
        self.grid
    }

    /// The block, in threads.
    pub fn block(&self) -> Dim3 {
        self.block
    }

    /// Whether a launch does nothing.
    pub fn is_empty(&self) -> bool {
        self.empty
    }

    /// Compares with what a device can do.
    #[inline]
    pub(crate) fn check(&self, limits: &DeviceLimits) -> Result<RawLaunch, ConfigError> {
        let (grid, block) = (self.grid, self.block);
        let threads = u64::from(block.x) * u64::from(block.y) * u64::from(block.z);
        let well = limits.max_grid.fits(grid)
            && limits.max_block.fits(block)
            && threads <= u64::from(limits.max_threads)
            && self.shared_bytes <= limits.max_shared_bytes;
        if well { Ok(RawLaunch { grid, block, shared_bytes: self.shared_bytes }) } else { Err(self.explain(limits)) }
    }

    #[cold]
    fn explain(&self, limits: &DeviceLimits) -> ConfigError {
        let axes = [
            ("grid x", self.grid.x, limits.max_grid.x),
            ("grid y", self.grid.y, limits.max_grid.y),
            ("grid z", self.grid.z, limits.max_grid.z),
            ("block x", self.block.x, limits.max_block.x),
            ("block y", self.block.y, limits.max_block.y),
            ("block z", self.block.z, limits.max_block.z),
        ];
        for (what, value, limit) in axes {
            if value == 0 {
                return ConfigError(Problem::Zero(what));
            }
            if value > limit {
                return ConfigError(Problem::Limit(what, value.into(), limit.into()));
            }
        }
        if self.shared_bytes > limits.max_shared_bytes {
            let (value, limit) = (self.shared_bytes.into(), limits.max_shared_bytes.into());
            return ConfigError(Problem::Limit("dynamic shared memory of a block, in bytes,", value, limit));
        }
        let threads = u64::from(self.block.x) * u64::from(self.block.y) * u64::from(self.block.z);
        ConfigError(Problem::Limit("number of threads in a block", threads, limits.max_threads.into()))
    }
}

/// Geometry that was checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawLaunch {
    pub(crate) grid: Dim3,
    pub(crate) block: Dim3,
    pub(crate) shared_bytes: u32,
}

/// Geometry that no launch can have: the axis, the value and the limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError(Problem);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    Zero(&'static str),
    Limit(&'static str, u64, u64),
}

impl ConfigError {
    pub(crate) fn cause(&self) -> Cause {
        match self.0 {
            Problem::Zero(what) => Cause::Zero { what },
            Problem::Limit(what, value, limit) => Cause::Limit { what, value, limit },
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "launch configuration: {}", self.cause())
    }
}

impl std::error::Error for ConfigError {}

impl<L> From<ConfigError> for LayerError<L> {
    #[track_caller]
    fn from(error: ConfigError) -> Self {
        Self::new("LaunchConfig", error.cause())
    }
}

impl From<ConfigError> for crate::Error {
    #[track_caller]
    fn from(error: ConfigError) -> Self {
        Self::Driver(error.into())
    }
}

/// What a device, and the driver for it, can do; asked once per context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DeviceLimits {
    max_grid: Dim3,
    max_block: Dim3,
    max_threads: u32,
    max_shared_bytes: u32,
    /// Whether allocations can be ordered by a stream.
    pub(crate) memory_pools: bool,
    /// Whether the driver finds the context of stream-ordered calls by the stream.
    pub(crate) addresses_by_stream: bool,
}

impl Dim3 {
    /// Every extent is between 1 and that of `self`.
    #[inline]
    fn fits(self, given: Self) -> bool {
        let in_range = |value: u32, limit: u32| value.wrapping_sub(1) < limit;
        in_range(given.x, self.x) && in_range(given.y, self.y) && in_range(given.z, self.z)
    }
}

/// The first driver on which it was verified that calls addressed by a stream or an event need no
/// current context (see `docs/experiments/current_context.md`).
const ADDRESSED_BY_STREAM_SINCE: u32 = 13_000;

impl DeviceLimits {
    pub(crate) fn query(device: Device) -> CoreResult<Self> {
        let get = |which| device.attribute_core(which).map(|value| u32::try_from(value).unwrap_or(0));
        Ok(Self {
            max_grid: Dim3 {
                x: get(DeviceAttribute::MAX_GRID_DIM_X)?,
                y: get(DeviceAttribute::MAX_GRID_DIM_Y)?,
                z: get(DeviceAttribute::MAX_GRID_DIM_Z)?,
            },
            max_block: Dim3 {
                x: get(DeviceAttribute::MAX_BLOCK_DIM_X)?,
                y: get(DeviceAttribute::MAX_BLOCK_DIM_Y)?,
                z: get(DeviceAttribute::MAX_BLOCK_DIM_Z)?,
            },
            max_threads: get(DeviceAttribute::MAX_THREADS_PER_BLOCK)?,
            max_shared_bytes: get(DeviceAttribute::MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
            memory_pools: get(DeviceAttribute::MEMORY_POOLS_SUPPORTED)? != 0,
            addresses_by_stream: crate::driver::version()?.number() >= ADDRESSED_BY_STREAM_SINCE,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn h200() -> DeviceLimits {
        DeviceLimits {
            max_grid: Dim3 { x: i32::MAX as u32, y: 65535, z: 65535 },
            max_block: Dim3 { x: 1024, y: 1024, z: 64 },
            max_threads: 1024,
            max_shared_bytes: 227 << 10,
            memory_pools: true,
            addresses_by_stream: true,
        }
    }

    fn refused(config: &LaunchConfig) -> String {
        config.check(&h200()).map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn report_125_zero_dimension_is_named_and_zero_elements_are_an_empty_launch() {
        assert!(refused(&LaunchConfig::new((5, 0, 1), 32)).contains("grid y is 0"));
        assert!(refused(&LaunchConfig::new(1, (1, 1, 0))).contains("block z is 0"));
        assert!(LaunchConfig::for_elements(0, 256).unwrap().is_empty());
        assert!(LaunchConfig::for_elements(1, 0).unwrap_err().to_string().contains("block x is 0"));
    }

    #[test]
    fn report_126_limits_name_axis_value_and_limit() {
        assert!(refused(&LaunchConfig::new((1, 65536), 1)).contains("grid y is 65536, the limit is 65535"));
        assert!(refused(&LaunchConfig::new(1, 1025)).contains("block x is 1025, the limit is 1024"));
        assert!(refused(&LaunchConfig::new(1, (1, 1, 65))).contains("block z is 65, the limit is 64"));
        assert!(refused(&LaunchConfig::new(1, (64, 32))).contains("threads in a block is 2048, the limit is 1024"));
        assert!(refused(&LaunchConfig::new(1, 1).shared_bytes(232_449)).contains("232449, the limit is 232448"));
        assert_eq!(LaunchConfig::for_elements(20, 32).unwrap().grid().x, 1);
    }

    #[test]
    fn elements_are_counted_in_64_bits() {
        assert_eq!(LaunchConfig::for_elements(1_u64 << 38, 1024).unwrap().grid().x, 1 << 28);
        assert!(LaunchConfig::for_elements(u64::MAX, 1).is_err());
        assert!(LaunchConfig::for_elements(-1_i64, 1).is_err());
        assert!(LaunchConfig::for_elements((1_u64 << 31) - 1, 1).is_ok());
        assert!(LaunchConfig::for_elements(1_u64 << 31, 1).is_err());
    }
}
