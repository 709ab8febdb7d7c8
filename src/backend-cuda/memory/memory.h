/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory, its table of slots.
 */
#ifndef CUDA_MEMORY_MEMORY_H
#define CUDA_MEMORY_MEMORY_H

#include <rill/backend.h>

extern const struct rill_memory_ops cuda_memory_ops;

#endif
