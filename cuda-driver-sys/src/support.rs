//! Macros that generated code is written in, and what they need. Not part of the API.

use crate::loader::CudaVersion;
use core::ffi::CStr;

/// One line of a table of functions.
#[derive(Debug)]
pub struct Entry {
    /// The symbol.
    pub name: &'static CStr,
    /// Since which version, as `12040`.
    pub since: u32,
}

impl Entry {
    /// The symbol as text.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name.to_str().unwrap_or_default()
    }

    /// Since which version.
    #[must_use]
    pub const fn since(&self) -> CudaVersion {
        CudaVersion::new(self.since)
    }
}

/// What a wrapper returns when its function is not there.
pub trait Absent {
    /// `code` is 302 (the library has no such symbol) or 303 (there is no library).
    fn absent(code: u32) -> Self;
}

impl<T> Absent for *const T {
    fn absent(_: u32) -> Self {
        core::ptr::null()
    }
}

impl Absent for () {
    fn absent(_: u32) -> Self {}
}

/// A C enum: any value may come from C, so that it is no Rust enum.
#[doc(hidden)]
#[macro_export]
macro_rules! __newtype_enum {
    ($name:ident: $repr:ident { $($constant:ident = $value:literal,)* }) => {
        #[repr(transparent)]
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
        pub struct $name(pub $repr);
        impl $name {
            $(pub const $constant: Self = Self($value as i64 as $repr);)*
        }
    };
}

/// Types that exist behind a pointer only.
#[doc(hidden)]
#[macro_export]
macro_rules! __handles {
    ($($name:ident)*) => { $(
        #[repr(C)]
        #[derive(Debug)]
        pub struct $name {
            _opaque: [u8; 0],
            _neither: ::core::marker::PhantomData<(*mut u8, ::core::marker::PhantomPinned)>,
        }
    )* };
}

/// `Default` with all bytes zero, which is valid for every struct and union of the headers.
#[doc(hidden)]
#[macro_export]
macro_rules! __zeroed_default {
    ($($name:ident)*) => { $(
        impl Default for $name {
            #[inline]
            fn default() -> Self {
                // SAFETY: made of integers, floats, raw pointers and optional functions.
                unsafe { ::core::mem::zeroed() }
            }
        }
    )* };
}

/// `Debug` of unions, whose content is unknown.
#[doc(hidden)]
#[macro_export]
macro_rules! __opaque_debug {
    ($($name:ident)*) => { $(
        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(concat!(stringify!($name), " { .. }"))
            }
        }
    )* };
}

/// Size and alignment in C.
#[doc(hidden)]
#[macro_export]
macro_rules! __layout {
    ($($name:ident: $size:literal, $align:literal;)*) => {
        const _: () = {
            $(assert!(size_of::<$name>() == $size && align_of::<$name>() == $align, stringify!($name));)*
        };
    };
}

/// A table of functions: the symbols, a slot for each, and a wrapper for each. The table's type is
/// in the root of the crate that invokes this.
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def)]
#[macro_export]
macro_rules! __functions {
    ($table:ident $count:literal; $($(#[$doc:meta])* $index:literal $since:literal $symbol:literal $name:ident($($argument:ident: $ty:ty),*) -> $output:ty;)*) => {
        pub(crate) static ENTRIES: [$crate::support::Entry; $count] =
            [$($crate::support::Entry { name: $symbol, since: $since },)*];
        pub(crate) static SLOTS: [::core::sync::atomic::AtomicPtr<::core::ffi::c_void>; $count] =
            [const { ::core::sync::atomic::AtomicPtr::new(::core::ptr::null_mut()) }; $count];

        /// One constant per C function: whether it is there, since which version, and the function itself.
        pub mod symbols {
            use super::*;
            use $crate::Symbol;
            $(pub const $name: Symbol<unsafe extern "C" fn($($ty),*) -> $output, crate::$table> = Symbol::at($index);)*
        }
        $(
            $(#[$doc])*
            #[inline]
            pub unsafe fn $name($($argument: $ty),*) -> $output {
                match symbols::$name.function() {
                    // SAFETY: the caller's promise is the function's own.
                    Ok(function) => unsafe { function($($argument),*) },
                    Err(code) => $crate::support::Absent::absent(code),
                }
            }
        )*
    };
}

pub use crate::{
    __functions as functions, __handles as handles, __layout as layout, __newtype_enum as newtype_enum,
    __opaque_debug as opaque_debug, __zeroed_default as zeroed_default,
};
