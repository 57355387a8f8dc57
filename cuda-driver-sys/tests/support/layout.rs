//! Compares Rust's layout of every struct with what a C compiler makes of NVIDIA's header.

use std::path::Path;
use std::process::Command;

/// A type: its name in C, size and alignment in Rust, and for each field C's path and Rust's offset.
pub(crate) struct Type {
    pub(crate) c: &'static str,
    pub(crate) size: usize,
    pub(crate) align: usize,
    pub(crate) fields: Vec<(&'static str, usize)>,
}

macro_rules! fields {
    ($($c:literal $name:ident { $($path:literal $first:ident $(. $rest:ident)*),* })*) => {
        fn types() -> Vec<layout::Type> {
            vec![$(layout::Type {
                c: $c,
                size: size_of::<$name>(),
                align: align_of::<$name>(),
                fields: vec![$(($path, std::mem::offset_of!($name, $first $(. $rest)*))),*],
            }),*]
        }
    };
}
pub(crate) use fields;

/// Compiles a C program that prints the layouts, runs it and compares. Returns how many types and
/// fields were compared.
pub(crate) fn compare(types: &[Type], header: &str, include: &str, folder: &str) -> (usize, usize) {
    let mut source = format!("#include <stddef.h>\n#include <stdio.h>\n#include <{header}>\nint main(void) {{\n");
    let mut expected = Vec::new();
    for item in types {
        source += &format!("printf(\"{0} %zu %zu\\n\", sizeof({0}), _Alignof({0}));\n", item.c);
        expected.push(format!("{} {} {}", item.c, item.size, item.align));
        for (path, offset) in &item.fields {
            source += &format!("printf(\"{0}: {1} %zu\\n\", offsetof({0}, {1}));\n", item.c, path);
            expected.push(format!("{}: {path} {offset}", item.c));
        }
    }
    source += "return 0; }\n";
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    std::fs::create_dir_all(&folder).expect("a folder for the program");
    let (file, program) = (folder.join("layout.c"), folder.join("layout"));
    std::fs::write(&file, source).expect("the program is written");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let output = Command::new(compiler)
        .args(["-std=c11", "-w", "-D__CUDA_API_VERSION_INTERNAL", "-I", include, "-o"])
        .arg(&program)
        .arg(&file)
        .output()
        .expect("a C compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(&program).output().expect("the program runs");
    let text = String::from_utf8(output.stdout).expect("plain text");
    let given: Vec<&str> = text.lines().collect();
    let differing: Vec<String> = expected
        .iter()
        .zip(&given)
        .filter(|(rust, c)| rust != c)
        .map(|(rust, c)| format!("Rust {rust}, C {c}"))
        .collect();
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    assert_eq!(given.len(), expected.len());
    (types.len(), expected.len() - types.len())
}
