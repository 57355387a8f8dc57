//! Names: registers, variables, labels, and the slots of operands.

use std::collections::HashMap;

use super::super::ast::{Operand, Variable};
use super::super::code::{Clock, Content, LaneMask, Op, Slot, Special, predicate_xor};
use super::super::types::{Space, Ty, align_up};
use super::{Decoded, Decoder};

/// A place in memory that a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) space: Space,
    pub(super) content: Content,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Named {
    Register(Slot, Ty),
    /// As many registers, with numbers behind the name.
    Prefix(u64, Ty),
    Memory(Place),
}

/// A function that is being decoded.
#[derive(Debug)]
pub(super) struct Frame<'a> {
    pub(super) name: &'a str,
    scopes: Vec<HashMap<&'a str, Named>>,
    pub(super) labels: HashMap<&'a str, u32>,
    /// Jumps whose target is not known yet: the operation's place, the label, the line.
    pub(super) jumps: Vec<(usize, &'a str, u32)>,
    /// Tables of the kind: the table's number and its labels.
    pub(super) tables: Vec<(usize, Vec<&'a str>, u32)>,
    pub(super) targets: HashMap<&'a str, Vec<&'a str>>,
    /// Jumps to the end of a function laid into its caller.
    pub(super) returns: Vec<usize>,
}

impl<'a> Frame<'a> {
    pub(super) fn new(name: &'a str) -> Frame<'a> {
        Frame {
            name,
            scopes: vec![HashMap::new()],
            labels: HashMap::new(),
            jumps: Vec::new(),
            tables: Vec::new(),
            targets: HashMap::new(),
            returns: Vec::new(),
        }
    }

    pub(super) fn open_scope(&mut self) {
        self.scopes.push(HashMap::new());
    }

    pub(super) fn close_scope(&mut self) {
        self.scopes.pop();
    }

    pub(super) fn declare(&mut self, name: &'a str, named: Named) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, named);
        }
    }

    pub(super) fn find(&self, name: &str) -> Option<Named> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name).copied())
    }

    /// The type of a numbered register, and the scope that has its prefix.
    fn find_numbered(&self, name: &str) -> Option<(usize, Ty)> {
        let prefix = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let number: u64 = name[prefix.len()..].parse().ok()?;
        self.scopes.iter().enumerate().rev().find_map(|(index, scope)| match scope.get(prefix) {
            Some(&Named::Prefix(count, ty)) if number < count => Some((index, ty)),
            _ => None,
        })
    }
}

impl<'a> Decoder<'_, 'a> {
    /// The function that is being decoded.
    pub(super) fn frame(&mut self) -> &mut Frame<'a> {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    pub(super) fn new_slot(&mut self) -> Slot {
        self.code.contents.push(Content::Register);
        Slot::try_from(self.code.contents.len() - 1).unwrap_or(Slot::MAX)
    }

    /// The slot that holds a content.
    pub(super) fn slot(&mut self, content: Content) -> Slot {
        if let Some(&slot) = self.slots.get(&content) {
            return slot;
        }
        let slot = self.new_slot();
        self.code.contents[slot as usize] = content;
        self.slots.insert(content, slot);
        slot
    }

    pub(super) fn constant(&mut self, value: u64) -> Slot {
        self.slot(Content::Constant(value))
    }

    /// A register by name.
    pub(super) fn register(&mut self, name: &'a str) -> Decoded<(Slot, Ty)> {
        match self.frame().find(name) {
            Some(Named::Register(slot, ty)) => return Ok((slot, ty)),
            Some(_) => return Err(self.syntax(format!("{name} is no register"))),
            None => {}
        }
        let Some((scope, ty)) = self.frame().find_numbered(name) else {
            return Err(self.syntax(format!("{name} is not declared")));
        };
        let slot = self.new_slot();
        self.frame().scopes[scope].insert(name, Named::Register(slot, ty));
        Ok((slot, ty))
    }

    /// A destination; `_` is a slot that nobody reads.
    pub(super) fn destination(&mut self, operand: &Operand<'a>) -> Decoded<(Slot, Ty)> {
        match operand {
            Operand::Name("_") => Ok((self.new_slot(), Ty::U64)),
            Operand::Name(name) => self.register(name),
            _ => Err(self.syntax("a register expected as destination")),
        }
    }

    /// The slot of a source operand of a type.
    pub(super) fn source(&mut self, operand: &Operand<'a>, ty: Ty) -> Decoded<Slot> {
        match operand {
            Operand::Name(name) => self.named_source(name, 0),
            Operand::Offset(name, offset) => self.named_source(name, *offset),
            Operand::Member(name, member) => self.special(name, Some(member)),
            Operand::Not(name) => {
                let (a, _) = self.register(name)?;
                let (d, b) = (self.new_slot(), self.constant(1));
                self.emit(Op::Bin { f: predicate_xor(), d, a, b })?;
                Ok(d)
            }
            Operand::Int(value) => Ok(self.constant(value & ty.mask())),
            Operand::F32(bits) if ty == Ty::F64 => Ok(self.constant(f64::from(f32::from_bits(*bits)).to_bits())),
            Operand::F32(bits) => Ok(self.constant((*bits).into())),
            Operand::F64(bits) if ty == Ty::F32 => Ok(self.constant((f64::from_bits(*bits) as f32).to_bits().into())),
            Operand::F64(bits) => Ok(self.constant(*bits)),
            _ => Err(self.syntax("a register or a number expected")),
        }
    }

    /// The operand at `index` as a source.
    pub(super) fn nth(&mut self, operands: &[Operand<'a>], index: usize, ty: Ty) -> Decoded<Slot> {
        match operands.get(index) {
            Some(operand) => self.source(operand, ty),
            None => Err(self.syntax("operands are missing")),
        }
    }

    /// The first operand as a destination.
    pub(super) fn first(&mut self, operands: &[Operand<'a>]) -> Decoded<(Slot, Ty)> {
        match operands.first() {
            Some(operand) => self.destination(operand),
            None => Err(self.syntax("operands are missing")),
        }
    }

    /// A register, a special register or a variable's address.
    fn named_source(&mut self, name: &'a str, offset: i64) -> Decoded<Slot> {
        if let Some(place) = self.place(name)? {
            let content = self.displaced(place.content, offset);
            return Ok(self.slot(content));
        }
        if name == "WARP_SZ" {
            return Ok(self.constant(32));
        }
        let declared = self.frame().find(name).is_some() || self.frame().find_numbered(name).is_some();
        if offset != 0 {
            return Err(self.syntax(format!("{name} is no variable")));
        }
        if declared { Ok(self.register(name)?.0) } else { self.special(name, None) }
    }

    /// A content so many bytes further.
    pub(super) fn displaced(&self, content: Content, offset: i64) -> Content {
        match content {
            Content::Constant(at) => Content::Constant(at.wrapping_add_signed(offset)),
            Content::Variable(index, at) => Content::Variable(index, at.wrapping_add(offset)),
            Content::Dynamic(at) => Content::Dynamic(at.wrapping_add(offset)),
            other => other,
        }
    }

    /// The place of a variable, if `name` is one. A shared one of the module gets its place when it is first used.
    pub(super) fn place(&mut self, name: &'a str) -> Decoded<Option<Place>> {
        match self.frame().find(name) {
            Some(Named::Memory(place)) => return Ok(Some(place)),
            Some(_) => return Ok(None),
            None => {}
        }
        if let Some(&index) = self.variables.get(name) {
            return Ok(Some(Place { space: Space::Global, content: Content::Variable(index, 0) }));
        }
        if let Some(&place) = self.shared.get(name) {
            return Ok(Some(place));
        }
        let source = self.source;
        let Some(variable) = source.variables.iter().find(|variable| variable.name == name) else {
            return Ok(None);
        };
        let place = self.allocate(variable)?;
        self.shared.insert(name, place);
        Ok(Some(place))
    }

    /// Room for a variable in shared memory, or in local memory.
    pub(super) fn allocate(&mut self, variable: &Variable<'a>) -> Decoded<Place> {
        let too_large = self.syntax(format!("{} is too large", variable.name));
        let (space, used) = match (variable.space, variable.size) {
            (Some(Space::Shared), None) => {
                return Ok(Place { space: Space::Shared, content: Content::Dynamic(0) });
            }
            (Some(Space::Shared), _) => (Space::Shared, &mut self.code.static_shared),
            _ => (Space::Local, &mut self.code.local),
        };
        let at = align_up(*used, variable.align);
        let end = at.checked_add(variable.size.unwrap_or(0));
        // What a thread can have of local memory on a GPU, and more than a block has of shared memory.
        *used = end.filter(|&end| end <= 512 << 10).ok_or(too_large)?;
        Ok(Place { space, content: Content::Constant(at.into()) })
    }

    /// A variable that a body declares: shared, local, or a parameter of a call, which lives in local memory here.
    pub(super) fn body_variable(&mut self, variable: &Variable<'a>) -> Decoded<()> {
        self.line = variable.line;
        if matches!(variable.space, Some(Space::Global | Space::Const)) {
            return Err(self.unsupported("a global variable inside a function"));
        }
        let place = self.allocate(variable)?;
        self.frame().declare(variable.name, Named::Memory(place));
        Ok(())
    }

    fn special(&mut self, name: &str, member: Option<&str>) -> Decoded<Slot> {
        let axis = match member {
            Some("x") => Some(0),
            Some("y") => Some(1),
            Some("z") => Some(2),
            _ => None,
        };
        let special = match (name, axis) {
            ("%tid", Some(axis)) => Special::Tid(axis),
            ("%ntid", Some(axis)) => Special::Ntid(axis),
            ("%ctaid", Some(axis)) => Special::Ctaid(axis),
            ("%nctaid", Some(axis)) => Special::Nctaid(axis),
            ("%laneid", None) => Special::Lane,
            ("%warpid", None) => Special::Warp,
            ("%nwarpid", None) => Special::Warps,
            ("%lanemask_eq", None) => Special::LaneMask(LaneMask::Eq),
            ("%lanemask_lt", None) => Special::LaneMask(LaneMask::Lt),
            ("%lanemask_le", None) => Special::LaneMask(LaneMask::Le),
            ("%lanemask_gt", None) => Special::LaneMask(LaneMask::Gt),
            ("%lanemask_ge", None) => Special::LaneMask(LaneMask::Ge),
            ("%dynamic_smem_size", None) => Special::DynamicShared,
            ("%total_smem_size", None) => Special::TotalShared,
            // One multiprocessor, and grids have no numbers.
            ("%smid" | "%gridid", None) => return Ok(self.constant(0)),
            ("%nsmid", None) => return Ok(self.constant(1)),
            _ => return self.clock(name, member),
        };
        Ok(self.slot(Content::Special(special)))
    }

    fn clock(&mut self, name: &str, member: Option<&str>) -> Decoded<Slot> {
        let clock = match name {
            "%clock" => Clock::Low,
            "%clock_hi" => Clock::High,
            "%clock64" => Clock::Steps,
            "%globaltimer" => Clock::Timer,
            "%globaltimer_lo" => Clock::TimerLow,
            "%globaltimer_hi" => Clock::TimerHigh,
            _ => {
                let dotted = member.map_or(String::new(), |member| format!(".{member}"));
                // Names with one % and no number are special registers; the others should have been declared.
                let known = name.starts_with('%') && !name.ends_with(|c: char| c.is_ascii_digit());
                return Err(if known {
                    self.unsupported(format!("the special register {name}{dotted}"))
                } else {
                    self.syntax(format!("{name}{dotted} is not declared"))
                });
            }
        };
        let d = self.new_slot();
        self.emit(Op::Clock { d, clock })?;
        Ok(d)
    }
}
