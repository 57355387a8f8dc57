//! Global memory as the interpreter sees it.

use std::error::Error;
use std::fmt;

/// Who makes an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Who {
    /// `%ctaid`.
    pub block: [u32; 3],
    /// `%tid`.
    pub thread: [u32; 3],
    /// The line of the PTX, counted from 1.
    pub line: u32,
}

/// An access that the memory refuses; it ends the launch as [`FaultKind::OutOfBounds`](super::FaultKind::OutOfBounds).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadAccess {
    /// Why: nobody's address, freed, beyond the end, read-only.
    pub reason: Box<str>,
}

impl BadAccess {
    /// With a reason.
    pub fn new(reason: impl Into<Box<str>>) -> BadAccess {
        BadAccess { reason: reason.into() }
    }
}

impl fmt::Display for BadAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl Error for BadAccess {}

/// Global and constant memory. Addresses are the device addresses that the kernel computes; they have their upper eight
/// bits zero, as the ones that are not stand for shared, local and parameter memory. Alignment is checked before.
pub trait Memory {
    /// Reads `out.len()` bytes, 1 to 32.
    ///
    /// # Errors
    ///
    /// If not all of them may be read.
    fn load(&mut self, address: u64, out: &mut [u8], who: Who) -> Result<(), BadAccess>;

    /// Writes `data`, 1 to 32 bytes.
    ///
    /// # Errors
    ///
    /// If not all of them may be written.
    fn store(&mut self, address: u64, data: &[u8], who: Who) -> Result<(), BadAccess>;

    /// Replaces the `size` bytes there (2, 4 or 8, little-endian) by what `op` makes of them, and gives the old value.
    /// `op` is called exactly once, unless the access is refused.
    ///
    /// # Errors
    ///
    /// If not all of them may be read and written.
    fn atomic(&mut self, address: u64, size: usize, op: &mut dyn FnMut(u64) -> u64, who: Who)
    -> Result<u64, BadAccess>;
}

/// One piece of memory at an address: enough for tests.
#[derive(Clone, Debug)]
pub struct FlatMemory {
    base: u64,
    bytes: Vec<u8>,
}

impl FlatMemory {
    /// `size` zero bytes from address `base` on.
    pub fn new(base: u64, size: usize) -> FlatMemory {
        FlatMemory { base, bytes: vec![0; size] }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes, to change them.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    fn place(&mut self, address: u64, size: usize) -> Result<&mut [u8], BadAccess> {
        let start = address.checked_sub(self.base).and_then(|start| usize::try_from(start).ok());
        let range = start.and_then(|start| Some(start..start.checked_add(size)?));
        let place = range.and_then(|range| self.bytes.get_mut(range));
        place.ok_or_else(|| BadAccess::new("no memory is there"))
    }
}

impl Memory for FlatMemory {
    fn load(&mut self, address: u64, out: &mut [u8], _who: Who) -> Result<(), BadAccess> {
        let place = self.place(address, out.len())?;
        out.copy_from_slice(place);
        Ok(())
    }

    fn store(&mut self, address: u64, data: &[u8], _who: Who) -> Result<(), BadAccess> {
        self.place(address, data.len())?.copy_from_slice(data);
        Ok(())
    }

    fn atomic(
        &mut self,
        address: u64,
        size: usize,
        op: &mut dyn FnMut(u64) -> u64,
        _who: Who,
    ) -> Result<u64, BadAccess> {
        let place = self.place(address, size)?;
        let mut bytes = [0; 8];
        bytes[..size].copy_from_slice(place);
        let old = u64::from_le_bytes(bytes);
        place.copy_from_slice(&op(old).to_le_bytes()[..size]);
        Ok(old)
    }
}
