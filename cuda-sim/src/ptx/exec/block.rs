//! A block: its threads, run one after another until each waits or has ended.

use std::rc::Rc;

use super::super::fault::{Fault, FaultKind, OtherThread};
use super::super::shadow::Shadow;
use super::order::Random;
use super::thread::Stop;
use super::{Grid, Halt, SLICE};

/// Where a thread is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Ready,
    /// Waits at a barrier (of the code's list) with this id, for so many threads (0: all).
    Barrier {
        barrier: u32,
        id: u32,
        count: u32,
    },
    /// Waits at a warp operation for the lanes of a mask.
    Warp {
        warp: u32,
        mask: u32,
    },
    Ended,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Thread {
    /// The next operation.
    pub(super) pc: u32,
    pub(super) state: State,
}

/// A thread that arrived at a barrier and went on: its number, its clock then, and what it knew.
#[derive(Debug)]
pub(super) struct Arrival {
    pub(super) thread: usize,
    pub(super) clock: u32,
    pub(super) known: Rc<Vec<u32>>,
}

/// How a block's pass ended.
pub(super) enum Pass {
    Ended,
    /// Threads are not done, and may wait for other blocks.
    Waits,
}

/// A block under way.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) number: u64,
    pub(super) threads: Vec<Thread>,
    /// The slots of all threads.
    pub(super) slots: Vec<u64>,
    pub(super) shared: Vec<u8>,
    pub(super) local: Vec<u8>,
    pub(super) shadow: Shadow,
    /// Each thread's clock, from 1.
    pub(super) clocks: Vec<u32>,
    /// For each thread, which clocks of the others it has learnt of.
    pub(super) known: Vec<Rc<Vec<u32>>>,
    /// Threads that arrived without waiting, by barrier.
    pub(super) arrivals: [Vec<Arrival>; 16],
    order: Vec<u32>,
    random: Random,
}

impl Block {
    /// Room for a block of the grid.
    pub(super) fn new(grid: &Grid<'_>) -> Block {
        let threads = grid.threads_per_block as usize;
        Block {
            number: 0,
            threads: Vec::new(),
            slots: vec![0; threads * grid.template.len()],
            shared: Vec::new(),
            local: Vec::new(),
            shadow: Shadow::new(grid.threads_per_block, grid.code.partial_order),
            clocks: Vec::new(),
            known: Vec::new(),
            arrivals: std::array::from_fn(|_| Vec::new()),
            order: Vec::new(),
            random: Random::new(0),
        }
    }

    /// Makes it the block of a number, at its start.
    pub(super) fn start(&mut self, grid: &Grid<'_>, number: u64) {
        let threads = grid.threads_per_block as usize;
        self.number = number;
        self.threads.clear();
        self.threads.resize(threads, Thread { pc: 0, state: State::Ready });
        refill(&mut self.shared, grid.shared_size as usize);
        refill(&mut self.local, threads * grid.code.local as usize);
        self.shadow.clear();
        self.clocks.clear();
        self.clocks.resize(threads, 1);
        let nothing = Rc::new(vec![0; threads]);
        self.known.clear();
        self.known.resize(threads, nothing);
        for arrivals in &mut self.arrivals {
            arrivals.clear();
        }
        self.random = Random::new(grid.launch.seed ^ number.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let each = grid.template.len();
        if each == 0 {
            return;
        }
        for (thread, slots) in (0..).zip(self.slots.chunks_exact_mut(each)) {
            slots.copy_from_slice(&grid.template);
            for &(slot, special) in &grid.specials {
                slots[slot] = grid.special(special, number, thread);
            }
        }
    }

    /// Runs until the block has ended, or until threads had their slice and may be waiting for other blocks.
    pub(super) fn pass(&mut self, grid: &mut Grid<'_>) -> Result<Pass, Box<Fault>> {
        loop {
            let ready = |block: &Block, thread: u32| block.threads[thread as usize].state == State::Ready;
            let mut order = std::mem::take(&mut self.order);
            order.clear();
            order.extend((0..grid.threads_per_block).filter(|&thread| ready(self, thread)));
            if grid.launch.seed != 0 {
                self.random.shuffle(&mut order);
            }
            let mut sliced = false;
            for &thread in &order {
                sliced |= self.run_thread(grid, thread as usize)?;
            }
            let stuck = order.is_empty();
            self.order = order;
            if self.threads.iter().all(|thread| thread.state == State::Ended) {
                return Ok(Pass::Ended);
            }
            let warps = self.resolve_warps(grid)?;
            let barriers = self.resolve_barriers(grid)?;
            if sliced {
                return Ok(Pass::Waits);
            }
            if stuck && !warps && !barriers {
                return Err(self.divergence(grid));
            }
        }
    }

    /// Runs a thread; true if its slice came to an end.
    fn run_thread(&mut self, grid: &mut Grid<'_>, thread: usize) -> Result<bool, Box<Fault>> {
        let left = grid.launch.step_limit.map_or(u64::MAX, |limit| limit.saturating_sub(grid.steps));
        match self.execute(grid, thread, SLICE.min(left)) {
            Ok(Stop::Slice) => {
                if left <= SLICE {
                    let limit = grid.launch.step_limit.unwrap_or(u64::MAX);
                    let halt = Halt::new(FaultKind::StepLimit { limit });
                    return Err(grid.fault(self, thread, self.threads[thread].pc, *halt));
                }
                Ok(true)
            }
            Ok(Stop::Waits) => Ok(false),
            Err(halt) => {
                let pc = self.threads[thread].pc.saturating_sub(1);
                Err(grid.fault(self, thread, pc, *halt))
            }
        }
    }

    /// The fault of a block in which all threads wait or have ended, and nothing lets them go on.
    fn divergence(&self, grid: &Grid<'_>) -> Box<Fault> {
        let waits = |thread: &Thread| thread.state != State::Ended;
        let first = self.threads.iter().position(waits).unwrap_or(0);
        let state = self.threads[first].state;
        let together = |thread: &Thread| match (thread.state, state) {
            (State::Barrier { id, .. }, State::Barrier { id: other, .. }) => id == other,
            (State::Warp { mask, .. }, State::Warp { mask: other, .. }) => mask == other,
            _ => false,
        };
        let warp = first / 32 * 32;
        let (range, expected) = match state {
            State::Warp { mask, .. } => (warp..(warp + 32).min(self.threads.len()), mask.count_ones()),
            State::Barrier { count, .. } if count != 0 => (0..self.threads.len(), count),
            _ => (0..self.threads.len(), grid.threads_per_block),
        };
        let members = range.clone().filter(|&thread| match state {
            State::Warp { mask, .. } => (mask >> (thread % 32)) & 1 == 1,
            _ => true,
        });
        let mut others = members.filter(|&thread| !together(&self.threads[thread]));
        let waiting = range.clone().filter(|&thread| together(&self.threads[thread])).count();
        let other = others.next().unwrap_or(first);
        let kind = FaultKind::BarrierDivergence {
            waiting: u32::try_from(waiting).unwrap_or(u32::MAX),
            expected,
            other: self.other(grid, other),
            other_ended: self.threads[other].state == State::Ended,
        };
        grid.fault(self, first, self.threads[first].pc.saturating_sub(1), *Halt::new(kind))
    }

    /// A thread of this block as the other one of a fault.
    pub(super) fn other(&self, grid: &Grid<'_>, thread: usize) -> OtherThread {
        OtherThread {
            block: grid.block_index(self.number),
            thread: grid.thread_index(u32::try_from(thread).unwrap_or(0)),
            line: grid.line(self.threads[thread].pc.saturating_sub(1)),
        }
    }
}

/// Zero bytes, so many.
fn refill(bytes: &mut Vec<u8>, size: usize) {
    bytes.clear();
    bytes.resize(size, 0);
}
