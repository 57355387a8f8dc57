//! Races, and what is none.

use super::super::{Fault, FaultKind, Launch, Touch};
use super::harness::{kernel, run};

fn launch(blocks: u32, threads: u32, seed: u64) -> Launch<'static> {
    Launch { seed, ..Launch::new([blocks, 1, 1], [threads, 1, 1]) }
}

fn racing(body: &str, blocks: u32, threads: u32) -> Fault {
    let text = kernel(body);
    let mut last = None;
    for seed in 0..8 {
        let fault = run(&text, &launch(blocks, threads, seed), &[0; 512]).expect_err("a race is not found");
        assert!(matches!(fault.kind, FaultKind::Race { .. }), "{fault}");
        assert_eq!(fault.kind.code(), None);
        last = Some(fault);
    }
    last.unwrap()
}

fn clean(body: &str, blocks: u32, threads: u32) {
    let text = kernel(body);
    for seed in 0..8 {
        run(&text, &launch(blocks, threads, seed), &[0; 512]).unwrap_or_else(|fault| panic!("{fault}"));
    }
}

const SUM: &str = ".shared .align 4 .b32 s[64]; mov.u32 %r6, s; shl.b32 %r7, %r1, 2; add.u32 %r6, %r6, %r7;
    st.shared.u32 [%r6], %r1;
    bar.sync 0;
    mov.u32 %r8, 16;
    L: setp.ge.u32 %p1, %r1, %r8; @%p1 bra W; shl.b32 %r9, %r8, 2; add.u32 %r9, %r9, %r6; ld.shared.u32 %r10, [%r9];
    ld.shared.u32 %r11, [%r6]; add.u32 %r10, %r10, %r11; st.shared.u32 [%r6], %r10;
    W: bar.sync 0; //
    shr.u32 %r8, %r8, 1; setp.ne.u32 %p2, %r8, 0; @%p2 bra L;";

#[test]
fn a_barrier_left_out_is_found_for_every_seed() {
    clean(SUM, 2, 32);
    let fault = racing(&SUM.replace("st.shared.u32 [%r6], %r1;\n    bar.sync 0;", "st.shared.u32 [%r6], %r1;"), 2, 32);
    assert!(matches!(fault.kind, FaultKind::Race { shared: true, .. }));
    racing(&SUM.replace("W: bar.sync 0; //", "W:"), 1, 32);
}

#[test]
fn two_writers_race_even_with_equal_data() {
    let fault = racing("st.global.u32 [%rd1], 5;", 1, 2);
    let FaultKind::Race { access: Touch::Write, other_access: Touch::Write, shared: false, .. } = fault.kind else {
        panic!("{fault}");
    };
    assert_eq!(fault.address, Some(super::harness::BASE));
    racing("st.global.u32 [%rd1], 5;", 2, 1);
    racing("st.global.u8 [%rd1+1], 5;", 2, 1);
}

#[test]
fn reading_and_writing_race_in_either_order() {
    // Thread 0 writes what the others read, or the other way round; far apart in the order, and across blocks.
    let one_writes = "setp.eq.u32 %p1, %r4, 37; @%p1 st.global.u32 [%rd1], 1; @!%p1 ld.global.u32 %r5, [%rd1];";
    racing(one_writes, 1, 64);
    racing(one_writes, 64, 1);
    racing(one_writes, 8, 8);
    clean("ld.global.u32 %r5, [%rd1]; st.global.u32 [%rd2+4], %r4;", 1, 1);
    clean("ld.global.u32 %r5, [%rd1+1024]; st.global.u32 [%rd2], %r4;", 8, 8);
}

#[test]
fn each_byte_counts_for_itself() {
    // Neighbouring bytes, halves and words of different threads are no race; overlapping ones are.
    let bytes = "cvt.u64.u32 %rd3, %r4; add.u64 %rd3, %rd1, %rd3;";
    clean(&format!("{bytes} st.global.u8 [%rd3], 1; ld.global.u8 %r5, [%rd3];"), 4, 16);
    racing(&format!("{bytes} st.global.u8 [%rd3], 1; and.b64 %rd3, %rd3, -2; ld.global.u16 %r5, [%rd3];"), 4, 16);
    racing(&format!("{bytes} st.global.u8 [%rd3], 1; ld.global.u64 %rd5, [%rd1];"), 1, 2);
    clean(&format!("{bytes} st.global.u8 [%rd3], 1; bar.sync 0; ld.global.u64 %rd5, [%rd1];"), 1, 16);
    // Words first, then bytes of the same page.
    clean(
        "shl.b64 %rd3, %rd2, 0; st.global.u32 [%rd3], 1; bar.sync 0; xor.b64 %rd3, %rd3, 4; ld.global.u8 %r5, [%rd3+1];",
        1,
        16,
    );
    racing("st.global.u32 [%rd2], 1; xor.b64 %rd3, %rd2, 4; ld.global.u8 %r5, [%rd3+1];", 1, 16);
}

#[test]
fn a_barrier_orders_only_its_own_block() {
    let body = "setp.eq.u32 %p1, %r4, 0; @%p1 st.global.u32 [%rd1], 1; bar.sync 0; ld.global.u32 %r5, [%rd1];";
    clean(body, 1, 32);
    racing(body, 2, 32);
}

#[test]
fn atomic_operations_race_with_plain_writes_alone() {
    clean(
        "red.global.add.u32 [%rd1], 1; ld.volatile.global.u32 %r5, [%rd1]; st.relaxed.gpu.global.u32 [%rd1], 4;",
        4,
        8,
    );
    clean("red.global.add.u32 [%rd1], 1; bar.sync 0; setp.eq.u32 %p1, %r1, 0; @%p1 st.global.u32 [%rd1], 1;", 1, 8);
    let fault =
        racing("setp.eq.u32 %p1, %r4, 3; @%p1 st.global.u32 [%rd1], 1; @!%p1 red.global.add.u32 [%rd1], 1;", 4, 8);
    let FaultKind::Race { access, other_access, .. } = fault.kind else { panic!() };
    assert!([access, other_access].contains(&Touch::Write) && [access, other_access].contains(&Touch::Atomic));
}

#[test]
fn reads_of_many_lanes_are_all_remembered() {
    // Only the lane whose read is not ordered by the warp's barrier writes later: three reads, one of them unordered.
    let body = "ld.global.u32 %r5, [%rd1]; setp.eq.u32 %p1, %r1, 31; @%p1 bra END; bar.warp.sync 0x7fffffff;
        setp.eq.u32 %p2, %r1, 0; @%p2 st.global.u32 [%rd1], 1; END:";
    racing(body, 1, 32);
    let ordered = "ld.global.u32 %r5, [%rd1]; bar.warp.sync -1; setp.eq.u32 %p2, %r1, 0; @%p2 st.global.u32 [%rd1], 1;";
    clean(ordered, 1, 32);
    racing(ordered, 1, 64);
    racing(ordered, 2, 32);
}

#[test]
fn races_are_not_looked_for_if_not_asked_for() {
    let text = kernel("st.global.u32 [%rd1], %r4;");
    let launch = Launch { races: false, ..launch(4, 32, 1) };
    run(&text, &launch, &[0; 4]).unwrap();
}

#[test]
fn a_race_names_both_threads_and_lines() {
    let text = kernel("setp.eq.u32 %p1, %r1, 1;\n@%p1 st.global.u32 [%rd1+8], 1;\n@!%p1 ld.global.u32 %r5, [%rd1+8];");
    let fault = run(&text, &launch(1, 2, 0), &[0; 4]).unwrap_err();
    let FaultKind::Race { access, other_access, other, shared } = fault.kind else { panic!("{fault}") };
    assert_eq!((access, other_access, shared), (Touch::Write, Touch::Read, false));
    assert_eq!((fault.thread, other.thread), ([1, 0, 0], [0, 0, 0]));
    assert_eq!(other.line, fault.line + 1);
    assert_eq!(fault.address, Some(super::harness::BASE + 8));
    let words = fault.to_string();
    assert!(words.contains("kernel k: race in global memory: write here, read by thread (0,0,0)"), "{words}");
}
