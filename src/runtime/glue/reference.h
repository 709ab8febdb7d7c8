/* SPDX-License-Identifier: Apache-2.0
 *
 * References to textures and surfaces, by the host's variables that stand for them.  Programs of
 * CUDA 11 have them; each context has its own.
 *
 * The host's variable says how a texture is looked up.  What it says when a kernel is launched is
 * what the kernel does, and not what it said when the texture was bound.
 */
#ifndef RT_REFERENCE_H
#define RT_REFERENCE_H

#include "runtime/abi/texture.h"
#include "runtime/glue/image.h"

/* Returns NULL if there is none. */
struct rt_row *rt_texture_row(const struct textureReference *texture);
struct rt_row *rt_surface_row(const struct surfaceReference *surface);

/* Give what the row is in the current context.  A texture's is told what its variable says. */
cudaError_t rt_texture(struct rt_row *row, CUtexref *reference);
cudaError_t rt_surface(struct rt_row *row, CUsurfref *reference);

/* Notes how far a texture begins behind the begin of what is bound to it, or that this is an array,
 * or nothing. */
#define RT_UNBOUND SIZE_MAX
#define RT_ARRAY (SIZE_MAX - 1)
void rt_texture_bound(struct rt_row *row, size_t offset);
size_t rt_texture_offset(const struct rt_row *row);

/* 1 from when a texture is first bound on. */
extern atomic_int rt_textures_bound;

/* Tells what the variables say that have changed. */
cudaError_t rt_textures_tell(void);

/* What a launch does first. */
static inline cudaError_t rt_textures_ready(void)
{
    int bound = atomic_load_explicit(&rt_textures_bound, memory_order_relaxed);
    return __builtin_expect(bound, 0) ? rt_textures_tell() : cudaSuccess;
}

void rt_references_remove(const struct rt_image *image);

#endif
