//! What misuses of the driver are answered with: asked of the simulator, and with `--features gpu` of a
//! real library, which must answer the same. Only misuses that a real library survives.

#![allow(clippy::unwrap_used, clippy::too_many_lines, reason = "tables")]

mod common;

use std::ffi::CStr;
use std::ptr::{null, null_mut};

use common::objects::{NOBODYS, Objects, TOO_MUCH};
use common::raw::*;
use common::target::{assert_codes, in_child, on_target};

fn load(image: &CStr) -> u32 {
    let mut module = null_mut();
    let code = cu!(cuModuleLoadData(&raw mut module, image.as_ptr().cast()));
    if code == 0 {
        ok!(cuModuleUnload(module));
    }
    code
}

#[test]
fn misuses_of_the_driver_have_their_codes() {
    let misuses = misuses! {
        "cuInit with flags" => 1, |_o| cu!(cuInit(1));
        "cuDeviceGet of ordinal -1" => 101, |_o| cu!(cuDeviceGet(&mut 0, -1));
        "cuDeviceGet of a device that is not there" => 101, |_o| cu!(cuDeviceGet(&mut 0, 99));
        "cuDevicePrimaryCtxRetain of a device that is not there" => 101, |_o| cu!(cuDevicePrimaryCtxRetain(&mut null_mut(), 99));
        "cuDeviceGetAttribute 0" => 1, |_o| cu!(cuDeviceGetAttribute(&mut 0, cuda_driver_sys::CUdevice_attribute(0), 0));
        "cuGetErrorName of no error" => 1, |_o| cu!(cuGetErrorName(cuda_driver_sys::CUresult(99_999), &mut null()));
        "cuStreamCreate with unknown flags" => 1, |_o| cu!(cuStreamCreate(&mut null_mut(), 0xff));
        "cuStreamCreate into nothing" => 1, |_o| cu!(cuStreamCreate(null_mut(), 0));
        "cuEventCreate with unknown flags" => 1, |_o| cu!(cuEventCreate(&mut null_mut(), 0xff00));
        "cuStreamWaitEvent with unknown flags" => 1, |o| cu!(cuStreamWaitEvent(o.stream, o.event, 0xff));
        "cuStreamDestroy of null" => 400, |_o| cu!(cuStreamDestroy_v2(null_mut()));
        "cuEventDestroy of null" => 400, |_o| cu!(cuEventDestroy_v2(null_mut()));
        "cuEventRecord of null" => 400, |o| cu!(cuEventRecord(null_mut(), o.stream));
        "cuEventElapsedTime of events that were never recorded" => 400, |o| cu!(cuEventElapsedTime(&mut 0.0, o.timed[0], o.timed[1]));
        "cuEventElapsedTime without timing" => 400, |o| {
            ok!(cuEventRecord(o.event, o.stream));
            ok!(cuEventSynchronize(o.event));
            cu!(cuEventElapsedTime(&mut 0.0, o.event, o.event))
        };
        "cuMemAlloc of nothing" => 1, |_o| cu!(cuMemAlloc_v2(&mut 0, 0));
        "cuMemAlloc of too much" => 2, |_o| cu!(cuMemAlloc_v2(&mut 0, TOO_MUCH));
        "cuMemAlloc into nothing" => 1, |_o| cu!(cuMemAlloc_v2(null_mut(), 16));
        "cuMemAllocAsync of nothing" => 0, |o| cu!(cuMemAllocAsync(&mut 0, 0, o.stream));
        "cuMemAllocAsync of too much" => 2, |o| cu!(cuMemAllocAsync(&mut 0, TOO_MUCH, o.stream));
        "cuMemHostAlloc of nothing" => 0, |_o| cu!(cuMemHostAlloc(&mut null_mut(), 0, 0));
        "cuMemFree of 0" => 0, |_o| cu!(cuMemFree_v2(0));
        "cuMemFree of nobody's address" => 1, |_o| cu!(cuMemFree_v2(NOBODYS));
        "cuMemFree of an address inside a block" => 1, |o| cu!(cuMemFree_v2(o.memory + 256));
        "cuMemFree a second time" => 1, |_o| {
            let memory = alloc(64);
            ok!(cuMemFree_v2(memory));
            cu!(cuMemFree_v2(memory))
        };
        "cuMemFree of stream-ordered memory" => 0, |o| {
            let memory = alloc_async(64, o.stream);
            ok!(cuStreamSynchronize(o.stream));
            cu!(cuMemFree_v2(memory))
        };
        "cuMemFreeAsync of nobody's address" => 1, |o| cu!(cuMemFreeAsync(NOBODYS, o.stream));
        "cuMemFreeAsync a second time" => 1, |o| {
            let memory = alloc_async(64, o.stream);
            ok!(cuMemFreeAsync(memory, o.stream));
            ok!(cuStreamSynchronize(o.stream));
            cu!(cuMemFreeAsync(memory, o.stream))
        };
        "cuMemFreeHost of pageable memory" => 1, |o| cu!(cuMemFreeHost(o.host()));
        "cuMemFreeHost a second time" => 1, |_o| {
            let memory = pinned(64);
            ok!(cuMemFreeHost(memory));
            cu!(cuMemFreeHost(memory))
        };
        "cuMemHostRegister twice" => 712, |o| {
            ok!(cuMemHostRegister_v2(o.host(), 4096, 0));
            let code = cu!(cuMemHostRegister_v2(o.host(), 4096, 0));
            ok!(cuMemHostUnregister(o.host()));
            code
        };
        "cuMemHostUnregister of what was not registered" => 713, |o| cu!(cuMemHostUnregister(o.host()));
        "cuMemcpyHtoDAsync to 0" => 1, |o| cu!(cuMemcpyHtoDAsync_v2(0, o.host(), 16, o.stream));
        "cuMemcpyHtoDAsync to nobody's address" => 1, |o| cu!(cuMemcpyHtoDAsync_v2(NOBODYS, o.host(), 16, o.stream));
        "cuMemcpyHtoDAsync of nothing" => 0, |o| cu!(cuMemcpyHtoDAsync_v2(o.memory, o.host(), 0, o.stream));
        "cuMemsetD32Async of an odd address" => 1, |o| cu!(cuMemsetD32Async(o.memory + 1, 0, 4, o.stream));
        "cuMemsetD8Async of nobody's address" => 1, |o| cu!(cuMemsetD8Async(NOBODYS, 0, 4, o.stream));
        "cuPointerGetAttribute of pageable memory" => 1, |o| {
            let mut kind = 0_u32;
            let attribute = cuda_driver_sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
            cu!(cuPointerGetAttribute((&raw mut kind).cast(), attribute, o.host().expose_provenance() as u64))
        };
        "cuModuleLoadData of null" => 1, |_o| cu!(cuModuleLoadData(&mut null_mut(), null()));
        "cuModuleLoadData of garbage" => 200, |_o| load(c"garbage");
        "cuModuleLoadData of PTX with a fault" => 218, |_o| load(c".version 7.0\n.target sm_50\n.address_size 64\nnonsense;\n");
        "cuModuleLoadData of PTX of the future" => 222, |_o| load(c".version 42.0\n.target sm_50\n.address_size 64\n");
        "cuModuleGetFunction of a kernel that is not there" => 500, |o| cu!(cuModuleGetFunction(&mut null_mut(), o.module, c"none".as_ptr()));
        "cuModuleGetFunction of no name" => 1, |o| cu!(cuModuleGetFunction(&mut null_mut(), o.module, null()));
        "cuModuleGetGlobal of a variable that is not there" => 500, |o| cu!(cuModuleGetGlobal_v2(&mut 0, &mut 0, o.module, c"none".as_ptr()));
        "cuFuncGetParamInfo past the last one" => 1, |o| cu!(cuFuncGetParamInfo(o.fill, 3, &mut 0, &mut 0));
        "cuLaunchKernel of null" => 400, |o| cu!(cuLaunchKernel(null_mut(), 1, 1, 1, 1, 1, 1, 0, o.stream, null_mut(), null_mut()));
        "cuLaunchKernel, grid of 0" => 1, |o| o.launch([0, 1, 1], [1, 1, 1], 0);
        "cuLaunchKernel, block of 0" => 1, |o| o.launch([1, 1, 1], [1, 0, 1], 0);
        "cuLaunchKernel, block of 1025" => 1, |o| o.launch([1, 1, 1], [1025, 1, 1], 0);
        "cuLaunchKernel, block of 64 x 32" => 1, |o| o.launch([1, 1, 1], [64, 32, 1], 0);
        "cuLaunchKernel, grid y of 65536" => 1, |o| o.launch([1, 65_536, 1], [1, 1, 1], 0);
        "cuLaunchKernel, too much shared memory" => 1, |o| o.launch([1, 1, 1], [1, 1, 1], 1 << 20);
        "cuLaunchKernel without arguments" => 1, |o| cu!(cuLaunchKernel(o.fill, 1, 1, 1, 1, 1, 1, 0, o.stream, null_mut(), null_mut()));
        "cuLaunchHostFunc of null" => 1, |o| cu!(cuLaunchHostFunc(o.stream, None, null_mut()));
    };
    on_target(|place| {
        place.makes_mistakes();
        let objects = Objects::new();
        assert_codes(&misuses, &objects);
        objects.end();
    });
}

#[test]
fn calls_without_a_context_are_201() {
    let misuses = misuses! {
        "cuCtxPopCurrent" => 201, |_o| cu!(cuCtxPopCurrent_v2(null_mut()));
        "cuCtxSynchronize" => 201, |_o| cu!(cuCtxSynchronize());
        "cuCtxGetDevice" => 201, |_o| cu!(cuCtxGetDevice(&mut 0));
        "cuMemAlloc" => 201, |_o| cu!(cuMemAlloc_v2(&mut 0, 16));
        "cuMemHostAlloc" => 201, |_o| cu!(cuMemHostAlloc(&mut null_mut(), 16, 0));
        "cuStreamCreate" => 201, |_o| cu!(cuStreamCreate(&mut null_mut(), 0));
        "cuEventCreate" => 201, |_o| cu!(cuEventCreate(&mut null_mut(), 0));
        "cuStreamSynchronize of the legacy stream" => 201, |_o| cu!(cuStreamSynchronize(LEGACY));
        "cuMemsetD8" => 201, |o| cu!(cuMemsetD8_v2(o.memory, 0, 4));
        "cuMemcpyHtoD" => 201, |o| cu!(cuMemcpyHtoD_v2(o.memory, o.host(), 4));
        "cuModuleLoadData" => 201, |_o| load(c".version 7.0\n.target sm_50\n.address_size 64\n");
        "cuMemsetD8Async on a stream" => 0, |o| cu!(cuMemsetD8Async(o.memory, 0, 4, o.stream));
        "cuMemAllocAsync and cuMemFreeAsync on a stream" => 0, |o| {
            let memory = alloc_async(16, o.stream);
            cu!(cuMemFreeAsync(memory, o.stream))
        };
        "cuEventRecord" => 0, |o| cu!(cuEventRecord(o.event, o.stream));
    };
    on_target(|place| {
        place.makes_mistakes();
        let objects = Objects::new();
        let mut context = null_mut();
        ok!(cuCtxPopCurrent_v2(&raw mut context));
        assert_codes(&misuses, &objects);
        ok!(cuCtxPushCurrent_v2(context));
        objects.end();
    });
}

#[test]
fn objects_of_two_contexts_do_not_meet() {
    let misuses = misuses! {
        "cuEventRecord on a stream of another context" => 400, |o| {
            let event = event();
            let code = cu!(cuEventRecord(event, o.stream));
            ok!(cuEventDestroy_v2(event));
            code
        };
        "cuLaunchKernel of another context's function" => 400, |o| {
            let module = module();
            let fill = function(module, c"fill");
            let code = launch_fill(fill, o.stream, 1, 1, o.memory);
            ok!(cuModuleUnload(module));
            code
        };
        "cuStreamWaitEvent of another context's event" => 0, |o| {
            let (event, stream) = (event(), stream());
            ok!(cuEventRecord(event, stream));
            let code = cu!(cuStreamWaitEvent(o.stream, event, 0));
            ok!(cuEventDestroy_v2(event));
            ok!(cuStreamDestroy_v2(stream));
            code
        };
        "cuMemsetD8Async of its memory" => 0, |o| {
            let memory = alloc(16);
            let code = cu!(cuMemsetD8Async(memory, 0, 16, o.stream));
            ok!(cuStreamSynchronize(o.stream));
            ok!(cuMemFree_v2(memory));
            code
        };
    };
    in_child("objects_of_two_contexts_do_not_meet", |place| {
        place.makes_mistakes();
        let objects = Objects::new();
        let other = create_context(0);
        assert_codes(&misuses, &objects);
        ok!(cuCtxDestroy_v2(other));
        let mut primary = null_mut();
        ok!(cuCtxGetCurrent(&raw mut primary));
        assert_eq!(cu!(cuCtxDestroy_v2(primary)), 201, "a primary context is not destroyed");
        objects.end();
    });
}
