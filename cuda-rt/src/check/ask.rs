//! Questions to the two libraries, by raw calls: no object, no context, no error type between.

use std::ffi::{CStr, c_char, c_int};

use cuda_driver_sys as sys;
use cuda_driver_sys::loader::{CudaVersion, Loaded};
use cuda_runtime_sys as rt;
use cuda_runtime_sys::common;

use super::Release;
use super::collect::{library, missing};
use super::facts::{ComputeMode, Device, Driver, Runtime};
use crate::driver::Uuid;
use crate::health;

/// A code as a result: 0 is success.
fn checked(code: u32) -> Result<(), u32> {
    if code == 0 { Ok(()) } else { Err(code) }
}

/// Loads the driver library and asks it.
pub(super) fn driver() -> Driver {
    let loaded = match sys::library::load() {
        Ok(loaded) => loaded,
        Err(error) => return Driver { library: Some(Err(missing(&error))), ..Driver::default() },
    };
    let library = library(loaded);
    let release = library.target.as_deref().and_then(Release::of_library);
    let mut facts =
        Driver { library: Some(Ok(library)), release, version: Some(driver_version()), ..Driver::default() };
    // SAFETY: takes no pointer; may be called at any time, from any thread, again and again.
    let init = unsafe { sys::cuInit(0) }.code();
    facts.init = Some(init);
    if init == 0 {
        health::watch_fork();
        let count = device_count();
        facts.count = Some(count);
        facts.devices = (0..count.unwrap_or_default()).map(device).collect();
    }
    facts
}

fn driver_version() -> Result<CudaVersion, u32> {
    let mut version = 0;
    // SAFETY: `version` is a place for an int.
    checked(unsafe { sys::cuDriverGetVersion(&raw mut version) }.code())?;
    Ok(CudaVersion::new(version.unsigned_abs()))
}

fn device_count() -> Result<u32, u32> {
    let mut count = 0;
    // SAFETY: `count` is a place for an int.
    checked(unsafe { sys::cuDeviceGetCount(&raw mut count) }.code())?;
    Ok(u32::try_from(count).unwrap_or_default())
}

fn device(ordinal: u32) -> Device {
    let unknown = Device { ordinal, ..Device::default() };
    let (Ok(index), mut raw) = (c_int::try_from(ordinal), 0) else { return unknown };
    // SAFETY: `raw` is a place for the handle.
    if checked(unsafe { sys::cuDeviceGet(&raw mut raw, index) }.code()).is_err() {
        return unknown;
    }
    // SAFETY: in each of the calls, the buffer has the length that is given.
    let name = text(|buffer, length| unsafe { sys::cuDeviceGetName(buffer, length, raw) }.code());
    // SAFETY: as above.
    let pci_bus_id = text(|buffer, length| unsafe { sys::cuDeviceGetPCIBusId(buffer, length, raw) }.code());
    let mut bytes = 0;
    // SAFETY: `bytes` is a place for a size.
    let memory = checked(unsafe { sys::cuDeviceTotalMem_v2(&raw mut bytes, raw) }.code());
    let mut uuid = sys::CUuuid::default();
    // SAFETY: `uuid` is a place for 16 bytes.
    let identified = checked(unsafe { sys::cuDeviceGetUuid_v2(&raw mut uuid, raw) }.code());
    Device {
        name,
        compute_capability: compute_capability(raw),
        compute_mode: compute_mode(raw),
        memory_bytes: memory.ok().and_then(|()| u64::try_from(bytes).ok()),
        uuid: identified.ok().map(|()| Uuid(uuid.bytes.map(|byte| u8::from_ne_bytes(byte.to_ne_bytes())))),
        pci_bus_id,
        ..unknown
    }
}

/// An attribute that is not negative.
fn attribute(raw: sys::CUdevice, which: sys::CUdevice_attribute) -> Option<u32> {
    let mut value = 0;
    // SAFETY: `value` is a place for an int.
    checked(unsafe { sys::cuDeviceGetAttribute(&raw mut value, which, raw) }.code()).ok()?;
    u32::try_from(value).ok()
}

fn compute_capability(raw: sys::CUdevice) -> Option<(u32, u32)> {
    let major = attribute(raw, sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
    let minor = attribute(raw, sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
    Some((major, minor))
}

fn compute_mode(raw: sys::CUdevice) -> Option<ComputeMode> {
    // The values of CUcomputemode; 1, exclusive to one thread, is no more.
    Some(match attribute(raw, sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_MODE)? {
        0 => ComputeMode::Default,
        2 => ComputeMode::Prohibited,
        3 => ComputeMode::ExclusiveProcess,
        other => ComputeMode::Other(other),
    })
}

/// Text that a function writes into a buffer of a length.
fn text(ask: impl FnOnce(*mut c_char, c_int) -> u32) -> Option<String> {
    // One byte is not handed out, so that the text ends whatever the function does.
    let mut buffer: [c_char; 256] = [0; 256];
    checked(ask(buffer.as_mut_ptr(), 255)).ok()?;
    // SAFETY: the last byte is 0.
    Some(unsafe { CStr::from_ptr(buffer.as_ptr()) }.to_string_lossy().into_owned())
}

/// Loads the runtime library and asks it. Its last-error slot is left as it was found, as far as
/// that can be done.
pub(super) fn runtime() -> Runtime {
    let loaded = match rt::library::load() {
        Ok(loaded) => loaded,
        Err(error) => return Runtime { library: Some(Err(missing(&error))), ..Runtime::default() },
    };
    // SAFETY: takes no pointer.
    let was_clean = unsafe { common::cudaPeekAtLastError() }.code() == 0;
    let count = runtime_device_count();
    if count.is_err() && was_clean {
        // SAFETY: takes no pointer. Clears the failure that was provoked here.
        unsafe { common::cudaGetLastError() };
    }
    Runtime {
        library: Some(Ok(library(loaded))),
        version: Loaded::version(loaded),
        driver_version: Some(runtime_driver_version()),
        count: Some(count),
    }
}

fn runtime_device_count() -> Result<u32, u32> {
    let mut count = 0;
    // SAFETY: `count` is a place for an int.
    checked(unsafe { common::cudaGetDeviceCount(&raw mut count) }.code())?;
    Ok(u32::try_from(count).unwrap_or_default())
}

fn runtime_driver_version() -> Result<Option<CudaVersion>, u32> {
    let mut version = 0;
    // SAFETY: `version` is a place for an int.
    checked(unsafe { common::cudaDriverGetVersion(&raw mut version) }.code())?;
    Ok(u32::try_from(version).ok().filter(|version| *version > 0).map(CudaVersion::new))
}
