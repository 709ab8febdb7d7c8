/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls on memory: slots of one table.
 */
#ifndef CUDA_MEMORY_MEMORY_H
#define CUDA_MEMORY_MEMORY_H

#include <rill/backend.h>

extern const struct rill_memory_ops cuda_memory_ops;

#endif
