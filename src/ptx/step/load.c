/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads, one function for each size in memory and in the register.
 */
#include "base/unseen.h"
#include "ptx/step/access.h"
#include "ptx/run/touches.h"
#include "ptx/step/strong.h"

/* Lanes that share an address, or have consecutive ones, are worth loops of their own. */
#define LOAD_ROW(name, memory, reg, as) \
    RL_UNSEEN static void name##_row(reg *d, const unsigned char *from, ptrdiff_t stride, \
                                     uint32_t count) \
    { \
        if (stride == (ptrdiff_t)sizeof(memory)) { \
            const memory *first = (const memory *)(const void *)from; \
            PTX_INDEPENDENT for (uint32_t k = 0; k < count; k++) d[k] = as first[k]; \
        } else if (stride == 0) { \
            reg value = as *(const memory *)(const void *)from; \
            for (uint32_t k = 0; k < count; k++) d[k] = value; \
        } else { \
            PTX_INDEPENDENT for (uint32_t k = 0; k < count; k++) \
                d[k] = as *(const memory *)(const void *)(from + (ptrdiff_t)k * stride); \
        } \
    }

/* A register may hold both the address and what is loaded from there, so a lane's address is
 * read before its first element is written. */
#define LOAD_LANES(name, memory, reg, as, strong_load) \
    RL_UNSEEN static void name##_scattered(const struct ptx_places *places, reg *const d[8], \
                                 uint32_t width, const struct ptx_range *range) \
    { \
        const struct ptx_places at = *places; \
        reg *first = d[0]; \
        for (uint32_t i = range->from; i < range->to; i++) { \
            const memory *from = (const memory *)(const void *)ptx_place_of(&at, i); \
            first[i] = as from[0]; \
            for (uint32_t n = 1; n < width; n++) d[n][i] = as from[n]; \
        } \
    } \
    RL_UNSEEN static reg name##_weak(const memory *from) \
    { \
        return as *from; \
    } \
    static void name##_mixed(struct ptx_access *access, reg *const d[8], \
                             const struct ptx_range *range) \
    { \
        uint32_t width = access->step->width; \
        bool strong = access->step->kind & PTX_STRONG; \
        for (uint32_t i = range->from; i < range->to; i++) { \
            const memory *from = (const memory *)(const void *)ptx_access_place(access, i); \
            if (!from) return; \
            for (uint32_t n = 0; n < width; n++) \
                d[n][i] = strong ? as strong_load(&from[n]) : name##_weak(&from[n]); \
        } \
    }

#define LOAD(name, memory, reg, as, strong_load) \
    LOAD_ROW(name, memory, reg, as) \
    LOAD_LANES(name, memory, reg, as, strong_load) \
    static void name(struct ptx_group *group, const struct ptx_step *step) \
    { \
        struct ptx_access access; \
        struct ptx_places places; \
        struct ptx_row row; \
        reg *d[8]; \
        ptx_access_open(&access, group, step, (uint32_t)sizeof(memory) * step->width, false, \
                        "load"); \
        for (uint32_t n = 0; n < step->width; n++) \
            d[n] = PTX_ELEMENT(group, step, n, step->d, reg); \
        if (group->block->watched) ptx_watch_load(&access); \
        for (uint32_t r = 0; r < group->range_count; r++) { \
            const struct ptx_range *range = &group->ranges[r]; \
            switch (ptx_access_pattern(&access, range, &row)) { \
            case PTX_STRIDED: \
                for (uint32_t n = 0; n < step->width; n++) \
                    name##_row(d[n] + range->from, row.first + n * sizeof(memory), row.stride, \
                               range->to - range->from); \
                break; \
            case PTX_SCATTERED: \
                places = ptx_access_places(&access); \
                name##_scattered(&places, d, step->width, range); \
                break; \
            case PTX_MIXED: name##_mixed(&access, d, range); break; \
            } \
        } \
    }

LOAD(load_u8_8, ptx_mem8, uint8_t, (uint8_t), ptx_strong_load8)
LOAD(load_u8_16, ptx_mem8, uint16_t, (uint16_t), ptx_strong_load8)
LOAD(load_u8_32, ptx_mem8, uint32_t, (uint32_t), ptx_strong_load8)
LOAD(load_u8_64, ptx_mem8, uint64_t, (uint64_t), ptx_strong_load8)
LOAD(load_s8_16, ptx_mem8, uint16_t, (uint16_t)(int8_t), ptx_strong_load8)
LOAD(load_s8_32, ptx_mem8, uint32_t, (uint32_t)(int8_t), ptx_strong_load8)
LOAD(load_s8_64, ptx_mem8, uint64_t, (uint64_t)(int8_t), ptx_strong_load8)
LOAD(load_u16_16, ptx_mem16, uint16_t, (uint16_t), ptx_strong_load16)
LOAD(load_u16_32, ptx_mem16, uint32_t, (uint32_t), ptx_strong_load16)
LOAD(load_u16_64, ptx_mem16, uint64_t, (uint64_t), ptx_strong_load16)
LOAD(load_s16_32, ptx_mem16, uint32_t, (uint32_t)(int16_t), ptx_strong_load16)
LOAD(load_s16_64, ptx_mem16, uint64_t, (uint64_t)(int16_t), ptx_strong_load16)
LOAD(load_u32_32, ptx_mem32, uint32_t, (uint32_t), ptx_strong_load32)
LOAD(load_u32_64, ptx_mem32, uint64_t, (uint64_t), ptx_strong_load32)
LOAD(load_s32_64, ptx_mem32, uint64_t, (uint64_t)(int32_t), ptx_strong_load32)
LOAD(load_u64_64, ptx_mem64, uint64_t, (uint64_t), ptx_strong_load64)
LOAD(load_128, ptx_mem128, ptx_mem128, , ptx_strong_load128)

/* By the logarithms of the sizes; signed ones second. */
static ptx_run *const loads[5][5][2] = {
    [0][0] = { load_u8_8, load_u8_8 },    [0][1] = { load_u8_16, load_s8_16 },
    [0][2] = { load_u8_32, load_s8_32 },  [0][3] = { load_u8_64, load_s8_64 },
    [1][1] = { load_u16_16, load_u16_16 }, [1][2] = { load_u16_32, load_s16_32 },
    [1][3] = { load_u16_64, load_s16_64 }, [2][2] = { load_u32_32, load_u32_32 },
    [2][3] = { load_u32_64, load_s32_64 }, [3][3] = { load_u64_64, load_u64_64 },
    [4][4] = { load_128, load_128 },
};

ptx_run *ptx_load_step(uint32_t memory, uint32_t register_bytes, bool is_signed)
{
    if (memory == 0 || memory > 16 || register_bytes == 0 || register_bytes > 16) return NULL;
    return loads[__builtin_ctz(memory)][__builtin_ctz(register_bytes)][is_signed];
}
