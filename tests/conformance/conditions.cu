/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that set the condition of a graph: apart from the others, since a driver
 * older than 12.3 refuses the module.  The driver itself has what they call.
 */
#include <cuda_device_runtime_api.h>

typedef unsigned int word;

extern "C" {
__global__ void set(cudaGraphConditionalHandle handle, word value)
{
    cudaGraphSetConditional(handle, value);
}

__global__ void down(cudaGraphConditionalHandle handle, word *p)
{
    cudaGraphSetConditional(handle, --*p > 0);
}
}
