/* SPDX-License-Identifier: Apache-2.0
 *
 * What a kernel of PTX reaches: the platform's memory as far as its device may, and what
 * it asks the simulator for.
 */
#ifndef SIM_PTX_HOST_H
#define SIM_PTX_HOST_H

#include "backend-sim/kernel/code.h"
#include "backend-sim/kernel/kernel.h"

struct kernel_host {
    struct ptx_host host;
    struct sim_code *code;
    struct sim_platform *platform;
    struct kernel_fault *fault; /* for what the world itself has against the kernel */
    struct ptx_fault *ended;    /* gets a status as well, so that the launch ends   */
    atomic_bool printed;
};

void sim_kernel_host_init(struct kernel_host *world, const struct kernel_launch *launch,
                          struct kernel_fault *fault, struct ptx_fault *ended);

#endif
