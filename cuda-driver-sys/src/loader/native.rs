//! The system's loader.

use core::ffi::{CStr, c_void};
use std::path::{Path, PathBuf};

/// An open library. Closed when dropped.
#[derive(Debug)]
pub struct Handle {
    #[cfg(unix)]
    raw: *mut c_void,
    #[cfg(windows)]
    library: libloading::os::windows::Library,
}

// SAFETY: the system's loader may be called from any thread with any handle.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

/// The system's own sentence, which is in the source where the wrapper's says less.
fn words(error: &libloading::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}

#[cfg(unix)]
impl Handle {
    /// Opens a file, or what the system finds under a bare name.
    ///
    /// # Errors
    /// The system's words.
    ///
    /// # Safety
    /// The library's initialisers run; it must be the library that it is taken for, or harmless.
    pub unsafe fn open(path: &str) -> Result<Self, String> {
        use libloading::os::unix::{Library, RTLD_LAZY, RTLD_LOCAL};
        // SAFETY: the caller's promise.
        let library = unsafe { Library::open(Some(path), RTLD_LAZY | RTLD_LOCAL) };
        library.map(|library| Self { raw: library.into_raw() }).map_err(|error| words(&error))
    }

    /// A library that the process holds already.
    #[must_use]
    pub fn already_open(path: &Path) -> Option<Self> {
        use libloading::os::unix::{Library, RTLD_LAZY, RTLD_LOCAL};
        // SAFETY: with NOLOAD nothing is loaded, so that no initialiser runs.
        let library = unsafe { Library::open(Some(path), RTLD_LAZY | RTLD_LOCAL | libc::RTLD_NOLOAD) };
        library.ok().map(|library| Self { raw: library.into_raw() })
    }

    /// The address of a symbol, or null.
    #[must_use]
    pub fn symbol(&self, name: &CStr) -> *mut c_void {
        // SAFETY: the handle is open, the name ends with a zero byte; only the address is taken.
        unsafe { libc::dlsym(self.raw, name.as_ptr()) }
    }

    /// Whether a symbol carries this ELF version, such as `libcudart.so.13`; `None` where there
    /// are no such versions (other systems than Linux with glibc). True for a library without any.
    #[must_use]
    pub fn has_version(&self, name: &CStr, version: &CStr) -> Option<bool> {
        #[cfg(all(target_os = "linux", target_env = "gnu"))]
        {
            // SAFETY: the handle is open, both texts end with a zero byte; only the address is taken.
            Some(!unsafe { libc::dlvsym(self.raw, name.as_ptr(), version.as_ptr()) }.is_null())
        }
        #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
        {
            let _ = (name, version);
            None
        }
    }
}

#[cfg(unix)]
impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the handle came from `into_raw` and nothing else closes it.
        drop(unsafe { libloading::os::unix::Library::from_raw(self.raw) });
    }
}

#[cfg(windows)]
impl Handle {
    /// Opens a file, or what the system finds under a bare name.
    ///
    /// # Errors
    /// The system's words.
    ///
    /// # Safety
    /// The library's initialisers run; it must be the library that it is taken for, or harmless.
    pub unsafe fn open(path: &str) -> Result<Self, String> {
        // SAFETY: the caller's promise.
        let library = unsafe { libloading::os::windows::Library::new(path) };
        library.map(|library| Self { library }).map_err(|error| words(&error))
    }

    /// A library that the process holds already.
    #[must_use]
    pub fn already_open(path: &Path) -> Option<Self> {
        libloading::os::windows::Library::open_already_loaded(path).ok().map(|library| Self { library })
    }

    /// The address of a symbol, or null.
    #[must_use]
    pub fn symbol(&self, name: &CStr) -> *mut c_void {
        // SAFETY: only the address is taken.
        let symbol = unsafe { self.library.get::<*mut c_void>(name.to_bytes_with_nul()) };
        symbol.map_or(core::ptr::null_mut(), |symbol| symbol.as_raw_ptr())
    }

    /// Windows libraries have no versions of symbols.
    #[must_use]
    pub fn has_version(&self, _: &CStr, _: &CStr) -> Option<bool> {
        None
    }
}

/// The file that holds an address.
#[cfg(unix)]
pub(crate) fn file_of(address: *const c_void) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    // SAFETY: plain data that dladdr fills in.
    let mut info: libc::Dl_info = unsafe { core::mem::zeroed() };
    // SAFETY: the address is not dereferenced.
    if unsafe { libc::dladdr(address, &raw mut info) } == 0 || info.dli_fname.is_null() {
        return None;
    }
    // SAFETY: dladdr succeeded, so that the name is a C string; it lives as long as the library.
    let name = unsafe { CStr::from_ptr(info.dli_fname) };
    let path = PathBuf::from(std::ffi::OsStr::from_bytes(name.to_bytes()));
    Some(std::path::absolute(&path).unwrap_or(path))
}

#[cfg(windows)]
pub(crate) fn file_of(address: *const c_void) -> Option<PathBuf> {
    use std::os::windows::ffi::OsStringExt;
    #[link(name = "kernel32", kind = "raw-dylib")]
    unsafe extern "system" {
        fn GetModuleHandleExW(flags: u32, address: *const u16, module: *mut *mut c_void) -> i32;
        fn GetModuleFileNameW(module: *mut c_void, name: *mut u16, size: u32) -> u32;
    }
    // FROM_ADDRESS and UNCHANGED_REFCOUNT.
    const FLAGS: u32 = 4 | 2;
    const SIZE: u32 = 1024;
    let mut module = core::ptr::null_mut();
    // SAFETY: with these flags the second argument is an address that is not dereferenced.
    if unsafe { GetModuleHandleExW(FLAGS, address.cast(), &raw mut module) } == 0 {
        return None;
    }
    let mut name = [0_u16; SIZE as usize];
    // SAFETY: the buffer has this many characters.
    let length = unsafe { GetModuleFileNameW(module, name.as_mut_ptr(), SIZE) };
    let length = usize::try_from(length).ok().filter(|length| *length > 0 && *length < name.len())?;
    Some(PathBuf::from(std::ffi::OsString::from_wide(&name[..length])))
}
