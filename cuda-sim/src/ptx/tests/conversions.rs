//! `cvt` between all types.

use super::super::sem::round::{next_down, next_up};
use super::harness::{check, evaluate, floats32, floats64, integers};

fn f(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

#[test]
fn integers_are_cut_extended_and_saturated() {
    let v64 = integers(64);
    check("cvt.u32.u64 %d, %a;", ["b32", "b64", "b64", "b64"], &v64, |[a, ..]| a & 0xffff_ffff);
    check("cvt.s64.s32 %d, %a;", ["b64", "b32", "b32", "b32"], &v64, |[a, ..]| i64::from(a as i32) as u64);
    check("cvt.u64.u32 %d, %a;", ["b64", "b32", "b32", "b32"], &v64, |[a, ..]| a & 0xffff_ffff);
    check("cvt.s32.s8 %d, %a;", ["b32", "b32", "b32", "b32"], &v64, |[a, ..]| u64::from(i32::from(a as i8) as u32));
    check("cvt.u16.u8 %d, %a;", ["b16", "b16", "b16", "b16"], &v64, |[a, ..]| a & 0xff);
    // A signed result fills a wider register with its sign.
    check("cvt.s8.s32 %d, %a;", ["b32", "b32", "b32", "b32"], &v64, |[a, ..]| u64::from(i32::from(a as i8) as u32));
    check("cvt.sat.u8.s32 %d, %a;", ["b32", "b32", "b32", "b32"], &v64, |[a, ..]| (a as i32).clamp(0, 255) as u64);
    check("cvt.sat.s16.s64 %d, %a;", ["b16", "b64", "b64", "b64"], &v64, |[a, ..]| {
        u64::from((a as i64).clamp(-32768, 32767) as u16)
    });
    check("cvt.sat.s32.u32 %d, %a;", ["b32", "b32", "b32", "b32"], &v64, |[a, ..]| {
        u64::from((a as u32).min(0x7fff_ffff))
    });
}

#[test]
fn floats_become_integers_in_range() {
    let values = floats32();
    let to_s32 = ["b32", "f32", "f32", "f32"];
    check("cvt.rzi.s32.f32 %d, %a;", to_s32, &values, |[a, ..]| u64::from(f(a) as i32 as u32));
    check("cvt.rzi.u32.f32 %d, %a;", to_s32, &values, |[a, ..]| u64::from(f(a) as u32));
    check("cvt.rni.s32.f32 %d, %a;", to_s32, &values, |[a, ..]| u64::from(f(a).round_ties_even() as i32 as u32));
    check("cvt.rmi.s32.f32 %d, %a;", to_s32, &values, |[a, ..]| u64::from(f(a).floor() as i32 as u32));
    check("cvt.rpi.u32.f32 %d, %a;", to_s32, &values, |[a, ..]| u64::from(f(a).ceil() as u32));
    check("cvt.rzi.u8.f32 %d, %a;", to_s32, &values, |[a, ..]| u64::from(f(a) as u8));
    let nan = |value: f64, number: u64| if value.is_nan() { 1 << 63 } else { number };
    check("cvt.rzi.s64.f64 %d, %a;", ["b64", "f64", "f64", "f64"], &floats64(), |[a, ..]| {
        let value = f64::from_bits(a);
        nan(value, value as i64 as u64)
    });
    check("cvt.rzi.u64.f32 %d, %a;", ["b64", "f32", "f32", "f32"], &values, |[a, ..]| nan(f(a).into(), f(a) as u64));
}

#[test]
fn integers_become_floats_rounded_as_told() {
    let (v32, v64) = (integers(32), integers(64));
    check("cvt.rn.f32.s32 %d, %a;", ["f32", "b32", "b32", "b32"], &v32, |[a, ..]| (a as i32 as f32).to_bits().into());
    check("cvt.rn.f32.u64 %d, %a;", ["f32", "b64", "b64", "b64"], &v64, |[a, ..]| (a as f32).to_bits().into());
    check("cvt.rn.f64.s64 %d, %a;", ["f64", "b64", "b64", "b64"], &v64, |[a, ..]| (a as i64 as f64).to_bits());
    check("cvt.rn.f64.u32 %d, %a;", ["f64", "b32", "b32", "b32"], &v32, |[a, ..]| (a as f64).to_bits());
    for (mode, right) in [("rz", 0), ("rm", -1), ("rp", 1)] {
        let found = evaluate(&format!("cvt.{mode}.f32.s64 %d, %a;"), ["f32", "b64", "b64", "b64"], &v64);
        for (&[a, ..], found) in v64.iter().zip(found) {
            let (exact, found) = (i128::from(a as i64), f(found));
            let error = (found as i128 - exact) * if right == 0 { exact.signum() } else { -right };
            assert!(error <= 0, "{mode} {a:x} {found}");
            assert!(error.unsigned_abs() <= exact.unsigned_abs() >> 23, "{mode} {a:x} {found}");
        }
    }
}

#[test]
fn floats_become_floats() {
    let wide = floats64();
    let to32 = |value: f32| if value.is_nan() { 0x7fff_ffff } else { u64::from(value.to_bits()) };
    check("cvt.rn.f32.f64 %d, %a;", ["f32", "f64", "f64", "f64"], &wide, |[a, ..]| to32(f64::from_bits(a) as f32));
    let towards = |a: u64, up: bool| {
        let exact = f64::from_bits(a);
        let near = exact as f32;
        let value = match f64::from(near).partial_cmp(&exact) {
            Some(std::cmp::Ordering::Less) if up => next_up(near),
            Some(std::cmp::Ordering::Greater) if !up => next_down(near),
            _ => near,
        };
        to32(value)
    };
    check("cvt.rp.f32.f64 %d, %a;", ["f32", "f64", "f64", "f64"], &wide, |[a, ..]| towards(a, true));
    check("cvt.rm.f32.f64 %d, %a;", ["f32", "f64", "f64", "f64"], &wide, |[a, ..]| towards(a, false));
    let values = floats32();
    let found = evaluate("cvt.f64.f32 %d, %a;", ["f64", "f32", "f32", "f32"], &values);
    for (&[a, ..], found) in values.iter().zip(found) {
        let found = f64::from_bits(found);
        assert!(found == f64::from(f(a)) || found.is_nan() && f(a).is_nan());
    }
    check("cvt.rni.f32.f32 %d, %a;", ["f32"; 4], &values, |[a, ..]| to32(f(a).round_ties_even()));
    check("cvt.rmi.f32.f32 %d, %a;", ["f32"; 4], &values, |[a, ..]| to32(f(a).floor()));
    check("cvt.sat.f32.f32 %d, %a;", ["f32"; 4], &values, |[a, ..]| {
        to32(if f(a).is_nan() { 0.0 } else { f(a).clamp(0.0, 1.0) + 0.0 })
    });
    check("cvt.rn.bf16.f32 %d, %a;", ["b16", "f32", "f32", "f32"], &values, |[a, ..]| {
        if f(a).is_nan() {
            return 0x7fff;
        }
        let (low, high) = (a & 0xffff, a >> 16);
        high + u64::from(low > 0x8000 || low == 0x8000 && high & 1 == 1)
    });
}
