//! `call`: the callee's body is laid in at the place of the call. There is no recursion and no call through a pointer.

use super::super::ast::{Operand, Variable};
use super::super::code::{Op, Slot};
use super::super::types::{Space, Ty};
use super::modifiers::Modifiers;
use super::names::{Frame, Named};
use super::{Decoded, Decoder};

impl<'a> Decoder<'_, 'a> {
    pub(super) fn call(&mut self, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Decoded<()> {
        m.take("uni");
        let (results, rest) = match operands {
            [Operand::Group(results), rest @ ..] => (&results[..], rest),
            rest => (&[][..], rest),
        };
        let (name, arguments) = match rest {
            [Operand::Name(name)] => (*name, &[][..]),
            [Operand::Name(name), Operand::Group(arguments)] => (*name, &arguments[..]),
            _ => return Err(self.unsupported("a call through a pointer")),
        };
        if name == "__assertfail" {
            return self.assertion(arguments);
        }
        let source = self.source;
        let callee = source.functions.iter().find(|function| !function.entry && function.name == name);
        let with_body = source
            .functions
            .iter()
            .find(|function| !function.entry && function.name == name && function.body.is_some());
        let (Some(callee), Some(body)) = (with_body, with_body.and_then(|function| function.body.as_ref())) else {
            let what = if callee.is_some() { "a function without a body" } else { "a pointer or an unknown name" };
            return Err(self.unsupported(format!("a call of {name}, {what}")));
        };
        if self.frames.iter().any(|frame| frame.name == name) {
            return Err(self.unsupported(format!("recursion: {name} calls itself")));
        }
        if arguments.len() != callee.params.len() || results.len() != callee.results.len() {
            return Err(self.syntax(format!("{name} takes other arguments")));
        }
        let mut frame = Frame::new(callee.name);
        for (formal, actual) in callee.params.iter().zip(arguments) {
            let named = self.pass(formal, actual)?;
            frame.declare(formal.name, named);
        }
        let mut copies = Vec::new();
        for (formal, actual) in callee.results.iter().zip(results) {
            let named = self.receive(formal, actual, &mut copies)?;
            frame.declare(formal.name, named);
        }
        let line = self.line;
        self.frames.push(frame);
        self.statements(body)?;
        self.close_frame()?;
        self.line = line;
        for (d, a) in copies {
            self.emit(Op::Mov { d, a })?;
        }
        Ok(())
    }

    /// What a parameter's name stands for in the callee.
    fn pass(&mut self, formal: &Variable<'a>, actual: &Operand<'a>) -> Decoded<Named> {
        if let (Some(Space::Param), Operand::Name(name)) = (formal.space, actual) {
            if let Some(place) = self.place(name)? {
                return Ok(Named::Memory(place));
            }
        }
        let a = self.source(actual, formal.ty)?;
        if formal.space.is_some() {
            let place = self.allocate(formal)?;
            self.store_local(place.content, formal.ty.size(), a)?;
            return Ok(Named::Memory(place));
        }
        let d = self.new_slot();
        self.emit(Op::Mov { d, a })?;
        Ok(Named::Register(d, formal.ty))
    }

    /// The same for a result; `copies` are to be made after the call.
    fn receive(
        &mut self,
        formal: &Variable<'a>,
        actual: &Operand<'a>,
        copies: &mut Vec<(Slot, Slot)>,
    ) -> Decoded<Named> {
        if let (Some(_), Operand::Name(name)) = (formal.space, actual) {
            if let Some(place) = self.place(name)? {
                return Ok(Named::Memory(place));
            }
        }
        if formal.space.is_some() {
            return Err(self.unsupported("a result in memory that a register takes"));
        }
        let (d, _) = self.destination(actual)?;
        let slot = self.new_slot();
        copies.push((d, slot));
        Ok(Named::Register(slot, formal.ty))
    }

    /// What the compiler makes of `assert`: message, file, line, function.
    fn assertion(&mut self, arguments: &[Operand<'a>]) -> Decoded<()> {
        let mut slots = [0; 4];
        for (index, slot) in slots.iter_mut().enumerate() {
            let Some(Operand::Name(name)) = arguments.get(index) else {
                return Err(self.unsupported("__assertfail with other arguments"));
            };
            let size = if index == 2 { Ty::U32 } else { Ty::U64 };
            *slot = match self.place(name)? {
                Some(place) => self.load_local(place.content, size.size())?,
                None => self.register(name)?.0,
            };
        }
        self.emit(Op::Assert { arguments: slots })
    }
}
