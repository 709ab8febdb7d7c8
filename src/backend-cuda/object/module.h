/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules and their kernels.
 */
#ifndef CUDA_OBJECT_MODULE_H
#define CUDA_OBJECT_MODULE_H

#include "backend-cuda/context/context.h"

extern const struct rill_module_ops cuda_module_ops;

struct cuda_module {
    struct cuda_part part;
    CUmodule raw;
    rill_module *handle;
    struct cuda_context *context;
    struct cuda_module *next;    /* of the context's; its modules_lock */
    struct cuda_kernel *kernels; /* got so far; the context's modules_lock */
};

struct cuda_kernel {
    CUfunction raw;
    rill_kernel *handle;
    char *name;
    size_t param_count; /* 0 if the driver cannot say */
    struct cuda_kernel *next; /* of the module's; modules_lock */
};

static inline struct cuda_module *cuda_module_of(const rill_module *module)
{
    return rill_private(module);
}

static inline struct cuda_kernel *cuda_kernel_of(const rill_kernel *kernel)
{
    return rill_private(kernel);
}

/* Returns the kernel with this handle of the driver's, or NULL if it was not got through
 * rill. */
rill_kernel *cuda_find_kernel(struct cuda_context *context, CUfunction raw);

#endif
