//! Barriers of a block: who waits, who may go on, and what they then know of each other.

use std::rc::Rc;

use super::super::code::{BarrierKind, Reduce};
use super::super::fault::{Fault, FaultKind};
use super::block::{Arrival, Block, State};
use super::{Grid, Halt};

impl Block {
    /// Lets the threads of complete barriers go on; true if there were any, or threads that only arrived.
    pub(super) fn resolve_barriers(&mut self, grid: &Grid<'_>) -> Result<bool, Box<Fault>> {
        let mut progress = self.take_arrivals(grid);
        let mut waiting: [Vec<usize>; 16] = std::array::from_fn(|_| Vec::new());
        for (thread, data) in self.threads.iter().enumerate() {
            if let State::Barrier { id, .. } = data.state {
                match waiting.get_mut(id as usize) {
                    Some(threads) => threads.push(thread),
                    None => {
                        let reason = format!("barrier {id}: there are 16").into();
                        let halt = Halt::new(FaultKind::Unsupported { message: reason });
                        return Err(grid.fault(self, thread, data.pc.saturating_sub(1), *halt));
                    }
                }
            }
        }
        for (id, threads) in waiting.iter().enumerate() {
            let Some(&first) = threads.first() else { continue };
            let State::Barrier { count, .. } = self.threads[first].state else { continue };
            let everyone = match count {
                0 if grid.launch.ended_threads_pass_barriers => {
                    self.threads.iter().filter(|thread| thread.state != State::Ended).count()
                }
                0 => self.threads.len(),
                _ => count as usize,
            };
            if threads.len() + self.arrivals[id].len() >= everyone {
                self.check_aligned(grid, threads)?;
                self.release(grid, id, threads);
                progress = true;
            }
        }
        Ok(progress)
    }

    /// Lets the threads that arrive without waiting go on.
    fn take_arrivals(&mut self, grid: &Grid<'_>) -> bool {
        let mut any = false;
        for thread in 0..self.threads.len() {
            let State::Barrier { barrier, id, .. } = self.threads[thread].state else { continue };
            if !matches!(grid.code.barriers[barrier as usize].kind, BarrierKind::Arrive) {
                continue;
            }
            let Some(arrivals) = self.arrivals.get_mut(id as usize) else { continue };
            self.clocks[thread] += 1;
            let known = Rc::clone(&self.known[thread]);
            arrivals.push(Arrival { thread, clock: self.clocks[thread], known });
            self.threads[thread].state = State::Ready;
            any = true;
        }
        any
    }

    /// An aligned barrier must be the same instruction for all threads of a warp.
    fn check_aligned(&self, grid: &Grid<'_>, threads: &[usize]) -> Result<(), Box<Fault>> {
        for pair in threads.windows(2) {
            let [a, b] = [pair[0], pair[1]];
            let (pc, other) = (self.threads[a].pc, self.threads[b].pc);
            if a / 32 != b / 32 || pc == other {
                continue;
            }
            let State::Barrier { barrier, .. } = self.threads[a].state else { continue };
            if !grid.code.barriers[barrier as usize].aligned {
                continue;
            }
            let warp = threads.iter().filter(|&&thread| thread / 32 == a / 32);
            let expected = u32::try_from(warp.clone().count()).unwrap_or(u32::MAX);
            let waiting = warp.filter(|&&thread| self.threads[thread].pc == pc).count();
            let waiting = u32::try_from(waiting).unwrap_or(u32::MAX);
            let other = self.other(grid, b);
            let kind = FaultKind::BarrierDivergence { waiting, expected, other, other_ended: false };
            return Err(grid.fault(self, a, pc.saturating_sub(1), *Halt::new(kind)));
        }
        Ok(())
    }

    fn release(&mut self, grid: &Grid<'_>, id: usize, threads: &[usize]) {
        let arrivals = std::mem::take(&mut self.arrivals[id]);
        self.reduce(grid, threads);
        self.join(threads, &arrivals);
        for &thread in threads {
            self.threads[thread].state = State::Ready;
        }
    }

    /// Threads that waited learn of all that each of them and each that arrived had done or learnt of.
    pub(super) fn join(&mut self, threads: &[usize], arrivals: &[Arrival]) {
        let mut known = match threads.first() {
            Some(&first) => Vec::clone(&self.known[first]),
            None => return,
        };
        // Most often all know the same.
        let mut merged = Rc::clone(&self.known[threads[0]]);
        let others = threads.iter().map(|&thread| &self.known[thread]);
        for other in others.chain(arrivals.iter().map(|arrival| &arrival.known)) {
            if !Rc::ptr_eq(other, &merged) {
                known.iter_mut().zip(other.iter()).for_each(|(known, other)| *known = (*known).max(*other));
                merged = Rc::clone(other);
            }
        }
        for &thread in threads {
            self.clocks[thread] += 1;
            known[thread] = self.clocks[thread];
        }
        for arrival in arrivals {
            known[arrival.thread] = known[arrival.thread].max(arrival.clock);
        }
        let known = Rc::new(known);
        for &thread in threads {
            self.known[thread] = Rc::clone(&known);
        }
    }

    /// `bar.red`: the threads' predicates put together.
    fn reduce(&mut self, grid: &Grid<'_>, threads: &[usize]) {
        let each = grid.template.len();
        let kind = |block: &Block, thread: usize| match block.threads[thread].state {
            State::Barrier { barrier, .. } => grid.code.barriers[barrier as usize].kind,
            _ => BarrierKind::Wait,
        };
        let mut set = 0_u64;
        let mut asked = 0_u64;
        for &thread in threads {
            if let BarrierKind::Reduce { p, .. } = kind(self, thread) {
                asked += 1;
                set += self.slots[thread * each + p as usize] & 1;
            }
        }
        for &thread in threads {
            if let BarrierKind::Reduce { d, how, .. } = kind(self, thread) {
                self.slots[thread * each + d as usize] = match how {
                    Reduce::Count => set,
                    Reduce::And => u64::from(set == asked),
                    Reduce::Or => u64::from(set > 0),
                };
            }
        }
    }
}
