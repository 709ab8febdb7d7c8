/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements that lie all over, or at equal distances, are the same bytes, whether they are added one
 * by one or together.
 */
#include <stdlib.h>

#include "support/cmocka_all.h"

#include "base/alloc.h"
#include "base/bytes/footprint.h"

#define KIB UINT64_C(1024)
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)

enum { LANES = 256 };

/* What is added to both of them. */
struct pair {
    struct rl_footprint *together, *alone;
    uint64_t random;
};

static void open_pair(struct pair *pair)
{
    *pair = (struct pair){ rl_footprint_create(0), rl_footprint_create(0), 17 };
    assert_true(pair->together && pair->alone);
}

static uint64_t draw(struct pair *pair, uint64_t below)
{
    pair->random = pair->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (pair->random >> 24) % below;
}

static void add_lanes(struct pair *pair, const uint64_t *lanes, uint64_t base, uint64_t bytes,
                      uint32_t how)
{
    rl_footprint_add_each(pair->together, lanes, LANES, base, bytes, how);
    for (unsigned i = 0; i < LANES; i++)
        rl_footprint_add(pair->alone, base + lanes[i], bytes, how);
}

/* Adds elements of an array of `room` bytes that begins at `base`. */
static void gather(struct pair *pair, uint64_t base, uint64_t room, uint64_t bytes, uint32_t how)
{
    uint64_t lanes[LANES];
    for (unsigned i = 0; i < LANES; i++) lanes[i] = draw(pair, room / bytes) * bytes;
    add_lanes(pair, lanes, base, bytes, how);
}

static void add_row(struct pair *pair, uint64_t address, uint64_t bytes, uint32_t how)
{
    rl_footprint_add(pair->together, address, bytes, how);
    rl_footprint_add(pair->alone, address, bytes, how);
}

static void add_column(struct pair *pair, uint64_t address, uint64_t bytes, uint64_t stride,
                       uint64_t count, uint32_t how)
{
    rl_footprint_add_stride(pair->together, address, bytes, (int64_t)stride, count, how);
    for (uint64_t i = 0; i < count; i++)
        rl_footprint_add(pair->alone, address + i * stride, bytes, how);
}

static void assert_same_and_close(struct pair *pair)
{
    struct rill_touched *rows[2];
    size_t counts[2];
    assert_true(rl_footprint_exact(pair->together, NULL));
    assert_true(rl_footprint_rows(pair->together, SIZE_MAX, &rows[0], &counts[0]));
    assert_true(rl_footprint_rows(pair->alone, SIZE_MAX, &rows[1], &counts[1]));
    assert_int_equal(counts[0], counts[1]);
    for (size_t i = 0; i < counts[0]; i++) {
        assert_int_equal(rows[0][i].address, rows[1][i].address);
        assert_int_equal(rows[0][i].bytes, rows[1][i].bytes);
        assert_int_equal(rows[0][i].how, rows[1][i].how);
    }
    for (unsigned i = 0; i < 2; i++) rl_free(rows[i]);
    rl_footprint_destroy(pair->together);
    rl_footprint_destroy(pair->alone);
}

/* ---- Tests -------------------------------------------------------------------------------- */

static void elements_of_all_sizes_are_exact(void **state)
{
    (void)state;
    static const uint64_t sizes[] = { 1, 2, 3, 4, 8, 12, 16, 24, 32, 64, 128 };
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct pair pair;
        open_pair(&pair);
        for (unsigned n = 0; n < 100; n++)
            gather(&pair, 16 * GIB + n % 2, 256 * KIB, sizes[i], RILL_TOUCH_READ);
        assert_same_and_close(&pair);
    }
}

/* A map of words becomes one of bytes, and has what was added before. */
static void sizes_take_turns(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 40; round++) {
        struct pair pair, other;
        open_pair(&pair);
        open_pair(&other);
        pair.random = other.random = round;
        for (unsigned n = 0; n < 30; n++) {
            struct pair *one = n % 3 ? &pair : &other;
            const uint64_t at = 16 * GIB + draw(one, 4) * 128 * KIB;
            gather(one, at, 256 * KIB << draw(one, 3), UINT64_C(1) << draw(one, 7),
                   draw(one, 4) ? RILL_TOUCH_READ : RILL_TOUCH_WRITE);
        }
        rl_footprint_absorb(pair.together, other.together);
        rl_footprint_absorb(pair.alone, other.alone);
        assert_same_and_close(&pair);
        assert_same_and_close(&other);
    }
}

/* More of them than there are maps. */
static void many_arrays_are_gathered_from_in_turn(void **state)
{
    (void)state;
    struct pair pair;
    open_pair(&pair);
    for (unsigned n = 0; n < 400; n++)
        gather(&pair, 16 * GIB + n % 20 * 3 * GIB, MIB, 4, RILL_TOUCH_READ);
    assert_same_and_close(&pair);
}

static void several_arrays_are_gathered_from_in_turn(void **state)
{
    (void)state;
    struct pair pair;
    open_pair(&pair);
    for (unsigned n = 0; n < 600; n++)
        gather(&pair, 16 * GIB + n % 6 * 3 * GIB, 4 * MIB, 4,
               n % 5 ? RILL_TOUCH_READ : RILL_TOUCH_ATOMIC);
    assert_same_and_close(&pair);
}

/* Forwards, backwards, and farther than an index reaches. */
static void what_is_gathered_from_may_grow(void **state)
{
    (void)state;
    struct pair pair;
    open_pair(&pair);
    for (uint64_t n = 0; n < 400; n++) {
        gather(&pair, 64 * GIB + n * 128 * KIB, 512 * KIB, 4, RILL_TOUCH_READ);
        gather(&pair, 32 * GIB - n * 128 * KIB, 512 * KIB, 4, RILL_TOUCH_WRITE);
        gather(&pair, 4 * KIB * n, 64 * GIB, 4, RILL_TOUCH_ATOMIC);
    }
    assert_same_and_close(&pair);
}

/* Elements that an index has all but one of: that one is before it, behind it, far away, or lies
 * across two words of it. */
static void one_element_may_be_outside(void **state)
{
    (void)state;
    static const uint64_t strays[] = { -UINT64_C(4), -UINT64_C(2), 2, MIB, MIB + 4 * KIB,
                                       MIB - 2, 3 * GIB, -8 * GIB, UINT64_C(1) << 63 };
    for (unsigned i = 0; i < sizeof strays / sizeof *strays; i++) {
        for (unsigned lane = 0; lane < LANES; lane += LANES - 1) {
            struct pair pair;
            uint64_t lanes[LANES];
            open_pair(&pair);
            for (unsigned n = 0; n < 4; n++)
                gather(&pair, 16 * GIB, MIB, 4, RILL_TOUCH_READ);
            for (unsigned k = 0; k < LANES; k++) lanes[k] = draw(&pair, MIB / 4) * 4;
            lanes[lane] = strays[i];
            add_lanes(&pair, lanes, 16 * GIB, 4, RILL_TOUCH_READ);
            assert_same_and_close(&pair);
        }
    }
}

/* Pages share bitmaps, until something else is done to some of them. */
static void columns_are_exact(void **state)
{
    (void)state;
    static const uint64_t strides[] = { 8, 12, 20, 32, 36, 48, 100, 124, 256, 1000, 1028 };
    for (unsigned i = 0; i < sizeof strides / sizeof *strides; i++) {
        struct pair pair, other;
        open_pair(&pair);
        open_pair(&other);
        for (unsigned n = 0; n < 40; n++) {
            struct pair *one = n % 3 ? &pair : &other;
            uint64_t at = 16 * GIB + draw(&pair, 8 * KIB) * (n % 4 ? 4 : 1);
            add_column(one, at, n % 7 ? 4 : 7, strides[i], draw(&pair, MIB / strides[i]),
                       n % 5 ? RILL_TOUCH_READ : RILL_TOUCH_WRITE);
            if (n % 8 == 0) gather(one, 16 * GIB, 512 * KIB, 4, RILL_TOUCH_READ);
            if (n % 8 == 4) add_row(one, at, draw(&pair, 20 * KIB), RILL_TOUCH_READ);
        }
        rl_footprint_absorb(pair.together, other.together);
        rl_footprint_absorb(pair.alone, other.alone);
        assert_same_and_close(&pair);
        assert_same_and_close(&other);
    }
}

/* Most pages have the end of a row, whole ones, and the beginning of one. */
static void rows_across_pages_are_exact(void **state)
{
    (void)state;
    static const uint64_t strides[] = { 12, 24, 32, 100, 512, 1000, 1536, 2044, 2048, 2052 };
    for (unsigned i = 0; i < sizeof strides / sizeof *strides; i++) {
        struct pair pair;
        open_pair(&pair);
        for (unsigned n = 0; n < 60; n++) {
            const uint64_t at = 16 * GIB + draw(&pair, 64 * KIB);
            add_column(&pair, at, 1 + draw(&pair, strides[i] - 1), strides[i],
                       draw(&pair, MIB / strides[i]), n % 5 ? RILL_TOUCH_READ : RILL_TOUCH_WRITE);
        }
        assert_same_and_close(&pair);
    }
}

/* Those around it are alike and are added at once. */
static void a_page_in_a_column_may_differ(void **state)
{
    (void)state;
    for (uint64_t stride = 4; stride <= 2 * KIB; stride *= 2) {
        for (unsigned n = 0; n < 40; n++) {
            struct pair pair;
            open_pair(&pair);
            pair.random = n;
            const uint64_t at = 16 * GIB + draw(&pair, 512 * KIB);
            const uint64_t odd = at + draw(&pair, 2 * MIB), bytes = 1 + draw(&pair, stride);
            if (n % 4) add_row(&pair, odd, 1 + draw(&pair, 8 * KIB), RILL_TOUCH_READ);
            for (unsigned pass = 0; pass < 3; pass++)
                add_column(&pair, at + pass * 3, bytes, stride,
                           2 * MIB / stride + draw(&pair, 100), RILL_TOUCH_READ);
            assert_same_and_close(&pair);
        }
    }
}

static void pages_of_rows_across_them_share_bitmaps(void **state)
{
    (void)state;
    struct rl_footprint *print = rl_footprint_create(0);
    assert_non_null(print);
    rl_footprint_add_stride(print, 16 * GIB + 516, 2040, 2048, 64 * MIB / 2048, RILL_TOUCH_WRITE);
    assert_in_range(rl_footprint_bytes(print), 0, MIB);
    rl_footprint_destroy(print);
}

enum { HOLES = 64 };

/* Makes room for memory of a footprint at all distances, between what stays until it is freed. */
static void make_holes(struct pair *pair, void *walls[HOLES])
{
    void *holes[HOLES];
    for (unsigned i = 0; i < HOLES; i++) {
        holes[i] = malloc(17000);
        walls[i] = malloc(24 + 512 * draw(pair, 32));
        assert_true(holes[i] && walls[i]);
    }
    for (unsigned i = 0; i < HOLES; i++) free(holes[i]);
}

/* A bitmap for each of these pages would take 8 MiB.  Where the shared ones are in memory makes no
 * difference. */
static void pages_of_a_column_share_bitmaps(void **state)
{
    (void)state;
    static const uint64_t strides[] = { 12, 32, 100, 1024 };
    struct pair pair;
    open_pair(&pair);
    for (unsigned i = 0; i < 4 * 64; i++) {
        const uint64_t stride = strides[i % 4], others = i / 4;
        void *walls[HOLES];
        make_holes(&pair, walls);
        struct rl_footprint *print = rl_footprint_create(0), *whole = rl_footprint_create(0);
        assert_true(print && whole);
        rl_footprint_add(whole, GIB, 1, RILL_TOUCH_READ);
        for (uint64_t k = 0; k < 2 * others; k++)
            rl_footprint_add(print, 2 * GIB + k * 2 * KIB, 1, RILL_TOUCH_READ);
        rl_footprint_add_stride(print, 16 * GIB, 4, (int64_t)stride, 64 * MIB / stride,
                                RILL_TOUCH_READ);
        assert_in_range(rl_footprint_bytes(print), 0, MIB);
        rl_footprint_absorb(whole, print);
        assert_in_range(rl_footprint_bytes(whole), 0, MIB);
        rl_footprint_destroy(print);
        rl_footprint_destroy(whole);
        for (unsigned k = 0; k < HOLES; k++) free(walls[k]);
    }
    assert_same_and_close(&pair);
}

/* The elements of a structure, one after the other: in the end nothing is left out. */
static void columns_side_by_side_are_a_row(void **state)
{
    (void)state;
    struct pair pair;
    open_pair(&pair);
    for (uint64_t at = 0; at < 12; at += 4)
        add_column(&pair, 16 * GIB + at, 4, 12, MIB / 4, RILL_TOUCH_WRITE);
    struct rill_touched *rows;
    size_t count;
    assert_true(rl_footprint_rows(pair.together, SIZE_MAX, &rows, &count));
    assert_int_equal(count, 1);
    assert_int_equal(rows[0].bytes, 3 * MIB);
    rl_free(rows);
    assert_same_and_close(&pair);
}

/* Rows make pages full whose bitmaps are known, and take them away. */
static void rows_come_between(void **state)
{
    (void)state;
    struct pair pair;
    open_pair(&pair);
    for (uint64_t n = 0; n < 400; n++) {
        gather(&pair, 16 * GIB, 4 * MIB, 4, RILL_TOUCH_READ);
        if (n % 4 == 0) add_row(&pair, 16 * GIB + draw(&pair, 4 * MIB), 10 * KIB, RILL_TOUCH_READ);
        if (n % 4 == 1) gather(&pair, 16 * GIB + MIB, 8 * KIB, 4, RILL_TOUCH_READ);
    }
    assert_same_and_close(&pair);
}

static void the_top_half_of_all_addresses_is_exact(void **state)
{
    (void)state;
    struct pair pair;
    open_pair(&pair);
    for (uint64_t n = 0; n < 100; n++) {
        gather(&pair, -4 * MIB, 4 * MIB, 4, RILL_TOUCH_READ);
        gather(&pair, (UINT64_C(1) << 63) - 2 * MIB, 4 * MIB, 4, RILL_TOUCH_READ);
        gather(&pair, 0, UINT64_MAX - 3, 4, RILL_TOUCH_READ);
    }
    assert_same_and_close(&pair);
}

/* Without memory for an index, elements are added one by one. */
static void an_index_is_not_needed(void **state)
{
    (void)state;
    for (long after = 0; after < 12; after++) {
        struct pair pair;
        open_pair(&pair);
        add_row(&pair, 16 * GIB, 1, RILL_TOUCH_READ);
        uint64_t lanes[LANES];
        for (unsigned i = 0; i < LANES; i++) lanes[i] = draw(&pair, 64 * KIB) & -UINT64_C(4);
        rl_alloc_fail_after(after);
        rl_footprint_add_each(pair.together, lanes, LANES, 16 * GIB, 4, RILL_TOUCH_READ);
        rl_alloc_fail_after(-1);
        if (rl_footprint_exact(pair.together, NULL)) {
            for (unsigned i = 0; i < LANES; i++)
                rl_footprint_add(pair.alone, 16 * GIB + lanes[i], 4, RILL_TOUCH_READ);
            assert_same_and_close(&pair);
            continue;
        }
        rl_footprint_destroy(pair.together);
        rl_footprint_destroy(pair.alone);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_of_all_sizes_are_exact),
        cmocka_unit_test(sizes_take_turns),
        cmocka_unit_test(several_arrays_are_gathered_from_in_turn),
        cmocka_unit_test(many_arrays_are_gathered_from_in_turn),
        cmocka_unit_test(what_is_gathered_from_may_grow),
        cmocka_unit_test(one_element_may_be_outside),
        cmocka_unit_test(rows_come_between),
        cmocka_unit_test(columns_are_exact),
        cmocka_unit_test(rows_across_pages_are_exact),
        cmocka_unit_test(a_page_in_a_column_may_differ),
        cmocka_unit_test(pages_of_rows_across_them_share_bitmaps),
        cmocka_unit_test(pages_of_a_column_share_bitmaps),
        cmocka_unit_test(columns_side_by_side_are_a_row),
        cmocka_unit_test(the_top_half_of_all_addresses_is_exact),
        cmocka_unit_test(an_index_is_not_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
