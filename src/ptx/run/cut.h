/* SPDX-License-Identifier: Apache-2.0
 *
 * How a launch is cut: into blocks that run as one, and those into bundles of lanes.
 */
#ifndef PTX_RUN_CUT_H
#define PTX_RUN_CUT_H

#include "ptx/run/machine.h"

/* Returns how many blocks a cluster of the launch has: 1 if it has none. */
uint32_t ptx_cluster_size(const struct ptx_launch *launch);

/* Returns how many blocks of the launch, next to each other in x, run as one; mostly 1.  A launch
 * of which no more is known than its kernel and its numbers may have fewer in the end. */
uint32_t ptx_blocks_abreast(const struct ptx_kernel *kernel, const struct ptx_launch *launch);

/* Returns how many bytes of shared memory each of several blocks takes that run as one: so few more
 * than it has that arrays of a word for each thread are one. */
uint32_t ptx_shared_pitch(const struct ptx_kernel *kernel, const struct ptx_launch *launch);

/* How a block, or as many as are abreast, is cut into bundles. */
struct ptx_cut {
    uint32_t threads, lanes;    /* of all bundles                                     */
    uint32_t bundles;
    uint32_t bundle_lanes;      /* of each, but the last may have fewer               */
};

struct ptx_cut ptx_cut_block(const struct ptx_kernel *kernel, const struct ptx_launch *launch);

#endif
