/* SPDX-License-Identifier: Apache-2.0 */
#include <cuda_device_runtime_api.h>
extern "C" {
__global__ void setcond(cudaGraphConditionalHandle h, unsigned v) { cudaGraphSetConditional(h, v); }
/* count down in memory and keep the loop going while it is above zero */
__global__ void countdown(cudaGraphConditionalHandle h, unsigned *p) { unsigned v = *p - 1; *p = v; cudaGraphSetConditional(h, v > 0); }
__global__ void cond_from(cudaGraphConditionalHandle h, const unsigned *p) { cudaGraphSetConditional(h, *p); }
__global__ void inc(unsigned *p) { *p = *p + 1; }
}
