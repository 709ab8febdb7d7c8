/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels as the driver launches them, in a stream or as nodes.
 */
#ifndef CUDA_KIND_KERNEL_H
#define CUDA_KIND_KERNEL_H

#include "backend-cuda/object/module.h"

/* The `extra` of a launch whose arguments are packed, and what it points at. */
struct cuda_packed {
    void *extra[5];
    size_t bytes;
};

/* Writes what a kernel is to a node, for as long as `packed` lasts.  Refuses what the driver
 * would not survive, a NULL among the pointers to arguments, and what does not fit into its
 * numbers. */
rill_status cuda_write_kernel(const rill_kernel_op *op, struct cuda_kernel_params *raw,
                              struct cuda_packed *packed);

#endif
