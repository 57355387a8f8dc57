//! Operations of a warp's threads.

use super::super::{FaultKind, Launch};
use super::harness::{kernel, run};

fn one(threads: u32) -> Launch<'static> {
    Launch { seed: 9, ..Launch::new([1, 1, 1], [threads, 1, 1]) }
}

fn lanes(body: &str, threads: u32) -> Vec<u32> {
    let text = kernel(&format!("{body} st.global.u32 [%rd2], %r5;"));
    run(&text, &one(threads), &vec![0; threads as usize]).unwrap()
}

#[test]
fn shuffles_take_from_the_lane_they_say() {
    let found = lanes("shfl.sync.down.b32 %r5|%p1, %r1, 3, 31, -1;", 64);
    assert!((0..64).all(|i| found[i as usize] == if i % 32 < 29 { i + 3 } else { i }));
    let found = lanes("shfl.sync.up.b32 %r5|%p1, %r1, 2, 0, -1; @!%p1 mov.u32 %r5, 999;", 32);
    assert!((0..32).all(|i| found[i as usize] == if i < 2 { 999 } else { i - 2 }));
    let found = lanes("shfl.sync.bfly.b32 %r5, %r1, 5, 31, -1;", 32);
    assert!((0..32).all(|i| found[i as usize] == i ^ 5));
    let found = lanes("shfl.sync.idx.b32 %r5, %r1, 7, 31, -1;", 64);
    assert!((0..64).all(|i| found[i as usize] == i / 32 * 32 + 7));
    // Segments of eight lanes: __shfl_sync(mask, v, 1, 8).
    let found = lanes("shfl.sync.idx.b32 %r5, %r1, 1, 0x181f, -1;", 32);
    assert!((0..32).all(|i| found[i as usize] == i / 8 * 8 + 1));
}

#[test]
fn a_sum_by_shuffles_reaches_every_lane() {
    let body = "mov.u32 %r5, %r1; mov.u32 %r6, 16;
        L: shfl.sync.bfly.b32 %r7, %r5, %r6, 31, -1; add.u32 %r5, %r5, %r7; shr.u32 %r6, %r6, 1; setp.ne.u32 %p1, %r6, 0;
        @%p1 bra L;";
    assert_eq!(lanes(body, 32), [496; 32]);
}

#[test]
fn votes_count_the_lanes_of_the_mask() {
    let ballot = lanes("setp.lt.u32 %p1, %r1, 5; vote.sync.ballot.b32 %r5, %p1, -1;", 32);
    assert_eq!(ballot, [0x1f; 32]);
    let any = lanes("setp.eq.u32 %p1, %r1, 5; vote.sync.any.pred %p2, %p1, -1; selp.u32 %r5, 1, 0, %p2;", 64);
    assert!((0..64).all(|i| any[i as usize] == u32::from(i < 32)));
    let all = lanes("setp.lt.u32 %p1, %r1, 40; vote.sync.all.pred %p2, %p1, -1; selp.u32 %r5, 1, 0, %p2;", 64);
    assert!((0..64).all(|i| all[i as usize] == u32::from(i < 32)));
    let uni = lanes("setp.lt.u32 %p1, %r1, 40; vote.sync.uni.pred %p2, !%p1, -1; selp.u32 %r5, 1, 0, %p2;", 32);
    assert_eq!(uni, [1; 32]);
}

#[test]
fn matches_and_reductions_are_over_the_mask() {
    let any = lanes("and.b32 %r6, %r1, 1; match.any.sync.b32 %r5, %r6, -1;", 32);
    assert!((0..32).all(|i| any[i as usize] == if i % 2 == 0 { 0x5555_5555 } else { 0xaaaa_aaaa }));
    let all = lanes("match.all.sync.b32 %r5|%p1, 3, -1; @%p1 add.u32 %r5, %r5, 2;", 32);
    assert_eq!(all, [1; 32]);
    assert_eq!(lanes("redux.sync.add.u32 %r5, %r1, -1;", 32), [496; 32]);
    assert_eq!(lanes("sub.u32 %r6, 3, %r1; redux.sync.min.s32 %r5, %r6, -1;", 32), [(-28_i32) as u32; 32]);
}

#[test]
fn half_a_warp_may_work_alone() {
    let body = "setp.ge.u32 %p1, %r1, 16; mov.u32 %r5, 0; @%p1 bra END;
        shfl.sync.bfly.b32 %r5, %r1, 1, 31, 0xffff; activemask.b32 %r6; mov.u32 %r7, %lanemask_eq; and.b32 %r6, %r6, %r7;
        setp.eq.u32 %p2, %r6, 0; @%p2 trap; END:";
    let found = lanes(body, 32);
    assert!((0..16).all(|i| found[i as usize] == i ^ 1));
}

#[test]
fn warp_barriers_order_shared_memory() {
    let body = ".shared .align 4 .b32 s[64]; mov.u32 %r6, s; shl.b32 %r7, %r1, 2; add.u32 %r6, %r6, %r7;
        st.shared.u32 [%r6], %r1; BARRIER xor.b32 %r7, %r6, 4; ld.shared.u32 %r5, [%r7];";
    let found = lanes(&body.replace("BARRIER", "bar.warp.sync -1;"), 64);
    assert!((0..64).all(|i| found[i as usize] == i ^ 1));
    let text = kernel(&body.replace("BARRIER", ""));
    let fault = run(&text, &one(64), &[0; 64]).unwrap_err();
    assert!(matches!(fault.kind, FaultKind::Race { shared: true, .. }), "{fault}");
    // Across warps a warp's barrier is none.
    let text = kernel(&body.replace("BARRIER", "bar.warp.sync -1;").replace("%r6, 4;", "%r6, 128;"));
    let fault = run(&text, &one(64), &[0; 64]).unwrap_err();
    assert!(matches!(fault.kind, FaultKind::Race { shared: true, .. }), "{fault}");
}

#[test]
fn lanes_that_never_come_are_a_fault() {
    let text = kernel("setp.eq.u32 %p1, %r1, 3; @%p1 bra W; bar.sync 0; bra END; W: bar.warp.sync -1; END:");
    let fault = run(&text, &one(32), &[0; 32]).unwrap_err();
    assert!(matches!(fault.kind, FaultKind::BarrierDivergence { .. }), "{fault}");
    let text = kernel("bar.warp.sync 1;");
    let fault = run(&text, &one(2), &[0; 2]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::WarpMask { mask: 1 });
    assert_eq!(fault.thread, [1, 0, 0]);
}
