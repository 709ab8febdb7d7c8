/* SPDX-License-Identifier: Apache-2.0
 *
 * The fake backend's modules and kernels, which are C functions.
 */
#include <string.h>

#include "base/alloc.h"
#include "support/fake/parts.h"

struct fake_module {
    size_t count;
    rill_kernel **kernels;
};

struct fake_kernel {
    const rill_function *function;
};

static rill_status fake_unload(rill_module *module)
{
    struct fake_module *own = rill_private(module);
    for (size_t i = 0; i < own->count; i++) rill_backend_disown(own->kernels[i]);
    rl_free(own->kernels);
    return RILL_SUCCESS;
}

/* Of an image, this backend takes the C functions. */
static rill_status fake_load(rill_module *module, const rill_image *image)
{
    struct fake_module *own = rill_private(module);
    rill_context *context = rill_object_of(module)->context;
    if (!image->function_count)
        return rill_backend_fail(RILL_ERROR_NO_BINARY_FOR_GPU, "image",
                                 "the image has no C functions, and no other code runs here");
    own->kernels = rl_zalloc(image->function_count * sizeof *own->kernels);
    if (!own->kernels)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "there is no memory for kernels");
    for (size_t i = 0; i < image->function_count; i++) {
        void *kernel;
        rill_status status = rill_backend_own(RILL_OBJECT_KERNEL, module, context, &kernel);
        if (status) {
            fake_unload(module);
            return status;
        }
        ((struct fake_kernel *)rill_private(kernel))->function = &image->functions[i];
        own->kernels[own->count++] = kernel;
    }
    return RILL_SUCCESS;
}

static rill_status fake_kernel(rill_module *module, const char *name, rill_kernel **kernel)
{
    const struct fake_module *own = rill_private(module);
    for (size_t i = 0; i < own->count; i++) {
        const struct fake_kernel *candidate = rill_private(own->kernels[i]);
        if (strcmp(candidate->function->name, name)) continue;
        *kernel = own->kernels[i];
        return RILL_SUCCESS;
    }
    return rill_backend_fail(RILL_ERROR_NOT_FOUND, "name", "the module has no kernel '%s'", name);
}

static rill_status fake_kernel_count(rill_module *module, size_t *count)
{
    *count = ((const struct fake_module *)rill_private(module))->count;
    return RILL_SUCCESS;
}

static const char *fake_kernel_name(const rill_kernel *kernel)
{
    return ((const struct fake_kernel *)rill_private(kernel))->function->name;
}

rill_status fake_launch_kernel(const rill_kernel_op *op)
{
    const struct fake_kernel *kernel = rill_private(op->kernel);
    const rill_function *function = kernel->function;
    if (!op->grid.x || !op->grid.y || !op->grid.z || !op->block.x || !op->block.y || !op->block.z)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "grid",
                                 "a side of the grid or of the block is 0");
    rill_launch launch = { .grid = op->grid,
                           .block = op->block,
                           .shared_bytes = op->shared_bytes + function->static_shared_bytes,
                           .params = op->params,
                           .param_count = function->param_count };
    launch.shared = rl_zalloc(launch.shared_bytes);
    if (!launch.shared)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "there is no shared memory left");
    rill_dim3 *at = &launch.index;
    if (function->over_grid)
        function->over_grid(&launch);
    else
        for (at->z = 0; at->z < op->grid.z; at->z++)
            for (at->y = 0; at->y < op->grid.y; at->y++)
                for (at->x = 0; at->x < op->grid.x; at->x++) function->over_block(&launch);
    rl_free(launch.shared);
    return RILL_SUCCESS;
}

const struct rill_module_ops fake_module_ops = {
    .private_bytes = sizeof(struct fake_module),
    .kernel_private_bytes = sizeof(struct fake_kernel),
    .load = fake_load,
    .unload = fake_unload,
    .kernel = fake_kernel,
    .kernel_count = fake_kernel_count,
    .kernel_name = fake_kernel_name,
};
