//! A thread's operations, one after another.

use super::super::code::{Clock, Op};
use super::super::fault::FaultKind;
use super::super::memory::Who;
use super::super::shadow::Actor;
use super::block::{Block, State};
use super::spaces::Spaces;
use super::{Grid, Halt};

/// Why a thread stopped.
pub(super) enum Stop {
    /// It had its slice, and is ready for another.
    Slice,
    /// It waits, or has ended.
    Waits,
}

impl Block {
    /// Runs a thread for at most so many steps.
    #[allow(clippy::too_many_lines, reason = "one arm for each operation, in the loop that all time is spent in")]
    pub(super) fn execute(&mut self, grid: &mut Grid<'_>, thread: usize, slice: u64) -> Result<Stop, Box<Halt>> {
        let known = std::rc::Rc::clone(&self.known[thread]);
        let (each, local) = (grid.template.len(), grid.code.local as usize);
        let slots = &mut self.slots[thread * each..][..each];
        let code = grid.code;
        let number = u32::try_from(thread).unwrap_or(0);
        let first = u32::try_from(self.number * u64::from(grid.threads_per_block)).unwrap_or(0);
        let mut spaces = Spaces {
            actor: Actor { thread: first + number, first, clock: self.clocks[thread], known: &known[..] },
            who: Who { block: grid.block_index(self.number), thread: grid.thread_index(number), line: 0 },
            launch: grid.launch,
            lines: &code.lines,
            threads_per_block: grid.threads_per_block,
            memory: &mut *grid.memory,
            shadow: &mut grid.shadow,
            shared: &mut self.shared,
            shared_shadow: &mut self.shadow,
            local: &mut self.local[thread * local..][..local],
        };
        let state = &mut self.threads[thread];
        let mut pc = state.pc;
        let mut left = slice;
        let result = loop {
            if left == 0 {
                break Ok(Stop::Slice);
            }
            left -= 1;
            let at = pc;
            pc += 1;
            match code.ops[at as usize] {
                Op::Mov { d, a } => slots[d as usize] = slots[a as usize],
                Op::Un { f, d, a } => slots[d as usize] = f(slots[a as usize]),
                Op::Bin { f, d, a, b } => slots[d as usize] = f(slots[a as usize], slots[b as usize]),
                Op::Tri { f, d, a, b, c } => {
                    slots[d as usize] = f(slots[a as usize], slots[b as usize], slots[c as usize]);
                }
                Op::Jump { to } => pc = to,
                Op::JumpIf { p, to } => {
                    if slots[p as usize] & 1 == 1 {
                        pc = to;
                    }
                }
                Op::JumpUnless { p, to } => {
                    if slots[p as usize] & 1 == 0 {
                        pc = to;
                    }
                }
                Op::Switch { index, table } => {
                    let table = &code.tables[table as usize];
                    match table.get((slots[index as usize] as u32) as usize) {
                        Some(&to) => pc = to,
                        None => break Err(Halt::new(FaultKind::Trap)),
                    }
                }
                Op::Load { memory } => {
                    if let Err(halt) = spaces.load(&code.accesses[memory as usize], slots, at) {
                        break Err(halt);
                    }
                }
                Op::Store { memory } => {
                    if let Err(halt) = spaces.store(&code.accesses[memory as usize], slots, at) {
                        break Err(halt);
                    }
                }
                Op::Atomic { atomic } => {
                    if let Err(halt) = spaces.atomic(&code.atomics[atomic as usize], slots, at) {
                        break Err(halt);
                    }
                }
                Op::Barrier { barrier } => {
                    let data = &code.barriers[barrier as usize];
                    let id = slots[data.id as usize] as u32;
                    let count = data.count.map_or(0, |count| slots[count as usize] as u32);
                    state.state = State::Barrier { barrier, id, count };
                    break Ok(Stop::Waits);
                }
                Op::Warp { warp } => {
                    let mask = slots[code.warps[warp as usize].mask as usize] as u32;
                    state.state = State::Warp { warp, mask };
                    break Ok(Stop::Waits);
                }
                Op::Clock { d, clock } => {
                    let steps = grid.steps + (slice - left);
                    slots[d as usize] = match clock {
                        Clock::Steps => steps,
                        Clock::Low => steps & 0xffff_ffff,
                        Clock::High => steps >> 32,
                        Clock::Timer => grid.launch.timer.now(),
                        Clock::TimerLow => grid.launch.timer.now() & 0xffff_ffff,
                        Clock::TimerHigh => grid.launch.timer.now() >> 32,
                    };
                }
                Op::Exit => {
                    state.state = State::Ended;
                    break Ok(Stop::Waits);
                }
                Op::Trap => break Err(Halt::new(FaultKind::Trap)),
                Op::Assert { arguments } => {
                    let message = spaces.assertion(arguments.map(|slot| slots[slot as usize]));
                    break Err(Halt::new(FaultKind::Assert { message: message.into() }));
                }
            }
        };
        state.pc = pc;
        grid.steps += slice - left;
        result
    }
}
