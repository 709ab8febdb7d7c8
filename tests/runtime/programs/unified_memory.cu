// SPDX-License-Identifier: Apache-2.0
// Managed memory: one pointer for the host and the devices, its attachment, prefetches, advice,
// and, where the compiler knows them, variables that are managed.
#include "check.h"

#if CUDART_VERSION >= 13000
static cudaMemLocation device_place(int device)
{
    cudaMemLocation place = {};
    place.type = cudaMemLocationTypeDevice;
    place.id = device;
    return place;
}
#define PREFETCH(address, bytes, stream) \
    cudaMemPrefetchAsync(address, bytes, device_place(0), 0, stream)
#define PREFER(address, bytes) \
    cudaMemAdvise(address, bytes, cudaMemAdviseSetPreferredLocation, device_place(0))
#else
#define PREFETCH(address, bytes, stream) cudaMemPrefetchAsync(address, bytes, 0, stream)
#define PREFER(address, bytes) cudaMemAdvise(address, bytes, cudaMemAdviseSetPreferredLocation, 0)
#endif

// A list, whose links are as good on the device as on the host.
struct item {
    int value;
    item *next;
};

__global__ void sum_list(const item *first, int *sum)
{
    *sum = 0;
    for (const item *at = first; at; at = at->next) *sum += at->value;
}

__global__ void scale(float *values, float by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] *= by;
}

static void follow_pointers()
{
    item *items;
    int *sum;
    OK(cudaMallocManaged(&items, 10 * sizeof *items));
    OK(cudaMallocManaged(&sum, sizeof *sum));
    for (int i = 0; i < 10; i++) {
        items[i].value = i + 1;
        items[i].next = i < 9 ? &items[i + 1] : nullptr;
    }
    sum_list<<<1, 1>>>(items, sum);
    OK(cudaDeviceSynchronize());
    EXPECT(*sum == 55);
    OK(cudaFree(items));
    OK(cudaFree(sum));
}

static void say_where()
{
    const int n = 5000;
    float *values;
    int where = -77;
    cudaStream_t stream;
    cudaPointerAttributes about;
    OK(cudaStreamCreate(&stream));
    OK(cudaMallocManaged(&values, n * sizeof *values));
    OK(cudaPointerGetAttributes(&about, values));
    EXPECT(about.type == cudaMemoryTypeManaged);
    EXPECT(about.devicePointer == values && about.hostPointer == values);
    for (int i = 0; i < n; i++) values[i] = (float)i;
    OK(PREFER(values, n * sizeof *values));
    OK(PREFETCH(values, n * sizeof *values, stream));
    OK(cudaMemRangeGetAttribute(&where, sizeof where, cudaMemRangeAttributeLastPrefetchLocation,
                                values, n * sizeof *values));
    EXPECT(where == 0);
    OK(cudaStreamAttachMemAsync(stream, values));
    scale<<<(n + 255) / 256, 256, 0, stream>>>(values, 3, n);
    OK(cudaStreamSynchronize(stream));
    for (int i = 0; i < n; i++) EXPECT(values[i] == 3.0f * (float)i);
    OK(cudaMemset(values, 0, n * sizeof *values));
    EXPECT(values[7] == 0);
    OK(cudaFree(values));
    OK(cudaStreamDestroy(stream));
}

#ifdef __NVCC__
__device__ __managed__ int counter = 40;

__global__ void count()
{
    atomicAdd(&counter, 1);
}

static void use_variables()
{
    EXPECT(counter == 40);
    counter += 2;
    count<<<1, 8>>>();
    OK(cudaDeviceSynchronize());
    EXPECT(counter == 50);
    /* It is a symbol, too, by its own address. */
    const int seven = 7;
    int value = 0;
    size_t bytes = 0;
    void *address = nullptr;
    OK(cudaGetSymbolSize(&bytes, counter));
    OK(cudaGetSymbolAddress(&address, counter));
    OK(cudaMemcpyToSymbol(counter, &seven, sizeof seven));
    OK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
    EXPECT(bytes == sizeof counter && address == &counter && value == 7 && counter == 7);
}
#else
static void use_variables()
{
}
#endif

int main()
{
    void *none = &none;
    follow_pointers();
    say_where();
    use_variables();
    EXPECT(cudaMallocManaged(&none, 0) == cudaSuccess && !none);
    EXPECT(cudaMallocManaged(&none, 4, 7) == cudaErrorInvalidValue);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    std::printf("unified memory\n");
}
