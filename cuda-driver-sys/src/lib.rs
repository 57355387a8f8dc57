#![doc = include_str!("../README.md")]

pub mod library;
pub mod loader;
mod macros;
#[doc(hidden)]
pub mod support;
mod symbol;

/// What is made from the headers. One allowance for all of it: names and shapes are C's.
#[rustfmt::skip]
#[allow(
    missing_docs, non_camel_case_types, non_snake_case, non_upper_case_globals, unreachable_pub, unused_qualifications,
    trivial_numeric_casts, clippy::all, clippy::missing_safety_doc, clippy::doc_markdown, clippy::cast_possible_truncation,
    clippy::cast_sign_loss, clippy::wildcard_imports, clippy::semicolon_if_nothing_returned,
)]
mod bindings {
    #[cfg(not(cuda_generated))]
    pub(crate) mod functions;
    #[cfg(not(cuda_generated))]
    pub(crate) mod types;
    #[cfg(cuda_generated)]
    pub(crate) mod functions {
        include!(concat!(env!("OUT_DIR"), "/functions.rs"));
    }
    #[cfg(cuda_generated)]
    pub(crate) mod types {
        include!(concat!(env!("OUT_DIR"), "/types.rs"));
    }
}

#[cfg(cuda_linked)]
#[allow(non_snake_case)]
mod linked {
    include!(concat!(env!("OUT_DIR"), "/linked.rs"));
}

use core::ffi::c_void;
use core::sync::atomic::AtomicPtr;

pub use bindings::functions::*;
use bindings::functions::{ENTRIES, SLOTS};
pub use bindings::types::*;
pub use macros::*;
pub use symbol::Symbol;
#[doc(hidden)]
pub use symbol::Table;

/// The integer behind a C enum that has no negative value: C leaves it to the compiler. Microsoft's
/// takes `int`, the others `unsigned int`.
#[cfg(target_env = "msvc")]
#[allow(non_camel_case_types)]
pub type c_enum = core::ffi::c_int;
/// The integer behind a C enum that has no negative value: C leaves it to the compiler. Microsoft's
/// takes `int`, the others `unsigned int`.
#[cfg(not(target_env = "msvc"))]
#[allow(non_camel_case_types)]
pub type c_enum = core::ffi::c_uint;

/// The driver's table of functions: the second parameter of its [`Symbol`]s.
#[derive(Debug)]
pub enum Driver {}

impl Table for Driver {
    #[inline(always)]
    fn slot(index: u16) -> &'static AtomicPtr<c_void> {
        &SLOTS[index as usize]
    }

    fn entry(index: u16) -> &'static support::Entry {
        &ENTRIES[index as usize]
    }

    fn find(entry: &'static support::Entry) -> Result<*mut c_void, loader::LoadError> {
        library::load()?.find(entry)
    }
}

impl CUresult {
    /// The code as a number, on every system.
    #[inline]
    #[must_use]
    #[allow(clippy::cast_sign_loss, clippy::unnecessary_cast, trivial_numeric_casts)]
    pub const fn code(self) -> u32 {
        self.0 as u32
    }
}

impl support::Absent for CUresult {
    #[inline]
    #[allow(clippy::cast_possible_wrap, clippy::unnecessary_cast, trivial_numeric_casts)]
    fn absent(code: u32) -> Self {
        Self(code as c_enum)
    }
}
