//! Branches, calls, special registers, barriers and turns.

use super::super::{FaultKind, Launch};
use super::harness::{kernel, run};

fn one(threads: u32) -> Launch<'static> {
    Launch::new([1, 1, 1], [threads, 1, 1])
}

#[test]
fn indices_of_three_axes_name_each_thread_once() {
    let text = kernel(
        "mov.u32 %r5, %tid.x; mov.u32 %r6, %tid.y; mov.u32 %r7, %tid.z; mov.u32 %r8, %ntid.x; mov.u32 %r9, %ntid.y;
        mov.u32 %r10, %ntid.z; mad.lo.u32 %r11, %r7, %r9, %r6; mad.lo.u32 %r11, %r11, %r8, %r5;
        mov.u32 %r12, %ctaid.x; mov.u32 %r13, %ctaid.y; mov.u32 %r14, %ctaid.z; mov.u32 %r15, %nctaid.x;
        mov.u32 %r16, %nctaid.y; mov.u32 %r20, %nctaid.z; mad.lo.u32 %r17, %r14, %r16, %r13; mad.lo.u32 %r17, %r17, %r15, %r12;
        mul.lo.u32 %r18, %r8, %r9; mul.lo.u32 %r18, %r18, %r10; mad.lo.u32 %r19, %r17, %r18, %r11;
        mul.wide.u32 %rd3, %r19, 4; add.u64 %rd3, %rd1, %rd3; ld.global.u32 %r5, [%rd3]; add.u32 %r5, %r5, %r19;
        add.u32 %r5, %r5, %r20; st.global.u32 [%rd3], %r5;",
    );
    for seed in [0, 1, u64::MAX] {
        let launch = Launch { seed, ..Launch::new([3, 2, 5], [4, 3, 2]) };
        let found = run(&text, &launch, &[1; 720]).unwrap();
        assert!((0..720).all(|i| found[i as usize] == i + 6), "{seed}");
    }
}

#[test]
fn lanes_and_warps_are_numbered() {
    let text = kernel(
        "mov.u32 %r5, %laneid; mov.u32 %r6, %warpid; shl.b32 %r6, %r6, 8; or.b32 %r5, %r5, %r6; mov.u32 %r7, %lanemask_lt;
        popc.b32 %r7, %r7; shl.b32 %r7, %r7, 16; or.b32 %r5, %r5, %r7; mov.u32 %r8, WARP_SZ; shl.b32 %r8, %r8, 24;
        or.b32 %r5, %r5, %r8; st.global.u32 [%rd2], %r5;",
    );
    let found = run(&text, &one(70), &[0; 70]).unwrap();
    assert!((0..70).all(|i| found[i as usize] == (i % 32) | (i / 32) << 8 | (i % 32) << 16 | 32 << 24));
}

#[test]
fn loops_and_tables_of_branches_go_where_they_say() {
    let text = kernel(
        "mov.u32 %r5, 0; mov.u32 %r6, 0;
        AGAIN: add.u32 %r5, %r5, %r6; add.u32 %r6, %r6, 1; setp.le.u32 %p1, %r6, %r1; @%p1 bra.uni AGAIN;
        and.b32 %r7, %r1, 3; T: .branchtargets A, B, C, D; brx.idx %r7, T;
        A: add.u32 %r5, %r5, 1000; bra END; B: add.u32 %r5, %r5, 2000; bra END;
        C: add.u32 %r5, %r5, 3000; bra END; D: @!%p1 add.u32 %r5, %r5, 4000;
        END: st.global.u32 [%rd2], %r5;",
    );
    let found = run(&text, &one(20), &[0; 20]).unwrap();
    assert!((0..20).all(|i| found[i as usize] == i * (i + 1) / 2 + 1000 * (i % 4 + 1)));
}

#[test]
fn calls_pass_parameters_in_memory_and_registers() {
    let text = format!(
        ".func (.param .b32 result) square(.param .b32 x) {{ .reg .b32 %r<3>; ld.param.u32 %r1, [x];
            mul.lo.u32 %r2, %r1, %r1; st.param.b32 [result+0], %r2; ret; }}
        .func (.reg .u32 sum) sums(.reg .u32 a, .reg .u32 b) {{ .reg .pred p; setp.eq.u32 p, b, 3; mov.u32 sum, 77;
            @p ret; add.u32 sum, a, b; ret; }}
        {}",
        kernel(
            "{ .param .b32 param0; st.param.b32 [param0], %r1; .param .b32 retval0;
            call.uni (retval0), square, (param0); ld.param.b32 %r5, [retval0]; }
            { .param .b32 param0; st.param.b32 [param0], %r5; .param .b32 retval0;
            call (retval0), square, (param0); ld.param.b32 %r6, [retval0]; }
            call (%r7), sums, (%r6, %r1); st.global.u32 [%rd2], %r7;"
        )
    );
    let found = run(&text, &one(8), &[0; 8]).unwrap();
    let expected = |i: u32| if i == 3 { 77 } else { i.pow(4) + i };
    assert!((0..8).all(|i| found[i as usize] == expected(i)), "{found:?}");
}

#[test]
fn barrier_reductions_ask_all_threads() {
    let text = kernel(
        "setp.lt.u32 %p1, %r1, 40; barrier.cta.red.popc.aligned.u32 %r5, 0, %p1; bar.red.and.pred %p2, 0, %p1;
        bar.red.or.pred %p3, 0, !%p1; selp.u32 %r6, 100, 0, %p2; selp.u32 %r7, 1000, 0, %p3; add.u32 %r5, %r5, %r6;
        add.u32 %r5, %r5, %r7; st.global.u32 [%rd2], %r5;",
    );
    assert_eq!(run(&text, &one(50), &[0; 50]).unwrap(), [1040; 50]);
    assert_eq!(run(&text, &one(30), &[0; 30]).unwrap(), [130; 30]);
}

#[test]
fn barriers_of_some_warps_order_them() {
    // The first warp produces, the second consumes, and neither waits at barrier 0.
    let text = kernel(
        ".shared .align 4 .b32 s[32]; and.b32 %r5, %r1, 31; shl.b32 %r6, %r5, 2; mov.u32 %r7, s; add.u32 %r6, %r6, %r7;
        setp.ge.u32 %p1, %r1, 32; @%p1 bra CONSUME; st.shared.u32 [%r6], %r5; bar.arrive 1, 64; bra END;
        CONSUME: bar.sync 1, 64; xor.b32 %r8, %r6, 4; ld.shared.u32 %r9, [%r8]; st.global.u32 [%rd2], %r9; END:",
    );
    for seed in 0..4 {
        let launch = Launch { seed, ..one(64) };
        let found = run(&text, &launch, &[7; 64]).unwrap();
        assert!((32..64).all(|i| found[i as usize] == (i - 32) ^ 1), "{found:?}");
    }
}

#[test]
fn threads_and_blocks_may_wait_for_each_other() {
    // Each block waits for the one before it in the grid, whatever the order they start in.
    let text = kernel(
        "setp.ne.u32 %p1, %r1, 0; @%p1 bra END;
        WAIT: ld.acquire.gpu.global.u32 %r5, [%rd1]; setp.ne.u32 %p2, %r5, %r2; @%p2 bra WAIT;
        add.u32 %r5, %r5, 1; st.release.gpu.global.u32 [%rd1], %r5; END:",
    );
    for seed in 0..6 {
        let launch = Launch { seed, step_limit: Some(10_000_000), ..Launch::new([12, 1, 1], [2, 1, 1]) };
        assert_eq!(run(&text, &launch, &[0]).unwrap(), [12]);
    }
}

#[test]
fn the_order_of_blocks_and_threads_follows_the_seed() {
    let text = kernel("atom.global.add.u32 %r5, [%rd1], 1; add.u64 %rd2, %rd2, 4; st.global.u32 [%rd2], %r5;");
    let order = |seed| {
        let launch = Launch { seed, ..Launch::new([10, 1, 1], [16, 1, 1]) };
        run(&text, &launch, &[0; 161]).unwrap()
    };
    assert!(order(0)[1..].iter().zip(0..).all(|(place, i)| *place == i));
    assert_eq!(order(5), order(5));
    assert_ne!(order(5), order(6));
    let mut places = order(5)[1..].to_vec();
    let block = places[..16].to_vec();
    assert!(block.windows(2).any(|pair| pair[1] < pair[0]), "threads in ascending order: {block:?}");
    assert!(places.chunks(16).any(|block| block[0] / 16 > 0));
    places.sort_unstable();
    assert!(places.iter().zip(0..).all(|(place, i)| *place == i));
}

#[test]
fn fences_and_hints_change_nothing() {
    let text = kernel(
        "membar.gl; fence.acq_rel.gpu; fence.proxy.async; nanosleep.u32 100; prefetch.global.L2 [%rd1]; st.global.u32 [%rd2], 3;",
    );
    assert_eq!(run(&text, &one(4), &[0; 4]).unwrap(), [3; 4]);
}

#[test]
fn clocks_go_on() {
    let text = kernel(
        "mov.u32 %r5, %clock; mov.u64 %rd3, %clock64; mov.u64 %rd4, %clock64; setp.lt.u64 %p1, %rd3, %rd4;
        selp.u32 %r6, 1, 0, %p1; st.global.u32 [%rd1], %r6;",
    );
    assert_eq!(run(&text, &one(1), &[0]).unwrap(), [1]);
}

#[test]
fn a_step_limit_ends_what_does_not_end() {
    let text = kernel("L: bra L;");
    let launch = Launch { step_limit: Some(1_000_000), ..one(3) };
    let fault = run(&text, &launch, &[0]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::StepLimit { limit: 1_000_000 });
    assert_eq!(fault.to_string().lines().count(), 1);
}
