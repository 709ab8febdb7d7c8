/* SPDX-License-Identifier: Apache-2.0
 *
 * Stores to affine addresses, one function for each size in memory and in the register.
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
    return step->width == 1 ? step->b : group->frame->program->columns[step->more + n];
}

/* Takes the step lane by lane. */
static void store_lanes(struct ptx_group *group, const struct ptx_step *step)
{
    ptx_ready_address(group, step);
    step->lanes(group, step);
}

/* If all lanes of a row store to one place, the last one's value stays. */
#define STORE_BOX(name, memory, reg, as) \
    RL_UNSEEN static void name##_row(const reg *b, unsigned char *to, ptrdiff_t stride, \
                                     uint32_t count) \
    { \
        if (stride == (ptrdiff_t)sizeof(memory)) { \
            memory *first = (memory *)(void *)to; \
            PTX_INDEPENDENT for (uint32_t k = 0; k < count; k++) first[k] = as b[k]; \
        } else if (stride == 0) { \
            *(memory *)(void *)to = as b[count - 1]; \
        } else { \
            for (uint32_t k = 0; k < count; k++) \
                *(memory *)(void *)(to + (ptrdiff_t)k * stride) = as b[k]; \
        } \
    } \
    static void name##_box(const reg *b, const struct ptx_box *box, size_t offset) \
    { \
        unsigned char *to = box->first + offset; \
        const ptrdiff_t stride = box->stride; \
        const bool copied = sizeof(memory) == sizeof(reg) && stride == (ptrdiff_t)sizeof(memory); \
        if (copied && box->width * sizeof(reg) == PTX_ROW_BYTES) { \
            ptx_copy_rows(to, box->pitch, b, PTX_ROW_BYTES, box->rows); \
            return; \
        } \
        for (uint32_t row = 0; row < box->rows; row++, to += box->pitch, b += box->width) { \
            size_t done = copied ? ptx_copy_pieces(to, b, box->width * sizeof(reg)) : 0; \
            uint32_t count = box->width - (uint32_t)(done / sizeof(reg)); \
            if (count) name##_row(b + done / sizeof(reg), to + done, stride, count); \
        } \
    }

#define STORE(name, memory, reg, as) \
    STORE_BOX(name, memory, reg, as) \
    static void name(struct ptx_group *group, const struct ptx_step *step) \
    { \
        struct ptx_reach reach; \
        struct ptx_box box; \
        const bool found = ptx_find_reach(group, step, (uint32_t)sizeof(memory) * step->width, \
                                          true, &reach); \
        if (sizeof(memory) == 4 && sizeof(reg) == 4 && found && \
            ptx_put_off_store(group, step, &reach)) \
            return; \
        ptx_catch_up(group); \
        for (uint32_t n = 0; n < step->width; n++) \
            ptx_settle(group, element_of(group, step, n)); \
        if (!found) { \
            store_lanes(group, step); \
            return; \
        } \
        const bool one_row = ptx_is_one_row(group, &reach); \
        if (one_row) ptx_line_box(&reach, group->ranges[0].from, group->ranges[0].to, &box); \
        for (uint32_t n = 0; n < step->width; n++) { \
            const reg *b = PTX_COLUMN(group, element_of(group, step, n), const reg); \
            if (one_row) { \
                name##_box(b + group->ranges[0].from, &box, n * sizeof(memory)); \
                continue; \
            } \
            PTX_EACH_BOX(group, &reach, at, &box) \
                name##_box(b + at, &box, n * sizeof(memory)); \
        } \
    }

STORE(store_8_8, ptx_mem8, uint8_t, (uint8_t))
STORE(store_8_16, ptx_mem8, uint16_t, (uint8_t))
STORE(store_8_32, ptx_mem8, uint32_t, (uint8_t))
STORE(store_8_64, ptx_mem8, uint64_t, (uint8_t))
STORE(store_16_16, ptx_mem16, uint16_t, (uint16_t))
STORE(store_16_32, ptx_mem16, uint32_t, (uint16_t))
STORE(store_16_64, ptx_mem16, uint64_t, (uint16_t))
STORE(store_32_32, ptx_mem32, uint32_t, (uint32_t))
STORE(store_32_64, ptx_mem32, uint64_t, (uint32_t))
STORE(store_64_64, ptx_mem64, uint64_t, (uint64_t))
STORE(store_128, ptx_mem128, ptx_mem128, )

/* By the logarithms of the sizes. */
static ptx_run *const stores[5][5] = {
    [0] = { store_8_8, store_8_16, store_8_32, store_8_64 },
    [1] = { NULL, store_16_16, store_16_32, store_16_64 },
    [2] = { NULL, NULL, store_32_32, store_32_64 },
    [3][3] = store_64_64,
    [4][4] = store_128,
};

ptx_run *ptx_affine_store_step(uint32_t memory, uint32_t register_bytes)
{
    return stores[__builtin_ctz(memory)][__builtin_ctz(register_bytes)];
}

uint32_t ptx_affine_stored(ptx_run *run)
{
    for (unsigned i = 0; i < 5; i++)
        for (unsigned k = 0; k < 5; k++)
            if (stores[i][k] && stores[i][k] == run) return UINT32_C(1) << i;
    return 0;
}
