/* SPDX-License-Identifier: Apache-2.0
 *
 * sust.p: numbers that become what the elements of a surface are.  As an H100 answers, integers
 * are as large as they can be where the number is larger, and floats are cut to f16: their upper
 * bits remain, also of what is no number.
 */
#include "ptx/texture/surface.h"

#include <string.h>

#include "ptx/step/half_float.h"

static uint32_t clamp_unsigned(uint32_t bits, uint32_t most)
{
    return bits < most ? bits : most;
}

static uint32_t clamp_signed(uint32_t bits, int32_t most)
{
    const int32_t number = (int32_t)bits, least = -most - 1;
    return (uint32_t)(number < least ? least : number > most ? most : number);
}

static uint32_t cut_to_half(uint32_t bits)
{
    const uint32_t sign = bits >> 16 & HALF_SIGN, carried = bits >> 13 & 0x3ff;
    if ((bits & 0x7fffffff) > SINGLE_INFINITY)
        return sign | HALF_INFINITY | (carried ? carried : 1);
    return (uint32_t)format_converted(FORMAT_HALF, FORMAT_SINGLE, bits, PTX_ROUND_ZERO);
}

/* Returns a channel of an element, in the lowest bytes. */
static uint32_t channel_of(uint8_t texel, uint32_t bits)
{
    switch (texel) {
    case PTX_TEXEL_U8: return clamp_unsigned(bits, UINT8_MAX);
    case PTX_TEXEL_U16: return clamp_unsigned(bits, UINT16_MAX);
    case PTX_TEXEL_S8: return clamp_signed(bits, INT8_MAX);
    case PTX_TEXEL_S16: return clamp_signed(bits, INT16_MAX);
    case PTX_TEXEL_F16: return cut_to_half(bits);
    default: return bits;
    }
}

/* Returns false if the lane has failed. */
static bool store_formatted(struct ptx_surface *surface, uint32_t lane)
{
    const struct ptx_texture *texture = &surface->bound.texture;
    unsigned char *place;
    if (!ptx_find_in_surface(surface, lane, true, &place)) return false;
    for (unsigned n = 0; place && n < surface->bound.texture.channels; n++) {
        const uint32_t bytes = ptx_texel_bytes(texture->texel);
        uint32_t bits = 0;
        if (n < surface->step->width) memcpy(&bits, surface->elements[n] + 4 * (size_t)lane, 4);
        bits = channel_of(texture->texel, bits);
        memcpy(place + n * bytes, &bits, bytes);
    }
    return true;
}

void ptx_surface_format_step(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_surface surface;
    ptx_open_surface(&surface, group, step);
    ptx_store_in_turn(&surface, store_formatted);
}
