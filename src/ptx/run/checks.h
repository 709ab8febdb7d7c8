/* SPDX-License-Identifier: Apache-2.0
 *
 * What a launch is checked for, besides running it: races, memory that is read and was never
 * written, barriers that are not met as they must be (RILL_PTX_CHECK, `rill run --check=kernel`).
 *
 * The room `check` knows orders and accesses by numbers; here they are those of groups and steps.
 * A block is checked by the thread that runs it.  What blocks have in common is not locked: one
 * thread runs all blocks of a launch in which there is something, so findings are the same each
 * time.
 */
#ifndef PTX_RUN_CHECKS_H
#define PTX_RUN_CHECKS_H

#include "ptx/check/findings.h"
#include "ptx/check/shadow.h"
#include "ptx/check/written.h"
#include "ptx/run/memory.h"
#include "ptx/text/source.h"

/* What the blocks of a launch have in common. */
struct ptx_grid_checks {
    struct ptx_order order;
    struct ptx_shadow global;
};

/* What is known of a block. */
struct ptx_checks {
    uint32_t wanted;                 /* PTX_CHECK_*                                  */
    struct ptx_order own, *order;    /* the launch's, or its own                     */
    struct ptx_order_block turns;
    struct ptx_shadow shared, *global; /* NULL if nobody asks for races there        */
    struct ptx_written shared_written, local_written; /* of a thread, from that << 32 on */
};

/* Returns true if one thread has to run all blocks. */
bool ptx_checks_need_one(const struct ptx_launch *launch);

/* Make what the blocks of a grid have in common, and free it.  If memory is short the launch runs
 * unchecked, and its findings say so. */
struct ptx_grid_checks *ptx_grid_checks_make(const struct ptx_launch *launch);
void ptx_grid_checks_free(struct ptx_grid_checks *checks, const struct ptx_launch *launch);

/* Begins to check a block, and forgets the one before. */
void ptx_checks_begin(struct ptx_block *block);
void ptx_checks_end(struct ptx_block *block);

/* ---- Accesses, before they happen ----------------------------------------------------------- */

/* `memory` and `reg` are the sizes of an element. */
void ptx_checks_load(struct ptx_access *access);
void ptx_checks_store(struct ptx_access *access, size_t memory, size_t reg);
void ptx_checks_atomic(struct ptx_access *access);

/* An operation on an mbarrier, which acquires and releases; or one that makes it. */
void ptx_checks_mbarrier(struct ptx_access *access, bool makes);

/* Notes that shared or local memory was written, without judging it. */
void ptx_checks_note_written(const struct ptx_access *access, uint32_t lane, uint64_t address,
                             uint64_t bytes);

/* A kernel gets memory that may have been another thread's before it was freed: whoever hands it
 * out has put both in order. */
void ptx_checks_allocated(const struct ptx_group *group, uint64_t address, uint64_t bytes);

/* A function begins whose variables are at `base` of local memory. */
void ptx_checks_call(const struct ptx_group *group, uint32_t base, uint32_t bytes);

/* ---- What puts threads in order ------------------------------------------------------------- */

void ptx_checks_fence(const struct ptx_group *group, enum ptx_reach reach);

/* Lanes of a warp meet. */
void ptx_checks_meet(const struct ptx_group *group, uint32_t warp, uint32_t lanes);

/* A group comes to a barrier of its block.  The barrier is complete. */
void ptx_checks_arrive(const struct ptx_group *group, uint32_t barrier, bool waits);
void ptx_checks_complete(struct ptx_block *block, uint32_t barrier);
void ptx_checks_meet_all(struct ptx_block *block);
void ptx_checks_meet_cluster(struct ptx_block *block);

/* ---- Whether they meet as they must --------------------------------------------------------- */

/* A barrier to which a group comes, and who came to it first in this phase. */
struct ptx_arrival {
    uint32_t barrier, count;      /* of threads; 0 is all             */
    const struct ptx_step *first; /* NULL if nobody came before       */
    uint32_t thread, expected;    /* and for how many; 0 is all       */
};

void ptx_checks_barrier(struct ptx_group *group, const struct ptx_step *step,
                        const struct ptx_arrival *arrival);

/* Lanes of a warp take a step for these members. */
void ptx_checks_members(struct ptx_group *group, const struct ptx_step *step, uint32_t warp,
                        uint32_t lanes, uint32_t members);

/* ---- What is wrong -------------------------------------------------------------------------- */

struct ptx_trouble {
    enum ptx_wrong wrong;
    struct ptx_group *group;
    const struct ptx_step *step;
    uint32_t lane;
    uint32_t other;     /* line, or 0                    */
    unsigned does;      /* what is done there            */
    uint64_t address;   /* of global memory, or 0        */
    uint32_t bytes;
};

#define PTX_TROUBLE_WORDS 384

/* Says what is wrong: the launch fails, or the finding is listed if somebody wants them all. */
void ptx_checks_tell(const struct ptx_trouble *trouble, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes "thread (1,0,0) of block (0,0,2)" of a thread that is counted in the grid. */
#define PTX_THREAD_WORDS 112
void ptx_checks_name(const struct ptx_block *block, uint64_t thread, char words[PTX_THREAD_WORDS]);

/* Writes "line 12" or "sum.cu:31" of a step's line (text/source.h). */
void ptx_checks_place(const struct ptx_block *block, uint32_t line, char words[PTX_PLACE_WORDS]);

#endif
