/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps of any kind, of which no more is known than which columns they read and write.
 */
#include "ptx/affine/lanewise.h"

#include "ptx/affine/chain.h"

void ptx_affine_unknown(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_frame *frame = group->frame;
    const struct ptx_program *program = frame->program;
    ptx_catch_up(group);
    for (uint32_t i = 0; i < program->place_count; i++) {
        uint32_t column = program->places[i].column;
        ptx_settle(group, column);
        frame->known[column] = program->known[column] & (uint8_t)~PTX_STALE; /* a constant */
    }
    step->lanes(group, step);
}

static void settle_if_any(const struct ptx_group *group, uint32_t column)
{
    if (column != PTX_NO_COLUMN) ptx_settle(group, column);
}

/* Other lanes may get a result later: a barrier tells it when all are there. */
static void forget_if_any(const struct ptx_group *group, uint32_t column)
{
    settle_if_any(group, column);
    if (column != PTX_NO_COLUMN) group->frame->known[column] = 0;
}

void ptx_affine_reading(struct ptx_group *group, const struct ptx_step *step)
{
    ptx_catch_up(group);
    settle_if_any(group, step->a);
    settle_if_any(group, step->b);
    settle_if_any(group, step->c);
    forget_if_any(group, step->d);
    step->lanes(group, step);
}

void ptx_affine_unpacking(struct ptx_group *group, const struct ptx_step *step)
{
    ptx_catch_up(group);
    settle_if_any(group, step->a);
    forget_if_any(group, step->d);
    forget_if_any(group, step->b);
    forget_if_any(group, step->c);
    forget_if_any(group, step->e);
    step->lanes(group, step);
}

void ptx_affine_writing(struct ptx_group *group, const struct ptx_step *step)
{
    ptx_forget(group, step->d);
    step->lanes(group, step);
}

void ptx_affine_lanewise_0(struct ptx_group *group, const struct ptx_step *step)
{
    ptx_take_lanewise(group, step, 0);
}

void ptx_affine_lanewise_1(struct ptx_group *group, const struct ptx_step *step)
{
    ptx_take_lanewise(group, step, 1);
}

void ptx_affine_lanewise_2(struct ptx_group *group, const struct ptx_step *step)
{
    ptx_take_lanewise(group, step, 2);
}

void ptx_affine_lanewise_3(struct ptx_group *group, const struct ptx_step *step)
{
    ptx_take_lanewise(group, step, 3);
}

/* Takes a step whose sources are columns, or numbers that all lanes share. */
static inline __attribute__((always_inline))
void take_strips(struct ptx_group *group, const struct ptx_step *step, unsigned sources,
                 unsigned same)
{
    const struct ptx_strips *strips = (const struct ptx_strips *)(intptr_t)step->immediate;
    const uint32_t columns[] = { step->d, step->a, step->b, step->c };
    struct ptx_strip strip;
    strip.rows = 1;
    for (unsigned i = 0; i <= sources; i++) strip.pitch[i] = 0;
    for (uint32_t r = 0; r < group->range_count; r++) {
        const struct ptx_range *range = &group->ranges[r];
        strip.width = range->to - range->from;
        for (unsigned i = 0; i <= sources; i++)
            strip.first[i] = same << 1 >> i & 1
                                 ? group->frame->once + columns[i]
                                 : (void *)(PTX_COLUMN(group, columns[i], uint32_t) + range->from);
        strips->by_same[same](&strip);
    }
}

static inline __attribute__((always_inline))
void take_mixed(struct ptx_group *group, const struct ptx_step *step, unsigned sources)
{
    const uint32_t columns[] = { step->a, step->b, step->c };
    const uint8_t *known = group->frame->known;
    unsigned same = 0;
    for (unsigned i = 0; i < sources; i++) same |= (known[columns[i]] & PTX_SAME) << i;
    if (same == (1u << sources) - 1) {
        ptx_take_lanewise(group, step, sources);
        return;
    }
    if (group->chain->take && ptx_put_off(group, step, sources)) return;
    if (!same) {
        ptx_take_lanewise(group, step, sources);
        return;
    }
    for (unsigned i = 0; i < sources; i++)
        if (!(same >> i & 1)) ptx_settle(group, columns[i]);
    ptx_forget(group, step->d);
    take_strips(group, step, sources, same);
}

void ptx_affine_mixed_2(struct ptx_group *group, const struct ptx_step *step)
{
    take_mixed(group, step, 2);
}

void ptx_affine_mixed_3(struct ptx_group *group, const struct ptx_step *step)
{
    take_mixed(group, step, 3);
}

void ptx_affine_in_place(struct ptx_group *group, const struct ptx_step *step)
{
    uint8_t *known = group->frame->known;
    if (group->whole && known[step->d] & PTX_SAME) {
        ptx_take_once(group, step);
        known[step->d] = PTX_SAME | PTX_STALE;
        return;
    }
    ptx_catch_up(group);
    ptx_settle(group, step->d);
    known[step->d] = 0;
    step->lanes(group, step);
}

/* A constant is never written, so it need not be forgotten. */
static bool is_constant(const struct ptx_group *group, uint32_t column)
{
    return group->frame->program->known[column] != 0;
}

void ptx_affine_lanewise_all(struct ptx_group *group, const struct ptx_step *step)
{
    const uint32_t columns[] = { step->a, step->b, step->c, step->e };
    uint8_t *known = group->frame->known;
    unsigned all = PTX_SAME;
    for (unsigned i = 0; i < 4; i++)
        if (columns[i] != PTX_NO_COLUMN) all &= known[columns[i]];
    bool writes_e = step->e != PTX_NO_COLUMN && !is_constant(group, step->e);
    if (group->whole && all) {
        ptx_take_once(group, step);
        known[step->d] = PTX_SAME | PTX_STALE;
        if (writes_e) known[step->e] = PTX_SAME | PTX_STALE;
        return;
    }
    for (unsigned i = 0; i < 4; i++) settle_if_any(group, columns[i]);
    ptx_forget(group, step->d); /* which catches up */
    if (writes_e) known[step->e] = 0;
    step->lanes(group, step);
}
