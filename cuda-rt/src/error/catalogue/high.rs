//! Codes from 700: faults, permissions, system state, capture.

super::entries! {
    700 CUDA_ERROR_ILLEGAL_ADDRESS cudaErrorIllegalAddress Sticky:
        "a kernel accessed an address that is not its own";
        "out of bounds, freed memory, or a host pointer: run under `compute-sanitizer`; this process is lost to CUDA, start a new one";
    701 CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES cudaErrorLaunchOutOfResources Usage:
        "the launch needs more than a multiprocessor has";
        "threads times registers per thread is too much, or the arguments are too large: use a smaller block, or build with launch bounds";
    702 CUDA_ERROR_LAUNCH_TIMEOUT cudaErrorLaunchTimeout Sticky:
        "a kernel ran longer than the display's watchdog allows";
        "use shorter kernels or a GPU without a display; this process is lost to CUDA, start a new one";
    703 CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING cudaErrorLaunchIncompatibleTexturing Usage:
        "the launch uses a texturing mode that does not fit";
        "use texture objects";
    704 CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED cudaErrorPeerAccessAlreadyEnabled NotAnError:
        "peer access is on already";
        "can be ignored";
    705 CUDA_ERROR_PEER_ACCESS_NOT_ENABLED cudaErrorPeerAccessNotEnabled NotAnError:
        "peer access is not on";
        "there is nothing to switch off";
    708 CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE cudaErrorSetOnActiveProcess Usage:
        "too late: the device's primary context is in use";
        "set flags and devices before the first call that uses the device";
    709 CUDA_ERROR_CONTEXT_IS_DESTROYED cudaErrorContextIsDestroyed Usage:
        "the current context was destroyed, or is not started yet";
        "something outlived its context (a device reset destroys all of them), or a primary context is used that nobody holds: own the context as long as its objects";
    710 CUDA_ERROR_ASSERT cudaErrorAssert Sticky:
        "an assertion in a kernel failed";
        "standard error has its file, line and thread; this process is lost to CUDA, start a new one";
    711 CUDA_ERROR_TOO_MANY_PEERS cudaErrorTooManyPeers Resource:
        "no hardware is left for another peer";
        "switch off peer access that is not needed";
    712 CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED cudaErrorHostMemoryAlreadyRegistered NotAnError:
        "this host memory is registered already";
        "part of the range was registered before: keep one owner for a registration";
    713 CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED cudaErrorHostMemoryNotRegistered NotAnError:
        "this host memory is not registered";
        "it was taken back already, or the pointer is not the one that was registered";
    714 CUDA_ERROR_HARDWARE_STACK_ERROR cudaErrorHardwareStackError Sticky:
        "a kernel broke its call stack";
        "recursion too deep or memory overwritten: raise the stack limit, run under `compute-sanitizer`; this process is lost to CUDA, start a new one";
    715 CUDA_ERROR_ILLEGAL_INSTRUCTION cudaErrorIllegalInstruction Sticky:
        "a kernel met an instruction that is none";
        "jump to a wrong function pointer, or damaged code; this process is lost to CUDA, start a new one";
    716 CUDA_ERROR_MISALIGNED_ADDRESS cudaErrorMisalignedAddress Sticky:
        "a kernel accessed an address that is not aligned for its type";
        "often a vector load from an odd offset: align the data; this process is lost to CUDA, start a new one";
    717 CUDA_ERROR_INVALID_ADDRESS_SPACE cudaErrorInvalidAddressSpace Sticky:
        "a kernel used an address of the wrong memory space";
        "a generic pointer was treated as shared, global or local without being one; this process is lost to CUDA, start a new one";
    718 CUDA_ERROR_INVALID_PC cudaErrorInvalidPc Sticky:
        "a kernel jumped to where no code is";
        "a wrong function pointer or an overwritten return address; this process is lost to CUDA, start a new one";
    719 CUDA_ERROR_LAUNCH_FAILED cudaErrorLaunchFailure Sticky:
        "a kernel ended by a fault";
        "a wrong pointer, shared memory out of bounds, or hardware: run under `compute-sanitizer`; this process is lost to CUDA, start a new one";
    720 CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE cudaErrorCooperativeLaunchTooLarge Usage:
        "the cooperative grid does not fit the device at once";
        "ask for the occupancy of this kernel: blocks per multiprocessor times multiprocessors is the most";
    721 CUDA_ERROR_TENSOR_MEMORY_LEAK cudaErrorTensorMemoryLeak Sticky:
        "a kernel ended without freeing its tensor memory";
        "free all that the kernel allocates, on every path; this process is lost to CUDA, start a new one";
    800 CUDA_ERROR_NOT_PERMITTED cudaErrorNotPermitted Usage:
        "not permitted here";
        "CUDA calls within host callbacks, counters without the right to profile, or operations that this kind of memory or stream excludes";
    801 CUDA_ERROR_NOT_SUPPORTED cudaErrorNotSupported Usage:
        "this device or system has no such feature";
        "ask the device's attribute first, and have another way for devices without it";
    802 CUDA_ERROR_SYSTEM_NOT_READY cudaErrorSystemNotReady Environment:
        "the system is not ready for CUDA yet";
        "on machines with NVSwitch the fabric manager has to run, in the driver's exact version: `systemctl status nvidia-fabricmanager`; while the machine starts it may pass";
    803 CUDA_ERROR_SYSTEM_DRIVER_MISMATCH cudaErrorSystemDriverMismatch Environment:
        "the driver library does not belong to the kernel driver that is loaded";
        "after an update: reboot; in a container: drop the `compat` directory from LD_LIBRARY_PATH, since the host's driver does not fit it";
    804 CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE cudaErrorCompatNotSupportedOnDevice Environment:
        "the forward compatibility package does not work with this GPU";
        "it is for data-centre GPUs only: drop its directory from LD_LIBRARY_PATH and update the driver, or use an older runtime";
    805 CUDA_ERROR_MPS_CONNECTION_FAILED cudaErrorMpsConnectionFailed Environment:
        "no connection to the MPS daemon";
        "start nvidia-cuda-mps-control as this user, or unset CUDA_MPS_PIPE_DIRECTORY";
    806 CUDA_ERROR_MPS_RPC_FAILURE cudaErrorMpsRpcFailure Environment:
        "the MPS server did not answer properly";
        "see the MPS server's log and start it anew";
    807 CUDA_ERROR_MPS_SERVER_NOT_READY cudaErrorMpsServerNotReady Transient:
        "the MPS server takes no clients at the moment";
        "it recovers from another client's fault: try again later, and see its log";
    808 CUDA_ERROR_MPS_MAX_CLIENTS_REACHED cudaErrorMpsMaxClientsReached Resource:
        "the MPS server has as many clients as it can";
        "run fewer processes at a time";
    809 CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED cudaErrorMpsMaxConnectionsReached Resource:
        "MPS has no device connections left";
        "run fewer processes, or give each fewer connections (CUDA_DEVICE_MAX_CONNECTIONS)";
    810 CUDA_ERROR_MPS_CLIENT_TERMINATED cudaErrorMpsClientTerminated Sticky:
        "the MPS server ended this client";
        "another client's fault or the operator did it: start a new process";
    811 CUDA_ERROR_CDP_NOT_SUPPORTED cudaErrorCdpNotSupported Environment:
        "kernels can't launch kernels in this configuration";
        "MPS, for one, excludes it: run without MPS, or without launches from the device";
    812 CUDA_ERROR_CDP_VERSION_MISMATCH cudaErrorCdpVersionMismatch Usage:
        "device code of two generations of nested launches is mixed";
        "build all device code with the same toolkit and the same interface";
    900 CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED cudaErrorStreamCaptureUnsupported Usage:
        "not allowed while the stream is capturing";
        "move synchronous calls, plain allocations and module loads out of the capture";
    901 CUDA_ERROR_STREAM_CAPTURE_INVALIDATED cudaErrorStreamCaptureInvalidated Usage:
        "the capture was broken by an earlier error";
        "end the capture, find the first call that failed, begin anew";
    902 CUDA_ERROR_STREAM_CAPTURE_MERGE cudaErrorStreamCaptureMerge Usage:
        "two captures would be joined";
        "do not wait in one capture for an event of another";
    903 CUDA_ERROR_STREAM_CAPTURE_UNMATCHED cudaErrorStreamCaptureUnmatched Usage:
        "the capture did not begin in this stream";
        "end it in the stream that began it";
    904 CUDA_ERROR_STREAM_CAPTURE_UNJOINED cudaErrorStreamCaptureUnjoined Usage:
        "a stream that the capture forked to was not joined";
        "record an event there, and wait for it in the stream that began the capture";
    905 CUDA_ERROR_STREAM_CAPTURE_ISOLATION cudaErrorStreamCaptureIsolation Usage:
        "the capture would depend on work outside it";
        "wait for that work before the capture begins";
    906 CUDA_ERROR_STREAM_CAPTURE_IMPLICIT cudaErrorStreamCaptureImplicit Usage:
        "the legacy default stream was used, which orders itself against the capture";
        "use non-blocking streams, and not the legacy default stream, while capturing";
    907 CUDA_ERROR_CAPTURED_EVENT cudaErrorCapturedEvent Usage:
        "the event was recorded within a capture, so it can't be asked or waited for outside";
        "use another event outside the capture";
    908 CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD cudaErrorStreamCaptureWrongThread Usage:
        "the capture was ended on another thread than it began on";
        "end it on the same thread, or begin it in relaxed mode";
    909 CUDA_ERROR_TIMEOUT cudaErrorTimeout Transient:
        "the wait took longer than its limit";
        "wait again, or longer";
    910 CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE cudaErrorGraphExecUpdateFailure Usage:
        "the executable graph can't be updated to this graph";
        "its shape or a kind of node changed: instantiate the new graph";
    911 CUDA_ERROR_EXTERNAL_DEVICE cudaErrorExternalDevice AsyncFault:
        "a device other than the GPU reported a failure";
        "the partner in external memory or semaphores failed; if it came late, this process is lost to CUDA: start a new one";
    912 CUDA_ERROR_INVALID_CLUSTER_SIZE cudaErrorInvalidClusterSize Usage:
        "the cluster's size is not possible";
        "it must divide the grid, and have at most 8 blocks unless the kernel allows more: ask for the largest";
    913 CUDA_ERROR_FUNCTION_NOT_LOADED cudaErrorFunctionNotLoaded Usage:
        "the kernel is not loaded yet";
        "load it first; lazy loading leaves that to the first launch";
    914 CUDA_ERROR_INVALID_RESOURCE_TYPE cudaErrorInvalidResourceType Usage:
        "a resource is of the wrong kind";
        "give multiprocessors where multiprocessors are meant";
    915 CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION cudaErrorInvalidResourceConfiguration Usage:
        "these resources do not suffice or do not go together";
        "ask the device how its multiprocessors can be split";
    916 CUDA_ERROR_KEY_ROTATION - Transient:
        "the keys of a confidential GPU could not be renewed";
        "let work in flight end and try again; if it stays, start a new process";
    917 CUDA_ERROR_STREAM_DETACHED cudaErrorStreamDetached Usage:
        "the stream lost its green context";
        "keep the green context as long as its streams";
    918 CUDA_ERROR_GRAPH_RECAPTURE_FAILURE cudaErrorGraphRecaptureFailure Usage:
        "a graph could not be captured again";
        "the new work differs in shape: capture and instantiate a new graph";
    919 CUDA_ERROR_FABRIC_NOT_READY cudaErrorFabricNotReady Transient:
        "the fabric between GPUs was not ready in time";
        "try again after a while; CUDA_FABRIC_INIT_TIMEOUT_MS sets how long the driver waits, and the fabric manager has to run";
    999 CUDA_ERROR_UNKNOWN cudaErrorUnknown Environment:
        "an internal failure of the driver";
        "look at the kernel log (`dmesg`) for Xid and NVRM messages; reload the driver or reboot. At start-up also: device nodes missing or closed to this user";
    10000 - cudaErrorApiFailureBase Environment:
        "a failure of the driver that the runtime does not know";
        "not returned since CUDA 4.1: driver and runtime are far apart in age";
}
