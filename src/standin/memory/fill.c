/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills.  A fill of device memory continues after the call, so the _ptds forms are those in
 * the thread's own stream.
 */
#include "standin/context/current.h"

/* ---- In a row -------------------------------------------------------------------- */

ENTRY(cuMemsetD8_v2, (CUdeviceptr dst, unsigned char value, size_t count), (dst, value, count))
{
    rill_context *context;
    CUresult status = si_here(&context);
    return status ? status : rill_memset_d8(context, dst, value, count);
}

ENTRY(cuMemsetD16_v2, (CUdeviceptr dst, unsigned short value, size_t count), (dst, value, count))
{
    rill_context *context;
    CUresult status = si_here(&context);
    return status ? status : rill_memset_d16(context, dst, value, count);
}

ENTRY(cuMemsetD32_v2, (CUdeviceptr dst, unsigned value, size_t count), (dst, value, count))
{
    rill_context *context;
    CUresult status = si_here(&context);
    return status ? status : rill_memset_d32(context, dst, value, count);
}

ENTRY(cuMemsetD8Async,
      (CUdeviceptr dst, unsigned char value, size_t count, CUstream handle),
      (dst, value, count, handle))
{
    rill_stream *stream;
    CUresult status = si_stream(handle, &stream);
    return status ? status : rill_memset_d8_async(stream, dst, value, count);
}

ENTRY(cuMemsetD16Async,
      (CUdeviceptr dst, unsigned short value, size_t count, CUstream handle),
      (dst, value, count, handle))
{
    rill_stream *stream;
    CUresult status = si_stream(handle, &stream);
    return status ? status : rill_memset_d16_async(stream, dst, value, count);
}

ENTRY(cuMemsetD32Async,
      (CUdeviceptr dst, unsigned value, size_t count, CUstream handle),
      (dst, value, count, handle))
{
    rill_stream *stream;
    CUresult status = si_stream(handle, &stream);
    return status ? status : rill_memset_d32_async(stream, dst, value, count);
}

/* ---- In rows --------------------------------------------------------------------- */

static CUresult fill_box(CUdeviceptr dst, size_t pitch, uint32_t value, uint32_t element_bytes,
                         size_t width, size_t height)
{
    rill_context *context;
    rill_fill box = { dst, pitch, value, element_bytes, width, height };
    CUresult status = si_here(&context);
    return status ? status : rill_memset_box(context, &box);
}

static CUresult submit_box(CUdeviceptr dst, size_t pitch, uint32_t value, uint32_t element_bytes,
                           size_t width, size_t height, CUstream handle)
{
    rill_stream *stream;
    rill_fill box = { dst, pitch, value, element_bytes, width, height };
    CUresult status = si_stream(handle, &stream);
    return status ? status : rill_memset_box_async(stream, &box);
}

#define ROWS(bits, type) \
    ENTRY(cuMemsetD2D##bits##_v2, \
          (CUdeviceptr dst, size_t pitch, type value, size_t width, size_t height), \
          (dst, pitch, value, width, height)) \
    { \
        return fill_box(dst, pitch, value, bits / 8, width, height); \
    } \
    ENTRY(cuMemsetD2D##bits##Async, \
          (CUdeviceptr dst, size_t pitch, type value, size_t width, size_t height, \
           CUstream stream), \
          (dst, pitch, value, width, height, stream)) \
    { \
        return submit_box(dst, pitch, value, bits / 8, width, height, stream); \
    } \
    PER_THREAD_FORM(cuMemsetD2D##bits##Async, _ptsz, \
                    (CUdeviceptr dst, size_t pitch, type value, size_t width, size_t height, \
                     CUstream stream), \
                    (dst, pitch, value, width, height, stream)) \
    SAME_AS(cuMemsetD2D##bits##_v2_ptds, cuMemsetD2D##bits##Async, \
            (CUdeviceptr dst, size_t pitch, type value, size_t width, size_t height), \
            (dst, pitch, value, width, height, CU_STREAM_PER_THREAD))

ROWS(8, unsigned char)
ROWS(16, unsigned short)
ROWS(32, unsigned)

/* ---- In the thread's own stream -------------------------------------------------- */

#define OWN(bits, type) \
    PER_THREAD_FORM(cuMemsetD##bits##Async, _ptsz, \
                    (CUdeviceptr dst, type value, size_t count, CUstream stream), \
                    (dst, value, count, stream)) \
    SAME_AS(cuMemsetD##bits##_v2_ptds, cuMemsetD##bits##Async, \
            (CUdeviceptr dst, type value, size_t count), \
            (dst, value, count, CU_STREAM_PER_THREAD))

OWN(8, unsigned char)
OWN(16, unsigned short)
OWN(32, unsigned)
