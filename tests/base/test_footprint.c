/* SPDX-License-Identifier: Apache-2.0
 *
 * Footprints: which bytes were touched, and how.
 */
#include "support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bytes/footprint.h"

#define READ RILL_TOUCH_READ
#define WRITE RILL_TOUCH_WRITE
#define ATOMIC RILL_TOUCH_ATOMIC

#define SOMEWHERE UINT64_C(0x7f12345670f0)
#define KIB UINT64_C(1024)
#define GIB (UINT64_C(1) << 30)

static struct rl_footprint *open_print(void)
{
    struct rl_footprint *print = rl_footprint_create(0);
    assert_non_null(print);
    return print;
}

/* The rows are exactly these, whose addresses count from `base`. */
static void assert_rows(struct rl_footprint *print, uint64_t base,
                        const struct rill_touched *expected, size_t count)
{
    struct rill_touched *rows;
    size_t found;
    assert_true(rl_footprint_rows(print, SIZE_MAX, &rows, &found));
    assert_int_equal(found, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(rows[i].address, base + expected[i].address);
        assert_int_equal(rows[i].bytes, expected[i].bytes);
        assert_int_equal(rows[i].how, expected[i].how);
    }
    rl_free(rows);
}

#define ROWS(...) (const struct rill_touched[]){ __VA_ARGS__ }, \
                  sizeof(struct rill_touched[]){ __VA_ARGS__ } / sizeof(struct rill_touched)

/* ---- Rows --------------------------------------------------------------------------------- */

static void nothing_is_no_row(void **state)
{
    (void)state;
    struct rl_footprint *print = open_print();
    rl_footprint_add(print, SOMEWHERE, 0, READ);
    rl_footprint_add_stride(print, SOMEWHERE, 4, 8, 0, READ);
    rl_footprint_add(print, SOMEWHERE, 8, 0);
    assert_rows(print, 0, NULL, 0);
    assert_true(rl_footprint_exact(print, NULL));
    rl_footprint_destroy(print);
    rl_footprint_destroy(NULL);
}

static void rows_are_joined_and_sorted(void **state)
{
    (void)state;
    struct rl_footprint *print = open_print();
    rl_footprint_add(print, SOMEWHERE + 500, 10, READ);
    rl_footprint_add(print, SOMEWHERE + 100, 50, WRITE);
    rl_footprint_add(print, SOMEWHERE, 100, WRITE);
    rl_footprint_add(print, SOMEWHERE + 505, 6000, READ);
    assert_rows(print, SOMEWHERE, ROWS({ 0, 150, WRITE }, { 500, 6005, READ }));
    rl_footprint_destroy(print);
}

static void bytes_have_all_that_was_done_to_them(void **state)
{
    (void)state;
    struct rl_footprint *print = open_print();
    rl_footprint_add(print, SOMEWHERE, 100, READ);
    rl_footprint_add(print, SOMEWHERE + 40, 100, WRITE);
    rl_footprint_add(print, SOMEWHERE + 90, 10, ATOMIC);
    rl_footprint_add(print, SOMEWHERE + 8192, 16, READ | WRITE);
    assert_rows(print, SOMEWHERE,
                ROWS({ 0, 40, READ }, { 40, 50, READ | WRITE }, { 90, 10, READ | WRITE | ATOMIC },
                     { 100, 40, WRITE }, { 8192, 16, READ | WRITE }));
    rl_footprint_destroy(print);
}

static void even_and_odd_elements_share_no_byte(void **state)
{
    (void)state;
    enum { COUNT = 10000 };
    struct rl_footprint *print = open_print();
    struct rill_touched *rows;
    size_t count;
    rl_footprint_add_stride(print, SOMEWHERE, 4, 8, COUNT, WRITE);
    rl_footprint_add_stride(print, SOMEWHERE + 8 * (COUNT - 1) + 4, 4, -8, COUNT, READ);
    assert_true(rl_footprint_rows(print, SIZE_MAX, &rows, &count));
    assert_int_equal(count, 2 * COUNT);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(rows[i].address, SOMEWHERE + 4 * i);
        assert_int_equal(rows[i].bytes, 4);
        assert_int_equal(rows[i].how, i % 2 ? READ : WRITE);
    }
    rl_free(rows);
    rl_footprint_add_stride(print, SOMEWHERE + 4, 4, 8, COUNT, WRITE);
    rl_footprint_add_stride(print, SOMEWHERE, 4, 8, COUNT, READ);
    assert_rows(print, SOMEWHERE, ROWS({ 0, 8 * COUNT, READ | WRITE }));
    rl_footprint_destroy(print);
}

static void the_address_space_has_ends(void **state)
{
    (void)state;
    struct rl_footprint *print = open_print();
    rl_footprint_add(print, 0, 10, READ);
    rl_footprint_add(print, UINT64_MAX - 9, 100, WRITE);
    rl_footprint_add_stride(print, 8, 4, -8, 2, ATOMIC);
    assert_rows(print, 0, ROWS({ 0, 4, READ | ATOMIC }, { 4, 4, READ }, { 8, 2, READ | ATOMIC },
                               { 10, 2, ATOMIC }, { UINT64_MAX - 9, 10, WRITE }));
    rl_footprint_clear(print);
    rl_footprint_add(print, 4096, UINT64_MAX - 4096 - 4095, READ);
    assert_rows(print, 0, ROWS({ 4096, UINT64_MAX - 8191, READ }));
    rl_footprint_destroy(print);
}

static bool count_two(void *data, const struct rill_touched *row)
{
    (void)row;
    return ++*(int *)data < 2;
}

static void a_visit_may_end_early(void **state)
{
    (void)state;
    int seen = 0;
    struct rl_footprint *print = open_print();
    struct rill_touched *rows;
    size_t count;
    rl_footprint_add_stride(print, SOMEWHERE, 1, 10000, 5, READ);
    assert_false(rl_footprint_each(print, count_two, &seen));
    assert_int_equal(seen, 2);
    assert_false(rl_footprint_rows(print, 3, &rows, &count));
    assert_int_equal(count, 3);
    assert_int_equal(rows[2].address, SOMEWHERE + 20000);
    rl_free(rows);
    rl_footprint_destroy(print);
}

/* ---- Memory ------------------------------------------------------------------------------- */

static void what_is_dense_takes_no_memory(void **state)
{
    (void)state;
    struct rl_footprint *print = open_print();
    rl_footprint_add(print, SOMEWHERE, 100 * GIB, READ);
    assert_true(rl_footprint_bytes(print) < 64 * KIB);
    for (uint64_t at = 0; at < GIB; at += KIB)
        rl_footprint_add(print, SOMEWHERE + at, KIB, WRITE);
    for (uint64_t at = 0; at < 8 * KIB * KIB; at += 4 * KIB) {
        rl_footprint_add_stride(print, SOMEWHERE + at, 4, 8, 512, ATOMIC);
        rl_footprint_add_stride(print, SOMEWHERE + at + 4, 4, 8, 512, ATOMIC);
    }
    assert_true(rl_footprint_bytes(print) < 64 * KIB);
    assert_rows(print, SOMEWHERE,
                ROWS({ 0, 8 * KIB * KIB, READ | WRITE | ATOMIC },
                     { 8 * KIB * KIB, GIB - 8 * KIB * KIB, READ | WRITE },
                     { GIB, 99 * GIB, READ }));
    rl_footprint_destroy(print);
}

static void a_cleared_footprint_is_as_new(void **state)
{
    (void)state;
    struct rl_footprint *print = open_print();
    rl_footprint_add_stride(print, SOMEWHERE, 1, 2, 1000000, READ);
    rl_footprint_miss(print, SOMEWHERE, 1, READ);
    rl_footprint_clear(print);
    assert_true(rl_footprint_bytes(print) < 64 * KIB);
    assert_true(rl_footprint_exact(print, NULL));
    assert_rows(print, 0, NULL, 0);
    rl_footprint_add(print, SOMEWHERE, 5, WRITE);
    assert_rows(print, SOMEWHERE, ROWS({ 0, 5, WRITE }));
    rl_footprint_destroy(print);
}

static void what_has_no_room_is_said_to_be_missing(void **state)
{
    (void)state;
    enum { PAGES = 4096 };
    struct rl_footprint *print = rl_footprint_create(256 * KIB);
    struct rill_touched missing;
    for (uint64_t i = 0; i < PAGES; i++)
        rl_footprint_add_stride(print, SOMEWHERE + i * 4 * KIB, 4, 100, 5, WRITE);
    assert_true(rl_footprint_bytes(print) <= 260 * KIB);
    assert_false(rl_footprint_exact(print, &missing));
    assert_int_equal(missing.how, WRITE);
    assert_true(missing.address > SOMEWHERE);
    assert_in_range(missing.address + missing.bytes, SOMEWHERE + (PAGES - 1) * 4 * KIB + 404,
                    SOMEWHERE + PAGES * 4 * KIB);
    rl_footprint_add(print, SOMEWHERE, PAGES * 4 * KIB, WRITE);
    assert_rows(print, SOMEWHERE, ROWS({ 0, PAGES * 4 * KIB, WRITE }));
    rl_footprint_destroy(print);
}

/* ---- Against a byte for each byte ------------------------------------------------------------ */

enum { MODEL = 64 * 4096 };

struct model {
    uint64_t random;
    unsigned char how[MODEL];
};

static uint32_t draw(struct model *model, uint32_t below)
{
    model->random = model->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((model->random >> 33) % below);
}

static void add_somewhere(struct model *model, struct rl_footprint *print, uint64_t base)
{
    static const uint32_t strides[] = { 1,  2,  3,  4,   6,    8,    12,  16,
                                        20, 32, 64, 100, 1024, 4096, 5000 };
    uint32_t bytes = 1u << draw(model, draw(model, 4) ? 5 : 16), at = draw(model, MODEL - bytes);
    uint32_t how = 1 + draw(model, 7), stride = strides[draw(model, 15)];
    uint32_t most = (MODEL - at - bytes) / stride + 1;
    uint32_t count = draw(model, most < 9999 ? most : 9999);
    switch (draw(model, 3)) {
    case 0: rl_footprint_add(print, base + at, bytes, how); count = 1; break;
    case 1: rl_footprint_add_stride(print, base + at, bytes, stride, count, how); break;
    default:
        rl_footprint_add_stride(print, base + at + (uint64_t)(count ? count - 1 : 0) * stride,
                                bytes, -(int64_t)stride, count, how);
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t n = 0; n < bytes; n++)
            model->how[at + i * stride + n] |= (unsigned char)how;
}

/* As a gather does: elements in any order. */
static void add_elements(struct model *model, struct rl_footprint *print, uint64_t base)
{
    static uint64_t places[2000];
    uint32_t how = 1 + draw(model, 7), bytes = 1u << draw(model, 5), count = draw(model, 2000);
    uint32_t from = draw(model, MODEL / 2), span = 1 + draw(model, MODEL / 2 - bytes);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = (from + draw(model, span)) & -bytes;
        places[i] = at;
        for (uint32_t n = 0; n < bytes; n++) model->how[at + n] |= (unsigned char)how;
    }
    rl_footprint_add_each(print, places, count, base, bytes, how);
}

static void assert_model(const struct model *model, struct rl_footprint *print, uint64_t base)
{
    struct rill_touched *rows;
    size_t count, row = 0;
    assert_true(rl_footprint_rows(print, SIZE_MAX, &rows, &count));
    for (uint32_t at = 0, end; at < MODEL; at = end) {
        for (end = at; end < MODEL && model->how[end] == model->how[at];) end++;
        if (!model->how[at]) continue;
        assert_true(row < count);
        assert_int_equal(rows[row].address, base + at);
        assert_int_equal(rows[row].bytes, end - at);
        assert_int_equal(rows[row].how, model->how[at]);
        row++;
    }
    assert_int_equal(row, count);
    rl_free(rows);
}

/* Rows and pages together have each byte once. */
static void assert_list(const struct model *model, struct rl_footprint *print, uint64_t base)
{
    static unsigned char found[MODEL + 4096];
    struct rl_footprint_list list;
    memset(found, 0, sizeof found);
    assert_true(rl_footprint_list_init(&list, print, SIZE_MAX));
    for (size_t i = 0; i < list.touches.row_count; i++) {
        const struct rill_touched *row = &list.touches.rows[i];
        for (uint64_t n = 0; n < row->bytes; n++)
            found[row->address - base + n] += (unsigned char)row->how;
    }
    for (size_t i = 0; i < list.touches.page_count; i++) {
        const rill_touched_page *page = &list.touches.pages[i];
        assert_int_equal(page->address % 4096, 0);
        for (uint64_t n = 0; n < 4096; n++)
            if (page->map[n / 64] >> n % 64 & 1)
                found[page->address - base + n] += (unsigned char)page->how;
    }
    assert_memory_equal(found, model->how, MODEL);
    rl_footprint_list_fini(&list);
}

static void footprints_are_exact(void **state)
{
    (void)state;
    static struct model model;
    struct rl_footprint *whole = open_print(), *parts[3];
    for (unsigned i = 0; i < 3; i++) parts[i] = open_print();
    const char *scale = getenv("RILL_TEST_SCALE");
    const uint64_t seeds = 200 / (scale && atoi(scale) > 1 ? (unsigned)atoi(scale) : 1);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        model = (struct model){ .random = seed };
        /* Around the corner of a node that has a node's node beside it. */
        uint64_t base = UINT64_C(0x7f0040000000) - (uint64_t)draw(&model, MODEL);
        uint32_t adds = 1 + draw(&model, 60);
        for (uint32_t i = 0; i < adds; i++) add_somewhere(&model, parts[draw(&model, 3)], base);
        if (seed % 2) add_elements(&model, parts[draw(&model, 3)], base);
        for (unsigned i = 0; i < 3; i++) rl_footprint_absorb(whole, parts[i]);
        for (uint32_t i = 0; i < adds; i++) add_somewhere(&model, whole, base);
        for (unsigned i = 0; seed % 2 && i < 20; i++) {
            add_elements(&model, whole, base);
            if (i % 3 == 0) add_somewhere(&model, whole, base);
        }
        assert_true(rl_footprint_exact(whole, NULL));
        assert_model(&model, whole, base);
        assert_list(&model, whole, base);
        for (unsigned i = 0; i < 3; i++) assert_rows(parts[i], 0, NULL, 0);
        rl_footprint_clear(whole);
    }
    for (unsigned i = 0; i < 3; i++) rl_footprint_destroy(parts[i]);
    rl_footprint_destroy(whole);
}

static bool expand_row(void *data, const struct rill_touched *row)
{
    unsigned char *how = data;
    memset(how + (row->address - SOMEWHERE), (int)row->how, row->bytes);
    return true;
}

/* Whatever there is no memory for is missing, and all else is there. */
static void short_memory_loses_nothing_silently(void **state)
{
    (void)state;
    static struct model model;
    static unsigned char found[MODEL];
    bool lost = false;
    for (long after = 0; after < 20; after++) {
        struct rl_footprint *print = open_print(), *other = open_print();
        struct rill_touched missing = { 0, 0, 0 };
        model = (struct model){ .random = 77 };
        memset(found, 0, sizeof found);
        rl_alloc_fail_after(after);
        for (unsigned i = 0; i < 150; i++) add_somewhere(&model, i % 2 ? print : other, SOMEWHERE);
        rl_footprint_absorb(print, other);
        rl_alloc_fail_after(-1);
        lost |= !rl_footprint_exact(print, &missing);
        rl_footprint_each(print, expand_row, found);
        for (uint64_t i = 0; i < MODEL; i++) {
            unsigned not_there = model.how[i] & ~(unsigned)found[i];
            assert_int_equal(found[i] & ~(unsigned)model.how[i], 0);
            if (SOMEWHERE + i - missing.address >= missing.bytes) assert_int_equal(not_there, 0);
            else assert_int_equal(not_there & ~missing.how, 0);
        }
        rl_footprint_destroy(other);
        rl_footprint_destroy(print);
    }
    assert_true(lost);
}

static void what_is_taken_out_leaves_the_rest(void **state)
{
    (void)state;
    struct rl_footprint *print = open_print(), *out = open_print();
    rl_footprint_add(print, SOMEWHERE, 64, WRITE);
    rl_footprint_add(print, SOMEWHERE + 8, 16, READ);
    rl_footprint_add(print, SOMEWHERE + 8192, 8, ATOMIC);
    rl_footprint_add(out, SOMEWHERE + 12, 20, WRITE);
    rl_footprint_add(out, SOMEWHERE + 60, 8192, WRITE);
    rl_footprint_subtract(print, out);
    assert_rows(print, SOMEWHERE,
                ROWS({ 0, 8, WRITE }, { 8, 4, READ | WRITE }, { 32, 28, WRITE }));
    rl_footprint_destroy(print);
    rl_footprint_destroy(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_no_row),
        cmocka_unit_test(rows_are_joined_and_sorted),
        cmocka_unit_test(bytes_have_all_that_was_done_to_them),
        cmocka_unit_test(even_and_odd_elements_share_no_byte),
        cmocka_unit_test(the_address_space_has_ends),
        cmocka_unit_test(a_visit_may_end_early),
        cmocka_unit_test(what_is_dense_takes_no_memory),
        cmocka_unit_test(a_cleared_footprint_is_as_new),
        cmocka_unit_test(what_has_no_room_is_said_to_be_missing),
        cmocka_unit_test(footprints_are_exact),
        cmocka_unit_test(what_is_taken_out_leaves_the_rest),
        cmocka_unit_test(short_memory_loses_nothing_silently),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
