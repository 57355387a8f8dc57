//! Codes below 200: arguments, start-up, devices.

super::entries! {
    0 CUDA_SUCCESS cudaSuccess NotAnError:
        "success";
        "nothing to do";
    1 CUDA_ERROR_INVALID_VALUE cudaErrorInvalidValue Usage:
        "an argument has a value that is not allowed";
        "look for null or misaligned pointers, sizes and offsets out of range, unknown flags; a driver older than the header refuses newer flags and attributes this way";
    2 CUDA_ERROR_OUT_OF_MEMORY cudaErrorMemoryAllocation Resource:
        "out of memory";
        "device memory, pinned host memory or a pool is used up (a context needs some too): free or trim pools, use smaller batches, see who else uses the GPU";
    3 CUDA_ERROR_NOT_INITIALIZED cudaErrorInitializationError Environment:
        "CUDA is not initialised";
        "initialisation failed before, was never done, or happened before a fork: see `cuda_rt::check()`, and start CUDA after forking, not before";
    4 CUDA_ERROR_DEINITIALIZED cudaErrorCudartUnloading Shutdown:
        "CUDA has shut down already";
        "the process is exiting: static destructors and exit handlers run after CUDA is gone; release CUDA objects before `main` returns, or leave them";
    5 CUDA_ERROR_PROFILER_DISABLED cudaErrorProfilerDisabled NotAnError:
        "profiling can't be controlled in this run";
        "an external profiler controls it; calls that start and stop profiling have no effect";
    6 CUDA_ERROR_PROFILER_NOT_INITIALIZED cudaErrorProfilerNotInitialized Usage:
        "the profiler was not set up";
        "no longer returned since CUDA 5.0; an old driver or an interposed library answered";
    7 CUDA_ERROR_PROFILER_ALREADY_STARTED cudaErrorProfilerAlreadyStarted NotAnError:
        "profiling is on already";
        "no longer returned since CUDA 5.0; can be ignored";
    8 CUDA_ERROR_PROFILER_ALREADY_STOPPED cudaErrorProfilerAlreadyStopped NotAnError:
        "profiling is off already";
        "no longer returned since CUDA 5.0; can be ignored";
    9 - cudaErrorInvalidConfiguration Usage:
        "the launch has dimensions that this device never allows";
        "grid, block or shared memory exceed the device's limits, or a dimension is 0 (libcudart 13 says 1 instead): compare with the device's attributes";
    10 - cudaErrorVersionTranslation Environment:
        "the driver is newer than the runtime and described a graph node in a way that it can't express";
        "use a libcudart as new as the driver, or read the node through the driver API";
    12 - cudaErrorInvalidPitchValue Usage:
        "a pitch is out of range";
        "a pitch is at least the width of a row in bytes and at most the device's largest pitch";
    13 - cudaErrorInvalidSymbol Usage:
        "no such global or constant variable";
        "the symbol belongs to another module or was not registered; from Rust, look it up by name in the module";
    16 - cudaErrorInvalidHostPointer Usage:
        "a host pointer is not valid";
        "not returned since CUDA 10.1, newer runtimes say 1";
    17 - cudaErrorInvalidDevicePointer Usage:
        "a device pointer is not valid";
        "not returned since CUDA 10.1, newer runtimes say 1; the memory was freed, or is host memory";
    18 - cudaErrorInvalidTexture Usage:
        "not a valid texture";
        "the texture was destroyed or never created";
    19 - cudaErrorInvalidTextureBinding Usage:
        "the texture has no memory bound to it";
        "bind it first, or better use texture objects";
    20 - cudaErrorInvalidChannelDescriptor Usage:
        "the channel format is not valid";
        "channels have 8, 16 or 32 bits, no gaps between them, and a kind that exists";
    21 - cudaErrorInvalidMemcpyDirection Usage:
        "the direction of the copy is not one that exists";
        "use host-to-device, device-to-host, device-to-device, host-to-host or default";
    22 - cudaErrorAddressOfConstant Usage:
        "the address of a constant variable was taken";
        "only CUDA before 3.1 refused this";
    23 - cudaErrorTextureFetchFailed Usage:
        "a texture could not be read";
        "only the device emulation of CUDA before 3.1 returned this";
    24 - cudaErrorTextureNotBound Usage:
        "a texture was read with nothing bound to it";
        "only the device emulation of CUDA before 3.1 returned this";
    25 - cudaErrorSynchronizationError Usage:
        "a synchronisation failed";
        "only the device emulation of CUDA before 3.1 returned this";
    26 - cudaErrorInvalidFilterSetting Usage:
        "linear filtering of a texture that does not hold floats";
        "filter point-wise, or read as normalised float";
    27 - cudaErrorInvalidNormSetting Usage:
        "this element type can't be read as normalised float";
        "only 8-bit and 16-bit integers can";
    28 - cudaErrorMixedDeviceExecution Usage:
        "device code and emulated device code in one program";
        "only the device emulation of CUDA before 3.1 returned this";
    31 - cudaErrorNotYetImplemented Usage:
        "not implemented";
        "released versions of CUDA never return this";
    32 - cudaErrorMemoryValueTooLarge Usage:
        "an emulated pointer does not fit 32 bits";
        "only the device emulation of CUDA before 3.1 returned this";
    34 CUDA_ERROR_STUB_LIBRARY cudaErrorStubLibrary Environment:
        "the driver library that was loaded is the toolkit's stub";
        "a stub only serves linking: take the toolkit's `stubs` directory out of LD_LIBRARY_PATH and out of the program's RUNPATH";
    35 - cudaErrorInsufficientDriver Environment:
        "there is no driver, or it is too old for this runtime";
        "the code says the same for both: `cuda_rt::check()` tells which, and what to install";
    36 CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER cudaErrorCallRequiresNewerDriver Environment:
        "this function needs a newer driver";
        "the rest of CUDA works: do without the function on this machine, or update the driver";
    37 - cudaErrorInvalidSurface Usage:
        "not a valid surface";
        "the surface was destroyed or never created";
    43 - cudaErrorDuplicateVariableName Usage:
        "two global or constant variables have one name";
        "rename one, make it static, or build with relocatable device code";
    44 - cudaErrorDuplicateTextureName Usage:
        "two textures have one name";
        "rename one, or use texture objects";
    45 - cudaErrorDuplicateSurfaceName Usage:
        "two surfaces have one name";
        "rename one, or use surface objects";
    46 CUDA_ERROR_DEVICE_UNAVAILABLE cudaErrorDevicesUnavailable Environment:
        "the GPU is in use by another process, or closed to compute";
        "look at the compute mode (`nvidia-smi -q -d COMPUTE`): exclusive mode admits one process, share it through MPS or set the default mode; prohibited mode admits none. After a fault in this process, start a new one";
    47 CUDA_ERROR_MULTICAST_RESOURCE_FULL - Resource:
        "the hardware can bind no more memory to multicast objects";
        "unbind what is no longer used, and align offsets to the granularity that the driver asks for";
    49 - cudaErrorIncompatibleDriverContext Usage:
        "the current context is none that the runtime can use";
        "the runtime wants the device's primary context: retain that one instead of creating another, and do not destroy it while the runtime works";
    52 - cudaErrorMissingConfiguration Usage:
        "a kernel was launched without a configuration";
        "an old launch interface; give grid and block with the launch";
    53 - cudaErrorPriorLaunchFailure AsyncFault:
        "an earlier launch failed";
        "only the device emulation of CUDA before 3.1 returned this";
    65 - cudaErrorLaunchMaxDepthExceeded Resource:
        "kernels launched kernels deeper than the device allows";
        "limit the depth of nested launches";
    66 - cudaErrorLaunchFileScopedTex Usage:
        "a kernel launched from the device uses a file-scope texture";
        "use texture objects";
    67 - cudaErrorLaunchFileScopedSurf Usage:
        "a kernel launched from the device uses a file-scope surface";
        "use surface objects";
    68 - cudaErrorSyncDepthExceeded Resource:
        "a kernel waited for its children deeper than the limit";
        "raise the device's limit for synchronisation depth before the launch; compute capability 9.0 and later can't wait on the device at all";
    69 - cudaErrorLaunchPendingCountExceeded Resource:
        "too many launches from the device are pending";
        "raise the device's limit for pending launches before the launch";
    98 - cudaErrorInvalidDeviceFunction Usage:
        "no such kernel for this device";
        "the kernel was not built for this GPU's architecture, or two copies of the runtime are in the program (one static, one shared) and the other one knows it";
    100 CUDA_ERROR_NO_DEVICE cudaErrorNoDevice Environment:
        "no usable GPU";
        "no GPU, no kernel driver, no device nodes (a container started without GPU access), or CUDA_VISIBLE_DEVICES hides them all: see what nvidia-smi says in the same place";
    101 CUDA_ERROR_INVALID_DEVICE cudaErrorInvalidDevice Usage:
        "no device with this number";
        "numbers count from 0 over the devices that CUDA_VISIBLE_DEVICES leaves (one MIG instance at most): ask for the count first";
    102 CUDA_ERROR_DEVICE_NOT_LICENSED cudaErrorDeviceNotLicensed Environment:
        "the virtual GPU has no licence";
        "check the vGPU licence server and the client's configuration";
    103 - cudaErrorSoftwareValidityNotEstablished Environment:
        "a self-test of the runtime or of the driver failed";
        "a library is damaged or was tampered with: install driver and runtime anew";
    127 - cudaErrorStartupFailure Environment:
        "the runtime could not start";
        "an internal failure of libcudart: run `cuda-doctor`, look for a damaged installation and for missing libraries of the driver";
}
