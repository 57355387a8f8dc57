//! Codes 200 to 600: contexts, images, libraries, handles.

super::entries! {
    200 CUDA_ERROR_INVALID_IMAGE cudaErrorInvalidKernelImage Usage:
        "the image is not one that the driver can load";
        "it is cut off or damaged, or PTX text without its final NUL: build it again";
    201 CUDA_ERROR_INVALID_CONTEXT cudaErrorDeviceUninitialized Usage:
        "no valid context is current on this thread";
        "make a context current on this thread, and keep it alive while it is used; a context belongs to the thread that set it";
    202 CUDA_ERROR_CONTEXT_ALREADY_CURRENT - NotAnError:
        "the context is current already";
        "not returned since CUDA 3.2; can be ignored";
    205 CUDA_ERROR_MAP_FAILED cudaErrorMapBufferObjectFailed Environment:
        "a resource could not be mapped";
        "for graphics: the GPU of the graphics context must be the CUDA device; for memory: see the system's limits and the kernel log";
    206 CUDA_ERROR_UNMAP_FAILED cudaErrorUnmapBufferObjectFailed Environment:
        "a resource could not be unmapped";
        "it is still in use, or its graphics context is gone";
    207 CUDA_ERROR_ARRAY_IS_MAPPED cudaErrorArrayIsMapped Usage:
        "the array is mapped and so can't be destroyed";
        "unmap it first";
    208 CUDA_ERROR_ALREADY_MAPPED cudaErrorAlreadyMapped Usage:
        "the resource is mapped already";
        "map once, unmap, then map again";
    209 CUDA_ERROR_NO_BINARY_FOR_GPU cudaErrorNoKernelImageForDevice Usage:
        "the image has no code that this GPU can run";
        "it has neither machine code for this compute capability nor PTX to compile (code for `a` and `f` targets runs on those only): build for this architecture, or add PTX";
    210 CUDA_ERROR_ALREADY_ACQUIRED cudaErrorAlreadyAcquired Usage:
        "the resource was acquired already";
        "release it before it is acquired again";
    211 CUDA_ERROR_NOT_MAPPED cudaErrorNotMapped Usage:
        "the resource is not mapped";
        "map it before its memory is asked for";
    212 CUDA_ERROR_NOT_MAPPED_AS_ARRAY cudaErrorNotMappedAsArray Usage:
        "the mapped resource is no array";
        "ask for its pointer instead";
    213 CUDA_ERROR_NOT_MAPPED_AS_POINTER cudaErrorNotMappedAsPointer Usage:
        "the mapped resource has no pointer";
        "ask for its array instead";
    214 CUDA_ERROR_ECC_UNCORRECTABLE cudaErrorECCUncorrectable Sticky:
        "device memory has an error that ECC can't correct";
        "the data is lost and so is this process: start a new one, look at `nvidia-smi -q -d ECC` and reset or retire the GPU if it happens again";
    215 CUDA_ERROR_UNSUPPORTED_LIMIT cudaErrorUnsupportedLimit Usage:
        "this device has no such limit";
        "skip the limit on this device";
    216 CUDA_ERROR_CONTEXT_ALREADY_IN_USE cudaErrorDeviceAlreadyInUse Resource:
        "the context, or its exclusive device, is bound to another thread";
        "share one context between threads instead of taking a device for one thread";
    217 CUDA_ERROR_PEER_ACCESS_UNSUPPORTED cudaErrorPeerAccessUnsupported Usage:
        "these two devices can't reach each other's memory";
        "ask first whether a device can access its peer, and copy through the host where it can't";
    218 CUDA_ERROR_INVALID_PTX cudaErrorInvalidPtx Usage:
        "the PTX does not compile";
        "the compiler's log has line and reason; symbols that are not resolved count as well";
    219 CUDA_ERROR_INVALID_GRAPHICS_CONTEXT cudaErrorInvalidGraphicsContext Usage:
        "there is no graphics context that CUDA can share";
        "make the OpenGL or Direct3D context current first, on the same GPU";
    220 CUDA_ERROR_NVLINK_UNCORRECTABLE cudaErrorNvlinkUncorrectable Sticky:
        "NVLink had an error that it can't correct";
        "start a new process; look at `nvidia-smi nvlink -e` and at the kernel log for Xid messages";
    221 CUDA_ERROR_JIT_COMPILER_NOT_FOUND cudaErrorJitCompilerNotFound Environment:
        "the driver's PTX compiler library is missing";
        "libnvidia-ptxjitcompiler belongs to the driver: in a container ask for the capabilities `compute,utility`; or ship machine code for this GPU";
    222 CUDA_ERROR_UNSUPPORTED_PTX_VERSION cudaErrorUnsupportedPtxVersion Environment:
        "the PTX is newer than the driver's compiler";
        "PTX needs a driver at least as new as the toolkit that wrote it, even within one major: ship machine code for this GPU, build with an older toolkit, or update the driver";
    223 CUDA_ERROR_JIT_COMPILATION_DISABLED cudaErrorJitCompilationDisabled Environment:
        "compiling PTX is switched off";
        "unset CUDA_DISABLE_PTX_JIT and CUDA_DISABLE_JIT, or ship machine code for this GPU";
    224 CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY cudaErrorUnsupportedExecAffinity Usage:
        "this device can't limit a context to some multiprocessors";
        "ask the device's attribute first; it needs MPS";
    225 CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC cudaErrorUnsupportedDevSideSync Usage:
        "the code waits for the device from within a kernel, which no longer exists";
        "compute capability 9.0 and later, and CUDA 12, have no cudaDeviceSynchronize in kernels: restructure, or build for the older interface";
    226 CUDA_ERROR_CONTAINED cudaErrorContained Sticky:
        "a fault on the GPU was contained; this process is lost";
        "often a wrong access to a peer's memory over NVLink, or hardware: start a new process, and look at the kernel log for Xid messages";
    227 CUDA_ERROR_INSUFFICIENT_LOADER_VERSION cudaErrorInsufficientLoaderVersion Environment:
        "the image is of a newer format than this driver's loader knows";
        "update the driver, or build the image with an older toolkit";
    300 CUDA_ERROR_INVALID_SOURCE cudaErrorInvalidSource Usage:
        "the source of the kernel is not valid";
        "give PTX, cubin, fatbin or LTO-IR as the call expects";
    301 CUDA_ERROR_FILE_NOT_FOUND cudaErrorFileNotFound Usage:
        "the file is not there";
        "check the path, and that this user may read it";
    302 CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND cudaErrorSharedObjectSymbolNotFound Environment:
        "a library lacks a function that is needed";
        "parts of different versions are mixed, or the driver is older than the function: see `cuda_rt::check()`";
    303 CUDA_ERROR_SHARED_OBJECT_INIT_FAILED cudaErrorSharedObjectInitFailed Environment:
        "a library could not be loaded";
        "a library of the driver or of the runtime is missing or of another version: see `cuda_rt::check()`";
    304 CUDA_ERROR_OPERATING_SYSTEM cudaErrorOperatingSystem Environment:
        "the operating system refused something that the driver needs";
        "often the rights of /dev/nvidia*, a limit on locked memory or address space, or a sandbox; the kernel log may say more";
    400 CUDA_ERROR_INVALID_HANDLE cudaErrorInvalidResourceHandle Usage:
        "a handle is not valid here";
        "a stream, event, kernel or graph was destroyed already, or belongs to another context than the current one";
    401 CUDA_ERROR_ILLEGAL_STATE cudaErrorIllegalState Usage:
        "an object is not in a state that allows this";
        "check the order of the calls";
    402 CUDA_ERROR_LOSSY_QUERY cudaErrorLossyQuery Usage:
        "the answer would leave out something that matters";
        "ask with the newer form of the call, or take its optional results as well";
    500 CUDA_ERROR_NOT_FOUND cudaErrorSymbolNotFound Usage:
        "nothing of this name is there";
        "check the name: C++ mangles it unless it is declared `extern \"C\"`, and unused kernels may have been dropped";
    600 CUDA_ERROR_NOT_READY cudaErrorNotReady NotAnError:
        "work is still pending";
        "not a failure: ask again later, or wait";
}
