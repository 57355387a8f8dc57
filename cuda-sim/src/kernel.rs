//! The execution of a kernel on tracked memory.

use std::collections::HashSet;

use crate::clock::Agent;
use crate::execute::Actor;
use crate::memory::{Access, Memory, Origin, Region, State, Touched};
use crate::ptx;
use crate::report::FindingKind;
use crate::sim::{Sim, codes};
use crate::work::Launch;

/// Nanoseconds that pass for a kernel between two looks at the clock, at first.
const TICK: u64 = 1000;

/// A block that the kernel uses, taken out of the memory while it runs.
struct Block {
    region: Region,
    reads: Touched,
    writes: Touched,
    atomics: Touched,
}

/// Memory as one kernel sees it.
struct View<'a> {
    memory: &'a mut Memory,
    context: usize,
    device: usize,
    peers: &'a HashSet<usize>,
    blocks: Vec<Block>,
    /// The block that was used last.
    last: usize,
    refused: Option<FindingKind>,
}

impl View<'_> {
    /// The block that holds a range that the kernel may access, by its place in `blocks`.
    #[inline]
    fn find(&mut self, address: u64, len: usize) -> Result<(usize, usize), ptx::BadAccess> {
        if let Some(block) = self.blocks.get(self.last) {
            let offset = address.wrapping_sub(block.region.base);
            if offset.saturating_add(len as u64) <= block.region.size as u64 {
                return Ok((self.last, block.region.offset(address)));
            }
        }
        self.search(address, len)
    }

    fn search(&mut self, address: u64, len: usize) -> Result<(usize, usize), ptx::BadAccess> {
        let inside = |region: &Region| address >= region.base && address - region.base < region.size as u64;
        let known = self.blocks.iter().position(|block| inside(&block.region));
        let index = match known {
            Some(index) => index,
            None => self.take(address)?,
        };
        let region = &self.blocks[index].region;
        let offset = region.offset(address);
        if offset + len > region.size {
            let reason = format!(
                "{len} bytes at {address:#x} go beyond the block at {:#x} of {} bytes, made by {}",
                region.base, region.size, region.made
            );
            return Err(self.refuse(FindingKind::OutOfBounds, reason));
        }
        self.last = index;
        Ok((index, offset))
    }

    /// Takes the block of an address out of the memory, if the kernel may access it.
    #[cold]
    fn take(&mut self, address: u64) -> Result<usize, ptx::BadAccess> {
        let Some(region) = self.memory.at(address) else {
            let own = self.blocks.iter().map(|block| &block.region).filter(|region| region.base <= address);
            let near = own.chain(self.memory.before(address)).max_by_key(|region| region.base).map_or(
                String::new(),
                |region| {
                    let gap = address - region.base - region.size as u64;
                    format!(
                        "; the block before it is at {:#x} and ends {gap} bytes earlier: {} bytes, made by {}",
                        region.base, region.size, region.made
                    )
                },
            );
            return Err(self.refuse(FindingKind::OutOfBounds, format!("{address:#x} is no memory{near}")));
        };
        let base = region.base;
        if let (State::Freed(by), Origin::Device | Origin::Pinned | Origin::Registered) = (&region.state, region.origin)
        {
            let reason = format!("{address:#x} is in the block at {base:#x}, which {by} had freed");
            return Err(self.refuse(FindingKind::UseAfterFree, reason));
        }
        let own = region.context == self.context || region.device == self.device || region.origin.is_host();
        if !own && !self.peers.contains(&region.context) {
            let reason = format!(
                "{address:#x} is memory of device {}, which device {} may not access",
                region.device, self.device
            );
            return Err(self.refuse(FindingKind::UnreachablePeer, reason));
        }
        match self.memory.take(base) {
            Some(region) => {
                self.blocks.push(Block {
                    region,
                    reads: Touched::default(),
                    writes: Touched::default(),
                    atomics: Touched::default(),
                });
                Ok(self.blocks.len() - 1)
            }
            None => Err(self.refuse(FindingKind::OutOfBounds, format!("{address:#x} is no memory"))),
        }
    }

    fn refuse(&mut self, kind: FindingKind, reason: String) -> ptx::BadAccess {
        self.refused = Some(kind);
        ptx::BadAccess::new(reason)
    }
}

impl ptx::Memory for View<'_> {
    #[inline]
    fn load(&mut self, address: u64, out: &mut [u8], _: ptx::Who) -> Result<(), ptx::BadAccess> {
        let (index, offset) = self.find(address, out.len())?;
        let block = &mut self.blocks[index];
        block.reads.add(offset, out.len());
        block.region.read(offset, out);
        Ok(())
    }

    #[inline]
    fn store(&mut self, address: u64, data: &[u8], _: ptx::Who) -> Result<(), ptx::BadAccess> {
        let (index, offset) = self.find(address, data.len())?;
        let block = &mut self.blocks[index];
        block.writes.add(offset, data.len());
        block.region.write(offset, data);
        Ok(())
    }

    fn atomic(
        &mut self,
        address: u64,
        size: usize,
        op: &mut dyn FnMut(u64) -> u64,
        _: ptx::Who,
    ) -> Result<u64, ptx::BadAccess> {
        let (index, offset) = self.find(address, size)?;
        let block = &mut self.blocks[index];
        block.atomics.add(offset, size);
        let mut bytes = [0; 8];
        block.region.read(offset, &mut bytes[..size]);
        let before = u64::from_le_bytes(bytes);
        block.region.write(offset, &op(before).to_le_bytes()[..size]);
        Ok(before)
    }
}

impl Sim {
    /// Runs a kernel to its end and notes what it accessed.
    pub(crate) fn run_kernel(&mut self, stream: Agent, launch: &Launch, actor: Actor<'_>) {
        if let Some(code) = self.config.script.kernel() {
            return self.fall(stream, code);
        }
        let Some(kernel) = launch.code.module.kernel(&launch.kernel) else { return };
        let clock_of_device = ptx::Ticks::new(self.time, TICK);
        let parameters = ptx::Launch {
            dynamic_shared: launch.shared,
            params: &launch.parameters,
            globals: &launch.variables,
            seed: self.rng.next(),
            step_limit: Some(self.config.step_limit),
            timer: &clock_of_device,
            ..ptx::Launch::new(launch.grid, launch.block)
        };
        let context = &self.contexts[launch.context];
        let mut view = View {
            memory: &mut self.memory,
            context: launch.context,
            device: context.device,
            peers: &context.peers,
            blocks: Vec::new(),
            last: 0,
            refused: None,
        };
        let result = kernel.run(&parameters, &mut view);
        let View { blocks, refused, .. } = view;
        self.time = clock_of_device.time();
        let mut accesses = Vec::new();
        for Block { region, reads, writes, atomics } in blocks {
            let base = region.base;
            self.memory.put_back(region);
            for (access, touched) in [(Access::Read, reads), (Access::Atomic, atomics), (Access::Write, writes)] {
                accesses.extend(touched.ranges().into_iter().map(|range| (base, range, access)));
            }
        }
        for (base, (start, end), access) in accesses {
            self.touch(base, start, end, access, actor);
        }
        if let Err(fault) = result {
            self.kernel_ended_badly(stream, &fault, refused, actor);
        }
    }

    fn kernel_ended_badly(
        &mut self,
        stream: Agent,
        fault: &ptx::Fault,
        refused: Option<FindingKind>,
        actor: Actor<'_>,
    ) {
        let label = &actor.stamp.label;
        let race = matches!(fault.kind, ptx::FaultKind::Race { .. });
        let kind = if race { FindingKind::KernelRace } else { refused.unwrap_or(FindingKind::KernelFault) };
        self.report.add(kind, label, None, format!("{label}: {fault}"));
        if !race {
            self.fall(stream, fault.kind.code().filter(|code| *code != 1).unwrap_or(codes::LAUNCH_FAILED));
        }
    }
}
