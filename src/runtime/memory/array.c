/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays.
 */
#include "runtime/memory/array.h"

#include "runtime/thread/entry.h"

/* ---- Formats ----------------------------------------------------------------------------- */

/* The driver's formats by their bits and what they are. */
static const struct {
    int bits, kind, format;
} formats[] = {
    { 8, cudaChannelFormatKindUnsigned, CU_AD_FORMAT_UNSIGNED_INT8 },
    { 16, cudaChannelFormatKindUnsigned, CU_AD_FORMAT_UNSIGNED_INT16 },
    { 32, cudaChannelFormatKindUnsigned, CU_AD_FORMAT_UNSIGNED_INT32 },
    { 8, cudaChannelFormatKindSigned, CU_AD_FORMAT_SIGNED_INT8 },
    { 16, cudaChannelFormatKindSigned, CU_AD_FORMAT_SIGNED_INT16 },
    { 32, cudaChannelFormatKindSigned, CU_AD_FORMAT_SIGNED_INT32 },
    { 16, cudaChannelFormatKindFloat, CU_AD_FORMAT_HALF },
    { 32, cudaChannelFormatKindFloat, CU_AD_FORMAT_FLOAT },
};

enum { FORMATS = sizeof formats / sizeof *formats };

cudaError_t rt_read_format(const struct cudaChannelFormatDesc *told, int *format,
                           unsigned *channels)
{
    const int bits[4] = { told->x, told->y, told->z, told->w };
    unsigned count = 0;
    while (count < 4 && bits[count]) count++;
    for (unsigned i = 0; i < 4; i++)
        if (bits[i] != (i < count ? told->x : 0)) return cudaErrorInvalidChannelDescriptor;
    if (count != 1 && count != 2 && count != 4) return cudaErrorInvalidChannelDescriptor;
    *channels = count;
    for (int i = 0; i < FORMATS; i++)
        if (formats[i].bits == told->x && formats[i].kind == told->f) {
            *format = formats[i].format;
            return cudaSuccess;
        }
    return told->f > cudaChannelFormatKindNone ? RILL_ERROR_NOT_SUPPORTED
                                               : cudaErrorInvalidChannelDescriptor;
}

struct cudaChannelFormatDesc rt_tell_format(int format, unsigned channels)
{
    struct cudaChannelFormatDesc told = { 0, 0, 0, 0, cudaChannelFormatKindNone };
    for (int i = 0; i < FORMATS; i++) {
        if (formats[i].format != format) continue;
        told.f = formats[i].kind;
        told.x = formats[i].bits;
        if (channels > 1) told.y = told.x;
        if (channels > 2) told.z = told.w = told.x;
    }
    return told;
}

cudaError_t rt_element_bytes(cudaArray_t array, size_t *bytes)
{
    CUDA_ARRAY3D_DESCRIPTOR told;
    cudaError_t status = (cudaError_t)rt_driver.cuArray3DGetDescriptor_v2(&told, array);
    if (status) return status;
    *bytes = (size_t)rt_tell_format(told.format, told.channels).x / 8 * told.channels;
    return cudaSuccess;
}

/* ---- Making and ending ------------------------------------------------------------------- */

/* Puts an array into the driver's words. */
static cudaError_t describe_array(const struct cudaChannelFormatDesc *format,
                                  struct cudaExtent extent, unsigned flags,
                                  CUDA_ARRAY3D_DESCRIPTOR *told)
{
    if (!format) return RILL_ERROR_INVALID_VALUE;
    *told = (CUDA_ARRAY3D_DESCRIPTOR){ .width = extent.width,
                                       .height = extent.height,
                                       .depth = extent.depth,
                                       .flags = flags };
    return rt_read_format(format, &told->format, &told->channels);
}

static cudaError_t make_array(cudaArray_t *array, const struct cudaChannelFormatDesc *format,
                              struct cudaExtent extent, unsigned flags)
{
    CUDA_ARRAY3D_DESCRIPTOR told;
    if (!array) return RILL_ERROR_INVALID_VALUE;
    cudaError_t status = describe_array(format, extent, flags, &told);
    return status ? status : (cudaError_t)rt_driver.cuArray3DCreate_v2(array, &told);
}

ENTRY(cudaMallocArray,
      (cudaArray_t *array, const struct cudaChannelFormatDesc *format, size_t width,
       size_t height, unsigned flags),
      (array, format, width, height, flags))
{
    const unsigned taken = CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_TEXTURE_GATHER;
    if (!width || flags & ~taken) return RILL_ERROR_INVALID_VALUE;
    return make_array(array, format, (struct cudaExtent){ width, height, 0 }, flags);
}

ENTRY(cudaMalloc3DArray,
      (cudaArray_t *array, const struct cudaChannelFormatDesc *format, struct cudaExtent extent,
       unsigned flags),
      (array, format, extent, flags))
{
    return make_array(array, format, extent, flags);
}

ENTRY(cudaFreeArray, (cudaArray_t array), (array))
{
    return array ? (cudaError_t)rt_driver.cuArrayDestroy(array) : cudaSuccess;
}

ENTRY(cudaMallocMipmappedArray,
      (cudaMipmappedArray_t *mipmap, const struct cudaChannelFormatDesc *format,
       struct cudaExtent extent, unsigned levels, unsigned flags),
      (mipmap, format, extent, levels, flags))
{
    CUDA_ARRAY3D_DESCRIPTOR told;
    if (!mipmap) return RILL_ERROR_INVALID_VALUE;
    cudaError_t status = describe_array(format, extent, flags, &told);
    return status ? status : (cudaError_t)rt_driver.cuMipmappedArrayCreate(mipmap, &told, levels);
}

FORWARD(cudaGetMipmappedArrayLevel, cuMipmappedArrayGetLevel,
        (cudaArray_t *array, cudaMipmappedArray_t mipmap, unsigned level),
        (array, mipmap, level))

ENTRY(cudaFreeMipmappedArray, (cudaMipmappedArray_t mipmap), (mipmap))
{
    return mipmap ? (cudaError_t)rt_driver.cuMipmappedArrayDestroy(mipmap) : cudaSuccess;
}

/* ---- Questions --------------------------------------------------------------------------- */

ENTRY(cudaArrayGetInfo,
      (struct cudaChannelFormatDesc *format, struct cudaExtent *extent, unsigned *flags,
       cudaArray_t array),
      (format, extent, flags, array))
{
    CUDA_ARRAY3D_DESCRIPTOR told;
    cudaError_t status = (cudaError_t)rt_driver.cuArray3DGetDescriptor_v2(&told, array);
    if (status) return status;
    if (format) *format = rt_tell_format(told.format, told.channels);
    if (extent) *extent = (struct cudaExtent){ told.width, told.height, told.depth };
    if (flags) *flags = told.flags;
    return cudaSuccess;
}

ENTRY(cudaGetChannelDesc,
      (struct cudaChannelFormatDesc *format, cudaArray_t array), (format, array))
{
    if (!format) return RILL_ERROR_INVALID_VALUE;
    return cudaArrayGetInfo(format, NULL, NULL, array);
}
