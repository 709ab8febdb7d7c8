/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz_textures.h"

#include <stdlib.h>

#include "ptx/texture/texture.h"

enum { LEVELS = 3 };

/* Rows have 64 bytes, slices 256. */
#define SHAPE(wide, high, deep) \
    .pitch = 64, .slice = 256, .extent = { wide, (high) ? (high) : 1, (deep) ? (deep) : 1 }, \
    .told = { wide, high, deep }, .array = true
#define ALL_SIDES(way) .mode = { way, way, way }

static const struct ptx_texture textures[] = {
    { SHAPE(9, 0, 0), .texel = PTX_TEXEL_F32, .channels = 1, ALL_SIDES(PTX_CLAMPS) },
    { SHAPE(7, 4, 0), .texel = PTX_TEXEL_F32, .channels = 2, .linear = true, .normalized = true,
      ALL_SIDES(PTX_WRAPS) },
    { SHAPE(7, 4, 0), .texel = PTX_TEXEL_U8, .channels = 4, .linear = true,
      ALL_SIDES(PTX_HAS_BORDER), .border = { 0.25f, 1, 2, -1 } },
    { SHAPE(5, 3, 4), .texel = PTX_TEXEL_F16, .channels = 4, .linear = true, .normalized = true,
      ALL_SIDES(PTX_MIRRORS) },
    { SHAPE(4, 4, 6), .texel = PTX_TEXEL_F32, .channels = 1, .linear = true, .normalized = true,
      .cube = true, ALL_SIDES(PTX_CLAMPS) },
    { SHAPE(4, 4, 12), .texel = PTX_TEXEL_S16, .channels = 2, .normalized = true, .cube = true,
      ALL_SIDES(PTX_CLAMPS) },
    { SHAPE(16, 0, 5), .texel = PTX_TEXEL_U32, .channels = 1, .integer = true,
      ALL_SIDES(PTX_CLAMPS) },
    /* A mipmap, of levels that are as large as the first. */
    { SHAPE(8, 4, 0), .texel = PTX_TEXEL_F32, .channels = 1, .linear = true, .normalized = true,
      .between = true, .levels = LEVELS, ALL_SIDES(PTX_CLAMPS) },
};

static const struct ptx_texture surfaces[] = {
    { SHAPE(9, 0, 0), .texel = PTX_TEXEL_U32, .channels = 1, .surface = true },
    { SHAPE(9, 4, 0), .texel = PTX_TEXEL_S32, .channels = 1, .surface = true },
    { SHAPE(7, 4, 0), .texel = PTX_TEXEL_U32, .channels = 2, .surface = true },
    { SHAPE(7, 4, 3), .texel = PTX_TEXEL_U8, .channels = 4, .surface = true },
    { SHAPE(7, 4, 3), .texel = PTX_TEXEL_S16, .channels = 1, .surface = true },
    { SHAPE(7, 4, 0), .texel = PTX_TEXEL_F16, .channels = 2, .surface = true },
    { SHAPE(4, 4, 0), .texel = PTX_TEXEL_F32, .channels = 4, .surface = true },
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

static uint64_t add_texture(struct ptx_texture texture, unsigned char *memory)
{
    struct ptx_texture levels[LEVELS];
    uint64_t handle = 0;
    texture.address = (uintptr_t)memory;
    texture.most_level = LEVELS * 256;
    for (unsigned i = 0; i < LEVELS; i++) levels[i] = texture;
    if (texture.levels ? ptx_texture_add_levels(levels, LEVELS, &handle)
                       : ptx_texture_add(&texture, &handle))
        abort();
    return handle;
}

void fuzz_bind_textures(unsigned char *memory, uint64_t choice, uint64_t *handles, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        handles[i] = add_texture(i % 2 ? surfaces[(choice + i) % COUNT(surfaces)]
                                       : textures[(choice + i) % COUNT(textures)], memory);
}

void fuzz_drop_textures(const uint64_t *handles, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!ptx_texture_remove(handles[i])) abort();
}
