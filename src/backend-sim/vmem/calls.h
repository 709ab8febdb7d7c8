/* SPDX-License-Identifier: Apache-2.0
 *
 * The slots that are not in vmem.c, and what they have in common.
 */
#ifndef SIM_VMEM_CALLS_H
#define SIM_VMEM_CALLS_H

#include <rill/backend.h>

struct sim_platform;

/* Refuses 0, and what is no multiple of the grain. */
rill_status sim_vmem_check_size(const char *argument, uint64_t value, uint64_t grain);

/* Waits for all work, which may use mapped memory. */
rill_status sim_vmem_wait(struct sim_platform *platform);

rill_status sim_vmem_map(rill_platform *platform, rill_devptr address, size_t bytes,
                         rill_vmem_handle handle);
rill_status sim_vmem_unmap(rill_platform *platform, rill_devptr address, size_t bytes);
rill_status sim_vmem_set_access(rill_platform *platform, rill_devptr address, size_t bytes,
                                int device, rill_access access);
rill_status sim_vmem_get_access(rill_platform *platform, rill_devptr address, int device,
                                rill_access *access);

#endif
