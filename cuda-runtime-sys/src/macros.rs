//! Macros of the runtime's headers that bindgen can't read: casts, and second names of launch
//! attributes.
#![allow(non_upper_case_globals, non_camel_case_types)]

use core::ffi::c_int;
use core::ptr::without_provenance_mut;

use cuda_driver_sys::CUstream;

use crate::v13::cudaLaunchAttributeID;

/// `cudaStreamLegacy`: the legacy default stream, by a handle that is not null.
pub const cudaStreamLegacy: CUstream = without_provenance_mut(1);
/// `cudaStreamPerThread`: the default stream of the calling thread.
pub const cudaStreamPerThread: CUstream = without_provenance_mut(2);
/// `cudaCpuDeviceId`: stands for the CPU where a device is wanted.
pub const cudaCpuDeviceId: c_int = -1;
/// `cudaInvalidDeviceId`: no device.
pub const cudaInvalidDeviceId: c_int = -2;

/// Second names of launch attributes: what the header calls them where a kernel node or a stream
/// has them.
macro_rules! attributes {
    ($($name:ident $same:ident)*) => { $(
        #[doc = concat!("The attribute `", stringify!($same), "`.")]
        pub const $name: cudaLaunchAttributeID = cudaLaunchAttributeID::$same;
    )* };
}

attributes! {
    cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
    cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy
    cudaStreamAttributeMemSyncDomainMap cudaLaunchAttributeMemSyncDomainMap
    cudaStreamAttributeMemSyncDomain cudaLaunchAttributeMemSyncDomain
    cudaStreamAttributePriority cudaLaunchAttributePriority
    cudaKernelNodeAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
    cudaKernelNodeAttributeCooperative cudaLaunchAttributeCooperative
    cudaKernelNodeAttributePriority cudaLaunchAttributePriority
    cudaKernelNodeAttributeClusterDimension cudaLaunchAttributeClusterDimension
    cudaKernelNodeAttributeClusterSchedulingPolicyPreference cudaLaunchAttributeClusterSchedulingPolicyPreference
    cudaKernelNodeAttributeMemSyncDomainMap cudaLaunchAttributeMemSyncDomainMap
    cudaKernelNodeAttributeMemSyncDomain cudaLaunchAttributeMemSyncDomain
    cudaKernelNodeAttributePreferredSharedMemoryCarveout cudaLaunchAttributePreferredSharedMemoryCarveout
    cudaKernelNodeAttributeDeviceUpdatableKernelNode cudaLaunchAttributeDeviceUpdatableKernelNode
    cudaKernelNodeAttributeNvlinkUtilCentricScheduling cudaLaunchAttributeNvlinkUtilCentricScheduling
}

/// What a kernel node's attribute is named by.
pub type cudaKernelNodeAttrID = cudaLaunchAttributeID;
/// What a stream's attribute is named by.
pub type cudaStreamAttrID = cudaLaunchAttributeID;
