/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of arrays, textures and surfaces share.
 */
#ifndef STANDIN_TEXTURE_ARRAYS_H
#define STANDIN_TEXTURE_ARRAYS_H

#include "standin/library.h"

static CUcontext context;

static inline int setup(void **state)
{
    (void)state;
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&context, 0, 0)));
    return 0;
}

static inline int teardown(void **state)
{
    (void)state;
    CALL(cuCtxDestroy_v2, (CUcontext), (context));
    return 0;
}

static inline CUresult try_array(CUarray *array, CUDA_ARRAY3D_DESCRIPTOR told)
{
    return CALL(cuArray3DCreate_v2, (CUarray *, const CUDA_ARRAY3D_DESCRIPTOR *), (array, &told));
}

static inline CUarray make_array(size_t width, size_t height, size_t depth, int format,
                                 unsigned channels, unsigned flags)
{
    CUarray array = NULL;
    OK(try_array(&array, (CUDA_ARRAY3D_DESCRIPTOR){ width, height, depth, format, channels,
                                                    flags }));
    return array;
}

static inline CUresult end_array(CUarray array)
{
    return CALL(cuArrayDestroy, (CUarray), (array));
}

static inline CUresult copy_box(const CUDA_MEMCPY3D *box)
{
    return CALL(cuMemcpy3D_v2, (const CUDA_MEMCPY3D *), (box));
}

static inline si_slices in_array(CUarray array, size_t x, size_t y, size_t z)
{
    return (si_slices){ .x = x, .y = y, .z = z, .kind = CU_MEMORYTYPE_ARRAY, .array = array };
}

/* Packed rows and slices. */
static inline si_slices on_host(void *host, size_t width, size_t height)
{
    return (si_slices){ .kind = CU_MEMORYTYPE_HOST, .host = host, .pitch = width,
                        .rows = height };
}

/* Fills an array from packed memory, all of it. */
static inline void fill_array(CUarray array, const void *from, size_t width_bytes, size_t height,
                              size_t depth)
{
    CUDA_MEMCPY3D box = { .dst = in_array(array, 0, 0, 0),
                          .src = on_host((void *)(uintptr_t)from, width_bytes, height),
                          .width = width_bytes, .height = height, .depth = depth };
    OK(copy_box(&box));
}

static inline void read_array(CUarray array, void *to, size_t width_bytes, size_t height,
                              size_t depth)
{
    CUDA_MEMCPY3D box = { .src = in_array(array, 0, 0, 0),
                          .dst = on_host(to, width_bytes, height),
                          .width = width_bytes, .height = height, .depth = depth };
    OK(copy_box(&box));
}

#endif
