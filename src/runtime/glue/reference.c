/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/glue/reference.h"

#include <string.h>

#include "base/alloc.h"
#include "runtime/thread/entry.h"

/* Kept for good, as its row is. */
struct rt_texture {
    int normalized;           /* what it has is read as parts of one                  */
    _Atomic(size_t) offset;   /* in what is bound; RT_ARRAY, RT_UNBOUND               */
    struct rl_lock lock;
    struct textureReference told; /* what the driver was told last; the lock          */
    CUcontext context;        /* of the reference that was told it, or NULL; the lock */
};

static struct rt_table textures, surfaces;

atomic_int rt_textures_bound;

/* ---- Registering ---------------------------------------------------------------------------
 *
 * What the interface calls an address is the name in the image; its name is that of C++, with its
 * namespaces.
 */

RT_EXPORT void __cudaRegisterTexture(struct rt_image *image, const struct textureReference *texture,
                                     const char *name, const char *written, int dimensions,
                                     int normalized, int external);
RT_EXPORT void __cudaRegisterTexture(struct rt_image *image, const struct textureReference *texture,
                                     const char *name, const char *written, int dimensions,
                                     int normalized, int external)
{
    (void)written, (void)dimensions, (void)external;
    struct rt_texture *made = image ? rl_zalloc(sizeof *made) : NULL;
    const struct rt_row row = { .address = texture, .image = image, .name = name,
                                .texture = made };
    if (!made) return;
    made->normalized = normalized;
    atomic_init(&made->offset, RT_UNBOUND);
    if (!rt_table_add(&textures, &row)) rl_free(made);
}

RT_EXPORT void __cudaRegisterSurface(struct rt_image *image, const struct surfaceReference *surface,
                                     const char *name, const char *written, int dimensions,
                                     int external);
RT_EXPORT void __cudaRegisterSurface(struct rt_image *image, const struct surfaceReference *surface,
                                     const char *name, const char *written, int dimensions,
                                     int external)
{
    (void)written, (void)dimensions, (void)external;
    const struct rt_row row = { .address = surface, .image = image, .name = name };
    if (image) rt_table_add(&surfaces, &row);
}

/* Older rows stay where they are. */
static struct rt_row *all_textures(void)
{
    rl_lock(&textures.lock);
    struct rt_row *row = textures.all;
    rl_unlock(&textures.lock);
    return row;
}

void rt_references_remove(const struct rt_image *image)
{
    for (struct rt_row *row = all_textures(); row; row = row->older)
        if (row->image == image) rt_texture_bound(row, RT_UNBOUND);
    rt_table_remove(&textures, image);
    rt_table_remove(&surfaces, image);
}

/* ---- Finding ----------------------------------------------------------------------------- */

struct rt_row *rt_texture_row(const struct textureReference *texture)
{
    return texture ? rt_table_find(&textures, texture) : NULL;
}

struct rt_row *rt_surface_row(const struct surfaceReference *surface)
{
    return surface ? rt_table_find(&surfaces, surface) : NULL;
}

static cudaError_t module_of(const struct rt_row *row, CUmodule *module)
{
    CUlibrary library;
    cudaError_t status = rt_image_library(row->image, &library);
    return status ? status : (cudaError_t)rt_driver.cuLibraryGetModule(module, library);
}

cudaError_t rt_surface(struct rt_row *row, CUsurfref *reference)
{
    CUmodule module;
    cudaError_t status = module_of(row, &module);
    if (!status) status = (cudaError_t)rt_driver.cuModuleGetSurfRef(reference, module, row->name);
    return status == RILL_ERROR_NOT_FOUND ? cudaErrorInvalidSurface : status;
}

/* ---- How a texture is looked up ---------------------------------------------------------- */

static unsigned flags_of(const struct textureReference *how, int normalized)
{
    unsigned flags = 0;
    if (!normalized) flags |= CU_TRSF_READ_AS_INTEGER;
    if (how->normalized) flags |= CU_TRSF_NORMALIZED_COORDINATES;
    if (how->sRGB) flags |= CU_TRSF_SRGB;
    if (how->disableTrilinearOptimization) flags |= CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
    return flags;
}

static cudaError_t tell_way(CUtexref reference, const struct textureReference *how, int normalized)
{
    CUresult status = rt_driver.cuTexRefSetFlags(reference, flags_of(how, normalized));
    if (!status) status = rt_driver.cuTexRefSetFilterMode(reference, how->filterMode);
    for (int i = 0; !status && i < 3; i++)
        status = rt_driver.cuTexRefSetAddressMode(reference, i, how->addressMode[i]);
    if (!status) status = rt_driver.cuTexRefSetMaxAnisotropy(reference, how->maxAnisotropy);
    if (!status) status = rt_driver.cuTexRefSetMipmapFilterMode(reference, how->mipmapFilterMode);
    if (!status) status = rt_driver.cuTexRefSetMipmapLevelBias(reference, how->mipmapLevelBias);
    if (!status)
        status = rt_driver.cuTexRefSetMipmapLevelClamp(reference, how->minMipmapLevelClamp,
                                                       how->maxMipmapLevelClamp);
    return (cudaError_t)status;
}

/* Requires the texture's lock. */
static cudaError_t find_told(const struct rt_row *row, CUcontext context, CUtexref *reference)
{
    CUmodule module;
    struct rt_texture *texture = row->texture;
    const struct textureReference *how = row->address;
    cudaError_t status = module_of(row, &module);
    if (!status) status = (cudaError_t)rt_driver.cuModuleGetTexRef(reference, module, row->name);
    if (!status) status = tell_way(*reference, how, texture->normalized);
    texture->told = *how;
    texture->context = status ? NULL : context;
    return status == RILL_ERROR_NOT_FOUND ? cudaErrorInvalidTexture : status;
}

cudaError_t rt_texture(struct rt_row *row, CUtexref *reference)
{
    CUcontext context;
    CUresult status = rt_driver.cuCtxGetCurrent(&context);
    if (status) return (cudaError_t)status;
    rl_lock(&row->texture->lock);
    cudaError_t found = find_told(row, context, reference);
    rl_unlock(&row->texture->lock);
    return found;
}

static cudaError_t tell_changed(const struct rt_row *row, CUcontext context)
{
    CUtexref reference;
    cudaError_t status = cudaSuccess;
    struct rt_texture *texture = row->texture;
    rl_lock(&texture->lock);
    if (texture->context != context || memcmp(&texture->told, row->address, sizeof texture->told))
        status = find_told(row, context, &reference);
    rl_unlock(&texture->lock);
    return status;
}

cudaError_t rt_textures_tell(void)
{
    CUcontext context;
    cudaError_t status = (cudaError_t)rt_driver.cuCtxGetCurrent(&context);
    for (struct rt_row *row = all_textures(); !status && row; row = row->older)
        if (rt_texture_offset(row) != RT_UNBOUND) status = tell_changed(row, context);
    return status;
}

void rt_texture_bound(struct rt_row *row, size_t offset)
{
    atomic_store_explicit(&row->texture->offset, offset, memory_order_relaxed);
    if (offset != RT_UNBOUND) atomic_store_explicit(&rt_textures_bound, 1, memory_order_relaxed);
}

size_t rt_texture_offset(const struct rt_row *row)
{
    return atomic_load_explicit(&row->texture->offset, memory_order_relaxed);
}
