/* SPDX-License-Identifier: Apache-2.0
 *
 * Random kernels: k(.u64 memory, .u64 saved, .u32 n, .u64 own).  They access memory around an
 * address, and save all registers of each thread in the end.
 */
#ifndef PTX_RUN_RANDOM_KERNEL_H
#define PTX_RUN_RANDOM_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/random.h"

enum { RANDOM_KERNEL_SAVED = 72 }; /* bytes of each thread: 68, and 4 to keep them apart */

/* Bytes of `own` that each block has whose blocks are apart; `own` is the middle of the first. */
enum { RANDOM_KERNEL_PART = 1 << 16 };

struct random_kernel {
    struct dice dice;
    char text[32768];
    size_t used;
    unsigned labels;
    bool exchanges;       /* between lanes of a warp, none of which ends early           */
    bool apart;           /* blocks have no part in each other and nothing that is their own but
                             their place: each loads around `memory`, and stores into its own part
                             of `own`, each thread to four words of its own              */
    uint32_t meets;       /* of blocks that are apart: so many threads each, which write words of
                             shared memory and meet before others read them; or 0        */
    uint32_t pitch;       /* of rows of threads there, in such fours: at least a block's width */
};

/* Writes the text; the dice and what the kernel does are given. */
void random_kernel_write(struct random_kernel *kernel);

#endif
