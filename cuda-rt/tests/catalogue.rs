//! The catalogue of codes against the headers, by way of the generated bindings.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;

use cuda_rt::error::catalogue::{self, Entry};

const DRIVER: &str = include_str!("../../cuda-driver-sys/src/bindings/types.rs");
const RUNTIME: &str = include_str!("../../cuda-runtime-sys/src/bindings/v13/types.rs");

/// The constants of one enum in generated text, by number.
fn constants(text: &'static str, name: &str) -> BTreeMap<u32, &'static str> {
    let (_, rest) = text.split_once(&format!("newtype_enum! {{ {name}: c_enum {{")).unwrap();
    let (body, _) = rest.split_once('}').unwrap();
    let pairs = body.split(',').filter_map(|line| line.split_once(" = "));
    pairs.map(|(name, number)| (number.trim().parse().unwrap(), name.trim())).collect()
}

fn known(name: impl Fn(&Entry) -> Option<&'static str>) -> BTreeMap<u32, &'static str> {
    catalogue::all().filter_map(|entry| Some((entry.code, name(entry)?))).collect()
}

#[test]
fn report_035_catalogue_has_every_driver_code_by_its_name() {
    let header = constants(DRIVER, "CUresult");
    assert!(header.len() >= 106, "{}", header.len());
    assert_eq!(known(|entry| entry.driver_name), header);
}

#[test]
fn report_035_catalogue_has_every_runtime_code_by_its_name() {
    let header = constants(RUNTIME, "cudaError");
    assert!(header.len() >= 139, "{}", header.len());
    assert_eq!(known(|entry| entry.runtime_name), header);
}
