//! `cvt`.

use super::super::ast::Operand;
use super::super::code::{Op, Slot};
use super::super::sem::{convert, float};
use super::super::types::Ty;
use super::modifiers::Modifiers;
use super::{Decoded, Decoder};

impl<'a> Decoder<'_, 'a> {
    pub(super) fn convert(&mut self, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Decoded<()> {
        let integral = m.integral();
        let mode = m.rounding();
        let (flush, saturate) = (m.take("ftz"), m.take("sat"));
        let (to, from) = (self.typed(m)?, self.typed(m)?);
        let (d, register) = self.first(operands)?;
        let [mut a] = self.sources(operands, from)?;
        if flush && from == Ty::F32 {
            [a] = self.flushed([a], true)?;
        }
        match (to.is_float(), from.is_float()) {
            (false, false) => {
                let f = self.known(convert::int_to_int(to, from, saturate), "cvt", to)?;
                self.emit(Op::Un { f, d, a })?;
                self.widened(d, register, to)?;
            }
            (false, true) => {
                // A conversion to an integer always says how; without it PTX does not allow it.
                let Some(integral) = integral else {
                    return Err(self.syntax("cvt from a float to an integer without .rni, .rzi, .rmi or .rpi"));
                };
                let wide = self.known(convert::float_to_f64(from), "cvt", from)?;
                let f = self.known(convert::f64_to_int(to, from), "cvt", to)?;
                self.emit(Op::Un { f: wide, d, a })?;
                self.then(convert::to_integral(integral), d)?;
                self.then(f, d)?;
                self.widened(d, register, to)?;
            }
            (true, false) => {
                let f = self.known(convert::int_to_float(to, from, mode), "cvt", to)?;
                self.emit(Op::Un { f, d, a })?;
                if saturate {
                    let f = self.known(float::saturate(to), "cvt.sat", to)?;
                    self.then(f, d)?;
                }
            }
            (true, true) => {
                let wide = self.known(convert::float_to_f64(from), "cvt", from)?;
                self.emit(Op::Un { f: wide, d, a })?;
                if let Some(integral) = integral {
                    self.then(convert::to_integral(integral), d)?;
                }
                let narrow = self.known(convert::f64_to_float(to, mode), "cvt", to)?;
                self.then(narrow, d)?;
                if flush && to == Ty::F32 {
                    self.then(float::flush, d)?;
                }
                if saturate {
                    let f = self.known(float::saturate(to), "cvt.sat", to)?;
                    self.then(f, d)?;
                }
            }
        }
        Ok(())
    }

    /// A signed value narrower than its register fills it with its sign.
    fn widened(&mut self, d: Slot, register: Ty, ty: Ty) -> Decoded<()> {
        if !ty.is_signed() || register.bits() <= ty.bits() {
            return Ok(());
        }
        let f = self.known(convert::sign_extend(ty), "cvt", ty)?;
        self.then(f, d)?;
        self.masked(d, register)
    }

    /// Cuts a slot to its register's width.
    pub(super) fn masked(&mut self, d: Slot, register: Ty) -> Decoded<()> {
        let unsigned = match register.bits() {
            16 => Ty::U16,
            32 => Ty::U32,
            _ => return Ok(()),
        };
        let f = self.known(convert::int_to_int(unsigned, unsigned, false), "cvt", unsigned)?;
        self.then(f, d)
    }
}
