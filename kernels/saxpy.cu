// The kernel of the examples, the benches and the first tests. `extern "C"` keeps its name as it is written here.
// kernels/README.md says how the checked-in PTX beside this file is made.

// y[i] = a * x[i] + y[i] for i < n, rounded once (a fused multiply-add, so that a host can compute the same bits).
extern "C" __global__ void saxpy(unsigned int n, float a, const float *x, float *y)
{
    // 64 bits: blockIdx.x * blockDim.x may pass 2^32 in the last block of a full grid.
    unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = __fmaf_rn(a, x[i], y[i]);
    }
}
