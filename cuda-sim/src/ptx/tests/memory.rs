//! State spaces, vectors, generic addresses, module variables and atomic operations.

use super::super::{FlatMemory, Launch, Module};
use super::harness::{BASE, HEADER, kernel, run, words32};

fn one(threads: u32) -> Launch<'static> {
    Launch::new([1, 1, 1], [threads, 1, 1])
}

#[test]
fn vectors_move_all_elements() {
    let text = kernel(
        "ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd1]; st.global.v4.u32 [%rd1+16], {%r8, %r7, %r6, %r5};
        ld.global.v2.u64 {%rd3, %rd4}, [%rd1]; st.global.v2.b64 [%rd1+32], {%rd4, %rd3};
        ld.global.v4.u8 {%h0, %h1, %h2, %h3}, [%rd1]; st.global.v2.u16 [%rd1+48], {%h1, %h0};
        ld.global.v2.f32 {%f0, %f1}, [%rd1]; st.global.v2.f32 [%rd1+56], {%f1, _};",
    );
    let text = text.replace("{%f1, _}", "{%f1, %f0}");
    let mut data = vec![0x0403_0201, 5, 6, 7];
    data.resize(16, 0);
    let found = run(&text, &one(1), &data).unwrap();
    assert_eq!(found[4..8], [7, 6, 5, 0x0403_0201]);
    assert_eq!(found[8..12], [6, 7, 0x0403_0201, 5]);
    assert_eq!(found[12], 0x0001_0002);
    assert_eq!(found[14..16], [5, 0x0403_0201]);
}

#[test]
fn narrow_loads_are_extended_by_their_type() {
    let text = kernel(
        "ld.global.s8 %r5, [%rd1]; st.global.u32 [%rd1+8], %r5; ld.global.u8 %r5, [%rd1]; st.global.u32 [%rd1+12], %r5;
        ld.global.s16 %rd3, [%rd1]; st.global.u64 [%rd1+16], %rd3; ld.global.s8 %h1, [%rd1]; cvt.u32.u16 %r6, %h1;
        st.global.u32 [%rd1+24], %r6; ld.global.nc.L2::128B.u32 %r7, [%rd1]; st.global.wt.u8 [%rd1+28], %r7;",
    );
    let found = run(&text, &one(1), &[0xff80, 0, 0, 0, 0, 0, 0, 0]).unwrap();
    assert_eq!(found[2..], [0xffff_ff80, 0x80, 0xffff_ff80, 0xffff_ffff, 0xff80, 0x80]);
}

#[test]
fn generic_addresses_reach_every_space() {
    let text = kernel(
        ".shared .align 4 .b32 s[4]; .local .align 4 .b32 l[4];
        mov.u32 %r5, s; cvt.u64.u32 %rd3, %r5; cvta.shared.u64 %rd3, %rd3; st.u32 [%rd3+4], 11;
        mov.u64 %rd4, l; cvta.local.u64 %rd4, %rd4; st.u32 [%rd4+8], 22;
        ld.shared.u32 %r6, [s+4]; ld.local.u32 %r7, [l+8]; add.u32 %r6, %r6, %r7; st.u32 [%rd1], %r6;
        isspacep.shared %p1, %rd3; isspacep.local %p2, %rd4; isspacep.global %p3, %rd1; isspacep.global %p4, %rd3;
        selp.u32 %r6, 1, 0, %p1; @%p2 add.u32 %r6, %r6, 2; @%p3 add.u32 %r6, %r6, 4; @%p4 add.u32 %r6, %r6, 8;
        st.u32 [%rd1+4], %r6; cvta.to.shared.u64 %rd5, %rd3; cvt.u32.u64 %r7, %rd5; ld.shared.u32 %r8, [%r7+4];
        st.global.u32 [%rd1+8], %r8;",
    );
    assert_eq!(run(&text, &one(1), &[0; 3]).unwrap(), [33, 7, 11]);
}

#[test]
fn shared_memory_belongs_to_the_block_and_starts_at_zero_after_static_variables() {
    let text = format!(
        ".extern .shared .align 16 .b8 dynamic[]; .shared .align 8 .b8 fixed[12]; .shared .b32 unused[1000];
        {}",
        kernel(
            "mov.u32 %r5, dynamic; mov.u32 %r6, fixed; mov.u32 %r7, %dynamic_smem_size; mov.u32 %r8, %total_smem_size;
            setp.ne.u32 %p1, %r1, 0; @%p1 bra END; ld.shared.u32 %r9, [dynamic+60]; st.shared.u32 [%r5+60], 5;
            mad.lo.u32 %r10, %r2, 32, 0; cvt.u64.u32 %rd3, %r10; add.u64 %rd1, %rd1, %rd3;
            st.global.v4.u32 [%rd1], {%r5, %r6, %r7, %r8}; st.global.u32 [%rd1+16], %r9; END:"
        )
    );
    let launch = Launch { dynamic_shared: 64, ..Launch::new([2, 1, 1], [8, 1, 1]) };
    let found = run(&text, &launch, &[0; 16]).unwrap();
    assert_eq!(found[..5], [16, 0, 64, 80, 0]);
    assert_eq!(found[8..13], [16, 0, 64, 80, 0]);
}

#[test]
fn module_variables_have_addresses_and_initial_bytes() {
    let text = format!(
        "{HEADER}
        .global .align 4 .u32 counter = 7;
        .const .align 4 .f32 table[3] = {{0f3F800000, 2.5, 0f40400000}};
        .global .align 8 .u64 pointer = generic(table)+4;
        .global .align 1 .b8 text[6] = {{104, 105, -1}};
        {}",
        kernel(
            "ld.global.u32 %r5, [counter]; add.u32 %r5, %r5, 1; st.global.u32 [counter], %r5;
            ld.const.f32 %f1, [table+8]; st.global.f32 [%rd1], %f1; mov.u64 %rd3, pointer; ld.global.u64 %rd4, [%rd3];
            ld.f32 %f2, [%rd4]; st.global.f32 [%rd1+4], %f2; ld.global.s8 %r6, [text+2]; st.global.u32 [%rd1+8], %r6;
            mov.u64 %rd5, table; add.u64 %rd5, %rd5, 4; ld.const.f32 %f3, [%rd5]; st.global.f32 [%rd1+12], %f3;"
        )
    );
    let module = Module::parse(&text).unwrap();
    let names = module.globals().iter().map(|global| (&*global.name, global.size, global.align, global.constant));
    let expected = [("counter", 4, 4, false), ("table", 12, 4, true), ("pointer", 8, 8, false), ("text", 6, 1, false)];
    assert_eq!(names.collect::<Vec<_>>(), expected);
    let mut memory = FlatMemory::new(BASE, 256);
    let addresses = [BASE + 64, BASE + 80, BASE + 96, BASE + 112];
    for (global, address) in module.globals().iter().zip(addresses) {
        let at = (address - BASE) as usize;
        memory.bytes_mut()[at..at + global.size as usize].copy_from_slice(&global.initial_bytes(&addresses));
    }
    let params = BASE.to_le_bytes();
    let launch = Launch { params: &params, globals: &addresses, ..one(1) };
    module.kernel("k").unwrap().run(&launch, &mut memory).unwrap();
    let found = words32(memory.bytes());
    assert_eq!(found[..4], [3.0_f32.to_bits(), 2.5_f32.to_bits(), u32::MAX, 2.5_f32.to_bits()]);
    assert_eq!(found[16], 8);
}

#[test]
fn atomic_operations_give_the_old_value() {
    let cases: [(&str, u32, u32, u32); 12] = [
        ("add.u32", 5, 7, 12),
        ("min.u32", 5, u32::MAX, 5),
        ("min.s32", 5, u32::MAX, u32::MAX),
        ("max.s32", 5, u32::MAX, 5),
        ("max.u32", 5, u32::MAX, u32::MAX),
        ("and.b32", 6, 3, 2),
        ("or.b32", 6, 3, 7),
        ("xor.b32", 6, 3, 5),
        ("exch.b32", 6, 3, 3),
        ("inc.u32", 6, 6, 0),
        ("dec.u32", 0, 6, 6),
        ("add.f32", 0x3f80_0000, 0x4000_0000, 0x4040_0000),
    ];
    for (name, old, operand, new) in cases {
        for space in ["global", "shared"] {
            let text = kernel(&format!(
                ".shared .align 4 .b32 s; ld.global.u32 %r5, [%rd1]; ld.global.u32 %r6, [%rd1+4]; mov.u32 %r9, s;
                st.shared.u32 [s], %r5; cvt.u64.u32 %rd4, %r9; mov.u64 %rd5, %rd1;
                atom.{space}.{name} %r7, [{}], %r6; st.global.u32 [%rd1+8], %r7;
                ld.{space}.u32 %r8, [{}]; st.global.u32 [%rd1+12], %r8;",
                if space == "global" { "%rd5" } else { "%r9" },
                if space == "global" { "%rd5" } else { "s" },
            ));
            let text = text.replace("atom.global.add.f32 %r7", "atom.global.add.f32 %f7");
            let float = name.ends_with("f32");
            let text = if float { text.replace("%f7", "%r7") } else { text };
            let found = run(&text, &one(1), &[old, operand, 0, 0]).unwrap();
            assert_eq!(found[2..], [old, new], "{space} {name}");
        }
    }
}

#[test]
fn compare_and_swap_swaps_only_what_it_expects() {
    let text = kernel(
        "atom.global.cas.b32 %r5, [%rd1], 3, 9; atom.acq_rel.gpu.global.cas.b32 %r6, [%rd1], 3, 10;
        st.global.u32 [%rd1+8], %r5; st.global.u32 [%rd1+12], %r6; atom.cas.b64 %rd3, [%rd1+16], -1, 4;
        st.global.u64 [%rd1+24], %rd3; red.global.add.u64 [%rd1+16], 1; red.relaxed.gpu.global.max.s32 [%rd1+4], 5;",
    );
    let found = run(&text, &one(1), &[3, u32::MAX, 0, 0, u32::MAX, u32::MAX, 0, 0]).unwrap();
    assert_eq!(found, [9, 5, 3, 9, 5, 0, u32::MAX, u32::MAX]);
}

#[test]
fn atomics_of_all_threads_add_up() {
    let text = kernel("red.global.add.u32 [%rd1], 1; atom.global.add.f64 %fd1, [%rd1+8], 0d3FE0000000000000;");
    for seed in 0..3 {
        let launch = Launch { seed, ..Launch::new([7, 1, 1], [100, 1, 1]) };
        let found = run(&text, &launch, &[0; 4]).unwrap();
        assert_eq!(found[0], 700);
        assert_eq!(f64::from_bits(u64::from(found[3]) << 32 | u64::from(found[2])), 350.0);
    }
}
