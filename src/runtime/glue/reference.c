/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/glue/reference.h"

#include "runtime/thread/entry.h"

static struct rt_table textures, surfaces;

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
    const struct rt_row row = { .address = texture, .image = image, .name = name,
                                .normalized = normalized, .offset = RT_UNBOUND };
    if (image) rt_table_add(&textures, &row);
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

void rt_references_remove(const struct rt_image *image)
{
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

cudaError_t rt_texture(struct rt_row *row, CUtexref *reference)
{
    CUmodule module;
    cudaError_t status = module_of(row, &module);
    if (!status) status = (cudaError_t)rt_driver.cuModuleGetTexRef(reference, module, row->name);
    return status == RILL_ERROR_NOT_FOUND ? cudaErrorInvalidTexture : status;
}

cudaError_t rt_surface(struct rt_row *row, CUsurfref *reference)
{
    CUmodule module;
    cudaError_t status = module_of(row, &module);
    if (!status) status = (cudaError_t)rt_driver.cuModuleGetSurfRef(reference, module, row->name);
    return status == RILL_ERROR_NOT_FOUND ? cudaErrorInvalidSurface : status;
}
