//! The use record as a pure value: who used a resource since the last known point of order, and
//! whom the next user has to wait for. No CUDA here.
//!
//! The rules, for streams compared by an id of our own:
//! - at most one write entry; every read entry is already ordered after it;
//! - a read waits for the write of another stream, once per stream;
//! - a write waits for every entry of another stream; then it is the only entry.
//!
//! An entry stands for *the tail of its stream when somebody waits for it*, a superset of the use
//! itself. That is why a repeated use on the same stream changes nothing, and why a write entry
//! stands for later reads of the same stream too: it is never skipped because of newer reads.

use smallvec::SmallVec;

/// How a resource is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Content is read.
    Read,
    /// Content is written, or freed.
    Write,
}

/// One stream's uses. `H` is what is needed to wait for them.
#[derive(Clone, Debug)]
pub(crate) struct Entry<H> {
    pub(crate) stream: u64,
    pub(crate) access: Access,
    pub(crate) handle: H,
}

/// Entries, up to four of them inline.
pub(crate) type Entries<H> = SmallVec<[Entry<H>; 4]>;

/// The uses since the last point of order.
#[derive(Clone, Debug)]
pub(crate) struct Uses<H> {
    entries: Entries<H>,
}

impl<H> Uses<H> {
    pub(crate) fn new() -> Self {
        Self { entries: SmallVec::new() }
    }

    pub(crate) fn entries(&self) -> &[Entry<H>] {
        &self.entries
    }

    pub(crate) fn entry_mut(&mut self, stream: u64) -> Option<&mut Entry<H>> {
        self.entries.iter_mut().find(|e| e.stream == stream)
    }

    /// The entries that an access by `stream` must be ordered after first.
    pub(crate) fn conflicts(&self, stream: u64, access: Access) -> impl Iterator<Item = &Entry<H>> {
        let known = self.entries.iter().any(|e| e.stream == stream);
        self.entries.iter().filter(move |e| {
            e.stream != stream
                && match access {
                    Access::Read => !known && e.access == Access::Write,
                    Access::Write => true,
                }
        })
    }

    /// Notes an access by `stream` that has been ordered after all its conflicts. Gives the entries
    /// that it makes pointless: dropping them may run foreign code, so not under a lock.
    #[must_use]
    pub(crate) fn note(&mut self, stream: u64, access: Access, handle: H) -> Entries<H> {
        match access {
            Access::Read if self.entries.iter().any(|e| e.stream == stream) => SmallVec::new(),
            Access::Read => {
                self.entries.push(Entry { stream, access, handle });
                SmallVec::new()
            }
            Access::Write => {
                let old = std::mem::take(&mut self.entries);
                self.entries.push(Entry { stream, access, handle });
                old
            }
        }
    }

    /// Takes out the entries whose work is known to be done.
    #[must_use]
    pub(crate) fn take_done(&mut self, mut is_done: impl FnMut(&Entry<H>) -> bool) -> Entries<H> {
        let (done, pending) = std::mem::take(&mut self.entries).into_iter().partition(|entry| is_done(entry));
        self.entries = pending;
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(uses: &Uses<()>, stream: u64, access: Access) -> Vec<u64> {
        uses.conflicts(stream, access).map(|e| e.stream).collect()
    }

    fn used(list: &[(u64, Access)]) -> Uses<()> {
        let mut uses = Uses::new();
        for &(stream, access) in list {
            let _ = uses.note(stream, access, ());
        }
        uses
    }

    use Access::{Read, Write};

    #[test]
    fn same_stream_never_waits() {
        for list in [&[(1, Write)][..], &[(1, Read)], &[(1, Write), (1, Read)]] {
            assert!(waits(&used(list), 1, Read).is_empty());
            assert!(waits(&used(list), 1, Write).is_empty());
        }
    }

    #[test]
    fn read_after_write_waits_once_per_stream() {
        let mut uses = used(&[(1, Write)]);
        assert_eq!(waits(&uses, 2, Read), [1]);
        let _ = uses.note(2, Read, ());
        assert!(waits(&uses, 2, Read).is_empty());
        assert_eq!(waits(&uses, 3, Read), [1], "a second reader waits for the writer too");
    }

    #[test]
    fn write_waits_for_every_reader() {
        let uses = used(&[(1, Write), (2, Read), (3, Read)]);
        assert_eq!(waits(&uses, 1, Write), [2, 3], "two readers: neither is lost");
        assert_eq!(waits(&uses, 4, Write), [1, 2, 3]);
        assert_eq!(waits(&uses, 2, Write), [1, 3]);
    }

    #[test]
    fn write_waits_for_reads_that_the_write_entry_stands_for() {
        // Stream 1 reads again after its write, which leaves no entry of its own.
        let uses = used(&[(1, Write), (2, Read), (1, Read)]);
        assert_eq!(waits(&uses, 2, Write), [1]);
    }

    #[test]
    fn write_replaces_all_entries() {
        let uses = used(&[(1, Write), (2, Read), (3, Write)]);
        assert_eq!(uses.entries().len(), 1);
        assert_eq!(waits(&uses, 1, Read), [3]);
    }

    #[test]
    fn readers_do_not_wait_for_readers() {
        let uses = used(&[(1, Read), (2, Read)]);
        assert!(waits(&uses, 3, Read).is_empty());
        assert_eq!(waits(&uses, 3, Write), [1, 2]);
    }

    /// All short histories, against a model that keeps every pair of ordered operations.
    #[test]
    fn every_history_of_five_orders_every_conflict() {
        let steps: Vec<(u64, Access)> = (1..=3).flat_map(|s| [(s, Read), (s, Write)]).collect();
        let total = steps.len().pow(5);
        for mut n in 0..total {
            let mut uses = Uses::new();
            let mut done: Vec<(u64, Access)> = Vec::new();
            // ordered[a] holds the operations that stream a's next operation comes after.
            let mut ordered = [const { Vec::<usize>::new() }; 4];
            for _ in 0..5 {
                let (stream, access) = steps[n % steps.len()];
                n /= steps.len();
                let s = usize::try_from(stream).unwrap();
                for other in waits(&uses, stream, access) {
                    let from = ordered[usize::try_from(other).unwrap()].clone();
                    ordered[s].extend(from);
                }
                for (i, &(who, what)) in done.iter().enumerate() {
                    let conflict = what == Write || access == Write;
                    assert!(
                        !conflict || who == stream || ordered[s].contains(&i),
                        "{done:?} then {stream} {access:?}: {i} not ordered"
                    );
                }
                let _ = uses.note(stream, access, ());
                ordered[s].push(done.len());
                done.push((stream, access));
            }
        }
    }
}
