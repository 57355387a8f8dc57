//! The memories that a thread sees, with their bounds, alignment and races.

use super::super::code::{Access, AtomicAccess, Change, window};
use super::super::fault::{FaultKind, Touch};
use super::super::launch::Launch;
use super::super::memory::{Memory, Who};
use super::super::shadow::{Actor, Shadow};
use super::super::types::Space;
use super::{Halt, race};

/// A thread's memories.
pub(super) struct Spaces<'a> {
    pub(super) actor: Actor<'a>,
    pub(super) who: Who,
    pub(super) launch: &'a Launch<'a>,
    pub(super) lines: &'a [u32],
    pub(super) threads_per_block: u32,
    pub(super) memory: &'a mut dyn Memory,
    pub(super) shadow: &'a mut Shadow,
    pub(super) shared: &'a mut [u8],
    pub(super) shared_shadow: &'a mut Shadow,
    pub(super) local: &'a mut [u8],
}

/// Where an address leads: a memory of this block or thread, with the offset, or global memory.
enum Target {
    Global(u64),
    Constant(u64),
    Shared(u64),
    Local(u64),
    Param(u64),
}

type Checked<T> = Result<T, Box<Halt>>;

impl Spaces<'_> {
    pub(super) fn load(&mut self, access: &Access, slots: &mut [u64], pc: u32) -> Checked<()> {
        let address = slots[access.base as usize].wrapping_add_signed(access.offset);
        let total = access.size * access.count;
        let mut buffer = [0; 32];
        let bytes = &mut buffer[..total as usize];
        match target(access.space, address, total)? {
            Target::Global(address) => {
                self.who.line = self.lines[pc as usize];
                let loaded = self.memory.load(address, bytes, self.who);
                loaded.map_err(|bad| Halt::at(FaultKind::OutOfBounds { reason: bad.reason }, address))?;
                self.check(false, address, total, Touch::Read, pc)?;
            }
            Target::Constant(address) => {
                self.who.line = self.lines[pc as usize];
                let loaded = self.memory.load(address, bytes, self.who);
                loaded.map_err(|bad| Halt::at(FaultKind::OutOfBounds { reason: bad.reason }, address))?;
            }
            Target::Shared(offset) => {
                bytes.copy_from_slice(shared_place(self.shared, offset, total)?);
                self.check(true, offset, total, Touch::Read, pc)?;
            }
            Target::Local(offset) => bytes.copy_from_slice(local_place(self.local, offset, total)?),
            Target::Param(offset) => bytes.copy_from_slice(param_place(self.launch.params, offset, total)?),
        }
        let size = access.size as usize;
        for (slot, element) in access.slots.iter().zip(bytes.chunks_exact(size)) {
            let value = number(element);
            slots[*slot as usize] = access.extend.map_or(value, |extend| extend(value));
        }
        Ok(())
    }

    pub(super) fn store(&mut self, access: &Access, slots: &[u64], pc: u32) -> Checked<()> {
        let address = slots[access.base as usize].wrapping_add_signed(access.offset);
        let total = access.size * access.count;
        let mut buffer = [0; 32];
        let bytes = &mut buffer[..total as usize];
        let size = access.size as usize;
        for (slot, element) in access.slots.iter().zip(bytes.chunks_exact_mut(size)) {
            element.copy_from_slice(&slots[*slot as usize].to_le_bytes()[..size]);
        }
        let touch = if access.strong { Touch::Atomic } else { Touch::Write };
        match target(access.space, address, total)? {
            Target::Global(address) | Target::Constant(address) => {
                self.who.line = self.lines[pc as usize];
                let stored = self.memory.store(address, bytes, self.who);
                stored.map_err(|bad| Halt::at(FaultKind::OutOfBounds { reason: bad.reason }, address))?;
                self.check(false, address, total, touch, pc)?;
            }
            Target::Shared(offset) => {
                shared_place(self.shared, offset, total)?.copy_from_slice(bytes);
                self.check(true, offset, total, touch, pc)?;
            }
            Target::Local(offset) => local_place(self.local, offset, total)?.copy_from_slice(bytes),
            Target::Param(offset) => {
                let reason = "a store to the kernel's parameters".into();
                return Err(Halt::at(FaultKind::OutOfBounds { reason }, offset));
            }
        }
        Ok(())
    }

    pub(super) fn atomic(&mut self, atomic: &AtomicAccess, slots: &mut [u64], pc: u32) -> Checked<()> {
        let address = slots[atomic.base as usize].wrapping_add_signed(atomic.offset);
        let size = atomic.size as usize;
        let mask = u64::MAX >> (64 - 8 * atomic.size);
        let change = |old: u64| match atomic.change {
            Change::With(f, b) => f(old, slots[b as usize]),
            Change::Exchange(b) => slots[b as usize],
            Change::CompareAndSwap { expected, new } => {
                if old == slots[expected as usize] & mask {
                    slots[new as usize]
                } else {
                    old
                }
            }
        };
        let old = match target(atomic.space, address, atomic.size)? {
            Target::Global(address) | Target::Constant(address) => {
                self.who.line = self.lines[pc as usize];
                let old = self.memory.atomic(address, size, &mut |old| change(old) & mask, self.who);
                let old = old.map_err(|bad| Halt::at(FaultKind::OutOfBounds { reason: bad.reason }, address))?;
                self.check(false, address, atomic.size, Touch::Atomic, pc)?;
                old
            }
            Target::Shared(offset) => {
                let place = shared_place(self.shared, offset, atomic.size)?;
                let old = number(place);
                place.copy_from_slice(&change(old).to_le_bytes()[..size]);
                self.check(true, offset, atomic.size, Touch::Atomic, pc)?;
                old
            }
            Target::Local(offset) | Target::Param(offset) => {
                let reason = "an atomic operation on local memory or parameters".into();
                return Err(Halt::at(FaultKind::OutOfBounds { reason }, offset));
            }
        };
        if let Some(d) = atomic.d {
            slots[d as usize] = old;
        }
        Ok(())
    }

    fn check(&mut self, shared: bool, address: u64, size: u32, touch: Touch, pc: u32) -> Checked<()> {
        if !self.launch.races {
            return Ok(());
        }
        let shadow = if shared { &mut *self.shared_shadow } else { &mut *self.shadow };
        match shadow.touch(address, size, touch, &self.actor, pc) {
            None => Ok(()),
            Some(conflict) => Err(race(conflict, touch, shared, self.launch, self.threads_per_block, self.lines)),
        }
    }

    /// The words of a failed assertion: message, file, line and function.
    pub(super) fn assertion(&mut self, [message, file, line, function]: [u64; 4]) -> String {
        let (message, file, function) = (self.text(message), self.text(file), self.text(function));
        format!("{message} ({file}:{line}, {function})", line = line as u32)
    }

    /// A C string in global memory, as much of it as can be read.
    fn text(&mut self, address: u64) -> String {
        let mut bytes = Vec::new();
        while bytes.len() < 256 {
            let mut byte = [0];
            let at = address.wrapping_add(bytes.len() as u64);
            if self.memory.load(at, &mut byte, self.who).is_err() || byte == [0] {
                break;
            }
            bytes.push(byte[0]);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// Little-endian bytes as a number.
fn number(bytes: &[u8]) -> u64 {
    match *bytes {
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]).into(),
        _ => {
            let mut all = [0; 8];
            all[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(all)
        }
    }
}

fn target(space: Space, address: u64, size: u32) -> Checked<Target> {
    if address & (u64::from(size) - 1) != 0 {
        return Err(Halt::at(FaultKind::Misaligned { size }, address));
    }
    Ok(match space {
        Space::Shared => Target::Shared(address),
        Space::Local => Target::Local(address),
        Space::Param => Target::Param(address),
        Space::Const => Target::Constant(address),
        Space::Global => Target::Global(address),
        Space::Generic => match address & window::TAG {
            window::SHARED => Target::Shared(address - window::SHARED),
            window::LOCAL => Target::Local(address - window::LOCAL),
            window::PARAM => Target::Param(address - window::PARAM),
            _ => Target::Global(address),
        },
    })
}

fn range(offset: u64, size: u32) -> Option<std::ops::Range<usize>> {
    let start = usize::try_from(offset).ok()?;
    Some(start..start.checked_add(size as usize)?)
}

fn shared_place(shared: &mut [u8], offset: u64, size: u32) -> Checked<&mut [u8]> {
    let have = u32::try_from(shared.len()).unwrap_or(u32::MAX);
    let place = range(offset, size).and_then(|range| shared.get_mut(range));
    place.ok_or_else(|| Halt::at(FaultKind::SharedOutOfBounds { size: have }, offset))
}

fn local_place(local: &mut [u8], offset: u64, size: u32) -> Checked<&mut [u8]> {
    let have = u32::try_from(local.len()).unwrap_or(u32::MAX);
    let place = range(offset, size).and_then(|range| local.get_mut(range));
    place.ok_or_else(|| Halt::at(FaultKind::LocalOutOfBounds { size: have }, offset))
}

fn param_place(params: &[u8], offset: u64, size: u32) -> Checked<&[u8]> {
    let place = range(offset, size).and_then(|range| params.get(range));
    let reason = || "beyond the kernel's parameters".into();
    place.ok_or_else(|| Halt::at(FaultKind::OutOfBounds { reason: reason() }, offset))
}
