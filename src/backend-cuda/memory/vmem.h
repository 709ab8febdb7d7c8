/* SPDX-License-Identifier: Apache-2.0
 *
 * Addresses and memory, each by itself: the table of these slots.
 */
#ifndef CUDA_MEMORY_VMEM_H
#define CUDA_MEMORY_VMEM_H

#include <rill/backend.h>

extern const struct rill_vmem_ops cuda_vmem_ops;

#endif
