/* SPDX-License-Identifier: Apache-2.0
 *
 * References to textures and surfaces, by the host's variables that stand for them.  Programs of
 * CUDA 11 have them; each context has its own.
 */
#ifndef RT_REFERENCE_H
#define RT_REFERENCE_H

#include "runtime/abi/texture.h"
#include "runtime/glue/image.h"

/* Returns NULL if there is none. */
struct rt_row *rt_texture_row(const struct textureReference *texture);
struct rt_row *rt_surface_row(const struct surfaceReference *surface);

/* Give what the row is in the current context. */
cudaError_t rt_texture(struct rt_row *row, CUtexref *reference);
cudaError_t rt_surface(struct rt_row *row, CUsurfref *reference);

void rt_references_remove(const struct rt_image *image);

#endif
