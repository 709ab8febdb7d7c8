/* SPDX-License-Identifier: Apache-2.0
 *
 * What CUDA 11 binds to references of textures and surfaces.
 */
#include <string.h>

#include "runtime/glue/reference.h"
#include "runtime/memory/array.h"
#include "runtime/memory/copy.h"
#include "runtime/thread/entry.h"

enum { TEXTURE_ALIGNMENT = 14 }; /* an attribute of devices */

/* Finds the reference of a texture that is to have elements of a format. */
static cudaError_t open_texture(const struct textureReference *texture,
                                const struct cudaChannelFormatDesc *format, struct rt_row **row,
                                CUtexref *reference)
{
    int driver_format;
    unsigned channels;
    *row = rt_texture_row(texture);
    if (!*row) return cudaErrorInvalidTexture;
    if (!format) return RILL_ERROR_INVALID_VALUE;
    cudaError_t status = rt_read_format(format, &driver_format, &channels);
    if (status) return status;
    if (memcmp(format, &texture->channelDesc, sizeof *format)) return RILL_ERROR_INVALID_VALUE;
    return rt_texture(*row, reference);
}

static cudaError_t note_bound(struct rt_row *row, cudaError_t status, size_t offset)
{
    if (!status) rt_texture_bound(row, offset);
    return status;
}

/* ---- Memory ------------------------------------------------------------------------------ */

/* A texture begins on a boundary: gives how far behind one the address is. */
static cudaError_t offset_of(const void *address, size_t *told, size_t *offset)
{
    int boundary = 0;
    CUresult status = rt_driver.cuDeviceGetAttribute(&boundary, TEXTURE_ALIGNMENT, rt_device());
    if (status) return (cudaError_t)status;
    *offset = boundary ? (size_t)((uintptr_t)address % (unsigned)boundary) : 0;
    if (*offset && !told) return RILL_ERROR_INVALID_VALUE;
    if (told) *told = *offset;
    return cudaSuccess;
}

/* Gives how much memory there is from an address on. */
static cudaError_t bytes_behind(const void *address, size_t *bytes)
{
    CUdeviceptr begin;
    size_t all;
    CUresult status = rt_driver.cuMemGetAddressRange_v2(&begin, &all, rt_address(address));
    if (status) return RILL_ERROR_NOT_FOUND;
    *bytes = (size_t)(begin + all - rt_address(address));
    return cudaSuccess;
}

/* A program that gives no size means all that there is. */
ENTRY(cudaBindTexture,
      (size_t *told, const struct textureReference *texture, const void *address,
       const struct cudaChannelFormatDesc *format, size_t bytes),
      (told, texture, address, format, bytes))
{
    struct rt_row *row;
    CUtexref reference;
    size_t offset, left;
    int driver_format;
    unsigned channels;
    cudaError_t status = open_texture(texture, format, &row, &reference);
    if (!status) status = rt_read_format(format, &driver_format, &channels);
    if (!status) status = bytes_behind(address, &left);
    if (!status) status = offset_of(address, told, &offset);
    if (!status)
        status = (cudaError_t)rt_driver.cuTexRefSetFormat(reference, driver_format, (int)channels);
    if (!status)
        status = (cudaError_t)rt_driver.cuTexRefSetAddress_v2(
            &offset, reference, rt_address(address), bytes < left ? bytes : left);
    return note_bound(row, status, offset);
}

ENTRY(cudaBindTexture2D,
      (size_t *told, const struct textureReference *texture, const void *address,
       const struct cudaChannelFormatDesc *format, size_t width, size_t height, size_t pitch),
      (told, texture, address, format, width, height, pitch))
{
    struct rt_row *row;
    CUtexref reference;
    CUDA_ARRAY_DESCRIPTOR rows = { .width = width, .height = height };
    size_t offset, left;
    cudaError_t status = open_texture(texture, format, &row, &reference);
    if (!status && (!width || !height)) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = rt_read_format(format, &rows.format, &rows.channels);
    if (!status) status = bytes_behind(address, &left);
    if (!status) status = offset_of(address, told, &offset);
    if (status) return status;
    rows.width += offset / ((size_t)format->x / 8 * rows.channels);
    status = (cudaError_t)rt_driver.cuTexRefSetAddress2D_v3(
        reference, &rows, rt_address(address) - offset, pitch);
    return note_bound(row, status, offset);
}

/* ---- Arrays ------------------------------------------------------------------------------ */

static cudaError_t check_format(cudaArray_t array, const struct cudaChannelFormatDesc *format)
{
    CUDA_ARRAY3D_DESCRIPTOR told;
    CUresult status = rt_driver.cuArray3DGetDescriptor_v2(&told, array);
    if (status) return (cudaError_t)status;
    const struct cudaChannelFormatDesc is = rt_tell_format(told.format, told.channels);
    return memcmp(&is, format, sizeof is) ? RILL_ERROR_INVALID_VALUE : cudaSuccess;
}

ENTRY(cudaBindTextureToArray,
      (const struct textureReference *texture, cudaArray_t array,
       const struct cudaChannelFormatDesc *format),
      (texture, array, format))
{
    struct rt_row *row;
    CUtexref reference;
    cudaError_t status = open_texture(texture, format, &row, &reference);
    if (!status) status = check_format(array, format);
    if (status) return status;
    status = (cudaError_t)rt_driver.cuTexRefSetArray(reference, array, CU_TRSA_OVERRIDE_FORMAT);
    return note_bound(row, status, RT_ARRAY);
}

ENTRY(cudaBindTextureToMipmappedArray,
      (const struct textureReference *texture, cudaMipmappedArray_t mipmap,
       const struct cudaChannelFormatDesc *format),
      (texture, mipmap, format))
{
    struct rt_row *row;
    CUtexref reference;
    cudaError_t status = open_texture(texture, format, &row, &reference);
    if (!status && !mipmap) status = RILL_ERROR_INVALID_HANDLE;
    if (status) return status;
    status = (cudaError_t)rt_driver.cuTexRefSetMipmappedArray(reference, mipmap,
                                                              CU_TRSA_OVERRIDE_FORMAT);
    return note_bound(row, status, RT_ARRAY);
}

ENTRY(cudaBindSurfaceToArray,
      (const struct surfaceReference *surface, cudaArray_t array,
       const struct cudaChannelFormatDesc *format),
      (surface, array, format))
{
    CUsurfref reference;
    struct rt_row *row = rt_surface_row(surface);
    (void)format;
    if (!row) return cudaErrorInvalidSurface;
    if (!array) return RILL_ERROR_INVALID_HANDLE;
    cudaError_t status = rt_surface(row, &reference);
    return status ? status : (cudaError_t)rt_driver.cuSurfRefSetArray(reference, array, 0);
}

/* ---- Ends and questions ------------------------------------------------------------------ */

ENTRY(cudaUnbindTexture, (const struct textureReference *texture), (texture))
{
    CUtexref reference;
    size_t offset;
    struct rt_row *row = rt_texture_row(texture);
    if (!row) return cudaErrorInvalidTexture;
    cudaError_t status = rt_texture(row, &reference);
    if (!status)
        status = (cudaError_t)rt_driver.cuTexRefSetAddress_v2(&offset, reference, 0, 0);
    return note_bound(row, status, RT_UNBOUND);
}

ENTRY(cudaGetTextureAlignmentOffset,
      (size_t *offset, const struct textureReference *texture), (offset, texture))
{
    struct rt_row *row = rt_texture_row(texture);
    if (!row) return cudaErrorInvalidTexture;
    if (!offset) return RILL_ERROR_INVALID_VALUE;
    size_t now = rt_texture_offset(row);
    if (now >= RT_ARRAY) return cudaErrorInvalidTextureBinding;
    *offset = now;
    return cudaSuccess;
}

/* The variables themselves are what programs pass on.  That there is none is not noted as the
 * thread's last error, as on hardware. */
RT_EXPORT cudaError_t cudaGetTextureReference(const struct textureReference **texture,
                                              const void *symbol);
RT_EXPORT cudaError_t cudaGetTextureReference(const struct textureReference **texture,
                                              const void *symbol)
{
    if (!texture) return RILL_ERROR_INVALID_VALUE;
    if (!rt_texture_row(symbol)) return cudaErrorInvalidTexture;
    *texture = symbol;
    return cudaSuccess;
}

RT_EXPORT cudaError_t cudaGetSurfaceReference(const struct surfaceReference **surface,
                                              const void *symbol);
RT_EXPORT cudaError_t cudaGetSurfaceReference(const struct surfaceReference **surface,
                                              const void *symbol)
{
    if (!surface) return RILL_ERROR_INVALID_VALUE;
    if (!rt_surface_row(symbol)) return cudaErrorInvalidSurface;
    *surface = symbol;
    return cudaSuccess;
}
