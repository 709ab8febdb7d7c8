/* SPDX-License-Identifier: Apache-2.0
 *
 * From what a program describes to what a kernel looks at.
 */
#ifndef SI_TEXTURE_VIEW_H
#define SI_TEXTURE_VIEW_H

#include "ptx/texture/texture.h"
#include "standin/texture/mipmap.h"

/* Describe a texture or a surface to kernels, after the checks of the driver.  A mipmap has a
 * texture for each level; `levels` is 0 for anything else. */
CUresult si_view_texture(const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *how,
                         const CUDA_RESOURCE_VIEW_DESC *view,
                         struct ptx_texture textures[SI_LEVELS_MOST], unsigned *levels);
CUresult si_view_surface(const CUDA_RESOURCE_DESC *resource, struct ptx_texture *surface);

/* Return what a program is told of both when it asks: an address mode that does not exist is clamp,
 * and pitched memory without rows is linear. */
CUDA_RESOURCE_DESC si_resource_as_told(const CUDA_RESOURCE_DESC *resource);
CUDA_TEXTURE_DESC si_sampling_as_told(const CUDA_TEXTURE_DESC *how);

#endif
