/* SPDX-License-Identifier: Apache-2.0
 *
 * How much memory a device keeps for graphs.
 */
#ifndef CUDA_MEMORY_GRAPH_MEMORY_H
#define CUDA_MEMORY_GRAPH_MEMORY_H

#include <rill/backend.h>

rill_status cuda_get_graph_memory(rill_platform *platform, int device,
                                  rill_graph_memory_attribute attribute, uint64_t *value);
rill_status cuda_set_graph_memory(rill_platform *platform, int device,
                                  rill_graph_memory_attribute attribute, uint64_t value);
rill_status cuda_trim_graph_memory(rill_platform *platform, int device);

#endif
