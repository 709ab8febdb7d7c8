/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies as the driver is told of them, in a stream, at once, or as nodes.  What rill says
 * of a copy without pitches, or without volume, is what the driver does: places are passed
 * on as they are.
 */
#ifndef CUDA_MEMORY_COPY_H
#define CUDA_MEMORY_COPY_H

#include "backend-cuda/memory/explain.h"

/* The driver's form of a copy, and back, without the contexts of the places. */
void cuda_write_copy(const rill_copy *copy, CUDA_MEMCPY3D *raw);
void cuda_read_copy(const CUDA_MEMCPY3D *raw, rill_copy *copy);

/* Writes the form with the contexts of the places; `context` is that of places which name
 * none. */
void cuda_write_peer_copy(const struct cuda_context *context, const rill_copy *copy,
                          CUDA_MEMCPY3D_PEER *raw);

/* Copies before it returns.  Requires the context to be current. */
rill_status cuda_run_copy(struct cuda_context *context, const rill_copy *copy);

/* ---- Which call a copy takes ------------------------------------------------------- */

/* From what kind of memory to what. */
#define CUDA_PAIR(dst, src) (RILL_MEMORY_##dst << 4 | RILL_MEMORY_##src)

static inline bool cuda_is_plain_place(const rill_place *place)
{
    return !(place->x | place->y | place->z | place->pitch | place->rows);
}

static inline bool cuda_copies_row(const rill_copy *copy)
{
    return copy->height == 1 && copy->depth == 1 && cuda_is_plain_place(&copy->dst) &&
           cuda_is_plain_place(&copy->src);
}

/* Returns the CUDA_PAIR() of a copy that a flat call may do, else 0.  Kinds of memory may be
 * any numbers. */
static inline int cuda_copy_pair(const rill_copy *copy)
{
    unsigned dst = (unsigned)copy->dst.kind, src = (unsigned)copy->src.kind;
    return cuda_copies_row(copy) && (dst | src) < 16 ? (int)(dst << 4 | src) : 0;
}

static inline bool cuda_names_contexts(const rill_copy *copy)
{
    return copy->dst.context || copy->src.context;
}

/* Returns the driver's context of a place. */
static inline CUcontext cuda_copy_context(const struct cuda_context *context,
                                          const rill_place *place)
{
    return place->context ? cuda_context_of(place->context)->raw : context->raw;
}

/* Ends a copy, and explains a failure. */
static inline rill_status cuda_end_copy(const struct cuda_context *context, CUresult result,
                                        const char *call, const rill_copy *copy)
{
    return __builtin_expect(result == CUDA_SUCCESS, 1)
               ? RILL_SUCCESS
               : cuda_explain_copy(context, result, call, copy);
}

#endif
