//! The C functions. Each converts its arguments, makes a call of the machine, returns its code.

pub(crate) mod driver;
pub(crate) mod runtime;

use std::ffi::{CStr, c_char, c_void};

use crate::record::Value;
use crate::sim::{Code, Outcome, codes};

/// A pointer argument: a handle, or a place for a result.
///
/// Made by the functions' wrapper only, under the contract of the C functions: a place for a result
/// is null or valid for what is written there.
#[derive(Debug)]
pub(crate) struct Pointer<T>(*mut T);

impl<T> Pointer<T> {
    /// The address, for a handle.
    pub(crate) fn handle(&self) -> usize {
        self.0.expose_provenance()
    }

    /// Writes a result; null is an invalid value.
    pub(crate) fn put(&self, value: T) -> Outcome<()> {
        self.put_at(0, value)
    }

    /// Writes a result into an array.
    pub(crate) fn put_at(&self, index: usize, value: T) -> Outcome<()> {
        if self.0.is_null() {
            return Err(codes::INVALID_VALUE);
        }
        // SAFETY: not null, so valid by the contract of the C function.
        unsafe { self.0.wrapping_add(index).write(value) };
        Ok(())
    }

    /// Writes a result if there is a place for it.
    pub(crate) fn put_if_wanted(&self, value: T) {
        let _ = self.put(value);
    }

    pub(crate) fn raw(&self) -> *mut T {
        self.0
    }
}

impl Pointer<c_char> {
    /// Writes text, cut to the size of the buffer, with its end.
    pub(crate) fn put_text(&self, text: &str, size: i32) -> Outcome<()> {
        let room = usize::try_from(size).ok().filter(|room| *room > 0).ok_or(codes::INVALID_VALUE)?;
        let bytes = text.as_bytes();
        let len = bytes.len().min(room - 1);
        for (i, &byte) in bytes[..len].iter().enumerate() {
            self.put_at(i, c_char_of(byte))?;
        }
        self.put_at(len, 0)
    }
}

/// A byte as C's `char`, which is signed on some systems.
#[allow(trivial_numeric_casts, clippy::cast_possible_wrap, reason = "the sign differs between systems")]
pub(crate) fn c_char_of(byte: u8) -> c_char {
    byte as c_char
}

/// The number of a C enum, which is signed on some systems.
#[allow(
    trivial_numeric_casts,
    clippy::cast_sign_loss,
    clippy::unnecessary_cast,
    reason = "the sign differs between systems"
)]
pub(crate) fn enum_number(value: cuda_driver_sys::c_enum) -> u32 {
    value as u32
}

/// A code as a C enum.
#[allow(
    trivial_numeric_casts,
    clippy::cast_possible_wrap,
    clippy::unnecessary_cast,
    reason = "the sign differs between systems"
)]
pub(crate) fn c_enum_of(code: Code) -> cuda_driver_sys::c_enum {
    code as cuda_driver_sys::c_enum
}

/// A pointer argument to what is read only.
#[derive(Debug)]
pub(crate) struct ConstPointer<T>(*const T);

impl<T> ConstPointer<T> {
    pub(crate) fn raw(&self) -> *const T {
        self.0
    }
}

impl ConstPointer<c_char> {
    /// The text.
    pub(crate) fn text(&self) -> Outcome<String> {
        if self.0.is_null() {
            return Err(codes::INVALID_VALUE);
        }
        // SAFETY: not null, so text with its end by the contract of the C function.
        Ok(unsafe { CStr::from_ptr(self.0) }.to_string_lossy().into_owned())
    }
}

/// An argument as the body of a function gets it.
pub(crate) trait Argument: Copy {
    type Taken;
    /// # Safety
    /// The contract of the C function.
    unsafe fn take(self) -> Self::Taken;
    /// For the record.
    fn value(self) -> Value;
}

impl<T> Argument for *mut T {
    type Taken = Pointer<T>;
    unsafe fn take(self) -> Pointer<T> {
        Pointer(self)
    }
    fn value(self) -> Value {
        Value::Word(self.addr() as u64)
    }
}

impl<T> Argument for *const T {
    type Taken = ConstPointer<T>;
    unsafe fn take(self) -> ConstPointer<T> {
        ConstPointer(self)
    }
    fn value(self) -> Value {
        Value::Word(self.addr() as u64)
    }
}

impl Argument for Option<unsafe extern "C" fn(*mut c_void)> {
    type Taken = Self;
    unsafe fn take(self) -> Self {
        self
    }
    #[allow(clippy::fn_to_numeric_cast_any, reason = "its address, for the record")]
    fn value(self) -> Value {
        Value::Word(self.map_or(0, |function| (function as *const c_void).addr() as u64))
    }
}

macro_rules! plain_arguments {
    ($($ty:ty => |$this:ident| $value:expr;)*) => { $(
        impl Argument for $ty {
            type Taken = Self;
            unsafe fn take(self) -> Self {
                self
            }
            fn value(self) -> Value {
                let $this = self;
                $value
            }
        }
    )* };
}
pub(crate) use plain_arguments;

plain_arguments! {
    u8 => |number| Value::Number(number.into());
    u16 => |number| Value::Number(number.into());
    u32 => |number| Value::Number(number.into());
    i32 => |number| Value::Number(number.into());
    u64 => |number| Value::Word(number);
    usize => |number| Value::Word(number as u64);
}

/// What a function returns.
pub(crate) trait Return {
    fn of(code: Code) -> Self;
}

/// Defines functions with C's signatures (checked against the bindings) and finds them by name.
///
/// In a body `sim` is the machine, and pointers are [`Pointer`]s.
macro_rules! functions {
    ($layer:ident, $symbols:path, $returns:ty;
     $(fn $name:ident($($argument:ident: $ty:ty),* $(,)?) |$sim:ident| $body:block)*) => {
        $(
            #[allow(non_snake_case, unused_imports, clippy::too_many_arguments)]
            unsafe extern "C" fn $name($($argument: $ty),*) -> $returns {
                use $crate::abi::{Argument as _, Return as _};
                let values = [$($argument.value()),*];
                $(
                    // SAFETY: the caller keeps the contract of the C function.
                    let $argument = unsafe { $argument.take() };
                )*
                let code = $crate::entry::enter($crate::entry::Layer::$layer, stringify!($name), &values, |$sim| $body);
                <$returns>::of(code)
            }
        )*

        /// The function with this name.
        #[allow(clippy::fn_to_numeric_cast_any, clippy::too_many_lines, reason = "its address is what is wanted")]
        pub(crate) fn find(name: &str) -> Option<*const std::ffi::c_void> {
            match name {
                $(stringify!($name) => {
                    // The type is the one that the bindings declare, or this does not compile.
                    let function: unsafe extern "C" fn($($ty),*) -> $returns = $name;
                    let _ = $crate::abi::same_type({ use $symbols as symbols; symbols::$name }, function);
                    Some(function as *const std::ffi::c_void)
                })*
                _ => None,
            }
        }

        /// All of them.
        pub(crate) const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}
pub(crate) use functions;

/// Compiles if the function has the symbol's type.
pub(crate) fn same_type<F, T>(_: cuda_driver_sys::Symbol<F, T>, _: F) {}
