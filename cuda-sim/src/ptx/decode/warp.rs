//! Instructions of several threads of a warp.

use super::super::ast::Operand;
use super::super::code::{Content, LaneMask, Op, Shuffle, Slot, Special, Vote, Warp, WarpKind};
use super::super::sem::integer;
use super::super::types::Ty;
use super::modifiers::Modifiers;
use super::{Decoded, Decoder};

impl<'a> Decoder<'_, 'a> {
    pub(super) fn warp(&mut self, name: &str, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Decoded<()> {
        if name == "activemask" {
            self.typed(m)?;
            let (d, _) = self.first(operands)?;
            // Any set with the thread itself is right; the smallest one is the hardest on the kernel.
            let a = self.slot(Content::Special(Special::LaneMask(LaneMask::Eq)));
            return self.emit(Op::Mov { d, a });
        }
        if !m.take("sync") {
            return Err(self.unsupported(format!("{name} without .sync")));
        }
        match name {
            "shfl" => self.shuffle(m, operands),
            "vote" => self.vote(m, operands),
            "match" => self.matching(m, operands),
            _ => self.warp_reduce(m, operands),
        }
    }

    /// The first operand: a register, or `d|p`.
    fn with_predicate(&mut self, operand: Option<&Operand<'a>>) -> Decoded<(Slot, Option<Slot>)> {
        match operand {
            Some(&Operand::Pair(d, p)) => {
                let (d, _) = self.destination(&Operand::Name(d))?;
                let (p, _) = self.destination(&Operand::Name(p))?;
                Ok((d, Some(p)))
            }
            Some(operand) => Ok((self.destination(operand)?.0, None)),
            None => Err(self.syntax("operands are missing")),
        }
    }

    fn shuffle(&mut self, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Decoded<()> {
        let how = match m.take_one(&["up", "down", "bfly", "idx"]) {
            Some("up") => Shuffle::Up,
            Some("down") => Shuffle::Down,
            Some("bfly") => Shuffle::Butterfly,
            Some(_) => Shuffle::Index,
            None => return Err(self.unsupported("a shuffle of this kind")),
        };
        self.typed(m)?;
        let (d, p) = self.with_predicate(operands.first())?;
        let [a, b, c, mask] = self.sources(operands, Ty::U32)?;
        self.push_warp(mask, WarpKind::Shuffle { d, p, a, b, c, how })
    }

    fn vote(&mut self, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Decoded<()> {
        let how = match m.take_one(&["all", "any", "uni", "ballot"]) {
            Some("all") => Vote::All,
            Some("any") => Vote::Any,
            Some("uni") => Vote::Uniform,
            Some(_) => Vote::Ballot,
            None => return Err(self.unsupported("a vote of this kind")),
        };
        self.typed(m)?;
        let (d, _) = self.first(operands)?;
        let p = self.nth(operands, 1, Ty::Pred)?;
        let mask = self.nth(operands, 2, Ty::U32)?;
        self.push_warp(mask, WarpKind::Vote { d, p, how })
    }

    fn matching(&mut self, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Decoded<()> {
        let all = m.take("all");
        m.take("any");
        let ty = self.typed(m)?;
        let (d, p) = self.with_predicate(operands.first())?;
        let a = self.nth(operands, 1, ty)?;
        let mask = self.nth(operands, 2, Ty::U32)?;
        self.push_warp(mask, WarpKind::Match { d, p, a, all })
    }

    fn warp_reduce(&mut self, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Decoded<()> {
        let operation = m.take_one(&["add", "min", "max", "and", "or", "xor"]).unwrap_or("");
        let ty = self.typed(m)?;
        let f = if ty.is_float() { None } else { integer::binary(operation, ty) };
        let f = self.known(f, "redux", ty)?;
        let (d, _) = self.first(operands)?;
        let [a, mask] = self.sources(operands, ty)?;
        self.push_warp(mask, WarpKind::Reduce { d, a, f })
    }

    /// `bar.warp.sync`.
    pub(super) fn warp_barrier(&mut self, operands: &[Operand<'a>]) -> Decoded<()> {
        self.code.partial_order = true;
        let mask = self.nth(operands, 0, Ty::U32)?;
        self.push_warp(mask, WarpKind::Sync)
    }

    fn push_warp(&mut self, mask: Slot, kind: WarpKind) -> Decoded<()> {
        let number = u32::try_from(self.code.warps.len()).unwrap_or(u32::MAX);
        self.code.warps.push(Warp { mask, kind });
        self.emit(Op::Warp { warp: number })
    }
}
