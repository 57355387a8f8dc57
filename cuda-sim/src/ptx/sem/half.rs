//! Sixteen-bit floats: `f16` and `bf16`, computed in f32 or f64 and rounded once.

use super::super::types::Ty;
use super::{Bin, Tri, Un};

/// An `f16` as f32; all of them fit.
pub(crate) fn f16_to_f32(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let exponent = u32::from(bits >> 10) & 0x1f;
    let fraction = u32::from(bits) & 0x3ff;
    let magnitude = match exponent {
        // Subnormal: fraction times 2^-24.
        0 => (fraction as f32 * f32::from_bits(0x3380_0000)).to_bits(),
        0x1f if fraction == 0 => 0x7f80_0000,
        0x1f => 0x7fff_ffff,
        _ => ((exponent + 112) << 23) | (fraction << 13),
    };
    f32::from_bits(sign | magnitude)
}

/// A number as `f16`, to the nearest, ties to even; NaN is 0x7fff.
pub(crate) fn f64_to_f16(value: f64) -> u16 {
    if value.is_nan() {
        return 0x7fff;
    }
    let sign = u16::from(value.is_sign_negative()) << 15;
    let magnitude = value.abs();
    if magnitude >= 65520.0 {
        return sign | 0x7c00;
    }
    // The distance of neighbours there: 2^(e-10), at least 2^-24.
    let exponent = (((magnitude.to_bits() >> 52) & 0x7ff) as i32 - 1023).max(-14);
    let steps = (magnitude / 2_f64.powi(exponent - 10)).round_ties_even() as u16;
    // Steps of the binade from 1024 on; rounding up into the next one carries into the exponent by itself.
    sign | (((exponent + 14) as u16) << 10).wrapping_add(steps)
}

/// A `bf16` as f32: its upper half.
pub(crate) fn bf16_to_f32(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

/// An f32 as `bf16`, to the nearest, ties to even; NaN is 0x7fff.
pub(crate) fn f32_to_bf16(value: f32) -> u16 {
    if value.is_nan() {
        return 0x7fff;
    }
    let bits = value.to_bits();
    let round = 0x7fff + ((bits >> 16) & 1);
    (bits.wrapping_add(round) >> 16) as u16
}

fn get(slot: u64) -> f64 {
    f64::from(f16_to_f32(slot as u16))
}

fn put(value: f64) -> u64 {
    u64::from(f64_to_f16(value))
}

/// One operand of `f16`: `neg`, `abs`, `sqrt`-free.
pub(crate) fn unary(name: &str, ty: Ty) -> Option<Un> {
    let f: Un = match (name, ty) {
        ("neg", Ty::F16 | Ty::Bf16) => |a| (a ^ 0x8000) & 0xffff,
        ("abs", Ty::F16 | Ty::Bf16) => |a| a & 0x7fff,
        ("neg", Ty::F16x2) => |a| (a ^ 0x8000_8000) & 0xffff_ffff,
        ("abs", Ty::F16x2) => |a| a & 0x7fff_7fff,
        _ => return None,
    };
    Some(f)
}

/// Two operands of `f16` or `f16x2`.
pub(crate) fn binary(name: &str, ty: Ty) -> Option<Bin> {
    let f: (Bin, Bin) = match name {
        "add" => (add, |a, b| halves(a, b, 0, |a, b, _| add(a, b))),
        "sub" => (sub, |a, b| halves(a, b, 0, |a, b, _| sub(a, b))),
        "mul" => (mul, |a, b| halves(a, b, 0, |a, b, _| mul(a, b))),
        "min" => (min, |a, b| halves(a, b, 0, |a, b, _| min(a, b))),
        "max" => (max, |a, b| halves(a, b, 0, |a, b, _| max(a, b))),
        _ => return None,
    };
    match ty {
        Ty::F16 => Some(f.0),
        Ty::F16x2 => Some(f.1),
        _ => None,
    }
}

/// `fma` of `f16` or `f16x2`.
pub(crate) fn fma(ty: Ty) -> Option<Tri> {
    match ty {
        Ty::F16 => Some(fma_one),
        Ty::F16x2 => Some(|a, b, c| halves(a, b, c, fma_one)),
        _ => None,
    }
}

fn halves(a: u64, b: u64, c: u64, f: Tri) -> u64 {
    f(a & 0xffff, b & 0xffff, c & 0xffff) | (f((a >> 16) & 0xffff, (b >> 16) & 0xffff, (c >> 16) & 0xffff) << 16)
}

// Sums and products of two f16 are exact in f64.
fn add(a: u64, b: u64) -> u64 {
    put(get(a) + get(b))
}

fn sub(a: u64, b: u64) -> u64 {
    put(get(a) - get(b))
}

fn mul(a: u64, b: u64) -> u64 {
    put(get(a) * get(b))
}

fn min(a: u64, b: u64) -> u64 {
    put(super::float::min_number(get(a), get(b)))
}

fn max(a: u64, b: u64) -> u64 {
    put(-super::float::min_number(-get(a), -get(b)))
}

/// The product is exact in f64; a sum that is not is made odd, so that rounding it again does no harm.
fn fma_one(a: u64, b: u64, c: u64) -> u64 {
    let (product, c) = (get(a) * get(b), get(c));
    let sum = product + c;
    let back = sum - product;
    let rest = (product - (sum - back)) + (c - back);
    if sum.is_finite() && rest != 0.0 && sum.to_bits() & 1 == 0 {
        let away = (rest > 0.0) == (sum > 0.0);
        return put(f64::from_bits(if away { sum.to_bits() + 1 } else { sum.to_bits() - 1 }));
    }
    put(sum)
}
