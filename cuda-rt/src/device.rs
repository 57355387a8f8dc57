//! Devices as the driver lists them. Nothing here creates a context.

use std::ffi::{CStr, c_char, c_int};
use std::fmt;

use cuda_driver_sys as sys;

use crate::driver;
use crate::driver::call::{CoreResult, cu};
use crate::error::{Cause, LayerError};

/// A device of this process, by ordinal.
///
/// Ordinals count from 0 over the devices that `CUDA_VISIBLE_DEVICES` leaves; the driver reads the
/// variable once, when it is initialised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Device {
    ordinal: c_int,
    raw: sys::CUdevice,
}

impl Device {
    /// `cuDeviceGet` (CUDA 2.0): the device with this ordinal. Initialises the driver.
    ///
    /// # Errors
    /// [`Cause::NoSuchDevice`] with the number of devices; otherwise as [`driver::init`].
    #[track_caller]
    pub fn new(ordinal: u32) -> driver::Result<Self> {
        let count = Self::count()?;
        let Some(ordinal_c) = c_int::try_from(ordinal).ok().filter(|_| ordinal < count) else {
            return Err(LayerError::new("cuDeviceGet", Cause::NoSuchDevice { ordinal, count }));
        };
        let mut raw = 0;
        // SAFETY: `raw` is a place for the handle.
        unsafe { cu!(cuDeviceGet(&raw mut raw, ordinal_c)) }?;
        Ok(Self { ordinal: ordinal_c, raw })
    }

    /// `cuDeviceGetCount` (CUDA 2.0): the number of devices. Initialises the driver.
    ///
    /// # Errors
    /// As [`driver::init`]; a machine without a device answers 100 (`CUDA_ERROR_NO_DEVICE`).
    #[track_caller]
    pub fn count() -> driver::Result<u32> {
        driver::init()?;
        let mut count = 0;
        // SAFETY: `count` is a place for an int.
        unsafe { cu!(cuDeviceGetCount(&raw mut count)) }?;
        Ok(u32::try_from(count).unwrap_or(0))
    }

    /// All devices, in the order of their ordinals (`cuDeviceGetCount`, `cuDeviceGet`).
    ///
    /// # Errors
    /// As [`Device::count`].
    #[track_caller]
    pub fn all() -> driver::Result<Vec<Self>> {
        let count = Self::count()?;
        let mut devices = Vec::new();
        for ordinal in 0..count {
            devices.push(Self::new(ordinal)?);
        }
        Ok(devices)
    }

    /// Position among the visible devices, from 0.
    pub fn ordinal(self) -> u32 {
        self.ordinal.unsigned_abs()
    }

    /// The driver's handle.
    pub fn as_raw(self) -> sys::CUdevice {
        self.raw
    }

    /// `cuDeviceGetName` (CUDA 2.0): the marketing name.
    ///
    /// # Errors
    /// [`Cause::ContextLost`] and [`Cause::Forked`]; else 1 for a driver that knows less.
    #[track_caller]
    pub fn name(self) -> driver::Result<String> {
        let mut buffer = [c_char::default(); 256];
        // SAFETY: the buffer has room for the length given; the driver terminates the text.
        unsafe { cu!(cuDeviceGetName(buffer.as_mut_ptr(), 255, self.raw)) }?;
        // SAFETY: the last byte was not handed out and is 0.
        Ok(unsafe { CStr::from_ptr(buffer.as_ptr()) }.to_string_lossy().into_owned())
    }

    /// `cuDeviceGetUuid_v2` (driver 11.4): identifies the device, or the MIG instance, anywhere.
    ///
    /// # Errors
    /// [`Cause::ContextLost`] and [`Cause::Forked`]; else 1 for a driver that knows less.
    #[track_caller]
    pub fn uuid(self) -> driver::Result<Uuid> {
        let mut uuid = sys::CUuuid::default();
        // SAFETY: `uuid` is a place for 16 bytes.
        unsafe { cu!(cuDeviceGetUuid_v2(&raw mut uuid, self.raw)) }?;
        Ok(Uuid(bytemuck::cast(uuid.bytes)))
    }

    /// `cuDeviceGetPCIBusId` (CUDA 4.1): such as `0000:1b:00.0`.
    ///
    /// # Errors
    /// [`Cause::ContextLost`] and [`Cause::Forked`]; else 1 for a driver that knows less.
    #[track_caller]
    pub fn pci_bus_id(self) -> driver::Result<String> {
        let mut buffer = [c_char::default(); 32];
        // SAFETY: the buffer has room for the length given; the driver terminates the text.
        unsafe { cu!(cuDeviceGetPCIBusId(buffer.as_mut_ptr(), 31, self.raw)) }?;
        // SAFETY: the last byte was not handed out and is 0.
        Ok(unsafe { CStr::from_ptr(buffer.as_ptr()) }.to_string_lossy().into_owned())
    }

    /// `cuDeviceTotalMem_v2` (CUDA 3.2): bytes of memory.
    ///
    /// # Errors
    /// [`Cause::ContextLost`] and [`Cause::Forked`]; else 1 for a driver that knows less.
    #[track_caller]
    pub fn total_memory(self) -> driver::Result<usize> {
        let mut bytes = 0;
        // SAFETY: `bytes` is a place for a size.
        unsafe { cu!(cuDeviceTotalMem_v2(&raw mut bytes, self.raw)) }?;
        Ok(bytes)
    }

    /// `cuDeviceGetAttribute` (CUDA 2.0): a fact about the device, in the unit of the attribute.
    ///
    /// # Errors
    /// Code 1 if the driver does not know the attribute.
    #[track_caller]
    pub fn attribute(self, attribute: DeviceAttribute) -> driver::Result<i32> {
        self.attribute_core(attribute)
    }

    #[track_caller]
    pub(crate) fn attribute_core(self, attribute: DeviceAttribute) -> CoreResult<i32> {
        let mut value = 0;
        // SAFETY: `value` is a place for an int; the device came from the driver.
        unsafe { cu!(cuDeviceGetAttribute(&raw mut value, attribute.driver(), self.raw)) }?;
        Ok(value)
    }

    /// Compute capability, major and minor (two `cuDeviceGetAttribute`).
    ///
    /// # Errors
    /// [`Cause::ContextLost`] and [`Cause::Forked`]; else 1 for a driver that knows less.
    #[track_caller]
    pub fn compute_capability(self) -> driver::Result<(u32, u32)> {
        let major = self.attribute(DeviceAttribute::COMPUTE_CAPABILITY_MAJOR)?;
        let minor = self.attribute(DeviceAttribute::COMPUTE_CAPABILITY_MINOR)?;
        Ok((major.unsigned_abs(), minor.unsigned_abs()))
    }
}

/// Identifies a device or a MIG instance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Uuid(pub [u8; 16]);

/// As `nvidia-smi` prints it, without its prefix: `6a4a…-…`.
impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, byte) in self.0.iter().enumerate() {
            if matches!(i, 4 | 6 | 8 | 10) {
                f.write_str("-")?;
            }
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

mod attributes;
pub use attributes::DeviceAttribute;
