//! Contexts.

use std::ffi::{c_int, c_uint, c_ulonglong};

use cuda_driver_sys as sys;
use cuda_driver_sys::{CUcontext, CUdevice, CUresult};

use crate::abi::functions;
use crate::handles::pointer;

functions! { Driver, sys::symbols, CUresult;
    fn cuDevicePrimaryCtxRetain(context: *mut CUcontext, device: CUdevice) |sim| {
        let device = sim.device(device)?;
        let index = sim.retain_primary(device)?;
        context.put(pointer(sim.contexts[index].handle))
    }
    fn cuDevicePrimaryCtxRelease_v2(device: CUdevice) |sim| {
        let device = sim.device(device)?;
        sim.release_primary(device)
    }
    fn cuDevicePrimaryCtxReset_v2(device: CUdevice) |sim| {
        let device = sim.device(device)?;
        sim.reset_primary(device);
        Ok(())
    }
    fn cuDevicePrimaryCtxGetState(device: CUdevice, flags: *mut c_uint, active: *mut c_int) |sim| {
        let device = sim.device(device)?;
        flags.put(sim.contexts[device].flags)?;
        active.put(c_int::from(sim.contexts[device].alive))
    }
    fn cuCtxCreate_v2(context: *mut CUcontext, flags: c_uint, device: CUdevice) |sim| {
        let device = sim.device(device)?;
        let index = sim.create_context(device, flags)?;
        context.put(pointer(sim.contexts[index].handle))
    }
    fn cuCtxCreate_v3(context: *mut CUcontext, _affinity: *mut sys::CUexecAffinityParam, _number: c_int, flags: c_uint, device: CUdevice) |sim| {
        let device = sim.device(device)?;
        let index = sim.create_context(device, flags)?;
        context.put(pointer(sim.contexts[index].handle))
    }
    fn cuCtxCreate_v4(context: *mut CUcontext, _parameters: *mut sys::CUctxCreateParams, flags: c_uint, device: CUdevice) |sim| {
        let device = sim.device(device)?;
        let index = sim.create_context(device, flags)?;
        context.put(pointer(sim.contexts[index].handle))
    }
    fn cuCtxDestroy_v2(context: CUcontext) |sim| { sim.destroy_context(context.handle()) }
    fn cuCtxPushCurrent_v2(context: CUcontext) |sim| { sim.push_current(context.handle()) }
    fn cuCtxPopCurrent_v2(context: *mut CUcontext) |sim| {
        let handle = sim.pop_current()?;
        context.put_if_wanted(pointer(handle));
        Ok(())
    }
    fn cuCtxSetCurrent(context: CUcontext) |sim| { sim.set_current(context.handle()) }
    fn cuCtxGetCurrent(context: *mut CUcontext) |sim| {
        let handle = sim.current_handle();
        context.put(pointer(handle))
    }
    fn cuCtxGetDevice(device: *mut CUdevice) |sim| {
        let context = sim.current()?;
        device.put(c_int::try_from(sim.contexts[context].device).unwrap_or(0))
    }
    fn cuCtxGetId(context: CUcontext, id: *mut c_ulonglong) |sim| {
        let number = sim.context_id(context.handle())?;
        id.put(number)
    }
    fn cuCtxGetFlags(flags: *mut c_uint) |sim| {
        let context = sim.current()?;
        flags.put(sim.contexts[context].flags)
    }
    fn cuCtxSynchronize() |sim| {
        let context = sim.current()?;
        sim.synchronize_context(context)
    }
    fn cuCtxGetStreamPriorityRange(least: *mut c_int, greatest: *mut c_int) |sim| {
        sim.current()?;
        least.put_if_wanted(0);
        greatest.put_if_wanted(-5);
        Ok(())
    }
    fn cuCtxEnablePeerAccess(peer: CUcontext, _flags: c_uint) |sim| { sim.enable_peer(peer.handle()) }
    fn cuCtxDisablePeerAccess(peer: CUcontext) |sim| { sim.disable_peer(peer.handle()) }
}
