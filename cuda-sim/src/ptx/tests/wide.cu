#include <cstdint>
extern "C" __global__ void mixed(const int *a, const float *b, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double sum = 0;
    for (int k = 0; k < (a[i] & 15); ++k) {
        sum += sqrtf(fabsf(b[(i + k) % n])) / (k + 1) + (a[i] >> k) * 0.5 + __popc(a[i]) + min(k, 3);
    }
    switch (a[i] & 7) {
    case 0: sum += 1; break;
    case 1: sum *= 2; break;
    case 2: sum -= floorf(b[i]); break;
    case 3: sum += a[i] / 7 + a[i] % 5; break;
    case 4: sum += __clz(a[i]); break;
    case 5: sum += (double)(long long)(b[i] * 1000); break;
    default: sum = -sum; break;
    }
    out[i] = sum;
}
__device__ __noinline__ unsigned collatz(unsigned n) { unsigned c = 0; while (n != 1) { n = n & 1 ? 3 * n + 1 : n / 2; ++c; } return c; }
extern "C" __global__ void steps(unsigned *data) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; data[i] = collatz(i + 1); }
__device__ unsigned total; __constant__ unsigned weights[4] = {1, 2, 3, 4};
extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, unsigned n)
{
    __shared__ unsigned local[16];
    if (threadIdx.x < 16) local[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[in[i] & 15], weights[in[i] & 3]);
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
    atomicMax(&total, in[0]);
}
extern "C" __global__ void warp_sum(const float *in, float *out)
{
    float v = in[blockIdx.x * blockDim.x + threadIdx.x];
    __shared__ float part[32];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
        for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
        if (threadIdx.x == 0) out[blockIdx.x] = v;
    }
}
extern "C" __global__ void matmul(const float *a, const float *b, float *c, int n)
{
    __shared__ float ta[8][8], tb[8][8];
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    float s = 0;
    for (int t = 0; t < n / 8; ++t) {
        ta[threadIdx.y][threadIdx.x] = a[y * n + t * 8 + threadIdx.x];
        tb[threadIdx.y][threadIdx.x] = b[(t * 8 + threadIdx.y) * n + x];
        __syncthreads();
        for (int k = 0; k < 8; ++k) s = fmaf(ta[threadIdx.y][k], tb[k][threadIdx.x], s);
        __syncthreads();
    }
    c[y * n + x] = s;
}
struct Big { double d[3]; int i; char c[5]; };
extern "C" __global__ void structs(Big big, const float4 *in, float4 *out, unsigned char *bytes)
{
    unsigned i = threadIdx.x;
    int local[8];
    for (int k = 0; k < 8; ++k) local[(k * 3 + i) & 7] = k * big.i;
    float4 v = in[i];
    out[i] = make_float4(v.w, (float)big.d[i % 3], v.x + local[i & 7], expf(v.y));
    bytes[i] = big.c[i % 5] ^ (unsigned char)(v.z);
}
#include <cassert>
extern "C" __global__ void asserts(int n) { assert(n < 3); }
extern "C" __global__ void transcend(const float *in, float *out) { float v = in[threadIdx.x]; out[threadIdx.x] = sinf(v) + powf(fabsf(v), 1.5f) + logf(fabsf(v) + 1) + atan2f(v, 2.0f) + tanhf(v) + (float)exp((double)v / 100) + (float)log1p(fabs((double)v)) + erff(v); }
extern "C" __global__ void u128(const unsigned long long *a, unsigned long long *out) { unsigned __int128 p = (unsigned __int128)a[0] * a[1] + a[2]; p = p / 10; out[0] = (unsigned long long)p; out[1] = (unsigned long long)(p >> 64); }
