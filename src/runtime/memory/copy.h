/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies in the driver's words.
 */
#ifndef RT_COPY_H
#define RT_COPY_H

#include "runtime/thread/thread.h"

static inline CUdeviceptr rt_address(const void *pointer)
{
    return (CUdeviceptr)(uintptr_t)pointer;
}

/* A copy of bytes in the order of a stream, or, if it is NULL, of a call that waits, in the
 * order of the legacy stream or the thread's own. */
struct rt_order {
    enum { RT_WAIT, RT_WAIT_PER_THREAD, RT_ASYNC } how;
    cudaStream_t stream;
};

cudaError_t rt_copy_bytes(void *dst, const void *src, size_t bytes, int kind,
                          struct rt_order order);

/* Puts a box into the driver's words.  Returns a status if its pitch, kind or array is wrong. */
cudaError_t rt_translate_box(const struct cudaMemcpy3DParms *box, CUDA_MEMCPY3D *out);

/* The way back, for what a node of a graph copies. */
void rt_translate_box_back(const CUDA_MEMCPY3D *box, struct cudaMemcpy3DParms *out);

/* Gives the address of a part of a variable, which has to lie in it. */
cudaError_t rt_symbol_part(const void *symbol, size_t offset, size_t bytes, void **address);

static inline int rt_kind_writes_device(int kind)
{
    return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice ||
           kind == cudaMemcpyDefault;
}

static inline int rt_kind_reads_device(int kind)
{
    return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice ||
           kind == cudaMemcpyDefault;
}

/* Describes a copy of bytes as a box. */
cudaError_t rt_box_of_bytes(void *dst, const void *src, size_t bytes, int kind,
                            CUDA_MEMCPY3D *out);

#endif
