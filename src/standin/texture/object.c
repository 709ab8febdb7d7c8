/* SPDX-License-Identifier: Apache-2.0
 *
 * Creates, destroys and queries texture and surface objects.
 *
 * What kernels need is in the table of src/ptx/texture, whose handles are the program's.  This file
 * keeps what a program is told when it asks, and destroys objects with their context.  A query
 * copies what it finds under the lock, so that no thread reads what another one frees.
 */
#include "standin/texture/object.h"

#include <string.h>

#include "base/alloc.h"
#include "ptx/texture/texture.h"
#include "standin/texture/view.h"

struct object {
    struct object *next;             /* of the same bucket; objects.lock */
    uint64_t handle;
    const struct si_context *context;
    bool surface;
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC how;
    CUDA_RESOURCE_VIEW_DESC view;
};

enum { BUCKETS = 256 };

static struct {
    struct rl_lock lock;
    struct object *first[BUCKETS];   /* lock */
} objects;

/* Returns the link to an object, or to the end of its bucket.  Requires objects.lock. */
static struct object **object_link(uint64_t handle)
{
    struct object **link = &objects.first[handle % BUCKETS];
    while (*link && (*link)->handle != handle) link = &(*link)->next;
    return link;
}

/* ---- Making and ending --------------------------------------------------------------- */

/* Adds an object of one texture, or of a mipmap's `levels` textures. */
static CUresult add_object(const struct object *described, struct ptx_texture *textures,
                           unsigned levels, uint64_t *handle)
{
    struct object *object = rl_alloc(sizeof *object);
    if (!object) return RILL_ERROR_OUT_OF_MEMORY;
    *object = *described;
    CUresult status = levels ? ptx_texture_add_levels(textures, levels, &object->handle)
                             : ptx_texture_add(textures, &object->handle);
    if (status) {
        rl_free(object);
        return status;
    }
    *handle = object->handle;
    rl_lock(&objects.lock);
    struct object **first = &objects.first[object->handle % BUCKETS];
    object->next = *first;
    *first = object;
    rl_unlock(&objects.lock);
    return RILL_SUCCESS;
}

/* Destroys an object of the kind.  Any other handle is ignored, as on hardware. */
static CUresult end_object(uint64_t handle, bool surface)
{
    struct si_context *current;
    CUresult status = si_current(&current);
    if (status) return status;
    rl_lock(&objects.lock);
    struct object **link = object_link(handle), *object = *link;
    if (object && object->surface == surface) *link = object->next;
    else object = NULL;
    rl_unlock(&objects.lock);
    if (object) ptx_texture_remove(handle);
    rl_free(object);
    return RILL_SUCCESS;
}

/* Tells whether an object was made of this array or mipmap. */
static bool is_made_of(const struct object *object, const void *resource)
{
    if (object->resource.type == CU_RESOURCE_TYPE_ARRAY)
        return (const void *)object->resource.array.handle == resource;
    return object->resource.type == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY &&
           (const void *)object->resource.mipmap.handle == resource;
}

void si_objects_of_gone(const void *gone)
{
    rl_lock(&objects.lock);
    for (size_t i = 0; i < BUCKETS; i++)
        for (const struct object *object = objects.first[i]; object; object = object->next)
            if (is_made_of(object, gone)) ptx_texture_remove(object->handle);
    rl_unlock(&objects.lock);
}

struct si_slot *si_objects_take(struct si_context *context, struct si_slot *taken)
{
    rl_lock(&objects.lock);
    for (size_t i = 0; i < BUCKETS; i++)
        for (struct object **link = &objects.first[i]; *link;) {
            struct object *object = *link;
            if (object->context != context) {
                link = &object->next;
                continue;
            }
            *link = object->next;
            ptx_texture_remove(object->handle);
            rl_free(object);
        }
    rl_unlock(&objects.lock);
    return taken;
}

ENTRY(cuTexObjectCreate,
      (CUtexObject *handle, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *how,
       const CUDA_RESOURCE_VIEW_DESC *view),
      (handle, resource, how, view))
{
    struct si_context *current;
    struct ptx_texture textures[SI_LEVELS_MOST];
    unsigned levels = 0;
    uint64_t made = 0;
    CUresult status = si_current(&current);
    if (!status && (!handle || !resource || !how)) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = si_view_texture(resource, how, view, textures, &levels);
    if (status) return status;
    struct object object = { .context = current, .resource = si_resource_as_told(resource),
                             .how = si_sampling_as_told(how) };
    if (view) object.view = *view;
    status = add_object(&object, textures, levels, &made);
    if (!status) *handle = made;
    return status;
}

ENTRY(cuSurfObjectCreate,
      (CUsurfObject *handle, const CUDA_RESOURCE_DESC *resource), (handle, resource))
{
    struct si_context *current;
    struct ptx_texture surface;
    uint64_t made = 0;
    CUresult status = si_current(&current);
    if (!status && (!handle || !resource)) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = si_view_surface(resource, &surface);
    if (status) return status;
    struct object object = { .context = current, .surface = true, .resource = *resource };
    status = add_object(&object, &surface, 0, &made);
    if (!status) *handle = made;
    return status;
}

ENTRY(cuTexObjectDestroy, (CUtexObject handle), (handle))
{
    return end_object(handle, false);
}

ENTRY(cuSurfObjectDestroy, (CUsurfObject handle), (handle))
{
    return end_object(handle, true);
}

/* ---- Questions ----------------------------------------------------------------------- */

/* Copies the description of an object of the kind. */
static CUresult find_object(uint64_t handle, bool surface, const void *to, struct object *found)
{
    struct si_context *current;
    CUresult status = si_current(&current);
    if (status) return status;
    if (!to) return RILL_ERROR_INVALID_VALUE;
    rl_lock(&objects.lock);
    const struct object *object = *object_link(handle);
    if (object && object->surface == surface) *found = *object;
    else status = RILL_ERROR_INVALID_VALUE;
    rl_unlock(&objects.lock);
    return status;
}

ENTRY(cuTexObjectGetResourceDesc, (CUDA_RESOURCE_DESC *resource, CUtexObject handle),
      (resource, handle))
{
    struct object object;
    CUresult status = find_object(handle, false, resource, &object);
    if (!status) *resource = object.resource;
    return status;
}

ENTRY(cuSurfObjectGetResourceDesc, (CUDA_RESOURCE_DESC *resource, CUsurfObject handle),
      (resource, handle))
{
    struct object object;
    CUresult status = find_object(handle, true, resource, &object);
    if (!status) *resource = object.resource;
    return status;
}

ENTRY(cuTexObjectGetTextureDesc, (CUDA_TEXTURE_DESC *how, CUtexObject handle), (how, handle))
{
    struct object object;
    CUresult status = find_object(handle, false, how, &object);
    if (!status) *how = object.how;
    return status;
}

/* Reports a view of zeros for an object that was made without one. */
ENTRY(cuTexObjectGetResourceViewDesc, (CUDA_RESOURCE_VIEW_DESC *view, CUtexObject handle),
      (view, handle))
{
    struct object object;
    CUresult status = find_object(handle, false, view, &object);
    if (!status) *view = object.view;
    return status;
}
