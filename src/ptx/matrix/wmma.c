/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/matrix/wmma.h"

#include <string.h>

#include "ptx/run/touches.h"
#include "ptx/run/warp/whole_warp.h"

struct matrix_fragment ptx_wmma_fragment_of(const struct wmma_plan *plan)
{
    return ptx_matrix_fragment_of((enum matrix_style)plan->style, (enum ptx_type)plan->type,
                                  plan->rows, plan->columns ? plan->columns : 128);
}

/* One access of all lanes: to the same part of the same register. */
struct piece {
    struct ptx_access access;
    struct matrix_fragment fragment;
    bool by_column;
    uint32_t bytes, parts;           /* parts of a register, that many bytes each            */
    uint64_t addresses[PTX_BUNDLE];
};

static void open_piece(struct piece *piece, struct ptx_group *group, const struct ptx_step *step,
                       bool write)
{
    struct wmma_plan plan;
    memcpy(&plan, &step->target, sizeof plan);
    piece->fragment = ptx_wmma_fragment_of(&plan);
    piece->by_column = plan.by_column;
    /* Elements of fewer than 8 bits lie in words as they do in registers. */
    piece->bytes = piece->fragment.bits < 8 ? 4 : piece->fragment.bits / 8;
    piece->parts = piece->bytes >= 4 ? 1 : 4 / piece->bytes;
    ptx_access_open(&piece->access, group, step, piece->bytes, write, write ? "store" : "load");
}

static uint64_t element_distance(const struct piece *piece, uint32_t lane, struct matrix_spot spot)
{
    const struct ptx_step *step = piece->access.step;
    const struct matrix_fragment *fragment = &piece->fragment;
    uint32_t stride = piece->by_column ? fragment->rows : fragment->columns;
    if (step->b != PTX_NO_COLUMN)
        stride = PTX_COLUMN(piece->access.group, step->b, const uint32_t)[lane];
    uint64_t major = piece->by_column ? spot.column : spot.row;
    uint64_t minor = piece->by_column ? spot.row : spot.column;
    return (major * stride + minor) * fragment->bits / 8;
}

/* Lets the access go to a part of a register of each lane. */
static void aim_piece(struct piece *piece, uint32_t reg, uint32_t part)
{
    struct ptx_group *group = piece->access.group;
    const struct ptx_step *step = piece->access.step;
    const uint64_t *base = step->a == PTX_NO_COLUMN ? NULL
                                                    : PTX_COLUMN(group, step->a, const uint64_t);
    PTX_IN_TURN(group, i) {
        struct matrix_spot spot = ptx_matrix_spot_of(&piece->fragment, i % PTX_WARP, reg, part);
        piece->addresses[i] = (base ? base[i] : 0) + element_distance(piece, i, spot);
    }
    piece->access.base = piece->addresses;
}

static unsigned char *element_of(struct ptx_group *group, const struct ptx_step *step,
                                 const struct piece *piece, uint32_t reg, uint32_t part,
                                 uint32_t lane)
{
    uint32_t column = group->frame->program->columns[step->more + reg];
    uint32_t word = piece->fragment.bits == 64 ? 8 : 4;
    return PTX_COLUMN(group, column, unsigned char) + (size_t)lane * word + part * piece->bytes;
}

/* Returns false if a lane has failed. */
static bool load_piece(struct piece *piece, uint32_t reg, uint32_t part)
{
    struct ptx_group *group = piece->access.group;
    const struct ptx_step *step = piece->access.step;
    uint32_t registers = piece->fragment.registers;
    aim_piece(piece, reg, part);
    if (group->block->watched) ptx_watch_load(&piece->access);
    PTX_IN_TURN(group, i) {
        const unsigned char *from = ptx_access_place(&piece->access, i);
        if (!from) return false;
        for (uint32_t n = reg; n < step->width; n += registers)
            memcpy(element_of(group, step, piece, n, part, i), from, piece->bytes);
    }
    return true;
}

void ptx_wmma_load_step(struct ptx_group *group, const struct ptx_step *step)
{
    struct piece piece;
    if (!ptx_whole_warps(group, step)) return;
    open_piece(&piece, group, step, false);
    for (uint32_t n = 0; n < piece.fragment.registers; n++)
        for (uint32_t part = 0; part < piece.parts; part++)
            if (!load_piece(&piece, n, part)) return;
}

/* Looks at a store whose values are in c, 8 bytes for each lane. */
static void watch_piece(struct piece *piece)
{
    const struct ptx_step *step = piece->access.step;
    struct ptx_step one = *step;
    one.width = 1;
    one.b = step->c;
    piece->access.step = &one;
    ptx_watch_store(&piece->access, 8, 8);
    piece->access.step = step;
}

static bool store_piece(struct piece *piece, uint32_t reg, uint32_t part)
{
    struct ptx_group *group = piece->access.group;
    const struct ptx_step *step = piece->access.step;
    unsigned char *values = PTX_COLUMN(group, step->c, unsigned char);
    aim_piece(piece, reg, part);
    PTX_IN_TURN(group, i)
        memcpy(values + (size_t)i * 8, element_of(group, step, piece, reg, part, i), piece->bytes);
    if (group->block->watched) watch_piece(piece);
    PTX_IN_TURN(group, i) {
        unsigned char *to = ptx_access_place(&piece->access, i);
        if (!to) return false;
        memcpy(to, values + (size_t)i * 8, piece->bytes);
    }
    return true;
}

void ptx_wmma_store_step(struct ptx_group *group, const struct ptx_step *step)
{
    struct piece piece;
    if (!ptx_whole_warps(group, step)) return;
    open_piece(&piece, group, step, true);
    for (uint32_t n = 0; n < piece.fragment.registers; n++)
        for (uint32_t part = 0; part < piece.parts; part++)
            if (!store_piece(&piece, n, part)) return;
}
