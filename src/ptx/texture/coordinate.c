/* SPDX-License-Identifier: Apache-2.0
 *
 * From coordinates to elements, as measured on an H100: coordinates between 0 and 1 have 21 bits
 * of a fraction, and what lies between two elements is rounded to 1/256 of the way.
 */
#include "ptx/texture/sample.h"

#include <math.h>

#define FRACTION 0x1p21
#define FAR 0x1p40  /* no texture is as large */

static bool repeats(const struct ptx_texture *texture, unsigned d)
{
    return texture->normalized &&
           (texture->mode[d] == PTX_WRAPS || texture->mode[d] == PTX_MIRRORS);
}

/* Returns the coordinate in units of elements.  What is no number is 0, and so is, in a texture
 * that repeats itself, what is too large to have a fraction. */
static double in_elements(const struct ptx_texture *texture, unsigned d, float coordinate)
{
    double x = coordinate;
    if (isnan(x) || (repeats(texture, d) && fabs(x) >= 0x1p24)) return 0;
    if (x > FAR) x = FAR;
    if (x < -FAR) x = -FAR;
    return texture->normalized ? floor(x * FRACTION) / FRACTION * texture->extent[d] : x;
}

static int64_t remainder_of(int64_t at, int64_t size)
{
    int64_t rest = at % size;
    return rest < 0 ? rest + size : rest;
}

/* Coordinates in units of elements are not wrapped and not mirrored. */
static int64_t apply_mode(const struct ptx_texture *texture, unsigned d, int64_t at)
{
    int64_t size = texture->extent[d];
    if (at >= 0 && at < size) return at;
    if (texture->mode[d] == PTX_HAS_BORDER) return PTX_OUTSIDE;
    if (!repeats(texture, d)) return at < 0 ? 0 : size - 1;
    if (texture->mode[d] == PTX_WRAPS) return remainder_of(at, size);
    at = remainder_of(at, 2 * size);
    return at < size ? at : 2 * size - 1 - at;
}

struct ptx_pair ptx_find_element(const struct ptx_texture *texture, unsigned d, float coordinate,
                                 int32_t shift)
{
    int64_t at = (int64_t)floor(in_elements(texture, d, coordinate)) + shift;
    at = apply_mode(texture, d, at);
    return (struct ptx_pair){ { at, at }, 0 };
}

struct ptx_pair ptx_find_neighbours(const struct ptx_texture *texture, unsigned d,
                                    float coordinate, int32_t shift)
{
    double x = floor((in_elements(texture, d, coordinate) - 0.5) * 256 + 0.5);
    int64_t at = (int64_t)floor(x / 256);
    return (struct ptx_pair){
        { apply_mode(texture, d, at + shift), apply_mode(texture, d, at + shift + 1) },
        (uint32_t)(x - 256 * (double)at),
    };
}
