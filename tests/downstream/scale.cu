// data[i] *= factor for i < n
extern "C" __global__ void scale(unsigned int n, float factor, float *data)
{
    unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        data[i] *= factor;
    }
}
