/* Which CUDA calls need a current context, and what happens when another one is current?
 *
 * Build:  gcc -O2 -o current_context current_context.c -ldl -lpthread      (no CUDA header or library needed)
 * Run:    current_context MODE [path of libcudart.so.N]
 *   runtime  table A: runtime calls by situation       (needs the path)
 *   driver   table B: driver calls by situation
 *   mixed    table C: kernel handles across the layers (needs the path; a child process per line)
 *   cold     table A2: the process's first runtime call, driver initialised before (needs the path; a child per line)
 *   async    table D1: pageable copies behind a long kernel, pointer attributes before any fault
 *   fault    table D2: calls after an illegal address  (a child process per line)
 *   copies   table E1: small and large pageable copies, blocking and not
 *   time     table E2: host cost                       (with a path: the runtime's calls too)
 *   order    table G: is a blocking upload seen by a kernel launched next on a non-blocking stream?
 *   blocking table H: which calls wait for a running kernel
 *   released table I: calls with handles of a primary context after its last release (a child process per line)
 *   fork     table F: calls in a forked child          (with a path: the runtime's calls too; forkcold: the parent
 *            never called the runtime)
 *
 * A cell of tables A and B reads `code effect ->context`: the code returned (0 is success); whose context the result
 * belongs to (P primary, O the other one) or whether the work was really done; and the context current on that thread
 * afterwards, if it changed.  The situations are the columns; every cell runs on a new thread.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef void *H;              /* any opaque handle */
typedef unsigned long long D; /* CUdeviceptr */
typedef unsigned U;
typedef struct { U x, y, z; } dim3;
typedef struct { dim3 grid, block; size_t shared; H stream; void *attrs; U num_attrs; } RtConfig;

#define DRIVER(X) \
    X(cuInit, (U)) X(cuDriverGetVersion, (int *)) X(cuDeviceGetCount, (int *)) X(cuDeviceGetAttribute, (int *, int, int)) \
    X(cuDeviceGetName, (char *, int, int)) X(cuDevicePrimaryCtxRetain, (H *, int)) X(cuDevicePrimaryCtxRelease_v2, (int)) \
    X(cuDevicePrimaryCtxReset_v2, (int)) X(cuDevicePrimaryCtxGetState, (int, U *, int *)) \
    X(cuCtxCreate_v2, (H *, U, int)) X(cuCtxDestroy_v2, (H)) X(cuCtxSetCurrent, (H)) X(cuCtxGetCurrent, (H *)) \
    X(cuCtxPushCurrent_v2, (H)) X(cuCtxPopCurrent_v2, (H *)) X(cuCtxGetDevice, (int *)) X(cuCtxSynchronize, (void)) \
    X(cuMemGetInfo_v2, (size_t *, size_t *)) X(cuMemAlloc_v2, (D *, size_t)) X(cuMemFree_v2, (D)) \
    X(cuMemHostAlloc, (void **, size_t, U)) X(cuMemFreeHost, (void *)) X(cuMemHostRegister_v2, (void *, size_t, U)) \
    X(cuMemHostUnregister, (void *)) X(cuMemAllocAsync, (D *, size_t, H)) X(cuMemFreeAsync, (D, H)) \
    X(cuDeviceGetDefaultMemPool, (H *, int)) X(cuMemPoolSetAttribute, (H, int, void *)) \
    X(cuMemcpyHtoD_v2, (D, const void *, size_t)) X(cuMemcpyDtoH_v2, (void *, D, size_t)) X(cuMemcpyDtoD_v2, (D, D, size_t)) \
    X(cuMemcpyHtoDAsync_v2, (D, const void *, size_t, H)) X(cuMemcpyDtoHAsync_v2, (void *, D, size_t, H)) \
    X(cuMemcpyDtoDAsync_v2, (D, D, size_t, H)) X(cuMemsetD8_v2, (D, unsigned char, size_t)) \
    X(cuMemsetD32_v2, (D, U, size_t)) X(cuMemsetD8Async, (D, unsigned char, size_t, H)) \
    X(cuPointerGetAttribute, (void *, int, D)) X(cuStreamCreate, (H *, U)) X(cuStreamDestroy_v2, (H)) \
    X(cuStreamQuery, (H)) X(cuStreamSynchronize, (H)) X(cuStreamGetId, (H, D *)) X(cuStreamGetPriority, (H, int *)) \
    X(cuStreamGetFlags, (H, U *)) X(cuStreamGetCtx, (H, H *)) X(cuStreamIsCapturing, (H, int *)) \
    X(cuStreamWaitEvent, (H, H, U)) X(cuStreamBeginCapture_v2, (H, int)) X(cuStreamEndCapture, (H, H *)) \
    X(cuLaunchHostFunc, (H, void (*)(void *), void *)) X(cuEventCreate, (H *, U)) X(cuEventDestroy_v2, (H)) \
    X(cuEventRecord, (H, H)) X(cuEventQuery, (H)) X(cuEventSynchronize, (H)) X(cuEventElapsedTime, (float *, H, H)) \
    X(cuModuleLoadData, (H *, const void *)) X(cuModuleUnload, (H)) X(cuModuleGetFunction, (H *, H, const char *)) \
    X(cuModuleGetGlobal_v2, (D *, size_t *, H, const char *)) X(cuLibraryLoadData, (H *, const void *, void *, void *, U, void *, void *, U)) \
    X(cuLibraryUnload, (H)) X(cuLibraryGetKernel, (H *, H, const char *)) X(cuLibraryGetModule, (H *, H)) \
    X(cuLibraryGetGlobal, (D *, size_t *, H, const char *)) \
    X(cuKernelGetFunction, (H *, H)) X(cuKernelGetAttribute, (int *, int, H, int)) X(cuFuncGetAttribute, (int *, int, H)) \
    X(cuFuncGetParamInfo, (H, size_t, size_t *, size_t *)) X(cuKernelGetParamInfo, (H, size_t, size_t *, size_t *)) \
    X(cuLaunchKernel, (H, U, U, U, U, U, U, U, H, void **, void **)) \
    X(cuGraphInstantiateWithFlags, (H *, H, D)) X(cuGraphLaunch, (H, H)) X(cuGraphExecDestroy, (H)) X(cuGraphDestroy, (H)) \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *, H, int, size_t))

#define RUNTIME(X) \
    X(cudaRuntimeGetVersion, (int *)) X(cudaGetDeviceCount, (int *)) X(cudaGetDevice, (int *)) X(cudaSetDevice, (int)) \
    X(cudaDeviceGetAttribute, (int *, int, int)) X(cudaDeviceSynchronize, (void)) X(cudaGetLastError, (void)) \
    X(cudaPeekAtLastError, (void)) X(cudaMemGetInfo, (size_t *, size_t *)) X(cudaMalloc, (D *, size_t)) X(cudaFree, (D)) \
    X(cudaMallocHost, (void **, size_t)) X(cudaFreeHost, (void *)) X(cudaHostRegister, (void *, size_t, U)) \
    X(cudaHostUnregister, (void *)) X(cudaMallocAsync, (D *, size_t, H)) X(cudaFreeAsync, (D, H)) \
    X(cudaMallocFromPoolAsync, (D *, size_t, H, H)) X(cudaDeviceGetDefaultMemPool, (H *, int)) \
    X(cudaMemcpy, (void *, const void *, size_t, int)) X(cudaMemcpyAsync, (void *, const void *, size_t, int, H)) \
    X(cudaMemset, (void *, int, size_t)) X(cudaMemsetAsync, (void *, int, size_t, H)) \
    X(cudaPointerGetAttributes, (void *, const void *)) X(cudaStreamCreateWithFlags, (H *, U)) X(cudaStreamDestroy, (H)) \
    X(cudaStreamQuery, (H)) X(cudaStreamSynchronize, (H)) X(cudaStreamWaitEvent, (H, H, U)) X(cudaStreamGetPriority, (H, int *)) \
    X(cudaStreamGetId, (H, D *)) X(cudaStreamGetFlags, (H, U *)) X(cudaStreamGetDevice, (H, int *)) X(cudaStreamIsCapturing, (H, int *)) \
    X(cudaStreamBeginCapture, (H, int)) X(cudaStreamEndCapture, (H, H *)) X(cudaLaunchHostFunc, (H, void (*)(void *), void *)) \
    X(cudaEventCreateWithFlags, (H *, U)) X(cudaEventDestroy, (H)) X(cudaEventRecord, (H, H)) X(cudaEventQuery, (H)) \
    X(cudaEventSynchronize, (H)) X(cudaEventElapsedTime, (float *, H, H)) \
    X(cudaLibraryLoadData, (H *, const void *, void *, void *, U, void *, void *, U)) X(cudaLibraryUnload, (H)) \
    X(cudaLibraryGetKernel, (H *, H, const char *)) X(cudaFuncGetAttributes, (void *, const void *)) \
    X(cudaFuncSetAttribute, (const void *, int, int)) X(cudaOccupancyMaxActiveBlocksPerMultiprocessor, (int *, const void *, int, size_t)) \
    X(cudaLaunchKernel, (const void *, dim3, dim3, void **, size_t, H)) X(cudaLaunchKernelExC, (const RtConfig *, const void *, void **)) \
    X(cudaGraphInstantiate, (H *, H, D)) X(cudaGraphLaunch, (H, H)) X(cudaGraphExecDestroy, (H)) X(cudaGraphDestroy, (H))

#define DECLARE(name, args) static int(*name) args;
DRIVER(DECLARE)
RUNTIME(DECLARE)

static const char PTX[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .global .align 4 .u32 g_word;\n"
    ".visible .entry k4(.param .u64 p, .param .u32 a, .param .f32 f, .param .u32 b)\n{\n"
    "  .reg .u64 %d<3>; .reg .u32 %r<4>;\n"
    "  ld.param.u64 %d1, [p]; ld.param.u32 %r1, [a]; ld.param.u32 %r2, [b];\n"
    "  add.u32 %r3, %r1, %r2; cvta.to.global.u64 %d2, %d1; st.global.u32 [%d2], %r3; ret;\n}\n"
    ".visible .entry spin(.param .u64 ns)\n{\n"
    "  .reg .u64 %d<5>; .reg .pred %p<2>;\n"
    "  ld.param.u64 %d1, [ns]; mov.u64 %d2, %globaltimer;\n"
    "L: mov.u64 %d3, %globaltimer; sub.u64 %d4, %d3, %d2; setp.lt.u64 %p1, %d4, %d1; @%p1 bra L; ret;\n}\n"
    ".visible .entry word(.param .u64 from, .param .u64 to)\n{\n"
    "  .reg .u64 %d<3>; .reg .u32 %r<2>;\n"
    "  ld.param.u64 %d1, [from]; ld.param.u64 %d2, [to];\n"
    "  ld.volatile.global.u32 %r1, [%d1]; st.global.u32 [%d2], %r1; ret;\n}\n";
/* the same without a global variable */
static const char PTX_PLAIN[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry k0()\n{\n  ret;\n}\n";

enum { NONBLOCKING = 1, NO_TIMING = 2, RELAXED = 2, ATTR_CONTEXT = 1, ATTR_TYPE = 2, H2D = 1, D2H = 2, D2D = 3, ANY = 4 };
#define MIB ((size_t)1 << 20)

static H prim, other, st, st2, ev, ev2, lib, kern, kern_rt, mod, fn, fn_spin, obj, obj2, pool, nothing;
static D d1, d2, dp, out64;
static int out32;
static U outU;
static float outf;
static size_t out_size, out_size2;
static void *hp;
static U host[1024];
static char blob[4096];
static void *rt;

static D arg_p; static U arg_a = 40, arg_b = 2; static float arg_f = 1.0f;
static void *args4[4] = {&arg_p, &arg_a, &arg_f, &arg_b};

static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1e9 + t.tv_nsec; }
static void must(int code, const char *what) { if (code) { printf("FAILED %s: %d\n", what, code); fflush(stdout); _exit(2); } }
#define MUST(call) must((call), #call)

static void load(const char *path) {
    void *d = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (!d) { printf("no libcuda: %s\n", dlerror()); exit(2); }
#define FROM_D(name, args) if (!(*(void **)&name = dlsym(d, #name))) printf("(driver has no %s)\n", #name);
#define FROM_R(name, args) if (!(*(void **)&name = dlsym(rt, #name))) printf("(runtime has no %s)\n", #name);
    DRIVER(FROM_D)
    if (!path) return;
    rt = dlopen(path, RTLD_NOW);
    if (!rt) { printf("no runtime: %s\n", dlerror()); exit(2); }
    RUNTIME(FROM_R)
}

static void setup(int with_other) {
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&prim, 0));
    if (with_other) { MUST(cuCtxCreate_v2(&other, 0, 0)); MUST(cuCtxPopCurrent_v2(&nothing)); }
    MUST(cuCtxSetCurrent(prim));
    MUST(cuStreamCreate(&st, NONBLOCKING)); MUST(cuStreamCreate(&st2, NONBLOCKING));
    MUST(cuEventCreate(&ev, 0)); MUST(cuEventCreate(&ev2, 0)); MUST(cuEventRecord(ev, st)); MUST(cuEventRecord(ev2, st));
    MUST(cuMemAlloc_v2(&d1, 16 * MIB)); MUST(cuMemAlloc_v2(&d2, 16 * MIB)); arg_p = d1;
    MUST(cuLibraryLoadData(&lib, PTX, 0, 0, 0, 0, 0, 0)); MUST(cuLibraryGetKernel(&kern, lib, "k4"));
    MUST(cuModuleLoadData(&mod, PTX)); MUST(cuModuleGetFunction(&fn, mod, "k4")); MUST(cuModuleGetFunction(&fn_spin, mod, "spin"));
    MUST(cuDeviceGetDefaultMemPool(&pool, 0));
    kern_rt = kern;
    if (cudaLibraryGetKernel) {
        H l; MUST(cudaLibraryLoadData(&l, PTX, 0, 0, 0, 0, 0, 0)); MUST(cudaLibraryGetKernel(&kern_rt, l, "k4"));
    }
    MUST(cuStreamSynchronize(st));
}

static void banner(const char *mode) {
    int d = 0; int r = 0; char name[64] = ""; int pageable = -1;
    cuDriverGetVersion(&d); if (rt) cudaRuntimeGetVersion(&r);
    if (!cuDeviceGetName(name, 64, 0)) cuDeviceGetAttribute(&pageable, 88, 0);
    printf("\n### %s: %s, driver %d, runtime %d, pageableMemoryAccess %d\n", mode, name, d, r, pageable);
}

/* ---- the case tables (A and B) ------------------------------------------------------------------------------------- */
typedef struct { const char *name; void **need; void (*prepare)(void); int (*call)(void); const char *(*check)(void); } Case;
static Case cases[2][128];
static int ncases[2];
static void add_case(int table, Case c) { cases[table][ncases[table]++] = c; }
#define CASE(table, id, text, need, PREPARE, CALL, CHECK) \
    static void p_##table##id(void) { PREPARE; } static int c_##table##id(void) { return CALL; } \
    static const char *k_##table##id(void) { CHECK; return ""; } \
    __attribute__((constructor)) static void r_##table##id(void) { \
        add_case(table, (Case){text, (void **)&need, p_##table##id, c_##table##id, k_##table##id}); }
#define A(id, PREPARE, CALL, CHECK) CASE(0, id, #id, id, PREPARE, CALL, CHECK)
#define A2(id, text, need, PREPARE, CALL, CHECK) CASE(0, id, text, need, PREPARE, CALL, CHECK)
#define B(id, PREPARE, CALL, CHECK) CASE(1, id, #id, id, PREPARE, CALL, CHECK)
#define B2(id, text, need, PREPARE, CALL, CHECK) CASE(1, id, text, need, PREPARE, CALL, CHECK)

static char note[64];
static const char *owner(H c) { return c == prim ? "P" : c == other ? "O" : c ? "?" : "none"; }
static const char *ptr_ctx(D p) {
    H c = 0; int e = cuPointerGetAttribute(&c, ATTR_CONTEXT, p);
    if (e) { snprintf(note, sizeof note, "attr=%d", e); return note; }
    return owner(c);
}
static const char *stream_ctx(H s) { H c = 0; int e = cuStreamGetCtx(s, &c); cuStreamDestroy_v2(s); return e ? "?" : owner(c); }
static const char *event_ctx(H e) { int r = cuEventRecord(e, st); cuEventDestroy_v2(e); return r ? "O" : "P"; }
static void clear(void) { cuStreamSynchronize(st); cuMemsetD32_v2(d1, 7, 4); memset(host, 0, sizeof host); cuCtxSynchronize(); }
static const char *is(U want, const U *got_host) {
    U v = 0; cuStreamSynchronize(st); cuCtxSynchronize();
    if (other) { H c; cuCtxPushCurrent_v2(other); cuCtxSynchronize(); cuCtxPopCurrent_v2(&c); } /* its NULL stream too */
    if (got_host) v = *got_host; else cuMemcpyDtoH_v2(&v, d1, 4);
    return v == want ? "done" : "NOT DONE";
}
static const char *launches(H f) {
    clear(); int e = cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, st, args4, 0);
    if (e) { snprintf(note, sizeof note, "O(launch=%d)", e); return note; }
    return is(42, 0)[0] == 'd' ? "P" : "?";
}
static const char *gone(D p) { H c; return cuPointerGetAttribute(&c, ATTR_CONTEXT, p) ? "freed" : "NOT FREED"; }
static const char *num(int v) { snprintf(note, sizeof note, "=%d", v); return note; }
static void host_fn(void *p) { *(U *)p = 42; }
static RtConfig cfg(void) { RtConfig c = {{1, 1, 1}, {1, 1, 1}, 0, st, 0, 0}; return c; }
static int launch_exc(H k) { RtConfig c = cfg(); return cudaLaunchKernelExC(&c, k, args4); }
static int launch_rt(H k) { dim3 one = {1, 1, 1}; return cudaLaunchKernel(k, one, one, args4, 0, st); }
static int launch_drv(H k) { return cuLaunchKernel(k, 1, 1, 1, 1, 1, 1, 0, st, args4, 0); }
static void capture(void) { clear(); cuStreamBeginCapture_v2(st, RELAXED); cuMemsetD8Async(d1, 1, 4, st); cuStreamEndCapture(st, &obj); }
static void executable(void) { capture(); cuGraphInstantiateWithFlags(&obj2, obj, 0); }

/* Table A: runtime */
A2(exc, "cudaLaunchKernelExC", cudaLaunchKernelExC, clear(), launch_exc(kern_rt), return is(42, 0))
A2(lk, "cudaLaunchKernel", cudaLaunchKernel, clear(), launch_rt(kern_rt), return is(42, 0))
A(cudaMallocAsync, , cudaMallocAsync(&dp, 4096, st), const char *r = ptr_ctx(dp); cuMemFreeAsync(dp, st); return r)
A(cudaFreeAsync, cuMemAllocAsync(&dp, 4096, st), cudaFreeAsync(dp, st), )
A(cudaMallocFromPoolAsync, , cudaMallocFromPoolAsync(&dp, 4096, pool, st), const char *r = ptr_ctx(dp); cuMemFreeAsync(dp, st); return r)
A2(h2d, "cudaMemcpyAsync H2D pageable", cudaMemcpyAsync, clear(); host[0] = 42, cudaMemcpyAsync((void *)d1, host, 4, H2D, st), return is(42, 0))
A2(d2h, "cudaMemcpyAsync D2H pageable", cudaMemcpyAsync, clear(), cudaMemcpyAsync(host, (void *)d1, 4, D2H, st), return is(7, host))
A2(d2d, "cudaMemcpyAsync D2D", cudaMemcpyAsync, clear(); cuMemsetD32_v2(d2, 42, 1); cuCtxSynchronize(), cudaMemcpyAsync((void *)d1, (void *)d2, 4, D2D, st), return is(42, 0))
A2(def, "cudaMemcpyAsync Default", cudaMemcpyAsync, clear(); host[0] = 42, cudaMemcpyAsync((void *)d1, host, 4, ANY, st), return is(42, 0))
A(cudaMemsetAsync, clear(), cudaMemsetAsync((void *)d1, 1, 4, st), return is(0x01010101, 0))
A2(bh2d, "cudaMemcpy H2D (blocking)", cudaMemcpy, clear(); host[0] = 42, cudaMemcpy((void *)d1, host, 4, H2D), return is(42, 0))
A2(bd2h, "cudaMemcpy D2H (blocking)", cudaMemcpy, clear(), cudaMemcpy(host, (void *)d1, 4, D2H), return is(7, host))
A(cudaMemset, clear(), cudaMemset((void *)d1, 1, 4), return is(0x01010101, 0))
A(cudaEventCreateWithFlags, , cudaEventCreateWithFlags(&obj, NO_TIMING), return event_ctx(obj))
A(cudaEventRecord, , cudaEventRecord(ev, st), )
A(cudaStreamWaitEvent, , cudaStreamWaitEvent(st2, ev, 0), )
A(cudaEventQuery, cuStreamSynchronize(st), cudaEventQuery(ev), )
A(cudaEventSynchronize, , cudaEventSynchronize(ev), )
A(cudaEventElapsedTime, cuEventRecord(ev, st); cuEventRecord(ev2, st); cuStreamSynchronize(st), cudaEventElapsedTime(&outf, ev, ev2), )
A(cudaEventDestroy, cuEventCreate(&obj, 0), cudaEventDestroy(obj), )
A(cudaStreamCreateWithFlags, , cudaStreamCreateWithFlags(&obj, NONBLOCKING), return stream_ctx(obj))
A(cudaStreamQuery, cuStreamSynchronize(st), cudaStreamQuery(st), )
A(cudaStreamSynchronize, , cudaStreamSynchronize(st), )
A(cudaStreamDestroy, cuStreamCreate(&obj, NONBLOCKING), cudaStreamDestroy(obj), )
A(cudaStreamGetPriority, , cudaStreamGetPriority(st, &out32), )
A(cudaStreamGetId, , cudaStreamGetId(st, &out64), D want = 0; cuStreamGetId(st, &want); return want == out64 ? "same" : "DIFFERENT")
A(cudaStreamGetFlags, , cudaStreamGetFlags(st, &outU), )
A(cudaStreamGetDevice, out32 = -1, cudaStreamGetDevice(st, &out32), return num(out32))
A(cudaStreamIsCapturing, , cudaStreamIsCapturing(st, &out32), )
A(cudaStreamBeginCapture, clear(), cudaStreamBeginCapture(st, RELAXED), int e = cuStreamEndCapture(st, &obj); cuGraphDestroy(obj); return num(e))
A(cudaStreamEndCapture, clear(); cuStreamBeginCapture_v2(st, RELAXED), cudaStreamEndCapture(st, &obj), cuGraphDestroy(obj))
A(cudaGraphInstantiate, capture(), cudaGraphInstantiate(&obj2, obj, 0), int e = cuGraphLaunch(obj2, st); const char *r = is(0x01010101, 0); cuGraphExecDestroy(obj2); return e ? num(e) : r)
A(cudaGraphLaunch, executable(), cudaGraphLaunch(obj2, st), return is(0x01010101, 0))
A(cudaGraphExecDestroy, executable(), cudaGraphExecDestroy(obj2), )
A(cudaGraphDestroy, capture(), cudaGraphDestroy(obj), )
A(cudaLaunchHostFunc, clear(), cudaLaunchHostFunc(st, host_fn, host), return is(42, host))
A(cudaLibraryLoadData, , cudaLibraryLoadData(&obj, PTX, 0, 0, 0, 0, 0, 0), H k = 0; int e = cudaLibraryGetKernel(&k, obj, "k4"); return e ? num(e) : launches(k))
A(cudaLibraryGetKernel, MUST(cudaLibraryLoadData ? cudaLibraryLoadData(&obj2, PTX, 0, 0, 0, 0, 0, 0) : 0), cudaLibraryGetKernel(&obj, obj2, "k4"), return launches(obj))
A(cudaLibraryUnload, MUST(cudaLibraryLoadData ? cudaLibraryLoadData(&obj2, PTX, 0, 0, 0, 0, 0, 0) : 0), cudaLibraryUnload(obj2), )
A2(fga, "cudaFuncGetAttributes(kernel)", cudaFuncGetAttributes, , cudaFuncGetAttributes(blob, kern_rt), )
A2(fsa, "cudaFuncSetAttribute(kernel)", cudaFuncSetAttribute, , cudaFuncSetAttribute(kern_rt, 8, 1024), )
A2(occ, "cudaOccupancyMaxActiveBlocks...", cudaOccupancyMaxActiveBlocksPerMultiprocessor, , cudaOccupancyMaxActiveBlocksPerMultiprocessor(&out32, kern_rt, 32, 0), )
A(cudaMalloc, , cudaMalloc(&dp, 4096), const char *r = ptr_ctx(dp); cuMemFree_v2(dp); return r)
A(cudaFree, cuMemAlloc_v2(&dp, 4096), cudaFree(dp), return gone(dp))
A2(free0, "cudaFree(0)", cudaFree, , cudaFree(0), )
A(cudaMallocHost, , cudaMallocHost(&hp, 4096), const char *r = ptr_ctx((D)hp); cuMemFreeHost(hp); return r)
A(cudaFreeHost, cuMemHostAlloc(&hp, 4096, 0), cudaFreeHost(hp), return gone((D)hp))
A(cudaHostRegister, hp = aligned_alloc(4096, 8192), cudaHostRegister(hp, 4096, 0), const char *r = ptr_ctx((D)hp); cuMemHostUnregister(hp); return r)
A(cudaHostUnregister, hp = aligned_alloc(4096, 8192); cuMemHostRegister_v2(hp, 4096, 0), cudaHostUnregister(hp), )
A(cudaPointerGetAttributes, , cudaPointerGetAttributes(blob, (void *)d1), return num(((int *)blob)[0]))
A(cudaMemGetInfo, , cudaMemGetInfo(&out_size, &out_size2), )
A(cudaDeviceSynchronize, , cudaDeviceSynchronize(), )
A(cudaGetDevice, out32 = -1, cudaGetDevice(&out32), return num(out32))
A2(setdev, "cudaSetDevice(0)", cudaSetDevice, , cudaSetDevice(0), )
A(cudaGetDeviceCount, out32 = -1, cudaGetDeviceCount(&out32), return num(out32))
A(cudaDeviceGetAttribute, , cudaDeviceGetAttribute(&out32, 1, 0), )
A(cudaDeviceGetDefaultMemPool, , cudaDeviceGetDefaultMemPool(&obj, 0), return obj == pool ? "same" : "DIFFERENT")
A(cudaGetLastError, , cudaGetLastError(), )
A(cudaPeekAtLastError, , cudaPeekAtLastError(), )

/* Table B: driver */
B2(lkfn, "cuLaunchKernel(CUfunction)", cuLaunchKernel, clear(), launch_drv(fn), return is(42, 0))
B2(lkk, "cuLaunchKernel(CUkernel)", cuLaunchKernel, clear(), launch_drv(kern), return is(42, 0))
B2(nullsync, "cuStreamSynchronize(NULL stream)", cuStreamSynchronize, , cuStreamSynchronize(0), )
B(cuStreamDestroy_v2, cuStreamCreate(&obj, NONBLOCKING), cuStreamDestroy_v2(obj), )
B(cuStreamGetId, , cuStreamGetId(st, &out64), )
B(cuStreamGetPriority, , cuStreamGetPriority(st, &out32), )
B(cuStreamGetFlags, , cuStreamGetFlags(st, &outU), )
B(cuStreamGetCtx, , cuStreamGetCtx(st, &obj), return owner(obj))
B(cuStreamIsCapturing, , cuStreamIsCapturing(st, &out32), )
B(cuLaunchHostFunc, clear(), cuLaunchHostFunc(st, host_fn, host), return is(42, host))
B(cuEventCreate, , cuEventCreate(&obj, NO_TIMING), return event_ctx(obj))
B(cuEventDestroy_v2, cuEventCreate(&obj, 0), cuEventDestroy_v2(obj), )
B(cuEventElapsedTime, cuEventRecord(ev, st); cuEventRecord(ev2, st); cuStreamSynchronize(st), cuEventElapsedTime(&outf, ev, ev2), )
B(cuModuleLoadData, , cuModuleLoadData(&obj, PTX), H f = 0; int e = cuModuleGetFunction(&f, obj, "k4"); return e ? num(e) : launches(f))
B(cuModuleUnload, MUST(cuModuleLoadData(&obj, PTX)), cuModuleUnload(obj), H f = 0; return cuModuleGetFunction(&f, obj, "k4") ? "gone" : "STILL THERE")
B(cuModuleGetGlobal_v2, , cuModuleGetGlobal_v2(&dp, &out_size, mod, "g_word"), return ptr_ctx(dp))
B(cuLibraryLoadData, , cuLibraryLoadData(&obj, PTX, 0, 0, 0, 0, 0, 0), H k = 0; int e = cuLibraryGetKernel(&k, obj, "k4"); return e ? num(e) : launches(k))
B(cuLibraryUnload, MUST(cuLibraryLoadData(&obj, PTX, 0, 0, 0, 0, 0, 0)), cuLibraryUnload(obj), )
B(cuLibraryGetKernel, MUST(cuLibraryLoadData(&obj2, PTX, 0, 0, 0, 0, 0, 0)), cuLibraryGetKernel(&obj, obj2, "k4"), return launches(obj))
B(cuLibraryGetModule, , cuLibraryGetModule(&obj, lib), H f = 0; int e = cuModuleGetFunction(&f, obj, "k4"); return e ? num(e) : launches(f))
B(cuLibraryGetGlobal, , cuLibraryGetGlobal(&dp, &out_size, lib, "g_word"), return ptr_ctx(dp))
B(cuKernelGetFunction, , cuKernelGetFunction(&obj, kern), return launches(obj))
B(cuKernelGetAttribute, , cuKernelGetAttribute(&out32, 0, kern, 0), )
B(cuKernelGetParamInfo, , cuKernelGetParamInfo(kern, 1, &out_size, &out_size2), return num((int)out_size))
B(cuFuncGetParamInfo, , cuFuncGetParamInfo(fn, 1, &out_size, &out_size2), return num((int)out_size))
B(cuFuncGetAttribute, , cuFuncGetAttribute(&out32, 0, fn), )
B2(occf, "cuOccupancyMaxActiveBlocks...", cuOccupancyMaxActiveBlocksPerMultiprocessor, , cuOccupancyMaxActiveBlocksPerMultiprocessor(&out32, fn, 32, 0), )
B(cuMemAlloc_v2, , cuMemAlloc_v2(&dp, 4096), return ptr_ctx(dp))
B(cuMemFree_v2, cuMemAlloc_v2(&dp, 4096), cuMemFree_v2(dp), return gone(dp))
B2(freepool, "cuMemFree_v2 of cuMemAllocAsync memory", cuMemFree_v2, cuMemAllocAsync(&dp, 4096, st); cuStreamSynchronize(st), cuMemFree_v2(dp), )
B2(allocasync, "cuMemAllocAsync", cuMemAllocAsync, , cuMemAllocAsync(&dp, 4096, st), return ptr_ctx(dp))
B(cuMemHostAlloc, , cuMemHostAlloc(&hp, 4096, 0), return ptr_ctx((D)hp))
B(cuMemFreeHost, cuMemHostAlloc(&hp, 4096, 0), cuMemFreeHost(hp), return gone((D)hp))
B(cuMemHostRegister_v2, hp = aligned_alloc(4096, 8192), cuMemHostRegister_v2(hp, 4096, 0), return ptr_ctx((D)hp))
B(cuMemHostUnregister, hp = aligned_alloc(4096, 8192); cuMemHostRegister_v2(hp, 4096, 0), cuMemHostUnregister(hp), return gone((D)hp))
B2(bh2d, "cuMemcpyHtoD_v2 (blocking)", cuMemcpyHtoD_v2, clear(); host[0] = 42, cuMemcpyHtoD_v2(d1, host, 4), return is(42, 0))
B2(bd2h, "cuMemcpyDtoH_v2 (blocking)", cuMemcpyDtoH_v2, clear(), cuMemcpyDtoH_v2(host, d1, 4), return is(7, host))
B2(bd2d, "cuMemcpyDtoD_v2 (blocking)", cuMemcpyDtoD_v2, clear(); cuMemsetD32_v2(d2, 42, 1); cuCtxSynchronize(), cuMemcpyDtoD_v2(d1, d2, 4), return is(42, 0))
B2(bset, "cuMemsetD8_v2 (blocking)", cuMemsetD8_v2, clear(), cuMemsetD8_v2(d1, 1, 4), return is(0x01010101, 0))
B2(ah2d, "cuMemcpyHtoDAsync_v2 pageable", cuMemcpyHtoDAsync_v2, clear(); host[0] = 42, cuMemcpyHtoDAsync_v2(d1, host, 4, st), return is(42, 0))
B2(ah2dbig, "cuMemcpyHtoDAsync_v2 pageable 1 MiB", cuMemcpyHtoDAsync_v2, clear(); hp = calloc(1, MIB); *(U *)hp = 42, cuMemcpyHtoDAsync_v2(d1, hp, MIB, st), return is(42, 0))
B2(ad2h, "cuMemcpyDtoHAsync_v2 pageable", cuMemcpyDtoHAsync_v2, clear(), cuMemcpyDtoHAsync_v2(host, d1, 4, st), return is(7, host))
B2(ad2hbig, "cuMemcpyDtoHAsync_v2 pageable 1 MiB", cuMemcpyDtoHAsync_v2, clear(); hp = calloc(1, MIB), cuMemcpyDtoHAsync_v2(hp, d1, MIB, st), return is(7, hp))
B2(ad2d, "cuMemcpyDtoDAsync_v2", cuMemcpyDtoDAsync_v2, clear(); cuMemsetD32_v2(d2, 42, 1); cuCtxSynchronize(), cuMemcpyDtoDAsync_v2(d1, d2, 4, st), return is(42, 0))
B(cuMemsetD8Async, clear(), cuMemsetD8Async(d1, 1, 4, st), return is(0x01010101, 0))
B2(nh2d, "cuMemcpyHtoDAsync_v2, NULL stream", cuMemcpyHtoDAsync_v2, clear(); host[0] = 42, cuMemcpyHtoDAsync_v2(d1, host, 4, 0), return is(42, 0))
B2(pga, "cuPointerGetAttribute (device)", cuPointerGetAttribute, out32 = 0, cuPointerGetAttribute(&out32, ATTR_TYPE, d1), return num(out32))
B2(pgac, "cuPointerGetAttribute CONTEXT", cuPointerGetAttribute, obj = 0, cuPointerGetAttribute(&obj, ATTR_CONTEXT, d1), return owner(obj))
B(cuMemGetInfo_v2, , cuMemGetInfo_v2(&out_size, &out_size2), )
B(cuCtxSynchronize, , cuCtxSynchronize(), )
B(cuCtxGetDevice, , cuCtxGetDevice(&out32), return num(out32))
B(cuGraphLaunch, executable(), cuGraphLaunch(obj2, st), return is(0x01010101, 0))
B(cuGraphInstantiateWithFlags, capture(), cuGraphInstantiateWithFlags(&obj2, obj, 0), int e = cuGraphLaunch(obj2, st); return e ? num(e) : is(0x01010101, 0))
B(cuGraphExecDestroy, executable(), cuGraphExecDestroy(obj2), )
B(cuGraphDestroy, capture(), cuGraphDestroy(obj), )
B(cuDevicePrimaryCtxRelease_v2, cuDevicePrimaryCtxRetain(&nothing, 0), cuDevicePrimaryCtxRelease_v2(0), U f; int a = 0; cuDevicePrimaryCtxGetState(0, &f, &a); return a ? "active" : "NOT ACTIVE")

enum { S_PRIM, S_NONE, S_NULLED, S_OTHER, S_OTHER_RT, SITUATIONS };
typedef struct { Case *c; int s, code; H before, after; } Job;
static void enter(int s) {
    if (s == S_NULLED || s == S_OTHER_RT) cudaSetDevice(0);
    if (s == S_PRIM) cuCtxSetCurrent(prim);
    if (s == S_NULLED) cuCtxSetCurrent(0);
    if (s == S_OTHER || s == S_OTHER_RT) cuCtxSetCurrent(other);
}
static void *in_thread(void *p) {
    Job *j = p; enter(j->s); cuCtxGetCurrent(&j->before); j->code = j->c->call(); cuCtxGetCurrent(&j->after);
    return 0;
}
static void table(int which) {
    printf(which == 0 ? "| call | primary current | none (fresh thread) | none (after cudaSetDevice, cuCtxSetCurrent(0)) | other current | other current (after cudaSetDevice) |\n|---|---|---|---|---|---|\n"
                      : "| call | primary current | none | other current |\n|---|---|---|---|\n");
    for (int i = 0; i < ncases[which]; i++) {
        Case *c = &cases[which][i];
        printf("| %s |", c->name);
        if (!*c->need) { printf(" absent |\n"); continue; }
        for (int s = 0; s < SITUATIONS; s++) {
            if (which == 1 && (s == S_NULLED || s == S_OTHER_RT)) continue;
            c->prepare();
            Job j = {c, s, -1, 0, 0}; pthread_t t;
            pthread_create(&t, 0, in_thread, &j); pthread_join(t, 0);
            H mine = 0; cuCtxGetCurrent(&mine);
            if (mine != prim) printf(" (main thread lost its context)");
            printf(" %d", j.code);
            if (!j.code) { const char *e = c->check(); if (*e) printf(" %s", e); }
            if (j.after != j.before) printf(" ->%s", owner(j.after));
            printf(" |");
            cuStreamSynchronize(st);
        }
        printf("\n"); fflush(stdout);
    }
}

/* cuCtxPushCurrent(primary) .. cuCtxPopCurrent around runtime calls */
static void *guard(void *p) {
    static const char *names[] = {"primary", "none", "none after cudaSetDevice", "other", "other after cudaSetDevice"};
    int s = (int)(long)p, dev = -1, dev2 = -1; H cur = 0, popped = 0, end = 0, stream = 0, ctx = 0; D m = 0; H mctx = 0;
    enter(s);
    int e0 = cuCtxPushCurrent_v2(prim), e1 = cudaGetDevice(&dev); cuCtxGetCurrent(&cur);
    int e2 = cudaMalloc(&m, 4096); cuPointerGetAttribute(&mctx, ATTR_CONTEXT, m);
    int e3 = cudaStreamCreateWithFlags(&stream, NONBLOCKING); cuStreamGetCtx(stream, &ctx);
    int e4 = launch_exc(kern_rt), e5 = cudaStreamSynchronize(st), e6 = cudaFree(m), e7 = cudaStreamDestroy(stream);
    int e8 = cuCtxPopCurrent_v2(&popped); cuCtxGetCurrent(&end);
    int e9 = cudaGetDevice(&dev2);
    H end2 = 0; cuCtxGetCurrent(&end2);
    printf("guard, before: %s: push %d, cudaGetDevice %d =%d (current %s), cudaMalloc %d %s, cudaStreamCreate %d %s, launch %d sync %d, free %d destroy %d, pop %d (popped %s), current %s; cudaGetDevice after %d =%d, current %s\n",
           names[s], e0, e1, dev, owner(cur), e2, owner(mctx), e3, owner(ctx), e4, e5, e6, e7, e8, owner(popped), owner(end), e9, dev2, owner(end2));
    enter(s); cuCtxGetCurrent(&cur); e0 = cudaSetDevice(0); cuCtxGetCurrent(&end);
    printf("cudaSetDevice(0), before: %s: %d, current %s -> %s\n", names[s], e0, owner(cur), owner(end));
    return 0;
}

/* ---- C: kernel handles across the layers --------------------------------------------------------------------------- */
static void in_child(const char *name, void (*f)(int), int arg) {
    fflush(stdout);
    pid_t pid = fork();
    if (!pid) { alarm(20); f(arg); fflush(stdout); _exit(0); }
    int status; waitpid(pid, &status, 0);
    if (WIFSIGNALED(status)) printf("%s: died of signal %d\n", name, WTERMSIG(status));
    else if (WEXITSTATUS(status)) printf("%s: exit %d\n", name, WEXITSTATUS(status));
}
static const char *mixed_path;
static void mixed(int which) {
    load(mixed_path); setup(0); clear();
    H own = 0;
    if (which == 7 && !cudaLibraryGetKernel) { printf("absent\n"); return; }
    int e = -1;
    switch (which) {
    case 0: printf("cudaLaunchKernelExC(CUkernel of cuLibraryGetKernel): "); e = launch_exc(kern); break;
    case 1: printf("cudaLaunchKernel(CUkernel of cuLibraryGetKernel): "); e = launch_rt(kern); break;
    case 2: printf("cudaLaunchKernelExC(CUfunction of cuModuleGetFunction): "); fflush(stdout); e = launch_exc(fn); break;
    case 3: printf("cudaLaunchKernel(CUfunction of cuModuleGetFunction): "); fflush(stdout); e = launch_rt(fn); break;
    case 4: printf("cudaLaunchKernelExC(CUfunction of cuKernelGetFunction): "); fflush(stdout); cuKernelGetFunction(&own, kern); e = launch_exc(own); break;
    case 5: printf("cudaFuncGetAttributes(CUkernel): "); e = cudaFuncGetAttributes(blob, kern); printf("%d\n", e); return;
    case 6: printf("cudaFuncGetAttributes(CUfunction): "); fflush(stdout); e = cudaFuncGetAttributes(blob, fn); printf("%d\n", e); return;
    case 7: printf("cuLaunchKernel(cudaKernel_t of cudaLibraryGetKernel): "); e = launch_drv(kern_rt); break;
    }
    printf("%d %s\n", e, e ? "" : is(42, 0));
}

/* ---- A2: the first runtime call of a process, with the driver initialised and a context chosen by the caller ---------- */
static void cold(int arg) {
    static const char *names[] = {"primary", "none", "other"};
    int s = arg % 3; const char *t = ""; int e = -1; H c = 0;
    load(mixed_path);
    int (*get_kernel)(H *, H, const char *) = cudaLibraryGetKernel; cudaLibraryGetKernel = 0;
    setup(1); cudaLibraryGetKernel = get_kernel;
    cuCtxSetCurrent(s == 0 ? prim : s == 1 ? 0 : other);
    switch (arg / 3) {
    case 0: t = "cudaStreamQuery"; e = cudaStreamQuery(st); break;
    case 1: t = "cudaMallocAsync"; e = cudaMallocAsync(&dp, 4096, st); break;
    case 2: t = "cudaMemcpyAsync"; e = cudaMemcpyAsync((void *)d1, host, 4, H2D, st); break;
    case 3: t = "cudaLaunchKernelExC(CUkernel)"; e = launch_exc(kern); break;
    case 4: t = "cudaEventRecord"; e = cudaEventRecord(ev, st); break;
    case 5: t = "cudaStreamDestroy"; e = cudaStreamDestroy(st2); break;
    case 6: t = "cudaEventCreateWithFlags"; e = cudaEventCreateWithFlags(&obj, NO_TIMING); break;
    case 7: t = "cudaGetDevice"; e = cudaGetDevice(&out32); break;
    case 8: t = "cudaGetDeviceCount"; e = cudaGetDeviceCount(&out32); break;
    }
    cuCtxGetCurrent(&c);
    printf("| %s | %s | %d | %s |\n", t, names[s], e, owner(c));
}

/* ---- D1: pageable copies behind a long kernel ---------------------------------------------------------------------- */
static void spin(D ns) { void *a[1] = {&ns}; MUST(cuLaunchKernel(fn_spin, 1, 1, 1, 1, 1, 1, 0, st, a, 0)); }
static void async(void) {
    void *pageable = malloc(16 * MIB), *pinned; MUST(cuMemHostAlloc(&pinned, 16 * MIB, 0));
    int ty = -1; H c = (H)1;
    printf("before any fault, cuPointerGetAttribute: MEMORY_TYPE of malloc memory: %d", cuPointerGetAttribute(&ty, ATTR_TYPE, (D)pageable)); printf(" (value %d)", ty);
    printf("; CONTEXT of it: %d", cuPointerGetAttribute(&c, ATTR_CONTEXT, (D)pageable));
    ty = -1; printf("; MEMORY_TYPE of stack memory: %d", cuPointerGetAttribute(&ty, ATTR_TYPE, (D)&ty)); printf(" (value %d)", ty);
    ty = -1; printf("; of cuMemHostAlloc memory: %d", cuPointerGetAttribute(&ty, ATTR_TYPE, (D)pinned)); printf(" (value %d)", ty);
    ty = -1; printf("; of device memory: %d", cuPointerGetAttribute(&ty, ATTR_TYPE, d1)); printf(" (value %d)", ty);
    ty = -1; printf("; of NULL: %d", cuPointerGetAttribute(&ty, ATTR_TYPE, 0)); printf(" (value %d)\n", ty);
    printf("| copy behind a 200 ms kernel, same non-blocking stream | size | code | returned after ms | kernel still running at return | source overwritten at return: device got | destination ready at return |\n|---|---|---|---|---|---|---|\n");
    size_t sizes[] = {4, 1024, 16 << 10, 64 << 10, (64 << 10) + 4, 256 << 10, MIB, 16 * MIB};
    for (int pin = 0; pin < 2; pin++)
        for (int down = 0; down < 2; down++)
            for (int i = 0; i < 8; i++) {
                if (pin && i != 0 && i != 3 && i != 7) continue;
                size_t n = sizes[i]; unsigned char *h = pin ? pinned : pageable;
                memset(h, down ? 0 : 1, n); MUST(cuMemsetD8_v2(d1, down ? 5 : 0, n)); MUST(cuCtxSynchronize());
                double t0 = now(); spin(200000000);
                int e = down ? cuMemcpyDtoHAsync_v2(h, d1, n, st) : cuMemcpyHtoDAsync_v2(d1, h, n, st);
                double t1 = now(); int q = cuStreamQuery(st);
                int ready = down ? h[0] == 5 && h[n - 1] == 5 : -1;
                if (!down) memset(h, 9, n);
                MUST(cuStreamSynchronize(st));
                unsigned char first = 0, last = 0;
                if (!down) { cuMemcpyDtoH_v2(&first, d1, 1); cuMemcpyDtoH_v2(&last, d1 + n - 1, 1); }
                printf("| %s %s | %zu | %d | %.2f | %s | %s | %s |\n", pin ? "pinned" : "pageable", down ? "DtoHAsync" : "HtoDAsync", n, e,
                       (t1 - t0) / 1e6, q == 600 ? "yes" : q == 0 ? "no" : "?", down ? "" : first == 1 && last == 1 ? "old (taken at the call)" : first == 9 && last == 9 ? "NEW" : "mixed",
                       !down ? "" : ready ? "yes" : "NO");
            }
    /* a blocking copy does not wait for a non-blocking stream */
    double t0 = now(); spin(200000000); MUST(cuMemcpyHtoD_v2(d1, pageable, 64 << 10)); double t1 = now(); MUST(cuMemcpyDtoH_v2(pageable, d1, 64 << 10)); double t2 = now();
    printf("blocking cuMemcpyHtoD, DtoH of 64 KiB beside the kernel on a non-blocking stream: %.2f ms, %.2f ms\n", (t1 - t0) / 1e6, (t2 - t1) / 1e6);
    MUST(cuStreamSynchronize(st));
    /* the submit depth: what an event after the pageable copy says */
    t0 = now(); spin(200000000); int e1 = cuMemFreeAsync(d2, st); int e2 = cuMemAlloc_v2(&dp, 4096); t1 = now();
    printf("cuMemFreeAsync of cuMemAlloc memory behind the kernel: %d; cuMemAlloc then: %d; after %.2f ms\n", e1, e2, (t1 - t0) / 1e6);
    t0 = now(); spin(200000000); e1 = cuMemFree_v2(dp); t1 = now();
    printf("cuMemFree with a kernel running: %d after %.2f ms\n", e1, (t1 - t0) / 1e6);
    H s3; MUST(cuStreamCreate(&s3, NONBLOCKING)); MUST(cuStreamSynchronize(st)); H old = st; st = s3; spin(200000000); st = old;
    t0 = now(); e1 = cuStreamDestroy_v2(s3); t1 = now(); printf("cuStreamDestroy with a kernel running: %d after %.2f ms\n", e1, (t1 - t0) / 1e6);
    MUST(cuCtxSynchronize());
    spin(200000000); t0 = now(); e1 = cuModuleLoadData(&obj, PTX); t1 = now(); e2 = cuModuleUnload(obj); double t3 = now();
    printf("cuModuleLoadData, cuModuleUnload with a kernel running: %d after %.2f ms, %d after %.2f ms\n", e1, (t1 - t0) / 1e6, e2, (t3 - t1) / 1e6);
    MUST(cuCtxSynchronize());
    spin(200000000); t0 = now(); e1 = cuMemFreeHost(pinned); t1 = now(); printf("cuMemFreeHost with a kernel running: %d after %.2f ms\n", e1, (t1 - t0) / 1e6);
    MUST(cuCtxSynchronize());
}

/* ---- D2: after an illegal address ---------------------------------------------------------------------------------- */
static void *f_pinned, *f_pageable; static D f_async; static H f_ev, f_st, f_mod, f_graph;
static int fault_call(int i, const char **name) {
    int ty = -1;
#define FC(n, text, call) case n: *name = text; return call;
    switch (i) {
        FC(0, "cuPointerGetAttribute TYPE pageable", cuPointerGetAttribute(&ty, ATTR_TYPE, (D)f_pageable))
        FC(1, "cuPointerGetAttribute TYPE pinned", cuPointerGetAttribute(&ty, ATTR_TYPE, (D)f_pinned))
        FC(2, "cuPointerGetAttribute TYPE device", cuPointerGetAttribute(&ty, ATTR_TYPE, d1))
        FC(3, "cuStreamQuery", cuStreamQuery(st))
        FC(4, "cuStreamQuery (another stream)", cuStreamQuery(st2))
        FC(5, "cuEventQuery (recorded before)", cuEventQuery(ev))
        FC(6, "cuEventQuery (recorded after the bad kernel)", cuEventQuery(f_ev))
        FC(7, "cuLaunchKernel", launch_drv(fn))
        FC(8, "cuMemAlloc", cuMemAlloc_v2(&dp, 4096))
        FC(9, "cuMemAllocAsync", cuMemAllocAsync(&dp, 4096, st))
        FC(10, "cuMemcpyHtoDAsync pageable", cuMemcpyHtoDAsync_v2(d1, f_pageable, 4, st))
        FC(11, "cuMemcpyDtoHAsync pageable 4 B", cuMemcpyDtoHAsync_v2(f_pageable, d1, 4, st))
        FC(12, "cuMemcpyDtoHAsync pageable 1 MiB", cuMemcpyDtoHAsync_v2(f_pageable, d1, MIB, st))
        FC(13, "cuMemcpyDtoHAsync pinned", cuMemcpyDtoHAsync_v2(f_pinned, d1, 4, st))
        FC(14, "cuMemcpyDtoH", cuMemcpyDtoH_v2(f_pageable, d1, 4))
        FC(15, "cuEventRecord", cuEventRecord(ev2, st))
        FC(16, "cuEventCreate", cuEventCreate(&obj, NO_TIMING))
        FC(17, "cuStreamCreate", cuStreamCreate(&obj, NONBLOCKING))
        FC(18, "cuModuleLoadData", cuModuleLoadData(&obj, PTX))
        FC(19, "cuStreamIsCapturing", cuStreamIsCapturing(st, &ty))
        FC(20, "cuStreamGetCtx", cuStreamGetCtx(st, &obj))
        FC(21, "cuCtxGetCurrent", cuCtxGetCurrent(&obj))
        FC(22, "cuCtxSetCurrent(primary)", cuCtxSetCurrent(prim))
        FC(23, "cuStreamSynchronize", cuStreamSynchronize(st))
        FC(24, "cuCtxSynchronize", cuCtxSynchronize())
        FC(25, "cuMemFreeAsync", cuMemFreeAsync(f_async, st))
        FC(26, "cuMemFree", cuMemFree_v2(d2))
        FC(27, "cuMemFreeHost", cuMemFreeHost(f_pinned))
        FC(28, "cuGraphExecDestroy", cuGraphExecDestroy(f_graph))
        FC(29, "cuEventDestroy", cuEventDestroy_v2(f_ev))
        FC(30, "cuStreamDestroy", cuStreamDestroy_v2(f_st))
        FC(31, "cuModuleUnload", cuModuleUnload(f_mod))
        FC(32, "cuLibraryUnload", cuLibraryUnload(lib))
        FC(33, "cuDevicePrimaryCtxRetain", cuDevicePrimaryCtxRetain(&obj, 0))
        FC(34, "cuDevicePrimaryCtxRelease", cuDevicePrimaryCtxRelease_v2(0))
        FC(35, "cuDevicePrimaryCtxRelease (last)", cuDevicePrimaryCtxRelease_v2(0))
        FC(36, "cuDevicePrimaryCtxRetain (again)", cuDevicePrimaryCtxRetain(&obj, 0))
        FC(37, "cuDeviceGetCount", cuDeviceGetCount(&ty))
        FC(38, "cuMemFreeHost (after the release)", cuMemFreeHost(f_pinned))
    }
    return -1;
}
static void make_fault(int first_spin) {
    load(0); setup(0);
    f_pageable = calloc(1, MIB); MUST(cuMemHostAlloc(&f_pinned, 4096, 0)); MUST(cuMemAllocAsync(&f_async, 4096, st));
    MUST(cuEventCreate(&f_ev, NO_TIMING)); MUST(cuStreamCreate(&f_st, NONBLOCKING)); MUST(cuModuleLoadData(&f_mod, PTX));
    executable(); f_graph = obj2; MUST(cuStreamSynchronize(st));
    if (first_spin) spin(100000000);
    arg_p = 0x10; MUST(launch_drv(fn)); arg_p = d1; MUST(cuEventRecord(f_ev, st));
}
static void fault_first(int i) { /* the fault has happened, nobody has looked; call i is the first one after it */
    const char *name = ""; make_fault(0); usleep(100000);
    double t0 = now(); int e = fault_call(i, &name); double t1 = now();
    printf("| %s | %d | %.2f | %d |\n", name, e, (t1 - t0) / 1e6, cuStreamSynchronize(st));
}
static void fault_all(int arg) { /* the fault has been seen by cuStreamSynchronize */
    const char *name; make_fault(0); (void)arg;
    double t0 = now(); int e = cuStreamSynchronize(st); printf("cuStreamSynchronize after the bad kernel: %d (%.1f ms)\n| then | code | ms |\n|---|---|---|\n", e, (now() - t0) / 1e6);
    for (int i = 0; i < 39; i++) { t0 = now(); e = fault_call(i, &name); printf("| %s | %d | %.2f |\n", name, e, (now() - t0) / 1e6); fflush(stdout); }
}
static void fault_behind(int which) { /* queued behind 100 ms of work that then faults */
    make_fault(1);
    double t0 = now(); const char *n = which == 0 ? "DtoHAsync pageable 4 B" : which == 1 ? "DtoHAsync pageable 1 MiB" : which == 2 ? "HtoDAsync pageable 4 B" : "HtoDAsync pageable 1 MiB";
    int e = which < 2 ? cuMemcpyDtoHAsync_v2(f_pageable, d1, which ? MIB : 4, st) : cuMemcpyHtoDAsync_v2(d1, f_pageable, which == 3 ? MIB : 4, st);
    double t1 = now(); printf("queued behind 100 ms of work that then faults: %s: %d after %.1f ms, cuStreamSynchronize then %d\n", n, e, (t1 - t0) / 1e6, cuStreamSynchronize(st));
}

/* ---- E: host cost -------------------------------------------------------------------------------------------------- */
static int by_value(const void *a, const void *b) { double x = *(const double *)a, y = *(const double *)b; return x < y ? -1 : x > y; }
static double median(double *v, int n) { qsort(v, n, sizeof *v, by_value); return v[n / 2]; }
#define BURST(label, reps, n, after, ...) do { static double v_[512]; for (int r_ = -5; r_ < (reps); r_++) { double t_ = now(); \
    for (int i_ = 0; i_ < (n); i_++) { __VA_ARGS__; } double u_ = now(); after; if (r_ >= 0) v_[r_] = (u_ - t_) / (n); } \
    printf("| %s | %.0f |\n", label, median(v_, reps)); fflush(stdout); } while (0)
static void copies(void) {
    enum { N = 301 };
    static double a[N], b[N], c[N], d[N], p[N], q[N];
    unsigned char *h = malloc(16 * MIB); void *pin; memset(h, 1, 16 * MIB); MUST(cuMemHostAlloc(&pin, 16 * MIB, 0)); memset(pin, 1, 16 * MIB);
    size_t sizes[] = {4, 1024, 16 << 10, 64 << 10, MIB, 16 * MIB};
    printf("blocking copies, us, medians of %d, interleaved; (1) blocking call (2) Async + cuStreamSynchronize on a non-blocking stream (3) memcpy to or from pinned + Async + synchronise\n| bytes | up 1 | up 2 | up 3 | down 1 | down 2 | down 3 |\n|---|---|---|---|---|---|---|\n", N);
    for (int i = 0; i < 6; i++) {
        size_t n = sizes[i];
        for (int r = -10; r < N; r++) {
            int k = r < 0 ? 0 : r;
            double t0 = now(); cuMemcpyHtoD_v2(d1, h, n); double t1 = now();
            cuMemcpyHtoDAsync_v2(d1, h, n, st); cuStreamSynchronize(st); double t2 = now();
            memcpy(pin, h, n); cuMemcpyHtoDAsync_v2(d1, pin, n, st); cuStreamSynchronize(st); double t3 = now();
            cuMemcpyDtoH_v2(h, d1, n); double t4 = now();
            cuMemcpyDtoHAsync_v2(h, d1, n, st); cuStreamSynchronize(st); double t5 = now();
            cuMemcpyDtoHAsync_v2(pin, d1, n, st); cuStreamSynchronize(st); memcpy(h, pin, n); double t6 = now();
            a[k] = t1 - t0; b[k] = t2 - t1; p[k] = t3 - t2; c[k] = t4 - t3; d[k] = t5 - t4; q[k] = t6 - t5;
        }
        printf("| %zu | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |\n", n, median(a, N) / 1e3, median(b, N) / 1e3, median(p, N) / 1e3, median(c, N) / 1e3, median(d, N) / 1e3, median(q, N) / 1e3);
        fflush(stdout);
    }
}
static void timing(void) {
    static unsigned char h[4096];
    D max = ~0ull; MUST(cuMemPoolSetAttribute(pool, 4, &max));
    printf("| host ns per call (bursts, median of 200) | ns |\n|---|---|\n");
    H e; int cap;
    for (int round = 0; round < 2; round++) {
        BURST("cuLaunchKernel(CUfunction)", 200, 256, cuStreamSynchronize(st), launch_drv(fn));
        BURST("cuLaunchKernel(CUkernel)", 200, 256, cuStreamSynchronize(st), launch_drv(kern));
        if (rt) {
            RtConfig k = cfg(); dim3 one = {1, 1, 1};
            BURST("cudaLaunchKernelExC", 200, 256, cuStreamSynchronize(st), cudaLaunchKernelExC(&k, kern_rt, args4));
            BURST("cudaLaunchKernel", 200, 256, cuStreamSynchronize(st), cudaLaunchKernel(kern_rt, one, one, args4, 0, st));
            BURST("cudaMallocAsync + cudaFreeAsync", 200, 256, cuStreamSynchronize(st), cudaMallocAsync(&dp, 4096, st); cudaFreeAsync(dp, st));
        }
        BURST("cuMemAllocAsync + cuMemFreeAsync", 200, 256, cuStreamSynchronize(st), cuMemAllocAsync(&dp, 4096, st); cuMemFreeAsync(dp, st));
    }
    BURST("cuCtxGetCurrent", 200, 1000, , cuCtxGetCurrent(&e));
    BURST("cuCtxSetCurrent (already current)", 200, 1000, , cuCtxSetCurrent(prim));
    BURST("cuCtxPushCurrent + cuCtxPopCurrent", 200, 1000, , cuCtxPushCurrent_v2(prim); cuCtxPopCurrent_v2(&e));
    BURST("cuStreamIsCapturing", 200, 1000, , cuStreamIsCapturing(st, &cap));
    BURST("cuStreamGetCtx", 200, 1000, , cuStreamGetCtx(st, &e));
    BURST("cuStreamQuery (idle)", 200, 200, , cuStreamQuery(st));
    BURST("cuPointerGetAttribute TYPE, pageable", 200, 200, , cuPointerGetAttribute(&cap, ATTR_TYPE, (D)h));
    BURST("cuPointerGetAttribute TYPE, device", 200, 200, , cuPointerGetAttribute(&cap, ATTR_TYPE, d1));
    BURST("cuEventRecord + cuStreamWaitEvent", 200, 100, cuStreamSynchronize(st2), cuEventRecord(ev, st); cuStreamWaitEvent(st2, ev, 0));
    BURST("cuEventCreate + cuEventDestroy (no timing)", 200, 100, , cuEventCreate(&e, NO_TIMING); cuEventDestroy_v2(e));
    BURST("cuStreamCreate + cuStreamDestroy", 200, 1, , cuStreamCreate(&e, NONBLOCKING); cuStreamDestroy_v2(e));
    BURST("cuMemsetD8Async 4 KiB", 200, 256, cuStreamSynchronize(st), cuMemsetD8Async(d1, 0, 4096, st));
    BURST("getpid", 200, 1000, , getpid());
    if (rt) {
        cudaSetDevice(0);
        BURST("cudaGetDevice", 200, 1000, , cudaGetDevice(&cap));
        BURST("cudaSetDevice(0) (already current)", 200, 1000, , cudaSetDevice(0));
        BURST("cudaPeekAtLastError", 200, 1000, , cudaPeekAtLastError());
        BURST("cudaStreamIsCapturing", 200, 1000, , cudaStreamIsCapturing(st, &cap));
        BURST("cudaEventRecord + cudaStreamWaitEvent", 200, 100, cuStreamSynchronize(st2), cudaEventRecord(ev, st); cudaStreamWaitEvent(st2, ev, 0));
        BURST("cudaMemcpyAsync H2D 4 B + cudaStreamSynchronize", 200, 10, , cudaMemcpyAsync((void *)d1, h, 4, H2D, st); cudaStreamSynchronize(st));
        BURST("cuMemcpyHtoDAsync 4 B + cuStreamSynchronize", 200, 10, , cuMemcpyHtoDAsync_v2(d1, h, 4, st); cuStreamSynchronize(st));
    }
}

/* ---- G: order of a blocking upload and a non-blocking stream ------------------------------------------------------- */
static int upload(int how, const void *h, size_t n) {
    if (how == 0) return cuMemcpyHtoD_v2(d1, h, n);
    if (how == 1) { int e = cuMemcpyHtoD_v2(d1, h, n); return e ? e : cuStreamSynchronize(0); }
    if (how == 2) { int e = cuMemcpyHtoDAsync_v2(d1, h, n, st2); return e ? e : cuStreamSynchronize(st2); }
    return cuMemcpyHtoDAsync_v2(d1, h, n, st2); /* no synchronisation: the control, a race on purpose */
}
static void order(void) {
    static const char *how[] = {"cuMemcpyHtoD", "cuMemcpyHtoD + cuStreamSynchronize(NULL)", "HtoDAsync on another stream + synchronise", "HtoDAsync on another stream, no synchronise (control)"};
    size_t sizes[] = {4, 1024, 16 << 10, 64 << 10, (64 << 10) + 4, MIB};
    H fw; MUST(cuModuleGetFunction(&fw, mod, "word"));
    U *h = calloc(1, MIB), *seen; MUST(cuMemHostAlloc((void **)&seen, 4096, 0));
    printf("| upload, pageable | bytes | kernel on a non-blocking stream read the old last word | median us |\n|---|---|---|---|\n");
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 6; i++) {
            size_t n = sizes[i]; int stale = 0, reps = n >= MIB ? 1000 : 4000; static double v[4000];
            D from = d1 + n - 4, to = d2; void *a[2] = {&from, &to};
            for (int r = 0; r < reps; r++) {
                U want = (U)(r + 1 + k * 100000); h[n / 4 - 1] = want;
                double t0 = now(); MUST(upload(k, h, n)); v[r] = now() - t0;
                MUST(cuLaunchKernel(fw, 1, 1, 1, 1, 1, 1, 0, st, a, 0));
                MUST(cuMemcpyDtoHAsync_v2(seen, d2, 4, st)); MUST(cuStreamSynchronize(st)); MUST(cuStreamSynchronize(st2));
                stale += *seen != want;
            }
            printf("| %s | %zu | %d of %d | %.2f |\n", how[k], n, stale, reps, median(v, reps) / 1e3); fflush(stdout);
        }
    printf("with a 100 ms kernel on the NULL stream:\n| upload | bytes | returned after ms | kernel on a non-blocking stream read |\n|---|---|---|---|\n");
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 6; i += 3) {
            size_t n = sizes[i]; D from = d1 + n - 4, to = d2, ns = 100000000; void *a[2] = {&from, &to}, *b[1] = {&ns};
            U want = 777000 + (U)i + (U)k * 1000; h[n / 4 - 1] = want;
            MUST(cuLaunchKernel(fn_spin, 1, 1, 1, 1, 1, 1, 0, 0, b, 0));
            double t0 = now(); MUST(upload(k, h, n)); double t1 = now();
            MUST(cuLaunchKernel(fw, 1, 1, 1, 1, 1, 1, 0, st, a, 0)); MUST(cuMemcpyDtoHAsync_v2(seen, d2, 4, st)); MUST(cuStreamSynchronize(st));
            printf("| %s | %zu | %.2f | %s |\n", how[k], n, (t1 - t0) / 1e6, *seen == want ? "new" : "OLD"); MUST(cuCtxSynchronize());
        }
}

/* ---- H: what waits for a running kernel ---------------------------------------------------------------------------- */
#define WAITS(text, before, ...) do { before; MUST(cuCtxSynchronize()); spin(100000000); usleep(2000); double t_ = now(); int e_ = (__VA_ARGS__); double u_ = now(); \
    int q_ = cuStreamQuery(st); printf("| %s | %d | %.2f | %s |\n", text, e_, (u_ - t_) / 1e6, q_ == 600 ? "no" : "WAITS"); fflush(stdout); MUST(cuCtxSynchronize()); } while (0)
static void blocking(void) {
    H l2, k2, f2; size_t n;
    printf("| call while a 100 ms kernel runs on a non-blocking stream | code | ms | waits? |\n|---|---|---|---|\n");
    WAITS("cuModuleLoadData (PTX with a global)", , cuModuleLoadData(&obj, PTX));
    WAITS("cuModuleUnload of it", , cuModuleUnload(obj));
    WAITS("cuModuleLoadData (PTX without globals)", , cuModuleLoadData(&obj, PTX_PLAIN));
    WAITS("cuModuleGetFunction", , cuModuleGetFunction(&f2, obj, "k0"));
    WAITS("first cuLaunchKernel of it, other stream", , cuLaunchKernel(f2, 1, 1, 1, 1, 1, 1, 0, st2, 0, 0));
    WAITS("cuModuleUnload after use", , cuModuleUnload(obj));
    WAITS("cuLibraryLoadData (with a global)", , cuLibraryLoadData(&l2, PTX, 0, 0, 0, 0, 0, 0));
    WAITS("cuLibraryGetKernel", , cuLibraryGetKernel(&k2, l2, "k4"));
    WAITS("first cuLaunchKernel of the CUkernel, other stream", , cuLaunchKernel(k2, 1, 1, 1, 1, 1, 1, 0, st2, args4, 0));
    WAITS("cuLibraryGetGlobal", , cuLibraryGetGlobal(&dp, &n, l2, "g_word"));
    WAITS("cuLibraryUnload", , cuLibraryUnload(l2));
    WAITS("cuLibraryLoadData (without globals)", , cuLibraryLoadData(&l2, PTX_PLAIN, 0, 0, 0, 0, 0, 0));
    WAITS("first cuLaunchKernel of its CUkernel, other stream", cuLibraryGetKernel(&k2, l2, "k0"), cuLaunchKernel(k2, 1, 1, 1, 1, 1, 1, 0, st2, 0, 0));
    WAITS("cuLibraryUnload of it", , cuLibraryUnload(l2));
    WAITS("cuMemAlloc 4 KiB", , cuMemAlloc_v2(&dp, 4096));
    WAITS("cuMemFree 4 KiB", , cuMemFree_v2(dp));
    WAITS("cuMemAlloc 64 MiB", , cuMemAlloc_v2(&dp, 64 * MIB));
    WAITS("cuMemFree 64 MiB", , cuMemFree_v2(dp));
    WAITS("cuMemAllocAsync 4 KiB, other stream", , cuMemAllocAsync(&dp, 4096, st2));
    WAITS("cuMemFreeAsync, other stream", , cuMemFreeAsync(dp, st2));
    WAITS("cuMemFree of cuMemAllocAsync memory", cuMemAllocAsync(&dp, 4096, st2), cuMemFree_v2(dp));
    WAITS("cuMemHostAlloc 4 KiB", , cuMemHostAlloc(&hp, 4096, 0));
    WAITS("cuMemFreeHost", , cuMemFreeHost(hp));
    WAITS("cuMemHostRegister 4 KiB", hp = aligned_alloc(4096, 4096), cuMemHostRegister_v2(hp, 4096, 0));
    WAITS("cuMemHostUnregister", , cuMemHostUnregister(hp));
    WAITS("cuStreamCreate", , cuStreamCreate(&obj, NONBLOCKING));
    WAITS("cuStreamDestroy (idle)", , cuStreamDestroy_v2(obj));
    WAITS("cuEventCreate", , cuEventCreate(&obj, NO_TIMING));
    WAITS("cuEventDestroy", cuEventRecord(obj, st), cuEventDestroy_v2(obj));
    WAITS("cuGraphInstantiate", capture(), cuGraphInstantiateWithFlags(&obj2, obj, 0));
    WAITS("cuGraphExecDestroy", , cuGraphExecDestroy(obj2));
    WAITS("cuMemcpyHtoDAsync pageable 16 MiB, other stream", hp = calloc(1, 16 * MIB), cuMemcpyHtoDAsync_v2(d2, hp, 16 * MIB, st2));
    WAITS("cuMemcpyHtoD 4 B", , cuMemcpyHtoD_v2(d2, hp, 4));
    WAITS("cuMemsetD8 4 KiB", , cuMemsetD8_v2(d2, 0, 4096));
    WAITS("cuDevicePrimaryCtxRetain", , cuDevicePrimaryCtxRetain(&obj, 0));
    WAITS("cuDevicePrimaryCtxRelease (not last)", , cuDevicePrimaryCtxRelease_v2(0));
    WAITS("cuCtxCreate (another context)", , cuCtxCreate_v2(&other, 0, 0)); cuCtxSetCurrent(prim);
    WAITS("cuCtxDestroy of it", , cuCtxDestroy_v2(other));
}

/* ---- I: after the last release of the primary context ---------------------------------------------------------------- */
static void released(int i) {
    const char *t = ""; int e = -1, n = -1; H c = 0, c2 = 0; int again = i >= 100; i %= 100;
    load(0); setup(0); MUST(cuMemHostAlloc(&f_pinned, 4096, 0)); ((int *)f_pinned)[0] = 77;
    MUST(cuMemAllocAsync(&f_async, 4096, st)); MUST(cuStreamSynchronize(st));
    MUST(cuDevicePrimaryCtxRelease_v2(0)); cuCtxGetCurrent(&c2);
    if (again) { MUST(cuDevicePrimaryCtxRetain(&c, 0)); MUST(cuCtxSetCurrent(c)); }
    switch (i) {
    case 0: t = "cuCtxGetCurrent"; e = cuCtxGetCurrent(&c2); printf("(current %s) ", owner(c2)); break;
    case 1: t = "cuCtxSetCurrent(old)"; e = cuCtxSetCurrent(prim); break;
    case 2: t = "cuStreamQuery"; e = cuStreamQuery(st); break;
    case 3: t = "cuStreamDestroy"; e = cuStreamDestroy_v2(st); break;
    case 4: t = "cuEventDestroy"; e = cuEventDestroy_v2(ev); break;
    case 5: t = "cuMemFree"; e = cuMemFree_v2(d1); break;
    case 6: t = "cuMemFreeAsync"; e = cuMemFreeAsync(f_async, st); break;
    case 7: t = "cuModuleUnload"; e = cuModuleUnload(mod); break;
    case 8: t = "cuLaunchKernel"; e = launch_drv(fn); break;
    case 9: t = "cuMemFreeHost"; e = cuMemFreeHost(f_pinned); break;
    case 10: t = "read of pinned memory"; printf("(reading) "); fflush(stdout); e = ((int *)f_pinned)[0]; break;
    case 11: t = "cuLibraryUnload"; e = cuLibraryUnload(lib); break;
    case 12: t = "cuStreamSynchronize"; e = cuStreamSynchronize(st); break;
    case 13: t = "cuPointerGetAttribute TYPE device"; e = cuPointerGetAttribute(&n, ATTR_TYPE, d1); break;
    }
    if (again) printf("| %s, retained again (%s pointer) | %d |\n", t, c == prim ? "same context" : "new context", e);
    else printf("| %s | %d |\n", t, e);
}

/* ---- F: fork ------------------------------------------------------------------------------------------------------- */
static void fork_child(int i) {
    int n = -1; H c = (H)1; const char *t = ""; int e = -1;
#define FK(k, text, call) case k: t = text; e = call; break;
    switch (i) {
        FK(0, "cuDriverGetVersion", cuDriverGetVersion(&n)) FK(1, "cuInit(0)", cuInit(0)) FK(2, "cuDeviceGetCount", cuDeviceGetCount(&n))
        FK(3, "cuCtxGetCurrent", cuCtxGetCurrent(&c)) FK(4, "cuCtxSetCurrent(primary)", cuCtxSetCurrent(prim)) FK(5, "cuMemAlloc", cuMemAlloc_v2(&dp, 4096))
        FK(6, "cuMemFree", cuMemFree_v2(d1)) FK(7, "cuStreamQuery", cuStreamQuery(st)) FK(8, "cuStreamDestroy", cuStreamDestroy_v2(st2))
        FK(9, "cuEventDestroy", cuEventDestroy_v2(ev)) FK(10, "cuLaunchKernel", launch_drv(fn)) FK(11, "cuMemFreeHost", cuMemFreeHost(f_pinned))
        FK(12, "cuModuleUnload", cuModuleUnload(mod)) FK(13, "cuPointerGetAttribute", cuPointerGetAttribute(&n, ATTR_TYPE, d1))
        FK(14, "cuDevicePrimaryCtxRetain", cuDevicePrimaryCtxRetain(&c, 0)) FK(15, "cuDevicePrimaryCtxRelease", cuDevicePrimaryCtxRelease_v2(0))
    case 16: t = "cudaGetDeviceCount"; e = rt ? cudaGetDeviceCount(&n) : -1; break;
    case 17: t = "cudaMalloc"; e = rt ? cudaMalloc(&dp, 4096) : -1; break;
    case 18: t = "cudaStreamDestroy"; e = rt ? cudaStreamDestroy(st2) : -1; break;
    case 19: t = "read of pinned memory"; e = ((int *)f_pinned)[0]; break;
    }
    printf("| %s | %d | out %d%s |\n", t, e, n, i == 3 ? (c == prim ? " current=P" : c ? " current=?" : " current=none") : "");
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "", *path = argc > 2 ? argv[2] : 0;
    setvbuf(stdout, 0, _IOLBF, 0); alarm(100);
    if (!strcmp(mode, "mixed")) {
        mixed_path = path; printf("\n### mixed %s\n", path);
        for (int i = 0; i < 8; i++) in_child("mixed", mixed, i);
        return 0;
    }
    if (!strcmp(mode, "cold")) {
        mixed_path = path; printf("\n### cold %s\n| first runtime call | current before | code | current after |\n|---|---|---|---|\n", path);
        for (int i = 0; i < 27; i++) in_child("cold", cold, i);
        return 0;
    }
    if (!strcmp(mode, "released")) {
        printf("\n### released: the primary context is gone (it was current); then one call with an old handle, a process each\n");
        for (int again = 0; again < 2; again++)
            for (int i = 0; i < 14; i++) { char n[64]; snprintf(n, sizeof n, "case %d%s", i, again ? ", retained again" : ""); in_child(n, released, i + 100 * again); }
        return 0;
    }
    if (!strcmp(mode, "fault")) {
        printf("\n### fault: seen by cuStreamSynchronize, then the calls in this order in one process\n");
        in_child("fault_all", fault_all, 0);
        printf("\n### fault: not yet seen; this call is the first one after it (a process each)\n| first call | code | ms | cuStreamSynchronize then |\n|---|---|---|---|\n");
        int firsts[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 13, 14, 15, 16, 20, 21, 25, 26, 27, 29, 30, 31};
        for (unsigned i = 0; i < sizeof firsts / sizeof *firsts; i++) in_child("fault_first", fault_first, firsts[i]);
        for (int i = 0; i < 4; i++) in_child("fault_behind", fault_behind, i);
        return 0;
    }
    load(path);
    int cold_runtime = !strcmp(mode, "forkcold"); /* the runtime is loaded, but the parent has never called it */
    int (*get_kernel)(H *, H, const char *) = cudaLibraryGetKernel;
    if (cold_runtime) cudaLibraryGetKernel = 0;
    int tables = !strcmp(mode, "runtime") || !strcmp(mode, "driver");
    setup(tables);
    cudaLibraryGetKernel = get_kernel;
    if (cold_runtime) printf("\n### forkcold\n"); else banner(mode);
    if (!strcmp(mode, "runtime")) {
        table(0);
        for (long s = 0; s < SITUATIONS; s++) { pthread_t t; pthread_create(&t, 0, guard, (void *)s); pthread_join(t, 0); }
    } else if (!strcmp(mode, "driver")) table(1);
    else if (!strcmp(mode, "async")) async();
    else if (!strcmp(mode, "copies")) copies();
    else if (!strcmp(mode, "time")) timing();
    else if (!strcmp(mode, "order")) order();
    else if (!strcmp(mode, "blocking")) blocking();
    else if (!strcmp(mode, "fork") || !strcmp(mode, "forkcold")) {
        MUST(cuMemHostAlloc(&f_pinned, 4096, 0)); ((int *)f_pinned)[0] = 77; int n = 0;
        if (rt && !cold_runtime) MUST(cudaGetDeviceCount(&n));
        printf("| in the child | code | |\n|---|---|---|\n");
        for (int i = 0; i < 20; i++) in_child("fork child", fork_child, i);
        clear(); int e = launch_drv(fn); printf("parent afterwards: launch %d %s, ", e, is(42, 0));
        e = cuMemAlloc_v2(&dp, 4096); printf("cuMemAlloc %d\n", e);
    } else { printf("modes: runtime driver mixed cold async fault copies time order blocking released fork forkcold\n"); return 1; }
    return 0;
}
