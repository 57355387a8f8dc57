//! Loads, stores, atomic operations, and addresses of one space as generic ones.

use super::super::ast::Operand;
use super::super::code::{Access, AtomicAccess, Change, Content, Op, Slot, window};
use super::super::sem::round::Rounding;
use super::super::sem::{Bin, Un, convert, float, integer};
use super::super::types::{Space, Ty};
use super::modifiers::Modifiers;
use super::{Decoded, Decoder};

const SCOPES: [&str; 3] = ["gpu", "sys", "cta"];

/// An address operand: the space of a named variable, the slot of its base, and what is added.
struct Address {
    space: Option<Space>,
    base: Slot,
    offset: i64,
}

impl<'a> Decoder<'_, 'a> {
    fn address(&mut self, operand: Option<&Operand<'a>>) -> Decoded<Address> {
        let Some(Operand::Address(name, offset)) = operand else {
            return Err(self.syntax("an address in brackets expected"));
        };
        let Some(name) = name else {
            let base = self.constant(0);
            return Ok(Address { space: None, base, offset: *offset });
        };
        if let Some(place) = self.place(name)? {
            let content = self.displaced(place.content, *offset);
            return Ok(Address { space: Some(place.space), base: self.slot(content), offset: 0 });
        }
        let (base, _) = self.register(name)?;
        Ok(Address { space: None, base, offset: *offset })
    }

    /// The space that an instruction means by its modifier and its address.
    fn space_of(&self, written: Option<Space>, named: Option<Space>) -> Decoded<Space> {
        match (written, named) {
            // Parameters of calls live in local memory.
            (Some(Space::Param), Some(Space::Local)) => Ok(Space::Local),
            // One namespace holds the variables of both.
            (Some(Space::Const), Some(Space::Global)) => Ok(Space::Const),
            (Some(written), Some(named)) if written != named => {
                Err(self.syntax("the variable is in another state space"))
            }
            (Some(written), _) => Ok(written),
            (None, Some(named)) => Ok(named),
            (None, None) => Ok(Space::Generic),
        }
    }

    /// Takes what says how strong the access is.
    fn strength(&self, m: &mut Modifiers<'a>) -> bool {
        m.take("weak");
        let strong = m.take_one(&["volatile", "relaxed", "acquire", "release"]).is_some();
        if strong {
            m.take_one(&SCOPES);
        }
        m.ignore_caching();
        strong
    }

    fn access(&mut self, m: &mut Modifiers<'a>, operand: Option<&Operand<'a>>) -> Decoded<(Access, Ty)> {
        let strong = self.strength(m);
        let written = m.space();
        let count = m.take_one(&["v2", "v4"]).map_or(1, |v| if v == "v2" { 2 } else { 4 });
        let ty = self.typed(m)?;
        let address = self.address(operand)?;
        let space = self.space_of(written, address.space)?;
        let (base, offset, size) = (address.base, address.offset, ty.size());
        Ok((Access { space, base, offset, size, count, slots: [0; 4], extend: None, strong }, ty))
    }

    /// The registers of a vector operand, or the one.
    fn elements<'o>(&self, operand: Option<&'o Operand<'a>>, count: u32) -> Decoded<&'o [Operand<'a>]> {
        let elements = match operand {
            Some(Operand::Vector(elements)) => &elements[..],
            Some(single) => std::slice::from_ref(single),
            None => &[],
        };
        if elements.len() != count as usize {
            return Err(self.syntax("as many registers as elements expected"));
        }
        Ok(elements)
    }

    pub(super) fn load(&mut self, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Decoded<()> {
        let (mut access, ty) = self.access(m, operands.get(1))?;
        let mut register = ty;
        for (slot, element) in access.slots.iter_mut().zip(self.elements(operands.first(), access.count)?) {
            let (d, declared) = self.destination(element)?;
            (*slot, register) = (d, declared);
        }
        access.extend = sign_filled(ty, register);
        let memory = u32::try_from(self.code.accesses.len()).unwrap_or(u32::MAX);
        self.code.accesses.push(access);
        self.emit(Op::Load { memory })
    }

    pub(super) fn store(&mut self, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Decoded<()> {
        let (mut access, ty) = self.access(m, operands.first())?;
        if matches!(access.space, Space::Param | Space::Const) {
            return Err(self.syntax("a store to parameters or constants"));
        }
        for (slot, element) in access.slots.iter_mut().zip(self.elements(operands.get(1), access.count)?) {
            *slot = self.source(element, ty)?;
        }
        let memory = u32::try_from(self.code.accesses.len()).unwrap_or(u32::MAX);
        self.code.accesses.push(access);
        self.emit(Op::Store { memory })
    }

    pub(super) fn atomic(&mut self, name: &str, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Decoded<()> {
        m.take_one(&["relaxed", "acquire", "release", "acq_rel"]);
        m.take_one(&SCOPES);
        m.take("noftz");
        m.ignore_caching();
        let operation = m.take_one(&["add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"]);
        let Some(operation) = operation else {
            return Err(self.unsupported("an atomic operation that is not known here"));
        };
        let written = m.space();
        let ty = self.typed(m)?;
        let returns = name == "atom";
        let d = match (returns, operands.first()) {
            (true, Some(Operand::Name("_")) | None) | (false, _) => None,
            (true, Some(operand)) => Some(self.destination(operand)?.0),
        };
        let operands = &operands[usize::from(returns).min(operands.len())..];
        let address = self.address(operands.first())?;
        let space = self.space_of(written, address.space)?;
        if !matches!(space, Space::Global | Space::Shared | Space::Generic) || ty.size() < 2 {
            return Err(self.unsupported("an atomic operation there, or of this type"));
        }
        let b = self.nth(operands, 1, ty)?;
        let change = match operation {
            "exch" => Change::Exchange(b),
            "cas" => Change::CompareAndSwap { expected: b, new: self.nth(operands, 2, ty)? },
            _ => Change::With(self.atomic_function(operation, ty)?, b),
        };
        let atomic = u32::try_from(self.code.atomics.len()).unwrap_or(u32::MAX);
        let (base, offset, size) = (address.base, address.offset, ty.size());
        self.code.atomics.push(AtomicAccess { space, base, offset, size, d, change });
        self.emit(Op::Atomic { atomic })
    }

    fn atomic_function(&self, operation: &str, ty: Ty) -> Decoded<Bin> {
        let f = if ty.is_float() && operation == "add" {
            float::binary(operation, ty, Rounding::Nearest)
        } else if ty.is_float() {
            None
        } else {
            integer::binary(operation, ty)
        };
        self.known(f, &format!("atom.{operation}"), ty)
    }

    /// `cvta.space`: a space's address as a generic one; `cvta.to.space`: back.
    pub(super) fn cvta(&mut self, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Decoded<()> {
        let back = m.take("to");
        let space = m.space();
        let ty = self.typed(m)?;
        let (d, _) = self.first(operands)?;
        let a = self.nth(operands, 1, ty)?;
        let Some(base) = window_of(space) else {
            return self.emit(Op::Mov { d, a });
        };
        let f: Bin = if back { u64::wrapping_sub } else { u64::wrapping_add };
        let b = self.constant(base);
        self.emit(Op::Bin { f, d, a, b })
    }

    pub(super) fn isspacep(&mut self, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Decoded<()> {
        let space = m.space();
        let (d, _) = self.first(operands)?;
        let a = self.nth(operands, 1, Ty::U64)?;
        let b = self.constant(window_of(space).unwrap_or(0));
        self.emit(Op::Bin { f: |a, b| u64::from(a & window::TAG == b), d, a, b })
    }

    /// A load of eight bytes at most from a place in local memory, for the arguments of a call.
    pub(super) fn load_local(&mut self, content: Content, size: u32) -> Decoded<Slot> {
        let (base, d) = (self.slot(content), self.new_slot());
        let memory = u32::try_from(self.code.accesses.len()).unwrap_or(u32::MAX);
        let (space, slots) = (Space::Local, [d, 0, 0, 0]);
        self.code.accesses.push(Access { space, base, offset: 0, size, count: 1, slots, extend: None, strong: false });
        self.emit(Op::Load { memory })?;
        Ok(d)
    }

    /// A store of eight bytes at most there.
    pub(super) fn store_local(&mut self, content: Content, size: u32, value: Slot) -> Decoded<()> {
        let base = self.slot(content);
        let memory = u32::try_from(self.code.accesses.len()).unwrap_or(u32::MAX);
        let (space, slots) = (Space::Local, [value, 0, 0, 0]);
        self.code.accesses.push(Access { space, base, offset: 0, size, count: 1, slots, extend: None, strong: false });
        self.emit(Op::Store { memory })
    }
}

fn window_of(space: Option<Space>) -> Option<u64> {
    match space {
        Some(Space::Shared) => Some(window::SHARED),
        Some(Space::Local) => Some(window::LOCAL),
        Some(Space::Param) => Some(window::PARAM),
        _ => None,
    }
}

/// What fills a register with the sign of a narrower loaded value.
fn sign_filled(ty: Ty, register: Ty) -> Option<Un> {
    if !ty.is_signed() || register.bits() <= ty.bits() {
        return None;
    }
    let narrow: Option<Un> = match (ty, register.bits()) {
        (Ty::S8, 16) => Some(|a| (a as i8 as i16 as u16).into()),
        (Ty::S8, 32) => Some(|a| (a as i8 as i32 as u32).into()),
        (Ty::S16, 32) => Some(|a| (a as i16 as i32 as u32).into()),
        _ => None,
    };
    narrow.or_else(|| convert::sign_extend(ty))
}
