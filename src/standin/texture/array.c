/* SPDX-License-Identifier: Apache-2.0
 *
 * Making arrays, ending them, and what they are.
 */
#include "standin/texture/array.h"

#include "base/alloc.h"
#include "standin/texture/object.h"
#include "standin/texture/reference.h"

/* ---- Elements ------------------------------------------------------------------------ */

/* Returns the bytes of one channel, or 0 if there is no such format here. */
static unsigned bytes_of_format(int format)
{
    switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8: return 1;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF: return 2;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT: return 4;
    default: return 0;
    }
}

unsigned si_element_bytes(int format, unsigned channels)
{
    int known = channels == 1 || channels == 2 || channels == 4;
    return known ? channels * bytes_of_format(format) : 0;
}

/* ---- Extents ------------------------------------------------------------------------- */

struct extent {
    size_t width, height, depth;
};

/* What the profile of the device promises (object/device_attribute.c). */
static struct extent greatest_extent(const CUDA_ARRAY3D_DESCRIPTOR *told)
{
    if (told->flags & CUDA_ARRAY3D_CUBEMAP) {
        size_t faces = told->flags & CUDA_ARRAY3D_LAYERED ? 2046 : 6;
        return (struct extent){ 32768, 32768, faces };
    }
    if (told->flags & CUDA_ARRAY3D_LAYERED) return (struct extent){ 32768, 32768, 2048 };
    if (told->depth) return (struct extent){ 16384, 16384, 16384 };
    if (told->height) return (struct extent){ 131072, 65536, 0 };
    return (struct extent){ 131072, 0, 0 };
}

/* Tells whether extents and flags make up an array of some kind: of one, two or three
 * dimensions, in layers, or the six faces of a cube. */
static int is_shape(const CUDA_ARRAY3D_DESCRIPTOR *told)
{
    const struct extent greatest = greatest_extent(told);
    int layered = !!(told->flags & CUDA_ARRAY3D_LAYERED);
    if (!told->width || told->width > greatest.width || told->height > greatest.height ||
        told->depth > greatest.depth)
        return 0;
    if (told->flags & CUDA_ARRAY3D_TEXTURE_GATHER && (!told->height || told->depth)) return 0;
    if (told->flags & CUDA_ARRAY3D_CUBEMAP)
        return told->width == told->height && told->depth && !(told->depth % 6);
    return layered ? told->depth > 0 : !told->depth || told->height;
}

static CUresult check_descriptor(const CUDA_ARRAY3D_DESCRIPTOR *told)
{
    const unsigned missing = CUDA_ARRAY3D_DEPTH_TEXTURE | CUDA_ARRAY3D_OTHERS;
    if (told->flags & ~(CUDA_ARRAY3D_FLAGS | missing)) return RILL_ERROR_INVALID_VALUE;
    if (told->channels != 1 && told->channels != 2 && told->channels != 4)
        return RILL_ERROR_INVALID_VALUE;
    if (!bytes_of_format(told->format))
        return told->format >= 0x80 ? RILL_ERROR_NOT_SUPPORTED : RILL_ERROR_INVALID_VALUE;
    if (!is_shape(told)) return RILL_ERROR_INVALID_VALUE;
    return told->flags & missing ? RILL_ERROR_NOT_SUPPORTED : RILL_SUCCESS;
}

/* ---- Making and ending --------------------------------------------------------------- */

enum { PITCH_ALIGNMENT = 32 };

static CUresult lay_out(const CUDA_ARRAY3D_DESCRIPTOR *told, struct si_array *array,
                        size_t *bytes)
{
    *array = (struct si_array){ .told = *told };
    array->element_bytes = si_element_bytes(told->format, told->channels);
    array->row_bytes = told->width * array->element_bytes;
    array->pitch = (array->row_bytes + PITCH_ALIGNMENT - 1) & ~(size_t)(PITCH_ALIGNMENT - 1);
    array->rows = told->height ? told->height : 1;
    array->slices = told->depth ? told->depth : 1;
    if (__builtin_mul_overflow(array->pitch, array->rows, bytes) ||
        __builtin_mul_overflow(*bytes, array->slices, bytes))
        return RILL_ERROR_OUT_OF_MEMORY;
    return RILL_SUCCESS;
}

CUresult si_array_create(const CUDA_ARRAY3D_DESCRIPTOR *told, bool level, CUarray *handle)
{
    struct si_context *current;
    size_t bytes;
    CUresult status = si_current(&current);
    if (!status && (!handle || !told)) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = check_descriptor(told);
    if (status) return status;
    rill_context *context = atomic_load_explicit(&current->slot.object, memory_order_acquire);
    struct si_array *array = rl_alloc(sizeof *array);
    struct si_slot *slot = array ? si_handle_reserve(SI_ARRAY, current) : NULL;
    if (slot) {
        status = lay_out(told, array, &bytes);
        array->level = level;
        if (!status) status = rill_mem_alloc(context, bytes, &array->address);
    } else {
        status = RILL_ERROR_OUT_OF_MEMORY;
    }
    if (status) {
        if (slot) si_handle_free(SI_ARRAY, slot);
        rl_free(array);
        return status;
    }
    si_handle_restore(slot, array); /* the first object that the slot has */
    *handle = (CUarray)(void *)slot;
    return RILL_SUCCESS;
}

ENTRY(cuArray3DCreate_v2, (CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *told), (array, told))
{
    return si_array_create(told, false, array);
}

ENTRY(cuArrayCreate_v2, (CUarray *array, const CUDA_ARRAY_DESCRIPTOR *told), (array, told))
{
    if (!told) return si_array_create(NULL, false, array);
    CUDA_ARRAY3D_DESCRIPTOR all = { .width = told->width,
                                    .height = told->height,
                                    .format = told->format,
                                    .channels = told->channels };
    return si_array_create(&all, false, array);
}

/* Waits for work that may use the array, as the free of any memory does. */
CUresult si_array_destroy(CUarray handle, bool level)
{
    struct si_array *array = si_handle_take(SI_ARRAY, handle);
    if (!array) return si_wrong(SI_ARRAY, handle);
    struct si_slot *slot = (struct si_slot *)(void *)handle;
    if (array->level != level) {
        si_handle_restore(slot, array);
        return RILL_ERROR_INVALID_VALUE;
    }
    si_await(handle);
    struct si_context *context = atomic_load_explicit(&slot->context, memory_order_relaxed);
    rill_context *of = atomic_load_explicit(&context->slot.object, memory_order_acquire);
    CUresult status = of ? rill_mem_free(of, array->address) : RILL_SUCCESS;
    if (status) {
        si_handle_restore(slot, array);
        return status;
    }
    si_objects_of_gone(handle);
    si_references_of_gone(handle);
    rl_free(array);
    si_handle_free(SI_ARRAY, slot);
    return RILL_SUCCESS;
}

ENTRY(cuArrayDestroy, (CUarray handle), (handle))
{
    return si_array_destroy(handle, false);
}

/* The memory went with the context. */
static CUresult end_array(struct si_slot *slot, void *object)
{
    rl_free(object);
    si_handle_free(SI_ARRAY, slot);
    return RILL_SUCCESS;
}

struct si_slot *si_arrays_take(struct si_context *context, struct si_slot *taken)
{
    return si_take_slots(SI_ARRAY, context, taken, end_array);
}

/* ---- Questions ----------------------------------------------------------------------- */

ENTRY(cuArray3DGetDescriptor_v2, (CUDA_ARRAY3D_DESCRIPTOR *told, CUarray handle), (told, handle))
{
    struct si_context *current;
    const struct si_array *array;
    CUresult status = si_current(&current);
    if (!status && !told) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = si_array(handle, &array);
    if (status) return status;
    *told = array->told;
    return RILL_SUCCESS;
}

ENTRY(cuArrayGetDescriptor_v2, (CUDA_ARRAY_DESCRIPTOR *told, CUarray handle), (told, handle))
{
    CUDA_ARRAY3D_DESCRIPTOR all;
    if (!told) return cuArray3DGetDescriptor_v2(NULL, handle);
    CUresult status = cuArray3DGetDescriptor_v2(&all, handle);
    if (status) return status;
    *told = (CUDA_ARRAY_DESCRIPTOR){ .width = all.width,
                                     .height = all.height,
                                     .format = all.format,
                                     .channels = all.channels };
    return RILL_SUCCESS;
}

struct search {
    CUdeviceptr address;
    void *found;
};

static void compare_array(void *slot, void *object, void *data)
{
    struct search *search = data;
    if (((const struct si_array *)object)->address == search->address) search->found = slot;
}

CUarray si_array_at(CUdeviceptr address)
{
    struct search search = { .address = address };
    si_handle_each(SI_ARRAY, compare_array, &search);
    return search.found;
}
