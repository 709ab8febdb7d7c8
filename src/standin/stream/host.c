/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of the program that run in stream order, and whom managed memory is attached to.
 */
#include "base/alloc.h"
#include "standin/context/current.h"

ENTRY(cuLaunchHostFunc, (CUstream handle, CUhostFn fn, void *data), (handle, fn, data))
{
    rill_stream *stream;
    CUresult status = si_check_ready();
    if (status) return status;
    if (!fn) return RILL_ERROR_INVALID_VALUE;
    status = si_stream(handle, &stream);
    return status ? status : rill_launch_host(stream, fn, data, NULL);
}

PER_THREAD_FORM(cuLaunchHostFunc, _ptsz, (CUstream stream, CUhostFn fn, void *data),
                (stream, fn, data))

/* ---- Callbacks ------------------------------------------------------------------------- */

/* A callback is given the stream as the program named it. */
struct callback {
    CUstreamCallback fn;
    CUstream stream;
    void *data;
};

static void call_back(rill_stream *stream, rill_status status, void *data)
{
    struct callback callback = *(struct callback *)data;
    (void)stream;
    rl_free(data);
    callback.fn(callback.stream, status, callback.data);
}

ENTRY(cuStreamAddCallback,
      (CUstream handle, CUstreamCallback fn, void *data, unsigned flags),
      (handle, fn, data, flags))
{
    rill_stream *stream;
    CUresult status = si_check_ready();
    if (status) return status;
    if (!fn) return RILL_ERROR_INVALID_VALUE;
    status = si_stream(handle, &stream);
    if (status) return status;
    struct callback *callback = rl_alloc(sizeof *callback);
    if (!callback) return RILL_ERROR_OUT_OF_MEMORY;
    *callback = (struct callback){ fn, handle, data };
    status = rill_stream_add_callback(stream, call_back, callback, flags);
    if (status) rl_free(callback);
    return status;
}

PER_THREAD_FORM(cuStreamAddCallback, _ptsz,
                (CUstream stream, CUstreamCallback fn, void *data, unsigned flags),
                (stream, fn, data, flags))

/* ---- Managed memory ----------------------------------------------------------------------- */

ENTRY(cuStreamAttachMemAsync,
      (CUstream handle, CUdeviceptr address, size_t bytes, unsigned flags),
      (handle, address, bytes, flags))
{
    rill_stream *stream;
    CUresult status = si_stream(handle, &stream);
    if (status) return status;
    /* An H100 refuses to attach memory to NULL alone, and takes the same stream by its name.  rill
     * refuses both; nothing remains to be done for either. */
    if (handle == CU_STREAM_LEGACY && flags == CU_MEM_ATTACH_SINGLE) flags = CU_MEM_ATTACH_GLOBAL;
    return rill_stream_attach(stream, address, bytes, flags);
}

PER_THREAD_FORM(cuStreamAttachMemAsync, _ptsz,
                (CUstream stream, CUdeviceptr address, size_t bytes, unsigned flags),
                (stream, address, bytes, flags))
