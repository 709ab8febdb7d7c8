/* SPDX-License-Identifier: Apache-2.0
 *
 * Texture and surface objects.
 */
#include <string.h>

#include "runtime/memory/array.h"
#include "runtime/memory/copy.h"
#include "runtime/thread/entry.h"

/* ---- In the driver's words --------------------------------------------------------------- */

static cudaError_t read_resource(const struct cudaResourceDesc *told, CUDA_RESOURCE_DESC *out)
{
    *out = (CUDA_RESOURCE_DESC){ .type = told->resType };
    switch (told->resType) {
    case cudaResourceTypeArray: out->array.handle = told->res.array.array; return cudaSuccess;
    case cudaResourceTypeMipmappedArray:
        out->mipmap.handle = told->res.mipmap.mipmap;
        return cudaSuccess;
    case cudaResourceTypeLinear:
        out->linear.address = rt_address(told->res.linear.devPtr);
        out->linear.bytes = told->res.linear.sizeInBytes;
        return rt_read_format(&told->res.linear.desc, &out->linear.format,
                              &out->linear.channels);
    case cudaResourceTypePitch2D:
        out->pitch2d.address = rt_address(told->res.pitch2D.devPtr);
        out->pitch2d.width = told->res.pitch2D.width;
        out->pitch2d.height = told->res.pitch2D.height;
        out->pitch2d.pitch = told->res.pitch2D.pitchInBytes;
        return rt_read_format(&told->res.pitch2D.desc, &out->pitch2d.format,
                              &out->pitch2d.channels);
    default: return RILL_ERROR_INVALID_VALUE;
    }
}

static void tell_resource(const CUDA_RESOURCE_DESC *given, struct cudaResourceDesc *told)
{
    told->resType = given->type;
    if (given->type == CU_RESOURCE_TYPE_ARRAY) {
        told->res.array.array = given->array.handle;
    } else if (given->type == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY) {
        told->res.mipmap.mipmap = given->mipmap.handle;
    } else if (given->type == CU_RESOURCE_TYPE_LINEAR) {
        told->res.linear.devPtr = (void *)(uintptr_t)given->linear.address;
        told->res.linear.desc = rt_tell_format(given->linear.format, given->linear.channels);
        told->res.linear.sizeInBytes = given->linear.bytes;
    } else {
        told->res.pitch2D.devPtr = (void *)(uintptr_t)given->pitch2d.address;
        told->res.pitch2D.desc = rt_tell_format(given->pitch2d.format, given->pitch2d.channels);
        told->res.pitch2D.width = given->pitch2d.width;
        told->res.pitch2D.height = given->pitch2d.height;
        told->res.pitch2D.pitchInBytes = given->pitch2d.pitch;
    }
}

static CUDA_TEXTURE_DESC read_way(const struct cudaTextureDesc *told)
{
    CUDA_TEXTURE_DESC how = {
        .filter = told->filterMode,
        .anisotropy = told->maxAnisotropy,
        .mipmap_filter = told->mipmapFilterMode,
        .level_bias = told->mipmapLevelBias,
        .least_level = told->minMipmapLevelClamp,
        .greatest_level = told->maxMipmapLevelClamp,
    };
    for (int i = 0; i < 3; i++) how.address[i] = told->addressMode[i];
    for (int i = 0; i < 4; i++) how.border[i] = told->borderColor[i];
    if (told->readMode == cudaReadModeElementType) how.flags |= CU_TRSF_READ_AS_INTEGER;
    if (told->normalizedCoords) how.flags |= CU_TRSF_NORMALIZED_COORDINATES;
    if (told->sRGB) how.flags |= CU_TRSF_SRGB;
    if (told->disableTrilinearOptimization) how.flags |= CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
    if (told->seamlessCubemap) how.flags |= CU_TRSF_SEAMLESS_CUBEMAP;
    return how;
}

static struct cudaTextureDesc tell_way(const CUDA_TEXTURE_DESC *how)
{
    struct cudaTextureDesc told = {
        .filterMode = how->filter,
        .readMode = how->flags & CU_TRSF_READ_AS_INTEGER ? cudaReadModeElementType
                                                         : cudaReadModeNormalizedFloat,
        .sRGB = !!(how->flags & CU_TRSF_SRGB),
        .normalizedCoords = !!(how->flags & CU_TRSF_NORMALIZED_COORDINATES),
        .maxAnisotropy = how->anisotropy,
        .mipmapFilterMode = how->mipmap_filter,
        .mipmapLevelBias = how->level_bias,
        .minMipmapLevelClamp = how->least_level,
        .maxMipmapLevelClamp = how->greatest_level,
        .disableTrilinearOptimization = !!(how->flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION),
        .seamlessCubemap = !!(how->flags & CU_TRSF_SEAMLESS_CUBEMAP),
    };
    for (int i = 0; i < 3; i++) told.addressMode[i] = how->address[i];
    for (int i = 0; i < 4; i++) told.borderColor[i] = how->border[i];
    return told;
}

/* Tells what the runtime refuses of a way to look elements up: a filter where there are integers,
 * or plain memory, and fractions of what has more than 16 bits. */
static cudaError_t check_way(int resource, int format, const struct cudaTextureDesc *told)
{
    const int normalized = told->readMode == cudaReadModeNormalizedFloat;
    const int is_float = format == CU_AD_FORMAT_FLOAT || format == CU_AD_FORMAT_HALF;
    const int is_small = format == CU_AD_FORMAT_UNSIGNED_INT8 ||
                          format == CU_AD_FORMAT_SIGNED_INT8 ||
                          format == CU_AD_FORMAT_UNSIGNED_INT16 ||
                          format == CU_AD_FORMAT_SIGNED_INT16;
    if (told->filterMode == CU_TR_FILTER_MODE_LINEAR &&
        (resource == cudaResourceTypeLinear || (!normalized && !is_float)))
        return cudaErrorInvalidFilterSetting;
    return normalized && !is_small ? cudaErrorInvalidNormSetting : cudaSuccess;
}

/* Gives the format of the elements.  Others than an array's are in the description. */
static cudaError_t find_format(const CUDA_RESOURCE_DESC *from, int *format)
{
    CUDA_ARRAY3D_DESCRIPTOR told;
    if (from->type == CU_RESOURCE_TYPE_LINEAR) *format = from->linear.format;
    if (from->type == CU_RESOURCE_TYPE_PITCH2D) *format = from->pitch2d.format;
    if (from->type != CU_RESOURCE_TYPE_ARRAY) return cudaSuccess;
    cudaError_t status =
        (cudaError_t)rt_driver.cuArray3DGetDescriptor_v2(&told, from->array.handle);
    *format = told.format;
    return status;
}

/* ---- Textures ---------------------------------------------------------------------------- */

static cudaError_t create_texture(cudaTextureObject_t *object,
                                  const struct cudaResourceDesc *resource,
                                  const struct cudaTextureDesc *how,
                                  const struct cudaResourceViewDesc *view)
{
    CUDA_RESOURCE_DESC from;
    CUDA_RESOURCE_VIEW_DESC through;
    if (!object || !resource || !how) return RILL_ERROR_INVALID_VALUE;
    int format = 0;
    cudaError_t status = rt_capture_forbids();
    if (!status) status = read_resource(resource, &from);
    const int mipmapped = !status && from.type == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    if (!status && !view && !mipmapped) {
        status = find_format(&from, &format);
        if (!status) status = check_way(resource->resType, format, how);
    }
    if (status) return status;
    const CUDA_TEXTURE_DESC way = read_way(how);
    if (view)
        through = (CUDA_RESOURCE_VIEW_DESC){
            .format = view->format, .width = view->width, .height = view->height,
            .depth = view->depth, .first_level = view->firstMipmapLevel,
            .last_level = view->lastMipmapLevel, .first_layer = view->firstLayer,
            .last_layer = view->lastLayer,
        };
    return (cudaError_t)rt_driver.cuTexObjectCreate(object, &from, &way, view ? &through : NULL);
}

ENTRY(cudaCreateTextureObject_v2,
      (cudaTextureObject_t *object, const struct cudaResourceDesc *resource,
       const struct cudaTextureDesc *how, const struct cudaResourceViewDesc *view),
      (object, resource, how, view))
{
    return create_texture(object, resource, how, view);
}

/* The first form, that of 11, ends before what the second one has last. */
enum { BYTES_OF_FIRST = offsetof(struct cudaTextureDesc, seamlessCubemap) };

ENTRY(cudaCreateTextureObject_v1,
      (cudaTextureObject_t *object, const struct cudaResourceDesc *resource, const void *how,
       const struct cudaResourceViewDesc *view),
      (object, resource, how, view))
{
    struct cudaTextureDesc whole = { .seamlessCubemap = 0 };
    if (how) memcpy(&whole, how, BYTES_OF_FIRST);
    return create_texture(object, resource, how ? &whole : NULL, view);
}

ENTRY(cudaDestroyTextureObject, (cudaTextureObject_t object), (object))
{
    return object ? (cudaError_t)rt_driver.cuTexObjectDestroy(object) : rt_capture_forbids();
}

ENTRY(cudaGetTextureObjectResourceDesc,
      (struct cudaResourceDesc *resource, cudaTextureObject_t object), (resource, object))
{
    CUDA_RESOURCE_DESC given;
    if (!resource) return RILL_ERROR_INVALID_VALUE;
    cudaError_t status = (cudaError_t)rt_driver.cuTexObjectGetResourceDesc(&given, object);
    if (!status) tell_resource(&given, resource);
    return status;
}

static cudaError_t tell_texture(void *how, size_t bytes, cudaTextureObject_t object)
{
    CUDA_TEXTURE_DESC given;
    if (!how) return RILL_ERROR_INVALID_VALUE;
    cudaError_t status = (cudaError_t)rt_driver.cuTexObjectGetTextureDesc(&given, object);
    if (status) return status;
    const struct cudaTextureDesc told = tell_way(&given);
    memcpy(how, &told, bytes);
    return cudaSuccess;
}

ENTRY(cudaGetTextureObjectTextureDesc_v2,
      (struct cudaTextureDesc *how, cudaTextureObject_t object), (how, object))
{
    return tell_texture(how, sizeof *how, object);
}

ENTRY(cudaGetTextureObjectTextureDesc_v1,
      (void *how, cudaTextureObject_t object), (how, object))
{
    return tell_texture(how, BYTES_OF_FIRST, object);
}

ENTRY(cudaGetTextureObjectResourceViewDesc,
      (struct cudaResourceViewDesc *view, cudaTextureObject_t object), (view, object))
{
    CUDA_RESOURCE_VIEW_DESC given;
    if (!view) return RILL_ERROR_INVALID_VALUE;
    cudaError_t status = (cudaError_t)rt_driver.cuTexObjectGetResourceViewDesc(&given, object);
    if (status) return status;
    *view = (struct cudaResourceViewDesc){
        .format = given.format, .width = given.width, .height = given.height,
        .depth = given.depth, .firstMipmapLevel = given.first_level,
        .lastMipmapLevel = given.last_level, .firstLayer = given.first_layer,
        .lastLayer = given.last_layer,
    };
    return cudaSuccess;
}

/* ---- Surfaces ---------------------------------------------------------------------------- */

ENTRY(cudaCreateSurfaceObject,
      (cudaSurfaceObject_t *object, const struct cudaResourceDesc *resource), (object, resource))
{
    CUDA_RESOURCE_DESC from;
    if (!object || !resource) return RILL_ERROR_INVALID_VALUE;
    cudaError_t status = read_resource(resource, &from);
    return status ? status : (cudaError_t)rt_driver.cuSurfObjectCreate(object, &from);
}

FORWARD(cudaDestroySurfaceObject, cuSurfObjectDestroy, (cudaSurfaceObject_t object), (object))

ENTRY(cudaGetSurfaceObjectResourceDesc,
      (struct cudaResourceDesc *resource, cudaSurfaceObject_t object), (resource, object))
{
    CUDA_RESOURCE_DESC given;
    if (!resource) return RILL_ERROR_INVALID_VALUE;
    cudaError_t status = (cudaError_t)rt_driver.cuSurfObjectGetResourceDesc(&given, object);
    if (!status) tell_resource(&given, resource);
    return status;
}
