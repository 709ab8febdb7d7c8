/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames: the columns of one activation of a function, for all lanes of a bundle. */
#include "ptx/run/frame.h"

#include <string.h>

#include "base/alloc.h"
#include "ptx/run/lane_group.h"
#include "ptx/run/spare.h"
#include "ptx/run/vectorize.h"

#define LINE ((size_t)64)

static void fill_column(unsigned char *column, uint32_t bytes, uint64_t bits, uint32_t lanes)
{
    for (uint32_t i = 0; i < lanes; i++) memcpy(column + (size_t)i * bytes, &bits, bytes);
}

static bool are_constants_there(const struct ptx_bundle *bundle, const struct ptx_frame *frame,
                                const struct ptx_program *program)
{
    return frame->filled == program && frame->filled_lanes == bundle->lanes;
}

/* Fills in constants.  Nothing writes to them, so they are still there when the same function is
 * called again, or the next block runs. */
static void fill_constants(struct ptx_bundle *bundle, struct ptx_frame *frame,
                           const struct ptx_program *program)
{
    if (are_constants_there(bundle, frame, program)) return;
    for (uint32_t i = 0; i < program->constant_count; i++) {
        const struct ptx_constant *constant = &program->constants[i];
        unsigned char *column = frame->columns + (size_t)constant->column * bundle->lanes;
        if (!program->known) fill_column(column, constant->bytes, constant->bits, bundle->lanes);
        else memcpy(frame->once + constant->column, &constant->bits, constant->bytes);
    }
    frame->filled = program;
    frame->filled_lanes = bundle->lanes;
}

/* Clears registers. */
static void clear_columns(const struct ptx_bundle *bundle, const struct ptx_frame *frame,
                          const struct ptx_program *program)
{
    for (uint32_t i = 0; i < program->cleared_count; i++) {
        const struct ptx_constant *cleared = &program->cleared[i];
        memset(frame->columns + (size_t)cleared->column * bundle->lanes, 0,
               (size_t)cleared->bytes * bundle->lanes);
    }
}

#define HEAD ((sizeof(struct ptx_frame) + LINE - 1) / LINE * LINE)

/* Columns, then the slopes, boxes, values and bits of what is known of them. */
static size_t column_bytes(const struct ptx_program *program, uint32_t lanes)
{
    return ((size_t)program->lane_bytes * lanes + LINE - 1) / LINE * LINE;
}

static size_t slope_bytes(const struct ptx_program *program)
{
    return program->lane_bytes / 4 * sizeof(struct ptx_slope);
}

static size_t box_bytes(const struct ptx_program *program)
{
    return program->lane_bytes * sizeof(struct ptx_lane_box);
}

static size_t content_bytes(const struct ptx_program *program, uint32_t lanes)
{
    size_t known = slope_bytes(program) + box_bytes(program) + 2 * (size_t)program->lane_bytes;
    return column_bytes(program, lanes) + (known + LINE - 1) / LINE * LINE;
}

size_t ptx_frame_bytes(const struct ptx_program *program, uint32_t lanes)
{
    return HEAD + content_bytes(program, lanes);
}

/* Forgets all but the constants, and whether they were spread: they are when somebody reads lanes
 * of them, and stay so while the frame is the same function's. */
static void keep_constants(const struct ptx_frame *frame, const struct ptx_program *program)
{
    const uint32_t columns = program->lane_bytes;
    const uint8_t *constant = program->known;
    uint8_t *known = frame->known;
    PTX_INDEPENDENT for (uint32_t i = 0; i < columns; i++) known[i] &= constant[i];
}

/* Knows the constants, and nothing else. */
static void begin_known(const struct ptx_bundle *bundle, struct ptx_frame *frame,
                        const struct ptx_program *program)
{
    unsigned char *at = frame->columns + column_bytes(program, bundle->lanes);
    frame->slopes = (void *)at;
    frame->boxes = (void *)(at + slope_bytes(program));
    frame->once = at + slope_bytes(program) + box_bytes(program);
    frame->known = frame->once + program->lane_bytes;
    if (!program->known) memset(frame->known, 0, program->lane_bytes);
    else if (are_constants_there(bundle, frame, program)) keep_constants(frame, program);
    else memcpy(frame->known, program->known, program->lane_bytes);
}

struct ptx_frame *ptx_frame_place(void *memory, size_t bytes)
{
    struct ptx_frame *frame = memory;
    *frame = (struct ptx_frame){
        .columns = (unsigned char *)memory + HEAD, .bytes = bytes - HEAD, .fresh = true,
    };
    return frame;
}

static struct ptx_frame *make_frame(const struct ptx_program *program, uint32_t lanes)
{
    size_t bytes = ptx_frame_bytes(program, lanes);
    void *memory = rl_alloc_aligned(bytes, LINE);
    return memory ? ptx_frame_place(memory, bytes) : NULL;
}

/* Takes a free frame that is large enough, preferably one that was the same function's.
 * Bundles that do not wait for each other use the same memory one after the other, which so
 * stays in the first cache. */
static struct ptx_frame *reuse_frame(struct ptx_block *block, const struct ptx_program *program,
                                     size_t bytes)
{
    struct ptx_frame **found = NULL;
    for (struct ptx_frame **at = &block->free_frames; *at; at = &(*at)->parent) {
        if ((*at)->bytes < bytes) continue;
        if (!found) found = at;
        if ((*at)->filled != program) continue;
        found = at;
        break;
    }
    if (!found) return NULL;
    struct ptx_frame *frame = *found;
    *found = frame->parent;
    return frame;
}

struct ptx_frame *ptx_frame_begin(struct ptx_bundle *bundle, const struct ptx_program *program)
{
    size_t bytes = content_bytes(program, bundle->lanes);
    struct ptx_frame *frame = reuse_frame(bundle->block, program, bytes);
    if (!frame) frame = make_frame(program, bundle->lanes);
    if (!frame && ptx_spare_take(bundle->block)) frame = reuse_frame(bundle->block, program, bytes);
    if (!frame) return NULL;
    /* Lanes of kernels whose blocks may be abreast read nothing but what they have written, unless
     * all columns are compared. */
    if (frame->fresh && (!bundle->block->kernel->abreast || program->compared))
        memset(frame->columns, 0, frame->bytes);
    frame->fresh = false;
    frame->parent = NULL;
    frame->program = program;
    frame->call = NULL;
    frame->references = 0;
    frame->local_base = 0;
    frame->taken = 0;
    frame->depth = 0;
    frame->number = bundle->frame_count++;
    begin_known(bundle, frame, program);
    fill_constants(bundle, frame, program);
    clear_columns(bundle, frame, program);
    return frame;
}

void ptx_frame_leave(struct ptx_bundle *bundle, struct ptx_frame *frame)
{
    while (frame && --frame->references == 0) {
        struct ptx_frame *parent = frame->parent;
        frame->parent = bundle->block->free_frames;
        bundle->block->free_frames = frame;
        bundle->block->starved = 0;
        frame = parent;
    }
}
