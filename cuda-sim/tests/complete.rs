//! A function that the safe crate calls and the simulator lacks is a failure here.

#![allow(clippy::unwrap_used, clippy::cast_possible_truncation)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Words of the sources that name functions of the APIs: in a call macro, or in one of the
/// bindings' modules.
fn called(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            called(&path, found);
            continue;
        }
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        for line in fs::read_to_string(&path).unwrap().lines() {
            let code = line.split("//").next().unwrap_or("");
            for (i, _) in code.match_indices("cu") {
                let word: String = code[i..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
                let before = &code[..i];
                let is_call = ["cu!(", "rt!(", "common::", "v12::", "v13::", "sys::", "symbols::", "$module::"]
                    .iter()
                    .any(|start| before.ends_with(start));
                let is_function = word.starts_with("cuda")
                    && word.as_bytes().get(4).is_some_and(u8::is_ascii_uppercase)
                    || word.as_bytes().get(2).is_some_and(u8::is_ascii_uppercase);
                if is_call && is_function {
                    found.insert(word);
                }
            }
        }
    }
}

#[test]
fn every_function_that_the_safe_crate_calls_is_simulated() {
    let mut found = BTreeSet::new();
    called(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../cuda-rt/src"), &mut found);
    let functions: BTreeSet<&str> = include_str!("../data/driver_symbols.tsv")
        .lines()
        .chain(include_str!("../data/runtime_symbols.tsv").lines())
        .filter_map(|line| line.split('\t').next())
        .collect();
    found.retain(|word| functions.contains(word.as_str()));
    assert!(found.len() > 50 && found.contains("cuLaunchKernel") && found.contains("cudaMallocAsync"), "{found:?}");
    let simulated: BTreeSet<&str> = cuda_sim::driver_functions().chain(cuda_sim::runtime_functions()).collect();
    let missing: Vec<&String> = found.iter().filter(|word| !simulated.contains(word.as_str())).collect();
    assert!(missing.is_empty(), "called, but not simulated: {missing:?}");
}

#[test]
fn every_simulated_function_is_found_by_its_name() {
    for name in cuda_sim::driver_functions() {
        let name = std::ffi::CString::new(name).unwrap();
        assert!(!cuda_sim::resolve_driver(&name).is_null(), "{name:?}");
    }
    assert!(cuda_sim::resolve_driver(c"cuNoSuchFunction").is_null());
    assert!(cuda_sim::resolve_driver(c"cudaMalloc").is_null());
    assert!(!cuda_sim::resolve_runtime(c"cudaMalloc").is_null());
}
