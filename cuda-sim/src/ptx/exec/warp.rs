//! Operations of several threads of a warp, done when all that the mask names are there.

use super::super::code::{Shuffle, Vote, WarpKind};
use super::super::fault::{Fault, FaultKind};
use super::block::{Block, State};
use super::{Grid, Halt};

/// Lanes of a warp.
const LANES: usize = 32;

impl Block {
    /// Does the operations whose lanes are all there; true if there were any.
    pub(super) fn resolve_warps(&mut self, grid: &Grid<'_>) -> Result<bool, Box<Fault>> {
        let mut progress = false;
        if grid.code.warps.is_empty() {
            return Ok(false);
        }
        for base in (0..self.threads.len()).step_by(LANES) {
            let lanes = LANES.min(self.threads.len() - base);
            for lane in 0..lanes {
                let State::Warp { warp, mask } = self.threads[base + lane].state else { continue };
                if (mask >> lane) & 1 == 0 {
                    let halt = Halt::new(FaultKind::WarpMask { mask });
                    let pc = self.threads[base + lane].pc.saturating_sub(1);
                    return Err(grid.fault(self, base + lane, pc, *halt));
                }
                let kind = grid.code.warps[warp as usize].kind;
                let together = |state: State| match state {
                    State::Warp { warp: other, mask: same } => {
                        let both_sync = matches!(kind, WarpKind::Sync)
                            && matches!(grid.code.warps[other as usize].kind, WarpKind::Sync);
                        same == mask && (other == warp || both_sync)
                    }
                    _ => false,
                };
                let named = (0..lanes).filter(|lane| (mask >> lane) & 1 == 1).map(|lane| base + lane);
                let alive = named.filter(|&thread| self.threads[thread].state != State::Ended);
                if !alive.clone().all(|thread| together(self.threads[thread].state)) {
                    continue;
                }
                let members = alive.collect::<Vec<_>>();
                self.operate(grid, kind, base, &members);
                for &thread in &members {
                    self.threads[thread].state = State::Ready;
                }
                progress = true;
            }
        }
        Ok(progress)
    }

    fn operate(&mut self, grid: &Grid<'_>, kind: WarpKind, base: usize, members: &[usize]) {
        let each = grid.template.len();
        let values = |block: &Block, slot: u32| {
            let mut values = [None; LANES];
            for &thread in members {
                values[thread - base] = Some(block.slots[thread * each + slot as usize]);
            }
            values
        };
        match kind {
            WarpKind::Sync => self.join(members, &[]),
            WarpKind::Shuffle { d, p, a, b, c, how } => {
                let values = values(self, a);
                for &thread in members {
                    let slot = |slot: u32| self.slots[thread * each + slot as usize] as u32;
                    let lane = (thread - base) as u32;
                    let (from, inside) = source_lane(how, lane, slot(b), slot(c));
                    let own = self.slots[thread * each + a as usize];
                    // From a lane that is not there PTX promises nothing; here it is the thread's own value.
                    let value = values.get(from as usize).copied().flatten().unwrap_or(own);
                    self.slots[thread * each + d as usize] = value & 0xffff_ffff;
                    if let Some(p) = p {
                        self.slots[thread * each + p as usize] = inside.into();
                    }
                }
            }
            WarpKind::Vote { d, p, how } => {
                let values = values(self, p);
                let votes = (0_u32..).zip(values).filter_map(|(lane, value)| Some((lane, value? & 1)));
                let ballot = votes.clone().fold(0_u64, |ballot, (lane, vote)| ballot | (vote << lane));
                let (yes, all) = (ballot.count_ones() as usize, members.len());
                let result = match how {
                    Vote::All => (yes == all).into(),
                    Vote::Any => (yes > 0).into(),
                    Vote::Uniform => (yes == 0 || yes == all).into(),
                    Vote::Ballot => ballot,
                };
                self.give(each, members, d, |_| result);
            }
            WarpKind::Match { d, p, a, all } => {
                let values = values(self, a);
                let same = |value: Option<u64>| {
                    let equal = (0_u32..).zip(values).filter(|&(_, other)| other.is_some() && other == value);
                    equal.fold(0_u64, |mask, (lane, _)| mask | (1 << lane))
                };
                let uniform = members.iter().all(|&thread| values[thread - base] == values[members[0] - base]);
                self.give(each, members, d, |thread| if all && !uniform { 0 } else { same(values[thread - base]) });
                if let Some(p) = p {
                    self.give(each, members, p, |_| uniform.into());
                }
            }
            WarpKind::Reduce { d, a, f } => {
                let values = values(self, a);
                let result = values.into_iter().flatten().reduce(f).unwrap_or(0);
                self.give(each, members, d, |_| result);
            }
        }
    }

    /// Writes a slot of each member.
    fn give(&mut self, each: usize, members: &[usize], d: u32, value: impl Fn(usize) -> u64) {
        for &thread in members {
            self.slots[thread * each + d as usize] = value(thread);
        }
    }
}

/// The lane that a shuffle takes from, and whether it is in range (`p` of PTX's own description); otherwise it is the
/// thread's own.
fn source_lane(how: Shuffle, lane: u32, b: u32, c: u32) -> (u32, bool) {
    let (b, clamp, segment) = (b & 31, c & 31, (c >> 8) & 31);
    let max = (lane & segment) | (clamp & !segment);
    let min = lane & segment;
    let (from, inside) = match how {
        Shuffle::Up => (lane.wrapping_sub(b), lane.wrapping_sub(b) as i32 >= max as i32),
        Shuffle::Down => (lane + b, lane + b <= max),
        Shuffle::Butterfly => (lane ^ b, lane ^ b <= max),
        Shuffle::Index => {
            let from = min | (b & !segment);
            (from, from <= max)
        }
    };
    if inside { (from, true) } else { (lane, false) }
}
