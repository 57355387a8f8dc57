//! Tracked memory: blocks at addresses that are never used again, backed by host memory.

mod history;
mod touched;

use std::collections::BTreeMap;
use std::sync::Arc;

pub(crate) use history::{Access, Conflict, History, Stamp};
pub(crate) use touched::Touched;

use crate::report::Label;

/// Where a block came from, which says who may free it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// `cuMemAlloc`.
    Device,
    /// `cuMemAllocAsync`.
    Pool,
    /// `cuMemHostAlloc`.
    Pinned,
    /// `cuMemHostRegister`.
    Registered,
    /// A variable of a module.
    Module,
}

impl Origin {
    /// Whether the memory is the host's, seen by the devices.
    pub(crate) fn is_host(self) -> bool {
        matches!(self, Self::Pinned | Self::Registered)
    }
}

/// Whether a block may be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Live,
    /// The call that frees it was made; work that was enqueued before may still use it.
    Condemned(Arc<Label>),
    Freed(Arc<Label>),
}

#[derive(Debug)]
enum Content {
    Owned(Vec<u8>),
    /// Memory of the program, at the block's own address.
    Borrowed,
    Gone,
}

/// One block.
#[derive(Debug)]
pub(crate) struct Region {
    pub(crate) base: u64,
    pub(crate) size: usize,
    /// Device, for device memory and for what a device's context pinned.
    pub(crate) device: usize,
    pub(crate) context: usize,
    pub(crate) origin: Origin,
    pub(crate) made: Arc<Label>,
    pub(crate) state: State,
    pub(crate) history: History,
    /// How often the block was given out before, for stream-ordered memory.
    pub(crate) generation: u32,
    content: Content,
}

/// What new memory holds.
const FRESH: u8 = 0xa5;
/// What is read from freed memory.
const STALE: u8 = 0xdd;
/// Above all addresses that the host may use, so that a mix-up is a crash and not a success.
const FIRST: u64 = 1 << 50;
const DEVICE_SPAN: u64 = 1 << 46;
/// Alignment of a block, and least gap behind it.
const GRAIN: u64 = 512;

/// Whether an address may be the host's; devices' memory lies above.
pub(crate) fn may_be_host(address: u64) -> bool {
    address < FIRST
}

/// All blocks that ever were.
#[derive(Debug)]
pub(crate) struct Memory {
    regions: BTreeMap<u64, Region>,
    next: Vec<u64>,
    used: Vec<usize>,
    limit: usize,
}

/// What an address range is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Inside one block, by its base; also of a freed one.
    Inside(u64),
    /// It starts in a block and goes beyond its end.
    Beyond(u64),
    /// No block: the program's own memory, or nothing.
    Unknown,
}

impl Memory {
    pub(crate) fn new(devices: usize, limit: usize) -> Self {
        let next = (0..devices as u64).map(|device| FIRST + device * DEVICE_SPAN).collect();
        Self { regions: BTreeMap::new(), next, used: vec![0; devices], limit }
    }

    /// A new block of device memory, or `None` if the device has not enough left.
    pub(crate) fn allocate(
        &mut self,
        device: usize,
        context: usize,
        size: usize,
        origin: Origin,
        made: &Arc<Label>,
    ) -> Option<u64> {
        let used = self.used[device].checked_add(size).filter(|used| *used <= self.limit)?;
        self.used[device] = used;
        let base = self.next[device];
        self.next[device] += (size as u64 + GRAIN).next_multiple_of(GRAIN);
        self.insert(base, size, device, context, origin, made, Content::Owned(vec![FRESH; size]));
        Some(base)
    }

    /// A new block of pinned host memory, at its address on the host.
    pub(crate) fn pin(&mut self, device: usize, context: usize, size: usize, made: &Arc<Label>) -> u64 {
        // One page more, so that the block can start at a page.
        const PAGE: usize = 4096;
        let mut bytes = vec![FRESH; size + PAGE];
        let start = bytes.as_mut_ptr().expose_provenance();
        let base = start.next_multiple_of(PAGE) as u64;
        // Kept until the machine is reset: a late access then hits memory that is still there.
        self.insert(base, size, device, context, Origin::Pinned, made, Content::Owned(bytes));
        base
    }

    /// Notes memory of the program as registered.
    pub(crate) fn register(&mut self, address: usize, size: usize, device: usize, context: usize, made: &Arc<Label>) {
        self.insert(address as u64, size, device, context, Origin::Registered, made, Content::Borrowed);
    }

    /// Forgets registered memory.
    pub(crate) fn unregister(&mut self, base: u64) {
        self.regions.remove(&base);
    }

    #[allow(clippy::too_many_arguments)]
    fn insert(
        &mut self,
        base: u64,
        size: usize,
        device: usize,
        context: usize,
        origin: Origin,
        made: &Arc<Label>,
        content: Content,
    ) {
        let history = History::default();
        let region = Region {
            base,
            size,
            device,
            context,
            origin,
            made: made.clone(),
            state: State::Live,
            history,
            generation: 0,
            content,
        };
        self.regions.insert(base, region);
    }

    /// The block that holds an address, or did.
    pub(crate) fn at(&self, address: u64) -> Option<&Region> {
        let (_, region) = self.regions.range(..=address).next_back()?;
        (address - region.base < region.size.max(1) as u64).then_some(region)
    }

    /// The block that starts last before an address.
    pub(crate) fn before(&self, address: u64) -> Option<&Region> {
        self.regions.range(..=address).next_back().map(|(_, region)| region)
    }

    pub(crate) fn get(&self, base: u64) -> Option<&Region> {
        self.regions.get(&base)
    }

    pub(crate) fn get_mut(&mut self, base: u64) -> Option<&mut Region> {
        self.regions.get_mut(&base)
    }

    pub(crate) fn regions(&self) -> impl Iterator<Item = &Region> {
        self.regions.values()
    }

    /// Takes a block out, for work that needs it at hand.
    pub(crate) fn take(&mut self, base: u64) -> Option<Region> {
        self.regions.remove(&base)
    }

    /// Puts a block back that was taken out.
    pub(crate) fn put_back(&mut self, region: Region) {
        self.regions.insert(region.base, region);
    }

    /// Where a range lies.
    pub(crate) fn place(&self, address: u64, len: usize) -> Place {
        match self.at(address) {
            None => Place::Unknown,
            Some(region) if address - region.base + len as u64 <= region.size as u64 => Place::Inside(region.base),
            Some(region) => Place::Beyond(region.base),
        }
    }

    /// Gives a block of stream-ordered memory out again that was freed, or will be, by an operation
    /// for which `comes_before` holds: the driver does so without waiting for anything.
    pub(crate) fn reuse(
        &mut self,
        context: usize,
        size: usize,
        made: &Arc<Label>,
        comes_before: impl Fn(&Label) -> bool,
    ) -> Option<(u64, u32)> {
        let fits = |region: &&mut Region| {
            let freed = match &region.state {
                State::Freed(by) | State::Condemned(by) => comes_before(by),
                State::Live => false,
            };
            freed && region.origin == Origin::Pool && (region.context, region.size) == (context, size)
        };
        let region = self.regions.values_mut().rev().find(fits)?;
        if matches!(region.state, State::Freed(_)) {
            self.used[region.device] += size;
        }
        region.state = State::Live;
        region.made = made.clone();
        region.generation += 1;
        Some((region.base, region.generation))
    }

    /// A block that was given out begins: only now is the old content gone.
    pub(crate) fn begin(&mut self, base: u64) {
        if let Some(region) = self.regions.get_mut(&base).filter(|region| region.origin == Origin::Pool) {
            region.content = Content::Owned(vec![FRESH; region.size]);
        }
    }

    /// Ends a block in the order of a stream, unless it has been given out again since.
    pub(crate) fn end(&mut self, base: u64, generation: u32, by: &Arc<Label>) {
        match self.regions.get_mut(&base) {
            Some(region) if region.generation != generation => region.content = Content::Gone,
            _ => self.release(base, by),
        }
    }

    /// Ends a block: its content is gone, its history stays.
    pub(crate) fn release(&mut self, base: u64, by: &Arc<Label>) {
        if let Some(region) = self.regions.get_mut(&base) {
            region.state = State::Freed(by.clone());
            match (&mut region.content, region.origin.is_host()) {
                (Content::Owned(bytes), true) => bytes.fill(STALE),
                (content, _) => *content = Content::Gone,
            }
            if !region.origin.is_host() {
                self.used[region.device] -= region.size;
            }
        }
    }

    /// Bytes in use on a device, and bytes that there are.
    pub(crate) fn usage(&self, device: usize) -> (usize, usize) {
        (self.used[device], self.limit)
    }
}

impl Region {
    /// Offset of an address in it.
    pub(crate) fn offset(&self, address: u64) -> usize {
        usize::try_from(address - self.base).unwrap_or(usize::MAX)
    }

    fn host_address(&self) -> usize {
        usize::try_from(self.base).unwrap_or(0)
    }

    /// Reads bytes at an offset; the range is inside.
    #[inline]
    pub(crate) fn read(&self, offset: usize, out: &mut [u8]) {
        match &self.content {
            Content::Owned(bytes) if !self.origin.is_host() => out.copy_from_slice(&bytes[offset..offset + out.len()]),
            Content::Owned(_) | Content::Borrowed => {
                let source = std::ptr::with_exposed_provenance::<u8>(self.host_address() + offset);
                // SAFETY: the range is inside memory that this block owns, or that the program
                // registered and promised to keep; a concurrent access is the program's race.
                unsafe { std::ptr::copy(source, out.as_mut_ptr(), out.len()) };
            }
            Content::Gone => out.fill(STALE),
        }
    }

    /// Writes bytes at an offset; the range is inside.
    #[inline]
    pub(crate) fn write(&mut self, offset: usize, data: &[u8]) {
        let address = self.host_address();
        match &mut self.content {
            Content::Owned(bytes) if !self.origin.is_host() => bytes[offset..offset + data.len()].copy_from_slice(data),
            Content::Owned(_) | Content::Borrowed => {
                let target = std::ptr::with_exposed_provenance_mut::<u8>(address + offset);
                // SAFETY: as in `read`.
                unsafe { std::ptr::copy(data.as_ptr(), target, data.len()) };
            }
            Content::Gone => {}
        }
    }

    /// Whether the content is there.
    pub(crate) fn has_content(&self) -> bool {
        !matches!(self.content, Content::Gone) && !matches!(self.state, State::Freed(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label() -> Arc<Label> {
        Arc::new(Label::host("cuTest", 1))
    }

    #[test]
    fn addresses_are_not_used_again_and_have_gaps() {
        let mut memory = Memory::new(2, 1 << 20);
        let a = memory.allocate(0, 0, 512, Origin::Pool, &label()).unwrap();
        memory.release(a, &label());
        let b = memory.allocate(0, 0, 512, Origin::Pool, &label()).unwrap();
        assert!(b >= a + 1024 && a % GRAIN == 0 && b % GRAIN == 0);
        assert_eq!(memory.place(a + 512, 1), Place::Unknown);
        assert_eq!(memory.place(a + 100, 500), Place::Beyond(a));
        assert_eq!(memory.place(b + 511, 1), Place::Inside(b));
        assert_ne!(memory.allocate(1, 0, 8, Origin::Pool, &label()).unwrap() >> 46, b >> 46);
    }

    #[test]
    fn memory_runs_out_and_comes_back() {
        let mut memory = Memory::new(1, 1000);
        let a = memory.allocate(0, 0, 600, Origin::Device, &label()).unwrap();
        assert!(memory.allocate(0, 0, 600, Origin::Device, &label()).is_none());
        assert!(memory.allocate(0, 0, usize::MAX, Origin::Device, &label()).is_none());
        memory.release(a, &label());
        assert!(memory.allocate(0, 0, 600, Origin::Device, &label()).is_some());
    }

    #[test]
    fn fresh_and_freed_memory_is_poison() {
        let mut memory = Memory::new(1, 1 << 20);
        let a = memory.allocate(0, 0, 16, Origin::Device, &label()).unwrap();
        let mut out = [0; 4];
        memory.get(a).unwrap().read(3, &mut out);
        assert_eq!(out, [FRESH; 4]);
        memory.get_mut(a).unwrap().write(0, &[1, 2, 3, 4]);
        memory.release(a, &label());
        memory.get(a).unwrap().read(0, &mut out);
        assert_eq!(out, [STALE; 4]);
        assert!(!memory.get(a).unwrap().has_content());
    }

    #[test]
    fn pinned_memory_is_the_hosts_own() {
        let mut memory = Memory::new(1, 0);
        let base = memory.pin(0, 0, 100, &label());
        let pointer = std::ptr::with_exposed_provenance_mut::<u8>(usize::try_from(base).unwrap());
        // SAFETY: the block has 100 bytes.
        unsafe { pointer.write(42) };
        let mut out = [0];
        memory.get(base).unwrap().read(0, &mut out);
        assert_eq!(out, [42]);
    }
}
