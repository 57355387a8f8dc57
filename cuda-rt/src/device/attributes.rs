//! The attributes of a device: one open set of numbers for both APIs.

use cuda_driver_sys as sys;
use cuda_runtime_sys::v13;

/// What can be asked of a device with [`Device::attribute`](super::Device::attribute) and
/// [`runtime::Device::attribute`](crate::runtime::Device::attribute): `CUdevice_attribute`, whose
/// numbers `cudaDeviceAttr` shares. Numbers that this crate does not know can be asked too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeviceAttribute(pub u32);

impl DeviceAttribute {
    #[allow(trivial_numeric_casts, clippy::as_underscore, reason = "an int on Windows, unsigned elsewhere")]
    pub(crate) fn driver(self) -> sys::CUdevice_attribute {
        sys::CUdevice_attribute(self.0 as _)
    }

    #[allow(trivial_numeric_casts, clippy::as_underscore, reason = "an int on Windows, unsigned elsewhere")]
    pub(crate) fn runtime(self) -> v13::cudaDeviceAttr {
        v13::cudaDeviceAttr(self.0 as _)
    }
}

/// The attributes of the CUDA 13.5 headers.
impl DeviceAttribute {
    /// `CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK`, `cudaDevAttrMaxThreadsPerBlock`.
    pub const MAX_THREADS_PER_BLOCK: Self = Self(1);
    /// `CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X`, `cudaDevAttrMaxBlockDimX`.
    pub const MAX_BLOCK_DIM_X: Self = Self(2);
    /// `CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y`, `cudaDevAttrMaxBlockDimY`.
    pub const MAX_BLOCK_DIM_Y: Self = Self(3);
    /// `CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z`, `cudaDevAttrMaxBlockDimZ`.
    pub const MAX_BLOCK_DIM_Z: Self = Self(4);
    /// `CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X`, `cudaDevAttrMaxGridDimX`.
    pub const MAX_GRID_DIM_X: Self = Self(5);
    /// `CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y`, `cudaDevAttrMaxGridDimY`.
    pub const MAX_GRID_DIM_Y: Self = Self(6);
    /// `CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z`, `cudaDevAttrMaxGridDimZ`.
    pub const MAX_GRID_DIM_Z: Self = Self(7);
    /// `CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK`, `cudaDevAttrMaxSharedMemoryPerBlock`.
    pub const MAX_SHARED_MEMORY_PER_BLOCK: Self = Self(8);
    /// `CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY`, `cudaDevAttrTotalConstantMemory`.
    pub const TOTAL_CONSTANT_MEMORY: Self = Self(9);
    /// `CU_DEVICE_ATTRIBUTE_WARP_SIZE`, `cudaDevAttrWarpSize`.
    pub const WARP_SIZE: Self = Self(10);
    /// `CU_DEVICE_ATTRIBUTE_MAX_PITCH`, `cudaDevAttrMaxPitch`.
    pub const MAX_PITCH: Self = Self(11);
    /// `CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK`, `cudaDevAttrMaxRegistersPerBlock`.
    pub const MAX_REGISTERS_PER_BLOCK: Self = Self(12);
    /// `CU_DEVICE_ATTRIBUTE_CLOCK_RATE`, `cudaDevAttrClockRate`.
    pub const CLOCK_RATE: Self = Self(13);
    /// `CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT`, `cudaDevAttrTextureAlignment`.
    pub const TEXTURE_ALIGNMENT: Self = Self(14);
    /// `CU_DEVICE_ATTRIBUTE_GPU_OVERLAP`, `cudaDevAttrGpuOverlap`.
    pub const GPU_OVERLAP: Self = Self(15);
    /// `CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT`, `cudaDevAttrMultiProcessorCount`.
    pub const MULTIPROCESSOR_COUNT: Self = Self(16);
    /// `CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT`, `cudaDevAttrKernelExecTimeout`.
    pub const KERNEL_EXEC_TIMEOUT: Self = Self(17);
    /// `CU_DEVICE_ATTRIBUTE_INTEGRATED`, `cudaDevAttrIntegrated`.
    pub const INTEGRATED: Self = Self(18);
    /// `CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY`, `cudaDevAttrCanMapHostMemory`.
    pub const CAN_MAP_HOST_MEMORY: Self = Self(19);
    /// `CU_DEVICE_ATTRIBUTE_COMPUTE_MODE`, `cudaDevAttrComputeMode`.
    pub const COMPUTE_MODE: Self = Self(20);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH`, `cudaDevAttrMaxTexture1DWidth`.
    pub const MAXIMUM_TEXTURE1D_WIDTH: Self = Self(21);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH`, `cudaDevAttrMaxTexture2DWidth`.
    pub const MAXIMUM_TEXTURE2D_WIDTH: Self = Self(22);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT`, `cudaDevAttrMaxTexture2DHeight`.
    pub const MAXIMUM_TEXTURE2D_HEIGHT: Self = Self(23);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH`, `cudaDevAttrMaxTexture3DWidth`.
    pub const MAXIMUM_TEXTURE3D_WIDTH: Self = Self(24);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT`, `cudaDevAttrMaxTexture3DHeight`.
    pub const MAXIMUM_TEXTURE3D_HEIGHT: Self = Self(25);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH`, `cudaDevAttrMaxTexture3DDepth`.
    pub const MAXIMUM_TEXTURE3D_DEPTH: Self = Self(26);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH`, `cudaDevAttrMaxTexture2DLayeredWidth`.
    pub const MAXIMUM_TEXTURE2D_LAYERED_WIDTH: Self = Self(27);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT`, `cudaDevAttrMaxTexture2DLayeredHeight`.
    pub const MAXIMUM_TEXTURE2D_LAYERED_HEIGHT: Self = Self(28);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS`, `cudaDevAttrMaxTexture2DLayeredLayers`.
    pub const MAXIMUM_TEXTURE2D_LAYERED_LAYERS: Self = Self(29);
    /// `CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT`, `cudaDevAttrSurfaceAlignment`.
    pub const SURFACE_ALIGNMENT: Self = Self(30);
    /// `CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS`, `cudaDevAttrConcurrentKernels`.
    pub const CONCURRENT_KERNELS: Self = Self(31);
    /// `CU_DEVICE_ATTRIBUTE_ECC_ENABLED`, `cudaDevAttrEccEnabled`.
    pub const ECC_ENABLED: Self = Self(32);
    /// `CU_DEVICE_ATTRIBUTE_PCI_BUS_ID`, `cudaDevAttrPciBusId`.
    pub const PCI_BUS_ID: Self = Self(33);
    /// `CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID`, `cudaDevAttrPciDeviceId`.
    pub const PCI_DEVICE_ID: Self = Self(34);
    /// `CU_DEVICE_ATTRIBUTE_TCC_DRIVER`, `cudaDevAttrTccDriver`.
    pub const TCC_DRIVER: Self = Self(35);
    /// `CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE`, `cudaDevAttrMemoryClockRate`.
    pub const MEMORY_CLOCK_RATE: Self = Self(36);
    /// `CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH`, `cudaDevAttrGlobalMemoryBusWidth`.
    pub const GLOBAL_MEMORY_BUS_WIDTH: Self = Self(37);
    /// `CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE`, `cudaDevAttrL2CacheSize`.
    pub const L2_CACHE_SIZE: Self = Self(38);
    /// `CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR`, `cudaDevAttrMaxThreadsPerMultiProcessor`.
    pub const MAX_THREADS_PER_MULTIPROCESSOR: Self = Self(39);
    /// `CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT`, `cudaDevAttrAsyncEngineCount`.
    pub const ASYNC_ENGINE_COUNT: Self = Self(40);
    /// `CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING`, `cudaDevAttrUnifiedAddressing`.
    pub const UNIFIED_ADDRESSING: Self = Self(41);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH`, `cudaDevAttrMaxTexture1DLayeredWidth`.
    pub const MAXIMUM_TEXTURE1D_LAYERED_WIDTH: Self = Self(42);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS`, `cudaDevAttrMaxTexture1DLayeredLayers`.
    pub const MAXIMUM_TEXTURE1D_LAYERED_LAYERS: Self = Self(43);
    /// `CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER`.
    pub const CAN_TEX2D_GATHER: Self = Self(44);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH`, `cudaDevAttrMaxTexture2DGatherWidth`.
    pub const MAXIMUM_TEXTURE2D_GATHER_WIDTH: Self = Self(45);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT`, `cudaDevAttrMaxTexture2DGatherHeight`.
    pub const MAXIMUM_TEXTURE2D_GATHER_HEIGHT: Self = Self(46);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE`, `cudaDevAttrMaxTexture3DWidthAlt`.
    pub const MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE: Self = Self(47);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE`, `cudaDevAttrMaxTexture3DHeightAlt`.
    pub const MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE: Self = Self(48);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE`, `cudaDevAttrMaxTexture3DDepthAlt`.
    pub const MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE: Self = Self(49);
    /// `CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID`, `cudaDevAttrPciDomainId`.
    pub const PCI_DOMAIN_ID: Self = Self(50);
    /// `CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT`, `cudaDevAttrTexturePitchAlignment`.
    pub const TEXTURE_PITCH_ALIGNMENT: Self = Self(51);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH`, `cudaDevAttrMaxTextureCubemapWidth`.
    pub const MAXIMUM_TEXTURECUBEMAP_WIDTH: Self = Self(52);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH`, `cudaDevAttrMaxTextureCubemapLayeredWidth`.
    pub const MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH: Self = Self(53);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS`, `cudaDevAttrMaxTextureCubemapLayeredLayers`.
    pub const MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS: Self = Self(54);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH`, `cudaDevAttrMaxSurface1DWidth`.
    pub const MAXIMUM_SURFACE1D_WIDTH: Self = Self(55);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH`, `cudaDevAttrMaxSurface2DWidth`.
    pub const MAXIMUM_SURFACE2D_WIDTH: Self = Self(56);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT`, `cudaDevAttrMaxSurface2DHeight`.
    pub const MAXIMUM_SURFACE2D_HEIGHT: Self = Self(57);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH`, `cudaDevAttrMaxSurface3DWidth`.
    pub const MAXIMUM_SURFACE3D_WIDTH: Self = Self(58);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT`, `cudaDevAttrMaxSurface3DHeight`.
    pub const MAXIMUM_SURFACE3D_HEIGHT: Self = Self(59);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH`, `cudaDevAttrMaxSurface3DDepth`.
    pub const MAXIMUM_SURFACE3D_DEPTH: Self = Self(60);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH`, `cudaDevAttrMaxSurface1DLayeredWidth`.
    pub const MAXIMUM_SURFACE1D_LAYERED_WIDTH: Self = Self(61);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS`, `cudaDevAttrMaxSurface1DLayeredLayers`.
    pub const MAXIMUM_SURFACE1D_LAYERED_LAYERS: Self = Self(62);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH`, `cudaDevAttrMaxSurface2DLayeredWidth`.
    pub const MAXIMUM_SURFACE2D_LAYERED_WIDTH: Self = Self(63);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT`, `cudaDevAttrMaxSurface2DLayeredHeight`.
    pub const MAXIMUM_SURFACE2D_LAYERED_HEIGHT: Self = Self(64);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS`, `cudaDevAttrMaxSurface2DLayeredLayers`.
    pub const MAXIMUM_SURFACE2D_LAYERED_LAYERS: Self = Self(65);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH`, `cudaDevAttrMaxSurfaceCubemapWidth`.
    pub const MAXIMUM_SURFACECUBEMAP_WIDTH: Self = Self(66);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH`, `cudaDevAttrMaxSurfaceCubemapLayeredWidth`.
    pub const MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH: Self = Self(67);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS`, `cudaDevAttrMaxSurfaceCubemapLayeredLayers`.
    pub const MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS: Self = Self(68);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH`, `cudaDevAttrMaxTexture1DLinearWidth`.
    pub const MAXIMUM_TEXTURE1D_LINEAR_WIDTH: Self = Self(69);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH`, `cudaDevAttrMaxTexture2DLinearWidth`.
    pub const MAXIMUM_TEXTURE2D_LINEAR_WIDTH: Self = Self(70);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT`, `cudaDevAttrMaxTexture2DLinearHeight`.
    pub const MAXIMUM_TEXTURE2D_LINEAR_HEIGHT: Self = Self(71);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH`, `cudaDevAttrMaxTexture2DLinearPitch`.
    pub const MAXIMUM_TEXTURE2D_LINEAR_PITCH: Self = Self(72);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH`, `cudaDevAttrMaxTexture2DMipmappedWidth`.
    pub const MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH: Self = Self(73);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT`, `cudaDevAttrMaxTexture2DMipmappedHeight`.
    pub const MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT: Self = Self(74);
    /// `CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR`, `cudaDevAttrComputeCapabilityMajor`.
    pub const COMPUTE_CAPABILITY_MAJOR: Self = Self(75);
    /// `CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR`, `cudaDevAttrComputeCapabilityMinor`.
    pub const COMPUTE_CAPABILITY_MINOR: Self = Self(76);
    /// `CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH`, `cudaDevAttrMaxTexture1DMipmappedWidth`.
    pub const MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH: Self = Self(77);
    /// `CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED`, `cudaDevAttrStreamPrioritiesSupported`.
    pub const STREAM_PRIORITIES_SUPPORTED: Self = Self(78);
    /// `CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED`, `cudaDevAttrGlobalL1CacheSupported`.
    pub const GLOBAL_L1_CACHE_SUPPORTED: Self = Self(79);
    /// `CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED`, `cudaDevAttrLocalL1CacheSupported`.
    pub const LOCAL_L1_CACHE_SUPPORTED: Self = Self(80);
    /// `CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR`, `cudaDevAttrMaxSharedMemoryPerMultiprocessor`.
    pub const MAX_SHARED_MEMORY_PER_MULTIPROCESSOR: Self = Self(81);
    /// `CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR`, `cudaDevAttrMaxRegistersPerMultiprocessor`.
    pub const MAX_REGISTERS_PER_MULTIPROCESSOR: Self = Self(82);
    /// `CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY`, `cudaDevAttrManagedMemory`.
    pub const MANAGED_MEMORY: Self = Self(83);
    /// `CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD`, `cudaDevAttrIsMultiGpuBoard`.
    pub const MULTI_GPU_BOARD: Self = Self(84);
    /// `CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID`, `cudaDevAttrMultiGpuBoardGroupID`.
    pub const MULTI_GPU_BOARD_GROUP_ID: Self = Self(85);
    /// `CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED`, `cudaDevAttrHostNativeAtomicSupported`.
    pub const HOST_NATIVE_ATOMIC_SUPPORTED: Self = Self(86);
    /// `CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO`, `cudaDevAttrSingleToDoublePrecisionPerfRatio`.
    pub const SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO: Self = Self(87);
    /// `CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS`, `cudaDevAttrPageableMemoryAccess`.
    pub const PAGEABLE_MEMORY_ACCESS: Self = Self(88);
    /// `CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS`, `cudaDevAttrConcurrentManagedAccess`.
    pub const CONCURRENT_MANAGED_ACCESS: Self = Self(89);
    /// `CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED`, `cudaDevAttrComputePreemptionSupported`.
    pub const COMPUTE_PREEMPTION_SUPPORTED: Self = Self(90);
    /// `CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM`, `cudaDevAttrCanUseHostPointerForRegisteredMem`.
    pub const CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM: Self = Self(91);
    /// `CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1`.
    pub const CAN_USE_STREAM_MEM_OPS_V1: Self = Self(92);
    /// `CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1`.
    pub const CAN_USE_64_BIT_STREAM_MEM_OPS_V1: Self = Self(93);
    /// `CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1`.
    pub const CAN_USE_STREAM_WAIT_VALUE_NOR_V1: Self = Self(94);
    /// `CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH`, `cudaDevAttrCooperativeLaunch`.
    pub const COOPERATIVE_LAUNCH: Self = Self(95);
    /// `CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH`.
    pub const COOPERATIVE_MULTI_DEVICE_LAUNCH: Self = Self(96);
    /// `CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN`, `cudaDevAttrMaxSharedMemoryPerBlockOptin`.
    pub const MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: Self = Self(97);
    /// `CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES`, `cudaDevAttrCanFlushRemoteWrites`.
    pub const CAN_FLUSH_REMOTE_WRITES: Self = Self(98);
    /// `CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED`, `cudaDevAttrHostRegisterSupported`.
    pub const HOST_REGISTER_SUPPORTED: Self = Self(99);
    /// `CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES`, `cudaDevAttrPageableMemoryAccessUsesHostPageTables`.
    pub const PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES: Self = Self(100);
    /// `CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST`, `cudaDevAttrDirectManagedMemAccessFromHost`.
    pub const DIRECT_MANAGED_MEM_ACCESS_FROM_HOST: Self = Self(101);
    /// `CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED`.
    pub const VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED: Self = Self(102);
    /// `CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED`.
    pub const HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED: Self = Self(103);
    /// `CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED`.
    pub const HANDLE_TYPE_WIN32_HANDLE_SUPPORTED: Self = Self(104);
    /// `CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED`.
    pub const HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED: Self = Self(105);
    /// `CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR`, `cudaDevAttrMaxBlocksPerMultiprocessor`.
    pub const MAX_BLOCKS_PER_MULTIPROCESSOR: Self = Self(106);
    /// `CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED`.
    pub const GENERIC_COMPRESSION_SUPPORTED: Self = Self(107);
    /// `CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE`, `cudaDevAttrMaxPersistingL2CacheSize`.
    pub const MAX_PERSISTING_L2_CACHE_SIZE: Self = Self(108);
    /// `CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE`, `cudaDevAttrMaxAccessPolicyWindowSize`.
    pub const MAX_ACCESS_POLICY_WINDOW_SIZE: Self = Self(109);
    /// `CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED`.
    pub const GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED: Self = Self(110);
    /// `CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED`, `cudaDevAttrSparseCudaArraySupported`.
    pub const SPARSE_CUDA_ARRAY_SUPPORTED: Self = Self(112);
    /// `CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK`, `cudaDevAttrReservedSharedMemoryPerBlock`.
    pub const RESERVED_SHARED_MEMORY_PER_BLOCK: Self = Self(111);
    /// `CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED`, `cudaDevAttrHostRegisterReadOnlySupported`.
    pub const READ_ONLY_HOST_REGISTER_SUPPORTED: Self = Self(113);
    /// `CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED`, `cudaDevAttrTimelineSemaphoreInteropSupported`.
    pub const TIMELINE_SEMAPHORE_INTEROP_SUPPORTED: Self = Self(114);
    /// `CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED`, `cudaDevAttrMemoryPoolsSupported`.
    pub const MEMORY_POOLS_SUPPORTED: Self = Self(115);
    /// `CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED`, `cudaDevAttrGPUDirectRDMASupported`.
    pub const GPU_DIRECT_RDMA_SUPPORTED: Self = Self(116);
    /// `CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS`, `cudaDevAttrGPUDirectRDMAFlushWritesOptions`.
    pub const GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS: Self = Self(117);
    /// `CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING`, `cudaDevAttrGPUDirectRDMAWritesOrdering`.
    pub const GPU_DIRECT_RDMA_WRITES_ORDERING: Self = Self(118);
    /// `CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES`, `cudaDevAttrMemoryPoolSupportedHandleTypes`.
    pub const MEMPOOL_SUPPORTED_HANDLE_TYPES: Self = Self(119);
    /// `CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH`, `cudaDevAttrClusterLaunch`.
    pub const CLUSTER_LAUNCH: Self = Self(120);
    /// `CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED`, `cudaDevAttrDeferredMappingCudaArraySupported`.
    pub const DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED: Self = Self(121);
    /// `CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS`.
    pub const CAN_USE_64_BIT_STREAM_MEM_OPS: Self = Self(122);
    /// `CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR`.
    pub const CAN_USE_STREAM_WAIT_VALUE_NOR: Self = Self(123);
    /// `CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED`.
    pub const DMA_BUF_SUPPORTED: Self = Self(124);
    /// `CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED`, `cudaDevAttrIpcEventSupport`.
    pub const IPC_EVENT_SUPPORTED: Self = Self(125);
    /// `CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT`, `cudaDevAttrMemSyncDomainCount`.
    pub const MEM_SYNC_DOMAIN_COUNT: Self = Self(126);
    /// `CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED`.
    pub const TENSOR_MAP_ACCESS_SUPPORTED: Self = Self(127);
    /// `CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED`.
    pub const HANDLE_TYPE_FABRIC_SUPPORTED: Self = Self(128);
    /// `CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS`.
    pub const UNIFIED_FUNCTION_POINTERS: Self = Self(129);
    /// `CU_DEVICE_ATTRIBUTE_NUMA_CONFIG`, `cudaDevAttrNumaConfig`.
    pub const NUMA_CONFIG: Self = Self(130);
    /// `CU_DEVICE_ATTRIBUTE_NUMA_ID`, `cudaDevAttrNumaId`.
    pub const NUMA_ID: Self = Self(131);
    /// `CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED`.
    pub const MULTICAST_SUPPORTED: Self = Self(132);
    /// `CU_DEVICE_ATTRIBUTE_MPS_ENABLED`, `cudaDevAttrMpsEnabled`.
    pub const MPS_ENABLED: Self = Self(133);
    /// `CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID`, `cudaDevAttrHostNumaId`.
    pub const HOST_NUMA_ID: Self = Self(134);
    /// `CU_DEVICE_ATTRIBUTE_D3D12_CIG_SUPPORTED`, `cudaDevAttrD3D12CigSupported`.
    pub const D3D12_CIG_SUPPORTED: Self = Self(135);
    /// `CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK`.
    pub const MEM_DECOMPRESS_ALGORITHM_MASK: Self = Self(136);
    /// `CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH`.
    pub const MEM_DECOMPRESS_MAXIMUM_LENGTH: Self = Self(137);
    /// `CU_DEVICE_ATTRIBUTE_VULKAN_CIG_SUPPORTED`, `cudaDevAttrVulkanCigSupported`.
    pub const VULKAN_CIG_SUPPORTED: Self = Self(138);
    /// `CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID`, `cudaDevAttrGpuPciDeviceId`.
    pub const GPU_PCI_DEVICE_ID: Self = Self(139);
    /// `CU_DEVICE_ATTRIBUTE_GPU_PCI_SUBSYSTEM_ID`, `cudaDevAttrGpuPciSubsystemId`.
    pub const GPU_PCI_SUBSYSTEM_ID: Self = Self(140);
    /// `CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED`.
    pub const HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED: Self = Self(141);
    /// `CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED`, `cudaDevAttrHostNumaMemoryPoolsSupported`.
    pub const HOST_NUMA_MEMORY_POOLS_SUPPORTED: Self = Self(142);
    /// `CU_DEVICE_ATTRIBUTE_HOST_NUMA_MULTINODE_IPC_SUPPORTED`, `cudaDevAttrHostNumaMultinodeIpcSupported`.
    pub const HOST_NUMA_MULTINODE_IPC_SUPPORTED: Self = Self(143);
    /// `CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED`, `cudaDevAttrHostMemoryPoolsSupported`.
    pub const HOST_MEMORY_POOLS_SUPPORTED: Self = Self(144);
    /// `CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED`.
    pub const HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED: Self = Self(145);
    /// `CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED`.
    pub const HOST_ALLOC_DMA_BUF_SUPPORTED: Self = Self(146);
    /// `CU_DEVICE_ATTRIBUTE_ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED`, `cudaDevAttrOnlyPartialHostNativeAtomicSupported`.
    pub const ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED: Self = Self(147);
    /// `CU_DEVICE_ATTRIBUTE_ATOMIC_REDUCTION_SUPPORTED`, `cudaDevAttrAtomicReductionSupported`.
    pub const ATOMIC_REDUCTION_SUPPORTED: Self = Self(148);
    /// `CU_DEVICE_ATTRIBUTE_LOCALITY_DOMAIN_COUNT`, `cudaDevAttrLocalityDomainCount`.
    pub const LOCALITY_DOMAIN_COUNT: Self = Self(149);
    /// `CU_DEVICE_ATTRIBUTE_MAX_OVERSIZED_SHARED_MEMORY_PER_BLOCK`, `cudaDevAttrOversizedSharedMemoryPerBlock`.
    pub const MAX_OVERSIZED_SHARED_MEMORY_PER_BLOCK: Self = Self(150);
    /// `CU_DEVICE_ATTRIBUTE_D3D12_CIG_STREAMS_SUPPORTED`, `cudaDevAttrCigStreamsSupported`.
    pub const D3D12_CIG_STREAMS_SUPPORTED: Self = Self(151);
    /// `CU_DEVICE_ATTRIBUTE_DMA_BUF_MMAP_SUPPORTED`.
    pub const DMA_BUF_MMAP_SUPPORTED: Self = Self(152);
    /// `CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_UNICAST_SUPPORTED`.
    pub const LOGICAL_ENDPOINT_UNICAST_SUPPORTED: Self = Self(153);
    /// `CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_MULTICAST_SUPPORTED`.
    pub const LOGICAL_ENDPOINT_MULTICAST_SUPPORTED: Self = Self(154);
    /// `CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_COUNTED_OPS_SUPPORTED`.
    pub const LOGICAL_ENDPOINT_COUNTED_OPS_SUPPORTED: Self = Self(155);
    /// `CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_UNICAST_ACCESS_ON_OWNER_DEVICE_SUPPORTED`.
    pub const LOGICAL_ENDPOINT_UNICAST_ACCESS_ON_OWNER_DEVICE_SUPPORTED: Self = Self(156);
    /// `CU_DEVICE_ATTRIBUTE_LOCALITY_DOMAIN_MULTIPROCESSOR_COUNT`, `cudaDevAttrLocalityDomainMultiprocessorCount`.
    pub const LOCALITY_DOMAIN_MULTIPROCESSOR_COUNT: Self = Self(157);
    /// `CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_SUPPORTED_HANDLE_TYPES`.
    pub const LOGICAL_ENDPOINT_SUPPORTED_HANDLE_TYPES: Self = Self(158);
    /// `CU_DEVICE_ATTRIBUTE_VULKAN_CIG_STREAMS_SUPPORTED`.
    pub const VULKAN_CIG_STREAMS_SUPPORTED: Self = Self(159);
    /// `CU_DEVICE_ATTRIBUTE_TENSOR_MAP_LARGE_TENSOR_MIN_SIZE`, `cudaDevAttrTensorMapLargeTensorMinSize`.
    pub const TENSOR_MAP_LARGE_TENSOR_MIN_SIZE: Self = Self(160);
    /// `CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_LOCALIZED_MEMORY_SUPPORTED`.
    pub const GPU_DIRECT_RDMA_WITH_LOCALIZED_MEMORY_SUPPORTED: Self = Self(161);
}
