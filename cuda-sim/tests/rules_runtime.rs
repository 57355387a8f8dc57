//! What misuses of the runtime are answered with: asked of the simulator, and with `--features gpu` of a
//! real library, which must answer the same. Only misuses that a real library survives.
//!
//! With other versions, on the simulator too: `CUDA_SIM_DRIVER`, `CUDA_SIM_RUNTIME`.

#![allow(clippy::unwrap_used, clippy::too_many_lines, reason = "tables")]

mod common;

use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

use common::objects::{Objects, TOO_MUCH};
use common::target::{ON_GPU, assert_codes, on_target, run_again, runtime_version};

#[test]
fn misuses_of_the_runtime_have_their_codes() {
    let Some(version) = runtime_version() else { return };
    let misuses = misuses! {
        "cudaSetDevice(99)" => 101, |_o| rt!(cudaSetDevice(99));
        "cudaSetDevice(-1)" => 101, |_o| rt!(cudaSetDevice(-1));
        "cudaDeviceGetAttribute of a device that is not there" => 101, |_o| {
            rt!(cudaDeviceGetAttribute(&mut 0, cuda_runtime_sys::v13::cudaDeviceAttr(1), 99))
        };
        "cudaDeviceGetAttribute 0" => 1, |_o| rt!(cudaDeviceGetAttribute(&mut 0, cuda_runtime_sys::v13::cudaDeviceAttr(0), 0));
        "cudaGetDevice into nothing" => 1, |_o| rt!(cudaGetDevice(null_mut()));
        "cudaMalloc into nothing" => 1, |_o| rt!(cudaMalloc(null_mut(), 16));
        "cudaMalloc of nothing" => 0, |_o| {
            let mut memory: *mut c_void = std::ptr::without_provenance_mut(64);
            let code = rt!(cudaMalloc(&raw mut memory, 0));
            assert!(memory.is_null());
            code
        };
        "cudaMalloc of too much" => 2, |_o| rt!(cudaMalloc(&mut null_mut(), TOO_MUCH));
        "cudaMallocAsync of nothing" => 0, |o| rt!(cudaMallocAsync(&mut null_mut(), 0, o.stream));
        "cudaMallocAsync of too much" => 2, |o| rt!(cudaMallocAsync(&mut null_mut(), TOO_MUCH, o.stream));
        "cudaFree of null" => 0, |_o| rt!(cudaFree(null_mut()));
        "cudaFree of nobody's address" => 1, |_o| rt!(cudaFree(std::ptr::without_provenance_mut(0x10_0000_0000)));
        "cudaFree a second time" => 1, |_o| {
            let mut memory = null_mut();
            assert_eq!(rt!(cudaMalloc(&raw mut memory, 64)), 0);
            assert_eq!(rt!(cudaFree(memory)), 0);
            rt!(cudaFree(memory))
        };
        "cudaFreeHost of pageable memory" => 1, |o| rt!(cudaFreeHost(o.host()));
        "cudaFreeHost of null" => 0, |_o| rt!(cudaFreeHost(null_mut()));
        "cudaHostRegister twice" => 712, |o| {
            assert_eq!(rt!(cudaHostRegister(o.host(), 4096, 0)), 0);
            let code = rt!(cudaHostRegister(o.host(), 4096, 0));
            assert_eq!(rt!(cudaHostUnregister(o.host())), 0);
            code
        };
        "cudaHostUnregister of what was not registered" => 713, |o| rt!(cudaHostUnregister(o.host()));
        "cudaMemcpy in no direction" => 21, |o| {
            rt!(cudaMemcpy(o.host(), o.host(), 16, cuda_runtime_sys::v13::cudaMemcpyKind(99)))
        };
        "cudaMemcpy to nobody's address" => 1, |o| {
            let to = std::ptr::without_provenance_mut(0x10_0000_0000);
            rt!(cudaMemcpy(to, o.host(), 16, cuda_runtime_sys::v13::cudaMemcpyKind(1)))
        };
        "cudaMemset of nobody's address" => 1, |_o| rt!(cudaMemset(std::ptr::without_provenance_mut(0x10_0000_0000), 0, 16));
        "cudaStreamCreateWithFlags, unknown flags" => 1, |_o| rt!(cudaStreamCreateWithFlags(&mut null_mut(), 0xff));
        "cudaStreamCreate into nothing" => 1, |_o| rt!(cudaStreamCreate(null_mut()));
        "cudaEventCreateWithFlags, unknown flags" => 1, |_o| rt!(cudaEventCreateWithFlags(&mut null_mut(), 0xff00));
        "cudaStreamDestroy of null" => 400, |_o| rt!(cudaStreamDestroy(null_mut()));
        "cudaEventRecord of null" => 400, |o| rt!(cudaEventRecord(null_mut(), o.stream));
        "cudaStreamWaitEvent of null" => 400, |o| rt!(cudaStreamWaitEvent(o.stream, null_mut(), 0));
        "cudaLaunchHostFunc of null" => 1, |o| rt!(cudaLaunchHostFunc(o.stream, None, null_mut()));
    };
    on_target(|place| {
        place.makes_mistakes();
        let objects = Objects::new();
        assert_codes(&misuses, &objects);
        assert_eq!(rt!(cudaGetLastError()), 1, "that of the last misuse");
        assert_eq!(rt!(cudaGetLastError()), 0, "read once");
        if version >= 12_080 {
            launches_of_a_library(&objects, version);
        }
        objects.end();
    });
}

/// Where the runtime's versions differ, and what a library takes.
fn launches_of_a_library(objects: &Objects, version: u32) {
    use cuda_runtime_sys::v13::dim3;
    let load = |image: &CStr| {
        let mut library = null_mut();
        let image = image.as_ptr().cast();
        let code =
            rt!(cudaLibraryLoadData(&raw mut library, image, null_mut(), null_mut(), 0, null_mut(), null_mut(), 0));
        (code, library)
    };
    let text = std::ffi::CString::new(common::TESTING).unwrap();
    let (code, library) = load(&text);
    assert_eq!(code, 0);
    let mut kernel = null_mut();
    assert_eq!(rt!(cudaLibraryGetKernel(&raw mut kernel, library, c"none".as_ptr())), 500);
    assert_eq!(rt!(cudaLibraryGetKernel(&raw mut kernel, library, c"empty".as_ptr())), 0);
    let launch = |grid: u32, block: u32| {
        let size = |x| dim3 { x, y: 1, z: 1 };
        rt!(cudaLaunchKernel(kernel.cast_const().cast(), size(grid), size(block), null_mut(), 0, objects.stream))
    };
    let bad_geometry = if version < 13_000 { 9 } else { 1 };
    assert_eq!([launch(0, 1), launch(1, 2048), launch(1, 1)], [bad_geometry, bad_geometry, 0]);
    assert_eq!([rt!(cudaPeekAtLastError()), rt!(cudaGetLastError())], [bad_geometry; 2], "stays till it is read");
    assert_eq!(rt!(cudaStreamSynchronize(objects.stream)), 0);
    assert_eq!(rt!(cudaLibraryUnload(library)), 0);
    // Text that can't be compiled is taken; its use fails.
    let (code, library) = load(c".version 42.0\n.target sm_50\n.address_size 64\n.entry none() { ret; }\n");
    assert_eq!(code, 0);
    assert_ne!(rt!(cudaLibraryGetKernel(&raw mut kernel, library, c"none".as_ptr())), 0);
    assert_eq!(rt!(cudaLibraryUnload(library)), 0);
    let _ = rt!(cudaGetLastError());
}

#[test]
fn runtime_before_12_8_launches_no_kernel_of_the_driver() {
    let Some(version) = runtime_version() else { return };
    let expected = if version < 12_080 { 98 } else { 0 };
    on_target(|place| {
        place.makes_mistakes();
        let objects = Objects::new();
        let text = std::ffi::CString::new(common::TESTING).unwrap();
        let (mut library, mut kernel) = (null_mut(), null_mut());
        let image = text.as_ptr().cast();
        ok!(cuLibraryLoadData(&raw mut library, image, null_mut(), null_mut(), 0, null_mut(), null_mut(), 0));
        ok!(cuLibraryGetKernel(&raw mut kernel, library, c"empty".as_ptr()));
        let one = cuda_runtime_sys::v13::dim3 { x: 1, y: 1, z: 1 };
        let launched = rt!(cudaLaunchKernel(kernel.cast_const().cast(), one, one, null_mut(), 0, objects.stream));
        assert_eq!(launched, expected, "runtime {version}");
        assert_eq!(rt!(cudaGetLastError()), expected);
        assert_eq!(rt!(cudaLaunchKernel(null(), one, one, null_mut(), 0, objects.stream)), 98, "no function at all");
        let _ = rt!(cudaGetLastError());
        ok!(cuStreamSynchronize(objects.stream));
        ok!(cuLibraryUnload(library));
        objects.end();
    });
}

#[test]
fn exports_follow_the_major() {
    use cuda_runtime_sys::{common::symbols, v12, v13};
    let _machine = (!ON_GPU).then(|| on_target(|_| {}));
    let Some(version) = runtime_version() else { return };
    assert_eq!(symbols::cudaLibraryLoadData.is_present(), version >= 12_080);
    assert_eq!(v12::symbols::cudaGetDeviceProperties_v2.is_present(), version < 13_000);
    assert_eq!(v13::symbols::cudaGetDeviceProperties.is_present(), version >= 13_000);
}

/// On the simulator: all of the above with other versions. On a GPU the bundle does that.
#[test]
fn other_versions_answer_as_they_should() {
    if ON_GPU || std::env::var_os("CUDA_SIM_RUNTIME").is_some() {
        return;
    }
    for (driver, runtime) in [("12.4", "12.4"), ("13.0", "12.9"), ("12.8", "12.8"), ("13.5", "13.5")] {
        let environment =
            [("CUDA_SIM_DRIVER", driver), ("CUDA_SIM_RUNTIME", runtime), ("CUDA_SIM_TEST_CHILD", "other versions")];
        run_again(&[], &environment);
    }
}
