/* SPDX-License-Identifier: Apache-2.0
 *
 * Stores, one function for each size in memory and in the register.
 */
#include "base/unseen.h"
#include "ptx/step/access.h"
#include "ptx/run/touches.h"
#include "ptx/step/strong.h"

/* If all lanes store to one place, the last one's value stays. */
#define STORE_ROW(name, memory, reg, as) \
    RL_UNSEEN static void name##_row(const reg *b, unsigned char *to, ptrdiff_t stride, \
                                     uint32_t count) \
    { \
        if (stride == (ptrdiff_t)sizeof(memory)) { \
            memory *first = (memory *)(void *)to; \
            PTX_INDEPENDENT for (uint32_t k = 0; k < count; k++) first[k] = as b[k]; \
        } else if (stride == 0) { \
            *(memory *)(void *)to = as b[count - 1]; \
        } else { \
            PTX_INDEPENDENT for (uint32_t k = 0; k < count; k++) \
                *(memory *)(void *)(to + (ptrdiff_t)k * stride) = as b[k]; \
        } \
    }

#define STORE_LANES(name, memory, reg, as, strong_store) \
    RL_UNSEEN static void name##_scattered(const struct ptx_places *places, const reg *const b[8], \
                                 uint32_t width, const struct ptx_range *range) \
    { \
        const struct ptx_places at = *places; \
        const reg *first = b[0]; \
        for (uint32_t i = range->from; i < range->to; i++) { \
            memory *to = (memory *)(void *)ptx_place_of(&at, i); \
            to[0] = as first[i]; \
            for (uint32_t n = 1; n < width; n++) to[n] = as b[n][i]; \
        } \
    } \
    RL_UNSEEN static void name##_weak(memory *to, memory value) \
    { \
        *to = value; \
    } \
    static void name##_mixed(struct ptx_access *access, const reg *const b[8], \
                             const struct ptx_range *range) \
    { \
        uint32_t width = access->step->width; \
        bool strong = access->step->kind & PTX_STRONG; \
        for (uint32_t i = range->from; i < range->to; i++) { \
            memory *to = (memory *)(void *)ptx_access_place(access, i); \
            if (!to) return; \
            for (uint32_t n = 0; n < width; n++) { \
                memory value = as b[n][i]; \
                if (strong) strong_store(&to[n], value); \
                else name##_weak(&to[n], value); \
            } \
        } \
    }

#define STORE(name, memory, reg, as, strong_store) \
    STORE_ROW(name, memory, reg, as) \
    STORE_LANES(name, memory, reg, as, strong_store) \
    static void name(struct ptx_group *group, const struct ptx_step *step) \
    { \
        struct ptx_access access; \
        struct ptx_places places; \
        struct ptx_row row; \
        const reg *b[8]; \
        ptx_access_open(&access, group, step, (uint32_t)sizeof(memory) * step->width, true, \
                        "store"); \
        for (uint32_t n = 0; n < step->width; n++) \
            b[n] = PTX_ELEMENT(group, step, n, step->b, const reg); \
        if (group->block->watched) ptx_watch_store(&access, sizeof(memory), sizeof(reg)); \
        for (uint32_t r = 0; r < group->range_count; r++) { \
            const struct ptx_range *range = &group->ranges[r]; \
            switch (ptx_access_pattern(&access, range, &row)) { \
            case PTX_STRIDED: \
                for (uint32_t n = 0; n < step->width; n++) \
                    name##_row(b[n] + range->from, row.first + n * sizeof(memory), row.stride, \
                               range->to - range->from); \
                break; \
            case PTX_SCATTERED: \
                places = ptx_access_places(&access); \
                name##_scattered(&places, b, step->width, range); \
                break; \
            case PTX_MIXED: name##_mixed(&access, b, range); break; \
            } \
        } \
    }

STORE(store_8_8, ptx_mem8, uint8_t, (uint8_t), ptx_strong_store8)
STORE(store_8_16, ptx_mem8, uint16_t, (uint8_t), ptx_strong_store8)
STORE(store_8_32, ptx_mem8, uint32_t, (uint8_t), ptx_strong_store8)
STORE(store_8_64, ptx_mem8, uint64_t, (uint8_t), ptx_strong_store8)
STORE(store_16_16, ptx_mem16, uint16_t, (uint16_t), ptx_strong_store16)
STORE(store_16_32, ptx_mem16, uint32_t, (uint16_t), ptx_strong_store16)
STORE(store_16_64, ptx_mem16, uint64_t, (uint16_t), ptx_strong_store16)
STORE(store_32_32, ptx_mem32, uint32_t, (uint32_t), ptx_strong_store32)
STORE(store_32_64, ptx_mem32, uint64_t, (uint32_t), ptx_strong_store32)
STORE(store_64_64, ptx_mem64, uint64_t, (uint64_t), ptx_strong_store64)
STORE(store_128, ptx_mem128, ptx_mem128, , ptx_strong_store128)

/* By the logarithms of the sizes. */
static ptx_run *const stores[5][5] = {
    [0] = { store_8_8, store_8_16, store_8_32, store_8_64 },
    [1] = { NULL, store_16_16, store_16_32, store_16_64 },
    [2] = { NULL, NULL, store_32_32, store_32_64 },
    [3][3] = store_64_64,
    [4][4] = store_128,
};

ptx_run *ptx_store_step(uint32_t memory, uint32_t register_bytes)
{
    if (memory == 0 || memory > 16 || register_bytes == 0 || register_bytes > 16) return NULL;
    return stores[__builtin_ctz(memory)][__builtin_ctz(register_bytes)];
}
