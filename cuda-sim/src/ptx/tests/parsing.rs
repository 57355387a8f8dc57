//! What is PTX, what is not, and what is only not supported.

use super::super::{FaultKind, FlatMemory, Launch, Module, PtxErrorKind};
use super::harness::{BASE, HEADER, kernel};

fn error(text: &str) -> (PtxErrorKind, u32) {
    let error = Module::parse(text).unwrap_err();
    assert!(!error.to_string().is_empty());
    (error.kind, error.line)
}

#[test]
fn text_that_is_no_ptx_is_a_syntax_error_with_its_line() {
    let syntax = |line| (PtxErrorKind::Syntax, line);
    assert_eq!(error("").0, PtxErrorKind::Syntax);
    assert_eq!(error("hello"), syntax(1));
    assert_eq!(error("\u{7f}ELF"), syntax(1));
    assert_eq!(error(".version 7.0\n.targe sm_50"), syntax(2));
    let with = |body: &str| error(&format!("{HEADER}{}", kernel(body)));
    assert_eq!(with("add.u32 %r5, %nope1, 1;"), syntax(9));
    assert_eq!(with("bra NOWHERE;"), syntax(9));
    assert_eq!(with("L: L: ret;"), syntax(9));
    assert_eq!(with("@%r1 ret;"), syntax(9));
    assert_eq!(with("add.u32 %r99, %r1, 1;"), syntax(9));
    assert_eq!(error(&format!("{HEADER}.visible .entry k() {{ ret;")), syntax(4));
    assert_eq!(error(&format!("{HEADER}/* no end")), syntax(4));
}

#[test]
fn an_unsupported_instruction_spares_the_other_kernels() {
    let text = format!(
        "{HEADER}{}{}.visible .entry fine() {{ ret; }}",
        kernel("\nwmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r5, %r6}, [%rd1], %r7;"),
        kernel("\nadd.u32.strange %r5, %r5, 1;").replace("entry k(", "entry l("),
    );
    let module = Module::parse(&text).unwrap();
    let error = module.kernel("k").unwrap().error().unwrap();
    assert_eq!((error.kind, error.line), (PtxErrorKind::Unsupported, 10));
    assert!(error.text.starts_with("wmma.load.a.sync"), "{error}");
    assert!(module.kernel("l").unwrap().error().unwrap().message.contains(".strange in add.u32.strange"));
    let launch = Launch::new([1, 1, 1], [1, 1, 1]);
    let mut memory = FlatMemory::new(BASE, 4);
    module.kernel("fine").unwrap().run(&launch, &mut memory).unwrap();
    let fault = module.kernel("k").unwrap().run(&launch, &mut memory).unwrap_err();
    assert!(matches!(fault.kind, FaultKind::Unsupported { .. }), "{fault}");
    assert_eq!(fault.line, 10);
}

#[test]
fn comments_pragmas_and_lines_of_debuggers_are_left_out() {
    let text = "// first\n/* two\nlines */\n.version 8.5\n.target sm_90a, debug\n.address_size 64\n.file 1 \"a.cu\"\n
        .weak .entry k() .maxntid 128, 2, 1 .minnctapersm 2 { .pragma \"nounroll\";\n.loc 1 3 4\n.loc 1 5 6, function_name $L, inlined_at 1 2 3
        ret; // done\n}\n.section .debug_str { info: .b8 1, 2 }\0";
    let module = Module::parse(text).unwrap();
    assert_eq!((module.version(), module.target()), ((8, 5), 90));
    assert_eq!(module.kernel("k").unwrap().max_threads(), Some([128, 2, 1]));
}

#[test]
fn numbers_are_read_in_all_their_forms() {
    let code =
        "add.u64 %d, %a, 0x10; add.u64 %d, %d, 0b11; add.u64 %d, %d, 010; add.u64 %d, %d, 7U; add.s64 %d, %d, -4;";
    assert_eq!(super::harness::evaluate(code, ["b64"; 4], &[[100, 0, 0]]), [100 + 16 + 3 + 8 + 7 - 4]);
    let code =
        "mov.f64 %d, 1.5; add.f64 %d, %d, 0d3FF0000000000000; add.f64 %d, %d, 25e-1; add.f64 %d, %d, 0f3F800000;";
    assert_eq!(super::harness::evaluate(code, ["f64"; 4], &[[0, 0, 0]]), [6.0_f64.to_bits()]);
}

#[test]
fn recursion_and_calls_through_pointers_are_unsupported() {
    let text = format!("{HEADER}.func f() {{ call f; ret; }} {}", kernel("call f;"));
    let module = Module::parse(&text).unwrap();
    assert!(module.kernel("k").unwrap().error().unwrap().message.contains("recursion"));
    let text = format!("{HEADER}{}", kernel("P: .callprototype ()_ (); call %rd1, (), P;"));
    assert!(Module::parse(&text).unwrap().kernel("k").unwrap().error().is_some());
}

#[test]
fn sizes_and_depths_without_measure_are_refused() {
    let deep = "{".repeat(100_000);
    assert_eq!(error(&format!("{HEADER}.global .u32 x = {deep}")).0, PtxErrorKind::Syntax);
    assert_eq!(error(&format!("{HEADER}.visible .entry k() {{ mov.b32 {deep}")).0, PtxErrorKind::Syntax);
    let params = ".param .b8 a[4294967295], .param .b8 b[4294967295]";
    assert_eq!(error(&format!("{HEADER}.visible .entry k({params}) {{ ret; }}")).0, PtxErrorKind::Syntax);
    assert_eq!(error(&format!("{HEADER}.global .b32 a[4294967295];")).0, PtxErrorKind::Syntax);
    assert_eq!(
        error(&format!("{HEADER}.visible .entry k() {{ .local .b8 l[1000000]; ret; }}")).0,
        PtxErrorKind::Syntax
    );
    assert_eq!(
        error(&format!("{HEADER}.visible .entry k() {{ add.u32 %r1, 99999999999999999999, 1; }}")).0,
        PtxErrorKind::Syntax
    );
}

#[test]
fn damaged_text_never_panics() {
    let text = super::kernels::TESTING;
    let mut state = 1_u64;
    for _ in 0..2000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut bytes = text.as_bytes().to_vec();
        let at = (state >> 33) as usize % bytes.len();
        let end = (at + (state >> 20) as usize % 12).min(bytes.len());
        match state >> 62 {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => bytes[at] = b" .,;:[]{}()%<>0aF+-@!|"[(state >> 8) as usize % 22],
            _ => bytes.extend_from_within(at..end),
        }
        if let Ok(text) = String::from_utf8(bytes) {
            let _ = Module::parse(&text);
        }
    }
}
