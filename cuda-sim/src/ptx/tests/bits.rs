//! Bit fields, bytes, funnels, `lop3` and vectors of registers, bit by bit.

use super::harness::{check, evaluate, integers, triples};

fn positions(bits: u32) -> Vec<[u64; 3]> {
    let mut values = Vec::new();
    for [a, b, _] in triples(&[0, 1, 0x8000_0000, 0xdead_beef_0bad_cafe, u64::MAX, 0x5555_5555_5555_5555], 4, bits) {
        for at in [0, 1, 5, 16, 31, 32, 33, 63, 64, 200] {
            for len in [0, 1, 7, 16, 31, 32, 33, 63, 64, 255] {
                values.push([a, b, at | (len << 8)]);
            }
        }
    }
    values
}

/// PTX's own description of `bfe`.
fn bfe(a: u64, at: u64, len: u64, bits: u64, signed: bool) -> u64 {
    let bit = |place: u64| (a >> place) & 1;
    let sign = if !signed || len == 0 { 0 } else { bit((at + len - 1).min(bits - 1)) };
    (0..bits).fold(0, |out, place| {
        let inside = place < len && at + place < bits;
        out | (if inside { bit(at + place) } else { sign } << place)
    })
}

#[test]
fn fields_are_taken_bit_by_bit() {
    for (name, reg, bits, signed) in
        [("u32", "b32", 32, false), ("s32", "b32", 32, true), ("u64", "b64", 64, false), ("s64", "b64", 64, true)]
    {
        let code = format!("{{ .reg .b32 l; shr.u32 l, %c, 8; bfe.{name} %d, %a, %c, l; }}");
        check(&code, [reg, reg, reg, "b32"], &positions(bits as u32), |[a, _, c]| {
            bfe(a, c & 0xff, (c >> 8) & 0xff, bits, signed)
        });
    }
}

#[test]
fn fields_are_put_bit_by_bit() {
    for (reg, bits) in [("b32", 32_u64), ("b64", 64)] {
        let code = format!("{{ .reg .b32 l; shr.u32 l, %c, 8; bfi.{reg} %d, %a, %b, %c, l; }}");
        check(&code, [reg, reg, reg, "b32"], &positions(bits as u32), |[a, b, c]| {
            let (at, len) = (c & 0xff, (c >> 8) & 0xff);
            (0..len)
                .filter(|place| at + place < bits)
                .fold(b, |out, place| (out & !(1 << (at + place))) | (((a >> place) & 1) << (at + place)))
        });
    }
}

#[test]
fn lop3_reads_its_table_for_each_bit() {
    for table in [0x00_u64, 0x80, 0xfe, 0x96, 0xca, 0x1b, 0xff] {
        let code = format!("lop3.b32 %d, %a, %b, %c, {table};");
        check(&code, ["b32"; 4], &integers(32), |[a, b, c]| {
            (0..32).fold(0, |out, place| {
                let bit = |v: u64| (v >> place) & 1;
                out | (((table >> ((bit(a) << 2) | (bit(b) << 1) | bit(c))) & 1) << place)
            })
        });
    }
}

#[test]
fn funnels_shift_two_words() {
    let values = integers(32);
    let both = |a: u64, b: u64| (b << 32) | a;
    check("shf.l.wrap.b32 %d, %a, %b, %c;", ["b32"; 4], &values, |[a, b, c]| (both(a, b) << (c & 31)) >> 32);
    check("shf.r.wrap.b32 %d, %a, %b, %c;", ["b32"; 4], &values, |[a, b, c]| (both(a, b) >> (c & 31)) & 0xffff_ffff);
    check("shf.l.clamp.b32 %d, %a, %b, %c;", ["b32"; 4], &values, |[a, b, c]| (both(a, b) << c.min(32)) >> 32);
    check("shf.r.clamp.b32 %d, %a, %b, %c;", ["b32"; 4], &values, |[a, b, c]| (both(a, b) >> c.min(32)) & 0xffff_ffff);
}

#[test]
fn prmt_picks_bytes_and_signs() {
    let values = integers(32);
    check("prmt.b32 %d, %a, %b, %c;", ["b32"; 4], &values, |[a, b, c]| {
        (0..4).fold(0, |out, place| {
            let select = (c >> (4 * place)) & 15;
            let byte = (((b << 32) | a) >> (8 * (select & 7))) & 0xff;
            let byte = if select < 8 {
                byte
            } else if byte >= 128 {
                0xff
            } else {
                0
            };
            out | (byte << (8 * place))
        })
    });
    assert_eq!(evaluate("prmt.b32 %d, %a, 0, 0x0123;", ["b32"; 4], &[[0x1122_3344, 0, 0]]), [0x4433_2211]);
}

#[test]
fn vectors_are_put_together_and_taken_apart() {
    let values = integers(32);
    check("mov.b64 %d, {%a, %b};", ["b64", "b32", "b32", "b32"], &values, |[a, b, _]| (b << 32) | a);
    let code = "{ .reg .b32 l, h; mov.b64 {l, h}, %a; sub.u32 %d, h, l; }";
    check(code, ["b32", "b64", "b64", "b64"], &integers(64), |[a, ..]| {
        u64::from(((a >> 32) as u32).wrapping_sub(a as u32))
    });
    let code = "{ .reg .b16 w<4>; mov.b64 {w0, w1, w2, w3}, %a; mov.b64 %d, {w3, w2, w1, w0}; }";
    check(code, ["b64"; 4], &integers(64), |[a, ..]| (0..4).fold(0, |out, i| (out << 16) | ((a >> (16 * i)) & 0xffff)));
    let code = "{ .reg .b16 w; mov.b32 {_, w}, %a; cvt.u32.u16 %d, w; }";
    check(code, ["b32"; 4], &values, |[a, ..]| a >> 16);
}

#[test]
fn dp4a_adds_four_products() {
    check("dp4a.s32.u32 %d, %a, %b, %c;", ["b32"; 4], &integers(32), |[a, b, c]| {
        let a = (a as u32).to_le_bytes().map(|byte| i64::from(byte as i8));
        let b = (b as u32).to_le_bytes().map(i64::from);
        let sum: i64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
        u64::from((sum + c as i64) as u32)
    });
}
