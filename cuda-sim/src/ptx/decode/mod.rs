//! From a kernel's statements to its [`Code`]: names become slots, instructions operations, and calls the callee's body.

mod alu;
mod call;
mod compare;
mod convert;
mod flow;
mod memory;
mod modifiers;
mod moves;
mod names;
mod warp;

use std::collections::HashMap;

use super::ast::{Function, Instruction, Source, Statement};
use super::code::{Code, Content, Op, Slot};
use super::error::PtxError;
use super::types::{Space, Ty, align_up};
use modifiers::Modifiers;
use names::{Frame, Named, Place};

type Decoded<T> = Result<T, PtxError>;

/// More operations than that are a call tree that explodes when it is laid out flat.
const MAX_OPS: usize = 4_000_000;

/// Decodes a kernel. `variables` numbers the module's global and constant variables.
pub(crate) fn decode<'a>(
    source: &Source<'a>,
    variables: &HashMap<&'a str, u32>,
    kernel: &Function<'a>,
) -> Decoded<Code> {
    let mut decoder = Decoder {
        source,
        variables,
        code: Code::default(),
        slots: HashMap::new(),
        shared: HashMap::new(),
        frames: vec![Frame::new(kernel.name)],
        line: kernel.line,
        carry: None,
    };
    let mut offset = 0;
    for param in &kernel.params {
        offset = align_up(offset, param.align);
        let place = Place { space: Space::Param, content: Content::Constant(offset.into()) };
        decoder.frame().declare(param.name, Named::Memory(place));
        offset = offset.saturating_add(param.size.unwrap_or(0));
    }
    if let Some(body) = &kernel.body {
        decoder.statements(body)?;
    }
    decoder.emit(Op::Exit)?;
    decoder.close_frame()?;
    Ok(decoder.code)
}

/// The state of decoding one kernel.
struct Decoder<'s, 'a> {
    source: &'s Source<'a>,
    variables: &'s HashMap<&'a str, u32>,
    code: Code,
    /// The slots of constants, special registers and addresses.
    slots: HashMap<Content, Slot>,
    /// Where module-scope shared variables lie, those that the kernel uses.
    shared: HashMap<&'a str, Place>,
    /// The kernel, and inside it the functions that are being laid into it.
    frames: Vec<Frame<'a>>,
    line: u32,
    /// The carry flag's slot.
    carry: Option<Slot>,
}

impl<'a> Decoder<'_, 'a> {
    fn unsupported(&self, message: impl Into<String>) -> PtxError {
        PtxError::unsupported(self.line, message)
    }

    fn syntax(&self, message: impl Into<String>) -> PtxError {
        PtxError::syntax(self.line, message)
    }

    /// The next operation's place.
    fn here(&self) -> u32 {
        u32::try_from(self.code.ops.len()).unwrap_or(u32::MAX)
    }

    fn emit(&mut self, op: Op) -> Decoded<()> {
        if self.code.ops.len() >= MAX_OPS {
            return Err(self.unsupported("a kernel of more than 4,000,000 operations with its calls"));
        }
        self.code.ops.push(op);
        self.code.lines.push(self.line);
        Ok(())
    }

    fn statements(&mut self, statements: &[Statement<'a>]) -> Decoded<()> {
        for statement in statements {
            if let Statement::Targets(name, targets) = statement {
                self.frame().targets.insert(name, targets.clone());
            }
        }
        for statement in statements {
            match statement {
                Statement::Instruction(instruction) => self.guarded(instruction)?,
                Statement::Label(name, line) => {
                    self.line = *line;
                    let here = self.here();
                    if self.frame().labels.insert(name, here).is_some() {
                        return Err(self.syntax(format!("the label {name} is there twice")));
                    }
                }
                Statement::Open => self.frame().open_scope(),
                Statement::Close => self.frame().close_scope(),
                Statement::Registers(ty, names) => {
                    for &(name, count) in names {
                        let named = match count {
                            Some(count) => Named::Prefix(count, *ty),
                            None => Named::Register(self.new_slot(), *ty),
                        };
                        self.frame().declare(name, named);
                    }
                }
                Statement::Variable(variable) => self.body_variable(variable)?,
                Statement::Targets(..) => {}
            }
        }
        Ok(())
    }

    /// An instruction with its guard.
    fn guarded(&mut self, instruction: &Instruction<'a>) -> Decoded<()> {
        self.line = instruction.line;
        let Some((guard, negated)) = instruction.guard else {
            return self.instruction(instruction);
        };
        let (p, ty) = self.register(guard)?;
        if ty != Ty::Pred {
            return Err(self.syntax(format!("the guard {guard} is no predicate")));
        }
        if instruction.name[0] == "bra" {
            return self.branch(instruction, Some((p, negated)));
        }
        let skip = self.code.ops.len();
        self.emit(Op::Jump { to: 0 })?;
        self.instruction(instruction)?;
        let to = self.here();
        self.code.ops[skip] = if negated { Op::JumpIf { p, to } } else { Op::JumpUnless { p, to } };
        Ok(())
    }

    fn instruction(&mut self, instruction: &Instruction<'a>) -> Decoded<()> {
        let name = instruction.name[0];
        let mut modifiers = Modifiers::new(&instruction.name[1..]);
        if let Some(broken) = &instruction.broken {
            return Err(self.unsupported(format!("{}: {broken}", instruction.name.join("."))));
        }
        let operands = &instruction.operands[..];
        let m = &mut modifiers;
        match name {
            "add" | "sub" | "mul" | "mad" | "fma" | "div" | "rem" | "min" | "max" | "mul24" | "mad24" | "sad"
            | "addc" | "subc" | "madc" | "dp4a" => self.arithmetic(name, m, operands)?,
            "abs" | "neg" | "not" | "cnot" | "popc" | "clz" | "brev" | "bfind" | "sqrt" | "rsqrt" | "rcp" | "sin"
            | "cos" | "lg2" | "ex2" | "tanh" | "testp" => self.one_operand(name, m, operands)?,
            "and" | "or" | "xor" | "shl" | "shr" | "copysign" => self.two_operands(name, m, operands)?,
            "shf" | "bfe" | "bfi" | "prmt" | "lop3" => self.bits(name, m, operands)?,
            "setp" | "set" | "selp" | "slct" => self.comparison(name, m, operands)?,
            "cvt" => self.convert(m, operands)?,
            "mov" => self.mov(m, operands)?,
            "ld" | "ldu" => self.load(m, operands)?,
            "st" => self.store(m, operands)?,
            "atom" | "red" => self.atomic(name, m, operands)?,
            "cvta" => self.cvta(m, operands)?,
            "isspacep" => self.isspacep(m, operands)?,
            "bra" => return self.branch(instruction, None),
            "brx" => self.switch(m, operands)?,
            "call" => self.call(m, operands)?,
            "ret" | "exit" | "trap" | "brkpt" => self.leave(name, m)?,
            "bar" | "barrier" => self.barrier(name, m, operands)?,
            "shfl" | "vote" | "match" | "redux" | "activemask" => self.warp(name, m, operands)?,
            // Order is not modelled finer than by barriers, and waiting or fetching ahead changes no result.
            "membar" | "fence" | "nanosleep" | "prefetch" | "prefetchu" | "pmevent" => m.ignore_rest(),
            _ => return Err(self.unsupported(format!("the instruction {}", instruction.name.join(".")))),
        }
        match m.first_left() {
            None => Ok(()),
            Some(left) => Err(self.unsupported(format!(".{left} in {}", instruction.name.join(".")))),
        }
    }
}
