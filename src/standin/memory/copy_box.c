/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of rows and slices.  Every form becomes the one in three dimensions and is read
 * there.
 */
#include "standin/memory/copy_box.h"

#include <rill/backend.h>

#include "core/object/error.h"
#include "standin/memory/copy.h"
#include "standin/texture/array.h"

/* ---- From the driver's form to rill's -------------------------------------------- */

struct extents {
    size_t width, height, depth;
};

static CUresult refuse_place(const char *what)
{
    return rl_finish("memcpy", NULL, rill_backend_fail(RILL_ERROR_INVALID_VALUE, NULL, "%s", what));
}

static int is_within(size_t from, size_t count, size_t all)
{
    return from <= all && count <= all - from;
}

/* The place of an array is memory of a device, at the array's pitch. */
static CUresult read_array(const si_slices *given, const struct extents *box, rill_place *place)
{
    const struct si_array *array;
    if (!given->array) return RILL_ERROR_INVALID_VALUE;
    CUresult status = si_array(given->array, &array);
    if (status) return status;
    int empty = !box->width || !box->height || !box->depth;
    if (given->lod) return refuse_place("a level of an array that has none");
    if (!empty && !(is_within(given->x, box->width, array->row_bytes) &&
                    is_within(given->y, box->height, array->rows) &&
                    is_within(given->z, box->depth, array->slices)))
        return refuse_place("a copy that is not inside of its array");
    *place = (rill_place){ .kind = RILL_MEMORY_DEVICE,
                           .address = array->address,
                           .pitch = array->pitch,
                           .rows = array->rows,
                           .x = given->x,
                           .y = given->y,
                           .z = given->z };
    return RILL_SUCCESS;
}

static CUresult read_place(const si_slices *given, const struct extents *box, int peers,
                           rill_place *place)
{
    int host = given->kind == CU_MEMORYTYPE_HOST;
    if (given->kind == CU_MEMORYTYPE_ARRAY) {
        CUresult status = read_array(given, box, place);
        if (status) return status;
    } else {
        *place = (rill_place){
            .kind = (rill_memory_kind)given->kind,
            .address = host ? (uintptr_t)given->host : given->device,
            .pitch = given->pitch,
            .rows = given->rows,
            .x = given->x,
            .y = given->y,
            .z = given->z,
        };
    }
    if (!peers || host) return RILL_SUCCESS;
    return given->context ? si_context(given->context, &place->context)
                          : si_here(&place->context);
}

CUresult si_read_copy(const CUDA_MEMCPY3D *given, int peers, rill_copy *copy)
{
    const struct extents box = { given->width, given->height, given->depth };
    *copy = (rill_copy){ .width = given->width, .height = given->height, .depth = given->depth };
    CUresult status = read_place(&given->dst, &box, peers, &copy->dst);
    return status ? status : read_place(&given->src, &box, peers, &copy->src);
}

static si_slices from_rows(const si_rows *rows)
{
    return (si_slices){
        .x = rows->x,
        .y = rows->y,
        .kind = rows->kind,
        .host = rows->host,
        .device = rows->device,
        .array = rows->array,
        .pitch = rows->pitch,
    };
}

static CUDA_MEMCPY3D from_2d(const CUDA_MEMCPY2D *given)
{
    return (CUDA_MEMCPY3D){ .src = from_rows(&given->src),
                            .dst = from_rows(&given->dst),
                            .width = given->width,
                            .height = given->height,
                            .depth = 1 };
}

/* ---- Copying --------------------------------------------------------------------- */

/* Copies without a stream. */
static CUresult copy_box_now(const CUDA_MEMCPY3D *given, int peers)
{
    rill_context *context;
    rill_copy copy;
    CUresult status = si_here(&context);
    if (!status) status = si_read_copy(given, peers, &copy);
    return status ? status : rill_memcpy_box(context, &copy);
}

static CUresult submit_box(const CUDA_MEMCPY3D *given, int peers, CUstream handle)
{
    rill_stream *stream;
    rill_copy copy;
    CUresult status = si_stream(handle, &stream);
    if (!status) status = si_read_copy(given, peers, &copy);
    return status ? status : rill_memcpy_box_async(stream, &copy);
}

/* Where a thread has no current context, places that name none are in that of the stream, as
 * measured. */
static CUresult submit_peer_box(const CUDA_MEMCPY3D_PEER *given, CUstream handle)
{
    CUDA_MEMCPY3D_PEER box = *given;
    struct si_context *context;
    rill_context *here;
    if (si_here(&here) == RILL_ERROR_INVALID_CONTEXT && !si_stream_context(handle, &context)) {
        if (!box.dst.context) box.dst.context = (CUcontext)(void *)context;
        if (!box.src.context) box.src.context = (CUcontext)(void *)context;
    }
    return submit_box(&box, 1, handle);
}

static int touches_host(const si_slices *place)
{
    if (place->kind == CU_MEMORYTYPE_UNIFIED) return !si_is_device_memory(place->device);
    return place->kind == CU_MEMORYTYPE_HOST;
}

/* Copies without a stream, in the order of the thread's own. */
static CUresult copy_own_box(const CUDA_MEMCPY3D *given, int peers)
{
    CUresult status = submit_box(given, peers, CU_STREAM_PER_THREAD);
    int waits = touches_host(&given->dst) || touches_host(&given->src);
    return waits ? si_wait_own(status) : status;
}

/* ---- Rows ------------------------------------------------------------------------ */

static CUresult check_given(const void *given)
{
    CUresult status = si_check_ready();
    return status || given ? status : RILL_ERROR_INVALID_VALUE;
}

ENTRY(cuMemcpy2D_v2, (const CUDA_MEMCPY2D *given), (given))
{
    CUresult status = check_given(given);
    if (status) return status;
    CUDA_MEMCPY3D box = from_2d(given);
    return copy_box_now(&box, 0);
}

ENTRY(cuMemcpy2D_v2_ptds, (const CUDA_MEMCPY2D *given), (given))
{
    CUresult status = check_given(given);
    if (status) return status;
    CUDA_MEMCPY3D box = from_2d(given);
    return copy_own_box(&box, 0);
}

/* Alignment does not matter here. */
SAME_AS(cuMemcpy2DUnaligned_v2, cuMemcpy2D_v2, (const CUDA_MEMCPY2D *copy), (copy))
SAME_AS(cuMemcpy2DUnaligned_v2_ptds, cuMemcpy2D_v2_ptds, (const CUDA_MEMCPY2D *copy), (copy))

ENTRY(cuMemcpy2DAsync_v2, (const CUDA_MEMCPY2D *given, CUstream stream), (given, stream))
{
    CUresult status = check_given(given);
    if (status) return status;
    CUDA_MEMCPY3D box = from_2d(given);
    return submit_box(&box, 0, stream);
}

PER_THREAD_FORM(cuMemcpy2DAsync_v2, _ptsz, (const CUDA_MEMCPY2D *copy, CUstream stream),
                (copy, stream))

/* ---- Slices ---------------------------------------------------------------------- */

ENTRY(cuMemcpy3D_v2, (const CUDA_MEMCPY3D *given), (given))
{
    CUresult status = check_given(given);
    return status ? status : copy_box_now(given, 0);
}

ENTRY(cuMemcpy3D_v2_ptds, (const CUDA_MEMCPY3D *given), (given))
{
    CUresult status = check_given(given);
    return status ? status : copy_own_box(given, 0);
}

ENTRY(cuMemcpy3DAsync_v2, (const CUDA_MEMCPY3D *given, CUstream stream), (given, stream))
{
    CUresult status = check_given(given);
    return status ? status : submit_box(given, 0, stream);
}

ENTRY(cuMemcpy3DPeer, (const CUDA_MEMCPY3D_PEER *given), (given))
{
    CUresult status = check_given(given);
    return status ? status : copy_box_now(given, 1);
}

ENTRY(cuMemcpy3DPeer_ptds, (const CUDA_MEMCPY3D_PEER *given), (given))
{
    CUresult status = check_given(given);
    return status ? status : copy_own_box(given, 1);
}

ENTRY(cuMemcpy3DPeerAsync, (const CUDA_MEMCPY3D_PEER *given, CUstream stream), (given, stream))
{
    CUresult status = check_given(given);
    return status ? status : submit_peer_box(given, stream);
}

PER_THREAD_FORM(cuMemcpy3DAsync_v2, _ptsz, (const CUDA_MEMCPY3D *copy, CUstream stream),
                (copy, stream))
PER_THREAD_FORM(cuMemcpy3DPeerAsync, _ptsz, (const CUDA_MEMCPY3D_PEER *copy, CUstream stream),
                (copy, stream))
