//! Memory: allocated and freed, in the order of a stream or at once; pinned and registered.

use std::sync::Arc;

use crate::clock::Agent;
use crate::execute::Actor;
use crate::memory::{Access, Origin, State};
use crate::report::{FindingKind, Label};
use crate::sim::{Code, Outcome, Sim, codes};
use crate::work::Work;

/// A function that frees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Releaser {
    /// `cuMemFree`.
    Free,
    /// `cuMemFreeAsync`.
    FreeAsync,
    /// `cuMemFreeHost`.
    FreeHost,
    /// `cuMemHostUnregister`.
    Unregister,
}

impl Releaser {
    fn may_free(self, origin: Origin) -> bool {
        match self {
            Self::Free => matches!(origin, Origin::Device | Origin::Pool),
            Self::FreeAsync => origin == Origin::Pool,
            Self::FreeHost => origin == Origin::Pinned,
            Self::Unregister => origin == Origin::Registered,
        }
    }
}

impl Sim {
    /// Device memory of a context, at once.
    pub(crate) fn allocate(&mut self, context: usize, size: usize) -> Outcome<u64> {
        if size == 0 {
            return Err(codes::INVALID_VALUE);
        }
        let base = self.claim(context, size, Origin::Device)?;
        self.touch_all(base);
        Ok(base)
    }

    /// Device memory in the order of a stream.
    pub(crate) fn allocate_async(&mut self, stream: Agent, size: usize) -> Outcome<u64> {
        if size == 0 {
            // Accepted, unlike by the plain allocation (seen on an H200).
            return Ok(0);
        }
        let context = self.streams[stream].context;
        let base = match self.reuse(stream, size) {
            Some(base) => base,
            None => self.claim(context, size, Origin::Pool)?,
        };
        self.enqueue(stream, Work::Allocate { base }, None);
        Ok(base)
    }

    /// A block that was freed in an order that the stream's next operation comes after.
    fn reuse(&mut self, stream: Agent, size: usize) -> Option<u64> {
        if !self.reuses {
            return None;
        }
        let (mut clock, context, here) = (self.host.clone(), self.streams[stream].context, self.here());
        clock.join(&self.streams[stream].clock);
        let comes_before = |by: &Label| by.stream.is_some_and(|agent| clock.covers(agent, by.position));
        self.memory.reuse(context, size, &here, comes_before).map(|(base, _)| base)
    }

    fn claim(&mut self, context: usize, size: usize, origin: Origin) -> Outcome<u64> {
        let (device, here) = (self.contexts[context].device, self.here());
        if let Some(base) = self.memory.allocate(device, context, size, origin, &here) {
            return Ok(base);
        }
        // Blocks whose end is queued come back first.
        self.run_all(None);
        self.memory.allocate(device, context, size, origin, &here).ok_or(codes::OUT_OF_MEMORY)
    }

    /// The host itself writes a whole block: it begins or ends.
    fn touch_all(&mut self, base: u64) {
        let clock = self.host.clone();
        let stamp = self.host_stamp();
        let size = self.memory.get(base).map_or(0, |region| region.size);
        self.touch(base, 0, size, Access::Write, Actor { stamp: &stamp, clock: &clock });
    }

    /// The block that starts at an address and may be freed by this function now.
    fn freeable(&mut self, address: u64, by: Releaser) -> Outcome<u64> {
        let Some(region) = self.memory.get(address) else {
            self.find(FindingKind::OutOfBounds, None, &format!("no block starts at {address:#x}"));
            return Err(if by == Releaser::Unregister { codes::NOT_REGISTERED } else { codes::INVALID_VALUE });
        };
        let (made, origin) = (region.made.clone(), region.origin);
        if let State::Freed(first) | State::Condemned(first) = region.state.clone() {
            self.find(
                FindingKind::DoubleFree,
                Some(&first),
                &format!("the block at {address:#x} was freed by {first}"),
            );
            return Err(codes::INVALID_VALUE);
        }
        if !by.may_free(origin) {
            self.find(FindingKind::WrongPartner, Some(&made), &format!("the block at {address:#x} was made by {made}"));
            return Err(if by == Releaser::Unregister { codes::NOT_REGISTERED } else { codes::INVALID_VALUE });
        }
        Ok(address)
    }

    /// Frees at once. The device finishes first, but that is no order that a program may rely on.
    pub(crate) fn free_now(&mut self, address: u64, by: Releaser) -> Outcome<()> {
        if address == 0 && by == Releaser::Free {
            return Ok(());
        }
        let base = self.freeable(address, by).map_err(|code| self.or_dead_context(code))?;
        let context = self.memory.get(base).map(|region| region.context);
        self.run_all(context);
        self.notice()?;
        let here = self.here();
        if let Some(region) = self.memory.get_mut(base) {
            region.state = State::Condemned(here.clone());
        }
        self.touch_all(base);
        if by == Releaser::Unregister {
            self.memory.unregister(base);
        } else {
            self.memory.release(base, &here);
        }
        Ok(())
    }

    /// With a context current that has ended, that is what is complained about (measured I).
    fn or_dead_context(&mut self, code: Code) -> Code {
        match self.current() {
            Err(codes::CONTEXT_DESTROYED) => codes::CONTEXT_DESTROYED,
            _ => code,
        }
    }

    /// Frees in the order of a stream.
    pub(crate) fn free_async(&mut self, address: u64, stream: Agent) -> Outcome<()> {
        let base = self.freeable(address, Releaser::FreeAsync)?;
        let generation = self.memory.get(base).map_or(0, |region| region.generation);
        let position = self.enqueue(stream, Work::Free { base, generation }, None);
        let mut label = Label::host(self.now.call, self.now.number);
        (label.stream, label.position) = (Some(stream), position);
        if let Some(region) = self.memory.get_mut(base) {
            region.state = State::Condemned(Arc::new(label));
        }
        Ok(())
    }

    /// Pinned host memory.
    pub(crate) fn pin(&mut self, context: usize, size: usize) -> Outcome<u64> {
        if size == 0 {
            // Accepted (seen on an H200).
            return Ok(0);
        }
        let (device, here) = (self.contexts[context].device, self.here());
        let base = self.memory.pin(device, context, size, &here);
        self.touch_all(base);
        Ok(base)
    }

    /// Memory of the program, from now on as good as pinned.
    pub(crate) fn register(&mut self, context: usize, address: usize, size: usize) -> Outcome<()> {
        if address == 0 || size == 0 {
            return Err(codes::INVALID_VALUE);
        }
        let (first, last) = (address as u64, (address + size - 1) as u64);
        let live = |at: u64| self.memory.at(at).is_some_and(|region| region.has_content());
        if live(first) || live(last) {
            return Err(codes::ALREADY_REGISTERED);
        }
        let (device, here) = (self.contexts[context].device, self.here());
        self.memory.register(address, size, device, context, &here);
        Ok(())
    }
}
