//! Races: who touched each byte last, and whether that came before.
//!
//! Every access is stamped with its thread and that thread's clock, which goes on at barriers. An access comes before
//! another if it is of the same thread, or of one whose clock at that time the other thread has learnt of at a barrier.
//! A byte keeps its last plain write and as many of the reads and atomic accesses since as it takes to find every race
//! with a later write: two, if barriers are for whole blocks. For if two of them are of different blocks, each later
//! write races with one of them; and if all unordered ones are of one block, a write of another block races with any of
//! them, and one of the same block that is not yet past the next barrier races with one of any two. Barriers of parts
//! of a block are rarer; then all are kept.
//!
//! Cells are words of four bytes; a page that is touched in smaller pieces gets one for each byte.

use std::collections::HashMap;

use super::fault::Touch;

const PAGE: u64 = 4096;
const WORD: u64 = 4;
const CACHE: usize = 64;
/// In a stamp's place: the access was atomic.
const ATOMIC: u32 = 1 << 31;

/// One access: whose, when, where in the code. A clock of 0 means none.
#[derive(Clone, Copy, Debug, Default)]
struct Stamp {
    thread: u32,
    clock: u32,
    pc: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    write: Stamp,
    first: Stamp,
    second: Stamp,
}

#[derive(Debug)]
struct Page {
    cells: Vec<Cell>,
    /// A cell for each byte, instead of each word.
    fine: bool,
}

/// The thread that makes an access, and what it knows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Actor<'a> {
    /// Its number in the grid.
    pub(crate) thread: u32,
    /// The number of its block's first thread.
    pub(crate) first: u32,
    /// Its clock.
    pub(crate) clock: u32,
    /// For each thread of the block, the clock before which everything it did came before.
    pub(crate) known: &'a [u32],
}

impl Actor<'_> {
    fn knows(&self, stamp: Stamp) -> bool {
        if stamp.clock == 0 || stamp.thread == self.thread {
            return true;
        }
        let index = stamp.thread.wrapping_sub(self.first) as usize;
        self.known.get(index).is_some_and(|&known| stamp.clock < known)
    }
}

/// The earlier access of a race.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conflict {
    pub(crate) address: u64,
    pub(crate) thread: u32,
    pub(crate) pc: u32,
    pub(crate) touch: Touch,
}

/// The cells of a memory.
#[derive(Debug)]
pub(crate) struct Shadow {
    pages: Vec<Page>,
    spare: Vec<Page>,
    index: HashMap<u64, usize>,
    cache: [(u64, usize); CACHE],
    threads_per_block: u32,
    /// Accesses that have no room in their cell, by thread of the block; only with barriers of parts of it.
    more: HashMap<u64, Vec<Stamp>>,
    partial_order: bool,
}

impl Shadow {
    pub(crate) fn new(threads_per_block: u32, partial_order: bool) -> Shadow {
        Shadow {
            pages: Vec::new(),
            spare: Vec::new(),
            index: HashMap::new(),
            cache: [(u64::MAX, 0); CACHE],
            threads_per_block,
            more: HashMap::new(),
            partial_order,
        }
    }

    /// Forgets everything, and keeps the room.
    pub(crate) fn clear(&mut self) {
        self.spare.append(&mut self.pages);
        self.index.clear();
        self.cache = [(u64::MAX, 0); CACHE];
        self.more.clear();
    }

    /// Notes an access to `size` bytes that don't cross a page, and gives the earlier one that it races with.
    pub(crate) fn touch(
        &mut self,
        address: u64,
        size: u32,
        touch: Touch,
        actor: &Actor<'_>,
        pc: u32,
    ) -> Option<Conflict> {
        let index = self.page(address / PAGE);
        let whole = (address | u64::from(size)) % WORD == 0;
        if !whole && !self.pages[index].fine {
            self.split(index);
        }
        let page_start = address - address % PAGE;
        let fine = self.pages[index].fine;
        let unit = if fine { 1 } else { WORD };
        let start = ((address % PAGE) / unit) as usize;
        let count = (u64::from(size) / unit) as usize;
        for place in start..start + count {
            let at = page_start + place as u64 * unit;
            let cell = &mut self.pages[index].cells[place];
            let found = if touch == Touch::Write {
                write(cell, actor, pc)
                    .or_else(|| if self.more.is_empty() { None } else { kept(self.more.remove(&at), actor) })
            } else {
                let stamp = Stamp { thread: actor.thread, clock: actor.clock, pc };
                let stamp = if touch == Touch::Atomic { Stamp { pc: pc | ATOMIC, ..stamp } } else { stamp };
                if actor.knows(cell.write) {
                    if !note(cell, stamp, actor, self.threads_per_block, self.partial_order) {
                        self.spill(at, stamp, actor);
                    }
                    None
                } else {
                    Some((cell.write, Touch::Write))
                }
            };
            if let Some((stamp, touch)) = found {
                return Some(Conflict { address: at, thread: stamp.thread, pc: stamp.pc & !ATOMIC, touch });
            }
        }
        None
    }

    fn spill(&mut self, at: u64, stamp: Stamp, actor: &Actor<'_>) {
        let stamps = self.more.entry(at).or_default();
        stamps.resize(actor.known.len(), Stamp::default());
        if let Some(place) = stamps.get_mut((actor.thread - actor.first) as usize) {
            *place = stamp;
        }
    }

    fn page(&mut self, number: u64) -> usize {
        let (cached, index) = self.cache[(number as usize) % CACHE];
        if cached == number {
            return index;
        }
        let index = match self.index.get(&number) {
            Some(&index) => index,
            None => {
                let page = match self.spare.pop() {
                    Some(mut page) => {
                        page.cells.clear();
                        page.cells.resize((PAGE / WORD) as usize, Cell::default());
                        Page { cells: page.cells, fine: false }
                    }
                    None => Page { cells: vec![Cell::default(); (PAGE / WORD) as usize], fine: false },
                };
                self.pages.push(page);
                self.index.insert(number, self.pages.len() - 1);
                self.pages.len() - 1
            }
        };
        self.cache[(number as usize) % CACHE] = (number, index);
        index
    }

    /// Gives each byte of a page its own cell.
    fn split(&mut self, index: usize) {
        let page = &mut self.pages[index];
        page.cells = page.cells.iter().flat_map(|cell| [*cell; WORD as usize]).collect();
        page.fine = true;
        if self.more.is_empty() {
            return;
        }
        let Some((&number, _)) = self.index.iter().find(|&(_, &at)| at == index) else { return };
        let words = self.more.keys().copied().filter(|at| at / PAGE == number).collect::<Vec<_>>();
        for at in words {
            if let Some(stamps) = self.more.get(&at).cloned() {
                for byte in 1..WORD {
                    self.more.insert(at + byte, stamps.clone());
                }
            }
        }
    }
}

/// A plain write: it must come after everything. After it, what was before does not matter.
fn write(cell: &mut Cell, actor: &Actor<'_>, pc: u32) -> Option<(Stamp, Touch)> {
    if !actor.knows(cell.write) {
        return Some((cell.write, Touch::Write));
    }
    for stamp in [cell.first, cell.second] {
        if !actor.knows(stamp) {
            return Some((stamp, touch_of(stamp)));
        }
    }
    *cell = Cell { write: Stamp { thread: actor.thread, clock: actor.clock, pc }, ..Cell::default() };
    None
}

fn kept(stamps: Option<Vec<Stamp>>, actor: &Actor<'_>) -> Option<(Stamp, Touch)> {
    let stamp = stamps?.into_iter().find(|stamp| !actor.knows(*stamp))?;
    Some((stamp, touch_of(stamp)))
}

fn touch_of(stamp: Stamp) -> Touch {
    if stamp.pc & ATOMIC == 0 { Touch::Read } else { Touch::Atomic }
}

/// Notes a read or an atomic access. False if there is no room for it.
fn note(cell: &mut Cell, stamp: Stamp, actor: &Actor<'_>, threads_per_block: u32, partial_order: bool) -> bool {
    // What comes before this access, comes before whatever this one comes before.
    if actor.knows(cell.first) {
        cell.first = stamp;
        return true;
    }
    if actor.knows(cell.second) {
        cell.second = stamp;
        return true;
    }
    let block = |stamp: Stamp| stamp.thread / threads_per_block;
    if block(cell.first) != block(cell.second) {
        return true;
    }
    if block(stamp) != block(cell.first) {
        cell.second = stamp;
        return true;
    }
    !partial_order
}
