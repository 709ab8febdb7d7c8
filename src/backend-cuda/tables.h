/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of the backend, each in the file of its kind of object.
 */
#ifndef CUDA_TABLES_H
#define CUDA_TABLES_H

#include <rill/backend.h>

extern const struct rill_device_ops cuda_device_ops;
extern const struct rill_context_ops cuda_context_ops;
extern const struct rill_memory_ops cuda_memory_ops;
extern const struct rill_module_ops cuda_module_ops;
extern const struct rill_stream_ops cuda_stream_ops;
extern const struct rill_event_ops cuda_event_ops;
extern const struct rill_pool_ops cuda_pool_ops;
extern const struct rill_capture_ops cuda_capture_ops;
extern const struct rill_graph_ops cuda_graph_ops;
extern const struct rill_exec_ops cuda_exec_ops;

#endif
