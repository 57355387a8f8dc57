//! What the instructions compute: pure functions from register slots to a register slot.
//!
//! A slot is a `u64` that holds a value of any type in its low bits, the others zero. A function takes from its operands
//! the bits of its type alone, so that what is above does not matter.

pub(crate) mod bits;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod float;
pub(crate) mod half;
pub(crate) mod integer;
pub(crate) mod round;

/// An instruction's work on one operand.
pub(crate) type Un = fn(u64) -> u64;
/// On two.
pub(crate) type Bin = fn(u64, u64) -> u64;
/// On three.
pub(crate) type Tri = fn(u64, u64, u64) -> u64;

/// An integer type, as the instructions see it.
pub(crate) trait Int: Copy + Ord {
    /// Its width.
    const BITS: u32;
    /// Its lowest and highest value.
    const RANGE: (i128, i128);
    /// The value in a slot.
    fn get(slot: u64) -> Self;
    /// The slot of a value.
    fn put(self) -> u64;
    /// The value as a number.
    fn number(self) -> i128;
    /// The value with the low bits of a number.
    fn wrap(number: i128) -> Self;
}

macro_rules! int {
    ($($name:ident $unsigned:ident),*) => {$(
        impl Int for $name {
            const BITS: u32 = $name::BITS;
            #[allow(trivial_numeric_casts, reason = "one of the types is the type itself")]
            const RANGE: (i128, i128) = ($name::MIN as i128, $name::MAX as i128);
            #[inline]
            #[allow(trivial_numeric_casts, reason = "one of the types is the type itself")]
            fn get(slot: u64) -> Self {
                slot as $name
            }
            #[inline]
            #[allow(trivial_numeric_casts, reason = "one of the types is the type itself")]
            fn put(self) -> u64 {
                self as $unsigned as u64
            }
            #[inline]
            fn number(self) -> i128 {
                i128::from(self)
            }
            #[inline]
            fn wrap(number: i128) -> Self {
                number as $name
            }
        }
    )*};
}

int!(u8 u8, u16 u16, u32 u32, u64 u64, i8 u8, i16 u16, i32 u32, i64 u64);

/// `Some` of the function's instance for an integer type; `None` for others.
macro_rules! by_int {
    ($ty:expr, $f:ident) => {
        match $ty {
            Ty::U8 => Some($f::<u8>),
            Ty::U16 => Some($f::<u16>),
            Ty::U32 => Some($f::<u32>),
            Ty::U64 => Some($f::<u64>),
            Ty::S8 => Some($f::<i8>),
            Ty::S16 => Some($f::<i16>),
            Ty::S32 => Some($f::<i32>),
            Ty::S64 => Some($f::<i64>),
            _ => None,
        }
    };
}
pub(crate) use by_int;
