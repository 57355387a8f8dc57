//! Opening one library of the process, once.

use core::ffi::{CStr, c_void};
use core::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cuda_locate::{Candidate, Env, System, Via};
use once_cell::sync::OnceCell;

use super::native::{Handle, file_of};
use super::{AlreadyLoaded, Attempt, CudaVersion, FoundVia, LibraryError, LibraryKind, LoadError, SymbolError, file};
use crate::support::Entry;

/// Gives functions by name in place of a library, such as a simulator's.
#[derive(Clone, Copy, Debug)]
pub struct Resolver {
    /// The address of the function with this name, or null if there is none.
    pub symbol: fn(&CStr) -> *const c_void,
    /// The version that the functions claim to be.
    pub version: CudaVersion,
}

/// The functions that the program is linked with, sorted by name.
pub type LinkedTable = &'static [(&'static CStr, unsafe extern "C" fn())];

/// Where a linked function is.
#[doc(hidden)]
#[must_use]
#[allow(clippy::fn_to_numeric_cast_any)]
pub fn address(function: unsafe extern "C" fn()) -> *mut c_void {
    function as *mut c_void
}

/// A library in use.
pub struct Loaded {
    kind: LibraryKind,
    source: Source,
    path: Option<PathBuf>,
    via: FoundVia,
    version: Option<CudaVersion>,
    note: Option<String>,
}

enum Source {
    Handle(Handle),
    Linked { table: LinkedTable, rest: Option<Handle> },
    Resolver(Resolver),
}

impl Loaded {
    /// Which library it is.
    #[must_use]
    pub fn kind(&self) -> LibraryKind {
        self.kind
    }

    /// The file that is mapped, as the system's loader names it; `None` for a resolver and for a
    /// static library.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// How it was come by.
    #[must_use]
    pub fn via(&self) -> &FoundVia {
        &self.via
    }

    /// What the library says of itself; for the driver the newest CUDA version that it serves.
    #[must_use]
    pub fn version(&self) -> Option<CudaVersion> {
        self.version
    }

    /// Something odd about it that the user should know, such as that it is a toolkit's stub.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// The address of a function by its exact name, or null.
    #[must_use]
    pub fn symbol(&self, name: &CStr) -> *mut c_void {
        match &self.source {
            Source::Handle(handle) => handle.symbol(name),
            Source::Resolver(resolver) => (resolver.symbol)(name).cast_mut(),
            Source::Linked { table, rest } => match table.binary_search_by(|(known, _)| (*known).cmp(name)) {
                Ok(index) => address(table[index].1),
                Err(_) => rest.as_ref().map_or(core::ptr::null_mut(), |handle| handle.symbol(name)),
            },
        }
    }

    /// The address of a function of a table. Not part of the API.
    ///
    /// # Errors
    /// [`LoadError::Symbol`].
    #[doc(hidden)]
    pub fn find(&self, entry: &'static Entry) -> Result<*mut c_void, LoadError> {
        let address = self.symbol(entry.name);
        if address.is_null() { Err(self.missing(entry, None)) } else { Ok(address) }
    }

    /// The error for a function that is not there. Not part of the API.
    #[doc(hidden)]
    #[must_use]
    pub fn missing(&self, entry: &'static Entry, needs_major: Option<u32>) -> LoadError {
        LoadError::Symbol(Arc::new(SymbolError {
            library: self.kind,
            name: entry.name(),
            since: Some(entry.since()),
            loaded: self.version,
            path: self.path.clone(),
            needs_major,
        }))
    }

    /// From a resolver. Not part of the API.
    #[doc(hidden)]
    #[must_use]
    pub fn resolver(kind: LibraryKind, resolver: Resolver) -> Self {
        Self {
            kind,
            source: Source::Resolver(resolver),
            path: None,
            via: FoundVia::Resolver,
            version: Some(resolver.version),
            note: None,
        }
    }

    /// What the program is linked with. Not part of the API.
    #[doc(hidden)]
    #[must_use]
    pub fn linked(kind: LibraryKind, table: LinkedTable, is_static: bool, version: Option<CudaVersion>) -> Self {
        let path = table.first().and_then(|(_, function)| file_of(address(*function))).filter(|_| !is_static);
        let rest = path.as_deref().and_then(Handle::already_open);
        let via = if is_static { FoundVia::Static } else { FoundVia::Linked };
        let note = path.as_deref().and_then(stub_note);
        Self { kind, source: Source::Linked { table, rest }, path, via, version, note }
    }
}

impl fmt::Debug for Loaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loaded")
            .field("kind", &self.kind)
            .field("path", &self.path)
            .field("via", &self.via)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

/// What a look at an open library gave. Not part of the API.
#[doc(hidden)]
#[derive(Debug)]
pub struct Checked {
    /// Its version.
    pub version: Option<CudaVersion>,
    /// A function of it, to find out the file.
    pub function: *const c_void,
    /// See [`Loaded::note`].
    pub note: Option<String>,
}

/// How a library is recognised. Not part of the API.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Opener {
    /// Which library.
    pub kind: LibraryKind,
    /// Looks at an open library; an error refuses it.
    pub check: fn(&Handle, path: &str) -> Result<Checked, String>,
}

impl Opener {
    /// Opens and checks one candidate.
    ///
    /// # Errors
    /// The attempt and its problem.
    pub fn open(&self, path: &str, via: FoundVia) -> Result<Loaded, Attempt> {
        let attempt = |problem: String| Attempt { path: path.to_owned(), via: via.clone(), problem };
        let bare = !path.contains(['/', '\\']);
        // SAFETY: the name or path was given as CUDA's library, by the user or by its usual place.
        let handle = unsafe { Handle::open(path) }.map_err(|words| {
            // Our own words name the cause better, where there is a file to look at.
            let ours = if bare { None } else { file::problem(Path::new(path)) };
            attempt(ours.map_or(words.clone(), |ours| format!("{ours} (system: {words})")))
        })?;
        let checked = (self.check)(&handle, path).map_err(attempt)?;
        let file = file_of(checked.function).or_else(|| (!bare).then(|| PathBuf::from(path)));
        let note = checked.note.or_else(|| file.as_deref().and_then(stub_note));
        Ok(Loaded { kind: self.kind, source: Source::Handle(handle), path: file, via, version: checked.version, note })
    }

    /// The file that a variable names, if it is set: then it and nothing else.
    ///
    /// # Errors
    /// [`LoadError::Library`] if the file is not what is wanted.
    pub fn from_variable(&self, variable: &'static str) -> Option<Result<Loaded, LoadError>> {
        let path = System.variable(variable)?;
        let hint = format!("{variable} is set, so that no other place is looked at.");
        Some(
            self.open(&path, FoundVia::Env(variable))
                .map_err(|attempt| self.error(vec![attempt], Vec::new(), Some(hint))),
        )
    }

    /// The first candidate that is what is wanted; problems are added to `tried`.
    pub fn first(&self, candidates: Vec<Candidate>, tried: &mut Vec<Attempt>) -> Option<Loaded> {
        for candidate in candidates {
            match self.open(&candidate.path, found_via(&candidate.via)) {
                Ok(loaded) => return Some(loaded),
                Err(attempt) => tried.push(attempt),
            }
        }
        None
    }

    /// Adds files of this name that the system's loader passed over, with what is wrong with them.
    pub fn diagnose(&self, name: &str, directories: &[String], tried: &mut Vec<Attempt>) {
        let list = System.variable("LD_LIBRARY_PATH").unwrap_or_default();
        let named =
            list.split(':').filter(|entry| !entry.is_empty()).map(|entry| (entry, FoundVia::Env("LD_LIBRARY_PATH")));
        let usual = directories.iter().map(|entry| (entry.as_str(), FoundVia::Toolkit("usual place".to_owned())));
        for (directory, via) in named.chain(usual) {
            let path = Path::new(directory).join(name);
            let text = path.display().to_string();
            if path.symlink_metadata().is_err() || tried.iter().any(|attempt| attempt.path == text) {
                continue;
            }
            if let Some(problem) = file::problem(&path) {
                tried.push(Attempt { path: text, via, problem });
            }
        }
    }

    /// The error that says all that was tried.
    #[must_use]
    pub fn error(&self, tried: Vec<Attempt>, searched: Vec<String>, hint: Option<String>) -> LoadError {
        LoadError::Library(Arc::new(LibraryError { library: self.kind, tried, searched, hint }))
    }
}

fn found_via(via: &Via) -> FoundVia {
    match via {
        Via::SystemLoader => FoundVia::SystemLoader,
        Via::PyPi => FoundVia::PyPi,
        Via::Conda => FoundVia::Conda,
        other => FoundVia::Toolkit(other.to_string()),
    }
}

/// A toolkit's `stubs` folder holds libraries that serve linking only.
fn stub_note(path: &Path) -> Option<String> {
    let stubs = path.components().any(|part| part.as_os_str() == "stubs");
    stubs.then(|| {
        format!("{} is a stub that serves linking only: take its folder out of the library search path", path.display())
    })
}

/// The one library of its kind in this process. Not part of the API.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Holder(OnceCell<Loaded>);

impl Holder {
    /// Nothing loaded yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(OnceCell::new())
    }

    /// The library, if it is loaded.
    #[inline]
    pub fn loaded(&self) -> Option<&Loaded> {
        self.0.get()
    }

    /// The library; opens it if that has not succeeded before.
    ///
    /// # Errors
    /// Those of `open`; they are not remembered.
    pub fn load(&self, open: impl FnOnce() -> Result<Loaded, LoadError>) -> Result<&Loaded, LoadError> {
        self.0.get_or_try_init(open)
    }

    /// The library from this very file.
    ///
    /// # Errors
    /// [`LoadError::Library`] if the file is not what is wanted or another one is in use.
    pub fn load_from(&self, opener: &Opener, path: &Path) -> Result<&Loaded, LoadError> {
        let text = path.display().to_string();
        let mut fresh = false;
        let loaded = self.load(|| {
            fresh = true;
            let hint = "The program gave this path, so that no other place was looked at.".to_owned();
            opener
                .open(&text, FoundVia::Explicit)
                .map_err(|attempt| opener.error(vec![attempt], Vec::new(), Some(hint)))
        })?;
        let same = |one: &Path| {
            one == path || matches!((one.canonicalize(), path.canonicalize()), (Ok(one), Ok(other)) if one == other)
        };
        if fresh || loaded.path().is_some_and(same) {
            return Ok(loaded);
        }
        let problem = AlreadyLoaded { path: loaded.path.clone() }.to_string();
        Err(opener.error(vec![Attempt { path: text, via: FoundVia::Explicit, problem }], Vec::new(), None))
    }

    /// Takes this in place of a library.
    ///
    /// # Errors
    /// [`AlreadyLoaded`] if one is in use.
    pub fn install(&self, loaded: Loaded) -> Result<(), AlreadyLoaded> {
        self.0.set(loaded).map_err(|_| AlreadyLoaded { path: self.0.get().and_then(|loaded| loaded.path.clone()) })
    }
}
