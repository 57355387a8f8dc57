//! Bit fields, bytes and funnels, and `lop3`.

use super::super::types::Ty;
use super::{Bin, Int, Tri};

/// `bfe` of a type: the field of `a` at `b` (low 8 bits), `c` (low 8 bits) wide. A signed field that reaches past the
/// top is filled with the top bit.
pub(crate) fn bfe(ty: Ty) -> Option<Tri> {
    let f: Tri = match ty {
        Ty::U32 => bfe_of::<u32>,
        Ty::S32 => bfe_of::<i32>,
        Ty::U64 => bfe_of::<u64>,
        Ty::S64 => bfe_of::<i64>,
        _ => return None,
    };
    Some(f)
}

fn bfe_of<T: Int>(a: u64, b: u64, c: u64) -> u64 {
    let (at, len) = ((b & 0xff) as u32, (c & 0xff) as u32);
    if len == 0 {
        return 0;
    }
    let signed = T::RANGE.0 < 0;
    let bits = u128::from(T::get(a).put());
    let field = bits.checked_shr(at).unwrap_or(0) & (u128::MAX >> (128 - len.min(64)));
    let top = (at + len - 1).min(T::BITS - 1);
    let negative = signed && (bits >> top) & 1 == 1;
    // The bits of the operand that the field has; above them the sign.
    let have = len.min(T::BITS.saturating_sub(at));
    let fill = if negative { u128::MAX.checked_shl(have).unwrap_or(0) } else { 0 };
    T::get((field | fill) as u64).put()
}

/// `bfi`: the low `len` bits of `a` put into `b` at `at`. `at_len` holds both: `at` in its low byte, `len` in the next.
pub(crate) fn bfi(ty: Ty) -> Option<Tri> {
    let f: Tri = match ty {
        Ty::U32 => bfi_of::<u32>,
        Ty::U64 => bfi_of::<u64>,
        _ => return None,
    };
    Some(f)
}

fn bfi_of<T: Int>(a: u64, b: u64, at_len: u64) -> u64 {
    let (at, len) = ((at_len & 0xff) as u32, ((at_len >> 8) & 0xff) as u32);
    if len == 0 || at >= T::BITS {
        return T::get(b).put();
    }
    let mask = (u128::MAX >> (128 - len.min(64))) << at;
    T::get(((u128::from(b) & !mask) | ((u128::from(a) << at) & mask)) as u64).put()
}

/// The two positions of `bfi` in one slot.
pub(crate) fn pack_bytes(low: u64, high: u64) -> u64 {
    (low & 0xff) | ((high & 0xff) << 8)
}

/// `lop3` of one bit table: one of eight results for each bit of `a`, `b` and `c`. The table is in the upper half of `c`.
pub(crate) fn lop3(a: u64, b: u64, c_table: u64) -> u64 {
    let (a, b, c, table) = (a as u32, b as u32, c_table as u32, c_table >> 32);
    let mut out = 0;
    for case in 0..8_u32 {
        if (table >> case) & 1 == 1 {
            let pick = |value: u32, bit: u32| if (case >> bit) & 1 == 1 { value } else { !value };
            out |= pick(a, 2) & pick(b, 1) & pick(c, 0);
        }
    }
    u64::from(out)
}

/// Two 32-bit halves as one slot.
pub(crate) fn pack_words(low: u64, high: u64) -> u64 {
    (low & 0xffff_ffff) | (high << 32)
}

/// Two 16-bit halves as one slot.
pub(crate) fn pack_halves(low: u64, high: u64) -> u64 {
    (low & 0xffff) | ((high & 0xffff) << 16)
}

/// `prmt` in its default mode: four bytes out of the eight of `b:a`, or their signs. The selector is in `c`.
pub(crate) fn prmt(a: u64, b: u64, c: u64) -> u64 {
    let bytes = pack_words(a, b).to_le_bytes();
    let mut out = 0;
    for place in 0..4 {
        let select = (c >> (4 * place)) & 0xf;
        let byte = bytes[(select & 7) as usize];
        let byte = if select & 8 == 0 { byte } else { 0_u8.wrapping_sub(byte >> 7) };
        out |= u64::from(byte) << (8 * place);
    }
    out
}

/// `shf.{l,r}.{wrap,clamp}.b32`.
pub(crate) fn funnel(left: bool, clamp: bool) -> Tri {
    match (left, clamp) {
        (true, true) => |a, b, c| funnel_left(a, b, (c as u32).min(32)),
        (true, false) => |a, b, c| funnel_left(a, b, (c as u32) & 31),
        (false, true) => |a, b, c| funnel_right(a, b, (c as u32).min(32)),
        (false, false) => |a, b, c| funnel_right(a, b, (c as u32) & 31),
    }
}

fn funnel_left(a: u64, b: u64, by: u32) -> u64 {
    (pack_words(a, b) << by) >> 32
}

fn funnel_right(a: u64, b: u64, by: u32) -> u64 {
    (pack_words(a, b) >> by) & 0xffff_ffff
}

/// The part of a slot that a `mov` unpacks: `size` bytes from byte `index * size` on.
pub(crate) fn unpack(size: u32) -> Option<Bin> {
    let f: Bin = match size {
        1 => |a, index| (a >> (8 * index)) & 0xff,
        2 => |a, index| (a >> (16 * index)) & 0xffff,
        4 => |a, index| (a >> (32 * index)) & 0xffff_ffff,
        _ => return None,
    };
    Some(f)
}

/// `dp4a`: the sum of four byte products, added to `c`.
pub(crate) fn dp4a(a_signed: bool, b_signed: bool) -> Tri {
    fn sum(a: u64, b: u64, c: u64, a_signed: bool, b_signed: bool) -> u64 {
        let byte = |value: u64, place: u32, signed: bool| {
            let byte = (value >> (8 * place)) as u8;
            if signed { i64::from(byte as i8) } else { i64::from(byte) }
        };
        let products = (0..4).map(|place| byte(a, place, a_signed) * byte(b, place, b_signed));
        u64::from((products.sum::<i64>() as u64).wrapping_add(c) as u32)
    }
    match (a_signed, b_signed) {
        (true, true) => |a, b, c| sum(a, b, c, true, true),
        (true, false) => |a, b, c| sum(a, b, c, true, false),
        (false, true) => |a, b, c| sum(a, b, c, false, true),
        (false, false) => |a, b, c| sum(a, b, c, false, false),
    }
}
