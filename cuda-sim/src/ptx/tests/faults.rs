//! Planted faults: each is reported with kernel, line, thread and address.

use super::super::{FaultKind, FlatMemory, Launch, Module};
use super::harness::{BASE, HEADER, kernel, run};
use super::kernels::TESTING;

fn one(threads: u32) -> Launch<'static> {
    Launch::new([1, 1, 1], [threads, 1, 1])
}

#[test]
fn an_address_out_of_bounds_is_700_with_its_thread() {
    let text = kernel("st.global.u32 [%rd2+8], 1;");
    let fault = run(&text, &Launch { seed: 4, ..one(6) }, &[0; 7]).unwrap_err();
    assert_eq!(fault.kind.code(), Some(700));
    assert_eq!((&*fault.kernel, fault.thread, fault.block), ("k", [5, 0, 0], [0, 0, 0]));
    assert_eq!(fault.address, Some(BASE + 28));
    // Three lines of header and six of the kernel's own.
    assert_eq!(fault.line, 9);
    assert!(fault.to_string().contains("PTX line 9, thread (5,0,0) of block (0,0,0), address 0x7000001c"), "{fault}");
}

#[test]
fn write_to_an_odd_address_is_716_and_to_nobodys_700() {
    let module = Module::parse(TESTING).unwrap();
    for (address, code) in [(BASE + 1, 716), (BASE + 64, 700), (0, 700), (u64::MAX - 3, 700)] {
        let params = address.to_le_bytes();
        let launch = Launch { params: &params, ..one(1) };
        let fault = module.kernel("write_to").unwrap().run(&launch, &mut FlatMemory::new(BASE, 64)).unwrap_err();
        assert_eq!((fault.kind.code(), fault.address), (Some(code), Some(address)), "{fault}");
        let text = TESTING.lines().nth(fault.line as usize - 1).unwrap();
        assert!(text.contains("st.volatile.global.u32"), "{text}");
    }
}

#[test]
fn vectors_are_aligned_as_a_whole() {
    let text = kernel("ld.global.v2.u32 {%r5, %r6}, [%rd1+4];");
    let fault = run(&text, &one(1), &[0; 4]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Misaligned { size: 8 });
}

#[test]
fn trap_is_719() {
    let module = Module::parse(TESTING).unwrap();
    let fault = module.kernel("trap").unwrap().run(&one(1), &mut FlatMemory::new(BASE, 4)).unwrap_err();
    assert_eq!((fault.kind.code(), &fault.kind), (Some(719), &FaultKind::Trap));
}

#[test]
fn shared_and_local_memory_have_bounds() {
    let text = kernel(
        ".shared .align 4 .b32 s[4]; mov.u32 %r5, s; shl.b32 %r6, %r1, 2; add.u32 %r5, %r5, %r6; st.shared.u32 [%r5], 1;",
    );
    run(&text, &one(4), &[0; 1]).unwrap();
    let fault = run(&text, &one(5), &[0; 1]).unwrap_err();
    assert_eq!((fault.kind, fault.address), (FaultKind::SharedOutOfBounds { size: 16 }, Some(16)));
    let text = kernel(".local .align 4 .b32 l[4]; mov.u64 %rd3, l; cvta.local.u64 %rd3, %rd3; st.u32 [%rd3+16], 1;");
    let fault = run(&text, &one(1), &[0; 1]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::LocalOutOfBounds { size: 16 });
}

#[test]
fn a_barrier_that_threads_miss_is_reported() {
    // Some go around it and end.
    let text = kernel("setp.ge.u32 %p1, %r1, 16; @%p1 bra END; bar.sync 0; END:");
    let fault = run(&text, &one(32), &[0]).unwrap_err();
    let FaultKind::BarrierDivergence { waiting: 16, expected: 32, other, other_ended: true } = fault.kind else {
        panic!("{fault}");
    };
    assert_eq!(other.thread, [16, 0, 0]);
    let launch = Launch { ended_threads_pass_barriers: true, ..one(32) };
    run(&text, &launch, &[0]).unwrap();
    // Others wait at another barrier.
    let text = kernel("setp.ge.u32 %p1, %r1, 16; @%p1 bra ELSE; bar.sync 0; bra END; ELSE: bar.sync 1; END:");
    for launch in [one(32), Launch { ended_threads_pass_barriers: true, ..one(32) }] {
        let fault = run(&text, &launch, &[0]).unwrap_err();
        assert!(matches!(fault.kind, FaultKind::BarrierDivergence { other_ended: false, .. }), "{fault}");
    }
    // The same barrier, at two places in a warp.
    let text = kernel("setp.ge.u32 %p1, %r1, 16; @%p1 bra ELSE; bar.sync 0; bra END; ELSE: bar.sync 0; END:");
    let fault = run(&text, &one(32), &[0]).unwrap_err();
    assert!(matches!(fault.kind, FaultKind::BarrierDivergence { other_ended: false, .. }), "{fault}");
    let text = text.replace("bar.sync", "barrier.sync").replace("%r1, 16", "%r1, 32");
    run(&text, &one(64), &[0]).unwrap();
}

#[test]
fn assertions_tell_their_words() {
    let text = format!(
        "{HEADER}.extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
        .global .align 1 .b8 message[6] = {{105, 32, 60, 32, 110, 0}}; .global .align 1 .b8 file[5] = {{97, 46, 99, 117, 0}};
        {}",
        kernel(
            "{ .param .b64 param0; mov.u64 %rd3, message; st.param.b64 [param0+0], %rd3; .param .b64 param1;
            mov.u64 %rd4, file; st.param.b64 [param1+0], %rd4; .param .b32 param2; st.param.b32 [param2+0], 42;
            .param .b64 param3; st.param.b64 [param3+0], %rd4; .param .b64 param4; st.param.b64 [param4+0], 1;
            call.uni __assertfail, (param0, param1, param2, param3, param4); }"
        )
    );
    let module = Module::parse(&text).unwrap();
    let mut memory = FlatMemory::new(BASE, 64);
    let addresses = [BASE + 16, BASE + 32];
    for (global, at) in module.globals().iter().zip([16, 32]) {
        memory.bytes_mut()[at..at + global.size as usize].copy_from_slice(&global.initial_bytes(&addresses));
    }
    let params = BASE.to_le_bytes();
    let launch = Launch { params: &params, globals: &addresses, ..one(1) };
    let fault = module.kernel("k").unwrap().run(&launch, &mut memory).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Assert { message: "i < n (a.cu:42, a.cu)".into() });
    assert_eq!(fault.kind.code(), Some(710));
}

#[test]
fn launches_that_do_not_fit_are_refused() {
    let module = Module::parse(TESTING).unwrap();
    let fill = module.kernel("fill").unwrap();
    let mut memory = FlatMemory::new(BASE, 4);
    for launch in [one(1), Launch { params: &[0; 16], ..one(0) }, Launch { params: &[0; 16], ..one(1025) }] {
        let fault = fill.run(&launch, &mut memory).unwrap_err();
        assert!(matches!(fault.kind, FaultKind::BadLaunch { .. }), "{fault}");
    }
    let huge = Launch { params: &[0; 16], ..Launch::new([u32::MAX, u32::MAX, u32::MAX], [1024, 1, 1]) };
    assert!(matches!(fill.run(&huge, &mut memory).unwrap_err().kind, FaultKind::BadLaunch { .. }));
}
