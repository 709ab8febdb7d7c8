/* SPDX-License-Identifier: Apache-2.0
 *
 * Pairs of kernels: one that has something wrong, and one where that is mended.
 */
#ifndef PTX_RUN_CHECK_PAIRS_H
#define PTX_RUN_CHECK_PAIRS_H

#include "ptx/check/findings.h"
#include "ptx/machine.h"

/* Both are bodies of a kernel that has
 *
 *     %b    64 KiB of zeros in global memory     %a    the word of the thread in it
 *     s     4 KiB of shared memory               %x    the word of the thread in it
 *     %t    %tid.x                               %l    the lane
 *     %c    %ctaid.x                             %g    the thread in the grid
 *
 * and registers %u, %v, %w, %i (32 bits), %y, %z (64), %p, %q (predicates), %h (16 bits). */
struct pair {
    const char *name;
    uint32_t blocks, threads;
    enum ptx_wrong wrong;
    const char *bad, *words;   /* words of the sentence that is told of it */
    const char *good;
    uint32_t cluster;          /* blocks; 0: none            */
    const char *head;          /* functions in front; or NULL */
};

struct pairs {
    const struct pair *rows;
    size_t count;
};

extern const struct pairs global_pairs, order_pairs, shared_pairs, init_pairs, barrier_pairs;

#endif
