//! Vector clocks: what comes before what, whatever the schedule.
//!
//! Every stream is an agent whose operations are numbered from 1; the host, all its threads
//! together, is agent 0. An operation's clock holds, for each agent, the number of that agent's
//! last operation that must come before it.

/// Index of a stream, or [`HOST`].
pub(crate) type Agent = usize;

/// All threads of the process. How they order themselves (locks, channels) can't be seen from here,
/// so their calls are taken as ordered in the sequence in which they were made.
pub(crate) const HOST: Agent = 0;

/// The last operation of each agent that comes before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Clock(Vec<u64>);

impl Clock {
    /// The last operation of `agent` that comes before; 0 is none.
    pub(crate) fn get(&self, agent: Agent) -> u64 {
        self.0.get(agent).copied().unwrap_or(0)
    }

    /// Notes that `agent`'s operations up to `number` come before.
    pub(crate) fn raise(&mut self, agent: Agent, number: u64) {
        if self.0.len() <= agent {
            self.0.resize(agent + 1, 0);
        }
        self.0[agent] = self.0[agent].max(number);
    }

    /// All that comes before the other comes before this, too.
    pub(crate) fn join(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// Whether operation `number` of `agent` comes before.
    pub(crate) fn covers(&self, agent: Agent, number: u64) -> bool {
        self.get(agent) >= number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn join_takes_the_later_of_each_agent() {
        let (mut a, mut b) = (Clock::default(), Clock::default());
        a.raise(1, 5);
        b.raise(3, 2);
        b.raise(1, 4);
        a.join(&b);
        assert_eq!((a.get(1), a.get(3), a.get(2), a.get(99)), (5, 2, 0, 0));
    }

    #[test]
    fn unordered_agents_cover_neither() {
        let (mut a, mut b) = (Clock::default(), Clock::default());
        a.raise(1, 1);
        b.raise(2, 1);
        assert!(!a.covers(2, 1) && !b.covers(1, 1) && a.covers(1, 1));
    }

    #[test]
    fn raise_never_lowers() {
        let mut clock = Clock::default();
        clock.raise(1, 7);
        clock.raise(1, 3);
        assert!(clock.covers(1, 7) && !clock.covers(1, 8));
    }
}
