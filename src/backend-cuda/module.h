/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules and their kernels.
 */
#ifndef CUDA_MODULE_H
#define CUDA_MODULE_H

#include "backend-cuda/cuda.h"

struct cuda_module {
    struct cuda_part part;
    CUmodule raw;
    struct cuda_context *context;
    struct rl_lock kernels_lock;
    rill_kernel *kernels; /* handed out so far, linked; kernels_lock */
};

struct cuda_kernel {
    CUfunction raw;
    struct cuda_module *module;
    char *name;
    rill_kernel *next; /* of the module's; kernels_lock */
};

static inline struct cuda_module *cuda_module_of(const rill_module *module)
{
    return rill_private(module);
}

static inline struct cuda_kernel *cuda_kernel_of(const rill_kernel *kernel)
{
    return rill_private(kernel);
}

/* The kernel behind the driver's handle, made if it was not handed out before; NULL,
 * with a note, when its module is none of rill's or memory is short. */
rill_kernel *cuda_find_kernel(struct cuda_context *context, CUfunction raw);

#endif
