//! Macros of `cuda.h` that bindgen can't read: casts, and second names of launch attributes.

use core::ffi::c_void;
use core::ptr::{null_mut, without_provenance_mut};

use crate::{CUdevice, CUdevice_v1, CUlaunchAttributeID, CUstream};

/// `CU_STREAM_LEGACY`: the legacy default stream, by a handle that is not null.
pub const CU_STREAM_LEGACY: CUstream = without_provenance_mut(1);
/// `CU_STREAM_PER_THREAD`: the default stream of the calling thread.
pub const CU_STREAM_PER_THREAD: CUstream = without_provenance_mut(2);
/// `CU_DEVICE_CPU`: stands for the CPU where a device is wanted.
pub const CU_DEVICE_CPU: CUdevice = -1;
/// `CU_DEVICE_INVALID`: no device.
pub const CU_DEVICE_INVALID: CUdevice_v1 = -2;
/// `CU_LAUNCH_PARAM_END`: ends the `extra` array of a launch.
pub const CU_LAUNCH_PARAM_END: *mut c_void = null_mut();
/// `CU_LAUNCH_PARAM_BUFFER_POINTER`: the next entry points to the packed arguments.
pub const CU_LAUNCH_PARAM_BUFFER_POINTER: *mut c_void = without_provenance_mut(1);
/// `CU_LAUNCH_PARAM_BUFFER_SIZE`: the next entry points to the size of the packed arguments.
pub const CU_LAUNCH_PARAM_BUFFER_SIZE: *mut c_void = without_provenance_mut(2);

/// Second names of launch attributes: what `cuda.h` calls them where a kernel node or a stream has
/// them.
macro_rules! attributes {
    ($($name:ident $same:ident)*) => { $(
        #[doc = concat!("The attribute `", stringify!($same), "`.")]
        pub const $name: CUlaunchAttributeID = CUlaunchAttributeID::$same;
    )* };
}

attributes! {
    CU_KERNEL_NODE_ATTRIBUTE_ACCESS_POLICY_WINDOW CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW
    CU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE CU_LAUNCH_ATTRIBUTE_COOPERATIVE
    CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_DIMENSION CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
    CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE
    CU_KERNEL_NODE_ATTRIBUTE_PRIORITY CU_LAUNCH_ATTRIBUTE_PRIORITY
    CU_KERNEL_NODE_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP
    CU_KERNEL_NODE_ATTRIBUTE_MEM_SYNC_DOMAIN CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN
    CU_KERNEL_NODE_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION
    CU_KERNEL_NODE_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE
    CU_KERNEL_NODE_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT
    CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW
    CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY
    CU_STREAM_ATTRIBUTE_PRIORITY CU_LAUNCH_ATTRIBUTE_PRIORITY
    CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP
    CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN
}
