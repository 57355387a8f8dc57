//! IEEE arithmetic on f32 in a given direction, from results that are exact or known to be too large or too small.

use std::cmp::Ordering;

/// A rounding mode of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// To the nearest, ties to even: `.rn`.
    Nearest,
    /// Towards zero: `.rz`.
    Zero,
    /// Down: `.rm`.
    Down,
    /// Up: `.rp`.
    Up,
}

/// The neighbour or `nearest` itself, for an exact result that compares to `nearest` as `exact` says.
pub(crate) fn f32_directed(nearest: f32, exact: Ordering, mode: Rounding) -> f32 {
    if nearest.is_nan() {
        return nearest;
    }
    let towards = match mode {
        Rounding::Nearest => return nearest,
        Rounding::Down => Ordering::Less,
        Rounding::Up => Ordering::Greater,
        Rounding::Zero if nearest > 0.0 || (nearest == 0.0 && exact.is_gt()) => Ordering::Less,
        Rounding::Zero => Ordering::Greater,
    };
    match (exact, towards) {
        (Ordering::Less, Ordering::Less) => next_down(nearest),
        (Ordering::Greater, Ordering::Greater) => next_up(nearest),
        _ => nearest,
    }
}

/// The next larger f32; `f32::next_up` is newer than the oldest Rust that is supported.
pub(crate) fn next_up(value: f32) -> f32 {
    match value.to_bits() {
        _ if value.is_nan() || value == f32::INFINITY => value,
        _ if value == 0.0 => f32::from_bits(1),
        bits if value > 0.0 => f32::from_bits(bits + 1),
        bits => f32::from_bits(bits - 1),
    }
}

/// The next smaller f32.
pub(crate) fn next_down(value: f32) -> f32 {
    -next_up(-value)
}

/// Rounds `high + low` (`low` the small rest of an exact result) to f32.
fn sum_to_f32(high: f64, low: f64, mode: Rounding) -> f32 {
    let nearest = high as f32;
    let exact = order(high, low, nearest);
    if nearest.is_infinite() && high.is_infinite() {
        return nearest;
    }
    if mode == Rounding::Nearest {
        return nearest;
    }
    // `nearest` may have been rounded from `high` to the wrong side of the exact value only by what `exact` says.
    f32_directed(nearest, exact, mode)
}

fn order(high: f64, low: f64, nearest: f32) -> Ordering {
    let coarse = high.partial_cmp(&f64::from(nearest)).unwrap_or(Ordering::Equal);
    if coarse == Ordering::Equal { low.partial_cmp(&0.0).unwrap_or(Ordering::Equal) } else { coarse }
}

/// `a + b` as a sum of the nearest f64 and the exact rest (Knuth).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let back = sum - a;
    (sum, (a - (sum - back)) + (b - back))
}

/// The zero that an exact sum of nothing has.
fn zero_sum(a: f64, b: f64, mode: Rounding) -> Option<f32> {
    if a + b != 0.0 || a.is_nan() || b.is_nan() {
        return None;
    }
    let negative =
        if a.is_sign_negative() == b.is_sign_negative() { a.is_sign_negative() } else { mode == Rounding::Down };
    Some(if negative { -0.0 } else { 0.0 })
}

/// `a + b`.
pub(crate) fn add(a: f32, b: f32, mode: Rounding) -> f32 {
    if mode == Rounding::Nearest {
        return a + b;
    }
    let (a, b) = (f64::from(a), f64::from(b));
    zero_sum(a, b, mode).unwrap_or_else(|| {
        let (high, low) = two_sum(a, b);
        sum_to_f32(high, if high.is_finite() { low } else { 0.0 }, mode)
    })
}

/// `a * b`.
pub(crate) fn mul(a: f32, b: f32, mode: Rounding) -> f32 {
    if mode == Rounding::Nearest { a * b } else { sum_to_f32(f64::from(a) * f64::from(b), 0.0, mode) }
}

/// `a * b + c`, rounded once.
pub(crate) fn fma(a: f32, b: f32, c: f32, mode: Rounding) -> f32 {
    if mode == Rounding::Nearest {
        return a.mul_add(b, c);
    }
    let (product, c) = (f64::from(a) * f64::from(b), f64::from(c));
    zero_sum(product, c, mode).unwrap_or_else(|| {
        let (high, low) = two_sum(product, c);
        sum_to_f32(high, if high.is_finite() { low } else { 0.0 }, mode)
    })
}

/// `a / b`.
pub(crate) fn div(a: f32, b: f32, mode: Rounding) -> f32 {
    let nearest = a / b;
    if mode == Rounding::Nearest || !nearest.is_finite() && (b == 0.0 || !a.is_finite()) {
        return nearest;
    }
    if !b.is_finite() || !a.is_finite() {
        return nearest;
    }
    // Exact: 24 by 24 bits fit into 53. The rest tells on which side of `nearest` the quotient is.
    let rest = if nearest.is_infinite() {
        return f32_directed(nearest, if nearest > 0.0 { Ordering::Less } else { Ordering::Greater }, mode);
    } else {
        f64::from(a) - f64::from(nearest) * f64::from(b)
    };
    let rest = if b.is_sign_negative() { -rest } else { rest };
    f32_directed(nearest, rest.partial_cmp(&0.0).unwrap_or(Ordering::Equal), mode)
}

/// The square root of `a`.
pub(crate) fn sqrt(a: f32, mode: Rounding) -> f32 {
    let nearest = a.sqrt();
    if mode == Rounding::Nearest || !nearest.is_finite() || nearest == 0.0 {
        return nearest;
    }
    let rest = f64::from(a) - f64::from(nearest) * f64::from(nearest);
    f32_directed(nearest, rest.partial_cmp(&0.0).unwrap_or(Ordering::Equal), mode)
}

/// An f64 as f32.
pub(crate) fn narrow(a: f64, mode: Rounding) -> f32 {
    sum_to_f32(a, 0.0, mode)
}
