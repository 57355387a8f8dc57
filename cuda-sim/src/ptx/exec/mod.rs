//! Runs launches: blocks in an order, and while one waits for another, several in turns.

mod barrier;
mod block;
mod order;
mod spaces;
mod thread;
mod warp;

use std::collections::VecDeque;

use super::code::{Code, Content, LaneMask, Special};
use super::fault::{Fault, FaultKind, OtherThread};
use super::launch::Launch;
use super::memory::Memory;
use super::module::Kernel;
use super::shadow::{Conflict, Shadow};
use super::types::align_up;
use block::{Block, Pass};
use order::Permutation;

/// Steps of a thread before others get their turn, so that threads can wait for each other.
const SLICE: u64 = 1 << 14;
/// Blocks that are under way at most.
const RESIDENT: usize = 16;

/// Why a thread can't go on.
#[derive(Debug)]
struct Halt {
    kind: FaultKind,
    address: Option<u64>,
}

impl Halt {
    fn new(kind: FaultKind) -> Box<Halt> {
        Box::new(Halt { kind, address: None })
    }

    fn at(kind: FaultKind, address: u64) -> Box<Halt> {
        Box::new(Halt { kind, address: Some(address) })
    }
}

/// What all blocks of a launch share.
struct Grid<'l> {
    kernel: &'l Kernel,
    code: &'l Code,
    launch: &'l Launch<'l>,
    memory: &'l mut dyn Memory,
    shadow: Shadow,
    threads_per_block: u32,
    shared_size: u32,
    steps: u64,
    /// A thread's slots at its start, without what differs between threads.
    template: Vec<u64>,
    /// Slots that differ.
    specials: Vec<(usize, Special)>,
}

impl Kernel {
    /// Runs the kernel to its end.
    ///
    /// # Errors
    ///
    /// The first fault, after which memory holds what had been written until then.
    pub fn run(&self, launch: &Launch<'_>, memory: &mut dyn Memory) -> Result<(), Fault> {
        let mut grid = Grid::new(self, launch, memory)?;
        let [x, y, z] = launch.grid.map(u64::from);
        let blocks = x * y * z;
        let order = Permutation::new(blocks, launch.seed);
        let mut upcoming = 0;
        let mut resident: VecDeque<Block> = VecDeque::new();
        let mut spare: Vec<Block> = Vec::new();
        loop {
            let Some(mut block) = resident.pop_front() else {
                if upcoming == blocks {
                    return Ok(());
                }
                resident.push_back(grid.start(order.at(upcoming), &mut spare));
                upcoming += 1;
                continue;
            };
            match block.pass(&mut grid) {
                Ok(Pass::Ended) => spare.push(block),
                Ok(Pass::Waits) => {
                    resident.push_back(block);
                    if resident.len() < RESIDENT && upcoming < blocks {
                        resident.push_front(grid.start(order.at(upcoming), &mut spare));
                        upcoming += 1;
                    }
                }
                Err(fault) => return Err(*fault),
            }
        }
    }
}

impl<'l> Grid<'l> {
    fn new(kernel: &'l Kernel, launch: &'l Launch<'l>, memory: &'l mut dyn Memory) -> Result<Grid<'l>, Fault> {
        let refuse = |line: u32, kind: FaultKind| Fault {
            kernel: kernel.name.clone(),
            line,
            block: [0; 3],
            thread: [0; 3],
            address: None,
            kind,
        };
        let code = kernel
            .code
            .as_ref()
            .map_err(|error| refuse(error.line, FaultKind::Unsupported { message: error.to_string().into() }))?;
        let bad = |reason: String| refuse(0, FaultKind::BadLaunch { reason: reason.into() });
        let [x, y, z] = launch.block.map(u64::from);
        let threads = x.saturating_mul(y).saturating_mul(z);
        if !(1..=1024).contains(&threads) {
            return Err(bad(format!("blocks of {x} x {y} x {z} threads")));
        }
        let [gx, gy, gz] = launch.grid.map(u64::from);
        let all = gx.checked_mul(gy).and_then(|product| product.checked_mul(gz));
        match all.and_then(|blocks| blocks.checked_mul(threads)) {
            Some(all) if (1..u64::from(u32::MAX)).contains(&all) => {}
            _ => return Err(bad(format!("a grid of {gx} x {gy} x {gz} blocks of {threads} threads"))),
        }
        if (launch.params.len() as u64) < u64::from(kernel.params_size()) {
            let (given, needed) = (launch.params.len(), kernel.params_size());
            return Err(bad(format!("{given} bytes of parameters, it takes {needed}")));
        }
        let dynamic = align_up(code.static_shared, 16);
        let shared_size = match dynamic.checked_add(launch.dynamic_shared).filter(|&size| size < 1 << 24) {
            Some(_) if launch.dynamic_shared == 0 => code.static_shared,
            Some(size) => size,
            None => return Err(bad(format!("{} bytes of dynamic shared memory", launch.dynamic_shared))),
        };
        let threads = u32::try_from(threads).unwrap_or(u32::MAX);
        let mut grid = Grid {
            kernel,
            code,
            launch,
            memory,
            shadow: Shadow::new(threads, code.partial_order),
            threads_per_block: threads,
            shared_size,
            steps: 0,
            template: Vec::with_capacity(code.contents.len()),
            specials: Vec::new(),
        };
        for (index, &content) in code.contents.iter().enumerate() {
            let value = match content {
                Content::Register => 0,
                Content::Constant(value) => value,
                Content::Dynamic(offset) => u64::from(dynamic).wrapping_add_signed(offset),
                Content::Variable(number, offset) => match launch.globals.get(number as usize) {
                    Some(address) => address.wrapping_add_signed(offset),
                    None => return Err(bad(format!("no address for the module's variable {number}"))),
                },
                Content::Special(special) => {
                    grid.specials.push((index, special));
                    0
                }
            };
            grid.template.push(value);
        }
        Ok(grid)
    }

    fn start(&self, index: u64, spare: &mut Vec<Block>) -> Block {
        let mut block = spare.pop().unwrap_or_else(|| Block::new(self));
        block.start(self, index);
        block
    }

    /// `%ctaid` of a block's number.
    fn block_index(&self, number: u64) -> [u32; 3] {
        unflatten(number, self.launch.grid)
    }

    /// `%tid` of a thread's number in its block.
    fn thread_index(&self, number: u32) -> [u32; 3] {
        unflatten(number.into(), self.launch.block)
    }

    fn line(&self, pc: u32) -> u32 {
        self.code.lines.get(pc as usize).copied().unwrap_or(0)
    }

    fn fault(&self, block: &Block, thread: usize, pc: u32, halt: Halt) -> Box<Fault> {
        Box::new(Fault {
            kernel: self.kernel.name.clone(),
            line: self.line(pc),
            block: self.block_index(block.number),
            thread: self.thread_index(u32::try_from(thread).unwrap_or(0)),
            address: halt.address,
            kind: halt.kind,
        })
    }

    /// What a special register holds.
    fn special(&self, special: Special, block: u64, thread: u32) -> u64 {
        let lane = thread % 32;
        let number = match special {
            Special::Tid(axis) => self.thread_index(thread)[usize::from(axis)],
            Special::Ntid(axis) => self.launch.block[usize::from(axis)],
            Special::Ctaid(axis) => self.block_index(block)[usize::from(axis)],
            Special::Nctaid(axis) => self.launch.grid[usize::from(axis)],
            Special::Lane => lane,
            Special::Warp => thread / 32,
            Special::Warps => self.threads_per_block.div_ceil(32),
            Special::LaneMask(LaneMask::Eq) => 1 << lane,
            Special::LaneMask(LaneMask::Lt) => (1 << lane) - 1,
            Special::LaneMask(LaneMask::Le) => u32::MAX >> (31 - lane),
            Special::LaneMask(LaneMask::Gt) => !(u32::MAX >> (31 - lane)),
            Special::LaneMask(LaneMask::Ge) => u32::MAX << lane,
            Special::DynamicShared => self.launch.dynamic_shared,
            Special::TotalShared => self.shared_size,
        };
        number.into()
    }
}

fn unflatten(number: u64, sizes: [u32; 3]) -> [u32; 3] {
    let [x, y, _] = sizes.map(u64::from);
    let narrow = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
    [narrow(number % x), narrow(number / x % y), narrow(number / (x * y))]
}

/// A race as a fault; `threads_per_block` and the sizes say who the other thread is.
fn race(
    conflict: Conflict,
    access: super::fault::Touch,
    shared: bool,
    launch: &Launch<'_>,
    threads_per_block: u32,
    lines: &[u32],
) -> Box<Halt> {
    let (block, thread) = (conflict.thread / threads_per_block, conflict.thread % threads_per_block);
    let other = OtherThread {
        block: unflatten(block.into(), launch.grid),
        thread: unflatten(thread.into(), launch.block),
        line: lines.get(conflict.pc as usize).copied().unwrap_or(0),
    };
    Halt::at(FaultKind::Race { access, other_access: conflict.touch, other, shared }, conflict.address)
}
