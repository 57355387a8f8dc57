//! What a launch says besides which kernel.

use std::cell::Cell;
use std::fmt;

/// A launch's sizes, parameters and choices.
#[derive(Clone, Copy)]
pub struct Launch<'a> {
    /// Blocks per axis.
    pub grid: [u32; 3],
    /// Threads of a block per axis; 1 to 1024 in all.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory of each block.
    pub dynamic_shared: u32,
    /// The parameters, each at its [`Param::offset`](super::Param::offset).
    pub params: &'a [u8],
    /// The addresses of the module's [globals](super::Module::globals), in their order.
    pub globals: &'a [u64],
    /// The order of blocks, and of threads between two barriers. With 0 they go in ascending order; any other number
    /// gives an order that looks random and is the same each time.
    pub seed: u64,
    /// Steps (operations of single threads) after which a launch that is not at its end is a fault.
    pub step_limit: Option<u64>,
    /// Whether races are looked for. A kernel that orders threads of different blocks by fences and atomic operations
    /// is correct and is reported all the same: that order is not seen.
    pub races: bool,
    /// Whether a barrier for the whole block counts only the threads that have not ended, as GPUs since compute
    /// capability 7.0 do. Otherwise such a barrier is a fault, as CUDA C++ has it.
    pub ended_threads_pass_barriers: bool,
    /// What `%globaltimer` reads.
    pub timer: &'a dyn Timer,
}

impl Launch<'static> {
    /// A launch of so many blocks of so many threads, without parameters or limits, races looked for.
    pub fn new(grid: [u32; 3], block: [u32; 3]) -> Launch<'static> {
        Launch {
            grid,
            block,
            dynamic_shared: 0,
            params: &[],
            globals: &[],
            seed: 0,
            step_limit: None,
            races: true,
            ended_threads_pass_barriers: false,
            timer: &Stopped,
        }
    }
}

impl fmt::Debug for Launch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Launch")
            .field("grid", &self.grid)
            .field("block", &self.block)
            .field("dynamic_shared", &self.dynamic_shared)
            .field("params", &self.params)
            .field("globals", &self.globals)
            .field("seed", &self.seed)
            .field("step_limit", &self.step_limit)
            .field("races", &self.races)
            .field("ended_threads_pass_barriers", &self.ended_threads_pass_barriers)
            .finish_non_exhaustive()
    }
}

/// A clock in nanoseconds that kernels read as `%globaltimer`.
pub trait Timer {
    /// The time now; never less than before.
    fn now(&self) -> u64;
}

/// A clock that stands at 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stopped;

impl Timer for Stopped {
    fn now(&self) -> u64 {
        0
    }
}

/// A clock that goes on by a step each time it is read, the same for the same launch. The steps grow with the number of
/// readings, so that a kernel that waits for seconds ends after thousands of readings and not millions.
#[derive(Debug)]
pub struct Ticks {
    now: Cell<u64>,
    step: u64,
    readings: Cell<u64>,
}

impl Ticks {
    /// From `start` on, by `step` nanoseconds at first.
    pub fn new(start: u64, step: u64) -> Ticks {
        Ticks { now: Cell::new(start), step, readings: Cell::new(0) }
    }

    /// The time, without going on.
    pub fn time(&self) -> u64 {
        self.now.get()
    }
}

impl Timer for Ticks {
    fn now(&self) -> u64 {
        let now = self.now.get();
        let readings = self.readings.get();
        self.readings.set(readings + 1);
        self.now.set(now.saturating_add(self.step.saturating_mul(1 + readings / 64)));
        now
    }
}
