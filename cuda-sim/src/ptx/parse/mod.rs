//! Tokens into [`ast`](super::ast).

mod body;
mod variable;

use super::ast::{Function, Source};
use super::error::PtxError;
use super::lexer::{self, Tok, Token};

/// Reads a module.
pub(crate) fn parse(text: &str) -> Result<Source<'_>, PtxError> {
    let tokens = lexer::tokens(text).map_err(|error| PtxError::syntax(error.line, error.message))?;
    Parser { tokens: &tokens, at: 0, depth: 0 }.module()
}

type Parsed<T> = Result<T, PtxError>;

/// A place in the tokens.
struct Parser<'t, 'a> {
    tokens: &'t [Token<'a>],
    at: usize,
    /// Braces and parentheses that are open in an operand or initialiser.
    depth: u32,
}

/// More braces inside each other than that are no PTX.
const MAX_DEPTH: u32 = 32;

impl<'a> Parser<'_, 'a> {
    /// Does something inside one more pair of braces.
    fn deeper<T>(&mut self, f: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_DEPTH {
            return Err(PtxError::syntax(self.line(), "too many braces inside each other"));
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    fn peek(&self) -> Option<Tok<'a>> {
        self.tokens.get(self.at).map(|token| token.tok)
    }

    fn peek_after(&self, distance: usize) -> Option<Tok<'a>> {
        self.tokens.get(self.at + distance).map(|token| token.tok)
    }

    fn line(&self) -> u32 {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(0, |token| token.line)
    }

    fn fail<T>(&self, expected: &str) -> Parsed<T> {
        let found = match self.peek() {
            None => "the end of the text".to_owned(),
            Some(Tok::Ident(name)) => format!("{name:?}"),
            Some(Tok::Punct(c)) => format!("{c:?}"),
            Some(Tok::Str(_)) => "a string".to_owned(),
            Some(_) => "a number".to_owned(),
        };
        Err(PtxError::syntax(self.line(), format!("{expected} expected, {found} found")))
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(Tok::Punct(c));
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, c: char) -> Parsed<()> {
        if self.eat(c) { Ok(()) } else { self.fail(&format!("{c:?}")) }
    }

    fn ident(&mut self) -> Parsed<&'a str> {
        match self.peek() {
            Some(Tok::Ident(name)) => {
                self.at += 1;
                Ok(name)
            }
            _ => self.fail("a name"),
        }
    }

    fn int(&mut self) -> Parsed<u64> {
        match self.peek() {
            Some(Tok::Int(value)) => {
                self.at += 1;
                Ok(value)
            }
            _ => self.fail("an integer"),
        }
    }

    fn small_int(&mut self) -> Parsed<u32> {
        let line = self.line();
        let value = self.int()?;
        u32::try_from(value).map_err(|_| PtxError::syntax(line, format!("{value} is too large here")))
    }

    /// `.name`, if it comes next.
    fn directive(&mut self) -> Option<&'a str> {
        match (self.peek(), self.peek_after(1)) {
            (Some(Tok::Punct('.')), Some(Tok::Ident(name))) => {
                self.at += 2;
                Some(name)
            }
            _ => None,
        }
    }

    fn peek_directive(&self) -> Option<&'a str> {
        match (self.peek(), self.peek_after(1)) {
            (Some(Tok::Punct('.')), Some(Tok::Ident(name))) => Some(name),
            _ => None,
        }
    }

    /// Leaves out what is left of a line.
    fn skip_line(&mut self, line: u32) {
        while self.tokens.get(self.at).is_some_and(|token| token.line == line) {
            self.at += 1;
        }
    }

    /// Leaves out everything to after the next `end`.
    fn skip_past(&mut self, end: char) {
        while self.peek().is_some_and(|tok| tok != Tok::Punct(end)) {
            self.at += 1;
        }
        self.at += 1;
    }

    fn module(&mut self) -> Parsed<Source<'a>> {
        let mut source = Source::default();
        self.header(&mut source)?;
        while self.peek().is_some() {
            let line = self.line();
            let Some(first) = self.peek_directive() else {
                return self.fail("a directive");
            };
            match first {
                "file" | "loc" => self.skip_line(line),
                "pragma" | "alias" => self.skip_past(';'),
                "section" => self.skip_past('}'),
                _ => self.definition(&mut source)?,
            }
        }
        Ok(source)
    }

    /// `.version`, `.target`, `.address_size`.
    fn header(&mut self, source: &mut Source<'a>) -> Parsed<()> {
        if self.directive() != Some("version") {
            return Err(PtxError::syntax(self.line(), "PTX begins with .version"));
        }
        source.version = match self.peek() {
            Some(Tok::F64(bits)) => {
                let text = f64::from_bits(bits).to_string();
                let (major, minor) = text.split_once('.').unwrap_or((&text, "0"));
                (major.parse().unwrap_or(0), minor.parse().unwrap_or(0))
            }
            _ => return self.fail("a version"),
        };
        self.at += 1;
        if self.directive() != Some("target") {
            return self.fail(".target");
        }
        loop {
            let name = self.ident()?;
            if let Some(number) = name.strip_prefix("sm_") {
                source.target = number.trim_end_matches(char::is_alphabetic).parse().unwrap_or(0);
            }
            if !self.eat(',') {
                break;
            }
        }
        if self.peek_directive() == Some("address_size") {
            self.at += 2;
            let line = self.line();
            if self.int()? != 64 {
                return Err(PtxError::unsupported(line, "addresses of 32 bits"));
            }
        }
        Ok(())
    }

    /// A function or a variable.
    fn definition(&mut self, source: &mut Source<'a>) -> Parsed<()> {
        let mut external = false;
        while let Some(linkage @ ("visible" | "extern" | "weak" | "common")) = self.peek_directive() {
            external |= linkage == "extern";
            self.at += 2;
        }
        match self.peek_directive() {
            Some("entry") => {
                self.at += 2;
                let function = self.function(true)?;
                source.functions.push(function);
            }
            Some("func") => {
                self.at += 2;
                let function = self.function(false)?;
                source.functions.push(function);
            }
            Some("global" | "const" | "shared") => self.variables(external, &mut source.variables)?,
            Some(other) => return Err(PtxError::unsupported(self.line(), format!("the directive .{other}"))),
            None => return self.fail("a directive"),
        }
        Ok(())
    }

    fn function(&mut self, entry: bool) -> Parsed<Function<'a>> {
        let line = self.line();
        while self.peek_directive().is_some() {
            self.at += 2;
        }
        let results = if !entry && self.eat('(') { self.params()? } else { Vec::new() };
        let name = self.ident()?;
        let params = if self.eat('(') { self.params()? } else { Vec::new() };
        let mut function = Function { name, line, entry, results, params, max_threads: None, body: None };
        loop {
            match self.directive() {
                Some("maxntid" | "reqntid") => {
                    let mut sizes = [1; 3];
                    sizes[0] = self.small_int()?;
                    for size in &mut sizes[1..] {
                        if self.eat(',') {
                            *size = self.small_int()?;
                        }
                    }
                    function.max_threads = Some(sizes);
                }
                Some(_) => {
                    while matches!(self.peek(), Some(Tok::Int(_) | Tok::Str(_) | Tok::Punct(','))) {
                        self.at += 1;
                    }
                }
                None => break,
            }
        }
        if !self.eat(';') {
            self.expect('{')?;
            function.body = Some(self.body()?);
        }
        Ok(function)
    }
}
