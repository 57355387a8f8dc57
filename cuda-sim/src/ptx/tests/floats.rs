//! Float arithmetic, against the CPU's; directed rounding, against its definition.

use super::super::sem::round::{next_down, next_up};
use super::harness::{check, evaluate, floats32, floats64, triples};

fn f(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn g(bits: u64) -> f64 {
    f64::from_bits(bits)
}

fn to32(value: f32) -> u64 {
    if value.is_nan() { 0x7fff_ffff } else { value.to_bits().into() }
}

#[test]
fn arithmetic_of_f32_equals_the_cpu() {
    let values = floats32();
    let types = ["f32"; 4];
    check("add.f32 %d, %a, %b;", types, &values, |[a, b, _]| to32(f(a) + f(b)));
    check("sub.rn.f32 %d, %a, %b;", types, &values, |[a, b, _]| to32(f(a) - f(b)));
    check("mul.f32 %d, %a, %b;", types, &values, |[a, b, _]| to32(f(a) * f(b)));
    check("fma.rn.f32 %d, %a, %b, %c;", types, &values, |[a, b, c]| to32(f(a).mul_add(f(b), f(c))));
    check("div.rn.f32 %d, %a, %b;", types, &values, |[a, b, _]| to32(f(a) / f(b)));
    check("sqrt.rn.f32 %d, %a;", types, &values, |[a, ..]| to32(f(a).sqrt()));
    check("rcp.rn.f32 %d, %a;", types, &values, |[a, ..]| to32(1.0 / f(a)));
    check("neg.f32 %d, %a;", types, &values, |[a, ..]| a ^ 0x8000_0000);
    check("abs.f32 %d, %a;", types, &values, |[a, ..]| a & 0x7fff_ffff);
    check("copysign.f32 %d, %a, %b;", types, &values, |[a, b, _]| to_bits(f(b).copysign(f(a))));
}

fn to_bits(value: f32) -> u64 {
    value.to_bits().into()
}

#[test]
fn fma_is_rounded_once() {
    let one = 1.0_f32 + f32::EPSILON;
    let bits = u64::from(one.to_bits());
    // The product rounded to f32 is 1 + 2 epsilon exactly, and epsilon squared is lost.
    let minus = u64::from((-(1.0 + 2.0 * f32::EPSILON)).to_bits());
    let found = evaluate("fma.rn.f32 %d, %a, %b, %c;", ["f32"; 4], &[[bits, bits, minus]]);
    assert_eq!(f(found[0]), f32::EPSILON * f32::EPSILON);
    let found = evaluate("mul.f32 %d, %a, %b; add.f32 %d, %d, %c;", ["f32"; 4], &[[bits, bits, minus]]);
    assert_eq!(f(found[0]), 0.0);
}

#[test]
fn arithmetic_of_f64_equals_the_cpu() {
    let values = floats64();
    let types = ["f64"; 4];
    let same = |value: f64| if value.is_nan() { u64::MAX } else { value.to_bits() };
    let binary = |code: &str, expected: fn(f64, f64) -> f64| {
        let found = evaluate(code, types, &values);
        for (&[a, b, _], found) in values.iter().zip(found) {
            assert_eq!(same(g(found)), same(expected(g(a), g(b))), "{code} {a:x} {b:x}");
        }
    };
    binary("add.f64 %d, %a, %b;", |a, b| a + b);
    binary("sub.f64 %d, %a, %b;", |a, b| a - b);
    binary("mul.rn.f64 %d, %a, %b;", |a, b| a * b);
    binary("div.rn.f64 %d, %a, %b;", |a, b| a / b);
    binary("sqrt.rn.f64 %d, %a;", |a, _| a.sqrt());
    binary("fma.rn.f64 %d, %a, %b, 0d3FF0000000000000;", |a, b| a.mul_add(b, 1.0));
}

#[test]
fn minima_prefer_numbers_and_negative_zero() {
    let values = floats32();
    check("min.f32 %d, %a, %b;", ["f32"; 4], &values, |[a, b, _]| {
        let (x, y) = (f(a), f(b));
        let zeros = x == 0.0 && y == 0.0;
        to32(if zeros { f((a | b) & 0x8000_0000) } else { x.min(y) })
    });
    check("max.f32 %d, %a, %b;", ["f32"; 4], &values, |[a, b, _]| {
        let (x, y) = (f(a), f(b));
        let zeros = x == 0.0 && y == 0.0;
        to32(if zeros { f(a & b) } else { x.max(y) })
    });
    check("min.NaN.f32 %d, %a, %b;", ["f32"; 4], &values, |[a, b, _]| {
        let (x, y) = (f(a), f(b));
        if x.is_nan() || y.is_nan() {
            0x7fff_ffff
        } else if x == 0.0 && y == 0.0 {
            (a | b) & 0x8000_0000
        } else {
            to32(x.min(y))
        }
    });
}

#[test]
fn comparisons_know_nan() {
    let values = floats32();
    let cases: [Case<Holds2>; 14] = [
        ("eq", |a, b| a == b),
        ("ne", |a, b| a != b && !a.is_nan() && !b.is_nan()),
        ("lt", |a, b| a < b),
        ("le", |a, b| a <= b),
        ("gt", |a, b| a > b),
        ("ge", |a, b| a >= b),
        ("equ", |a, b| a == b || a.is_nan() || b.is_nan()),
        ("neu", |a, b| a != b),
        ("ltu", |a, b| a < b || a.is_nan() || b.is_nan()),
        ("leu", |a, b| a <= b || a.is_nan() || b.is_nan()),
        ("gtu", |a, b| a > b || a.is_nan() || b.is_nan()),
        ("geu", |a, b| a >= b || a.is_nan() || b.is_nan()),
        ("num", |a, b| !a.is_nan() && !b.is_nan()),
        ("nan", |a, b| a.is_nan() || b.is_nan()),
    ];
    for (name, holds) in cases {
        let code = format!("setp.{name}.f32 %p, %a, %b; selp.u32 %d, 1, 0, %p;");
        check(&code, ["b32", "f32", "f32", "f32"], &values, |[a, b, _]| holds(f(a), f(b)).into());
        let code = format!("setp.{name}.f64 %p, %a, %b; selp.u32 %d, 1, 0, %p;");
        let wide = values.iter().map(|triple| triple.map(|bits| f64::from(f(bits)).to_bits())).collect::<Vec<_>>();
        check(&code, ["b32", "f64", "f64", "f64"], &wide, |[a, b, _]| holds(g(a) as f32, g(b) as f32).into());
    }
}

#[test]
fn flushing_and_saturating_apply_to_the_result() {
    let values = floats32();
    let flush = |bits: u64| if f(bits).is_subnormal() { bits & 0x8000_0000 } else { bits };
    check("mul.ftz.f32 %d, %a, %b;", ["f32"; 4], &values, |[a, b, _]| flush(to32(f(flush(a)) * f(flush(b)))));
    check("add.sat.f32 %d, %a, %b;", ["f32"; 4], &values, |[a, b, _]| {
        let sum = f(a) + f(b);
        to32(if sum.is_nan() { 0.0 } else { sum.clamp(0.0, 1.0) + 0.0 })
    });
}

/// A function's name and what it is.
type Case<F> = (&'static str, F);
type Holds = fn(f32) -> bool;
type Holds2 = fn(f32, f32) -> bool;
type Exact = fn(f64) -> f64;

/// Checks that `found` is the exact result rounded in a direction: on the right side of it, and the nearest such.
fn directed(code: &str, values: &[[u64; 3]], sign_of_error: impl Fn([u64; 3], f32) -> Option<f64>) {
    for (mode, below, above) in [("rm", true, false), ("rp", false, true)] {
        let found = evaluate(&code.replace("MODE", mode), ["f32"; 4], values);
        for (value, found) in values.iter().zip(found) {
            let found = f(found);
            // The sign of (exact - found).
            let Some(error) = sign_of_error(*value, found) else { continue };
            let place = format!("{code} {mode} {value:x?} {found:e}");
            if below {
                assert!(error >= 0.0, "{place}");
                assert!(
                    sign_of_error(*value, next_up(found)).is_none_or(|error| error < 0.0) || error == 0.0,
                    "{place}"
                );
            }
            if above {
                assert!(error <= 0.0, "{place}");
                assert!(
                    sign_of_error(*value, next_down(found)).is_none_or(|error| error > 0.0) || error == 0.0,
                    "{place}"
                );
            }
        }
    }
}

#[test]
fn directed_rounding_gives_the_neighbour_on_its_side() {
    // Values whose sums and products are exact in f64.
    let edges =
        [0x3f80_0001, 0x3f80_0000, 0xbf80_0003, 0x4049_0fdb, 0xc049_0fdb, 0x3eaa_aaab, 0x4b7f_ffff, 0xcb00_0001];
    let values = triples(&edges, 0, 32);
    let finite = |found: f32| found.is_finite().then_some(());
    directed("mul.MODE.f32 %d, %a, %b;", &values, |[a, b, _], found| {
        finite(found).map(|()| f64::from(f(a)) * f64::from(f(b)) - f64::from(found))
    });
    directed("add.MODE.f32 %d, %a, %b;", &values, |[a, b, _], found| {
        finite(found).map(|()| f64::from(f(a)) + f64::from(f(b)) - f64::from(found))
    });
    directed("div.MODE.f32 %d, %a, %b;", &values, |[a, b, _], found| {
        let rest = f64::from(f(a)) - f64::from(found) * f64::from(f(b));
        finite(found).map(|()| if f(b) < 0.0 { -rest } else { rest })
    });
    let squares = values.iter().map(|&[a, b, c]| [a & 0x7fff_ffff, b, c]).collect::<Vec<_>>();
    directed("sqrt.MODE.f32 %d, %a;", &squares, |[a, ..], found| {
        finite(found).map(|()| f64::from(f(a)) - f64::from(found) * f64::from(found))
    });
    check("add.rz.f32 %d, %a, %b;", ["f32"; 4], &values, |[a, b, _]| {
        let exact = f64::from(f(a)) + f64::from(f(b));
        let near = exact as f32;
        let over = f64::from(near).abs() > exact.abs();
        to32(if over { f32::from_bits(near.to_bits() - 1) } else { near })
    });
}

#[test]
fn overflow_in_a_direction_is_the_largest_or_infinite() {
    let max = u64::from(f32::MAX.to_bits());
    let value = [[max, max, 0]];
    assert_eq!(evaluate("add.rz.f32 %d, %a, %b;", ["f32"; 4], &value), [max]);
    assert_eq!(evaluate("add.rm.f32 %d, %a, %b;", ["f32"; 4], &value), [max]);
    assert_eq!(evaluate("mul.rp.f32 %d, %a, %b;", ["f32"; 4], &value), [0x7f80_0000]);
}

#[test]
fn approximations_are_close() {
    let values = floats32().into_iter().filter(|value| f(value[0]).abs() < 80.0).collect::<Vec<_>>();
    let cases: [Case<Exact>; 7] = [
        ("ex2.approx.f32", f64::exp2),
        ("lg2.approx.f32", f64::log2),
        ("sin.approx.f32", f64::sin),
        ("cos.approx.f32", f64::cos),
        ("rsqrt.approx.f32", |a| 1.0 / a.sqrt()),
        ("rcp.approx.f32", |a| 1.0 / a),
        ("tanh.approx.f32", f64::tanh),
    ];
    for (name, exact) in cases {
        check(&format!("{name} %d, %a;"), ["f32"; 4], &values, |[a, ..]| to32(exact(f64::from(f(a))) as f32));
    }
}

#[test]
fn classes_of_numbers_are_told_apart() {
    let cases: [Case<Holds>; 6] = [
        ("finite", f32::is_finite),
        ("infinite", f32::is_infinite),
        ("number", |a| !a.is_nan()),
        ("notanumber", f32::is_nan),
        ("normal", f32::is_normal),
        ("subnormal", f32::is_subnormal),
    ];
    for (name, holds) in cases {
        let code = format!("testp.{name}.f32 %p, %a; selp.u32 %d, 1, 0, %p;");
        check(&code, ["b32", "f32", "f32", "f32"], &floats32(), |[a, ..]| holds(f(a)).into());
    }
}

#[test]
fn halves_are_rounded_once() {
    // Sums, products and fused products of f16, through numbers that are exact in f64.
    let all = (0..=u16::MAX).step_by(97).map(|bits| [u64::from(bits), 0x3c01, 0x9001]).collect::<Vec<_>>();
    let types = ["b16"; 4];
    let up = "{ .reg .f32 x; cvt.f32.f16 x, %a; cvt.rn.f16.f32 %d, x; }";
    check(up, types, &all, |[a, ..]| if a & 0x7c00 == 0x7c00 && a & 0x3ff != 0 { 0x7fff } else { a });
    let one = |code: &str, a: u64, b: u64, c: u64| evaluate(code, types, &[[a, b, c]])[0];
    assert_eq!(one("add.f16 %d, %a, %b;", 0x3c00, 0x3c00, 0), 0x4000);
    assert_eq!(one("mul.f16 %d, %a, %b;", 0x7bff, 0x4000, 0), 0x7c00);
    assert_eq!(one("sub.f16 %d, %a, %b;", 0x3c00, 0x3c01, 0), 0x9400);
    assert_eq!(one("fma.rn.f16 %d, %a, %b, %c;", 0x3c01, 0x3c01, 0xbc02), 0x0010);
    assert_eq!(one("max.f16 %d, %a, %b;", 0x7e00, 0xbc00, 0), 0xbc00);
    let pair = evaluate("add.f16x2 %d, %a, %b;", ["b32"; 4], &[[0x3c00_4000, 0x4000_4000, 0]]);
    assert_eq!(pair, [0x4200_4400]);
}
