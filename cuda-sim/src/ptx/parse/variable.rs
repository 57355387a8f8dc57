//! Declarations of variables and parameters.

use super::super::ast::{Init, Variable};
use super::super::error::PtxError;
use super::super::lexer::Tok;
use super::super::types::{Space, Ty};
use super::{Parsed, Parser};

impl<'a> Parser<'_, 'a> {
    /// The parameters after an opening parenthesis, and the closing one.
    pub(super) fn params(&mut self) -> Parsed<Vec<Variable<'a>>> {
        let mut params = Vec::new();
        if self.eat(')') {
            return Ok(params);
        }
        loop {
            let prototype = self.prototype(false)?;
            let param = self.declarator(&prototype)?;
            params.push(param);
            if self.eat(')') {
                return Ok(params);
            }
            self.expect(',')?;
        }
    }

    /// `.space .align n .type name[size] = init, …;`
    pub(super) fn variables(&mut self, external: bool, out: &mut Vec<Variable<'a>>) -> Parsed<()> {
        let prototype = self.prototype(external)?;
        loop {
            let mut variable = self.declarator(&prototype)?;
            if self.eat('=') {
                self.initialiser(&mut variable.init)?;
            }
            out.push(variable);
            if self.eat(';') {
                return Ok(());
            }
            self.expect(',')?;
        }
    }

    /// What stands before the name.
    fn prototype(&mut self, external: bool) -> Parsed<Variable<'a>> {
        let line = self.line();
        let (mut space, mut ty, mut align, mut vector, mut register) = (None, None, None, 1, false);
        while let Some(name) = self.directive() {
            match name {
                "reg" => register = true,
                // What a pointer parameter points to says nothing about the parameter itself.
                "ptr" => {
                    while let Some(pointed) = self.peek_directive() {
                        self.at += 2;
                        if pointed == "align" {
                            self.int()?;
                        }
                    }
                }
                "align" => align = Some(self.small_int()?),
                "attribute" => self.skip_past(')'),
                "v2" => vector = 2,
                "v4" => vector = 4,
                _ => match (Space::parse(name), Ty::parse(name)) {
                    (Some(found), _) => space = Some(found),
                    (None, Some(found)) => ty = Some(found),
                    _ => return Err(PtxError::unsupported(line, format!("a variable with .{name}"))),
                },
            }
        }
        let Some(ty) = ty else { return self.fail("a type") };
        let natural = ty.size() * vector;
        let align = align.unwrap_or(natural);
        if !align.is_power_of_two() {
            return Err(PtxError::syntax(line, format!("an alignment of {align}")));
        }
        let space = if register { None } else { space };
        Ok(Variable { name: "", line, space, ty, align, size: Some(natural), external, init: Vec::new() })
    }

    /// The name and the sizes of an array.
    fn declarator(&mut self, prototype: &Variable<'a>) -> Parsed<Variable<'a>> {
        let mut variable = Variable { line: self.line(), name: self.ident()?, ..prototype.clone() };
        while self.eat('[') {
            if self.eat(']') {
                variable.size = None;
                continue;
            }
            let line = self.line();
            let count = self.small_int()?;
            self.expect(']')?;
            let too_large = || PtxError::syntax(line, "an array too large");
            variable.size = match variable.size {
                Some(size) => Some(size.checked_mul(count).ok_or_else(too_large)?),
                None => None,
            };
        }
        Ok(variable)
    }

    /// A value, or values in braces, which may be nested.
    fn initialiser(&mut self, out: &mut Vec<Init<'a>>) -> Parsed<()> {
        if !self.eat('{') {
            let value = self.initial_value()?;
            out.push(value);
            return Ok(());
        }
        while !self.eat('}') {
            self.deeper(|parser| parser.initialiser(out))?;
            if !self.eat(',') {
                self.expect('}')?;
                break;
            }
        }
        Ok(())
    }

    fn initial_value(&mut self) -> Parsed<Init<'a>> {
        let negative = self.eat('-');
        let value = match self.peek() {
            Some(Tok::Int(value)) => Init::Int(if negative { value.wrapping_neg() } else { value }),
            Some(Tok::F32(bits)) => Init::F32(bits ^ (u32::from(negative) << 31)),
            Some(Tok::F64(bits)) => Init::F64(bits ^ (u64::from(negative) << 63)),
            Some(Tok::Ident("generic")) => {
                self.at += 1;
                self.expect('(')?;
                let name = self.ident()?;
                self.expect(')')?;
                return Ok(Init::Address(name, self.offset()?));
            }
            Some(Tok::Ident(name)) => {
                self.at += 1;
                return Ok(Init::Address(name, self.offset()?));
            }
            _ => return self.fail("a value"),
        };
        self.at += 1;
        Ok(value)
    }

    /// `+4`, `-4`, `+-4`, or nothing.
    pub(super) fn offset(&mut self) -> Parsed<i64> {
        let plus = self.eat('+');
        let minus = self.eat('-');
        if !plus && !minus {
            return Ok(0);
        }
        let value = self.int()? as i64;
        Ok(if minus { value.wrapping_neg() } else { value })
    }
}
