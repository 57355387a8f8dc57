//! `cvt`: between integers, floats, and both.

use std::cmp::Ordering;

use super::super::types::Ty;
use super::float::put32;
use super::half::{bf16_to_f32, f16_to_f32, f32_to_bf16, f64_to_f16};
use super::round::{self, Rounding};
use super::{Int, Un};

/// How a float becomes integral: `.rni`, `.rzi`, `.rmi`, `.rpi`.
pub(crate) type Integral = Rounding;

/// An integer of one type as one of another, modulo 2^N, or clamped to its range.
pub(crate) fn int_to_int(to: Ty, from: Ty, saturate: bool) -> Option<Un> {
    macro_rules! to {
        ($from:ty) => {
            match to {
                Ty::U8 => int_int::<u8, $from>(saturate),
                Ty::U16 => int_int::<u16, $from>(saturate),
                Ty::U32 => int_int::<u32, $from>(saturate),
                Ty::U64 => int_int::<u64, $from>(saturate),
                Ty::S8 => int_int::<i8, $from>(saturate),
                Ty::S16 => int_int::<i16, $from>(saturate),
                Ty::S32 => int_int::<i32, $from>(saturate),
                Ty::S64 => int_int::<i64, $from>(saturate),
                _ => return None,
            }
        };
    }
    Some(match from {
        Ty::U8 => to!(u8),
        Ty::U16 => to!(u16),
        Ty::U32 => to!(u32),
        Ty::U64 => to!(u64),
        Ty::S8 => to!(i8),
        Ty::S16 => to!(i16),
        Ty::S32 => to!(i32),
        Ty::S64 => to!(i64),
        _ => return None,
    })
}

fn int_int<D: Int, S: Int>(saturate: bool) -> Un {
    if saturate {
        |a| D::wrap(S::get(a).number().clamp(D::RANGE.0, D::RANGE.1)).put()
    } else {
        |a| D::wrap(S::get(a).number()).put()
    }
}

/// The value's low bits copied with their sign to the whole slot: for a destination register wider than the type.
pub(crate) fn sign_extend(ty: Ty) -> Option<Un> {
    match ty {
        Ty::S8 => Some(|a| i64::from(i8::get(a)) as u64),
        Ty::S16 => Some(|a| i64::from(i16::get(a)) as u64),
        Ty::S32 => Some(|a| i64::from(i32::get(a)) as u64),
        _ => None,
    }
}

/// Any float type as the bits of an f64, which holds them all.
pub(crate) fn float_to_f64(from: Ty) -> Option<Un> {
    match from {
        Ty::F16 => Some(|a| f64::from(f16_to_f32(a as u16)).to_bits()),
        Ty::Bf16 => Some(|a| f64::from(bf16_to_f32(a as u16)).to_bits()),
        Ty::F32 => Some(|a| f64::from(f32::from_bits(a as u32)).to_bits()),
        Ty::F64 => Some(|a| a),
        _ => None,
    }
}

/// An f64 as a float type. Sixteen-bit types are rounded to the nearest only.
pub(crate) fn f64_to_float(to: Ty, mode: Rounding) -> Option<Un> {
    let nearest = mode == Rounding::Nearest;
    match to {
        Ty::F64 => Some(|a| a),
        Ty::F32 => Some(match mode {
            Rounding::Nearest => |a| put32(f64::from_bits(a) as f32),
            Rounding::Zero => |a| put32(round::narrow(f64::from_bits(a), Rounding::Zero)),
            Rounding::Down => |a| put32(round::narrow(f64::from_bits(a), Rounding::Down)),
            Rounding::Up => |a| put32(round::narrow(f64::from_bits(a), Rounding::Up)),
        }),
        Ty::F16 if nearest => Some(|a| u64::from(f64_to_f16(f64::from_bits(a)))),
        // From f32 alone (the only source PTX has), so that nothing is rounded twice.
        Ty::Bf16 if nearest => Some(|a| u64::from(f32_to_bf16(f64::from_bits(a) as f32))),
        _ => None,
    }
}

/// An f64 made integral.
pub(crate) fn to_integral(mode: Integral) -> Un {
    match mode {
        Rounding::Nearest => |a| f64::from_bits(a).round_ties_even().to_bits(),
        Rounding::Zero => |a| f64::from_bits(a).trunc().to_bits(),
        Rounding::Down => |a| f64::from_bits(a).floor().to_bits(),
        Rounding::Up => |a| f64::from_bits(a).ceil().to_bits(),
    }
}

/// An integral f64 as an integer, clamped to its range. NaN is 0, but the lowest signed number's bits if the source is
/// `f64` or the result has 64 bits, as PTX has it.
pub(crate) fn f64_to_int(to: Ty, from: Ty) -> Option<Un> {
    fn clamped<T: Int>(a: u64) -> u64 {
        let value = f64::from_bits(a);
        // `as` clamps to i128, and gives 0 for NaN.
        T::wrap((value as i128).clamp(T::RANGE.0, T::RANGE.1)).put()
    }
    fn high_nan<T: Int>(a: u64) -> u64 {
        if f64::from_bits(a).is_nan() { 1 << (T::BITS - 1) } else { clamped::<T>(a) }
    }
    let high = from == Ty::F64 || to.bits() == 64;
    macro_rules! to {
        ($to:ty) => {
            if high { high_nan::<$to> } else { clamped::<$to> }
        };
    }
    let f: Un = match to {
        Ty::U8 => to!(u8),
        Ty::U16 => to!(u16),
        Ty::U32 => to!(u32),
        Ty::U64 => to!(u64),
        Ty::S8 => to!(i8),
        Ty::S16 => to!(i16),
        Ty::S32 => to!(i32),
        Ty::S64 => to!(i64),
        _ => return None,
    };
    Some(f)
}

/// An integer as a float type; f64 and f16 are rounded to the nearest only.
pub(crate) fn int_to_float(to: Ty, from: Ty, mode: Rounding) -> Option<Un> {
    macro_rules! from {
        ($f:ident) => {
            match from {
                Ty::U8 => $f::<u8>,
                Ty::U16 => $f::<u16>,
                Ty::U32 => $f::<u32>,
                Ty::U64 => $f::<u64>,
                Ty::S8 => $f::<i8>,
                Ty::S16 => $f::<i16>,
                Ty::S32 => $f::<i32>,
                Ty::S64 => $f::<i64>,
                _ => return None,
            }
        };
    }
    fn to_f64<T: Int>(a: u64) -> u64 {
        (T::get(a).number() as f64).to_bits()
    }
    fn to_f16<T: Int>(a: u64) -> u64 {
        // Clamped to where f16 is infinite already, so that it is exact in f64.
        u64::from(f64_to_f16(T::get(a).number().clamp(-1 << 20, 1 << 20) as f64))
    }
    fn nearest<T: Int>(a: u64) -> u64 {
        put32(T::get(a).number() as f32)
    }
    fn zero<T: Int>(a: u64) -> u64 {
        directed(T::get(a).number(), Rounding::Zero)
    }
    fn down<T: Int>(a: u64) -> u64 {
        directed(T::get(a).number(), Rounding::Down)
    }
    fn up<T: Int>(a: u64) -> u64 {
        directed(T::get(a).number(), Rounding::Up)
    }
    let f: Un = match (to, mode) {
        (Ty::F64, Rounding::Nearest) => from!(to_f64),
        // These are exact in f64.
        (Ty::F64, _) if from.bits() <= 32 => from!(to_f64),
        (Ty::F16, Rounding::Nearest) => from!(to_f16),
        (Ty::F32, Rounding::Nearest) => from!(nearest),
        (Ty::F32, Rounding::Zero) => from!(zero),
        (Ty::F32, Rounding::Down) => from!(down),
        (Ty::F32, Rounding::Up) => from!(up),
        _ => return None,
    };
    Some(f)
}

fn directed(number: i128, mode: Rounding) -> u64 {
    let nearest = number as f32;
    let exact: Ordering = number.cmp(&(nearest as i128));
    put32(round::f32_directed(nearest, exact, mode))
}
