/* SPDX-License-Identifier: Apache-2.0
 *
 * The host of a kernel of PTX: the platform's memory as far as its device reaches it, and
 * what the kernel asks the simulator for.
 */
#ifndef SIM_PTX_HOST_H
#define SIM_PTX_HOST_H

#include "backend-sim/kernel/children.h"
#include "backend-sim/kernel/code.h"
#include "backend-sim/kernel/kernel.h"

struct kernel_host {
    struct ptx_host host;
    struct sim_function *function;
    struct sim_platform *platform;
    struct kernel_fault *fault; /* receives why the host itself fails the kernel   */
    struct ptx_fault *ended;    /* receives a status too, so that the launch ends  */
    atomic_bool printed;
    bool reserved;              /* the launch has the reserve; set by it before it runs, or by
                                   whichever of its threads asks, which is one     */
    size_t grid_bytes;          /* at the start of the reserve, for its first block */
    struct children children;   /* that its threads launch                         */
    struct rl_footprint **freed; /* as in kernel_launch; children.lock              */
};

/* Notes that a piece of the heap of kernels was freed: others may have its addresses before the
 * launch ends.  Requires children.lock, or that the grid has ended. */
void sim_kernel_host_freed(struct kernel_host *host, uint64_t address, uint64_t bytes);

/* Makes the host of a launch. */
void sim_kernel_host_init(struct kernel_host *host, const struct kernel_launch *launch,
                          struct kernel_fault *fault, struct ptx_fault *ended);

#endif
