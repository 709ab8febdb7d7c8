/* SPDX-License-Identifier: Apache-2.0
 *
 * Recorded programs: what their operations do, and to which bytes.
 */
#include "random/checked/draw.h"

/* ---- Regions ----------------------------------------------------------------------------- */

static struct region draw_row(struct drawing *drawing, int memory)
{
    struct region region = { .memory = (int8_t)memory, .rows = 1 };
    bool whole = dice_chance(&drawing->dice, 30);
    int units = whole ? 16 : 1 + dice_below(&drawing->dice, 8); /* of 64 bytes */
    region.width = (uint16_t)(units * 64);
    region.at = (uint16_t)(64 * dice_below(&drawing->dice, 17 - units));
    return region;
}

static struct region draw_rows(struct drawing *drawing, int memory)
{
    struct region region = { .memory = (int8_t)memory, .pitch = 128 };
    region.rows = (uint16_t)(2 + dice_below(&drawing->dice, 5));
    region.width = (uint16_t)(32 * (1 + dice_below(&drawing->dice, 3)));
    region.at = (uint16_t)(32 * dice_below(&drawing->dice, (128 - region.width) / 32 + 1));
    return region;
}

/* As many bytes in as out. */
static struct region draw_source(struct drawing *drawing, const struct region *out, int memory)
{
    struct region in = *out;
    in.memory = (int8_t)memory;
    if (out->rows == 1)
        in.at = (uint16_t)(64 * dice_below(&drawing->dice, (MEMORY_BYTES - out->width) / 64 + 1));
    return in;
}

void draw_regions(struct drawing *drawing, struct work *work)
{
    const struct recorded *program = drawing->program;
    bool rows = work->by == BY_DRIVER && dice_chance(&drawing->dice, 30);
    int out = work->out.memory, in = work->in.memory;
    if (in >= 0 && program->memory[in].context != program->memory[out].context) rows = false;
    work->out = rows ? draw_rows(drawing, out) : draw_row(drawing, out);
    if (in >= 0) work->in = draw_source(drawing, &work->out, in);
}

/* ---- Memories ---------------------------------------------------------------------------- */

static bool may_touch(const struct drawing *drawing, int memory, int context, int by)
{
    const struct memory_plan *plan = &drawing->program->memory[memory];
    if (drawing->promises.gone[memory]) return false;
    if (by == BY_HOST) return plan->kind == MEMORY_PINNED;
    bool lasts = plan->kind == MEMORY_DEVICE || plan->kind == MEMORY_PINNED;
    if (!lasts && !drawing->live[memory]) return false;
    return plan->kind == MEMORY_PINNED || plan->context == context;
}

/* A memory other than one, or -1. */
static int pick_memory(struct drawing *drawing, int context, int by, int other)
{
    for (int tries = 0; tries < 20; tries++) {
        int memory = dice_below(&drawing->dice, drawing->program->memories);
        if (memory != other && may_touch(drawing, memory, context, by)) return memory;
    }
    return -1;
}

/* Copies reach the memory of other devices. */
static int pick_source(struct drawing *drawing, int context, int by, int out)
{
    const struct recorded *program = drawing->program;
    int far = by == BY_DRIVER && dice_chance(&drawing->dice, 25) ? program->contexts - 1 - context
                                                                 : context;
    return pick_memory(drawing, far, by, out);
}

/* ---- Work -------------------------------------------------------------------------------- */

static enum work_by pick_by(struct drawing *drawing)
{
    static const uint8_t often[] = { BY_DRIVER, BY_DRIVER, BY_DRIVER, BY_DRIVER, BY_DRIVER,
                                     BY_DRIVER, BY_DRIVER, BY_PTX,    BY_PTX,    BY_PTX,
                                     BY_PTX,    BY_TOLD,   BY_TOLD,   BY_TOLD,   BY_GUESSED,
                                     BY_HOST,   BY_HOST };
    return often[dice_below(&drawing->dice, (int)sizeof often)];
}

bool draw_work(struct drawing *drawing, int stream, struct work *work)
{
    int context = stream < 0 ? 0 : drawing->program->stream[stream].context;
    int by = stream < 0 ? BY_HOST : pick_by(drawing);
    int out = pick_memory(drawing, context, by, -1);
    if (out < 0) return false;
    *work = (struct work){ .by = (uint8_t)by, .out.memory = (int8_t)out, .in.memory = -1 };
    work->value = 1 + (uint32_t)dice_below(&drawing->dice, 200);
    bool alone = dice_chance(&drawing->dice, 30);
    if (by == BY_DRIVER) work->kind = alone ? WORK_FILL : WORK_COPY;
    else if (by == BY_HOST) work->kind = alone ? WORK_FILL : WORK_MIX;
    else work->kind = alone && by != BY_GUESSED ? WORK_ADD : WORK_MIX;
    if (work->kind == WORK_COPY || work->kind == WORK_MIX) {
        int in = pick_source(drawing, context, by, out);
        if (in < 0 && by == BY_HOST) work->kind = WORK_FILL;
        else if (in < 0) return false;
        work->in.memory = (int8_t)in;
    }
    draw_regions(drawing, work);
    return true;
}
