/* SPDX-License-Identifier: Apache-2.0
 *
 * Turns the driver's descriptions of textures and surfaces into those that kernels use.  Values
 * that are refused here as invalid are refused on an H100, too (CUDA 13.0).
 */
#include "standin/texture/view.h"

#include <string.h>

#include "standin/texture/array.h"

enum {
    ALIGNMENT = 512,             /* of a texture's memory, and ...                  */
    PITCH_ALIGNMENT = 32,        /* ... of its rows: as device attributes tell      */
    LINEAR_MOST = 1 << 28,       /* elements                                        */
    PITCHED_WIDTH = 131072,
    PITCHED_HEIGHT = 65000
};

/* ---- Resources ----------------------------------------------------------------------- */

static uint8_t texel_of(int format)
{
    switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8: return PTX_TEXEL_U8;
    case CU_AD_FORMAT_UNSIGNED_INT16: return PTX_TEXEL_U16;
    case CU_AD_FORMAT_UNSIGNED_INT32: return PTX_TEXEL_U32;
    case CU_AD_FORMAT_SIGNED_INT8: return PTX_TEXEL_S8;
    case CU_AD_FORMAT_SIGNED_INT16: return PTX_TEXEL_S16;
    case CU_AD_FORMAT_SIGNED_INT32: return PTX_TEXEL_S32;
    case CU_AD_FORMAT_HALF: return PTX_TEXEL_F16;
    default: return PTX_TEXEL_F32;
    }
}

static void set_extent(struct ptx_texture *texture, size_t width, size_t height, size_t depth)
{
    const size_t told[3] = { width, height, depth };
    for (int d = 0; d < 3; d++) {
        texture->told[d] = (uint32_t)told[d];
        texture->extent[d] = told[d] ? (uint32_t)told[d] : 1;
    }
}

/* Stores the sizes that kernels are told of an array, as an H100 tells them.  Layers of one
 * dimension count as rows.  Of a texture of cubes, the depth is how many there are, or 0 without
 * layers. */
static void tell_layers(const CUDA_ARRAY3D_DESCRIPTOR *told, bool surface,
                        struct ptx_texture *texture)
{
    const bool layered = told->flags & CUDA_ARRAY3D_LAYERED;
    if (layered && !told->height) {
        texture->told[1] = (uint32_t)told->depth;
        texture->told[2] = 0;
    }
    if (texture->cube && !surface) texture->told[2] = layered ? (uint32_t)told->depth / 6 : 0;
    if (!surface && !texture->told[1]) texture->told[1] = 1; /* of a line */
}

static CUresult view_array(CUarray handle, bool surface, struct ptx_texture *texture)
{
    const struct si_array *array;
    if (!handle) return RILL_ERROR_INVALID_VALUE;
    CUresult status = si_array(handle, &array);
    if (status) return status;
    texture->address = array->address;
    texture->pitch = array->pitch;
    texture->slice = array->pitch * array->rows;
    texture->texel = texel_of(array->told.format);
    texture->channels = (uint8_t)array->told.channels;
    texture->array = true;
    texture->cube = array->told.flags & CUDA_ARRAY3D_CUBEMAP;
    set_extent(texture, array->told.width, array->told.height, array->told.depth);
    tell_layers(&array->told, surface, texture);
    return RILL_SUCCESS;
}

/* Checks that there is memory at the address.  The driver does not check how much: a kernel that
 * reads beyond it fails. */
static CUresult check_memory(CUdeviceptr address)
{
    rill_context *context;
    CUdeviceptr base;
    size_t all;
    CUresult status = si_here(&context);
    if (!status) status = rill_mem_range(context, address, &base, &all);
    return status ? RILL_ERROR_INVALID_VALUE : RILL_SUCCESS;
}

static CUresult view_linear(const CUDA_RESOURCE_DESC *resource, struct ptx_texture *texture)
{
    unsigned element = si_element_bytes(resource->linear.format, resource->linear.channels);
    if (!element || resource->linear.address % ALIGNMENT) return RILL_ERROR_INVALID_VALUE;
    size_t width = resource->linear.bytes / element;
    if (width > LINEAR_MOST) return RILL_ERROR_INVALID_VALUE;
    CUresult status = check_memory(resource->linear.address);
    if (status) return status;
    texture->address = resource->linear.address;
    texture->texel = texel_of(resource->linear.format);
    texture->channels = (uint8_t)resource->linear.channels;
    texture->packed = true;
    set_extent(texture, width, 0, 0);
    if (!width) texture->extent[0] = 0;
    return RILL_SUCCESS;
}

static CUresult view_pitched(const CUDA_RESOURCE_DESC *resource, struct ptx_texture *texture)
{
    unsigned element = si_element_bytes(resource->pitch2d.format, resource->pitch2d.channels);
    size_t width = resource->pitch2d.width, height = resource->pitch2d.height;
    size_t pitch = resource->pitch2d.pitch;
    if (!element || resource->pitch2d.address % ALIGNMENT || pitch % PITCH_ALIGNMENT ||
        width > PITCHED_WIDTH || height > PITCHED_HEIGHT || pitch > UINT32_MAX ||
        (pitch && pitch < width * element)) /* with a pitch of 0, all rows are the first */
        return RILL_ERROR_INVALID_VALUE;
    CUresult status = check_memory(resource->pitch2d.address);
    if (status) return status;
    texture->address = resource->pitch2d.address;
    texture->pitch = pitch;
    texture->texel = texel_of(resource->pitch2d.format);
    texture->channels = (uint8_t)resource->pitch2d.channels;
    set_extent(texture, width, height, 0);
    return RILL_SUCCESS;
}

static CUresult view_resource(const CUDA_RESOURCE_DESC *resource, bool surface,
                              struct ptx_texture *texture)
{
    *texture = (struct ptx_texture){ .address = 0 };
    if (resource->flags) return RILL_ERROR_INVALID_VALUE;
    switch (resource->type) {
    case CU_RESOURCE_TYPE_ARRAY: return view_array(resource->array.handle, surface, texture);
    case CU_RESOURCE_TYPE_LINEAR: return view_linear(resource, texture);
    case CU_RESOURCE_TYPE_PITCH2D: return view_pitched(resource, texture);
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: return RILL_ERROR_NOT_SUPPORTED;
    default: return RILL_ERROR_INVALID_VALUE;
    }
}

/* ---- Sampling ------------------------------------------------------------------------ */

static CUresult check_sampling(const CUDA_TEXTURE_DESC *how)
{
    static const CUDA_TEXTURE_DESC none;
    if (memcmp(how->reserved, none.reserved, sizeof none.reserved) ||
        how->flags & ~(unsigned)CU_TRSF_FLAGS)
        return RILL_ERROR_INVALID_VALUE;
    bool filters = how->filter >= 0 && how->filter <= CU_TR_FILTER_MODE_LINEAR;
    return filters ? RILL_SUCCESS : RILL_ERROR_INVALID_VALUE;
}

/* Refuses address modes that do not exist, in the dimensions that the texture has. */
static CUresult check_modes(const CUDA_TEXTURE_DESC *how, unsigned dimensions)
{
    for (unsigned d = 0; d < dimensions; d++)
        if (how->address[d] < 0 || how->address[d] > CU_TR_ADDRESS_MODE_BORDER)
            return RILL_ERROR_INVALID_VALUE;
    return RILL_SUCCESS;
}

/* Returns how many dimensions have an address mode: layers and faces do not count. */
static unsigned dimensions_of(const CUDA_RESOURCE_DESC *resource)
{
    const unsigned flat = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP;
    const struct si_array *array;
    if (resource->type == CU_RESOURCE_TYPE_PITCH2D) return 2;
    if (resource->type != CU_RESOURCE_TYPE_ARRAY || si_array(resource->array.handle, &array))
        return 1;
    if (array->told.depth && !(array->told.flags & flat)) return 3;
    return array->told.height ? 2 : 1;
}

/* Refuses sRGB for unsigned bytes that are read as fractions, since that conversion is not
 * simulated.  For all other elements the flag changes nothing. */
static CUresult check_colours(const CUDA_TEXTURE_DESC *how, const struct ptx_texture *texture)
{
    bool srgb = how->flags & CU_TRSF_SRGB && texture->texel == PTX_TEXEL_U8 && !texture->integer;
    return srgb ? RILL_ERROR_NOT_SUPPORTED : RILL_SUCCESS;
}

/* Returns an address mode that exists: for any other number, which a dimension that the texture
 * does not have may bring, clamp. */
static int address_mode(int told)
{
    return told < 0 || told > CU_TR_ADDRESS_MODE_BORDER ? CU_TR_ADDRESS_MODE_CLAMP : told;
}

CUDA_TEXTURE_DESC si_sampling_as_told(const CUDA_TEXTURE_DESC *how)
{
    CUDA_TEXTURE_DESC told = *how;
    for (int d = 0; d < 3; d++) told.address[d] = address_mode(how->address[d]);
    return told;
}

/* Sets what is special about cubes: their faces have coordinates from 0 to 1.  Seamless cubes with
 * a linear filter are refused, since what hardware reads across an edge is not known; without a
 * filter no coordinate leads across one. */
static CUresult view_cube(const CUDA_TEXTURE_DESC *how, struct ptx_texture *texture)
{
    const bool seamless = how->flags & CU_TRSF_SEAMLESS_CUBEMAP;
    if (seamless && texture->linear) return RILL_ERROR_NOT_SUPPORTED;
    texture->normalized = true;
    for (int d = 0; d < 3 && seamless; d++) texture->mode[d] = PTX_CLAMPS;
    return RILL_SUCCESS;
}

static CUresult apply_sampling(const CUDA_TEXTURE_DESC *how, struct ptx_texture *texture)
{
    texture->integer = how->flags & CU_TRSF_READ_AS_INTEGER;
    texture->normalized = how->flags & CU_TRSF_NORMALIZED_COORDINATES;
    texture->linear = how->filter == CU_TR_FILTER_MODE_LINEAR;
    texture->between = how->mipmap_filter == CU_TR_FILTER_MODE_LINEAR;
    for (int d = 0; d < 3; d++) texture->mode[d] = (uint8_t)address_mode(how->address[d]);
    memcpy(texture->border, how->border, sizeof texture->border);
    CUresult status = check_colours(how, texture);
    return !status && texture->cube ? view_cube(how, texture) : status;
}

/* Returns a level in 256ths, rounded toward 0; 0 if it is not a number. */
static int32_t in_256ths(float level)
{
    const float most = SI_LEVELS_MOST;
    if (!(level == level)) return 0;
    return (int32_t)((level > most ? most : level < -most ? -most : level) * 256);
}

static CUresult view_mipmap(const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *how,
                            struct ptx_texture textures[SI_LEVELS_MOST], unsigned *levels)
{
    const struct si_mipmap *mipmap;
    if (resource->flags || !resource->mipmap.handle) return RILL_ERROR_INVALID_VALUE;
    CUresult status = si_mipmap(resource->mipmap.handle, &mipmap);
    for (unsigned i = 0; !status && i < mipmap->count; i++) {
        textures[i] = (struct ptx_texture){ .address = 0 };
        status = view_array(mipmap->levels[i], false, &textures[i]);
        textures[i].bias = in_256ths(how->level_bias);
        textures[i].least_level = in_256ths(how->least_level);
        textures[i].most_level = in_256ths(how->greatest_level);
        textures[i].anisotropic = how->anisotropy > 1;
        if (!status) status = apply_sampling(how, &textures[i]);
    }
    if (!status) *levels = mipmap->count;
    return status;
}

CUDA_RESOURCE_DESC si_resource_as_told(const CUDA_RESOURCE_DESC *resource)
{
    CUDA_RESOURCE_DESC told = *resource;
    if (resource->type == CU_RESOURCE_TYPE_PITCH2D && !resource->pitch2d.height)
        told.type = CU_RESOURCE_TYPE_LINEAR;
    return told;
}

CUresult si_view_texture(const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *how,
                         const CUDA_RESOURCE_VIEW_DESC *view,
                         struct ptx_texture textures[SI_LEVELS_MOST], unsigned *levels)
{
    CUresult status;
    *levels = 0;
    if (resource->type == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY) {
        status = check_sampling(how);
        if (!status) status = check_modes(how, 3);
        if (!status) status = view_mipmap(resource, how, textures, levels);
    } else {
        status = view_resource(resource, false, &textures[0]);
        if (!status) status = check_sampling(how);
        if (!status) status = check_modes(how, dimensions_of(resource));
        if (!status) status = apply_sampling(how, &textures[0]);
    }
    return !status && view && view->format ? RILL_ERROR_NOT_SUPPORTED : status;
}

/* Any array will do, whether or not it was made for surfaces. */
CUresult si_view_surface(const CUDA_RESOURCE_DESC *resource, struct ptx_texture *surface)
{
    if (resource->type != CU_RESOURCE_TYPE_ARRAY) return RILL_ERROR_INVALID_VALUE;
    CUresult status = view_resource(resource, true, surface);
    surface->surface = true;
    return status;
}
