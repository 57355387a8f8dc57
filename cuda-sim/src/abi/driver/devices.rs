//! Initialisation, versions, devices. Nothing here makes a context.

use std::ffi::{c_char, c_int, c_uint};

use cuda_driver_sys as sys;
use cuda_driver_sys::{CUdevice, CUdevice_attribute, CUresult};

use crate::abi::functions;
use crate::sim::codes;

functions! { Driver, sys::symbols, CUresult;
    fn cuInit(flags: c_uint) |sim| { sim.initialise(flags) }
    fn cuDriverGetVersion(version: *mut c_int) |sim| { version.put(c_int::try_from(sim.config.driver).unwrap_or(0)) }
    fn cuGetErrorName(error: CUresult, text: *mut *const c_char) |_sim| {
        let name = sim_text(error);
        text.put(name.map_or(std::ptr::null(), std::ffi::CStr::as_ptr))?;
        name.map(|_| ()).ok_or(codes::INVALID_VALUE)
    }
    fn cuGetErrorString(error: CUresult, text: *mut *const c_char) |_sim| {
        let name = sim_text(error);
        text.put(name.map_or(std::ptr::null(), std::ffi::CStr::as_ptr))?;
        name.map(|_| ()).ok_or(codes::INVALID_VALUE)
    }
    fn cuDeviceGetCount(count: *mut c_int) |sim| { count.put(c_int::try_from(sim.config.devices).unwrap_or(0)) }
    fn cuDeviceGet(device: *mut CUdevice, ordinal: c_int) |sim| {
        sim.device(ordinal)?;
        device.put(ordinal)
    }
    fn cuDeviceGetName(name: *mut c_char, len: c_int, device: CUdevice) |sim| {
        sim.device(device)?;
        name.put_text(crate::device::NAME, len)
    }
    fn cuDeviceGetUuid(uuid: *mut sys::CUuuid, device: CUdevice) |sim| {
        let device = sim.device(device)?;
        uuid.put(sys::CUuuid { bytes: crate::device::uuid(sim.config.identity(device)).map(crate::abi::c_char_of) })
    }
    fn cuDeviceGetUuid_v2(uuid: *mut sys::CUuuid, device: CUdevice) |sim| {
        let device = sim.device(device)?;
        uuid.put(sys::CUuuid { bytes: crate::device::uuid(sim.config.identity(device)).map(crate::abi::c_char_of) })
    }
    fn cuDeviceTotalMem_v2(bytes: *mut usize, device: CUdevice) |sim| {
        sim.device(device)?;
        bytes.put(sim.config.memory)
    }
    fn cuDeviceGetAttribute(value: *mut c_int, attribute: CUdevice_attribute, device: CUdevice) |sim| {
        let device = sim.device(device)?;
        let number = crate::abi::enum_number(attribute.0);
        value.put(crate::device::attribute(&sim.config, device, number)?)
    }
    fn cuDeviceComputeCapability(major: *mut c_int, minor: *mut c_int, device: CUdevice) |sim| {
        sim.device(device)?;
        major.put(c_int::try_from(sim.config.capability.0).unwrap_or(0))?;
        minor.put(c_int::try_from(sim.config.capability.1).unwrap_or(0))
    }
    fn cuDeviceGetPCIBusId(text: *mut c_char, len: c_int, device: CUdevice) |sim| {
        let device = sim.device(device)?;
        text.put_text(&crate::device::pci_bus_id(sim.config.identity(device)), len)
    }
    fn cuDeviceCanAccessPeer(can: *mut c_int, device: CUdevice, peer: CUdevice) |sim| {
        let (from, to) = (sim.device(device)?, sim.device(peer)?);
        can.put(c_int::from(sim.can_access_peer(from, to)))
    }
}

/// The simulator has one text for all errors that there are; formatting is not the driver's job here.
fn sim_text(error: CUresult) -> Option<&'static std::ffi::CStr> {
    match error.0 {
        0 => Some(c"CUDA_SUCCESS"),
        1..=999 => Some(c"CUDA_ERROR_SIMULATED"),
        _ => None,
    }
}
