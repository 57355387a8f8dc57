//! Sticky faults: after one, what does each function answer?
//!
//! Measured on an H200 (`docs/experiments/current_context.md`, D2). Some calls notice a fault that
//! has happened; some succeed until one of the others has noticed it; some answer as ever.

use crate::script::base_name;

/// A fault that ended the process's use of CUDA.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) code: u32,
    /// Stream whose work it was.
    pub(crate) stream: usize,
    /// A call has returned the code.
    pub(crate) noticed: bool,
}

/// How a function takes a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attitude {
    /// It returns the code, and from then on all calls know.
    Notices,
    /// It returns the code only if some call has noticed.
    Blind,
    /// It works as ever.
    Immune,
}

/// The attitude of a driver function.
pub(crate) fn attitude(symbol: &str) -> Attitude {
    match base_name(symbol) {
        "cuInit"
        | "cuDriverGetVersion"
        | "cuGetErrorName"
        | "cuGetErrorString"
        | "cuGraphExecDestroy"
        | "cuLibraryUnload"
        | "cuCtxGetCurrent"
        | "cuCtxGetId"
        | "cuCtxSetCurrent"
        | "cuCtxPushCurrent"
        | "cuCtxPopCurrent"
        | "cuDevicePrimaryCtxRetain"
        | "cuDevicePrimaryCtxRelease"
        | "cuDevicePrimaryCtxReset"
        | "cuDevicePrimaryCtxGetState"
        | "cuCtxDestroy"
        | "cuPointerGetAttribute" => Attitude::Immune,
        name if name.starts_with("cuDeviceGet") || name == "cuDeviceTotalMem" || name == "cuDeviceCanAccessPeer" => {
            Attitude::Immune
        }
        "cuStreamDestroy" | "cuMemFreeAsync" | "cuLaunchKernel" | "cuLaunchKernelEx" | "cuMemcpyHtoDAsync"
        | "cuMemcpyDtoDAsync" | "cuMemcpyDtoHAsync" | "cuMemcpyAsync" | "cuMemsetD8Async" | "cuMemsetD16Async"
        | "cuMemsetD32Async" | "cuEventCreate" => Attitude::Blind,
        _ => Attitude::Notices,
    }
}

/// The attitude of a runtime function: that of what it stands on.
pub(crate) fn runtime_attitude(symbol: &str) -> Attitude {
    match base_name(symbol) {
        "cudaDriverGetVersion"
        | "cudaRuntimeGetVersion"
        | "cudaGetDeviceCount"
        | "cudaGetDevice"
        | "cudaGetLastError"
        | "cudaPeekAtLastError"
        | "cudaGetErrorName"
        | "cudaGetErrorString"
        | "cudaDeviceGetAttribute"
        | "cudaGetDeviceProperties"
        | "cudaDeviceGetPCIBusId"
        | "cudaLibraryUnload"
        | "cudaDeviceCanAccessPeer" => Attitude::Immune,
        "cudaStreamDestroy"
        | "cudaFreeAsync"
        | "cudaLaunchKernelExC"
        | "cudaLaunchKernel"
        | "cudaMemcpyAsync"
        | "cudaMemsetAsync"
        | "cudaEventCreateWithFlags"
        | "cudaEventCreate" => Attitude::Blind,
        _ => Attitude::Notices,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attitudes_are_those_measured() {
        for name in [
            "cuStreamQuery",
            "cuStreamSynchronize",
            "cuEventRecord",
            "cuMemAllocAsync",
            "cuEventQuery",
            "cuMemFree_v2",
            "cuEventDestroy_v2",
        ] {
            assert_eq!(attitude(name), Attitude::Notices, "{name}");
        }
        for name in ["cuStreamDestroy_v2", "cuMemFreeAsync", "cuLaunchKernel", "cuMemcpyHtoDAsync_v2", "cuEventCreate"]
        {
            assert_eq!(attitude(name), Attitude::Blind, "{name}");
        }
        for name in [
            "cuLibraryUnload",
            "cuCtxGetCurrent",
            "cuDevicePrimaryCtxRetain",
            "cuDeviceGetCount",
            "cuPointerGetAttribute",
        ] {
            assert_eq!(attitude(name), Attitude::Immune, "{name}");
        }
    }
}
