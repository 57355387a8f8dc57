//! Arithmetic and logic.

use super::super::ast::Operand;
use super::super::code::{Op, Slot};
use super::super::sem::round::Rounding;
use super::super::sem::{Bin, Un, bits, float, integer};
use super::super::types::Ty;
use super::modifiers::Modifiers;
use super::{Decoded, Decoder};

impl<'a> Decoder<'_, 'a> {
    /// Takes the instruction's type.
    pub(super) fn typed(&self, m: &mut Modifiers<'a>) -> Decoded<Ty> {
        m.ty().ok_or_else(|| self.unsupported("an instruction without a type that is known here"))
    }

    /// An error for a combination that has no function.
    pub(super) fn known<T>(&self, function: Option<T>, what: &str, ty: Ty) -> Decoded<T> {
        function.ok_or_else(|| self.unsupported(format!("{what} of {ty:?} with these modifiers")))
    }

    pub(super) fn sources<const N: usize>(&mut self, operands: &[Operand<'a>], ty: Ty) -> Decoded<[Slot; N]> {
        let mut slots = [0; N];
        for (index, slot) in slots.iter_mut().enumerate() {
            *slot = self.nth(operands, index + 1, ty)?;
        }
        Ok(slots)
    }

    /// Applies a function in place.
    pub(super) fn then(&mut self, f: Un, d: Slot) -> Decoded<()> {
        self.emit(Op::Un { f, d, a: d })
    }

    pub(super) fn arithmetic(&mut self, name: &str, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Decoded<()> {
        if name == "dp4a" {
            return self.dot(m, operands);
        }
        let ty = self.typed(m)?;
        if ty.is_float() {
            return self.float_arithmetic(name, ty, m, operands);
        }
        let writes = m.take("cc");
        if writes || matches!(name, "addc" | "subc" | "madc") {
            return self.carrying(name, ty, writes, m, operands);
        }
        let part = m.take_one(&["lo", "hi", "wide"]);
        let saturate = if m.take("sat") { ".sat" } else { "" };
        let full = match part {
            Some(part) => format!("{name}.{part}{saturate}"),
            None => format!("{name}{saturate}"),
        };
        let (d, _) = self.first(operands)?;
        if let Some(f) = integer::ternary(&full, ty) {
            let [a, b] = self.sources(operands, ty)?;
            let third = if part == Some("wide") { ty.wide().unwrap_or(ty) } else { ty };
            let c = self.nth(operands, 3, third)?;
            return self.emit(Op::Tri { f, d, a, b, c });
        }
        let f = self.known(integer::binary(&full, ty), &full, ty)?;
        let [a, b] = self.sources(operands, ty)?;
        self.emit(Op::Bin { f, d, a, b })
    }

    /// `add.cc`, `addc`, `sub.cc`, `subc`, `mad.cc`, `madc`; the carry flag is a slot.
    fn carrying(
        &mut self,
        name: &str,
        ty: Ty,
        writes: bool,
        m: &mut Modifiers<'a>,
        operands: &[Operand<'a>],
    ) -> Decoded<()> {
        let flag = match self.carry {
            Some(flag) => flag,
            None => self.new_slot(),
        };
        self.carry = Some(flag);
        let (d, _) = self.first(operands)?;
        let [mut a, mut b] = self.sources(operands, ty)?;
        if name.starts_with("mad") {
            let part = if m.take("hi") { "mul.hi" } else { "mul.lo" };
            m.take("lo");
            let f = self.known(integer::binary(part, ty), part, ty)?;
            let product = self.new_slot();
            self.emit(Op::Bin { f, d: product, a, b })?;
            (a, b) = (product, self.nth(operands, 3, ty)?);
        }
        let base = if name.starts_with("sub") { "subc" } else { "addc" };
        let c = if name.ends_with('c') { flag } else { self.constant(u64::from(base == "subc")) };
        let f = self.known(integer::ternary(base, ty), base, ty)?;
        let carry = self.known(integer::ternary(&format!("{base}.carry"), ty), base, ty)?;
        let sum = self.new_slot();
        self.emit(Op::Tri { f, d: sum, a, b, c })?;
        if writes {
            self.emit(Op::Tri { f: carry, d: flag, a, b, c })?;
        }
        self.emit(Op::Mov { d, a: sum })
    }

    fn float_arithmetic(&mut self, name: &str, ty: Ty, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Decoded<()> {
        let mode = m.rounding();
        let (flush, saturate) = (m.take("ftz"), m.take("sat"));
        let (d, _) = self.first(operands)?;
        if matches!(name, "fma" | "mad") {
            let f = self.known(float::fma(ty, mode), name, ty)?;
            let slots: [Slot; 3] = self.sources(operands, ty)?;
            let [a, b, c] = self.flushed(slots, flush && ty == Ty::F32)?;
            self.emit(Op::Tri { f, d, a, b, c })?;
        } else {
            let full = if m.take("NaN") { format!("{name}.NaN") } else { name.to_owned() };
            let f = self.known(float::binary(&full, ty, mode), name, ty)?;
            let slots: [Slot; 2] = self.sources(operands, ty)?;
            let [a, b] = self.flushed(slots, flush && ty == Ty::F32)?;
            self.emit(Op::Bin { f, d, a, b })?;
        }
        self.finish_float(ty, d, flush, saturate)
    }

    /// The operands with subnormals flushed, if they are to be.
    pub(super) fn flushed<const N: usize>(&mut self, mut slots: [Slot; N], flush: bool) -> Decoded<[Slot; N]> {
        if flush {
            for slot in &mut slots {
                let d = self.new_slot();
                self.emit(Op::Un { f: float::flush, d, a: *slot })?;
                *slot = d;
            }
        }
        Ok(slots)
    }

    fn finish_float(&mut self, ty: Ty, d: Slot, flush: bool, saturate: bool) -> Decoded<()> {
        if flush && ty == Ty::F32 {
            self.then(float::flush, d)?;
        }
        if saturate {
            let f = self.known(float::saturate(ty), ".sat", ty)?;
            self.then(f, d)?;
        }
        Ok(())
    }

    pub(super) fn one_operand(&mut self, name: &str, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Decoded<()> {
        let test = if name == "testp" {
            m.take_one(&["finite", "infinite", "number", "notanumber", "normal", "subnormal"])
        } else {
            None
        };
        let ty = self.typed(m)?;
        let (d, _) = self.first(operands)?;
        let [a] = self.sources(operands, ty)?;
        if let Some(test) = test {
            let f = self.known(float::test(test, ty), name, ty)?;
            return self.emit(Op::Un { f, d, a });
        }
        if !ty.is_float() {
            if ty == Ty::Pred {
                let b = self.constant(1);
                return self.emit(Op::Bin { f: super::super::code::predicate_xor(), d, a, b });
            }
            let full = if m.take("shiftamt") { format!("{name}.shiftamt") } else { name.to_owned() };
            let f = self.known(integer::unary(&full, ty), name, ty)?;
            return self.emit(Op::Un { f, d, a });
        }
        let mode = m.rounding();
        let (flush, saturate) = (m.take("ftz"), m.take("sat"));
        let f = self.known(float::unary(name, ty, mode), name, ty)?;
        let [a] = self.flushed([a], flush && ty == Ty::F32)?;
        self.emit(Op::Un { f, d, a })?;
        self.finish_float(ty, d, flush, saturate)
    }

    /// Logic, shifts and `copysign`.
    pub(super) fn two_operands(&mut self, name: &str, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Decoded<()> {
        let ty = self.typed(m)?;
        let (d, _) = self.first(operands)?;
        let a = self.nth(operands, 1, ty)?;
        let b = self.nth(operands, 2, if name.starts_with("sh") { Ty::U32 } else { ty })?;
        let f = match ty {
            // Predicates are 0 or 1, which these keep.
            Ty::Pred => integer::binary(name, Ty::U8),
            Ty::F32 | Ty::F64 => float::binary(name, ty, Rounding::Nearest),
            _ => integer::binary(name, ty),
        };
        let f: Bin = self.known(f, name, ty)?;
        self.emit(Op::Bin { f, d, a, b })
    }

    /// Bit fields, bytes, funnels, `lop3`.
    pub(super) fn bits(&mut self, name: &str, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Decoded<()> {
        let ty = self.typed(m)?;
        let (d, _) = self.first(operands)?;
        match name {
            "bfe" => {
                let f = self.known(bits::bfe(ty), name, ty)?;
                let [a, b, c] = self.sources(operands, ty)?;
                self.emit(Op::Tri { f, d, a, b, c })
            }
            "bfi" => {
                let f = self.known(bits::bfi(ty), name, ty)?;
                let [a, b, at, len] = self.sources(operands, ty)?;
                let c = self.new_slot();
                self.emit(Op::Bin { f: bits::pack_bytes, d: c, a: at, b: len })?;
                self.emit(Op::Tri { f, d, a, b, c })
            }
            "lop3" => {
                let [a, b, low, table] = self.sources(operands, Ty::U32)?;
                let c = self.new_slot();
                self.emit(Op::Bin { f: bits::pack_words, d: c, a: low, b: table })?;
                self.emit(Op::Tri { f: bits::lop3, d, a, b, c })
            }
            "shf" => {
                let left = m.take("l");
                let clamp = m.take("clamp");
                m.take("r");
                m.take("wrap");
                let [a, b, c] = self.sources(operands, Ty::U32)?;
                self.emit(Op::Tri { f: bits::funnel(left, clamp), d, a, b, c })
            }
            _ => {
                let [a, b, c] = self.sources(operands, Ty::U32)?;
                self.emit(Op::Tri { f: bits::prmt, d, a, b, c })
            }
        }
    }

    fn dot(&mut self, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Decoded<()> {
        let (a_type, b_type) = (self.typed(m)?, self.typed(m)?);
        let (d, _) = self.first(operands)?;
        let [a, b, c] = self.sources(operands, Ty::U32)?;
        self.emit(Op::Tri { f: bits::dp4a(a_type.is_signed(), b_type.is_signed()), d, a, b, c })
    }
}
