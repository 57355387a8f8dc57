//! What a build script tells the linker.

use super::{ARM, LINUX, WINDOWS};
use crate::fake::Tree;
use crate::link::{archive_symbols, driver, runtime, static_runtime, table};

#[test]
fn report_161_each_documented_variable_alone_drives_the_link_search() {
    for name in crate::ROOT_VARIABLES {
        let tree = Tree::new()
            .var(name, "/t")
            .file("/t/lib64/libcudart_static.a")
            .file("/t/lib64/libcudart.so.13")
            .file("/t/lib64/stubs/libcuda.so");
        assert_eq!(static_runtime(&tree, &LINUX).unwrap().directives[0], "rustc-link-search=native=/t/lib64", "{name}");
        assert_eq!(runtime(&tree, &LINUX).unwrap().0.directives[0], "rustc-link-search=native=/t/lib64", "{name}");
        assert_eq!(
            driver(&tree, &LINUX).unwrap().directives,
            ["rustc-link-search=native=/t/lib64/stubs", "rustc-link-lib=dylib=cuda"]
        );
    }
    let tree = Tree::new()
        .var("CUDA_RT_RUNTIME_LINK_DIR", "/r")
        .var("CUDA_HOME", "/t")
        .file("/r/libcudart.so.12")
        .file("/t/lib64/libcudart.so.13");
    assert_eq!(runtime(&tree, &LINUX).unwrap().1, Some(12));
    let tree = Tree::new().var("CUDA_RT_DRIVER_LINK_DIR", "/d").file("/d/libcuda.so.1").file("/usr/lib64/libcuda.so");
    assert_eq!(driver(&tree, &LINUX).unwrap().found.path, "/d/libcuda.so.1");
    // A directory that the user names is the only one: another library would surprise.
    let error =
        driver(&Tree::new().var("CUDA_RT_DRIVER_LINK_DIR", "/d").file("/usr/lib64/libcuda.so.1"), &LINUX).unwrap_err();
    assert!(error.to_string().contains("/d (CUDA_RT_DRIVER_LINK_DIR)"));
}

#[test]
fn report_158_versioned_file_is_linked_by_its_exact_name() {
    let tree = Tree::new()
        .var("CUDA_HOME", "/venv/nvidia/cu13")
        .file("/venv/nvidia/cu13/lib/libcudart.so.13")
        .file("/usr/lib/wsl/lib/libcuda.so.1");
    let (linked, major) = runtime(&tree, &LINUX).unwrap();
    assert_eq!(
        linked.directives,
        ["rustc-link-search=native=/venv/nvidia/cu13/lib", "rustc-link-lib=dylib:+verbatim=libcudart.so.13"]
    );
    assert_eq!(major, Some(13));
    assert_eq!(driver(&tree, &LINUX).unwrap().directives[1], "rustc-link-lib=dylib:+verbatim=libcuda.so.1");
}

#[test]
fn report_162_windows_links_from_lib_x64() {
    let root = "C:\\CUDA\\v13.0";
    let mut tree = Tree::new().var("CUDA_PATH", root);
    for file in ["cuda.lib", "cudart.lib", "cudart_static.lib"] {
        tree = tree.file(&format!("{root}\\lib\\x64\\{file}"));
    }
    let search = "rustc-link-search=native=C:\\CUDA\\v13.0\\lib\\x64";
    assert_eq!(driver(&tree, &WINDOWS).unwrap().directives, [search, "rustc-link-lib=dylib=cuda"]);
    assert_eq!(runtime(&tree, &WINDOWS).unwrap().0.directives, [search, "rustc-link-lib=dylib=cudart"]);
    assert_eq!(static_runtime(&tree, &WINDOWS).unwrap().directives, [search, "rustc-link-lib=static=cudart_static"]);
}

#[test]
fn report_165_static_runtime_is_followed_by_what_it_needs() {
    let tree = Tree::new().file("/usr/local/cuda/targets/sbsa-linux/lib/libcudart_static.a");
    let directives = static_runtime(&tree, &ARM).unwrap().directives;
    assert_eq!(
        directives[1..],
        [
            "rustc-link-lib=static=cudart_static",
            "rustc-link-lib=dylib=dl",
            "rustc-link-lib=dylib=pthread",
            "rustc-link-lib=dylib=rt"
        ]
    );
}

fn archive(name: &str, index: &[u8]) -> Vec<u8> {
    let mut bytes = b"!<arch>\n".to_vec();
    bytes.extend(format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, 0, index.len()).bytes());
    bytes.extend(index);
    bytes
}

#[test]
fn symbols_of_an_archive_are_read_from_its_index() {
    let index = [&[0, 0, 0, 2, 0, 0, 0, 9, 0, 0, 0, 9][..], b"cudaFree\0cudaMalloc\0"].concat();
    assert_eq!(archive_symbols(&archive("/", &index)), Ok(vec!["cudaFree", "cudaMalloc"]));
    let index = [&[0, 0, 0, 0, 0, 0, 0, 1][..], &[0; 8], b"cudaFree\0"].concat();
    assert_eq!(archive_symbols(&archive("/SYM64/", &index)), Ok(vec!["cudaFree"]));
}

#[test]
fn broken_archives_are_an_error() {
    assert!(archive_symbols(b"GROUP ( libx.a )").is_err_and(|error| error.contains("no archive")));
    assert!(archive_symbols(b"!<arch>\n").is_err_and(|error| error.contains("cut off")));
    assert!(archive_symbols(&archive("x.o/", b"....")).is_err_and(|error| error.contains("ranlib")));
    let whole = archive("/", &[0, 0, 0, 1, 0, 0, 0, 9, b'x', 0]);
    assert!(archive_symbols(&whole[..whole.len() - 3]).is_err_and(|error| error.contains("cut off")));
    assert!(archive_symbols(&archive("/", &[0xff; 6])).is_err());
    assert!(archive_symbols(&archive("/", &[])).is_err());
}

#[test]
fn table_is_sorted_for_the_search() {
    let text = table(&["b", "a", "b"], true);
    assert!(
        text.contains("fn a();\n    fn b();\n}")
            && text.contains("(c\"a\", a),\n    (c\"b\", b),\n]")
            && text.contains("STATIC: bool = true")
    );
}
