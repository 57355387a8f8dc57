//! A kernel as it is executed: a flat list of operations on numbered slots.
//!
//! A thread's slots hold its registers, and behind the same numbers the constants, special registers and addresses that
//! its operations use, so that every operand is a slot.

use super::sem::compare;
use super::sem::{Bin, Tri, Un};
use super::types::Space;

/// The number of a slot.
pub(crate) type Slot = u32;

/// One operation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Mov {
        d: Slot,
        a: Slot,
    },
    Un {
        f: Un,
        d: Slot,
        a: Slot,
    },
    Bin {
        f: Bin,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Tri {
        f: Tri,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    Jump {
        to: u32,
    },
    JumpIf {
        p: Slot,
        to: u32,
    },
    JumpUnless {
        p: Slot,
        to: u32,
    },
    /// To the place of the table's number that the slot gives.
    Switch {
        index: Slot,
        table: u32,
    },
    Load {
        memory: u32,
    },
    Store {
        memory: u32,
    },
    Atomic {
        atomic: u32,
    },
    Barrier {
        barrier: u32,
    },
    Warp {
        warp: u32,
    },
    Clock {
        d: Slot,
        clock: Clock,
    },
    Exit,
    Trap,
    /// A failed device-side `assert`; its five arguments are in slots.
    Assert {
        arguments: [Slot; 4],
    },
}

/// A load or store.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) space: Space,
    pub(crate) base: Slot,
    pub(crate) offset: i64,
    /// Bytes of an element.
    pub(crate) size: u32,
    /// Elements.
    pub(crate) count: u32,
    pub(crate) slots: [Slot; 4],
    /// What a loaded element goes through.
    pub(crate) extend: Option<Un>,
    /// Volatile, relaxed, acquire or release: no race with its like.
    pub(crate) strong: bool,
}

/// An atomic operation. Without a destination it is a `red`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AtomicAccess {
    pub(crate) space: Space,
    pub(crate) base: Slot,
    pub(crate) offset: i64,
    pub(crate) size: u32,
    pub(crate) d: Option<Slot>,
    pub(crate) change: Change,
}

/// What an atomic operation makes of the old value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change {
    With(Bin, Slot),
    Exchange(Slot),
    CompareAndSwap { expected: Slot, new: Slot },
}

/// A barrier of the block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Barrier {
    pub(crate) id: Slot,
    /// How many threads it takes, if not all.
    pub(crate) count: Option<Slot>,
    /// Whether all threads of a warp must execute the same one.
    pub(crate) aligned: bool,
    pub(crate) kind: BarrierKind,
}

/// What a barrier does besides.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BarrierKind {
    Wait,
    Arrive,
    /// Puts together a predicate of all threads.
    Reduce {
        d: Slot,
        p: Slot,
        how: Reduce,
    },
}

/// How predicates are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduce {
    And,
    Or,
    Count,
}

/// An operation of the threads of a warp that a mask names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Warp {
    pub(crate) mask: Slot,
    pub(crate) kind: WarpKind,
}

/// Which operation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WarpKind {
    Sync,
    Shuffle { d: Slot, p: Option<Slot>, a: Slot, b: Slot, c: Slot, how: Shuffle },
    Vote { d: Slot, p: Slot, how: Vote },
    Match { d: Slot, p: Option<Slot>, a: Slot, all: bool },
    Reduce { d: Slot, a: Slot, f: Bin },
}

/// From which lane a shuffle takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shuffle {
    Up,
    Down,
    Butterfly,
    Index,
}

/// What a vote asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vote {
    All,
    Any,
    Uniform,
    Ballot,
}

/// A counter that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clock {
    /// Steps of the launch.
    Steps,
    Low,
    High,
    /// The launch's timer.
    Timer,
    TimerLow,
    TimerHigh,
}

/// What a slot holds before a thread's first operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Content {
    Register,
    Constant(u64),
    /// The address of a module variable, and bytes on top.
    Variable(u32, i64),
    /// Where dynamic shared memory begins, and bytes on top.
    Dynamic(i64),
    Special(Special),
}

/// A special register that stays the same while a thread runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Special {
    Tid(u8),
    Ntid(u8),
    Ctaid(u8),
    Nctaid(u8),
    Lane,
    Warp,
    Warps,
    LaneMask(LaneMask),
    DynamicShared,
    TotalShared,
}

/// `%lanemask_*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LaneMask {
    Eq,
    Lt,
    Le,
    Gt,
    Ge,
}

/// A decoded kernel.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    /// The PTX line of each operation.
    pub(crate) lines: Vec<u32>,
    pub(crate) contents: Vec<Content>,
    pub(crate) accesses: Vec<Access>,
    pub(crate) atomics: Vec<AtomicAccess>,
    pub(crate) barriers: Vec<Barrier>,
    pub(crate) warps: Vec<Warp>,
    pub(crate) tables: Vec<Vec<u32>>,
    pub(crate) static_shared: u32,
    pub(crate) local: u32,
    /// Whether threads order themselves by less than whole barriers (a warp's, or some warps').
    pub(crate) partial_order: bool,
}

/// Windows of generic addresses: where shared, local and parameter memory lie in it.
pub(crate) mod window {
    /// Shared memory of the block.
    pub(crate) const SHARED: u64 = 1 << 56;
    /// Local memory of the thread.
    pub(crate) const LOCAL: u64 = 2 << 56;
    /// The kernel's parameters.
    pub(crate) const PARAM: u64 = 3 << 56;
    /// What tells them apart.
    pub(crate) const TAG: u64 = 0xff << 56;
}

/// `xor` of predicates: with 1 it negates.
pub(crate) fn predicate_xor() -> Bin {
    compare::join("xor").unwrap_or(|a, b| (a ^ b) & 1)
}
