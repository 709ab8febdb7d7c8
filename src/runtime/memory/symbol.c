/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables of devices, named by the host's variables that stand for them.
 */
#include "runtime/glue/image.h"
#include "runtime/memory/copy.h"
#include "runtime/thread/entry.h"

ENTRY(cudaGetSymbolAddress, (void **address, const void *symbol), (address, symbol))
{
    CUdeviceptr at;
    size_t bytes;
    if (!address) return RILL_ERROR_INVALID_VALUE;
    cudaError_t status = rt_variable(symbol, &at, &bytes);
    if (!status) *address = (void *)(uintptr_t)at;
    return status;
}

ENTRY(cudaGetSymbolSize, (size_t *bytes, const void *symbol), (bytes, symbol))
{
    CUdeviceptr at;
    return bytes ? rt_variable(symbol, &at, bytes) : RILL_ERROR_INVALID_VALUE;
}

/* ---- Copies ------------------------------------------------------------------------------ */

cudaError_t rt_symbol_part(const void *symbol, size_t offset, size_t bytes, void **address)
{
    CUdeviceptr at;
    size_t size;
    cudaError_t status = rt_variable(symbol, &at, &size);
    if (status) return status;
    if (offset > size || bytes > size - offset) return RILL_ERROR_INVALID_VALUE;
    *address = (void *)(uintptr_t)(at + offset);
    return cudaSuccess;
}

/* The calls that wait look at the bytes first, the others at the kind. */
static cudaError_t find_part(const void *symbol, size_t offset, size_t bytes, int fits,
                             struct rt_order order, void **address)
{
    cudaError_t status = order.how == RT_ASYNC && !fits
                             ? cudaErrorInvalidMemcpyDirection
                             : rt_symbol_part(symbol, offset, bytes, address);
    return status || fits ? status : cudaErrorInvalidMemcpyDirection;
}

static cudaError_t copy_to(const void *symbol, const void *src, size_t bytes, size_t offset,
                           int kind, struct rt_order order)
{
    void *dst;
    if (!bytes) return cudaSuccess;
    cudaError_t status =
        find_part(symbol, offset, bytes, rt_kind_writes_device(kind), order, &dst);
    return status ? status : rt_copy_bytes(dst, src, bytes, kind, order);
}

static cudaError_t copy_from(void *dst, const void *symbol, size_t bytes, size_t offset, int kind,
                             struct rt_order order)
{
    void *src;
    if (!bytes) return cudaSuccess;
    cudaError_t status =
        find_part(symbol, offset, bytes, rt_kind_reads_device(kind), order, &src);
    return status ? status : rt_copy_bytes(dst, src, bytes, kind, order);
}

#define TO const void *symbol, const void *src, size_t bytes, size_t offset, int kind
#define FROM void *dst, const void *symbol, size_t bytes, size_t offset, int kind

ENTRY(cudaMemcpyToSymbol, (TO), (symbol, src, bytes, offset, kind))
{
    return copy_to(symbol, src, bytes, offset, kind, (struct rt_order){ RT_WAIT, NULL });
}

ENTRY(cudaMemcpyToSymbol_ptds, (TO), (symbol, src, bytes, offset, kind))
{
    return copy_to(symbol, src, bytes, offset, kind,
                   (struct rt_order){ RT_WAIT_PER_THREAD, NULL });
}

ENTRY(cudaMemcpyToSymbolAsync,
      (TO, cudaStream_t stream), (symbol, src, bytes, offset, kind, stream))
{
    return copy_to(symbol, src, bytes, offset, kind, (struct rt_order){ RT_ASYNC, stream });
}

PER_THREAD_FORM(cudaMemcpyToSymbolAsync, _ptsz, (TO, cudaStream_t stream),
                (symbol, src, bytes, offset, kind, stream))

ENTRY(cudaMemcpyFromSymbol, (FROM), (dst, symbol, bytes, offset, kind))
{
    return copy_from(dst, symbol, bytes, offset, kind, (struct rt_order){ RT_WAIT, NULL });
}

ENTRY(cudaMemcpyFromSymbol_ptds, (FROM), (dst, symbol, bytes, offset, kind))
{
    return copy_from(dst, symbol, bytes, offset, kind,
                     (struct rt_order){ RT_WAIT_PER_THREAD, NULL });
}

ENTRY(cudaMemcpyFromSymbolAsync,
      (FROM, cudaStream_t stream), (dst, symbol, bytes, offset, kind, stream))
{
    return copy_from(dst, symbol, bytes, offset, kind, (struct rt_order){ RT_ASYNC, stream });
}

PER_THREAD_FORM(cudaMemcpyFromSymbolAsync, _ptsz, (FROM, cudaStream_t stream),
                (dst, symbol, bytes, offset, kind, stream))
