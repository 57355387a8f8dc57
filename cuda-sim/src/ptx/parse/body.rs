//! Statements and operands.

use super::super::ast::{Instruction, Operand, Statement};
use super::super::error::PtxError;
use super::super::lexer::Tok;
use super::super::types::Ty;
use super::{Parsed, Parser};

impl<'a> Parser<'_, 'a> {
    /// The statements of a function after its opening brace, and the closing one.
    pub(super) fn body(&mut self) -> Parsed<Vec<Statement<'a>>> {
        let mut out = Vec::new();
        let mut depth = 0;
        loop {
            let line = self.line();
            match self.peek() {
                Some(Tok::Punct('{')) => {
                    depth += 1;
                    out.push(Statement::Open);
                    self.at += 1;
                }
                Some(Tok::Punct('}')) => {
                    self.at += 1;
                    if depth == 0 {
                        return Ok(out);
                    }
                    depth -= 1;
                    out.push(Statement::Close);
                }
                Some(Tok::Punct(';')) => self.at += 1,
                Some(Tok::Punct('.')) => self.body_directive(line, &mut out)?,
                Some(Tok::Ident(name)) if self.peek_after(1) == Some(Tok::Punct(':')) => {
                    self.at += 2;
                    match self.peek_directive() {
                        Some("branchtargets") => {
                            self.at += 2;
                            let targets = self.names()?;
                            out.push(Statement::Targets(name, targets));
                        }
                        Some("callprototype" | "calltargets") => self.skip_past(';'),
                        _ => out.push(Statement::Label(name, line)),
                    }
                }
                Some(_) => {
                    let instruction = self.instruction()?;
                    out.push(Statement::Instruction(instruction));
                }
                None => return self.fail("'}'"),
            }
        }
    }

    /// Names with commas, and the semicolon.
    fn names(&mut self) -> Parsed<Vec<&'a str>> {
        let mut names = vec![self.ident()?];
        while self.eat(',') {
            names.push(self.ident()?);
        }
        self.expect(';')?;
        Ok(names)
    }

    fn body_directive(&mut self, line: u32, out: &mut Vec<Statement<'a>>) -> Parsed<()> {
        match self.peek_directive() {
            Some("loc" | "file") => self.skip_line(line),
            Some("pragma") => self.skip_past(';'),
            Some("reg") => {
                self.at += 2;
                self.registers(line, out)?;
            }
            Some("local" | "shared" | "param" | "const" | "global") => {
                let mut variables = Vec::new();
                self.variables(false, &mut variables)?;
                out.extend(variables.into_iter().map(Statement::Variable));
            }
            _ => return self.fail("a statement"),
        }
        Ok(())
    }

    /// `.reg .type name, prefix<n>;`
    fn registers(&mut self, line: u32, out: &mut Vec<Statement<'a>>) -> Parsed<()> {
        let mut ty = None;
        while let Some(name) = self.directive() {
            ty = Ty::parse(name);
            if ty.is_none() {
                // A type that only unsupported instructions use (b128, e4m3x2): they are what is reported.
                ty = Some(Ty::U64);
            }
        }
        let Some(ty) = ty else { return Err(PtxError::syntax(line, "registers without a type")) };
        let mut names = Vec::new();
        loop {
            let name = self.ident()?;
            let count = if self.eat('<') {
                let count = self.int()?;
                self.expect('>')?;
                Some(count)
            } else {
                None
            };
            names.push((name, count));
            if self.eat(';') {
                out.push(Statement::Registers(ty, names));
                return Ok(());
            }
            self.expect(',')?;
        }
    }

    fn instruction(&mut self) -> Parsed<Instruction<'a>> {
        let line = self.line();
        let guard = if self.eat('@') {
            let negated = self.eat('!');
            Some((self.ident()?, negated))
        } else {
            None
        };
        let mut name = vec![self.ident()?];
        while let Some(part) = self.directive() {
            name.push(part);
        }
        let start = self.at;
        let (operands, broken) = match self.operands() {
            Ok(operands) => (operands, None),
            Err(error) => {
                // Operands that only an unsupported instruction has: the decoder says which.
                self.at = start;
                while self.peek().is_some_and(|tok| !matches!(tok, Tok::Punct(';'))) {
                    self.at += 1;
                }
                self.expect(';')?;
                (Vec::new(), Some(error.message))
            }
        };
        Ok(Instruction { line, guard, name, operands, broken })
    }

    fn operands(&mut self) -> Parsed<Vec<Operand<'a>>> {
        let mut operands = Vec::new();
        if self.eat(';') {
            return Ok(operands);
        }
        loop {
            operands.push(self.operand()?);
            if self.eat(';') {
                return Ok(operands);
            }
            self.expect(',')?;
        }
    }

    fn list(&mut self, end: char) -> Parsed<Vec<Operand<'a>>> {
        let mut list = Vec::new();
        while !self.eat(end) {
            list.push(self.deeper(Self::operand)?);
            if !self.eat(',') {
                self.expect(end)?;
                break;
            }
        }
        Ok(list)
    }

    fn operand(&mut self) -> Parsed<Operand<'a>> {
        if self.eat('{') {
            return Ok(Operand::Vector(self.list('}')?));
        }
        if self.eat('(') {
            return Ok(Operand::Group(self.list(')')?));
        }
        if self.eat('[') {
            let address = self.address()?;
            self.expect(']')?;
            return Ok(address);
        }
        if self.eat('!') {
            return Ok(Operand::Not(self.ident()?));
        }
        let negative = self.eat('-');
        let operand = match self.peek() {
            Some(Tok::Int(value)) => Operand::Int(if negative { value.wrapping_neg() } else { value }),
            Some(Tok::F32(bits)) => Operand::F32(bits ^ (u32::from(negative) << 31)),
            Some(Tok::F64(bits)) => Operand::F64(bits ^ (u64::from(negative) << 63)),
            Some(Tok::Ident(name)) if !negative => {
                self.at += 1;
                return self.after_name(name);
            }
            _ => return self.fail("an operand"),
        };
        self.at += 1;
        Ok(operand)
    }

    fn after_name(&mut self, name: &'a str) -> Parsed<Operand<'a>> {
        match self.peek() {
            Some(Tok::Punct('.')) => {
                self.at += 1;
                Ok(Operand::Member(name, self.ident()?))
            }
            Some(Tok::Punct('|')) => {
                self.at += 1;
                Ok(Operand::Pair(name, self.ident()?))
            }
            Some(Tok::Punct('+' | '-')) => Ok(Operand::Offset(name, self.offset()?)),
            _ => Ok(Operand::Name(name)),
        }
    }

    fn address(&mut self) -> Parsed<Operand<'a>> {
        match self.peek() {
            Some(Tok::Int(value)) => {
                self.at += 1;
                Ok(Operand::Address(None, value as i64))
            }
            _ => {
                let name = self.ident()?;
                Ok(Operand::Address(Some(name), self.offset()?))
            }
        }
    }
}
