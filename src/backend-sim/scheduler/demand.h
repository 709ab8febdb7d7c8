/* SPDX-License-Identifier: Apache-2.0
 *
 * What an operation, or a node, demands of the machine: where time is virtual, that decides how
 * long it takes (virtual_time.h).  Nobody asks otherwise.
 */
#ifndef SIM_DEMAND_H
#define SIM_DEMAND_H

#include <stdbool.h>
#include <stdint.h>

struct sim_platform;

enum demand_kind {
    DEMAND_NOTHING,            /* takes no time                                      */
    DEMAND_TO_DEVICE_PAGEABLE, /* a copy from pageable memory of the host            */
    DEMAND_TO_DEVICE,          /* from pinned memory                                 */
    DEMAND_TO_HOST_PAGEABLE,
    DEMAND_TO_HOST,
    DEMAND_ON_DEVICE,          /* a copy within a device                             */
    DEMAND_PEER,               /* from one device to another                         */
    DEMAND_ON_HOST,            /* from host to host                                  */
    DEMAND_FILL,
    DEMAND_KERNEL,
    DEMAND_HOST,               /* a function of the program                          */
    DEMAND_CONDITIONAL,        /* a conditional node, besides what is in its bodies  */
    DEMAND_GRAPH,              /* a launch, from its turn until its first nodes can run */
    DEMAND_KINDS
};

struct demand {
    const struct sim_platform *platform;
    enum demand_kind kind;
    int device;      /* whose engine is needed; of a copy between devices, the source */
    uint64_t amount; /* bytes; threads of a kernel                                    */
    const char *name; /* of a kernel, while it has not run; else NULL                 */
};

#endif
