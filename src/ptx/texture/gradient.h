/* SPDX-License-Identifier: Apache-2.0
 *
 * The level of a mipmap that gradients ask for.
 */
#ifndef PTX_TEXTURE_GRADIENT_H
#define PTX_TEXTURE_GRADIENT_H

#include <stdbool.h>
#include <stdint.h>

/* For x and y of the picture: how far one of its elements is from the next, in parts of the
 * texture's extents. */
struct ptx_gradients {
    double along[2][3];
    bool bent; /* around an edge of a cube: they have no sum and no difference */
};

/* Returns the level in 256ths, below 0 where elements are seen larger than they are, in a texture
 * of up to three dimensions whose first level has the extent. */
int32_t ptx_gradient_level(const struct ptx_gradients *gradients, const uint32_t extent[3],
                           unsigned dimensions);

/* Returns the gradients on the face of a cube that a direction meets; `along` is how the direction
 * itself changes. */
struct ptx_gradients ptx_gradients_on_face(const float direction[3], const float along[2][3]);

#endif
