/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of bytes in a row to and from arrays: within the first row, as an H100 has it for arrays
 * of any shape.
 */
#include "standin/context/current.h"
#include "standin/texture/array.h"

/* The calls that copy, by another name (copy_box.c). */
CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *copy);
CUresult cuMemcpy3D_v2_ptds(const CUDA_MEMCPY3D *copy);
CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *copy, CUstream stream);

/* An end of a copy: an array, or memory in one piece. */
struct end {
    int kind;
    CUarray array;
    uint64_t at;   /* bytes into the array, or an address */
};

struct row_copy {
    struct end dst, src;
    size_t bytes;
    CUresult (*copy)(const CUDA_MEMCPY3D *box);              /* NULL for one in the stream */
    CUstream stream;
};

static struct end end_in_array(CUarray array, size_t offset)
{
    return (struct end){ .kind = CU_MEMORYTYPE_ARRAY, .array = array, .at = offset };
}

static struct end end_on_device(CUdeviceptr address)
{
    return (struct end){ .kind = CU_MEMORYTYPE_DEVICE, .at = address };
}

static struct end end_on_host(const void *address)
{
    return (struct end){ .kind = CU_MEMORYTYPE_HOST, .at = (uintptr_t)address };
}

static CUresult place_end(const struct end *end, si_slices *place)
{
    *place = (si_slices){ .kind = end->kind };
    if (end->kind == CU_MEMORYTYPE_HOST) place->host = (void *)(uintptr_t)end->at;
    if (end->kind == CU_MEMORYTYPE_DEVICE) place->device = end->at;
    if (end->kind != CU_MEMORYTYPE_ARRAY) return RILL_SUCCESS;
    const struct si_array *array;
    place->array = end->array;
    place->x = end->at;
    return si_array(end->array, &array);
}

static CUresult copy_row(const struct row_copy *copy)
{
    struct si_context *current;
    CUDA_MEMCPY3D box = { .width = copy->bytes, .height = 1, .depth = 1 };
    CUresult status = si_current(&current);
    if (!status) status = place_end(&copy->dst, &box.dst);
    if (!status) status = place_end(&copy->src, &box.src);
    if (status) return status;
    return copy->copy ? copy->copy(&box) : cuMemcpy3DAsync_v2(&box, copy->stream);
}

/* ---- Without a stream ------------------------------------------------------------ */

/* Both forms of a call: in the order of the legacy stream, and of the thread's own. */
#define ARRAY_COPY(name, parameters, arguments, to, from) \
    ENTRY(name, parameters, arguments) \
    { \
        struct row_copy copy = { to, from, bytes, cuMemcpy3D_v2, NULL }; \
        return copy_row(&copy); \
    } \
    ENTRY(name##_ptds, parameters, arguments) \
    { \
        struct row_copy copy = { to, from, bytes, cuMemcpy3D_v2_ptds, NULL }; \
        return copy_row(&copy); \
    }

ARRAY_COPY(cuMemcpyHtoA_v2, (CUarray dst, size_t offset, const void *src, size_t bytes),
           (dst, offset, src, bytes), end_in_array(dst, offset), end_on_host(src))
ARRAY_COPY(cuMemcpyAtoH_v2, (void *dst, CUarray src, size_t offset, size_t bytes),
           (dst, src, offset, bytes), end_on_host(dst), end_in_array(src, offset))
ARRAY_COPY(cuMemcpyDtoA_v2, (CUarray dst, size_t offset, CUdeviceptr src, size_t bytes),
           (dst, offset, src, bytes), end_in_array(dst, offset), end_on_device(src))
ARRAY_COPY(cuMemcpyAtoD_v2, (CUdeviceptr dst, CUarray src, size_t offset, size_t bytes),
           (dst, src, offset, bytes), end_on_device(dst), end_in_array(src, offset))
ARRAY_COPY(cuMemcpyAtoA_v2,
           (CUarray dst, size_t to_offset, CUarray src, size_t offset, size_t bytes),
           (dst, to_offset, src, offset, bytes), end_in_array(dst, to_offset),
           end_in_array(src, offset))

/* ---- In a stream ----------------------------------------------------------------- */

ENTRY(cuMemcpyHtoAAsync_v2,
      (CUarray dst, size_t offset, const void *src, size_t bytes, CUstream stream),
      (dst, offset, src, bytes, stream))
{
    struct row_copy copy = { end_in_array(dst, offset), end_on_host(src), bytes, NULL, stream };
    return copy_row(&copy);
}

ENTRY(cuMemcpyAtoHAsync_v2,
      (void *dst, CUarray src, size_t offset, size_t bytes, CUstream stream),
      (dst, src, offset, bytes, stream))
{
    struct row_copy copy = { end_on_host(dst), end_in_array(src, offset), bytes, NULL, stream };
    return copy_row(&copy);
}

PER_THREAD_FORM(cuMemcpyHtoAAsync_v2, _ptsz,
                (CUarray dst, size_t offset, const void *src, size_t bytes, CUstream stream),
                (dst, offset, src, bytes, stream))
PER_THREAD_FORM(cuMemcpyAtoHAsync_v2, _ptsz,
                (void *dst, CUarray src, size_t offset, size_t bytes, CUstream stream),
                (dst, src, offset, bytes, stream))
