//! The driver library of this process.
//!
//! Loaded when the first function is used, or by [`load`]. Order: a resolver, the file that the
//! variable `CUDA_RT_DRIVER_LIBRARY` names (then nothing else), `libcuda.so.1` or `nvcuda.dll` by
//! the system's loader, the usual directories of drivers (WSL first). With the feature
//! `link-driver` it is the library that the program is linked with.
//! Then the variable has no effect and [`load_from`] accepts that very file only.

use core::ffi::{c_int, c_void};
use std::path::Path;

use crate::loader::{
    AlreadyLoaded, Checked, CudaVersion, Handle, Holder, LibraryKind, LoadError, Loaded, Opener, Resolver,
};

static HOLDER: Holder = Holder::new();

const OPENER: Opener = Opener { kind: LibraryKind::Driver, check };

/// Environment variable with the path of the driver library's file.
pub const LIBRARY_VARIABLE: &str = "CUDA_RT_DRIVER_LIBRARY";

/// Loads the driver library, unless it is loaded. A failure is not remembered.
///
/// # Errors
/// [`LoadError::Library`] with all that was tried.
pub fn load() -> Result<&'static Loaded, LoadError> {
    HOLDER.load(open)
}

/// Loads this very file, unless it is loaded.
///
/// # Errors
/// [`LoadError::Library`]: the file is no driver library, or another one is in use.
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

/// Takes functions from a resolver in place of a library, for the whole process.
///
/// # Errors
/// [`AlreadyLoaded`] if a library or resolver is in use.
///
/// # Safety
/// Each address that the resolver gives is a function with the C signature of that name, for the
/// rest of the process.
pub unsafe fn install_resolver(resolver: Resolver) -> Result<(), AlreadyLoaded> {
    HOLDER.install(Loaded::resolver(LibraryKind::Driver, resolver))
}

#[cfg(cuda_linked)]
fn open() -> Result<Loaded, LoadError> {
    use crate::loader::address;
    let table = crate::linked::LINKED;
    let version = table.binary_search_by(|(name, _)| (*name).cmp(c"cuDriverGetVersion")).ok();
    // SAFETY: the function with this name.
    let version = version.and_then(|index| unsafe { ask_version(address(table[index].1)) }.0);
    Ok(Loaded::linked(LibraryKind::Driver, table, false, version))
}

#[cfg(not(cuda_linked))]
fn open() -> Result<Loaded, LoadError> {
    use cuda_locate::{System, Target, driver_candidates, driver_directories, names};
    const HINT: &str =
        "Install NVIDIA's display driver, which brings this library; in a container, start it with access to the GPUs.";

    if let Some(result) = OPENER.from_variable(LIBRARY_VARIABLE) {
        return result;
    }
    let target = Target::current();
    let mut tried = Vec::new();
    if let Some(loaded) = OPENER.first(driver_candidates(&System, &target), &mut tried) {
        return Ok(loaded);
    }
    let directories = driver_directories(&System, &target);
    if let Some(name) = names::driver(target.os).first() {
        OPENER.diagnose(name, &directories, &mut tried);
    }
    Err(OPENER.error(tried, directories, Some(HINT.to_owned())))
}

/// A library is the driver if it has the two functions that every driver has.
fn check(handle: &Handle, path: &str) -> Result<Checked, String> {
    let init = handle.symbol(c"cuInit");
    let version = handle.symbol(c"cuDriverGetVersion");
    if init.is_null() {
        return Err("exports no cuInit: not a driver library, or an incomplete one".to_owned());
    }
    if version.is_null() {
        return Err("exports no cuDriverGetVersion: an incomplete driver library".to_owned());
    }
    // SAFETY: the function with this name; it needs no initialisation.
    let (version, code) = unsafe { ask_version(version) };
    let note = match code {
        34 => Some(
            "it says that it is a stub, which serves linking only: take its folder out of the library search path"
                .to_owned(),
        ),
        _ if path == "libcuda.so" => {
            Some("found as libcuda.so: CUDA's own runtime looks for libcuda.so.1 only".to_owned())
        }
        _ => None,
    };
    Ok(Checked { version, function: init, note })
}

/// What `cuDriverGetVersion` gives, and its code.
///
/// # Safety
/// `function` is `cuDriverGetVersion`.
unsafe fn ask_version(function: *const c_void) -> (Option<CudaVersion>, c_int) {
    // SAFETY: the caller's promise gives the type.
    let function =
        unsafe { core::mem::transmute::<*const c_void, unsafe extern "C" fn(*mut c_int) -> c_int>(function) };
    let mut version: c_int = 0;
    // SAFETY: writes one int.
    let code = unsafe { function(&raw mut version) };
    (u32::try_from(version).ok().filter(|version| code == 0 && *version > 0).map(CudaVersion::new), code)
}
