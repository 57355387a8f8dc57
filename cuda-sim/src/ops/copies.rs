//! Copies and fills: what is read or written when, and what the host waits for.

use crate::clock::Agent;
use crate::memory::Place;
use crate::sim::{Outcome, Sim, codes};
use crate::work::Work;

/// One end of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// Memory that the device reaches itself.
    Tracked,
    /// Memory that CUDA does not know.
    Pageable,
}

/// What a copy is said to go between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Up,
    Down,
    OnDevice,
    /// The addresses say it.
    Any,
}

impl Way {
    /// The way of a `cudaMemcpyKind`.
    pub(crate) fn of_kind(kind: u32) -> Outcome<Self> {
        match kind {
            0 | 4 => Ok(Self::Any),
            1 => Ok(Self::Up),
            2 => Ok(Self::Down),
            3 => Ok(Self::OnDevice),
            _ => Err(codes::INVALID_DIRECTION),
        }
    }
}

impl Sim {
    /// Sides that are said to be a device's have to be memory that it reaches.
    fn check_way(&mut self, way: Way, to: u64, from: u64, len: usize) -> Outcome<()> {
        if matches!(way, Way::Up | Way::OnDevice) {
            self.named_range(to, len)?;
        }
        if matches!(way, Way::Down | Way::OnDevice) {
            self.named_range(from, len)?;
        }
        Ok(())
    }

    fn side(&self, address: u64, len: usize) -> Side {
        match self.memory.place(address, len) {
            Place::Unknown if crate::memory::may_be_host(address) => Side::Pageable,
            Place::Unknown => Side::Tracked,
            Place::Inside(_) | Place::Beyond(_) => Side::Tracked,
        }
    }

    /// A copy in the order of a stream, between any two places.
    ///
    /// Pageable memory is read, or written, within this call, whatever the stream is doing.
    pub(crate) fn copy(&mut self, stream: Agent, way: Way, to: u64, from: u64, len: usize) -> Outcome<()> {
        if len == 0 {
            return Ok(());
        }
        self.check_way(way, to, from, len)?;
        match (self.side(to, len), self.side(from, len)) {
            (Side::Tracked, Side::Tracked) => {
                self.named_range(to, len)?;
                self.named_range(from, len)?;
                self.enqueue(stream, Work::Copy { to, from, len }, None);
            }
            (Side::Tracked, Side::Pageable) => {
                self.named_range(to, len)?;
                let bytes = pageable(from, len)?;
                self.enqueue(stream, Work::Put { to, bytes }, None);
            }
            (Side::Pageable, Side::Tracked) => {
                self.named_range(from, len)?;
                let to = host_address(to)?;
                self.enqueue(stream, Work::Fetch { to, from, len }, None);
                self.synchronize_stream(stream)?;
            }
            (Side::Pageable, Side::Pageable) => {
                let (bytes, to) = (pageable(from, len)?, host_address(to)?);
                self.synchronize_stream(stream)?;
                // SAFETY: the caller lent `len` bytes there for the call.
                unsafe { std::ptr::copy(bytes.as_ptr(), std::ptr::with_exposed_provenance_mut(to), len) };
            }
        }
        Ok(())
    }

    /// A copy without a stream: on the legacy stream of a context. The host waits for what came
    /// before it there, and for the copy itself unless it is an upload from pageable memory, whose
    /// last part is still on its way, or between places on devices.
    pub(crate) fn copy_blocking(&mut self, context: usize, way: Way, to: u64, from: u64, len: usize) -> Outcome<()> {
        let stream = self.default_stream(context, false);
        if len == 0 {
            return Ok(());
        }
        self.check_way(way, to, from, len)?;
        let host = |sim: &Self, address| sim.memory.at(address).is_some_and(|region| region.origin.is_host());
        let pinned = host(self, to) || host(self, from);
        if self.side(from, len) == Side::Pageable {
            self.synchronize_stream(stream)?;
        }
        self.copy(stream, way, to, from, len)?;
        if pinned { self.synchronize_stream(stream) } else { Ok(()) }
    }

    /// A fill in the order of a stream: `times` copies of the pattern.
    pub(crate) fn fill(&mut self, stream: Agent, to: u64, pattern: &[u8], times: usize) -> Outcome<()> {
        if times == 0 {
            return Ok(());
        }
        let len = pattern.len().checked_mul(times).ok_or(codes::INVALID_VALUE)?;
        if to % pattern.len() as u64 != 0 {
            return Err(codes::INVALID_VALUE);
        }
        self.named_range(to, len)?;
        self.enqueue(stream, Work::Fill { to, pattern: pattern.to_vec(), times }, None);
        Ok(())
    }
}

fn host_address(address: u64) -> Outcome<usize> {
    if !crate::memory::may_be_host(address) {
        return Err(codes::INVALID_VALUE);
    }
    usize::try_from(address).ok().filter(|address| *address != 0).ok_or(codes::INVALID_VALUE)
}

/// Takes what is in the program's memory now.
fn pageable(address: u64, len: usize) -> Outcome<Vec<u8>> {
    let address = host_address(address)?;
    let mut bytes = vec![0; len];
    // SAFETY: the caller of the copy promised that `len` bytes are there.
    unsafe { std::ptr::copy(std::ptr::with_exposed_provenance(address), bytes.as_mut_ptr(), len) };
    Ok(bytes)
}
