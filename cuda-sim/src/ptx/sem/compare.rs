//! Comparisons: 1 if it holds, otherwise 0.

use super::super::types::Ty;
use super::half::{bf16_to_f32, f16_to_f32};
use super::{Bin, Int};

/// The comparison of a name (`eq`, `lo`, `ltu`, `num`, …) for a type.
pub(crate) fn compare(name: &str, ty: Ty) -> Option<Bin> {
    match ty {
        Ty::U16 => ints::<u16>(name),
        Ty::U32 => ints::<u32>(name),
        Ty::U64 => ints::<u64>(name),
        Ty::S16 => ints::<i16>(name),
        Ty::S32 => ints::<i32>(name),
        Ty::S64 => ints::<i64>(name),
        Ty::F16 => floats::<Half>(name),
        Ty::Bf16 => floats::<Brain>(name),
        Ty::F32 => floats::<Single>(name),
        Ty::F64 => floats::<Double>(name),
        Ty::Pred | Ty::U8 | Ty::S8 | Ty::F16x2 => None,
    }
}

fn ints<T: Int>(name: &str) -> Option<Bin> {
    let f: Bin = match name {
        "eq" => |a, b| u64::from(T::get(a) == T::get(b)),
        "ne" => |a, b| u64::from(T::get(a) != T::get(b)),
        "lt" | "lo" => |a, b| u64::from(T::get(a) < T::get(b)),
        "le" | "ls" => |a, b| u64::from(T::get(a) <= T::get(b)),
        "gt" | "hi" => |a, b| u64::from(T::get(a) > T::get(b)),
        "ge" | "hs" => |a, b| u64::from(T::get(a) >= T::get(b)),
        _ => return None,
    };
    Some(f)
}

/// A float type's value as f64, which holds all of them.
trait Float {
    fn value(slot: u64) -> f64;
}

struct Half;
struct Brain;
struct Single;
struct Double;

impl Float for Half {
    fn value(slot: u64) -> f64 {
        f64::from(f16_to_f32(slot as u16))
    }
}

impl Float for Brain {
    fn value(slot: u64) -> f64 {
        f64::from(bf16_to_f32(slot as u16))
    }
}

impl Float for Single {
    fn value(slot: u64) -> f64 {
        f64::from(f32::from_bits(slot as u32))
    }
}

impl Float for Double {
    fn value(slot: u64) -> f64 {
        f64::from_bits(slot)
    }
}

/// `eq` to `ge` fail if an operand is NaN, their `u` forms hold then.
#[allow(clippy::neg_cmp_op_on_partial_ord, reason = "that is how the unordered forms are defined")]
fn floats<T: Float>(name: &str) -> Option<Bin> {
    let f: Bin = match name {
        "eq" => |a, b| u64::from(T::value(a) == T::value(b)),
        "ne" => |a, b| u64::from(T::value(a) < T::value(b) || T::value(a) > T::value(b)),
        "lt" => |a, b| u64::from(T::value(a) < T::value(b)),
        "le" => |a, b| u64::from(T::value(a) <= T::value(b)),
        "gt" => |a, b| u64::from(T::value(a) > T::value(b)),
        "ge" => |a, b| u64::from(T::value(a) >= T::value(b)),
        "equ" => |a, b| u64::from(!(T::value(a) < T::value(b) || T::value(a) > T::value(b))),
        "neu" => |a, b| u64::from(T::value(a) != T::value(b)),
        "ltu" => |a, b| u64::from(!(T::value(a) >= T::value(b))),
        "leu" => |a, b| u64::from(!(T::value(a) > T::value(b))),
        "gtu" => |a, b| u64::from(!(T::value(a) <= T::value(b))),
        "geu" => |a, b| u64::from(!(T::value(a) < T::value(b))),
        "num" => |a, b| u64::from(!T::value(a).is_nan() && !T::value(b).is_nan()),
        "nan" => |a, b| u64::from(T::value(a).is_nan() || T::value(b).is_nan()),
        _ => return None,
    };
    Some(f)
}

/// How a `setp` joins its comparison with another predicate.
pub(crate) fn join(name: &str) -> Option<Bin> {
    let f: Bin = match name {
        "and" => |a, b| a & b & 1,
        "or" => |a, b| (a | b) & 1,
        "xor" => |a, b| (a ^ b) & 1,
        _ => return None,
    };
    Some(f)
}

/// `slct`: `a` if `c` is not negative, otherwise `b`.
pub(crate) fn select_sign(ty: Ty) -> Option<super::Tri> {
    match ty {
        Ty::S32 => Some(|a, b, c| if i32::get(c) >= 0 { a } else { b }),
        Ty::F32 => Some(|a, b, c| if Single::value(c) >= 0.0 { a } else { b }),
        _ => None,
    }
}
