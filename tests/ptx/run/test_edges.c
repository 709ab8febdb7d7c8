/* SPDX-License-Identifier: Apache-2.0
 *
 * Where threads at the edges of a grid stay away, the footprint has exactly what the others touch:
 * rows of a block of which each lacks a few lanes, wherever they lie.
 *
 *     RILL_TEST_SEED=7 RILL_TEST_ROUNDS=1 test_edges
 *
 * begins with that seed, and runs so many grids.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bytes/footprint.h"
#include "ptx/machine.h"

#define ROUNDS 600

/* A thread at x, y, z of the grid touches the element at x * step + y * pitch + z * slice if its
 * place is in the box from `from` to `to`, y has none of the bits of `left`, x is not `hole`, and
 * x + y is less than `slope`. */
static const char text[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry touch(.param .u64 out, .param .u32 step, .param .u32 pitch,\n"
    ".param .u32 slice, .param .align 4 .b8 from[12], .param .align 4 .b8 to[12],\n"
    ".param .u32 left, .param .u32 hole, .param .u32 slope)\n{\n"
    ".reg .pred %p; .reg .b32 %x, %y, %z, %n, %b, %at, %e<3>; .reg .b64 %a;\n"
    "ld.param.u64 %a, [out]; mov.u32 %x, %tid.x; mov.u32 %y, %tid.y; mov.u32 %z, %tid.z;\n"
    "mov.u32 %n, %ntid.x; mov.u32 %b, %ctaid.x; mad.lo.u32 %x, %b, %n, %x;\n"
    "mov.u32 %n, %ntid.y; mov.u32 %b, %ctaid.y; mad.lo.u32 %y, %b, %n, %y;\n"
    "mov.u32 %n, %ntid.z; mov.u32 %b, %ctaid.z; mad.lo.u32 %z, %b, %n, %z;\n"
    "ld.param.u32 %e0, [from]; setp.lt.u32 %p, %x, %e0; @%p ret;\n"
    "ld.param.u32 %e0, [to]; setp.ge.u32 %p, %x, %e0; @%p ret;\n"
    "ld.param.u32 %e0, [from+4]; setp.lt.u32 %p, %y, %e0; @%p ret;\n"
    "ld.param.u32 %e0, [to+4]; setp.ge.u32 %p, %y, %e0; @%p ret;\n"
    "ld.param.u32 %e0, [from+8]; setp.lt.u32 %p, %z, %e0; @%p ret;\n"
    "ld.param.u32 %e0, [to+8]; setp.ge.u32 %p, %z, %e0; @%p ret;\n"
    "ld.param.u32 %e0, [left]; and.b32 %e1, %e0, %y; setp.ne.u32 %p, %e1, 0; @%p ret;\n"
    "ld.param.u32 %e0, [hole]; setp.eq.u32 %p, %x, %e0; @%p ret; add.u32 %e1, %x, %y;\n"
    "ld.param.u32 %e0, [slope]; setp.ge.u32 %p, %e1, %e0; @%p ret;\n"
    "ld.param.u32 %e0, [step]; mul.lo.s32 %at, %x, %e0;\n"
    "ld.param.u32 %e0, [pitch]; mad.lo.s32 %at, %y, %e0, %at;\n"
    "ld.param.u32 %e0, [slice]; mad.lo.s32 %at, %z, %e0, %at;\n"
    "mad.wide.s32 %a, %at, 4, %a; ld.global.u32 %e0, [%a]; st.global.u32 [%a+4], %e0;\nret;\n}\n";

struct params {
    unsigned char *out;
    int32_t along[3];
    uint32_t from[3], to[3], left, hole, slope;
};

enum { BYTES = 1 << 20, MIDDLE = BYTES / 2 };

static uint64_t random_state;

static uint32_t draw_below(uint32_t limit)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((random_state >> 33) % limit);
}

static const struct { uint32_t grid[3], block[3]; } shapes[] = {
    { { 4, 4, 1 }, { 16, 16, 1 } }, { { 2, 3, 1 }, { 32, 8, 1 } }, { { 8, 2, 1 }, { 8, 8, 1 } },
    { { 3, 2, 2 }, { 8, 8, 4 } },   { { 2, 2, 2 }, { 16, 4, 2 } }, { { 5, 1, 1 }, { 64, 1, 1 } },
    { { 2, 1, 3 }, { 9, 7, 3 } },   { { 1, 1, 1 }, { 16, 64, 1 } }, { { 33, 2, 1 }, { 12, 3, 1 } },
    { { 1, 1, 2 }, { 16, 1, 8 } },
};

static void draw_params(struct params *params, const struct machine_shape *shape)
{
    static const int32_t steps[] = { 0, 1, 1, 1, 1, 2, -1, 5 };
    const uint32_t width = shape->grid[0] * shape->block[0];
    const uint32_t rows = shape->grid[1] * shape->block[1];
    params->along[0] = steps[draw_below(8)];
    switch (draw_below(4)) {
    case 0: params->along[1] = (int32_t)width * params->along[0]; break;
    case 1: params->along[1] = -(int32_t)width; break;
    default: params->along[1] = (int32_t)(width + draw_below(40)); break;
    }
    params->along[2] = draw_below(2) ? params->along[1] * (int32_t)rows : (int32_t)draw_below(5000);
    for (unsigned k = 0; k < 3; k++) {
        const uint32_t size = shape->grid[k] * shape->block[k];
        params->from[k] = draw_below(2) ? 0 : draw_below(3);
        params->to[k] = draw_below(2) ? size : size - draw_below(3 < size ? 3 : size);
    }
    params->left = draw_below(4) ? 0 : 1u << draw_below(3);
    params->hole = draw_below(4) ? UINT32_MAX : draw_below(width);
    params->slope = draw_below(4) ? UINT32_MAX : 2 + draw_below(width + rows);
}

/* What all threads do, one by one. */
static void expect_touched(const struct params *params, const struct machine_shape *shape,
                           unsigned char *how)
{
    uint32_t size[3];
    for (unsigned k = 0; k < 3; k++) {
        size[k] = shape->grid[k] * shape->block[k];
        if (params->to[k] < size[k]) size[k] = params->to[k];
    }
    for (uint32_t z = params->from[2]; z < size[2]; z++)
        for (uint32_t y = params->from[1]; y < size[1]; y++)
            for (uint32_t x = params->from[0]; x < size[0]; x++) {
                if (y & params->left || x == params->hole || x + y >= params->slope) continue;
                const int32_t at = MIDDLE + 4 * ((int32_t)x * params->along[0] +
                                                 (int32_t)y * params->along[1] +
                                                 (int32_t)z * params->along[2]);
                assert_in_range(at, 0, BYTES - 8);
                for (int n = 0; n < 4; n++) how[at + n] |= RILL_TOUCH_READ;
                for (int n = 4; n < 8; n++) how[at + n] |= RILL_TOUCH_WRITE;
            }
}

struct found {
    uintptr_t base;
    unsigned char *how;
};

static bool expand_row(void *data, const struct rill_touched *row)
{
    const struct found *found = data;
    memset(found->how + (row->address - found->base), (int)row->how, row->bytes);
    return true;
}

static void what_is_left_of_blocks_is_exact(void **state)
{
    static unsigned char expected[BYTES], how[BYTES];
    const char *seed = getenv("RILL_TEST_SEED"), *rounds = getenv("RILL_TEST_ROUNDS");
    const char *scale = getenv("RILL_TEST_SCALE");
    uint64_t first = seed ? strtoull(seed, NULL, 0) : 1;
    uint64_t count = rounds ? strtoull(rounds, NULL, 0) : ROUNDS;
    struct machine *m = machine_open();
    struct rl_footprint *print = rl_footprint_create(0);
    unsigned char *out = machine_memory(m, BYTES);
    const struct found found = { (uintptr_t)out, how };
    (void)state;
    assert_non_null(print);
    machine_load(m, text);
    if (scale && atoi(scale) > 1) count = count / (unsigned)atoi(scale) + 1;
    for (uint64_t round = 0; round < count; round++) {
        const size_t at = (first + round) % (sizeof shapes / sizeof *shapes);
        struct machine_shape shape = { .footprint = print, .threads = 1 + round % 3 };
        struct params params = { .out = out + MIDDLE };
        random_state = first + round;
        memcpy(shape.grid, shapes[at].grid, sizeof shape.grid);
        memcpy(shape.block, shapes[at].block, sizeof shape.block);
        draw_params(&params, &shape);
        memset(expected, 0, BYTES);
        memset(how, 0, BYTES);
        expect_touched(&params, &shape, expected);
        machine_run(m, "touch", &shape, &params, sizeof params);
        rl_footprint_each(print, expand_row, (void *)(uintptr_t)&found);
        if (memcmp(how, expected, BYTES) != 0)
            fail_msg("seed %llu differs", (unsigned long long)(first + round));
        rl_footprint_clear(print);
    }
    rl_footprint_destroy(print);
    machine_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_of_blocks_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
