//! Devices as the runtime lists them. Nothing here creates a context.

use std::ffi::{CStr, c_char, c_int};

use cuda_runtime_sys::library::Major;
use cuda_runtime_sys::{v12, v13};

use super::call::rt;
use super::{DeviceAttribute, Result, Uuid, device_count};
use crate::error::{Cause, LayerError};

/// A device of this process, by ordinal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Device(c_int);

/// The part of the runtime's properties that can't be had as an attribute.
struct Properties {
    name: String,
    uuid: Uuid,
    total_memory: usize,
}

impl Device {
    /// The device with this ordinal.
    ///
    /// # Errors
    /// [`Cause::NoSuchDevice`] with the number of devices; otherwise as [`device_count`].
    #[track_caller]
    pub fn new(ordinal: u32) -> Result<Self> {
        let count = device_count()?;
        match c_int::try_from(ordinal) {
            Ok(valid) if ordinal < count => Ok(Self(valid)),
            _ => Err(LayerError::new("runtime::Device::new", Cause::NoSuchDevice { ordinal, count })),
        }
    }

    /// Position among the visible devices, from 0.
    pub fn ordinal(self) -> u32 {
        self.0.unsigned_abs()
    }

    /// The marketing name (`cudaGetDeviceProperties`).
    ///
    /// # Errors
    /// 35 or 100 without a usable driver or device; [`Cause::ContextLost`] and [`Cause::Forked`].
    #[track_caller]
    pub fn name(self) -> Result<String> {
        self.properties().map(|p| p.name)
    }

    /// Identifies the device, or the MIG instance, anywhere (`cudaGetDeviceProperties`).
    ///
    /// # Errors
    /// 35 or 100 without a usable driver or device; [`Cause::ContextLost`] and [`Cause::Forked`].
    #[track_caller]
    pub fn uuid(self) -> Result<Uuid> {
        self.properties().map(|p| p.uuid)
    }

    /// Bytes of memory (`cudaGetDeviceProperties`).
    ///
    /// # Errors
    /// 35 or 100 without a usable driver or device; [`Cause::ContextLost`] and [`Cause::Forked`].
    #[track_caller]
    pub fn total_memory(self) -> Result<usize> {
        self.properties().map(|p| p.total_memory)
    }

    /// `cudaDeviceGetPCIBusId` (CUDA 4.1): such as `0000:1b:00.0`.
    ///
    /// # Errors
    /// 35 or 100 without a usable driver or device; [`Cause::ContextLost`] and [`Cause::Forked`].
    #[track_caller]
    pub fn pci_bus_id(self) -> Result<String> {
        let mut buffer = [c_char::default(); 32];
        // SAFETY: the buffer has room for the length given; the runtime terminates the text.
        unsafe { rt!(common::cudaDeviceGetPCIBusId(buffer.as_mut_ptr(), 31, self.0)) }?;
        Ok(text(&buffer))
    }

    /// `cudaDeviceGetAttribute` (CUDA 5.0): a fact about the device, in the unit of the attribute. The
    /// attributes have the same numbers in both APIs.
    ///
    /// # Errors
    /// Code 1 if the runtime does not know the attribute.
    #[track_caller]
    pub fn attribute(self, attribute: DeviceAttribute) -> Result<i32> {
        let mut value = 0;
        // SAFETY: `value` is a place for an int.
        unsafe { rt!(common::cudaDeviceGetAttribute(&raw mut value, attribute.runtime(), self.0)) }?;
        Ok(value)
    }

    /// Compute capability, major and minor (two `cudaDeviceGetAttribute`).
    ///
    /// # Errors
    /// 35 or 100 without a usable driver or device; [`Cause::ContextLost`] and [`Cause::Forked`].
    #[track_caller]
    pub fn compute_capability(self) -> Result<(u32, u32)> {
        let major = self.attribute(DeviceAttribute::COMPUTE_CAPABILITY_MAJOR)?;
        let minor = self.attribute(DeviceAttribute::COMPUTE_CAPABILITY_MINOR)?;
        Ok((major.unsigned_abs(), minor.unsigned_abs()))
    }

    /// The struct differs between the majors, and so does the symbol that fills it.
    #[track_caller]
    fn properties(self) -> Result<Properties> {
        macro_rules! read {
            ($module:ident::$function:ident) => {{
                let mut p = $module::cudaDeviceProp::default();
                // SAFETY: `p` is a place for this major's struct, zeroed.
                unsafe { rt!($module::$function(&raw mut p, self.0)) }?;
                Ok(Properties {
                    name: text(&p.name),
                    uuid: Uuid(bytemuck::cast(p.uuid.bytes)),
                    total_memory: p.totalGlobalMem,
                })
            }};
        }
        let major = match cuda_runtime_sys::library::major() {
            Ok(major) => major,
            Err(error) => return Err(LayerError::new("cudaGetDeviceProperties", Cause::Load(error))),
        };
        match major {
            Major::V12 => read!(v12::cudaGetDeviceProperties_v2),
            Major::V13 => read!(v13::cudaGetDeviceProperties),
        }
    }
}

/// A terminated text in a buffer.
fn text(buffer: &[c_char]) -> String {
    CStr::from_bytes_until_nul(bytemuck::cast_slice(buffer))
        .map(|c| c.to_string_lossy().into_owned())
        .unwrap_or_default()
}
