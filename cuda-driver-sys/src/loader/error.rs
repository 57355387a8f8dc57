//! What went wrong, as values.

use core::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::CudaVersion;

/// A library, or a function in it, that is not there. Small; clones share the content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// The library can't be loaded.
    Library(Arc<LibraryError>),
    /// The library has no such function.
    Symbol(Arc<SymbolError>),
}

/// Which library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LibraryKind {
    /// libcuda, nvcuda.dll.
    Driver,
    /// libcudart.
    Runtime,
}

/// No file could be loaded as the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryError {
    /// Which library.
    pub library: LibraryKind,
    /// All that was tried, in order.
    pub tried: Vec<Attempt>,
    /// Directories that were searched and hold no file of that name.
    pub searched: Vec<String>,
    /// What to do about it.
    pub hint: Option<String>,
}

/// A file that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The path, or the name that the system's loader was given.
    pub path: String,
    /// Why it was tried.
    pub via: FoundVia,
    /// Why it was not taken: the system's words or ours.
    pub problem: String,
}

/// How a library was come by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FoundVia {
    /// The program gave the path.
    Explicit,
    /// This environment variable gives the path of the file.
    Env(&'static str),
    /// The system's loader knows the name.
    SystemLoader,
    /// A toolkit, or the usual directory of a driver; says which variable or place led there.
    Toolkit(String),
    /// NVIDIA's wheels in the Python environment.
    PyPi,
    /// The conda environment.
    Conda,
    /// The program is linked with it.
    Linked,
    /// It is part of the program.
    Static,
    /// A resolver gives the functions.
    Resolver,
}

/// A function that the loaded library has not got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolError {
    /// Which library.
    pub library: LibraryKind,
    /// The exact symbol.
    pub name: &'static str,
    /// The version that brought it.
    pub since: Option<CudaVersion>,
    /// Version of the library that is loaded.
    pub loaded: Option<CudaVersion>,
    /// File of the library that is loaded.
    pub path: Option<PathBuf>,
    /// The only major of the runtime whose function this is, if another one is loaded.
    pub needs_major: Option<u32>,
}

/// A library is in use already, so that another one (or a resolver) came too late.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlreadyLoaded {
    /// Its file, if it has one.
    pub path: Option<PathBuf>,
}

impl fmt::Display for LibraryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Driver => "CUDA driver library",
            Self::Runtime => "CUDA runtime library",
        })
    }
}

impl fmt::Display for FoundVia {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Explicit => f.write_str("given by the program"),
            Self::Env(name) => f.write_str(name),
            Self::SystemLoader => f.write_str("system loader"),
            Self::Toolkit(place) => f.write_str(place),
            Self::PyPi => f.write_str("Python wheels in VIRTUAL_ENV"),
            Self::Conda => f.write_str("CONDA_PREFIX"),
            Self::Linked => f.write_str("linked"),
            Self::Static => f.write_str("part of the program"),
            Self::Resolver => f.write_str("resolver"),
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Library(error) => error.fmt(f),
            Self::Symbol(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for LibraryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} could not be loaded. Tried:", self.library)?;
        for attempt in &self.tried {
            write!(f, "\n  {} ({}): {}", attempt.path, attempt.via, attempt.problem)?;
        }
        if !self.searched.is_empty() {
            write!(f, "\nSearched without finding it: {}", self.searched.join(", "))?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n{hint}")?;
        }
        Ok(())
    }
}

impl fmt::Display for SymbolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {}", self.library)?;
        if let Some(loaded) = self.loaded {
            write!(f, " of CUDA {loaded}")?;
        }
        if let Some(path) = &self.path {
            write!(f, " ({})", path.display())?;
        }
        if let Some(major) = self.needs_major {
            return write!(
                f,
                " is not of major {major}, whose {} was asked for: the same name has another ABI elsewhere",
                self.name
            );
        }
        write!(f, " has no {}", self.name)?;
        match (self.since, self.loaded) {
            (Some(since), Some(loaded)) if since > loaded => {
                write!(f, ", which exists since CUDA {since}")
            }
            (Some(since), _) => write!(f, ", although it exists since CUDA {since}: the library is incomplete"),
            (None, _) => Ok(()),
        }
    }
}

impl fmt::Display for AlreadyLoaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            Some(path) => write!(f, "{} is in use already", path.display()),
            None => f.write_str("a library is in use already"),
        }
    }
}

impl std::error::Error for LoadError {}
impl std::error::Error for LibraryError {}
impl std::error::Error for SymbolError {}
impl std::error::Error for AlreadyLoaded {}
