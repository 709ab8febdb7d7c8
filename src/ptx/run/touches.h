/* SPDX-License-Identifier: Apache-2.0
 *
 * What blocks touch of global memory, for the footprint of a launch.
 *
 * Each thread that runs blocks keeps the last row of each of a few steps, which grows from
 * bundle to bundle and from block to block, and a footprint of its own for what does not
 * grow; the launch's footprint gets both when the thread leaves the grid.  Steps that go
 * through memory together, as those of a loop that was unrolled, share a row.
 */
#ifndef PTX_RUN_TOUCHES_H
#define PTX_RUN_TOUCHES_H

#include "ptx/run/memory.h"
#include "ptx/run/touch_row.h"

#define PTX_TOUCH_ROWS 32

struct ptx_touches {
    struct ptx_grid *grid;
    struct rl_footprint *own; /* NULL until it is needed */
    struct ptx_touch_row rows[PTX_TOUCH_ROWS];
    uint8_t last[PTX_TOUCH_ROWS]; /* by step: which row grew by it */
};

void ptx_touches_begin(struct ptx_touches *touches, struct ptx_grid *grid);

/* Adds everything to the footprint of the launch.  Requires grid->lock. */
void ptx_touches_end(struct ptx_touches *touches);

/* Notes that a lane reads or writes bytes of the access's window. */
void ptx_touches_note_bytes(const struct ptx_access *access, uint64_t address, uint64_t bytes);

/* A step of a block whose lanes touch `bytes` bytes each; `how` is RILL_TOUCH_*. */
struct ptx_touch {
    const struct ptx_block *block;
    const struct ptx_step *step;
    uint64_t bytes;
    uint32_t how;
};

/* Lanes as a block of two dimensions has them: `rows` times `width` lanes `step` apart, each time
 * `pitch` further on; then `rest` lanes of one row more. */
struct ptx_touch_box {
    int64_t step, pitch;
    uint32_t width, rows, rest;
};

/* Notes that the lanes of a box touch global memory, the first one at `address`. */
void ptx_touches_note_box(const struct ptx_touch *touch, uint64_t address,
                          const struct ptx_touch_box *box);

/* Have accesses noted, and checked for races, as the launch wants it, before they happen.
 * `memory` and `reg` are the sizes of an element. */
void ptx_watch_load(struct ptx_access *access);
void ptx_watch_store(struct ptx_access *access, size_t memory, size_t reg);
void ptx_watch_atomic(struct ptx_access *access);

/* The same of a store of one value of `bytes` bytes for each lane, whatever the step's width is. */
void ptx_watch_wide_store(struct ptx_access *access, size_t bytes);

/* The same of an operation on an mbarrier, or of the one that makes it. */
void ptx_watch_mbarrier(struct ptx_access *access, bool makes);

/* The same of bytes that are copied on behalf of a lane, which is not checked for races. */
void ptx_watch_bytes(const struct ptx_access *access, uint32_t lane, uint64_t address,
                     uint64_t bytes);

#endif
