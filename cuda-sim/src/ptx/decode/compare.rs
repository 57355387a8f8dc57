//! `setp`, `set`, `selp`, `slct`.

use super::super::ast::Operand;
use super::super::code::{Op, Slot, predicate_xor};
use super::super::sem::{Un, compare};
use super::super::types::Ty;
use super::modifiers::Modifiers;
use super::{Decoded, Decoder};

const COMPARISONS: [&str; 18] = [
    "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan",
];

impl<'a> Decoder<'_, 'a> {
    pub(super) fn comparison(&mut self, name: &str, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Decoded<()> {
        match name {
            "selp" => self.selp(m, operands),
            "slct" => self.slct(m, operands),
            "set" => self.set(m, operands),
            _ => self.setp(m, operands),
        }
    }

    /// The comparison's result in a new slot, joined with a third operand if there is one; and the same of its opposite
    /// if `both`.
    fn compared(
        &mut self,
        m: &mut Modifiers<'a>,
        ty: Ty,
        operands: &[Operand<'a>],
        both: bool,
    ) -> Decoded<(Slot, Option<Slot>)> {
        let flush = m.take("ftz") && ty == Ty::F32;
        let Some(name) = m.take_one(&COMPARISONS) else {
            return Err(self.unsupported("a comparison that is not known here"));
        };
        let join = m.take_by(compare::join);
        let f = self.known(compare::compare(name, ty), name, ty)?;
        let slots: [Slot; 2] = self.sources(operands, ty)?;
        let [a, b] = self.flushed(slots, flush)?;
        let holds = self.new_slot();
        self.emit(Op::Bin { f, d: holds, a, b })?;
        let opposite = if both { Some(self.opposite(holds)?) } else { None };
        if let Some(join) = join {
            let c = self.nth(operands, 3, Ty::Pred)?;
            for d in [Some(holds), opposite].into_iter().flatten() {
                self.emit(Op::Bin { f: join, d, a: d, b: c })?;
            }
        }
        Ok((holds, opposite))
    }

    fn opposite(&mut self, a: Slot) -> Decoded<Slot> {
        let (d, b) = (self.new_slot(), self.constant(1));
        self.emit(Op::Bin { f: predicate_xor(), d, a, b })?;
        Ok(d)
    }

    fn setp(&mut self, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Decoded<()> {
        let ty = self.typed(m)?;
        if let Some(&Operand::Pair(first, second)) = operands.first() {
            let (holds, opposite) = self.compared(m, ty, operands, true)?;
            for (name, slot) in [(first, Some(holds)), (second, opposite)] {
                let (d, _) = self.destination(&Operand::Name(name))?;
                if let Some(a) = slot {
                    self.emit(Op::Mov { d, a })?;
                }
            }
            return Ok(());
        }
        let (d, _) = self.first(operands)?;
        let (a, _) = self.compared(m, ty, operands, false)?;
        // The comparison wrote into a slot of its own, so that `d` may be its third operand. If nothing was joined, the
        // operation writes to `d` itself.
        match self.code.ops.last_mut() {
            Some(Op::Bin { d: place, .. }) if *place == a => *place = d,
            _ => self.emit(Op::Mov { d, a })?,
        }
        Ok(())
    }

    fn set(&mut self, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Decoded<()> {
        let (to, from) = (self.typed(m)?, self.typed(m)?);
        let (d, _) = self.first(operands)?;
        let (a, _) = self.compared(m, from, operands, false)?;
        let f: Un = match to {
            Ty::F32 => |a| if a == 0 { 0 } else { 0x3f80_0000 },
            Ty::U32 | Ty::S32 => |a| if a == 0 { 0 } else { 0xffff_ffff },
            _ => return Err(self.unsupported(format!("set to {to:?}"))),
        };
        self.emit(Op::Un { f, d, a })
    }

    fn selp(&mut self, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Decoded<()> {
        let ty = self.typed(m)?;
        let (d, _) = self.first(operands)?;
        let [a, b] = self.sources(operands, ty)?;
        let c = self.nth(operands, 3, Ty::Pred)?;
        self.emit(Op::Tri { f: |a, b, p| if p & 1 == 1 { a } else { b }, d, a, b, c })
    }

    fn slct(&mut self, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Decoded<()> {
        m.take("ftz");
        let (ty, selector) = (self.typed(m)?, self.typed(m)?);
        let f = self.known(compare::select_sign(selector), "slct", selector)?;
        let (d, _) = self.first(operands)?;
        let [a, b] = self.sources(operands, ty)?;
        let c = self.nth(operands, 3, selector)?;
        self.emit(Op::Tri { f, d, a, b, c })
    }
}
