//! Who accessed which bytes, and whether two accesses had an order.
//!
//! Work is executed in an order that respects the order of the program, so an access that comes
//! later here is never one that had to come before. It is enough to ask whether the earlier one is
//! covered by the clock of the later one.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::clock::{Agent, Clock};
use crate::report::Label;

/// One access: whose, and which of its operations.
#[derive(Clone, Debug)]
pub(crate) struct Stamp {
    pub(crate) agent: Agent,
    pub(crate) number: u64,
    pub(crate) label: Arc<Label>,
}

impl PartialEq for Stamp {
    fn eq(&self, other: &Self) -> bool {
        (self.agent, self.number) == (other.agent, other.number)
    }
}

/// How bytes are accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    /// Also allocating and freeing, which nobody else may do anything beside.
    Write,
    /// One indivisible step: races with reads and writes, not with its own kind.
    Atomic,
}

impl Access {
    fn conflicts(self, other: Self) -> bool {
        self == Self::Write || other == Self::Write || self != other
    }
}

/// The last write of some bytes, and what came since then: reads and atomics that are not known to
/// precede each other.
#[derive(Clone, Debug, PartialEq)]
struct Segment {
    end: usize,
    write: Option<Stamp>,
    since: Vec<(Access, Stamp)>,
}

/// Two accesses without an order.
#[derive(Clone, Debug)]
pub(crate) struct Conflict {
    pub(crate) earlier: Stamp,
    pub(crate) earlier_access: Access,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The accesses of one block of memory, by byte ranges from its start.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    segments: BTreeMap<usize, Segment>,
}

impl History {
    /// Notes an access of `start..end`; gives the first conflict with each earlier operation.
    pub(crate) fn access(
        &mut self,
        start: usize,
        end: usize,
        access: Access,
        stamp: &Stamp,
        clock: &Clock,
    ) -> Vec<Conflict> {
        let mut conflicts: Vec<Conflict> = Vec::new();
        if start >= end {
            return conflicts;
        }
        self.split(start);
        self.split(end);
        let mut at = start;
        let mut gaps = Vec::new();
        for (&from, segment) in self.segments.range_mut(start..end) {
            if at < from {
                gaps.push((at, from));
            }
            at = segment.end;
            let unordered = |earlier: &&Stamp| !clock.covers(earlier.agent, earlier.number) && *earlier != stamp;
            let since = segment
                .since
                .iter()
                .filter(|(other, _)| access.conflicts(*other))
                .map(|(other, stamp)| (stamp, *other));
            for (earlier, earlier_access) in segment.write.iter().map(|stamp| (stamp, Access::Write)).chain(since) {
                let known = conflicts.iter().any(|c| c.earlier == *earlier && c.earlier_access == earlier_access);
                if unordered(&earlier) && !known {
                    conflicts.push(Conflict {
                        earlier: earlier.clone(),
                        earlier_access,
                        start: from,
                        end: segment.end,
                    });
                }
            }
            if access == Access::Write {
                segment.write = Some(stamp.clone());
                segment.since.clear();
            } else {
                // What is replaced comes before this access, and so before all that comes after it.
                let replaced = |other: Access, earlier: &Stamp| {
                    other == access && (earlier == stamp || clock.covers(earlier.agent, earlier.number))
                };
                segment.since.retain(|(other, earlier)| !replaced(*other, earlier));
                segment.since.push((access, stamp.clone()));
            }
        }
        if at < end {
            gaps.push((at, end));
        }
        for (from, to) in gaps {
            let (write, since) = match access {
                Access::Write => (Some(stamp.clone()), Vec::new()),
                Access::Read | Access::Atomic => (None, vec![(access, stamp.clone())]),
            };
            self.segments.insert(from, Segment { end: to, write, since });
        }
        self.merge(start, end);
        conflicts
    }

    /// Makes `at` the start of a segment, if it is inside one.
    fn split(&mut self, at: usize) {
        let Some((&from, segment)) = self.segments.range_mut(..at).next_back() else { return };
        if from < at && at < segment.end {
            let mut rest = segment.clone();
            segment.end = at;
            rest.end = rest.end.max(at);
            self.segments.insert(at, rest);
        }
    }

    /// Joins neighbours in `start..=end` that were accessed by the same operations.
    fn merge(&mut self, start: usize, end: usize) {
        let first = self.segments.range(..start).next_back().map_or(start, |(&from, _)| from);
        let starts: Vec<usize> = self.segments.range(first..=end).map(|(&from, _)| from).collect();
        let mut current = match starts.first() {
            Some(&first) => first,
            None => return,
        };
        for &next in &starts[1..] {
            let (Some(left), Some(right)) = (self.segments.get(&current), self.segments.get(&next)) else { return };
            if left.end == next && left.write == right.write && left.since == right.since {
                let end = right.end;
                self.segments.remove(&next);
                if let Some(left) = self.segments.get_mut(&current) {
                    left.end = end;
                }
            } else {
                current = next;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamp(agent: Agent, number: u64) -> Stamp {
        Stamp { agent, number, label: Arc::new(Label::host("cuTest", number)) }
    }

    fn clock(known: &[(Agent, u64)]) -> Clock {
        let mut clock = Clock::default();
        known.iter().for_each(|&(agent, number)| clock.raise(agent, number));
        clock
    }

    #[test]
    fn unordered_write_and_read_of_overlapping_bytes_conflict() {
        let mut history = History::default();
        assert!(history.access(0, 100, Access::Write, &stamp(1, 1), &clock(&[])).is_empty());
        let conflicts = history.access(90, 110, Access::Read, &stamp(2, 1), &clock(&[]));
        assert_eq!(conflicts.len(), 1);
        assert_eq!((conflicts[0].start, conflicts[0].end, conflicts[0].earlier.agent), (90, 100, 1));
    }

    #[test]
    fn neighbouring_bytes_do_not_conflict() {
        let mut history = History::default();
        history.access(0, 100, Access::Write, &stamp(1, 1), &clock(&[]));
        assert!(history.access(100, 200, Access::Write, &stamp(2, 1), &clock(&[])).is_empty());
    }

    #[test]
    fn order_removes_the_conflict() {
        let mut history = History::default();
        history.access(0, 8, Access::Write, &stamp(1, 5), &clock(&[]));
        assert!(history.access(0, 8, Access::Read, &stamp(2, 1), &clock(&[(1, 5)])).is_empty());
        assert_eq!(history.access(0, 8, Access::Read, &stamp(3, 1), &clock(&[(1, 4)])).len(), 1);
    }

    #[test]
    fn reads_do_not_conflict_and_a_write_conflicts_with_all_of_them() {
        let mut history = History::default();
        for agent in 1..5 {
            assert!(history.access(0, 8, Access::Read, &stamp(agent, 1), &clock(&[])).is_empty());
        }
        let conflicts = history.access(0, 8, Access::Write, &stamp(5, 1), &clock(&[(2, 1)]));
        let agents: Vec<Agent> = conflicts.iter().map(|c| c.earlier.agent).collect();
        assert_eq!(agents, [1, 3, 4]);
    }

    #[test]
    fn atomics_race_with_plain_accesses_only() {
        let mut history = History::default();
        assert!(history.access(0, 8, Access::Atomic, &stamp(1, 1), &clock(&[])).is_empty());
        assert!(history.access(0, 8, Access::Atomic, &stamp(2, 1), &clock(&[])).is_empty());
        assert_eq!(history.access(0, 8, Access::Read, &stamp(3, 1), &clock(&[])).len(), 2);
        assert_eq!(history.access(0, 8, Access::Write, &stamp(4, 1), &clock(&[(1, 1)])).len(), 2);
    }

    #[test]
    fn equal_neighbours_are_joined() {
        let mut history = History::default();
        for i in 0..1000 {
            history.access(i * 4, i * 4 + 4, Access::Write, &stamp(1, 1), &clock(&[]));
        }
        assert_eq!(history.segments.len(), 1);
        history.access(16, 20, Access::Read, &stamp(1, 2), &clock(&[(1, 1)]));
        assert_eq!(history.segments.len(), 3);
    }

    /// Against a model that keeps every access of every byte.
    #[test]
    fn random_accesses_agree_with_a_byte_by_byte_model() {
        let mut rng = crate::rng::Rng::new(3);
        for _ in 0..300 {
            let mut history = History::default();
            let mut model: Vec<Vec<(Agent, u64, Access)>> = vec![Vec::new(); 24];
            let mut numbers = [0_u64; 4];
            let mut clocks = vec![Clock::default(); 4];
            for _ in 0..30 {
                let agent = rng.below(3) + 1;
                if rng.one_in(3) {
                    let other = clocks[rng.below(3) + 1].clone();
                    clocks[agent].join(&other);
                }
                let (start, access) = (rng.below(20), [Access::Read, Access::Write, Access::Atomic][rng.below(3)]);
                let end = start + 1 + rng.below(4);
                numbers[agent] += 1;
                let conflicts = history.access(start, end, access, &stamp(agent, numbers[agent]), &clocks[agent]);
                let mut wanted = false;
                for byte in &mut model[start..end] {
                    wanted |= byte.iter().any(|&(other, number, before)| {
                        access.conflicts(before) && !clocks[agent].covers(other, number)
                    });
                    byte.push((agent, numbers[agent], access));
                }
                // The history keeps the last write only; what it forgets was a conflict when it was replaced.
                assert!(!(!conflicts.is_empty() && !wanted), "a conflict that is none");
                if wanted && conflicts.is_empty() {
                    let raced = model[start..end].iter().any(|byte| {
                        byte.iter().enumerate().any(|(i, a)| byte[..i].iter().any(|b| a.2.conflicts(b.2) && a.0 != b.0))
                    });
                    assert!(raced);
                }
                clocks[agent].raise(agent, numbers[agent]);
            }
        }
    }
}
