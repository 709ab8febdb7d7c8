/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a lookup looks, and what comes of the elements there.
 */
#ifndef PTX_TEXTURE_SAMPLE_H
#define PTX_TEXTURE_SAMPLE_H

#include "ptx/texture/texture.h"

#define PTX_OUTSIDE INT64_MIN /* no element: the border's color */

/* Two neighbours in one dimension, and what the second weighs, of 256. */
struct ptx_pair {
    int64_t at[2];
    uint32_t weight;
};

/* Finds the element at a coordinate, or the two around it, in dimension `d`, and goes on by `shift`
 * from there.  Address modes have been applied: elements are in the texture, or PTX_OUTSIDE. */
struct ptx_pair ptx_find_element(const struct ptx_texture *texture, unsigned d, float coordinate,
                                 int32_t shift);
struct ptx_pair ptx_find_neighbours(const struct ptx_texture *texture, unsigned d,
                                    float coordinate, int32_t shift);

/* Finds where a direction meets the cube around its origin: returns the face, and places it on
 * the face, from 0 to 1 in each dimension. */
unsigned ptx_find_face(const float direction[3], float place[2]);

/* Returns the coordinate that names the face; of those that are as large, the last one. */
unsigned ptx_cube_axis(const double direction[3]);

/* Weights of 2, 4 or 8 neighbours, x varying first: 256 in all. */
void ptx_weigh(const uint32_t along[3], unsigned dimensions, uint32_t weights[8]);

/* A channel of one element: its bits, integers extended by their sign. */
typedef int64_t ptx_texel_bits;

ptx_texel_bits ptx_read_texel(uint8_t texel, const unsigned char *from);

/* Returns the channel's border as an element of the texture. */
ptx_texel_bits ptx_border_texel(const struct ptx_texture *texture, unsigned channel);

/* Returns what a kernel gets of an element, of one that is gathered, and of elements that are
 * weighed. */
uint32_t ptx_texel_value(const struct ptx_texture *texture, ptx_texel_bits bits);
uint32_t ptx_gathered_value(const struct ptx_texture *texture, ptx_texel_bits bits);
uint32_t ptx_filtered_value(const struct ptx_texture *texture, const ptx_texel_bits bits[8],
                            const uint32_t weights[8], unsigned count);

/* Returns true if the filter of the texture has any effect. */
bool ptx_filters(const struct ptx_texture *texture);

#endif
