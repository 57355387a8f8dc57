//! The runtime library of this process: one, of major 12 or 13.
//!
//! Loaded when the first function is used, or by [`load`]. Order: a resolver, the file that the
//! variable `CUDA_RT_RUNTIME_LIBRARY` names (then nothing else), then for each major, the one that
//! suits the driver first: the system's loader, wheels in `VIRTUAL_ENV`, `CONDA_PREFIX`, the
//! toolkits that `CUDA_HOME`, `CUDA_PATH`, `CUDA_ROOT` and `CUDA_TOOLKIT_PATH` name, the usual
//! places. With the features `link-runtime` and `static-runtime` it is the one in the program.
//! Then the variable has no effect and [`load_from`] accepts that very file only.

use core::ffi::{CStr, c_int, c_void};
use std::path::Path;

use cuda_driver_sys::loader::{
    AlreadyLoaded, Checked, CudaVersion, Handle, Holder, LibraryKind, LoadError, Loaded, Opener, Resolver,
};

pub use crate::Major;

static HOLDER: Holder = Holder::new();

const OPENER: Opener = Opener { kind: LibraryKind::Runtime, check };

/// Environment variable with the path of the runtime library's file.
pub const LIBRARY_VARIABLE: &str = "CUDA_RT_RUNTIME_LIBRARY";

/// Loads the runtime library, unless it is loaded. A failure is not remembered.
///
/// # Errors
/// [`LoadError::Library`] with all that was tried.
pub fn load() -> Result<&'static Loaded, LoadError> {
    HOLDER.load(open)
}

/// Loads this very file, unless it is loaded.
///
/// # Errors
/// [`LoadError::Library`]: the file is no runtime library of major 12 or 13, or another one is in
/// use.
pub fn load_from(path: &Path) -> Result<&'static Loaded, LoadError> {
    #[cfg(cuda_linked)]
    load()?;
    HOLDER.load_from(&OPENER, path)
}

/// The library, if it is loaded; never loads.
#[must_use]
pub fn loaded() -> Option<&'static Loaded> {
    HOLDER.loaded()
}

/// Which major the library is of; loads it if need be.
///
/// # Errors
/// As [`load`].
pub fn major() -> Result<Major, LoadError> {
    let loaded = load()?;
    // Only what has a version of a known major gets into the holder.
    Ok(loaded.version().and_then(|version| Major::of(version.major())).unwrap_or(Major::V13))
}

/// Takes functions from a resolver in place of a library, for the whole process. Its version
/// decides which major it stands for; one that is neither 12 nor 13 counts as 13.
///
/// # Errors
/// [`AlreadyLoaded`] if a library or resolver is in use.
///
/// # Safety
/// Each address that the resolver gives is a function with the C signature that the name has in
/// that major, for the rest of the process.
pub unsafe fn install_resolver(resolver: Resolver) -> Result<(), AlreadyLoaded> {
    HOLDER.install(Loaded::resolver(LibraryKind::Runtime, resolver))
}

#[cfg(cuda_linked)]
fn open() -> Result<Loaded, LoadError> {
    use cuda_driver_sys::loader::address;
    let table = crate::linked::LINKED;
    let version = table.binary_search_by(|(name, _)| (*name).cmp(c"cudaRuntimeGetVersion")).ok();
    // SAFETY: the function with this name, of a runtime of 12 or later.
    let version = version.and_then(|index| unsafe { ask_version(address(table[index].1)) });
    Ok(Loaded::linked(LibraryKind::Runtime, table, crate::linked::STATIC, version))
}

#[cfg(not(cuda_linked))]
fn open() -> Result<Loaded, LoadError> {
    use cuda_locate::{Candidate, Env, ROOT_VARIABLES, System, Target, names, runtime_candidates};
    const HINT: &str = "Install the runtime library (the Python wheel nvidia-cuda-runtime or nvidia-cuda-runtime-cu12, conda's cuda-cudart, \
                        the toolkit's package cuda-cudart), give its file in CUDA_RT_RUNTIME_LIBRARY, or build with the feature \
                        `static-runtime`, which needs none. It needs a driver of its own major or a newer one.";

    if let Some(result) = OPENER.from_variable(LIBRARY_VARIABLE) {
        return result;
    }
    let target = Target::current();
    let (mut tried, mut searched) = (Vec::new(), Vec::new());
    for major in majors_in_order() {
        let candidates = runtime_candidates(&System, &target, major, &mut searched);
        if let Some(loaded) = OPENER.first(candidates, &mut tried) {
            return Ok(loaded);
        }
        OPENER.diagnose(&names::runtime(target.os, major), &[], &mut tried);
    }
    let mut directories: Vec<String> = Vec::new();
    for Candidate { path, .. } in searched {
        if !directories.contains(&path) {
            directories.push(path);
        }
    }
    let unset: Vec<&str> = ["VIRTUAL_ENV", "CONDA_PREFIX"]
        .into_iter()
        .chain(ROOT_VARIABLES)
        .filter(|name| System.variable(name).is_none())
        .collect();
    let unset = if unset.is_empty() { String::new() } else { format!("Not set: {}.\n", unset.join(", ")) };
    Err(OPENER.error(tried, directories, Some(unset + HINT)))
}

/// The majors, the one first that suits the driver best: a driver serves runtimes of its own
/// major and of older ones.
#[cfg(not(cuda_linked))]
fn majors_in_order() -> [u32; 2] {
    let driver = cuda_driver_sys::library::load().ok().and_then(Loaded::version);
    let [new, old] = cuda_locate::names::RUNTIME_MAJORS;
    match driver {
        Some(driver) if driver.major() < new => [old, new],
        _ => [new, old],
    }
}

/// A library is the runtime if it has `cudaRuntimeGetVersion`, and its major is known by the
/// version tag of its symbols where there is one: asking version 11 would start CUDA.
fn check(handle: &Handle, _: &str) -> Result<Checked, String> {
    let function = handle.symbol(c"cudaRuntimeGetVersion");
    if function.is_null() {
        return Err("exports no cudaRuntimeGetVersion: not a runtime library, or an incomplete one".to_owned());
    }
    if let Some(other) = tagged_major(handle) {
        return Err(refusal(other));
    }
    // SAFETY: the function with this name; not of a runtime before 12, as far as tags tell.
    let version = unsafe { ask_version(function) }.ok_or("cudaRuntimeGetVersion fails")?;
    if Major::of(version.major()).is_none() {
        return Err(refusal(&version.major().to_string()));
    }
    Ok(Checked { version: Some(version), function, note: None })
}

fn refusal(major: &str) -> String {
    format!("libcudart major {major} is not supported: 12 and 13 are")
}

/// The major that the symbols' tags name, if it is one that is not bound here.
fn tagged_major(handle: &Handle) -> Option<&'static str> {
    const SYMBOL: &CStr = c"cudaMalloc";
    const OTHERS: [(&CStr, &str); 9] = [
        (c"libcudart.so.11.0", "11"),
        (c"libcudart.so.10.2", "10"),
        (c"libcudart.so.10.1", "10"),
        (c"libcudart.so.10.0", "10"),
        (c"libcudart.so.9.2", "9"),
        (c"libcudart.so.14", "14"),
        (c"libcudart.so.15", "15"),
        (c"libcudart.so.16", "16"),
        (c"libcudart.so.17", "17"),
    ];
    let has = |tag: &CStr| handle.has_version(SYMBOL, tag);
    // Without tags (None) or without versions at all (true for any) the version number decides.
    if has(c"libcudart.so.13") != Some(false) || has(c"libcudart.so.12") != Some(false) {
        return None;
    }
    OTHERS.into_iter().find(|(tag, _)| has(tag) == Some(true)).map(|(_, major)| major)
}

/// What `cudaRuntimeGetVersion` gives.
///
/// # Safety
/// `function` is `cudaRuntimeGetVersion`.
unsafe fn ask_version(function: *const c_void) -> Option<CudaVersion> {
    // SAFETY: the caller's promise gives the type.
    let function =
        unsafe { core::mem::transmute::<*const c_void, unsafe extern "C" fn(*mut c_int) -> c_int>(function) };
    let mut version: c_int = 0;
    // SAFETY: writes one int.
    let code = unsafe { function(&raw mut version) };
    u32::try_from(version).ok().filter(|version| code == 0 && *version > 0).map(CudaVersion::new)
}
