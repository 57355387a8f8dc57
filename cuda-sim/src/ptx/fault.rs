//! What ends a launch before its time.

use std::error::Error;
use std::fmt;

/// A launch that did not come to its end: which thread did what where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kernel's name.
    pub kernel: Box<str>,
    /// The line of the module's PTX text, counted from 1; 0 if the fault is none of an instruction.
    pub line: u32,
    /// `%ctaid` of the thread.
    pub block: [u32; 3],
    /// `%tid` of the thread.
    pub thread: [u32; 3],
    /// The address, where there is one: a device address, or an offset in shared or local memory.
    pub address: Option<u64>,
    /// What happened.
    pub kind: FaultKind,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// The memory refused the access: nobody's address, or freed, or read-only.
    OutOfBounds {
        /// The memory's own words.
        reason: Box<str>,
    },
    /// The address is no multiple of the access's size.
    Misaligned {
        /// Bytes that are read or written at once, vectors as a whole.
        size: u32,
    },
    /// An access outside the block's shared memory.
    SharedOutOfBounds {
        /// Bytes of shared memory that the block has, static and dynamic.
        size: u32,
    },
    /// An access outside the thread's local memory.
    LocalOutOfBounds {
        /// Bytes of local memory that the thread has.
        size: u32,
    },
    /// `trap` was executed.
    Trap,
    /// A device-side `assert` failed.
    Assert {
        /// The assertion with file, line and function, as far as they could be read.
        message: Box<str>,
    },
    /// A barrier that not all of its threads can reach, or that the threads of one warp reach at different places.
    BarrierDivergence {
        /// Threads that wait.
        waiting: u32,
        /// Threads that it takes.
        expected: u32,
        /// A thread that does not wait there.
        other: OtherThread,
        /// Whether that thread has ended; otherwise it waits somewhere else.
        other_ended: bool,
    },
    /// A thread executed a warp operation whose mask does not name it.
    WarpMask {
        /// The mask.
        mask: u32,
    },
    /// Two threads touched the same byte with no barrier between them, and at least one of them wrote, not atomically.
    Race {
        /// What this thread did.
        access: Touch,
        /// What the other thread had done.
        other_access: Touch,
        /// The other thread.
        other: OtherThread,
        /// Whether it is shared memory; global memory otherwise.
        shared: bool,
    },
    /// The launch took more steps than [`Launch::step_limit`](super::Launch::step_limit).
    StepLimit {
        /// That limit.
        limit: u64,
    },
    /// The launch's sizes or parameters don't fit the kernel.
    BadLaunch {
        /// What does not fit.
        reason: Box<str>,
    },
    /// The kernel has PTX outside the supported subset.
    Unsupported {
        /// The instruction and what is unsupported about it.
        message: Box<str>,
    },
}

/// One side of a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// A load, of any kind.
    Read,
    /// A plain store.
    Write,
    /// An atomic operation, or a volatile, relaxed or release store.
    Atomic,
}

impl fmt::Display for Touch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Touch::Read => "read",
            Touch::Write => "write",
            Touch::Atomic => "atomic access",
        })
    }
}

/// Another thread that has to do with a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherThread {
    /// Its `%ctaid`.
    pub block: [u32; 3],
    /// Its `%tid`.
    pub thread: [u32; 3],
    /// The PTX line where it did what it did; 0 if unknown.
    pub line: u32,
}

impl fmt::Display for OtherThread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "thread {} of block {}", Triple(self.thread), Triple(self.block))?;
        if self.line > 0 { write!(f, ", line {}", self.line) } else { Ok(()) }
    }
}

impl FaultKind {
    /// The driver's error code (`CUresult`; the runtime has the same numbers) with which a GPU reports it. `None` for
    /// what a GPU does not notice: a race, a barrier that a thread misses, and what is about the simulator itself.
    pub fn code(&self) -> Option<u32> {
        Some(match self {
            FaultKind::OutOfBounds { .. } => 700,
            FaultKind::StepLimit { .. } => 702,
            FaultKind::Assert { .. } => 710,
            FaultKind::Misaligned { .. } => 716,
            FaultKind::SharedOutOfBounds { .. } | FaultKind::LocalOutOfBounds { .. } | FaultKind::Trap => 719,
            FaultKind::BadLaunch { .. } => 1,
            FaultKind::BarrierDivergence { .. }
            | FaultKind::WarpMask { .. }
            | FaultKind::Race { .. }
            | FaultKind::Unsupported { .. } => return None,
        })
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultKind::OutOfBounds { reason } => write!(f, "illegal memory access: {reason}"),
            FaultKind::Misaligned { size } => write!(f, "misaligned access of {size} bytes"),
            FaultKind::SharedOutOfBounds { size } => {
                write!(f, "access outside the block's {size} bytes of shared memory")
            }
            FaultKind::LocalOutOfBounds { size } => {
                write!(f, "access outside the thread's {size} bytes of local memory")
            }
            FaultKind::Trap => f.write_str("trap"),
            FaultKind::Assert { message } => write!(f, "assertion failed: {message}"),
            FaultKind::BarrierDivergence { waiting, expected, other, other_ended } => {
                let does = if *other_ended { "has ended" } else { "waits elsewhere" };
                write!(f, "barrier reached by {waiting} of {expected} threads: {other} {does}")
            }
            FaultKind::WarpMask { mask } => write!(f, "warp operation whose mask {mask:#010x} lacks the thread"),
            FaultKind::Race { access, other_access, other, shared } => {
                let space = if *shared { "shared" } else { "global" };
                write!(f, "race in {space} memory: {access} here, {other_access} by {other}, no barrier between them")
            }
            FaultKind::StepLimit { limit } => write!(f, "not at its end after {limit} steps"),
            FaultKind::BadLaunch { reason } => write!(f, "launch that does not fit the kernel: {reason}"),
            FaultKind::Unsupported { message } => write!(f, "not supported by the simulator: {message}"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kernel {}: {}", self.kernel, self.kind)?;
        if self.line > 0 {
            let (thread, block) = (Triple(self.thread), Triple(self.block));
            write!(f, " (PTX line {}, thread {thread} of block {block}", self.line)?;
            if let Some(address) = self.address {
                write!(f, ", address {address:#x}")?;
            }
            f.write_str(")")?;
        }
        Ok(())
    }
}

impl Error for Fault {}

/// `(x,y,z)`.
struct Triple([u32; 3]);

impl fmt::Display for Triple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.0;
        write!(f, "({x},{y},{z})")
    }
}
