/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls that set up references and query them.  Formats, filters and address modes that do not
 * exist are accepted, as on an H100; kernels then read nothing.
 */
#include "standin/texture/reference.h"

#include <string.h>

#include "standin/texture/view.h"

enum { ALIGNMENT = 512 }; /* of memory that is bound, as a device attribute tells */

/* ---- Setting ------------------------------------------------------------------------------- */

/* Opens a reference of a texture for a change; close_change() or refuse_change() is to follow where
 * this succeeds. */
static CUresult open_change(CUtexref handle, struct si_reference **reference)
{
    struct si_context *current;
    CUresult status = si_current(&current);
    if (!status) status = si_reference(handle, false, reference);
    if (!status) rl_lock(&(*reference)->lock);
    return status;
}

static CUresult close_change(struct si_reference *reference)
{
    CUresult status = si_reference_bind(reference);
    rl_unlock(&reference->lock);
    return status;
}

static CUresult refuse_change(struct si_reference *reference, CUresult status)
{
    rl_unlock(&reference->lock);
    return status;
}

static void set_linear(struct si_reference *reference, CUdeviceptr address, size_t bytes)
{
    reference->resource = (CUDA_RESOURCE_DESC){ .type = CU_RESOURCE_TYPE_LINEAR };
    reference->resource.linear.address = address;
    reference->resource.linear.format = reference->format;
    reference->resource.linear.channels = (unsigned)reference->channels;
    reference->resource.linear.bytes = bytes;
}

/* Checks a resource as for a texture object that reads it. */
static CUresult check_resource(const CUDA_RESOURCE_DESC *resource)
{
    const CUDA_TEXTURE_DESC plain = { .filter = CU_TR_FILTER_MODE_POINT };
    struct ptx_texture textures[SI_LEVELS_MOST];
    unsigned levels;
    return si_view_texture(resource, &plain, NULL, textures, &levels);
}

/* Memory that is not aligned for textures is bound from the aligned address before it on, if the
 * program asks for the offset.  Whether there is memory is not checked, as on an H100; if not,
 * kernels read nothing here. */
ENTRY(cuTexRefSetAddress_v2,
      (size_t *offset, CUtexref handle, CUdeviceptr address, size_t bytes),
      (offset, handle, address, bytes))
{
    struct si_reference *reference;
    const size_t over = address % ALIGNMENT;
    CUresult status = open_change(handle, &reference);
    if (status) return status;
    if (over && !offset) return refuse_change(reference, RILL_ERROR_INVALID_VALUE);
    set_linear(reference, address - over, bytes + over);
    reference->bound = address != 0;
    reference->address = address;
    if (offset) *offset = over;
    return close_change(reference);
}

ENTRY(cuTexRefSetAddress2D_v3,
      (CUtexref handle, const CUDA_ARRAY_DESCRIPTOR *told, CUdeviceptr address, size_t pitch),
      (handle, told, address, pitch))
{
    struct si_reference *reference;
    CUDA_RESOURCE_DESC resource = { .type = CU_RESOURCE_TYPE_PITCH2D };
    CUresult status = open_change(handle, &reference);
    if (status) return status;
    if (told) {
        resource.pitch2d.address = address;
        resource.pitch2d.format = told->format;
        resource.pitch2d.channels = told->channels;
        resource.pitch2d.width = told->width;
        resource.pitch2d.height = told->height;
        resource.pitch2d.pitch = pitch;
    }
    status = told ? check_resource(&resource) : RILL_ERROR_INVALID_VALUE;
    if (status) return refuse_change(reference, status);
    reference->resource = resource;
    reference->bound = true;
    reference->address = address;
    reference->format = told->format;
    reference->channels = (int)told->channels;
    return close_change(reference);
}

SAME_AS(cuTexRefSetAddress2D_v2, cuTexRefSetAddress2D_v3,
        (CUtexref reference, const CUDA_ARRAY_DESCRIPTOR *told, CUdeviceptr address, size_t pitch),
        (reference, told, address, pitch))

/* Binds an array or a mipmap, whose format replaces the one that was set. */
static CUresult set_arrays(CUtexref handle, const CUDA_RESOURCE_DESC *resource, unsigned flags)
{
    struct si_reference *reference;
    CUresult status = open_change(handle, &reference);
    if (status) return status;
    status = flags & ~(unsigned)CU_TRSA_OVERRIDE_FORMAT ? RILL_ERROR_INVALID_VALUE
                                                        : check_resource(resource);
    if (status) return refuse_change(reference, status);
    reference->resource = *resource;
    reference->bound = true;
    return close_change(reference);
}

ENTRY(cuTexRefSetArray, (CUtexref reference, CUarray array, unsigned flags),
      (reference, array, flags))
{
    CUDA_RESOURCE_DESC resource = { .type = CU_RESOURCE_TYPE_ARRAY };
    resource.array.handle = array;
    if (!array) return si_wrong(SI_ARRAY, array);
    return set_arrays(reference, &resource, flags);
}

ENTRY(cuTexRefSetMipmappedArray, (CUtexref reference, CUmipmappedArray mipmap, unsigned flags),
      (reference, mipmap, flags))
{
    CUDA_RESOURCE_DESC resource = { .type = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY };
    resource.mipmap.handle = mipmap;
    return set_arrays(reference, &resource, flags);
}

/* Sets the format of linear memory; pitched memory and arrays bring their own. */
ENTRY(cuTexRefSetFormat, (CUtexref handle, int format, int channels), (handle, format, channels))
{
    struct si_reference *reference;
    CUresult status = open_change(handle, &reference);
    if (status) return status;
    reference->format = format;
    reference->channels = channels;
    if (reference->bound && reference->resource.type == CU_RESOURCE_TYPE_LINEAR)
        set_linear(reference, reference->resource.linear.address,
                   reference->resource.linear.bytes);
    return close_change(reference);
}

/* A call that changes one property of a reference: SETTER(cuTexRefSetFlags, unsigned flags, flags,
 * is_right, reference->how.flags = flags) */
#define SETTER(name, parameter, argument, right, change) \
    ENTRY(name, (CUtexref handle, parameter), (handle, argument)) \
    { \
        struct si_reference *reference; \
        CUresult status = open_change(handle, &reference); \
        if (status) return status; \
        if (!(right)) return refuse_change(reference, RILL_ERROR_INVALID_VALUE); \
        change; \
        return close_change(reference); \
    }

SETTER(cuTexRefSetFlags, unsigned flags, flags, !(flags & ~(unsigned)CU_TRSF_FLAGS),
       reference->how.flags = flags)
SETTER(cuTexRefSetFilterMode, int filter, filter, true, reference->how.filter = filter)
SETTER(cuTexRefSetMipmapFilterMode, int filter, filter, true,
       reference->how.mipmap_filter = filter)
SETTER(cuTexRefSetMipmapLevelBias, float bias, bias, true, reference->how.level_bias = bias)
SETTER(cuTexRefSetMaxAnisotropy, unsigned most, most, true, reference->how.anisotropy = most)
SETTER(cuTexRefSetBorderColor, float *color, color, color,
       memcpy(reference->how.border, color, sizeof reference->how.border))

ENTRY(cuTexRefSetAddressMode, (CUtexref handle, int dimension, int mode),
      (handle, dimension, mode))
{
    struct si_reference *reference;
    CUresult status = open_change(handle, &reference);
    if (status) return status;
    if (dimension < 0 || dimension > 2) return refuse_change(reference, RILL_ERROR_INVALID_VALUE);
    reference->how.address[dimension] = mode;
    return close_change(reference);
}

ENTRY(cuTexRefSetMipmapLevelClamp, (CUtexref handle, float least, float greatest),
      (handle, least, greatest))
{
    struct si_reference *reference;
    CUresult status = open_change(handle, &reference);
    if (status) return status;
    reference->how.least_level = least;
    reference->how.greatest_level = greatest;
    return close_change(reference);
}

/* ---- Asking -------------------------------------------------------------------------------- */

/* Copies a reference. */
static CUresult ask(CUtexref handle, const void *to, struct si_reference *copy)
{
    struct si_reference *reference;
    struct si_context *current;
    CUresult status = si_current(&current);
    if (!status) status = si_reference(handle, false, &reference);
    if (!status && !to) status = RILL_ERROR_INVALID_VALUE;
    if (status) return status;
    rl_lock(&reference->lock);
    copy->resource = reference->resource;
    copy->bound = reference->bound;
    copy->address = reference->address;
    copy->how = reference->how;
    copy->format = reference->format;
    copy->channels = reference->channels;
    rl_unlock(&reference->lock);
    return RILL_SUCCESS;
}

static bool is_bound_to(const struct si_reference *copy, int type)
{
    return copy->bound && copy->resource.type == type;
}

ENTRY(cuTexRefGetAddress_v2, (CUdeviceptr *address, CUtexref reference), (address, reference))
{
    struct si_reference copy;
    CUresult status = ask(reference, address, &copy);
    if (status) return status;
    if (!is_bound_to(&copy, CU_RESOURCE_TYPE_LINEAR) &&
        !is_bound_to(&copy, CU_RESOURCE_TYPE_PITCH2D))
        return RILL_ERROR_INVALID_VALUE;
    *address = copy.address;
    return RILL_SUCCESS;
}

ENTRY(cuTexRefGetArray, (CUarray *array, CUtexref reference), (array, reference))
{
    struct si_reference copy;
    CUresult status = ask(reference, array, &copy);
    if (status) return status;
    if (!is_bound_to(&copy, CU_RESOURCE_TYPE_ARRAY)) return RILL_ERROR_INVALID_VALUE;
    *array = copy.resource.array.handle;
    return RILL_SUCCESS;
}

ENTRY(cuTexRefGetMipmappedArray, (CUmipmappedArray *mipmap, CUtexref reference),
      (mipmap, reference))
{
    struct si_reference copy;
    CUresult status = ask(reference, mipmap, &copy);
    if (status) return status;
    if (!is_bound_to(&copy, CU_RESOURCE_TYPE_MIPMAPPED_ARRAY)) return RILL_ERROR_INVALID_VALUE;
    *mipmap = copy.resource.mipmap.handle;
    return RILL_SUCCESS;
}

ENTRY(cuTexRefGetFormat, (int *format, int *channels, CUtexref reference),
      (format, channels, reference))
{
    struct si_reference copy;
    CUresult status = ask(reference, reference, &copy);
    if (status) return status;
    if (format) *format = copy.format;
    if (channels) *channels = copy.channels;
    return RILL_SUCCESS;
}

ENTRY(cuTexRefGetAddressMode, (int *mode, CUtexref reference, int dimension),
      (mode, reference, dimension))
{
    struct si_reference copy;
    CUresult status = ask(reference, mode, &copy);
    if (status) return status;
    if (dimension < 0 || dimension > 2) return RILL_ERROR_INVALID_VALUE;
    *mode = copy.how.address[dimension];
    return RILL_SUCCESS;
}

ENTRY(cuTexRefGetMipmapLevelClamp, (float *least, float *greatest, CUtexref reference),
      (least, greatest, reference))
{
    struct si_reference copy;
    CUresult status = ask(reference, reference, &copy);
    if (status) return status;
    if (least) *least = copy.how.least_level;
    if (greatest) *greatest = copy.how.greatest_level;
    return RILL_SUCCESS;
}

ENTRY(cuTexRefGetBorderColor, (float *color, CUtexref reference), (color, reference))
{
    struct si_reference copy;
    CUresult status = ask(reference, color, &copy);
    if (!status) memcpy(color, copy.how.border, sizeof copy.how.border);
    return status;
}

/* A call that returns one property of a reference. */
#define GETTER(name, type, member) \
    ENTRY(name, (type *value, CUtexref reference), (value, reference)) \
    { \
        struct si_reference copy; \
        CUresult status = ask(reference, value, &copy); \
        if (!status) *value = (type)copy.how.member; \
        return status; \
    }

GETTER(cuTexRefGetFilterMode, int, filter)
GETTER(cuTexRefGetFlags, unsigned, flags)
GETTER(cuTexRefGetMaxAnisotropy, int, anisotropy)
GETTER(cuTexRefGetMipmapFilterMode, int, mipmap_filter)
GETTER(cuTexRefGetMipmapLevelBias, float, level_bias)

/* ---- Surfaces ------------------------------------------------------------------------------ */

ENTRY(cuSurfRefSetArray, (CUsurfref handle, CUarray array, unsigned flags),
      (handle, array, flags))
{
    struct si_context *current;
    struct si_reference *reference;
    struct ptx_texture surface;
    const struct si_array *made;
    CUDA_RESOURCE_DESC resource = { .type = CU_RESOURCE_TYPE_ARRAY };
    resource.array.handle = array;
    CUresult status = si_current(&current);
    if (!status) status = si_reference(handle, true, &reference);
    if (!status && flags) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = si_view_surface(&resource, &surface);
    if (!status) status = si_array(array, &made);
    if (!status && !(made->told.flags & CUDA_ARRAY3D_SURFACE_LDST))
        status = RILL_ERROR_INVALID_VALUE;
    if (status) return status;
    rl_lock(&reference->lock);
    reference->resource = resource;
    reference->bound = true;
    return close_change(reference);
}

ENTRY(cuSurfRefGetArray, (CUarray *array, CUsurfref handle), (array, handle))
{
    struct si_context *current;
    struct si_reference *reference;
    CUresult status = si_current(&current);
    if (!status) status = si_reference(handle, true, &reference);
    if (!status && !array) status = RILL_ERROR_INVALID_VALUE;
    if (status) return status;
    rl_lock(&reference->lock);
    if (reference->bound) *array = reference->resource.array.handle;
    else status = RILL_ERROR_INVALID_VALUE;
    rl_unlock(&reference->lock);
    return status;
}
