/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads from affine addresses, one function for each size in memory and in the register.
 */
#include "base/unseen.h"
#include "ptx/affine/affine.h"
#include "ptx/affine/chain.h"
#include "ptx/affine/reach.h"
#include "ptx/affine/rows.h"
#include "ptx/run/vectorize.h"
#include "ptx/step/access.h"

static uint32_t element_of(const struct ptx_group *group, const struct ptx_step *step, uint32_t n)
{
    return step->width == 1 ? step->d : group->frame->program->columns[step->more + n];
}

/* Takes the step lane by lane. */
static void load_lanes(struct ptx_group *group, const struct ptx_step *step)
{
    ptx_ready_address(group, step);
    for (uint32_t n = 0; n < step->width; n++) ptx_forget(group, element_of(group, step, n));
    step->lanes(group, step);
}

/* Rows of lanes one after the other, at one place, or at any distance. */
#define LOAD_BOX(name, memory, reg, as) \
    RL_UNSEEN static void name##_row(reg *d, const unsigned char *from, ptrdiff_t stride, \
                                     uint32_t count) \
    { \
        if (stride == (ptrdiff_t)sizeof(memory)) { \
            const memory *first = (const memory *)(const void *)from; \
            PTX_INDEPENDENT for (uint32_t k = 0; k < count; k++) d[k] = as first[k]; \
        } else { \
            PTX_INDEPENDENT for (uint32_t k = 0; k < count; k++) \
                d[k] = as *(const memory *)(const void *)(from + (ptrdiff_t)k * stride); \
        } \
    } \
    RL_UNSEEN static reg name##_one(const unsigned char *from) \
    { \
        return as *(const memory *)(const void *)from; \
    } \
    static inline ptx_piece name##_piece(reg value) \
    { \
        union { reg elements[sizeof(ptx_piece) / sizeof(reg)]; ptx_piece piece; } all; \
        for (unsigned k = 0; k < sizeof(ptx_piece) / sizeof(reg); k++) all.elements[k] = value; \
        return all.piece; \
    } \
    static void name##_fill(reg *d, const unsigned char *from, uint32_t count) \
    { \
        const reg value = name##_one(from); \
        const size_t bytes = ptx_fill_pieces(d, name##_piece(value), count * sizeof(reg)); \
        uint32_t done = (uint32_t)(bytes / sizeof(reg)); \
        for (; done < count; done++) d[done] = value; \
    } \
    static void name##_box(reg *d, const struct ptx_box *box, size_t offset) \
    { \
        const unsigned char *from = box->first + offset; \
        const ptrdiff_t stride = box->stride; \
        const bool copied = sizeof(memory) == sizeof(reg) && stride == (ptrdiff_t)sizeof(memory); \
        if (copied && box->width * sizeof(reg) == PTX_ROW_BYTES) { \
            ptx_copy_rows(d, PTX_ROW_BYTES, from, box->pitch, box->rows); \
            return; \
        } \
        if (stride == 0 && box->width * sizeof(reg) == PTX_ROW_BYTES) { \
            for (uint32_t row = 0; row < box->rows; row++) \
                ptx_fill_row(d + row * box->width, \
                             name##_piece(name##_one(from + (ptrdiff_t)row * box->pitch))); \
            return; \
        } \
        for (uint32_t row = 0; row < box->rows; row++, from += box->pitch, d += box->width) { \
            if (stride == 0) { \
                name##_fill(d, from, box->width); \
                continue; \
            } \
            size_t done = copied ? ptx_copy_pieces(d, from, box->width * sizeof(reg)) : 0; \
            uint32_t count = box->width - (uint32_t)(done / sizeof(reg)); \
            if (count) name##_row(d + done / sizeof(reg), from + done, stride, count); \
        } \
    }

#define LOAD(name, memory, reg, as) \
    LOAD_BOX(name, memory, reg, as) \
    RL_UNSEEN static void name##_once(const struct ptx_group *group, \
                                      const struct ptx_step *step, const unsigned char *from) \
    { \
        for (uint32_t n = 0; n < step->width; n++) { \
            uint32_t column = element_of(group, step, n); \
            *(reg *)(void *)(group->frame->once + column) = \
                as *(const memory *)(const void *)(from + n * sizeof(memory)); \
            group->frame->known[column] = PTX_SAME | PTX_STALE; \
        } \
    } \
    static void name(struct ptx_group *group, const struct ptx_step *step) \
    { \
        struct ptx_reach reach; \
        struct ptx_box box; \
        if (!ptx_find_reach(group, step, (uint32_t)sizeof(memory) * step->width, false, \
                            &reach)) { \
            load_lanes(group, step); \
            return; \
        } \
        if (reach.same && group->whole) { \
            name##_once(group, step, reach.corner); \
            return; \
        } \
        if (sizeof(memory) == 4 && sizeof(reg) == 4 && ptx_put_off_load(group, step, &reach)) \
            return; \
        const bool one_row = ptx_is_one_row(group, &reach); \
        if (one_row) ptx_line_box(&reach, group->ranges[0].from, group->ranges[0].to, &box); \
        for (uint32_t n = 0; n < step->width; n++) { \
            uint32_t column = element_of(group, step, n); \
            reg *d = PTX_COLUMN(group, column, reg); \
            ptx_forget(group, column); \
            if (one_row) { \
                name##_box(d + group->ranges[0].from, &box, n * sizeof(memory)); \
                continue; \
            } \
            PTX_EACH_BOX(group, &reach, at, &box) \
                name##_box(d + at, &box, n * sizeof(memory)); \
        } \
    } \
    static void name##_param(struct ptx_group *group, const struct ptx_step *step) \
    { \
        if (is_plain_param(group, step, (uint32_t)sizeof(memory) * step->width)) \
            name##_once(group, step, group->block->params + step->immediate); \
        else name(group, step); \
    }

/* Whether a load of a parameter by its name reads all of it, and lanes need not be looked at. */
static inline bool is_plain_param(const struct ptx_group *group, const struct ptx_step *step,
                                  uint32_t bytes)
{
    const uint64_t offset = (uint64_t)step->immediate, room = group->block->kernel->param_bytes;
    return group->whole && !group->block->by_lane && !(offset & (bytes - 1)) && bytes <= room &&
           offset <= room - bytes;
}

LOAD(load_u8_8, ptx_mem8, uint8_t, (uint8_t))
LOAD(load_u8_16, ptx_mem8, uint16_t, (uint16_t))
LOAD(load_u8_32, ptx_mem8, uint32_t, (uint32_t))
LOAD(load_u8_64, ptx_mem8, uint64_t, (uint64_t))
LOAD(load_s8_16, ptx_mem8, uint16_t, (uint16_t)(int8_t))
LOAD(load_s8_32, ptx_mem8, uint32_t, (uint32_t)(int8_t))
LOAD(load_s8_64, ptx_mem8, uint64_t, (uint64_t)(int8_t))
LOAD(load_u16_16, ptx_mem16, uint16_t, (uint16_t))
LOAD(load_u16_32, ptx_mem16, uint32_t, (uint32_t))
LOAD(load_u16_64, ptx_mem16, uint64_t, (uint64_t))
LOAD(load_s16_32, ptx_mem16, uint32_t, (uint32_t)(int16_t))
LOAD(load_s16_64, ptx_mem16, uint64_t, (uint64_t)(int16_t))
LOAD(load_u32_32, ptx_mem32, uint32_t, (uint32_t))
LOAD(load_u32_64, ptx_mem32, uint64_t, (uint64_t))
LOAD(load_s32_64, ptx_mem32, uint64_t, (uint64_t)(int32_t))
LOAD(load_u64_64, ptx_mem64, uint64_t, (uint64_t))
LOAD(load_128, ptx_mem128, ptx_mem128, )

/* By the logarithms of the sizes; signed ones second. */
#define EITHER(load) { load, load##_param }
#define BOTH(load, load_signed) { EITHER(load), EITHER(load_signed) }
static ptx_run *const loads[5][5][2][2] = {
    [0][0] = BOTH(load_u8_8, load_u8_8), [0][1] = BOTH(load_u8_16, load_s8_16),
    [0][2] = BOTH(load_u8_32, load_s8_32), [0][3] = BOTH(load_u8_64, load_s8_64),
    [1][1] = BOTH(load_u16_16, load_u16_16), [1][2] = BOTH(load_u16_32, load_s16_32),
    [1][3] = BOTH(load_u16_64, load_s16_64), [2][2] = BOTH(load_u32_32, load_u32_32),
    [2][3] = BOTH(load_u32_64, load_s32_64), [3][3] = BOTH(load_u64_64, load_u64_64),
    [4][4] = BOTH(load_128, load_128),
};

ptx_run *ptx_affine_load_step(uint32_t memory, uint32_t register_bytes, bool is_signed,
                              bool is_param)
{
    return loads[__builtin_ctz(memory)][__builtin_ctz(register_bytes)][is_signed][is_param];
}
