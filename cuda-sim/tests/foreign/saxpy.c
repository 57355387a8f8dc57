/* A program that knows nothing of Rust and was linked with libcuda.so.1 and libcudart.so.N: saxpy through both, on one
 * machine. `missing-wait` leaves out the wait between two streams. The declarations are our own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct CUctx_st *context_t;
typedef struct CUmod_st *module_t;
typedef struct CUfunc_st *function_t;
typedef struct CUstream_st *stream_t;
typedef struct CUevent_st *event_t;
typedef struct CUlib_st *library_t;
typedef unsigned long long address_t;
typedef struct { unsigned x, y, z; } dim3;

int cuInit(unsigned flags);
int cuDriverGetVersion(int *version);
int cuDeviceGet(int *device, int ordinal);
int cuDevicePrimaryCtxRetain(context_t *context, int device);
int cuDevicePrimaryCtxRelease_v2(int device);
int cuCtxSetCurrent(context_t context);
int cuModuleLoadData(module_t *module, const void *image);
int cuModuleUnload(module_t module);
int cuModuleGetFunction(function_t *function, module_t module, const char *name);
int cuStreamCreate(stream_t *stream, unsigned flags);
int cuStreamDestroy_v2(stream_t stream);
int cuStreamSynchronize(stream_t stream);
int cuStreamWaitEvent(stream_t stream, event_t event, unsigned flags);
int cuEventCreate(event_t *event, unsigned flags);
int cuEventRecord(event_t event, stream_t stream);
int cuEventDestroy_v2(event_t event);
int cuMemAlloc_v2(address_t *address, size_t bytes);
int cuMemFree_v2(address_t address);
int cuMemcpyHtoDAsync_v2(address_t to, const void *from, size_t bytes, stream_t stream);
int cuMemcpyDtoHAsync_v2(void *to, address_t from, size_t bytes, stream_t stream);
int cuLaunchKernel(function_t function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned shared,
                   stream_t stream, void **parameters, void **extra);
int cudaRuntimeGetVersion(int *version);
int cudaMalloc(void **memory, size_t bytes);
int cudaFree(void *memory);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
int cudaStreamCreate(stream_t *stream);
int cudaStreamSynchronize(stream_t stream);
int cudaStreamDestroy(stream_t stream);
int cudaLibraryLoadData(library_t *, const void *, void *, void *, unsigned, void *, void *, unsigned);
int cudaLibraryGetKernel(void **kernel, library_t library, const char *name);
int cudaLibraryUnload(library_t library);
int cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, stream_t stream);

#define OK(call)                                                                                                       \
    do {                                                                                                               \
        int code = (call);                                                                                             \
        if (code != 0) {                                                                                               \
            fprintf(stderr, "%s = %d\n", #call, code);                                                                 \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

enum { N = 10000, BLOCK = 128, BYTES = N * sizeof(float) };
static float x[N], y[N], out[N];
static float a = 2.5f;
static unsigned n = N;

static void check(const char *layer) {
    for (int i = 0; i < N; i++) {
        if (out[i] != a * x[i] + y[i]) {
            fprintf(stderr, "%s: element %d is %g\n", layer, i, out[i]);
            exit(1);
        }
    }
}

static char *read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc(1, (size_t)size + 1);
    if (text == NULL || fread(text, 1, (size_t)size, file) != (size_t)size) exit(1);
    fclose(file);
    return text;
}

static void through_the_driver(const char *image, int waits) {
    module_t module;
    function_t saxpy;
    stream_t up, down;
    event_t event;
    address_t dx, dy;
    OK(cuModuleLoadData(&module, image));
    OK(cuModuleGetFunction(&saxpy, module, "saxpy"));
    OK(cuStreamCreate(&up, 1));
    OK(cuStreamCreate(&down, 1));
    OK(cuEventCreate(&event, 2));
    OK(cuMemAlloc_v2(&dx, BYTES));
    OK(cuMemAlloc_v2(&dy, BYTES));
    OK(cuMemcpyHtoDAsync_v2(dx, x, BYTES, up));
    OK(cuMemcpyHtoDAsync_v2(dy, y, BYTES, up));
    void *parameters[] = {&n, &a, &dx, &dy};
    OK(cuLaunchKernel(saxpy, (N + BLOCK - 1) / BLOCK, 1, 1, BLOCK, 1, 1, 0, up, parameters, NULL));
    OK(cuEventRecord(event, up));
    if (waits) OK(cuStreamWaitEvent(down, event, 0));
    OK(cuMemcpyDtoHAsync_v2(out, dy, BYTES, down));
    OK(cuStreamSynchronize(down));
    if (waits) check("driver");
    OK(cuStreamSynchronize(up));
    OK(cuMemFree_v2(dx));
    OK(cuMemFree_v2(dy));
    OK(cuEventDestroy_v2(event));
    OK(cuStreamDestroy_v2(up));
    OK(cuStreamDestroy_v2(down));
    OK(cuModuleUnload(module));
}

static void through_the_runtime(const char *image) {
    library_t library;
    void *saxpy, *dx, *dy;
    stream_t stream;
    OK(cudaLibraryLoadData(&library, image, NULL, NULL, 0, NULL, NULL, 0));
    OK(cudaLibraryGetKernel(&saxpy, library, "saxpy"));
    OK(cudaStreamCreate(&stream));
    OK(cudaMalloc(&dx, BYTES));
    OK(cudaMalloc(&dy, BYTES));
    OK(cudaMemcpy(dx, x, BYTES, 1));
    OK(cudaMemcpy(dy, y, BYTES, 1));
    void *arguments[] = {&n, &a, &dx, &dy};
    dim3 grid = {(N + BLOCK - 1) / BLOCK, 1, 1}, block = {BLOCK, 1, 1};
    OK(cudaLaunchKernel(saxpy, grid, block, arguments, 0, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaMemcpy(out, dy, BYTES, 2));
    check("runtime");
    /* Memory of one layer, freed by the other: one machine. */
    OK(cuMemFree_v2((address_t)dx));
    OK(cudaFree(dy));
    OK(cudaStreamDestroy(stream));
    OK(cudaLibraryUnload(library));
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int device, driver, runtime;
    context_t context;
    char *image = read_text(argv[1]);
    for (int i = 0; i < N; i++) {
        x[i] = (float)(i % 100);
        y[i] = (float)(i % 7);
    }
    OK(cuInit(0));
    OK(cuDriverGetVersion(&driver));
    OK(cudaRuntimeGetVersion(&runtime));
    OK(cuDeviceGet(&device, 0));
    OK(cuDevicePrimaryCtxRetain(&context, device));
    OK(cuCtxSetCurrent(context));
    through_the_driver(image, argc < 3 || strcmp(argv[2], "missing-wait") != 0);
    through_the_runtime(image);
    OK(cuDevicePrimaryCtxRelease_v2(device));
    printf("saxpy: driver %d, runtime %d\n", driver, runtime);
    free(image);
    return 0;
}
