//! The tables of functions, and which major each needs.

use core::ffi::c_void;
use core::fmt;
use core::sync::atomic::AtomicPtr;

use cuda_driver_sys::Table;
use cuda_driver_sys::loader::LoadError;
use cuda_driver_sys::support::Entry;

use crate::bindings::{common, v12, v13};
use crate::library;

/// A major of the runtime that is bound here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Major {
    /// CUDA 12.
    V12,
    /// CUDA 13.
    V13,
}

impl Major {
    /// 12 or 13.
    #[must_use]
    pub const fn number(self) -> u32 {
        match self {
            Self::V12 => 12,
            Self::V13 => 13,
        }
    }

    /// The major with this number, if it is bound here.
    #[must_use]
    pub const fn of(number: u32) -> Option<Self> {
        match number {
            12 => Some(Self::V12),
            13 => Some(Self::V13),
            _ => None,
        }
    }
}

impl fmt::Display for Major {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

/// Table of [`v12`](crate::v12): the second parameter of its symbols.
#[derive(Debug)]
pub enum V12 {}

/// Table of [`v13`](crate::v13): the second parameter of its symbols.
#[derive(Debug)]
pub enum V13 {}

/// Table of [`common`](crate::common): the second parameter of its symbols.
#[derive(Debug)]
pub enum Common {}

fn find(entry: &'static Entry, needs: Option<Major>) -> Result<*mut c_void, LoadError> {
    let loaded = library::load()?;
    match needs {
        Some(needs) if library::major()? != needs => Err(loaded.missing(entry, Some(needs.number()))),
        _ => loaded.find(entry),
    }
}

macro_rules! table {
    ($table:ident, $module:ident, $needs:expr) => {
        impl Table for $table {
            #[inline(always)]
            fn slot(index: u16) -> &'static AtomicPtr<c_void> {
                &$module::functions::SLOTS[index as usize]
            }

            fn entry(index: u16) -> &'static Entry {
                &$module::functions::ENTRIES[index as usize]
            }

            fn find(entry: &'static Entry) -> Result<*mut c_void, LoadError> {
                find(entry, $needs)
            }
        }
    };
}

table!(V12, v12, Some(Major::V12));
table!(V13, v13, Some(Major::V13));
table!(Common, common, None);
