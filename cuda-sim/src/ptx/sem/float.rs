//! Arithmetic on f32 and f64. NaN results of f32 are 0x7fffffff, as on GPUs.

use super::super::types::Ty;
use super::round::{self, Rounding};
use super::{Bin, Tri, Un, half};

fn get32(slot: u64) -> f32 {
    f32::from_bits(slot as u32)
}

/// The slot of an f32 result.
pub(crate) fn put32(value: f32) -> u64 {
    if value.is_nan() { 0x7fff_ffff } else { u64::from(value.to_bits()) }
}

fn get64(slot: u64) -> f64 {
    f64::from_bits(slot)
}

fn put64(value: f64) -> u64 {
    value.to_bits()
}

/// A function's instance for a rounding mode.
macro_rules! by_mode {
    ($mode:expr, $mode_name:ident => $f:expr) => {
        match $mode {
            Rounding::Nearest => {
                const $mode_name: Rounding = Rounding::Nearest;
                $f
            }
            Rounding::Zero => {
                const $mode_name: Rounding = Rounding::Zero;
                $f
            }
            Rounding::Down => {
                const $mode_name: Rounding = Rounding::Down;
                $f
            }
            Rounding::Up => {
                const $mode_name: Rounding = Rounding::Up;
                $f
            }
        }
    };
}

/// One operand. `None` also for a mode that this type has not here (f64 is rounded to the nearest only).
pub(crate) fn unary(name: &str, ty: Ty, mode: Rounding) -> Option<Un> {
    match ty {
        Ty::F32 => unary32(name, mode),
        Ty::F64 => unary64(name, mode),
        _ => half::unary(name, ty),
    }
}

fn unary32(name: &str, mode: Rounding) -> Option<Un> {
    let f: Un = match name {
        "abs" => |a| a & 0x7fff_ffff,
        "neg" => |a| (a ^ 0x8000_0000) & 0xffff_ffff,
        "sqrt" => by_mode!(mode, MODE => |a| put32(round::sqrt(get32(a), MODE))),
        "rcp" => by_mode!(mode, MODE => |a| put32(round::div(1.0, get32(a), MODE))),
        "rsqrt" => |a| put32((1.0 / f64::from(get32(a)).sqrt()) as f32),
        "sin" => |a| put32(f64::from(get32(a)).sin() as f32),
        "cos" => |a| put32(f64::from(get32(a)).cos() as f32),
        "lg2" => |a| put32(f64::from(get32(a)).log2() as f32),
        "ex2" => |a| put32(f64::from(get32(a)).exp2() as f32),
        "tanh" => |a| put32(f64::from(get32(a)).tanh() as f32),
        _ => return None,
    };
    Some(f)
}

fn unary64(name: &str, mode: Rounding) -> Option<Un> {
    let f: Un = match name {
        "abs" => |a| a & !(1 << 63),
        "neg" => |a| a ^ (1 << 63),
        "sqrt" if mode == Rounding::Nearest => |a| put64(get64(a).sqrt()),
        "rcp" if mode == Rounding::Nearest => |a| put64(1.0 / get64(a)),
        "rsqrt" => |a| put64(1.0 / get64(a).sqrt()),
        _ => return None,
    };
    Some(f)
}

/// Two operands.
pub(crate) fn binary(name: &str, ty: Ty, mode: Rounding) -> Option<Bin> {
    let f: Bin = match (name, ty) {
        ("add", Ty::F32) => by_mode!(mode, MODE => |a, b| put32(round::add(get32(a), get32(b), MODE))),
        ("sub", Ty::F32) => by_mode!(mode, MODE => |a, b| put32(round::add(get32(a), -get32(b), MODE))),
        ("mul", Ty::F32) => by_mode!(mode, MODE => |a, b| put32(round::mul(get32(a), get32(b), MODE))),
        ("div", Ty::F32) => by_mode!(mode, MODE => |a, b| put32(round::div(get32(a), get32(b), MODE))),
        ("min", Ty::F32) => |a, b| put32(min_number(get32(a).into(), get32(b).into()) as f32),
        ("max", Ty::F32) => |a, b| put32(-min_number((-get32(a)).into(), (-get32(b)).into()) as f32),
        ("min.NaN", Ty::F32) => |a, b| put32(min_nan(get32(a).into(), get32(b).into()) as f32),
        ("max.NaN", Ty::F32) => |a, b| put32(-min_nan((-get32(a)).into(), (-get32(b)).into()) as f32),
        ("copysign", Ty::F32) => |a, b| (b & 0x7fff_ffff) | (a & 0x8000_0000),
        ("add", Ty::F64) if mode == Rounding::Nearest => |a, b| put64(get64(a) + get64(b)),
        ("sub", Ty::F64) if mode == Rounding::Nearest => |a, b| put64(get64(a) - get64(b)),
        ("mul", Ty::F64) if mode == Rounding::Nearest => |a, b| put64(get64(a) * get64(b)),
        ("div", Ty::F64) if mode == Rounding::Nearest => |a, b| put64(get64(a) / get64(b)),
        ("min", Ty::F64) => |a, b| put64(min_number(get64(a), get64(b))),
        ("max", Ty::F64) => |a, b| put64(-min_number(-get64(a), -get64(b))),
        ("copysign", Ty::F64) => |a, b| (b & !(1 << 63)) | (a & (1 << 63)),
        _ => return if mode == Rounding::Nearest { half::binary(name, ty) } else { None },
    };
    Some(f)
}

/// `fma`: rounded once.
pub(crate) fn fma(ty: Ty, mode: Rounding) -> Option<Tri> {
    let f: Tri = match ty {
        Ty::F32 => by_mode!(mode, MODE => |a, b, c| put32(round::fma(get32(a), get32(b), get32(c), MODE))),
        Ty::F64 if mode == Rounding::Nearest => |a, b, c| put64(get64(a).mul_add(get64(b), get64(c))),
        _ => return if mode == Rounding::Nearest { half::fma(ty) } else { None },
    };
    Some(f)
}

/// The smaller, -0 before +0; a number rather than NaN.
pub(crate) fn min_number(a: f64, b: f64) -> f64 {
    if a.is_nan() {
        return b;
    }
    if b.is_nan() || a < b || (a == b && a.is_sign_negative()) { a } else { b }
}

fn min_nan(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { min_number(a, b) }
}

/// `.ftz`: subnormal f32 become zeros of their sign.
pub(crate) fn flush(a: u64) -> u64 {
    if a & 0x7f80_0000 == 0 { a & 0x8000_0000 } else { a }
}

fn unit(value: f64) -> f64 {
    // Adding 0 makes -0 of it positive.
    if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) + 0.0 }
}

/// `.sat`: into 0 to 1, NaN to 0.
pub(crate) fn saturate(ty: Ty) -> Option<Un> {
    match ty {
        Ty::F32 => Some(|a| put32(unit(get32(a).into()) as f32)),
        Ty::F64 => Some(|a| put64(unit(get64(a)))),
        _ => None,
    }
}

/// `testp`: 1 if the operand is of the class.
pub(crate) fn test(name: &str, ty: Ty) -> Option<Un> {
    let f: (Un, Un) = match name {
        "finite" => (|a| u64::from(get32(a).is_finite()), |a| u64::from(get64(a).is_finite())),
        "infinite" => (|a| u64::from(get32(a).is_infinite()), |a| u64::from(get64(a).is_infinite())),
        "number" => (|a| u64::from(!get32(a).is_nan()), |a| u64::from(!get64(a).is_nan())),
        "notanumber" => (|a| u64::from(get32(a).is_nan()), |a| u64::from(get64(a).is_nan())),
        "normal" => (|a| u64::from(get32(a).is_normal()), |a| u64::from(get64(a).is_normal())),
        "subnormal" => (|a| u64::from(get32(a).is_subnormal()), |a| u64::from(get64(a).is_subnormal())),
        _ => return None,
    };
    match ty {
        Ty::F32 => Some(f.0),
        Ty::F64 => Some(f.1),
        _ => None,
    }
}
