//! `mov`: copies, addresses, special registers, and vectors put together or taken apart.

use super::super::ast::Operand;
use super::super::code::{Op, Slot};
use super::super::sem::{Bin, bits};
use super::super::types::Ty;
use super::modifiers::Modifiers;
use super::{Decoded, Decoder};

impl<'a> Decoder<'_, 'a> {
    pub(super) fn mov(&mut self, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Decoded<()> {
        let ty = self.typed(m)?;
        match operands {
            [Operand::Vector(parts), source] => {
                let a = self.source(source, ty)?;
                self.take_apart(ty, a, parts)
            }
            [destination, Operand::Vector(parts)] => {
                let (d, _) = self.destination(destination)?;
                self.put_together(ty, d, parts)
            }
            [destination, source] => {
                let (d, _) = self.destination(destination)?;
                let a = self.source(source, ty)?;
                self.emit(Op::Mov { d, a })
            }
            _ => Err(self.syntax("mov takes two operands")),
        }
    }

    fn take_apart(&mut self, ty: Ty, a: Slot, parts: &[Operand<'a>]) -> Decoded<()> {
        let count = u32::try_from(parts.len()).unwrap_or(u32::MAX);
        let size = ty.size().checked_div(count).unwrap_or(0);
        let f = self.known(bits::unpack(size), "mov to a vector", ty)?;
        // A part may be the source itself.
        let copy = self.new_slot();
        self.emit(Op::Mov { d: copy, a })?;
        for (index, part) in (0_u64..).zip(parts) {
            let (d, _) = self.destination(part)?;
            let b = self.constant(index);
            self.emit(Op::Bin { f, d, a: copy, b })?;
        }
        Ok(())
    }

    fn put_together(&mut self, ty: Ty, d: Slot, parts: &[Operand<'a>]) -> Decoded<()> {
        let (part, join): (Ty, Bin) = match (ty.size(), parts.len()) {
            (8, 2) => (Ty::U32, bits::pack_words),
            (4, 2) | (8, 4) => (Ty::U16, bits::pack_halves),
            (2, 2) | (4, 4) => (Ty::U8, bits::pack_bytes),
            _ => return Err(self.unsupported("mov from a vector of this shape")),
        };
        let slots = parts.iter().map(|operand| self.source(operand, part)).collect::<Decoded<Vec<_>>>()?;
        let mut halves = slots.chunks(2).map(|pair| (self.new_slot(), pair[0], pair[1])).collect::<Vec<_>>();
        if let [only] = &mut halves[..] {
            only.0 = d;
        }
        for &(d, a, b) in &halves {
            self.emit(Op::Bin { f: join, d, a, b })?;
        }
        if let [(a, ..), (b, ..)] = halves[..] {
            let outer: Bin = if ty.size() == 8 { bits::pack_words } else { bits::pack_halves };
            self.emit(Op::Bin { f: outer, d, a, b })?;
        }
        Ok(())
    }
}
