/* SPDX-License-Identifier: Apache-2.0
 *
 * Host memory that the devices know: slots of the memory table.
 */
#ifndef CUDA_MEMORY_HOST_MEMORY_H
#define CUDA_MEMORY_HOST_MEMORY_H

#include <rill/backend.h>

rill_status cuda_host_alloc(rill_context *context, size_t bytes, uint32_t flags, void **pointer);
rill_status cuda_host_free(rill_context *context, void *pointer);
rill_status cuda_host_register(rill_context *context, void *pointer, size_t bytes,
                               uint32_t flags);
rill_status cuda_host_unregister(rill_context *context, void *pointer);
rill_status cuda_host_device_pointer(rill_context *context, void *pointer, rill_devptr *address);
rill_status cuda_host_flags(rill_context *context, void *pointer, uint32_t *flags);

#endif
