/* SPDX-License-Identifier: Apache-2.0 */
#include "standin/texture/mipmap.h"

#include "base/alloc.h"
#include "standin/texture/object.h"
#include "standin/texture/reference.h"

static size_t half_of(size_t extent, unsigned times)
{
    if (!extent) return 0;
    return extent >> times ? extent >> times : 1;
}

/* Layers and faces are as many in each level. */
static CUDA_ARRAY3D_DESCRIPTOR level_of(const CUDA_ARRAY3D_DESCRIPTOR *told, unsigned level)
{
    const int flat = told->flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP);
    CUDA_ARRAY3D_DESCRIPTOR made = *told;
    made.width = half_of(told->width, level);
    made.height = half_of(told->height, level);
    made.depth = flat ? told->depth : half_of(told->depth, level);
    return made;
}

/* Returns how many levels there can be, down to a single element. */
static unsigned count_levels(const CUDA_ARRAY3D_DESCRIPTOR *told)
{
    const int flat = told->flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP);
    size_t most = told->width > told->height ? told->width : told->height;
    unsigned count = 1;
    if (!flat && told->depth > most) most = told->depth;
    while (most >>= 1) count++;
    return count;
}

static void end_levels(const struct si_mipmap *mipmap)
{
    for (unsigned i = 0; i < mipmap->count; i++) si_array_destroy(mipmap->levels[i], true);
}

/* Makes the levels.  An array that cannot be is refused with the first. */
static CUresult make_levels(const CUDA_ARRAY3D_DESCRIPTOR *told, unsigned count,
                            struct si_mipmap *mipmap)
{
    const CUDA_ARRAY3D_DESCRIPTOR *whole = told;
    for (unsigned i = 0; i < count; i++) {
        CUDA_ARRAY3D_DESCRIPTOR level = level_of(whole, i);
        CUresult status = si_array_create(&level, true, &mipmap->levels[i]);
        if (status) {
            end_levels(mipmap);
            return status;
        }
        mipmap->count++;
    }
    return RILL_SUCCESS;
}

/* There are as many levels as are asked for, but at least one, and no more than there can be. */
ENTRY(cuMipmappedArrayCreate,
      (CUmipmappedArray *handle, const CUDA_ARRAY3D_DESCRIPTOR *told, unsigned levels),
      (handle, told, levels))
{
    struct si_context *current;
    CUresult status = si_current(&current);
    if (status) return status;
    if (!handle || !told) return RILL_ERROR_INVALID_VALUE;
    const unsigned most = count_levels(told);
    if (!levels) levels = 1;
    if (levels > most) levels = most;
    if (levels > SI_LEVELS_MOST) return RILL_ERROR_INVALID_VALUE;
    struct si_mipmap *mipmap = rl_zalloc(sizeof *mipmap);
    struct si_slot *slot = mipmap ? si_handle_reserve(SI_MIPMAP, current) : NULL;
    status = slot ? make_levels(told, levels, mipmap) : RILL_ERROR_OUT_OF_MEMORY;
    if (status) {
        if (slot) si_handle_free(SI_MIPMAP, slot);
        rl_free(mipmap);
        return status;
    }
    si_handle_restore(slot, mipmap); /* the first object that the slot has */
    *handle = (CUmipmappedArray)(void *)slot;
    return RILL_SUCCESS;
}

ENTRY(cuMipmappedArrayGetLevel,
      (CUarray *array, CUmipmappedArray handle, unsigned level), (array, handle, level))
{
    struct si_context *current;
    const struct si_mipmap *mipmap;
    CUresult status = si_current(&current);
    if (!status && !array) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = si_mipmap(handle, &mipmap);
    if (status) return status;
    if (level >= mipmap->count) return RILL_ERROR_INVALID_VALUE;
    *array = mipmap->levels[level];
    return RILL_SUCCESS;
}

/* Frees a mipmap.  Its levels went before, or go with the context. */
static CUresult end_mipmap(struct si_slot *slot, void *object)
{
    rl_free(object);
    si_handle_free(SI_MIPMAP, slot);
    return RILL_SUCCESS;
}

ENTRY(cuMipmappedArrayDestroy, (CUmipmappedArray handle), (handle))
{
    struct si_mipmap *mipmap = si_handle_take(SI_MIPMAP, handle);
    if (!mipmap) return si_wrong(SI_MIPMAP, handle);
    si_await(handle);
    end_levels(mipmap);
    si_objects_of_gone(handle);
    si_references_of_gone(handle);
    return end_mipmap((struct si_slot *)(void *)handle, mipmap);
}

struct si_slot *si_mipmaps_take(struct si_context *context, struct si_slot *taken)
{
    return si_take_slots(SI_MIPMAP, context, taken, end_mipmap);
}
