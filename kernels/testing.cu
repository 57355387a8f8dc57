// Kernels that the tests and benches use. kernels/README.md says how the checked-in PTX beside this file is made.

static __device__ unsigned long long global_thread()
{
    return (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ unsigned long long nanoseconds()
{
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

// Does nothing: what is left is the cost of the launch.
extern "C" __global__ void empty() {}

// out[i] = value for i < n.
extern "C" __global__ void fill(unsigned int n, unsigned int value, unsigned int *out)
{
    unsigned long long i = global_thread();
    if (i < n) {
        out[i] = value;
    }
}

// data[i] += 1 for i < n. Launching it k times in order adds k; a lost order shows as a smaller number.
extern "C" __global__ void add_one(unsigned int n, unsigned int *data)
{
    unsigned long long i = global_thread();
    if (i < n) {
        data[i] += 1;
    }
}

// Keeps the stream busy for at least `ns` nanoseconds of the device's timer.
extern "C" __global__ void spin(unsigned long long ns)
{
    unsigned long long start = nanoseconds();
    while (nanoseconds() - start < ns) {
    }
}

// Waits `ns` nanoseconds, then out[i] = value for i < n: work whose result is late. Who reads `out` without order sees
// the old value.
extern "C" __global__ void slow_fill(unsigned long long ns, unsigned int n, unsigned int value, unsigned int *out)
{
    unsigned long long i = global_thread();
    unsigned long long start = nanoseconds();
    while (nanoseconds() - start < ns) {
    }
    if (i < n) {
        out[i] = value;
    }
}

// Writes to `address` whatever it is: an address that nobody owns is error 700, an odd one 716. For fault tests only.
extern "C" __global__ void write_to(unsigned long long address)
{
    *(volatile unsigned int *)address = 1;
}

// Ends the kernel with a trap: error 719 (or 715). For fault tests only.
extern "C" __global__ void trap()
{
    asm volatile("trap;");
}

// A parameter list with every alignment from 1 to 8 and a struct, which the kernel copies out byte for byte, so that the
// host can check how its arguments arrive. Parameter offsets: 0, 8, 12, 16, 24, 48; 49 bytes in all.
struct Mixed {
    float f;
    double d;
    char c;
};

extern "C" __global__ void echo(unsigned char *out, float f, int i, unsigned long long u, Mixed mixed, char last)
{
    if (global_thread() == 0) {
        *(float *)(out + 0) = f;
        *(int *)(out + 4) = i;
        *(unsigned long long *)(out + 8) = u;
        *(float *)(out + 16) = mixed.f;
        *(double *)(out + 24) = mixed.d;
        out[32] = (unsigned char)mixed.c;
        out[33] = (unsigned char)last;
    }
}

// Block-wide sum through shared memory: one sum per block, blockDim.x a power of two, dynamic shared memory of
// blockDim.x words. Exercises dynamic shared memory and barriers.
extern "C" __global__ void block_sum(unsigned int n, const unsigned int *in, unsigned int *sums)
{
    extern __shared__ unsigned int partial[];
    unsigned long long i = global_thread();
    partial[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            partial[threadIdx.x] += partial[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = partial[0];
    }
}
