//! The shadow memory against an oracle that keeps every access and compares all pairs.

use super::super::fault::Touch;
use super::super::shadow::{Actor, Shadow};

const THREADS: usize = 4;
const BLOCKS: usize = 2;
const ALL: usize = THREADS * BLOCKS;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }
}

struct Access {
    thread: usize,
    clock: u32,
    bytes: std::ops::Range<u64>,
    touch: Touch,
}

/// Threads with their clocks, and what they know of the others of their block.
struct World {
    clocks: [u32; ALL],
    known: [[u32; THREADS]; ALL],
    accesses: Vec<Access>,
}

impl World {
    fn barrier(&mut self, members: &[usize]) {
        let mut known = [0; THREADS];
        for &member in members {
            for (known, other) in known.iter_mut().zip(self.known[member]) {
                *known = other.max(*known);
            }
        }
        for &member in members {
            self.clocks[member] += 1;
            known[member % THREADS] = self.clocks[member];
        }
        for &member in members {
            self.known[member] = known;
        }
    }

    fn before(&self, access: &Access, thread: usize) -> bool {
        let same_block = access.thread / THREADS == thread / THREADS;
        access.thread == thread || same_block && access.clock < self.known[thread][access.thread % THREADS]
    }

    /// Whether the access races with any earlier one.
    fn races(&mut self, thread: usize, bytes: std::ops::Range<u64>, touch: Touch) -> bool {
        let races = self.accesses.iter().any(|earlier| {
            let overlap = earlier.bytes.start < bytes.end && bytes.start < earlier.bytes.end;
            let write = earlier.touch == Touch::Write || touch == Touch::Write;
            overlap && write && !self.before(earlier, thread)
        });
        self.accesses.push(Access { thread, clock: self.clocks[thread], bytes, touch });
        races
    }
}

/// Runs a random program until its first race; the number of accesses until then.
fn compare(seed: u64, partial: bool, write_one_in: usize) -> usize {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut shadow = Shadow::new(THREADS as u32, partial);
    let mut world = World { clocks: [1; ALL], known: [[0; THREADS]; ALL], accesses: Vec::new() };
    for step in 0..120 {
        if random.below(6) == 0 {
            let first = random.below(BLOCKS) * THREADS;
            let members = (first..first + THREADS).filter(|_| !partial || random.below(3) > 0);
            let members = members.collect::<Vec<_>>();
            world.barrier(&members);
            continue;
        }
        let thread = random.below(ALL);
        let size = [1, 2, 4, 4, 8][random.below(5)];
        let start = 4080 + random.below(16 / size) as u64 * size as u64 + random.below(2) as u64 * 4096;
        let touch = match random.below(write_one_in) {
            0 => Touch::Write,
            1 => Touch::Atomic,
            _ => Touch::Read,
        };
        let expected = world.races(thread, start..start + size as u64, touch);
        let actor = Actor {
            thread: thread as u32,
            first: (thread / THREADS * THREADS) as u32,
            clock: world.clocks[thread],
            known: &world.known[thread],
        };
        let found = shadow.touch(start, size as u32, touch, &actor, step);
        assert_eq!(found.is_some(), expected, "seed {seed}, step {step}: {touch:?} of {thread} at {start}+{size}");
        if let Some(conflict) = found {
            // What is named is an access of that kind by that thread, to that byte, and not before this one.
            let named = world.accesses.iter().any(|access| {
                access.thread == conflict.thread as usize
                    && access.touch == conflict.touch
                    && access.bytes.start < conflict.address + 4
                    && conflict.address < access.bytes.end
                    && !world.before(access, thread)
            });
            assert!(named, "seed {seed}: {conflict:?}");
            return step as usize;
        }
    }
    120
}

#[test]
fn races_with_whole_barriers_are_those_of_the_oracle() {
    let lengths = (0..2_000).map(|seed| compare(seed, false, 3 + seed as usize % 30));
    assert!(lengths.filter(|length| *length > 15).count() > 300);
}

#[test]
fn races_with_barriers_of_some_threads_are_those_of_the_oracle() {
    let lengths = (0..2_000).map(|seed| compare(seed, true, 3 + seed as usize % 30));
    assert!(lengths.filter(|length| *length > 15).count() > 300);
}
