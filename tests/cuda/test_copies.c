/* SPDX-License-Identifier: Apache-2.0
 *
 * What copies and fills are to the driver: which call they take, with what, and what is said when
 * it refuses.
 */
#include "cuda/telling.h"
#include "support/cmocka_all.h"

static rill_place place(rill_memory_kind kind, rill_devptr address)
{
    return (rill_place){ .kind = kind, .address = address };
}

static rill_op copy(rill_place dst, rill_place src, size_t width)
{
    return (rill_op){ .kind = RILL_OP_MEMCPY,
                      .memcpy = { .dst = dst, .src = src, .width = width, .height = 1,
                                  .depth = 1 } };
}

static rill_op fill(rill_devptr dst, uint32_t element, size_t width, size_t height, size_t pitch)
{
    return (rill_op){ .kind = RILL_OP_MEMSET,
                      .memset = { dst, pitch, 0x12345678, element, width, height } };
}

/* ---- Copies -------------------------------------------------------------------------- */

static void one_row_takes_the_flat_call_of_its_kinds(void **state)
{
    const rill_place device = place(RILL_MEMORY_DEVICE, 0x10), host = place(RILL_MEMORY_HOST, 0x20);
    const rill_place any = place(RILL_MEMORY_UNIFIED, 0x30);
    telling_submits(*state, copy(any, any, 7), "any 30 30 7");
    telling_submits(*state, copy(device, host, 7), "htod 10 0x20 7");
    telling_submits(*state, copy(host, device, 7), "dtoh 0x20 10 7");
    telling_submits(*state, copy(device, device, 0), "dtod 10 10 0");
}

static void everything_else_is_a_box_as_it_was_described(void **state)
{
    const rill_place device = place(RILL_MEMORY_DEVICE, 0x10), host = place(RILL_MEMORY_HOST, 0x20);
    rill_op op = copy(host, host, 7);
    telling_submits(*state, op, "box 1:20+0,0,0/0,0 1:20+0,0,0/0,0 7x1x1");
    op = copy(device, place((rill_memory_kind)9, 0x20), 7);
    telling_submits(*state, op, "box 2:10+0,0,0/0,0 9:20+0,0,0/0,0 7x1x1");
    op = copy(place((rill_memory_kind)0, 0x10), place((rill_memory_kind)0x21, 0x20), 7);
    telling_submits(*state, op, "box 0:10+0,0,0/0,0 33:20+0,0,0/0,0 7x1x1");
    op = copy(place((rill_memory_kind)-1, 0x10), host, 7);
    telling_submits(*state, op, "box -1:10+0,0,0/0,0 1:20+0,0,0/0,0 7x1x1");
    op = copy(device, host, 7);
    op.memcpy.height = 0;
    telling_submits(*state, op, "box 2:10+0,0,0/0,0 1:20+0,0,0/0,0 7x0x1");
    op.memcpy.height = op.memcpy.depth = 2;
    op.memcpy.dst = (rill_place){ RILL_MEMORY_DEVICE, 0x10, 11, 12, 13, 14, 15, NULL };
    op.memcpy.src = (rill_place){ RILL_MEMORY_HOST, 0x20, 21, 22, 23, 24, 25, NULL };
    telling_submits(*state, op, "box 2:10+13,14,15/11,12 1:20+23,24,25/21,22 7x2x2");
}

static void places_with_contexts_take_a_peer_call(void **state)
{
    struct scene *scene = *state;
    const rill_place device = place(RILL_MEMORY_DEVICE, 0x10);
    rill_op op = copy(device, device, 7);
    op.memcpy.src.context = scene->peer;
    telling_submits(scene, op, "peer 10 in 0x100 10 in 0x110 7");
    op.memcpy.dst.context = scene->peer;
    op.memcpy.src.context = NULL;
    op.memcpy.height = 2;
    telling_submits(scene, op, "peer box in 0x110 in 0x100 7x2x1");
}

static void a_refused_copy_is_blamed_on_the_side_at_fault(void **state)
{
    const rill_place device = place(RILL_MEMORY_DEVICE, DEVICE);
    const rill_place pinned = place(RILL_MEMORY_DEVICE, PINNED);
    const rill_place pageable = place(RILL_MEMORY_HOST, NOWHERE);
    telling_answer = CUDA_ERROR_INVALID_VALUE;
    telling_blames(*state, copy(place(RILL_MEMORY_DEVICE, 0), device, 8), "dst");
    telling_blames(*state, copy(device, place(RILL_MEMORY_DEVICE, NOWHERE), 8), "src");
    telling_blames(*state, copy(place(RILL_MEMORY_DEVICE, DEVICE + 1), device, ROOM), "dst");
    telling_blames(*state, copy(device, place(RILL_MEMORY_DEVICE, PINNED + 1), ROOM), "src");
    telling_blames(*state, copy(pageable, place(RILL_MEMORY_DEVICE, FAR), 8), "src");
    telling_blames(*state, copy(device, place((rill_memory_kind)3, DEVICE), 8), "src");
    telling_blames(*state, copy(device, pinned, SIZE_MAX), "dst");
    telling_blames(*state, copy(device, pinned, 0), "width");
    telling_blames(*state, copy(device, pinned, ROOM), NULL);
    telling_blames(*state, copy(device, pageable, ROOM), NULL);
    rill_op op = copy(device, pinned, 8);
    op.memcpy.src.pitch = 7;
    telling_blames(*state, op, "src");
    op.memcpy.src.pitch = 0;
    op.memcpy.dst.rows = op.memcpy.dst.y = 1;
    telling_blames(*state, op, "dst");
}

/* ---- Fills --------------------------------------------------------------------------- */

static void of_one_row_the_pitch_goes_unasked(void **state)
{
    telling_submits(*state, fill(0x10, 2, 3, 1, 1), "d16 10 5678 3");
    telling_submits(*state, fill(0x10, 1, 3, 2, 9), "d2d8 10 9 78 3 2");
    telling_submits(*state, fill(0x10, 1, 3, 0, 9), "d2d8 10 9 78 3 0");
}

static void fills_that_wrap_around_do_not_reach_the_driver(void **state)
{
    const rill_op all[] = {
        fill(DEVICE, 2, SIZE_MAX / 2 + 2, 1, 0), fill(DEVICE, 1, 2, SIZE_MAX, 2),
        fill(DEVICE, 1, 2, 2, SIZE_MAX),         fill(DEVICE, 1, SIZE_MAX, 1, 0),
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        telling_blames(*state, all[i], "dst");
        assert_string_equal(telling_said, "");
    }
    telling_blames(*state, fill(DEVICE, 3, 1, 1, 0), "element_bytes");
    assert_string_equal(telling_said, "");
}

static void a_refused_fill_is_blamed_on_what_is_wrong(void **state)
{
    telling_answer = CUDA_ERROR_INVALID_VALUE;
    telling_blames(*state, fill(DEVICE + 1, 2, 1, 1, 0), "dst");
    telling_blames(*state, fill(DEVICE, 2, ROOM / 2 + 1, 1, 0), "dst");
    telling_blames(*state, fill(NOWHERE, 2, 1, 1, 0), "dst");
    telling_blames(*state, fill(FAR, 2, 1, 1, 0), "dst");
    telling_blames(*state, fill(DEVICE, 1, 8, 2, 7), "pitch");
    telling_blames(*state, fill(DEVICE, 2, 8, 1, 0), NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TELLING_TEST(one_row_takes_the_flat_call_of_its_kinds),
        TELLING_TEST(everything_else_is_a_box_as_it_was_described),
        TELLING_TEST(places_with_contexts_take_a_peer_call),
        TELLING_TEST(a_refused_copy_is_blamed_on_the_side_at_fault),
        TELLING_TEST(of_one_row_the_pitch_goes_unasked),
        TELLING_TEST(fills_that_wrap_around_do_not_reach_the_driver),
        TELLING_TEST(a_refused_fill_is_blamed_on_what_is_wrong),
    };
    return cmocka_run_group_tests_name("copies", tests, NULL, NULL);
}
