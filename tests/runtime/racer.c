/* SPDX-License-Identifier: Apache-2.0
 *
 * A program of the runtime with a race, for sites.sh.
 */
#include <cuda_runtime_api.h>
#include <stdlib.h>

static void *memory;
static cudaStream_t streams[2];

static void copy_first(const char *bytes)
{
    if (cudaMemcpyAsync(memory, bytes, 64, cudaMemcpyHostToDevice, streams[0])) exit(1);
}

static void fill_at_once(void)
{
    if (cudaMemsetAsync(memory, 0, 64, streams[1])) exit(1);
}

int main(void)
{
    static const char bytes[64];
    for (int i = 0; i < 2; i++)
        if (cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking)) return 1;
    if (cudaMalloc(&memory, 64)) return 1;
    copy_first(bytes);
    fill_at_once();
    return cudaDeviceSynchronize() || cudaFree(memory);
}
