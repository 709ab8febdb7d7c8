/* SPDX-License-Identifier: Apache-2.0
 *
 * Boxes that are copied, and fills: which are refused, and what they write.
 */
#include "sim/memory/copy_scene.h"

/* ---- Boxes that are refused, and that are not ------------------------------ */

struct shape_case {
    rill_status status;
    size_t width, height, depth;
    size_t pitch, rows, x, y, z; /* of the source */
    size_t dst_pitch, dst_rows;
};

static void check_shapes(const struct shape_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct shape_case *c = &cases[i];
        rill_copy copy = box(rill_device_place(device_b), rill_device_place(device_a), c->width,
                             c->height, c->depth);
        copy.src.pitch = c->pitch;
        copy.src.rows = c->rows;
        copy.src.x = c->x;
        copy.src.y = c->y;
        copy.src.z = c->z;
        copy.dst.pitch = c->dst_pitch;
        copy.dst.rows = c->dst_rows;
        answers(c->status, copy);
    }
}

static void shapes_that_a_box_can_have(void **state)
{
    (void)state;
    static const struct shape_case cases[] = {
        { 0, 16, 1, 1, 0, 0, 0, 0, 0, 0, 0 },
        { 0, 16, 2, 1, 0, 0, 0, 0, 0, 0, 0 },  /* as tight as the box */
        { 0, 16, 2, 1, 0, 0, 0, 0, 0, 32, 0 },
        { INVALID, 16, 2, 1, 8, 0, 0, 0, 0, 8, 0 },
        { INVALID, 16, 1, 1, 8, 0, 0, 0, 0, 8, 0 },
        { INVALID, 16, 2, 1, 15, 0, 0, 0, 0, 32, 0 },
        { 0, 16, 2, 1, 17, 0, 0, 0, 0, 33, 0 },
        { INVALID, 16, 2, 1, 16, 0, 4, 0, 0, 16, 0 }, /* x + width */
        { 0, 16, 2, 1, 20, 0, 4, 0, 0, 20, 0 },
        { INVALID, 16, 1, 1, 16, 0, 4, 0, 0, 0, 0 },
        { 0, 16, 1, 1, 0, 0, 4, 0, 0, 0, 0 },
        { 0, 16, 1, 1, 0, 0, 0, 1, 0, 0, 0 },
        { 0, 16, 1, 1, 0, 0, 0, 0, 1, 0, 0 },
        { 0, 16, 1, 2, 0, 0, 0, 1, 0, 0, 0 },
        { 0, 16, 2, 2, 16, 0, 0, 0, 0, 16, 0 },
        { INVALID, 16, 2, 2, 16, 1, 0, 0, 0, 16, 2 }, /* y + height */
        { 0, 16, 2, 2, 16, 2, 0, 0, 0, 16, 3 },
        { INVALID, 16, 2, 2, 16, 2, 0, 1, 0, 16, 3 },
        { INVALID, 16, 2, 1, 16, 1, 0, 0, 0, 16, 1 },
        { INVALID, 16, 1, 1, 16, 1, 0, 3, 0, 16, 1 },
        { INVALID, 16, 2, 1, 16, 1, 0, 0, 1, 16, 0 },
        { 0, 16, 1, 1, 16, 0, 0, 0, 1, 0, 0 },
        { 0, 16, 1, 1, (size_t)5 << 30, 0, 0, 0, 0, (size_t)5 << 30, 0 }, /* one row */
        { 0, 16, 1, 1, (size_t)1 << 33, (size_t)1 << 33, 0, 0, 0, 0, 0 }, /* one slice */
    };
    check_shapes(cases, sizeof cases / sizeof *cases);
}

static void boxes_stay_in_their_allocation(void **state)
{
    (void)state;
    const size_t all = 4 * MIB;
    const struct shape_case cases[] = {
        { 0, all, 1, 1, 0, 0, 0, 0, 0, 0, 0 },
        { INVALID, all + 1, 1, 1, 0, 0, 0, 0, 0, 0, 0 },
        { INVALID, all, 1, 1, 0, 0, 1, 0, 0, 0, 0 },
        { INVALID, 16, 1, 1, 0, 0, all + 100, 0, 0, 0, 0 },
        { INVALID, 16, 1, 2, (size_t)1 << 33, (size_t)1 << 33, 0, 0, 0, 0, 0 },
        { INVALID, 16, 1, 1, (size_t)1 << 33, (size_t)1 << 33, 0, 0, 1, 0, 0 },
        { 0, 1024, all / 1024, 1, 1024, 0, 0, 0, 0, 1024, 0 },
        { 0, 1000, all / 1024, 1, 1024, 0, 24, 0, 0, 1024, 0 }, /* the last row is short */
        { INVALID, 16, all / 1024 + 1, 1, 1024, 0, 0, 0, 0, 1024, 0 },
        { INVALID, 16, all / 1024, 1, 1024, 0, 0, 1, 0, 1024, 0 },
        { 0, 16, 2, 3, 1024, 1024, 0, 0, 0, 1024, 1024 },
        { INVALID, 16, 2, 5, 1024, 1024, 0, 0, 0, 1024, 1024 },
        { INVALID, SIZE_MAX, 1, 1, 0, 0, 0, 0, 0, 0, 0 },
        { INVALID, 16, SIZE_MAX, 1, 1024, 0, 0, 0, 0, 1024, 0 },
        { INVALID, 16, SIZE_MAX, 1, 0, 0, 0, 0, 0, 0, 0 },
        { INVALID, 16, 1, SIZE_MAX, 0, 0, 0, 0, 0, 0, 0 },
        { INVALID, 16, 1, 1, 0, 0, 0, 0, SIZE_MAX, 0, 0 },
        { INVALID, 16, 1, 1, 0, 0, 0, SIZE_MAX, 0, 0, 0 },
        { INVALID, 16, 1, 1, 0, 0, SIZE_MAX, 0, 0, 0, 0 },
        { INVALID, 16, 2, 1, SIZE_MAX, 0, 0, 0, 0, SIZE_MAX, 0 },
        { INVALID, 16, 1, 1, 16, 2, 0, 0, (size_t)1 << 63, 0, 0 },
        { INVALID, 2, (size_t)1 << 63, 2, 2, (size_t)1 << 63, 0, 0, 0, 2, (size_t)1 << 63 },
    };
    check_shapes(cases, sizeof cases / sizeof *cases);
    is(INVALID, rill_memcpy_dtod(machine.context[0], device_b, device_a, SIZE_MAX));
    is(INVALID, rill_memcpy_htod(machine.context[0], device_b, host, SIZE_MAX));
}

static void a_box_belongs_to_the_allocation_of_its_address(void **state)
{
    (void)state;
    rill_context *c = machine.context[0];
    rill_devptr a = 0, b = 0;
    ok(rill_mem_alloc(c, 512, &a));
    ok(rill_mem_alloc(c, 512, &b));
    assert_true(b >= a + 512); /* side by side, or with a guard between them */
    rill_copy copy = box(rill_device_place(device_b), rill_device_place(a), 16, 1, 1);
    copy.src.x = 512;
    answers(INVALID, copy);
    copy.src = rill_device_place(a - 64);
    copy.src.x = 64;
    answers(INVALID, copy);
    copy.src = rill_device_place(a);
    copy.src.pitch = 512;
    copy.height = 2;
    answers(INVALID, copy);
    is(INVALID, rill_memcpy_dtod(c, device_b, a, 600));
    is(INVALID, rill_memset_d8(c, a, 0, 600));
    ok(rill_memcpy_dtod(c, device_b, b, 512));
    ok(rill_mem_free(c, a));
    ok(rill_mem_free(c, b));
}

static void a_box_without_volume_is_never_looked_at(void **state)
{
    (void)state;
    for (int zero = 0; zero < 3; zero++) {
        rill_copy copy = box(rill_device_place(0x1000), rill_host_place(NULL), 16, 16, 16);
        copy.src.kind = (rill_memory_kind)9;
        copy.src.pitch = 1;
        *(zero == 0 ? &copy.width : zero == 1 ? &copy.height : &copy.depth) = 0;
        answers(RILL_SUCCESS, copy);
    }
    rill_context *c = machine.context[0];
    ok(rill_memcpy(c, 0, 0, 0));
    ok(rill_memcpy_dtoh(c, NULL, 0x1000, 0));
    ok(rill_memset_d32(c, 0x1001, 1, 0));
}

/* ---- Fills ----------------------------------------------------------------- */

static void fills_that_are_refused(void **state)
{
    (void)state;
    const size_t all = 4 * MIB, big = (size_t)1 << 62;
    const rill_devptr p = device_a, v = at(pinned);
    const struct {
        rill_status status;
        rill_fill fill; /* dst, pitch, value, element_bytes, width, height */
    } cases[] = {
        { 0, { p, 0, 1, 1, all, 1 } },          { INVALID, { p, 0, 1, 1, all + 1, 1 } },
        { INVALID, { p, 0, 1, 2, all / 2 + 1, 1 } }, { INVALID, { p + 4, 0, 1, 4, all / 4, 1 } },
        { INVALID, { p, 0, 1, 0, 4, 1 } },      { INVALID, { p, 0, 1, 3, 4, 1 } },
        { INVALID, { p, 0, 1, 8, 4, 1 } },      { 0, { p + 1, 0, 1, 1, 4, 1 } },
        { INVALID, { p + 1, 0, 1, 2, 4, 1 } },  { INVALID, { p + 2, 0, 1, 4, 4, 1 } },
        { 0, { p + 1, 3, 1, 4, 0, 2 } },        { 0, { 0x1001, 3, 1, 4, 2, 0 } },
        { 0, { p, 0, 1, 1, 16, 1 } },           { 0, { p, 15, 1, 1, 16, 1 } },
        { 0, { p, 18, 1, 4, 4, 1 } },           { INVALID, { p, 0, 1, 1, 16, 2 } },
        { INVALID, { p, 15, 1, 1, 16, 2 } },    { 0, { p, 16, 1, 1, 16, 2 } },
        { INVALID, { p, 18, 1, 4, 4, 2 } },     { INVALID, { p, 12, 1, 4, 4, 2 } },
        { 0, { p + 24, 1024, 1, 1, 1000, all / 1024 } },
        { INVALID, { p + 25, 1024, 1, 1, 1000, all / 1024 } },
        { INVALID, { p, 1024, 1, 1, 16, SIZE_MAX } }, { INVALID, { p, 1024, 1, 1, SIZE_MAX, 2 } },
        { INVALID, { p, SIZE_MAX, 1, 1, 16, 2 } },    { INVALID, { p, 0, 1, 4, SIZE_MAX, 1 } },
        { INVALID, { p, 0, 1, 4, big + 1, 1 } },      { INVALID, { p, 4, 1, 4, big + 1, 2 } },
        { INVALID, { at(host), 0, 1, 1, 4, 1 } },     { INVALID, { 0, 0, 1, 1, 4, 1 } },
        { 0, { v + 65532, 0, 1, 1, 4, 1 } },          { INVALID, { v + 65532, 0, 1, 1, 5, 1 } },
        { 0, { v, 64, 1, 1, 16, 4 } },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        is(cases[i].status, rill_memset_box(machine.context[0], &cases[i].fill));
        settle();
        is(cases[i].status, rill_memset_box_async(machine.stream[0], &cases[i].fill));
        settle();
    }
}

static void run_fill(uint64_t seed)
{
    static unsigned char wanted[SIDE], got[SIDE];
    rill_context *c = machine.context[0];
    struct dice dice = { seed };
    size_t element = (size_t)1 << dice_below(&dice, 3);
    rill_fill fill = { .dst = device_a + element * (size_t)dice_below(&dice, 5),
                       .value = (uint32_t)dice_next(&dice),
                       .element_bytes = (uint32_t)element,
                       .width = 1 + (size_t)dice_below(&dice, 30),
                       .height = 1 + (size_t)dice_below(&dice, 6) };
    fill.pitch = (fill.width + (size_t)dice_below(&dice, 4)) * element;
    for (int i = 0; i < SIDE; i++) wanted[i] = (unsigned char)dice_next(&dice);
    ok(rill_memcpy_htod(c, device_a, wanted, SIDE));
    ok(rill_context_synchronize(c)); /* the streams are non-blocking */
    for (size_t y = 0; y < fill.height; y++)
        for (size_t x = 0; x < fill.width; x++)
            memcpy(wanted + (fill.dst - device_a) + y * fill.pitch + x * element, &fill.value,
                   element); /* the low bytes come first on the machines we run on */
    ok(rill_memset_box_async(machine.stream[0], &fill));
    ok(rill_stream_synchronize(machine.stream[0]));
    ok(rill_memcpy_dtoh(c, got, device_a, SIDE));
    assert_memory_equal(got, wanted, SIDE);
}

static void fills_go_where_they_belong(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < (uint64_t)scaled(1000); seed++) run_fill(seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_that_a_box_can_have),
        cmocka_unit_test(boxes_stay_in_their_allocation),
        cmocka_unit_test(a_box_belongs_to_the_allocation_of_its_address),
        cmocka_unit_test(a_box_without_volume_is_never_looked_at),
        cmocka_unit_test(fills_that_are_refused),
        cmocka_unit_test(fills_go_where_they_belong),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
