//! The tables of functions, compared with the lists that are checked in beside them.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use cuda_driver_sys::Table;
use cuda_driver_sys::loader::CudaVersion;
use cuda_runtime_sys::{Common, V12, V13, common, v12, v13};

fn listed(text: &'static str) -> BTreeMap<&'static str, u32> {
    text.lines()
        .map(|line| {
            let mut words = line.split(' ');
            (words.next().unwrap(), words.next().unwrap().parse().unwrap())
        })
        .collect()
}

fn old() -> BTreeMap<&'static str, u32> {
    listed(include_str!("../src/bindings/v12/symbols.txt"))
}

fn new() -> BTreeMap<&'static str, u32> {
    listed(include_str!("../src/bindings/v13/symbols.txt"))
}

fn names<T: Table>(count: u16) -> BTreeSet<&'static str> {
    (0..count).map(|index| T::entry(index).name()).collect()
}

#[test]
fn tables_have_every_function_of_both_headers() {
    // 12.9 declares 392; cudaGetDeviceProperties without suffix is left out (see `v12`).
    assert_eq!((old().len(), new().len()), (391, 411));
    assert_eq!(names::<V12>(391), old().into_keys().collect());
    assert_eq!(names::<V13>(411), new().into_keys().collect());
}

#[test]
fn since_is_known_for_every_function() {
    assert_eq!(v13::symbols::cudaFuncGetParamCount.since(), CudaVersion::of(13, 2));
    assert_eq!(v12::symbols::cudaLibraryLoadData.since(), CudaVersion::of(12, 8));
    assert_eq!(common::symbols::cudaLibraryLoadData.since(), CudaVersion::of(12, 8));
    // The same name with another ABI is as old as that ABI.
    assert_eq!(v13::symbols::cudaMemPrefetchAsync.since(), CudaVersion::of(13, 0));
    assert_eq!(v12::symbols::cudaMemPrefetchAsync.since(), CudaVersion::of(11, 7));
    assert!(old().values().all(|since| *since <= 12090));
    assert!(new().values().any(|since| *since == 13030));
}

/// GROUND: same name, other signature (14 functions) or other layout behind it (12).
const TRAPS: [&str; 26] = [
    "cudaMemPrefetchAsync",
    "cudaMemAdvise",
    "cudaStreamGetCaptureInfo",
    "cudaStreamUpdateCaptureDependencies",
    "cudaGraphAddDependencies",
    "cudaGraphRemoveDependencies",
    "cudaGraphGetEdges",
    "cudaGraphNodeGetDependencies",
    "cudaGraphNodeGetDependentNodes",
    "cudaGraphAddNode",
    "cudaMemcpyBatchAsync",
    "cudaMemcpy3DBatchAsync",
    "cudaSignalExternalSemaphoresAsync",
    "cudaWaitExternalSemaphoresAsync",
    "cudaGetDeviceProperties",
    "cudaChooseDevice",
    "cudaPointerGetAttributes",
    "cudaCreateTextureObject",
    "cudaCreateSurfaceObject",
    "cudaGetTextureObjectResourceDesc",
    "cudaGetSurfaceObjectResourceDesc",
    "cudaGetTextureObjectResourceViewDesc",
    "cudaImportExternalMemory",
    "cudaImportExternalSemaphore",
    "cudaExternalMemoryGetMappedBuffer",
    "cudaExternalMemoryGetMappedMipmappedArray",
];

#[test]
fn functions_with_another_abi_in_the_other_major_are_not_common() {
    let common = names::<Common>(327);
    for trap in TRAPS {
        assert!(!common.contains(trap) && !common.contains(format!("{trap}_ptsz").as_str()), "{trap}");
        assert!(new().contains_key(trap), "{trap} is a name of 13");
    }
    let generated: BTreeSet<&str> = include_str!("../src/bindings/common/traps.txt").lines().collect();
    for trap in TRAPS.iter().filter(|trap| **trap != "cudaGetDeviceProperties") {
        assert!(generated.contains(trap), "{trap} was not found by comparing the headers");
    }
}

#[test]
fn what_is_in_both_and_no_trap_is_common() {
    let common = names::<Common>(327);
    let traps: BTreeSet<&str> = include_str!("../src/bindings/common/traps.txt").lines().collect();
    for name in old().keys().filter(|name| new().contains_key(*name)) {
        assert_ne!(common.contains(name), traps.contains(name), "{name}");
    }
    for name in [
        "cudaMalloc",
        "cudaMemcpyAsync",
        "cudaLaunchKernelExC",
        "cudaStreamCreateWithFlags",
        "cudaGetErrorName",
        "cudaMallocAsync_ptsz",
    ] {
        assert!(common.contains(name), "{name}");
    }
}

#[test]
fn handles_are_the_driver_s_types() {
    let stream: v12::cudaStream_t = core::ptr::null_mut::<cuda_driver_sys::CUstream_st>();
    let same: v13::cudaStream_t = stream;
    let driver: cuda_driver_sys::CUstream = same;
    assert!(driver.is_null());
    let uuid: v13::cudaUUID_t = cuda_driver_sys::CUuuid::default();
    assert_eq!(uuid, cuda_driver_sys::CUuuid { bytes: [0; 16] });
    let _: [core::marker::PhantomData<cuda_driver_sys::CUevent>; 1] = [core::marker::PhantomData::<v12::cudaEvent_t>];
    let _: core::marker::PhantomData<cuda_driver_sys::CUgraphExec> = core::marker::PhantomData::<v13::cudaGraphExec_t>;
    let _: core::marker::PhantomData<cuda_driver_sys::CUkernel> = core::marker::PhantomData::<v13::cudaKernel_t>;
    let _: core::marker::PhantomData<cuda_driver_sys::CUmemoryPool> = core::marker::PhantomData::<v13::cudaMemPool_t>;
}

#[test]
fn what_is_the_same_in_both_majors_is_one_type() {
    let code: v12::cudaError_t = v13::cudaError_t::cudaErrorNoDevice;
    assert_eq!((code.code(), v12::cudaError_t(12345).code()), (100, 12345));
    assert_eq!((v12::cudaStreamLegacy as usize, v13::cudaStreamPerThread as usize), (1, 2));
    assert_eq!(v12::cudaStreamAttributePriority, v13::cudaLaunchAttributeID::cudaLaunchAttributePriority);
    assert_eq!((v13::cudaCpuDeviceId, v12::cudaInvalidDeviceId), (-1, -2));
}

#[test]
fn report_176_prefetch_and_advice_are_bound_as_each_major_has_them() {
    use core::ffi::{c_int, c_uint, c_void};
    use cuda_runtime_sys::{v12, v13};
    type Prefetch12 = unsafe extern "C" fn(*const c_void, usize, c_int, v12::cudaStream_t) -> v12::cudaError_t;
    type Prefetch13 =
        unsafe extern "C" fn(*const c_void, usize, v13::cudaMemLocation, c_uint, v13::cudaStream_t) -> v13::cudaError_t;
    // That these lines compile is the test: the types are those of the headers of each major.
    fn old(_: fn() -> Result<Prefetch12, cuda_driver_sys::loader::LoadError>) {}
    fn new(_: fn() -> Result<Prefetch13, cuda_driver_sys::loader::LoadError>) {}
    old(|| v12::symbols::cudaMemPrefetchAsync.get());
    new(|| v13::symbols::cudaMemPrefetchAsync.get());
}
