/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of bytes in a row.  Without a stream they run in the order of the legacy stream.
 * Their _ptds forms run in the order of the thread's own stream, and wait where the plain
 * ones do: when host memory takes part.
 */
#include "standin/memory/copy.h"

int si_is_device_memory(CUdeviceptr address)
{
    rill_context *context;
    rill_pointer_info info = { .size = sizeof info };
    if (si_here(&context) || rill_pointer_get_info(context, address, &info)) return 0;
    return info.known && info.kind == RILL_MEMORY_DEVICE;
}

CUresult si_wait_own(CUresult status)
{
    rill_stream *own;
    if (!status) status = si_stream(CU_STREAM_PER_THREAD, &own);
    return status ? status : rill_stream_synchronize(own);
}

/* ---- Without a stream ------------------------------------------------------------ */

ENTRY(cuMemcpy, (CUdeviceptr dst, CUdeviceptr src, size_t bytes), (dst, src, bytes))
{
    rill_context *context;
    CUresult status = si_here(&context);
    return status ? status : rill_memcpy(context, dst, src, bytes);
}

ENTRY(cuMemcpyHtoD_v2, (CUdeviceptr dst, const void *src, size_t bytes), (dst, src, bytes))
{
    rill_context *context;
    CUresult status = si_here(&context);
    return status ? status : rill_memcpy_htod(context, dst, src, bytes);
}

ENTRY(cuMemcpyDtoH_v2, (void *dst, CUdeviceptr src, size_t bytes), (dst, src, bytes))
{
    rill_context *context;
    CUresult status = si_here(&context);
    return status ? status : rill_memcpy_dtoh(context, dst, src, bytes);
}

ENTRY(cuMemcpyDtoD_v2, (CUdeviceptr dst, CUdeviceptr src, size_t bytes), (dst, src, bytes))
{
    rill_context *context;
    CUresult status = si_here(&context);
    return status ? status : rill_memcpy_dtod(context, dst, src, bytes);
}

/* ---- In a stream ----------------------------------------------------------------- */

ENTRY(cuMemcpyAsync,
      (CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream handle),
      (dst, src, bytes, handle))
{
    rill_stream *stream;
    CUresult status = si_stream(handle, &stream);
    return status ? status : rill_memcpy_async(stream, dst, src, bytes);
}

ENTRY(cuMemcpyHtoDAsync_v2,
      (CUdeviceptr dst, const void *src, size_t bytes, CUstream handle),
      (dst, src, bytes, handle))
{
    rill_stream *stream;
    CUresult status = si_stream(handle, &stream);
    return status ? status : rill_memcpy_htod_async(stream, dst, src, bytes);
}

ENTRY(cuMemcpyDtoHAsync_v2,
      (void *dst, CUdeviceptr src, size_t bytes, CUstream handle), (dst, src, bytes, handle))
{
    rill_stream *stream;
    CUresult status = si_stream(handle, &stream);
    return status ? status : rill_memcpy_dtoh_async(stream, dst, src, bytes);
}

ENTRY(cuMemcpyDtoDAsync_v2,
      (CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream handle),
      (dst, src, bytes, handle))
{
    rill_stream *stream;
    CUresult status = si_stream(handle, &stream);
    return status ? status : rill_memcpy_dtod_async(stream, dst, src, bytes);
}

PER_THREAD_FORM(cuMemcpyAsync, _ptsz,
                (CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream),
                (dst, src, bytes, stream))
PER_THREAD_FORM(cuMemcpyHtoDAsync_v2, _ptsz,
                (CUdeviceptr dst, const void *src, size_t bytes, CUstream stream),
                (dst, src, bytes, stream))
PER_THREAD_FORM(cuMemcpyDtoHAsync_v2, _ptsz,
                (void *dst, CUdeviceptr src, size_t bytes, CUstream stream),
                (dst, src, bytes, stream))
PER_THREAD_FORM(cuMemcpyDtoDAsync_v2, _ptsz,
                (CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream),
                (dst, src, bytes, stream))

/* ---- Without a stream, in the thread's own --------------------------------------- */

ENTRY(cuMemcpy_ptds, (CUdeviceptr dst, CUdeviceptr src, size_t bytes), (dst, src, bytes))
{
    CUresult status = cuMemcpyAsync(dst, src, bytes, CU_STREAM_PER_THREAD);
    int on_device = si_is_device_memory(dst) && si_is_device_memory(src);
    return on_device ? status : si_wait_own(status);
}

ENTRY(cuMemcpyHtoD_v2_ptds, (CUdeviceptr dst, const void *src, size_t bytes), (dst, src, bytes))
{
    return si_wait_own(cuMemcpyHtoDAsync_v2(dst, src, bytes, CU_STREAM_PER_THREAD));
}

ENTRY(cuMemcpyDtoH_v2_ptds, (void *dst, CUdeviceptr src, size_t bytes), (dst, src, bytes))
{
    return si_wait_own(cuMemcpyDtoHAsync_v2(dst, src, bytes, CU_STREAM_PER_THREAD));
}

ENTRY(cuMemcpyDtoD_v2_ptds, (CUdeviceptr dst, CUdeviceptr src, size_t bytes), (dst, src, bytes))
{
    return cuMemcpyDtoDAsync_v2(dst, src, bytes, CU_STREAM_PER_THREAD);
}

/* ---- Between contexts ------------------------------------------------------------ */

/* A context that is NULL is the current one. */
static CUresult read_contexts(CUcontext dst_handle, rill_context **dst, CUcontext src_handle,
                              rill_context **src)
{
    CUresult status = dst_handle ? si_context(dst_handle, dst) : si_here(dst);
    if (!status) status = src_handle ? si_context(src_handle, src) : si_here(src);
    return status;
}

ENTRY(cuMemcpyPeer,
      (CUdeviceptr dst, CUcontext dst_handle, CUdeviceptr src, CUcontext src_handle, size_t bytes),
      (dst, dst_handle, src, src_handle, bytes))
{
    rill_context *to, *from = NULL;
    CUresult status = read_contexts(dst_handle, &to, src_handle, &from);
    return status ? status : rill_memcpy_peer(to, dst, from, src, bytes);
}

ENTRY(cuMemcpyPeerAsync,
      (CUdeviceptr dst, CUcontext dst_handle, CUdeviceptr src, CUcontext src_handle, size_t bytes,
       CUstream handle),
      (dst, dst_handle, src, src_handle, bytes, handle))
{
    rill_stream *stream;
    rill_context *to = NULL, *from = NULL;
    CUresult status = si_stream(handle, &stream);
    if (!status) status = read_contexts(dst_handle, &to, src_handle, &from);
    return status ? status : rill_memcpy_peer_async(stream, to, dst, from, src, bytes);
}

PER_THREAD_FORM(cuMemcpyPeerAsync, _ptsz,
                (CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src, CUcontext src_context,
                 size_t bytes, CUstream stream),
                (dst, dst_context, src, src_context, bytes, stream))

ENTRY(cuMemcpyPeer_ptds,
      (CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src, CUcontext src_context,
       size_t bytes),
      (dst, dst_context, src, src_context, bytes))
{
    return cuMemcpyPeerAsync(dst, dst_context, src, src_context, bytes, CU_STREAM_PER_THREAD);
}
