/* SPDX-License-Identifier: Apache-2.0
 *
 * Which handles of memory live.  The driver follows a handle without a look: one that is stale or
 * garbage ended the process in five of six calls, as measured with driver 580.
 */
#ifndef CUDA_MEMORY_VMEM_HANDLES_H
#define CUDA_MEMORY_VMEM_HANDLES_H

#include "backend-cuda/context/context.h"

/* Notes that the driver gave a handle out, once more if it lives already.  Returns false if memory
 * is short. */
bool cuda_vmem_note(struct cuda_platform *platform, rill_vmem_handle handle);

/* Notes that a handle was given back, once. */
void cuda_vmem_forget(struct cuda_platform *platform, rill_vmem_handle handle);

/* Refuses what is no handle that lives. */
rill_status cuda_vmem_check(struct cuda_platform *platform, rill_vmem_handle handle);

/* Forgets all handles, when the platform closes. */
void cuda_vmem_forget_all(struct cuda_platform *platform);

#endif
