//! Integer arithmetic: modulo 2^N unless the instruction says otherwise.

use super::super::types::Ty;
use super::{Bin, Int, Tri, Un, by_int};

/// One operand: `abs`, `neg`, `not`, `cnot`, `popc`, `clz`, `brev`, `bfind`.
pub(crate) fn unary(name: &str, ty: Ty) -> Option<Un> {
    let f: Option<Un> = match name {
        "abs" => by_int!(ty, abs),
        "neg" => by_int!(ty, neg),
        "not" => by_int!(ty, not),
        "cnot" => by_int!(ty, cnot),
        "popc" => by_int!(ty, popc),
        "clz" => by_int!(ty, clz),
        "brev" => by_int!(ty, brev),
        "bfind" => by_int!(ty, bfind),
        "bfind.shiftamt" => by_int!(ty, bfind_shift),
        _ => None,
    };
    f
}

/// Two operands; the parts of a product are `mul.lo`, `mul.hi`, `mul.wide`.
pub(crate) fn binary(name: &str, ty: Ty) -> Option<Bin> {
    let f: Option<Bin> = match name {
        "add" => by_int!(ty, add),
        "add.sat" => by_int!(ty, add_sat),
        "sub" => by_int!(ty, sub),
        "sub.sat" => by_int!(ty, sub_sat),
        "mul.lo" => by_int!(ty, mul_lo),
        "mul.hi" => by_int!(ty, mul_hi),
        "mul.wide" => by_int!(ty, mul_wide),
        "mul24.lo" => by_int!(ty, mul24_lo),
        "mul24.hi" => by_int!(ty, mul24_hi),
        "div" => by_int!(ty, div),
        "rem" => by_int!(ty, rem),
        "min" => by_int!(ty, min),
        "max" => by_int!(ty, max),
        "and" => by_int!(ty, and),
        "or" => by_int!(ty, or),
        "xor" => by_int!(ty, xor),
        "shl" => by_int!(ty, shl),
        "shr" => by_int!(ty, shr),
        "inc" => by_int!(ty, inc),
        "dec" => by_int!(ty, dec),
        _ => None,
    };
    f
}

/// Three operands; `addc` and `subc` take the carry as the third, `*.carry` gives the one that comes out.
/// A subtraction adds the complement, as the hardware does: its carry is 1 if nothing was borrowed. Compilers rely on it
/// where `addc` follows `subc.cc`.
pub(crate) fn ternary(name: &str, ty: Ty) -> Option<Tri> {
    let f: Option<Tri> = match name {
        "mad.lo" => by_int!(ty, mad_lo),
        "mad.hi" => by_int!(ty, mad_hi),
        "mad.wide" => by_int!(ty, mad_wide),
        "mad24.lo" => by_int!(ty, mad24_lo),
        "mad24.hi" => by_int!(ty, mad24_hi),
        "mad.hi.sat" => by_int!(ty, mad_hi_sat),
        "sad" => by_int!(ty, sad),
        "addc" => by_int!(ty, addc),
        "addc.carry" => by_int!(ty, addc_carry),
        "subc" => by_int!(ty, subc),
        "subc.carry" => by_int!(ty, subc_carry),
        _ => None,
    };
    f
}

fn clamp<T: Int>(number: i128) -> u64 {
    T::wrap(number.clamp(T::RANGE.0, T::RANGE.1)).put()
}

fn abs<T: Int>(a: u64) -> u64 {
    T::wrap(T::get(a).number().abs()).put()
}

fn neg<T: Int>(a: u64) -> u64 {
    T::wrap(-T::get(a).number()).put()
}

fn not<T: Int>(a: u64) -> u64 {
    T::get(!a).put()
}

fn cnot<T: Int>(a: u64) -> u64 {
    u64::from(T::get(a).put() == 0)
}

fn popc<T: Int>(a: u64) -> u64 {
    u64::from(T::get(a).put().count_ones())
}

fn clz<T: Int>(a: u64) -> u64 {
    u64::from(T::get(a).put().leading_zeros() - (64 - T::BITS))
}

fn brev<T: Int>(a: u64) -> u64 {
    T::get(a).put().reverse_bits() >> (64 - T::BITS)
}

/// The place of the highest bit that is no copy of the sign; all ones if there is none.
fn bfind<T: Int>(a: u64) -> u64 {
    let value = T::get(a).number();
    let value = if value < 0 { !value } else { value };
    if value == 0 { u64::from(u32::MAX) } else { u64::from(value.ilog2()) }
}

/// How far that bit is from the top.
fn bfind_shift<T: Int>(a: u64) -> u64 {
    match bfind::<T>(a) {
        none if none == u64::from(u32::MAX) => none,
        place => u64::from(T::BITS - 1) - place,
    }
}

fn add<T: Int>(a: u64, b: u64) -> u64 {
    T::get(a.wrapping_add(b)).put()
}

fn add_sat<T: Int>(a: u64, b: u64) -> u64 {
    clamp::<T>(T::get(a).number() + T::get(b).number())
}

fn sub<T: Int>(a: u64, b: u64) -> u64 {
    T::get(a.wrapping_sub(b)).put()
}

fn sub_sat<T: Int>(a: u64, b: u64) -> u64 {
    clamp::<T>(T::get(a).number() - T::get(b).number())
}

fn mul_lo<T: Int>(a: u64, b: u64) -> u64 {
    T::get(a.wrapping_mul(b)).put()
}

/// The whole product as two's complement; that of two `u64` may look negative, its bits are right.
fn product<T: Int>(a: u64, b: u64) -> i128 {
    T::get(a).number().wrapping_mul(T::get(b).number())
}

fn mul_hi<T: Int>(a: u64, b: u64) -> u64 {
    T::wrap(product::<T>(a, b) >> T::BITS).put()
}

/// Twice as wide as the operands.
fn mul_wide<T: Int>(a: u64, b: u64) -> u64 {
    (product::<T>(a, b) as u64) & (u64::MAX >> (64 - (2 * T::BITS).min(64)))
}

/// The low 24 bits of an operand, with their sign.
fn low24<T: Int>(a: u64) -> i64 {
    let signed = T::RANGE.0 < 0;
    let shifted = (a as u32) << 8;
    if signed { i64::from(shifted as i32 >> 8) } else { i64::from(shifted >> 8) }
}

fn mul24_lo<T: Int>(a: u64, b: u64) -> u64 {
    T::get((low24::<T>(a) * low24::<T>(b)) as u64).put()
}

/// Bits 16 to 47 of the product.
fn mul24_hi<T: Int>(a: u64, b: u64) -> u64 {
    T::get(((low24::<T>(a) * low24::<T>(b)) >> 16) as u64).put()
}

/// Division by zero gives all ones, as GPUs do; PTX leaves it open.
fn div<T: Int>(a: u64, b: u64) -> u64 {
    match T::get(b).number() {
        0 => T::wrap(-1).put(),
        b => T::wrap(T::get(a).number() / b).put(),
    }
}

/// The remainder by zero is the dividend, as it is on GPUs; PTX leaves it open.
fn rem<T: Int>(a: u64, b: u64) -> u64 {
    match T::get(b).number() {
        0 => T::get(a).put(),
        b => T::wrap(T::get(a).number() % b).put(),
    }
}

fn min<T: Int>(a: u64, b: u64) -> u64 {
    T::get(a).min(T::get(b)).put()
}

fn max<T: Int>(a: u64, b: u64) -> u64 {
    T::get(a).max(T::get(b)).put()
}

fn and<T: Int>(a: u64, b: u64) -> u64 {
    T::get(a & b).put()
}

fn or<T: Int>(a: u64, b: u64) -> u64 {
    T::get(a | b).put()
}

fn xor<T: Int>(a: u64, b: u64) -> u64 {
    T::get(a ^ b).put()
}

/// The distance is an unsigned 32-bit number, clamped to the width.
fn shl<T: Int>(a: u64, b: u64) -> u64 {
    let by = b as u32;
    if by >= T::BITS { 0 } else { T::get(a << by).put() }
}

fn shr<T: Int>(a: u64, b: u64) -> u64 {
    T::wrap(T::get(a).number() >> (b as u32).min(T::BITS)).put()
}

/// `atom.inc`: up to `b`, then from 0.
fn inc<T: Int>(a: u64, b: u64) -> u64 {
    if T::get(a) >= T::get(b) { 0 } else { add::<T>(a, 1) }
}

/// `atom.dec`: down from `b`.
fn dec<T: Int>(a: u64, b: u64) -> u64 {
    let zero = T::get(a).put() == 0;
    if zero || T::get(a) > T::get(b) { T::get(b).put() } else { sub::<T>(a, 1) }
}

fn mad_lo<T: Int>(a: u64, b: u64, c: u64) -> u64 {
    T::get(a.wrapping_mul(b).wrapping_add(c)).put()
}

fn mad_hi<T: Int>(a: u64, b: u64, c: u64) -> u64 {
    add::<T>(mul_hi::<T>(a, b), c)
}

fn mad_hi_sat<T: Int>(a: u64, b: u64, c: u64) -> u64 {
    add_sat::<T>(mul_hi::<T>(a, b), c)
}

fn mad_wide<T: Int>(a: u64, b: u64, c: u64) -> u64 {
    mul_wide::<T>(a, b).wrapping_add(c) & (u64::MAX >> (64 - (2 * T::BITS).min(64)))
}

fn mad24_lo<T: Int>(a: u64, b: u64, c: u64) -> u64 {
    add::<T>(mul24_lo::<T>(a, b), c)
}

fn mad24_hi<T: Int>(a: u64, b: u64, c: u64) -> u64 {
    add::<T>(mul24_hi::<T>(a, b), c)
}

fn sad<T: Int>(a: u64, b: u64, c: u64) -> u64 {
    let distance = (T::get(a).number() - T::get(b).number()).abs();
    T::wrap(T::get(c).number() + distance).put()
}

fn addc<T: Int>(a: u64, b: u64, carry: u64) -> u64 {
    T::get(a.wrapping_add(b).wrapping_add(carry & 1)).put()
}

fn addc_carry<T: Int>(a: u64, b: u64, carry: u64) -> u64 {
    let sum = u128::from(T::get(a).put()) + u128::from(T::get(b).put()) + u128::from(carry & 1);
    (sum >> T::BITS) as u64
}

fn subc<T: Int>(a: u64, b: u64, carry: u64) -> u64 {
    addc::<T>(a, !b, carry)
}

fn subc_carry<T: Int>(a: u64, b: u64, carry: u64) -> u64 {
    addc_carry::<T>(a, !b, carry)
}
