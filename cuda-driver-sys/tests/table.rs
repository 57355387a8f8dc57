//! The table of functions, compared with the list that is checked in beside it.
#![allow(clippy::unwrap_used)]

use core::ffi::{c_char, c_int};
use std::collections::BTreeMap;

use cuda_driver_sys::Table as _;
use cuda_driver_sys::loader::CudaVersion;
use cuda_driver_sys::{
    CU_STREAM_LEGACY, CU_STREAM_PER_THREAD, CUdevice, CUdevice_attribute, CUresult, Driver, Symbol, symbols,
};

const SYMBOLS: &str = include_str!("../src/bindings/symbols.txt");

fn listed() -> BTreeMap<&'static str, (u32, bool)> {
    SYMBOLS
        .lines()
        .map(|line| {
            let mut words = line.split(' ');
            let (name, since, floor) = (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
            (name, (since.parse().unwrap(), floor == "1"))
        })
        .collect()
}

#[test]
fn driver_table_has_all_685_symbols() {
    let listed = listed();
    assert_eq!(listed.len(), 685);
    for (index, (name, (since, _))) in (0_u16..).zip(&listed) {
        let entry = Driver::entry(index);
        assert_eq!((entry.name(), entry.since), (*name, *since));
    }
}

#[test]
fn symbols_know_name_and_version() {
    assert_eq!(symbols::cuInit.name(), "cuInit");
    assert_eq!(symbols::cuInit.since(), CudaVersion::of(2, 0));
    assert_eq!(symbols::cuCtxCreate_v4.name(), "cuCtxCreate_v4");
    assert_eq!(symbols::cuCtxCreate_v4.since(), CudaVersion::of(12, 5));
    assert_eq!(symbols::cuMemcpyHtoDAsync_v2_ptsz.since(), CudaVersion::of(7, 0));
    assert_eq!(symbols::cuFuncGetParamInfo.since().to_string(), "12.4");
    assert_eq!(size_of_val(&symbols::cuInit), 2);
}

#[test]
fn every_abi_of_a_name_is_bound() {
    for name in [
        "cuCtxCreate",
        "cuCtxCreate_v2",
        "cuCtxCreate_v3",
        "cuCtxCreate_v4",
        "cuMemAlloc",
        "cuMemAlloc_v2",
        "cuStreamGetCtx_v2_ptsz",
    ] {
        assert!(listed().contains_key(name), "{name}");
    }
}

#[test]
fn floor_of_linked_programs_is_what_cuda_11_4_has() {
    let listed = listed();
    for (name, (since, floor)) in &listed {
        assert_eq!(*floor, *since <= 11040, "{name}");
    }
    assert!(listed["cuInit"].1 && !listed["cuCtxCreate_v4"].1);
}

#[test]
fn codes_are_open() {
    assert_eq!(CUresult(12345).code(), 12345);
    assert_ne!(CUresult(12345), CUresult::CUDA_SUCCESS);
    assert_eq!(CUresult::CUDA_ERROR_STUB_LIBRARY.code(), 34);
    assert_eq!(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR.0, 75);
    assert_eq!(format!("{:?}", CUresult(700)), "CUresult(700)");
}

#[test]
fn macros_that_bindgen_loses_are_there() {
    assert_eq!((CU_STREAM_LEGACY as usize, CU_STREAM_PER_THREAD as usize), (1, 2));
    assert_eq!(cuda_driver_sys::CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_ID_ANY, u32::MAX);
    assert_eq!(
        cuda_driver_sys::CU_STREAM_ATTRIBUTE_PRIORITY,
        cuda_driver_sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_PRIORITY
    );
    assert_eq!((cuda_driver_sys::CU_DEVICE_CPU, cuda_driver_sys::CU_DEVICE_INVALID), (-1, -2));
}

#[test]
fn report_171_characters_are_c_char() {
    // The type is the test: it has to hold where char is unsigned, too (`cargo check --target aarch64-unknown-linux-gnu`).
    let symbol: Symbol<unsafe extern "C" fn(*mut c_char, c_int, CUdevice) -> CUresult> = symbols::cuDeviceGetName;
    assert_eq!(symbol.name(), "cuDeviceGetName");
}
