//! Versions, devices, the current device, the last-error slot.

use std::ffi::{c_char, c_int};

use cuda_runtime_sys::v13::{cudaDeviceAttr, cudaError_t};

use crate::abi::functions;

functions! { Runtime, cuda_runtime_sys::common::symbols, cudaError_t;
    fn cudaRuntimeGetVersion(version: *mut c_int) |sim| { version.put(c_int::try_from(sim.config.runtime).unwrap_or(0)) }
    fn cudaDriverGetVersion(version: *mut c_int) |sim| { version.put(c_int::try_from(sim.config.driver).unwrap_or(0)) }
    fn cudaGetDeviceCount(count: *mut c_int) |sim| { count.put(c_int::try_from(sim.config.devices).unwrap_or(0)) }
    fn cudaGetDevice(device: *mut c_int) |sim| {
        let current = sim.runtime_device();
        device.put(c_int::try_from(current).unwrap_or(0))
    }
    fn cudaSetDevice(device: c_int) |sim| {
        let device = sim.device(device)?;
        let context = sim.hold_primary(device)?;
        sim.thread().device = Some(device);
        sim.thread().set_current(Some(context));
        Ok(())
    }
    fn cudaDeviceGetAttribute(value: *mut c_int, attribute: cudaDeviceAttr, device: c_int) |sim| {
        let device = sim.device(device)?;
        let number = crate::abi::enum_number(attribute.0);
        value.put(crate::device::attribute(&sim.config, device, number)?)
    }
    fn cudaDeviceGetPCIBusId(text: *mut c_char, len: c_int, device: c_int) |sim| {
        let device = sim.device(device)?;
        text.put_text(&crate::device::pci_bus_id(sim.config.identity(device)), len)
    }
    fn cudaDeviceCanAccessPeer(can: *mut c_int, device: c_int, peer: c_int) |sim| {
        let (from, to) = (sim.device(device)?, sim.device(peer)?);
        can.put(c_int::from(sim.can_access_peer(from, to)))
    }
    fn cudaDeviceSynchronize() |sim| {
        let context = sim.runtime_current()?;
        sim.synchronize_context(context)
    }
    fn cudaGetLastError() |sim| {
        let code = sim.fault.as_ref().filter(|fault| fault.noticed).map(|fault| fault.code);
        let last = std::mem::take(&mut sim.thread().last_error);
        match code.unwrap_or(last) {
            0 => Ok(()),
            code => Err(code),
        }
    }
    fn cudaPeekAtLastError() |sim| {
        match sim.thread().last_error {
            0 => Ok(()),
            code => Err(code),
        }
    }
}

/// Fills the properties of a device, whose struct differs between the majors.
macro_rules! properties {
    ($module:ident, $version:ident, $function:ident) => {
        /// Functions of this major alone.
        pub(crate) mod $module {
            use std::ffi::c_int;

            use cuda_runtime_sys::$version::{cudaDeviceProp, cudaError_t};

            crate::abi::functions! { Runtime, cuda_runtime_sys::$version::symbols, cudaError_t;
                fn $function(properties: *mut cudaDeviceProp, device: c_int) |sim| {
                    let device = sim.device(device)?;
                    let mut filled = cudaDeviceProp::default();
                    for (to, from) in filled.name.iter_mut().zip(crate::device::NAME.bytes()) {
                        *to = crate::abi::c_char_of(from);
                    }
                    filled.uuid.bytes = crate::device::uuid(sim.config.identity(device)).map(crate::abi::c_char_of);
                    filled.totalGlobalMem = sim.config.memory;
                    let fact = |number| crate::device::attribute(&sim.config, device, number).unwrap_or(0);
                    let bytes = |number| usize::try_from(fact(number)).unwrap_or(0);
                    filled.maxThreadsPerBlock = fact(1);
                    filled.maxThreadsDim = [2, 3, 4].map(fact);
                    filled.maxGridSize = [5, 6, 7].map(fact);
                    filled.sharedMemPerBlock = bytes(8);
                    filled.totalConstMem = bytes(9);
                    filled.warpSize = fact(10);
                    filled.memPitch = bytes(11);
                    filled.regsPerBlock = fact(12);
                    filled.textureAlignment = bytes(14);
                    filled.multiProcessorCount = fact(16);
                    filled.canMapHostMemory = fact(19);
                    filled.concurrentKernels = fact(31);
                    filled.pciBusID = fact(33);
                    filled.memoryBusWidth = fact(37);
                    filled.l2CacheSize = fact(38);
                    filled.maxThreadsPerMultiProcessor = fact(39);
                    filled.asyncEngineCount = fact(40);
                    filled.unifiedAddressing = fact(41);
                    filled.major = fact(75);
                    filled.minor = fact(76);
                    filled.streamPrioritiesSupported = fact(78);
                    filled.sharedMemPerMultiprocessor = bytes(81);
                    filled.regsPerMultiprocessor = fact(82);
                    filled.computePreemptionSupported = fact(90);
                    filled.canUseHostPointerForRegisteredMem = fact(91);
                    filled.sharedMemPerBlockOptin = bytes(97);
                    filled.memoryPoolsSupported = fact(115);
                    properties.put(filled)
                }
            }
        }
    };
}
properties!(twelve, v12, cudaGetDeviceProperties_v2);
properties!(thirteen, v13, cudaGetDeviceProperties);
