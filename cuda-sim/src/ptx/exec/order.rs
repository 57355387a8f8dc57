//! Orders that a seed gives.

/// A stream of numbers from a seed (splitmix64).
#[derive(Clone, Copy, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is small.
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.next() as u32) * u64::from(bound)) >> 32) as u32
    }

    /// Puts the items in another order.
    pub(super) fn shuffle(&mut self, items: &mut [u32]) {
        for last in (1..items.len()).rev() {
            let bound = u32::try_from(last + 1).unwrap_or(u32::MAX);
            items.swap(last, self.below(bound) as usize);
        }
    }
}

/// The numbers below a bound in another order, without a list of them: a Feistel network on as many bits as they take,
/// walked until the result is in range.
#[derive(Clone, Copy, Debug)]
pub(super) struct Permutation {
    count: u64,
    /// Bits of each half.
    half: u32,
    seed: u64,
}

impl Permutation {
    pub(super) fn new(count: u64, seed: u64) -> Permutation {
        let bits = u64::BITS - count.saturating_sub(1).leading_zeros();
        Permutation { count, half: bits.div_ceil(2).max(1), seed }
    }

    /// The number at a place. With seed 0 the place itself.
    pub(super) fn at(&self, place: u64) -> u64 {
        if self.seed == 0 {
            return place;
        }
        let mut value = place;
        loop {
            value = self.mix(value);
            if value < self.count {
                return value;
            }
        }
    }

    fn mix(&self, value: u64) -> u64 {
        let mask = (1 << self.half) - 1;
        let (mut left, mut right) = (value >> self.half, value & mask);
        for round in 0..4_u64 {
            let key = self.seed ^ (round << 60) ^ right;
            (left, right) = (right, left ^ (Random::new(key).next() & mask));
        }
        (left << self.half) | right
    }
}
