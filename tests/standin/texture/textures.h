/* SPDX-License-Identifier: Apache-2.0
 *
 * Textures, surfaces, cubes and mipmaps that tests look at.
 */
#ifndef STANDIN_TEXTURE_TEXTURES_H
#define STANDIN_TEXTURE_TEXTURES_H

#include "standin/texture/lookups.h"

static inline CUDA_RESOURCE_DESC of_array(CUarray array)
{
    return (CUDA_RESOURCE_DESC){ .type = CU_RESOURCE_TYPE_ARRAY, .array.handle = array };
}

static inline CUtexObject texture_of(CUarray array)
{
    const CUDA_RESOURCE_DESC resource = of_array(array);
    const CUDA_TEXTURE_DESC how = { .filter = 0 };
    CUtexObject texture = 0;
    OK(make_texture(&texture, &resource, &how));
    return texture;
}

static inline CUresult try_texture(const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *how)
{
    CUtexObject texture = 0;
    CUresult status = make_texture(&texture, resource, how);
    if (!status) OK(end_texture(texture));
    return status;
}

static inline CUresult make_surface(CUsurfObject *surface, const CUDA_RESOURCE_DESC *resource)
{
    return CALL(cuSurfObjectCreate, (CUsurfObject *, const CUDA_RESOURCE_DESC *),
                (surface, resource));
}

static inline CUresult end_surface(CUsurfObject surface)
{
    return CALL(cuSurfObjectDestroy, (CUsurfObject), (surface));
}

/* ---- Cubes --------------------------------------------------------------------------- */

enum { EDGE = 2, FACE = EDGE * EDGE, FACES = 12 };

/* Makes two cubes, one layer each, whose elements are numbered from 0 on. */
static inline CUtexObject make_cubes(int filter, unsigned flags)
{
    static float numbers[FACES * FACE];
    const CUDA_TEXTURE_DESC how = { .filter = filter, .flags = flags,
                                    .address = { CU_TR_ADDRESS_MODE_CLAMP,
                                                 CU_TR_ADDRESS_MODE_CLAMP } };
    CUtexObject texture = 0;
    CUarray array = make_array(EDGE, EDGE, FACES, CU_AD_FORMAT_FLOAT, 1,
                               CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED);
    for (int i = 0; i < FACES * FACE; i++) numbers[i] = (float)i;
    fill_array(array, numbers, EDGE * sizeof *numbers, EDGE, FACES);
    const CUDA_RESOURCE_DESC resource = of_array(array);
    OK(make_texture(&texture, &resource, &how));
    return texture;
}

/* ---- Mipmaps ------------------------------------------------------------------------- */

static inline CUresult make_mipmap(CUmipmappedArray *mipmap, size_t width, size_t height,
                                   unsigned levels)
{
    const CUDA_ARRAY3D_DESCRIPTOR told = { .width = width, .height = height,
                                           .format = CU_AD_FORMAT_FLOAT, .channels = 1 };
    return CALL(cuMipmappedArrayCreate,
                (CUmipmappedArray *, const CUDA_ARRAY3D_DESCRIPTOR *, unsigned),
                (mipmap, &told, levels));
}

static inline CUresult get_level(CUarray *array, CUmipmappedArray mipmap, unsigned level)
{
    return CALL(cuMipmappedArrayGetLevel, (CUarray *, CUmipmappedArray, unsigned),
                (array, mipmap, level));
}

static inline CUresult end_mipmap(CUmipmappedArray mipmap)
{
    return CALL(cuMipmappedArrayDestroy, (CUmipmappedArray), (mipmap));
}

/* Makes a mipmap of 8 by 4 elements, all of which are 10 times their level. */
static inline CUmipmappedArray filled_mipmap(void)
{
    CUmipmappedArray mipmap = NULL;
    OK(make_mipmap(&mipmap, 8, 4, 9));
    for (unsigned level = 0; level < 4; level++) {
        float numbers[32];
        CUarray array = NULL;
        size_t width = 8u >> level, height = 4u >> level ? 4u >> level : 1;
        for (int i = 0; i < 32; i++) numbers[i] = 10 * (float)level;
        OK(get_level(&array, mipmap, level));
        fill_array(array, numbers, width * sizeof *numbers, height, 1);
    }
    return mipmap;
}

static inline CUtexObject texture_of_mipmap(CUmipmappedArray mipmap, float most)
{
    CUDA_RESOURCE_DESC resource = { .type = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY };
    const CUDA_TEXTURE_DESC how = { .flags = CU_TRSF_NORMALIZED_COORDINATES,
                                    .filter = CU_TR_FILTER_MODE_LINEAR,
                                    .mipmap_filter = CU_TR_FILTER_MODE_LINEAR,
                                    .greatest_level = most };
    CUtexObject texture = 0;
    resource.mipmap.handle = mipmap;
    OK(make_texture(&texture, &resource, &how));
    return texture;
}

#endif
