/* SPDX-License-Identifier: Apache-2.0
 *
 * The level of a mipmap that gradients ask for.
 */
#ifndef PTX_TEXTURE_GRADIENT_H
#define PTX_TEXTURE_GRADIENT_H

#include <stdint.h>

/* Returns the level in 256ths, below 0 where elements are seen larger than they are.  `along` has,
 * for x and y of the picture, how far one of its elements is from the next, in a texture of one or
 * two dimensions whose first level has the extent. */
int32_t ptx_gradient_level(float along[2][2], const uint32_t extent[2]);

#endif
