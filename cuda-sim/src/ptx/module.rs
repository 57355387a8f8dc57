//! A module: its kernels and its variables.

use std::collections::HashMap;

use super::ast::{Function, Init, Source, Variable};
use super::code::Code;
use super::error::{PtxError, PtxErrorKind};
use super::types::{Space, Ty, align_up};
use super::{decode, parse};

/// PTX text, read and decoded.
#[derive(Debug)]
pub struct Module {
    version: (u32, u32),
    target: u32,
    kernels: Vec<Kernel>,
    globals: Vec<Global>,
}

/// A kernel (`.entry`) of a module.
#[derive(Debug)]
pub struct Kernel {
    pub(crate) name: Box<str>,
    params: Vec<Param>,
    max_threads: Option<[u32; 3]>,
    pub(crate) code: Result<Code, PtxError>,
}

/// A parameter of a kernel: where it lies in the launch's parameter bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name in the PTX.
    pub name: Box<str>,
    /// Bytes from the start.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
    /// What the offset is a multiple of.
    pub align: u32,
}

/// A variable of the module in global or constant memory. Whoever launches gives it an address.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name.
    pub name: Box<str>,
    /// Bytes.
    pub size: u32,
    /// What its address must be a multiple of.
    pub align: u32,
    /// Whether it is `.const`: kernels only read it.
    pub constant: bool,
    /// Initial bytes as far as they are given; the rest is zero.
    init: Vec<u8>,
    /// Where the address of another variable plus a number belongs.
    addresses: Vec<(usize, u32, i64)>,
}

impl Module {
    /// Reads a module. A kernel that uses PTX outside the supported subset does not stop the others: its
    /// [`Kernel::error`] says what it is.
    ///
    /// # Errors
    ///
    /// If the text is no PTX, with the line: what a driver refuses with `CUDA_ERROR_INVALID_PTX`. Or if something
    /// outside kernels is not supported.
    pub fn parse(text: &str) -> Result<Module, PtxError> {
        read(text).map_err(|error| error.with_text(text))
    }

    /// `.version` of the text, such as (7, 0).
    pub fn version(&self) -> (u32, u32) {
        self.version
    }

    /// `.target`'s number, such as 50 for `sm_50`.
    pub fn target(&self) -> u32 {
        self.target
    }

    /// All kernels, in the order of the text.
    pub fn kernels(&self) -> impl Iterator<Item = &Kernel> {
        self.kernels.iter()
    }

    /// The kernel of a name.
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|kernel| &*kernel.name == name)
    }

    /// Variables in global and constant memory, in the order of [`Launch::globals`](super::Launch::globals).
    pub fn globals(&self) -> &[Global] {
        &self.globals
    }
}

impl Kernel {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its parameters, in order.
    pub fn params(&self) -> &[Param] {
        &self.params
    }

    /// Bytes that the parameters take together.
    pub fn params_size(&self) -> u32 {
        self.params.last().map_or(0, |param| param.offset + param.size)
    }

    /// Bytes of shared memory that each block has without asking.
    pub fn static_shared_bytes(&self) -> u32 {
        self.code.as_ref().map_or(0, |code| code.static_shared)
    }

    /// Bytes of local memory of each thread.
    pub fn local_bytes(&self) -> u32 {
        self.code.as_ref().map_or(0, |code| code.local)
    }

    /// `.maxntid` or `.reqntid`.
    pub fn max_threads(&self) -> Option<[u32; 3]> {
        self.max_threads
    }

    /// Why the kernel can't be run, if it uses PTX outside the supported subset.
    pub fn error(&self) -> Option<&PtxError> {
        self.code.as_ref().err()
    }
}

impl Global {
    /// The bytes it holds when the module is loaded. `addresses` are those of all globals in their order, as
    /// [`Launch::globals`](super::Launch::globals); a missing one counts as 0.
    pub fn initial_bytes(&self, addresses: &[u64]) -> Vec<u8> {
        let mut bytes = self.init.clone();
        bytes.resize(self.size as usize, 0);
        for &(at, index, addend) in &self.addresses {
            let address = addresses.get(index as usize).copied().unwrap_or(0).wrapping_add_signed(addend);
            if let Some(place) = bytes.get_mut(at..at + 8) {
                place.copy_from_slice(&address.to_le_bytes());
            }
        }
        bytes
    }
}

fn read(text: &str) -> Result<Module, PtxError> {
    let source = parse::parse(text)?;
    let in_memory = |variable: &&Variable<'_>| matches!(variable.space, Some(Space::Global | Space::Const));
    let variables: HashMap<&str, u32> =
        source.variables.iter().filter(in_memory).map(|variable| variable.name).zip(0..).collect();
    let globals = source.variables.iter().filter(in_memory);
    let globals = globals.map(|variable| global(variable, &variables)).collect::<Result<Vec<_>, _>>()?;
    let mut kernels = Vec::new();
    for function in source.functions.iter().filter(|function| function.entry) {
        kernels.push(kernel(&source, &variables, function, text)?);
    }
    Ok(Module { version: source.version, target: source.target, kernels, globals })
}

fn kernel<'a>(
    source: &Source<'a>,
    variables: &HashMap<&'a str, u32>,
    function: &Function<'a>,
    text: &str,
) -> Result<Kernel, PtxError> {
    let code = match decode::decode(source, variables, function) {
        Err(error) if error.kind == PtxErrorKind::Syntax => return Err(error),
        other => other.map_err(|error| error.with_text(text)),
    };
    let mut params: Vec<Param> = Vec::new();
    for variable in &function.params {
        let end = params.last().map_or(0, |last| last.offset + last.size);
        let (offset, size) = (align_up(end, variable.align), variable.size.unwrap_or(0));
        if size > 32_764 || offset > 32_764 {
            return Err(PtxError::syntax(variable.line, "more than 32,764 bytes of parameters"));
        }
        params.push(Param { name: variable.name.into(), offset, size, align: variable.align });
    }
    Ok(Kernel { name: function.name.into(), params, max_threads: function.max_threads, code })
}

fn global(variable: &Variable<'_>, variables: &HashMap<&str, u32>) -> Result<Global, PtxError> {
    let Some(size) = variable.size.filter(|_| !variable.external) else {
        return Err(PtxError::unsupported(variable.line, format!("{} of another module", variable.name)));
    };
    let (mut init, mut addresses) = (Vec::new(), Vec::new());
    let width = variable.ty.size() as usize;
    for element in &variable.init {
        let bits = match *element {
            Init::Int(value) => value,
            Init::F32(bits) if variable.ty == Ty::F64 => f64::from(f32::from_bits(bits)).to_bits(),
            Init::F32(bits) => bits.into(),
            Init::F64(bits) if variable.ty == Ty::F32 => (f64::from_bits(bits) as f32).to_bits().into(),
            Init::F64(bits) => bits,
            Init::Address(name, addend) => {
                let Some(&index) = variables.get(name).filter(|_| width == 8) else {
                    let message = format!("the address of {name} in an initialiser");
                    return Err(PtxError::unsupported(variable.line, message));
                };
                addresses.push((init.len(), index, addend));
                0
            }
        };
        init.extend_from_slice(&bits.to_le_bytes()[..width]);
    }
    if init.len() > size as usize {
        return Err(PtxError::syntax(variable.line, format!("too many values for {}", variable.name)));
    }
    let constant = variable.space == Some(Space::Const);
    Ok(Global { name: variable.name.into(), size, align: variable.align, constant, init, addresses })
}
