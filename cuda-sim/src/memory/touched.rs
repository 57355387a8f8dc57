//! The bytes that a kernel touched, as a set that is cheap to add to.

/// Bytes of a page of the set.
const PAGE: usize = 4096;
const WORDS: usize = PAGE / 64;

/// A set of offsets into one block of memory.
#[derive(Debug, Default)]
pub(crate) struct Touched {
    pages: Vec<Option<Box<[u64; WORDS]>>>,
}

impl Touched {
    /// Adds `start..start + len`.
    #[inline]
    pub(crate) fn add(&mut self, start: usize, len: usize) {
        let (word, bit) = (start / 64, start % 64);
        if bit + len <= 64 {
            let mask = if len == 64 { u64::MAX } else { ((1 << len) - 1) << bit };
            self.page(start / PAGE)[word % WORDS] |= mask;
        } else {
            self.add_long(start, len);
        }
    }

    #[cold]
    fn add_long(&mut self, mut start: usize, mut len: usize) {
        while len > 0 {
            let part = len.min(64 - start % 64);
            self.add(start, part);
            start += part;
            len -= part;
        }
    }

    #[inline]
    fn page(&mut self, page: usize) -> &mut [u64; WORDS] {
        if self.pages.len() <= page {
            self.pages.resize_with(page + 1, || None);
        }
        self.pages[page].get_or_insert_with(|| Box::new([0; WORDS]))
    }

    /// The ranges of the set, in order, none touching another.
    pub(crate) fn ranges(&self) -> Vec<(usize, usize)> {
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        let mut add = |start: usize, end: usize| match ranges.last_mut() {
            Some(last) if last.1 == start => last.1 = end,
            _ => ranges.push((start, end)),
        };
        for (number, page) in self.pages.iter().enumerate() {
            let Some(words) = page else { continue };
            for (i, &word) in words.iter().enumerate() {
                let base = number * PAGE + i * 64;
                if word == u64::MAX {
                    add(base, base + 64);
                    continue;
                }
                let mut rest = word;
                while rest != 0 {
                    let from = rest.trailing_zeros() as usize;
                    let run = (rest >> from).trailing_ones() as usize;
                    add(base + from, base + from + run);
                    rest &= !(((1_u64 << run) - 1) << from);
                }
            }
        }
        ranges
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scattered_words_join_to_ranges() {
        let mut touched = Touched::default();
        for i in (0..5000).rev() {
            touched.add(8 + i * 4, 4);
        }
        touched.add(30_000, 1);
        touched.add(30_002, 2);
        assert_eq!(touched.ranges(), [(8, 20_008), (30_000, 30_001), (30_002, 30_004)]);
    }

    #[test]
    fn accesses_across_words_and_pages_are_whole() {
        let mut touched = Touched::default();
        touched.add(60, 8);
        touched.add(PAGE - 3, 6);
        touched.add(3 * PAGE, 200);
        assert_eq!(touched.ranges(), [(60, 68), (PAGE - 3, PAGE + 3), (3 * PAGE, 3 * PAGE + 200)]);
    }

    #[test]
    fn random_sets_agree_with_a_list_of_bytes() {
        let mut rng = crate::rng::Rng::new(9);
        for _ in 0..100 {
            let (mut touched, mut model) = (Touched::default(), vec![false; 9000]);
            for _ in 0..50 {
                let (start, len) = (rng.below(8800), rng.below(130) + 1);
                touched.add(start, len);
                model[start..start + len].iter_mut().for_each(|byte| *byte = true);
            }
            let mut got = vec![false; 9000];
            for (start, end) in touched.ranges() {
                got[start..end].iter_mut().for_each(|byte| *byte = true);
            }
            assert!(got == model);
        }
    }
}
