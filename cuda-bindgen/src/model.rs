//! What a header declares, in our terms.

use std::collections::{BTreeMap, BTreeSet};

/// Which API a header is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Api {
    /// `cuda.h`.
    Driver,
    /// `cuda_runtime_api.h`.
    Runtime,
}

impl Api {
    /// The header.
    #[must_use]
    pub const fn header(self) -> &'static str {
        match self {
            Self::Driver => "cuda.h",
            Self::Runtime => "cuda_runtime_api.h",
        }
    }

    /// The macro that holds the header's version.
    #[must_use]
    pub const fn version_macro(self) -> &'static str {
        match self {
            Self::Driver => "CUDA_VERSION",
            Self::Runtime => "CUDART_VERSION",
        }
    }
}

/// All that a header declares.
#[derive(Debug, Clone)]
pub struct Bindings {
    /// Which API.
    pub api: Api,
    /// Version of the header, such as 13050.
    pub version: u32,
    /// The bindgen that read it, such as `0.73.2`.
    pub tool: String,
    pub(crate) constants: Vec<Constant>,
    pub(crate) enums: Vec<Enum>,
    pub(crate) records: Vec<Record>,
    pub(crate) handles: Vec<String>,
    pub(crate) aliases: Vec<Alias>,
    pub(crate) functions: Vec<Function>,
    /// Names that come from `cuda-driver-sys`.
    pub(crate) from_driver: Vec<String>,
    /// Names that come from the module of another major.
    pub(crate) shared: BTreeSet<String>,
    /// Tags of renamed types: what they are called here, by their name in C.
    pub(crate) tags: BTreeMap<String, String>,
}

impl Bindings {
    /// Number of functions, old ABIs and per-thread variants included.
    #[must_use]
    pub fn function_count(&self) -> usize {
        self.functions.len()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Constant {
    pub(crate) name: String,
    pub(crate) ty: String,
    pub(crate) value: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Enum {
    pub(crate) name: String,
    /// Signed in C, whatever the compiler.
    pub(crate) signed: bool,
    pub(crate) values: Vec<(String, i64)>,
}

/// A struct or union.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) name: String,
    pub(crate) union: bool,
    pub(crate) align: Option<u32>,
    pub(crate) fields: Vec<Field>,
    pub(crate) size: u64,
    pub(crate) alignment: u64,
    pub(crate) offsets: BTreeMap<String, u64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) ty: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Alias {
    pub(crate) name: String,
    pub(crate) ty: String,
    /// A second name of an enum: its constructor has to be reachable through it too.
    pub(crate) reexport: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) arguments: Vec<(String, String)>,
    pub(crate) output: Option<String>,
}

impl Function {
    /// Arguments and result without the arguments' names, which may differ between headers.
    pub(crate) fn signature(&self) -> String {
        let arguments: Vec<&str> = self.arguments.iter().map(|(_, ty)| ty.as_str()).collect();
        format!("({}) -> {}", arguments.join(", "), self.output.as_deref().unwrap_or("()"))
    }
}

/// The identifiers in the text of a type.
pub(crate) fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}
