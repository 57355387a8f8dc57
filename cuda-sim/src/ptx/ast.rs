//! PTX as it is written: what the parser hands to the decoder.

use super::types::{Space, Ty};

/// A whole module.
#[derive(Debug, Default)]
pub(crate) struct Source<'a> {
    pub(crate) version: (u32, u32),
    pub(crate) target: u32,
    pub(crate) variables: Vec<Variable<'a>>,
    pub(crate) functions: Vec<Function<'a>>,
}

/// A `.entry` or `.func`; a declaration has no body.
#[derive(Debug)]
pub(crate) struct Function<'a> {
    pub(crate) name: &'a str,
    pub(crate) line: u32,
    pub(crate) entry: bool,
    pub(crate) results: Vec<Variable<'a>>,
    pub(crate) params: Vec<Variable<'a>>,
    pub(crate) max_threads: Option<[u32; 3]>,
    pub(crate) body: Option<Vec<Statement<'a>>>,
}

/// A variable in memory, or a parameter. `.reg` parameters of functions have no space.
#[derive(Debug, Clone)]
pub(crate) struct Variable<'a> {
    pub(crate) name: &'a str,
    pub(crate) line: u32,
    pub(crate) space: Option<Space>,
    pub(crate) ty: Ty,
    pub(crate) align: u32,
    /// Bytes; `None` for an array whose size the launch gives.
    pub(crate) size: Option<u32>,
    pub(crate) external: bool,
    pub(crate) init: Vec<Init<'a>>,
}

/// One element of an initialiser.
#[derive(Debug, Clone)]
pub(crate) enum Init<'a> {
    Int(u64),
    F32(u32),
    F64(u64),
    /// A variable's address plus so many bytes.
    Address(&'a str, i64),
}

/// A statement of a body.
#[derive(Debug)]
pub(crate) enum Statement<'a> {
    Instruction(Instruction<'a>),
    Label(&'a str, u32),
    Open,
    Close,
    /// Names, or prefixes with how many there are.
    Registers(Ty, Vec<(&'a str, Option<u64>)>),
    Variable(Variable<'a>),
    Targets(&'a str, Vec<&'a str>),
}

/// An instruction. `broken` says what could not be read of its operands.
#[derive(Debug)]
pub(crate) struct Instruction<'a> {
    pub(crate) line: u32,
    /// The guard's register, and whether it is negated.
    pub(crate) guard: Option<(&'a str, bool)>,
    /// The name at its dots.
    pub(crate) name: Vec<&'a str>,
    pub(crate) operands: Vec<Operand<'a>>,
    pub(crate) broken: Option<String>,
}

/// An operand.
#[derive(Debug, Clone)]
pub(crate) enum Operand<'a> {
    /// A register, a variable, a label, a function; `_` too.
    Name(&'a str),
    /// `%tid.x`.
    Member(&'a str, &'a str),
    /// `!%p`.
    Not(&'a str),
    Int(u64),
    F32(u32),
    F64(u64),
    /// `name+4` outside brackets.
    Offset(&'a str, i64),
    /// `[name+4]`.
    Address(Option<&'a str>, i64),
    /// `{a, b}`.
    Vector(Vec<Operand<'a>>),
    /// `p|q`.
    Pair(&'a str, &'a str),
    /// `(a, b)` of a call.
    Group(Vec<Operand<'a>>),
}
