//! Runs one instruction on many values, and whole kernels on words.

use super::super::{Fault, FlatMemory, Launch, Module};

/// Where the tests' memory begins.
pub(super) const BASE: u64 = 0x7000_0000;

/// The module, or the test fails with what is wrong with it.
pub(super) fn module(text: &str) -> Module {
    let module = Module::parse(text).unwrap_or_else(|error| panic!("{error}"));
    if let Some(error) = module.kernels().find_map(|kernel| kernel.error()) {
        panic!("{error}");
    }
    module
}

/// The header of tests' PTX.
pub(super) const HEADER: &str = ".version 7.0\n.target sm_70\n.address_size 64\n";

/// What `code` leaves in `%d` for each triple in `%a`, `%b`, `%c`; `types` are those of `%d`, `%a`, `%b`, `%c`. There
/// are spare registers `%p`, `%q`, `%t`.
pub(super) fn evaluate(code: &str, types: [&str; 4], values: &[[u64; 3]]) -> Vec<u64> {
    let load = |name: &str, ty: &str, at: usize| {
        let bits: u32 = ty.trim_start_matches(|c: char| c.is_alphabetic()).parse().unwrap();
        format!("ld.global.b{bits} {name}, [%rd1+{at}];\n")
    };
    let [d, a, b, c] = types;
    let bits = d.trim_start_matches(|c: char| c.is_alphabetic());
    let text = format!(
        "{HEADER}.visible .entry k(.param .u64 data, .param .u64 out) {{
        .reg .pred %p, %q; .reg .b32 %t; .reg .b32 %r<4>; .reg .b64 %rd<4>;
        .reg .{d} %d; .reg .{a} %a; .reg .{b} %b; .reg .{c} %c;
        mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
        mad.lo.u32 %r1, %r1, %r2, %r3;
        ld.param.u64 %rd1, [data]; mul.wide.u32 %rd2, %r1, 24; add.u64 %rd1, %rd1, %rd2;
        ld.param.u64 %rd3, [out]; mul.wide.u32 %rd2, %r1, 8; add.u64 %rd3, %rd3, %rd2;
        {}{}{}
        {code}
        st.global.b{bits} [%rd3], %d;
        ret; }}",
        load("%a", a, 0),
        load("%b", b, 8),
        load("%c", c, 16)
    );
    let module = module(&text);
    let mut memory = FlatMemory::new(BASE, values.len() * 32);
    for (place, value) in memory.bytes_mut().chunks_exact_mut(8).zip(values.iter().flatten()) {
        place.copy_from_slice(&value.to_le_bytes());
    }
    let out = BASE + values.len() as u64 * 24;
    let params = [BASE.to_le_bytes(), out.to_le_bytes()].concat();
    let count = u32::try_from(values.len()).unwrap();
    let launch = Launch { params: &params, ..Launch::new([count, 1, 1], [1, 1, 1]) };
    module.kernel("k").unwrap().run(&launch, &mut memory).unwrap_or_else(|fault| panic!("{code}: {fault}"));
    words64(&memory.bytes()[values.len() * 24..])
}

/// Checks an instruction of `types` against a function on all triples of `values`' elements.
pub(super) fn check(code: &str, types: [&str; 4], values: &[[u64; 3]], expected: impl Fn([u64; 3]) -> u64) {
    let found = evaluate(code, types, values);
    for (value, found) in values.iter().zip(found) {
        let expected = expected(*value);
        assert_eq!(found, expected, "{code} of {value:x?}: {found:#x} instead of {expected:#x}");
    }
}

/// Triples of numbers: all pairs of the edge cases with some third, and random ones.
pub(super) fn triples(edges: &[u64], random: usize, bits: u32) -> Vec<[u64; 3]> {
    let mask = u64::MAX >> (64 - bits);
    let mut state = 0x1234_5678_9abc_def1_u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    };
    let mut out = Vec::new();
    for &a in edges {
        for &b in edges {
            let c = edges[next() as usize % edges.len()];
            out.push([a & mask, b & mask, c & mask]);
        }
    }
    for _ in 0..random {
        // Numbers of all lengths.
        let mut number = || (next() & mask) >> (next() % u64::from(bits));
        out.push([number(), number(), number()]);
    }
    out
}

/// Integers where something happens.
pub(super) fn integers(bits: u32) -> Vec<[u64; 3]> {
    let high = 1_u64 << (bits - 1);
    let edges = [
        0,
        1,
        2,
        3,
        7,
        31,
        32,
        33,
        63,
        64,
        65,
        255,
        256,
        high - 1,
        high,
        high + 1,
        u64::MAX,
        u64::MAX - 1,
        u64::MAX - 31,
    ];
    triples(&edges, 400, bits)
}

/// Bits of f32 where something happens.
pub(super) fn floats32() -> Vec<[u64; 3]> {
    let values = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        1.5,
        2.5,
        -2.5,
        3.0,
        1e-3,
        16_777_217.0,
        1e10,
        -1e10,
        3e38,
        -3e38,
        2_147_483_600.0,
        f32::MAX,
        f32::MIN,
        f32::MIN_POSITIVE,
        f32::EPSILON,
        1.0 + f32::EPSILON,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        f32::from_bits(1),
        f32::from_bits(0x007f_ffff),
        f32::from_bits(0x8000_0001),
    ];
    triples(&values.map(|value: f32| u64::from(value.to_bits())), 0, 32).into_iter().chain(spread(32)).collect()
}

/// Bits of f64 where something happens.
pub(super) fn floats64() -> Vec<[u64; 3]> {
    let values = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        1.5,
        2.5,
        -2.5,
        1e-3,
        1e10,
        -1e10,
        1e300,
        -1e300,
        f64::MAX,
        f64::MIN_POSITIVE,
        f64::EPSILON,
        1.0 + f64::EPSILON,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::from_bits(1),
        9_007_199_254_740_993.0,
        4e9,
        -4e9,
        2e19,
        -1e19,
        1e-46,
        3.5e38,
        -3.5e38,
        1.000_000_06,
    ];
    triples(&values.map(f64::to_bits), 0, 64).into_iter().chain(spread(64)).collect()
}

/// Random bit patterns over the whole width.
fn spread(bits: u32) -> Vec<[u64; 3]> {
    let mask = u64::MAX >> (64 - bits);
    let mut state = 88_172_645_463_325_252_u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask
    };
    (0..600).map(|_| [next(), next(), next()]).collect()
}

/// Little-endian words.
pub(super) fn words64(bytes: &[u8]) -> Vec<u64> {
    bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect()
}

/// Little-endian words.
pub(super) fn words32(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

/// Runs the kernel `k` of a text on `data`, whose address is the only parameter, and gives what is there then.
pub(super) fn run(text: &str, launch: &Launch<'_>, data: &[u32]) -> Result<Vec<u32>, Fault> {
    let module = module(&format!("{HEADER}{text}"));
    let mut memory = FlatMemory::new(BASE, data.len() * 4);
    for (place, value) in memory.bytes_mut().chunks_exact_mut(4).zip(data) {
        place.copy_from_slice(&value.to_le_bytes());
    }
    let params = BASE.to_le_bytes();
    let launch = Launch { params: &params, ..*launch };
    module.kernel("k").unwrap().run(&launch, &mut memory)?;
    Ok(words32(memory.bytes()))
}

/// A kernel `k` with a parameter `data`, its address in `%rd1`, the thread in `%r1`, the block in `%r2`, and
/// `&data[block * ntid + thread]` in `%rd2`.
pub(super) fn kernel(body: &str) -> String {
    format!(
        ".visible .entry k(.param .u64 data) {{
.reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<32>; .reg .f32 %f<16>; .reg .b64 %rd<16>; .reg .f64 %fd<8>;
ld.param.u64 %rd1, [data]; cvta.to.global.u64 %rd1, %rd1;
mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.u32 %r4, %r2, %r3, %r1;
mul.wide.u32 %rd2, %r4, 4; add.u64 %rd2, %rd1, %rd2;
{body}
ret; }}"
    )
}
