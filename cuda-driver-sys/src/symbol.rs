//! A C function that is looked up when it is used.

use core::ffi::c_void;
use core::fmt;
use core::marker::PhantomData;
use core::sync::atomic::{AtomicPtr, Ordering};

use crate::loader::{CudaVersion, LoadError};
use crate::support::Entry;

/// A table of functions and the library that they come from. Not part of the API.
#[doc(hidden)]
pub trait Table: 'static {
    /// The slot of a function: null until it is looked up.
    fn slot(index: u16) -> &'static AtomicPtr<c_void>;
    /// Name and version of a function.
    fn entry(index: u16) -> &'static Entry;
    /// Finds the function; loads the library if need be.
    ///
    /// # Errors
    /// [`LoadError`]: no library, or no such symbol in it.
    fn find(entry: &'static Entry) -> Result<*mut c_void, LoadError>;
}

/// A C function of type `F`, looked up by its exact name when it is first used.
///
/// Costs two bytes and, once looked up, one load per use. Copies stand for the same function.
pub struct Symbol<F, T = crate::Driver> {
    index: u16,
    types: PhantomData<fn() -> (F, T)>,
}

impl<F, T> Copy for Symbol<F, T> {}

impl<F, T> Clone for Symbol<F, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F, T> Symbol<F, T> {
    /// The function at a place of the table. Not part of the API.
    #[doc(hidden)]
    #[must_use]
    pub const fn at(index: u16) -> Self {
        assert!(size_of::<F>() == size_of::<*mut c_void>(), "F is a function pointer");
        Self { index, types: PhantomData }
    }
}

impl<F: Copy, T: Table> Symbol<F, T> {
    /// The function.
    ///
    /// # Errors
    /// [`LoadError::Library`] if the library can't be loaded, [`LoadError::Symbol`] if it has no
    /// such function. Neither is remembered: the next call tries again.
    #[inline]
    pub fn get(self) -> Result<F, LoadError> {
        let address = T::slot(self.index).load(Ordering::Acquire);
        let address = if address.is_null() { resolve::<T>(self.index)? } else { address };
        // SAFETY: the slot holds the address of the function with this name, and the table gives
        // its type; `at` checked the size.
        Ok(unsafe { core::mem::transmute_copy::<*mut c_void, F>(&address) })
    }

    /// The function, or 302 or 303: what the wrappers use.
    ///
    /// # Errors
    /// 302 if the library has no such function, 303 if there is no library.
    #[doc(hidden)]
    #[inline]
    pub fn function(self) -> Result<F, u32> {
        let address = T::slot(self.index).load(Ordering::Acquire);
        let address = if address.is_null() { resolve_or_code::<T>(self.index)? } else { address };
        // SAFETY: as in `get`.
        Ok(unsafe { core::mem::transmute_copy::<*mut c_void, F>(&address) })
    }

    /// Whether the function is there; loads the library if need be. False without a library.
    #[must_use]
    pub fn is_present(self) -> bool {
        self.get().is_ok()
    }

    /// The exact symbol, such as `cuCtxCreate_v4`.
    #[must_use]
    pub fn name(self) -> &'static str {
        T::entry(self.index).name()
    }

    /// The CUDA version that brought the function.
    #[must_use]
    pub fn since(self) -> CudaVersion {
        T::entry(self.index).since()
    }
}

impl<F: Copy, T: Table> fmt::Debug for Symbol<F, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Symbol({} since {})", self.name(), self.since())
    }
}

#[cold]
#[inline(never)]
fn resolve<T: Table>(index: u16) -> Result<*mut c_void, LoadError> {
    let address = T::find(T::entry(index))?;
    T::slot(index).store(address, Ordering::Release);
    Ok(address)
}

#[cold]
#[inline(never)]
fn resolve_or_code<T: Table>(index: u16) -> Result<*mut c_void, u32> {
    resolve::<T>(index).map_err(|error| match error {
        LoadError::Symbol(_) => 302,
        LoadError::Library(_) => 303,
    })
}
