//! Integer arithmetic, logic, shifts and comparisons, against Rust's.

use super::harness::{check, evaluate, integers};

type Case = (&'static str, fn(std::cmp::Ordering) -> bool);

macro_rules! arithmetic {
    ($test:ident, $int:ident, $unsigned:ident, $wide:ident, $name:literal, $bits:literal) => {
        #[test]
        #[allow(trivial_numeric_casts, reason = "one of the types is the type itself")]
        fn $test() {
            let values = integers($bits);
            let same = [$name; 4];
            let binary = |code: &str, f: fn($int, $int) -> $int| {
                let code = format!("{code}.{} %d, %a, %b;", $name);
                check(&code, same, &values, |[a, b, _]| f(a as $int, b as $int) as $unsigned as u64);
            };
            binary("add", $int::wrapping_add);
            binary("sub", $int::wrapping_sub);
            binary("mul.lo", $int::wrapping_mul);
            binary("mul.hi", |a, b| ((a as $wide).wrapping_mul(b as $wide) >> $bits) as $int);
            binary("min", |a, b| a.min(b));
            binary("max", |a, b| a.max(b));
            binary("div", |a, b| if b == 0 { !0 } else { a.wrapping_div(b) });
            binary("rem", |a, b| if b == 0 { a } else { a.wrapping_rem(b) });
            let ternary = |code: &str, f: fn($int, $int, $int) -> $int| {
                let code = format!("{code}.{} %d, %a, %b, %c;", $name);
                check(&code, same, &values, |[a, b, c]| f(a as $int, b as $int, c as $int) as $unsigned as u64);
            };
            ternary("mad.lo", |a, b, c| a.wrapping_mul(b).wrapping_add(c));
            ternary("mad.hi", |a, b, c| (((a as $wide).wrapping_mul(b as $wide) >> $bits) as $int).wrapping_add(c));
            ternary("sad", |a, b, c| c.wrapping_add(a.abs_diff(b) as $int));
            for (code, f) in COMPARISONS {
                let code = format!("setp.{code}.{} %p, %a, %b; selp.u32 %d, 1, 0, %p;", $name);
                let types = ["b32", $name, $name, $name];
                check(&code, types, &values, |[a, b, _]| f((a as $int).cmp(&(b as $int))).into());
            }
            // The distance of a shift has 32 bits, and more than the width shifts everything out.
            let code = format!("shr.{} %d, %a, %b;", $name);
            check(&code, [$name, $name, "b32", $name], &values, |[a, b, _]| {
                ((a as $int as i128) >> (b as u32).min(127)) as $unsigned as u64
            });
        }
    };
}

const COMPARISONS: [Case; 6] = [
    ("eq", |order| order.is_eq()),
    ("ne", |order| order.is_ne()),
    ("lt", |order| order.is_lt()),
    ("le", |order| order.is_le()),
    ("gt", |order| order.is_gt()),
    ("ge", |order| order.is_ge()),
];

arithmetic!(arithmetic_of_u16_equals_the_cpu, u16, u16, u128, "u16", 16);
arithmetic!(arithmetic_of_u32_equals_the_cpu, u32, u32, u128, "u32", 32);
arithmetic!(arithmetic_of_u64_equals_the_cpu, u64, u64, u128, "u64", 64);
arithmetic!(arithmetic_of_s16_equals_the_cpu, i16, u16, i128, "s16", 16);
arithmetic!(arithmetic_of_s32_equals_the_cpu, i32, u32, i128, "s32", 32);
arithmetic!(arithmetic_of_s64_equals_the_cpu, i64, u64, i128, "s64", 64);

#[test]
fn wide_products_have_twice_the_width() {
    let values = integers(32);
    let types = ["b64", "b32", "b32", "b64"];
    check("mul.wide.u32 %d, %a, %b;", types, &values, |[a, b, _]| a * b);
    check("mul.wide.s32 %d, %a, %b;", types, &values, |[a, b, _]| (i64::from(a as i32) * i64::from(b as i32)) as u64);
    check("mad.wide.s32 %d, %a, %b, %c;", types, &values, |[a, b, c]| {
        (i64::from(a as i32) * i64::from(b as i32)).wrapping_add(c as i64) as u64
    });
    let types = ["b32", "b16", "b16", "b32"];
    check("mul.wide.s16 %d, %a, %b;", types, &integers(16), |[a, b, _]| {
        u64::from((i32::from(a as i16) * i32::from(b as i16)) as u32)
    });
    check("mad.wide.u16 %d, %a, %b, %c;", types, &integers(16), |[a, b, c]| {
        u64::from((a as u32 * b as u32).wrapping_add(c as u32))
    });
}

#[test]
fn products_of_24_bits_take_the_low_ones() {
    let values = integers(32);
    check("mul24.lo.u32 %d, %a, %b;", ["b32"; 4], &values, |[a, b, _]| {
        ((a & 0xff_ffff) * (b & 0xff_ffff)) & 0xffff_ffff
    });
    check("mul24.hi.s32 %d, %a, %b;", ["b32"; 4], &values, |[a, b, _]| {
        let low = |v: u64| i64::from((v as i32) << 8 >> 8);
        u64::from(((low(a) * low(b)) >> 16) as u32)
    });
}

#[test]
fn saturating_sums_stay_in_range() {
    let values = integers(32);
    check("add.sat.s32 %d, %a, %b;", ["b32"; 4], &values, |[a, b, _]| {
        u64::from((a as i32).saturating_add(b as i32) as u32)
    });
    check("sub.sat.s32 %d, %a, %b;", ["b32"; 4], &values, |[a, b, _]| {
        u64::from((a as i32).saturating_sub(b as i32) as u32)
    });
}

#[test]
fn carries_make_128_bits_of_two_words() {
    // (a:b) + (c:a) and (a:b) - (c:a), the high words of the results.
    let values = integers(64);
    check("add.cc.u64 %d, %b, %a; addc.u64 %d, %a, %c;", ["b64"; 4], &values, |[a, b, c]| {
        let wide = |high: u64, low: u64| (u128::from(high) << 64) | u128::from(low);
        (wide(a, b).wrapping_add(wide(c, a)) >> 64) as u64
    });
    check("sub.cc.u64 %d, %b, %a; subc.cc.u64 %d, %a, %c;", ["b64"; 4], &values, |[a, b, c]| {
        let wide = |high: u64, low: u64| (u128::from(high) << 64) | u128::from(low);
        (wide(a, b).wrapping_sub(wide(c, a)) >> 64) as u64
    });
    check("mad.lo.cc.u32 %d, %a, %b, %c; madc.hi.u32 %d, %a, %b, 0;", ["b32"; 4], &integers(32), |[a, b, c]| {
        (a * b).wrapping_add(c) >> 32
    });
}

#[test]
fn one_operand_integers_equal_the_cpu() {
    let (v32, v64) = (integers(32), integers(64));
    check("neg.s32 %d, %a;", ["b32"; 4], &v32, |[a, ..]| u64::from((a as i32).wrapping_neg() as u32));
    check("abs.s32 %d, %a;", ["b32"; 4], &v32, |[a, ..]| u64::from((a as i32).wrapping_abs() as u32));
    check("abs.s64 %d, %a;", ["b64"; 4], &v64, |[a, ..]| (a as i64).wrapping_abs() as u64);
    check("not.b64 %d, %a;", ["b64"; 4], &v64, |[a, ..]| !a);
    check("cnot.b32 %d, %a;", ["b32"; 4], &v32, |[a, ..]| u64::from(a == 0));
    check("popc.b64 %d, %a;", ["b32", "b64", "b64", "b64"], &v64, |[a, ..]| a.count_ones().into());
    check("clz.b32 %d, %a;", ["b32"; 4], &v32, |[a, ..]| (a as u32).leading_zeros().into());
    check("brev.b32 %d, %a;", ["b32"; 4], &v32, |[a, ..]| (a as u32).reverse_bits().into());
    check("bfind.u32 %d, %a;", ["b32"; 4], &v32, |[a, ..]| (a as u32).checked_ilog2().unwrap_or(u32::MAX).into());
    check("bfind.s32 %d, %a;", ["b32"; 4], &v32, |[a, ..]| {
        let a = a as u32;
        (if (a as i32) < 0 { !a } else { a }).checked_ilog2().unwrap_or(u32::MAX).into()
    });
    check("bfind.shiftamt.u64 %d, %a;", ["b32", "b64", "b64", "b64"], &v64, |[a, ..]| {
        if a == 0 { u32::MAX.into() } else { a.leading_zeros().into() }
    });
}

#[test]
fn logic_and_left_shifts_equal_the_cpu() {
    let v64 = integers(64);
    check("and.b64 %d, %a, %b;", ["b64"; 4], &v64, |[a, b, _]| a & b);
    check("or.b64 %d, %a, %b;", ["b64"; 4], &v64, |[a, b, _]| a | b);
    check("xor.b32 %d, %a, %b;", ["b32"; 4], &integers(32), |[a, b, _]| a ^ b);
    check("shl.b64 %d, %a, %b;", ["b64", "b64", "b32", "b64"], &v64, |[a, b, _]| a.checked_shl(b as u32).unwrap_or(0));
    check("shl.b32 %d, %a, %b;", ["b32"; 4], &integers(32), |[a, b, _]| {
        (a as u32).checked_shl(b as u32).unwrap_or(0).into()
    });
    check("shl.b16 %d, %a, %b;", ["b16", "b16", "b32", "b16"], &integers(16), |[a, b, _]| {
        (a as u16).checked_shl(b as u32).unwrap_or(0).into()
    });
    // A distance that is written out.
    assert_eq!(evaluate("shr.s32 %d, %a, 40;", ["b32"; 4], &[[0x8000_0000, 0, 0]]), [0xffff_ffff]);
}

#[test]
fn predicates_are_joined_negated_and_selected() {
    let values = integers(32);
    let code = "setp.gt.u32 %q, %c, 100; setp.lt.xor.s32 %p|%q, %a, %b, !%q; selp.u32 %d, 2, 0, %p;
        @%q add.u32 %d, %d, 5; @!%q bra L; add.u32 %d, %d, 100; L:";
    check(code, ["b32"; 4], &values, |[a, b, c]| {
        let (less, small) = ((a as i32) < (b as i32), c <= 100);
        let (p, q) = (less ^ small, !less ^ small);
        u64::from(p) * 2 + u64::from(q) * 105
    });
    let code =
        "setp.eq.u32 %p, %a, %b; not.pred %q, %p; and.pred %q, %q, %p; or.pred %p, %p, %q; selp.b32 %d, %a, %c, %p;";
    check(code, ["b32"; 4], &values, |[a, b, c]| if a == b { a } else { c });
    check(
        "set.lt.u32.s32 %d, %a, %b;",
        ["b32"; 4],
        &values,
        |[a, b, _]| {
            if (a as i32) < (b as i32) { 0xffff_ffff } else { 0 }
        },
    );
    check("set.ge.f32.u32 %d, %a, %b;", ["b32"; 4], &values, |[a, b, _]| if a >= b { 0x3f80_0000 } else { 0 });
    check("slct.u32.s32 %d, %a, %b, %c;", ["b32"; 4], &values, |[a, b, c]| if (c as i32) >= 0 { a } else { b });
    check("setp.lo.u32 %p, %a, %b; selp.u32 %d, 1, 0, %p;", ["b32"; 4], &values, |[a, b, _]| (a < b).into());
    check("setp.hs.u32 %p, %a, %b; selp.u32 %d, 1, 0, %p;", ["b32"; 4], &values, |[a, b, _]| (a >= b).into());
}
