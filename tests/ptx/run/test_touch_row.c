/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows grow by others, and have exactly the bytes of all of them.
 */
#include "support/cmocka_all.h"

#include <string.h>

#include "base/alloc.h"
#include "ptx/run/touch_row.h"

#define BASE UINT64_C(0x7f0000100000)
#define HOW RILL_TOUCH_WRITE

static struct ptx_touch_row pieces(uint64_t offset, uint64_t bytes, uint64_t stride, uint64_t count)
{
    return (struct ptx_touch_row){ .address = BASE + offset, .bytes = bytes, .stride = stride,
                                   .count = count, .how = HOW };
}

static void assert_row(const struct ptx_touch_row *row, uint64_t offset, uint64_t bytes,
                       uint64_t count)
{
    assert_int_equal(row->address - BASE, offset);
    assert_int_equal(row->bytes, bytes);
    assert_int_equal(row->count, count);
    assert_int_equal(row->ahead, 0);
}

static void grow(struct ptx_touch_row *row, struct ptx_touch_row next)
{
    assert_true(ptx_touch_row_grow(row, &next));
}

/* ---- Orders ------------------------------------------------------------------------------- */

/* A matrix of 64 columns of 4 bytes and 32 rows, written column by column in two halves each. */
static void columns_make_one_piece(void **state)
{
    (void)state;
    struct ptx_touch_row row = pieces(0, 4, 256, 16);
    grow(&row, pieces(16 * 256, 4, 256, 16));
    assert_row(&row, 0, 4, 32);
    for (uint64_t x = 1; x < 64; x++) {
        grow(&row, pieces(x * 4, 4, 256, 16));
        grow(&row, pieces(16 * 256 + x * 4, 4, 256, 16));
        if (x == 40) assert_row(&row, 0, 41 * 4, 32);
    }
    assert_row(&row, 0, 32 * 256, 1);
}

static void squares_make_bands(void **state)
{
    (void)state;
    struct ptx_touch_row row = pieces(0, 64, 256, 16);
    for (uint64_t x = 1; x < 4; x++) grow(&row, pieces(x * 64, 64, 256, 16));
    assert_row(&row, 0, 16 * 256, 1);
}

/* The inside of a matrix of 64 columns: the first square of a band is narrower than the others, and
 * the last one, too, so the pieces of the next band catch up with those before. */
static void bands_of_the_inside_are_one_row(void **state)
{
    (void)state;
    struct ptx_touch_row row = pieces(256 + 4, 60, 256, 15);
    for (uint64_t band = 0; band < 3; band++) {
        const uint64_t y = band ? band * 16 : 1, rows = band ? 16 : 15;
        grow(&row, pieces(y * 256 + 4, 60, 256, rows));
        for (uint64_t x = 1; x < 4; x++)
            grow(&row, pieces(y * 256 + x * 64, x < 3 ? 64 : 60, 256, rows));
        assert_row(&row, 256 + 4, 248, 15 + 16 * band);
    }
}

static void rounds_of_a_loop_make_pieces(void **state)
{
    (void)state;
    struct ptx_touch_row row = pieces(0, 64, 0, 1);
    const struct ptx_touch_row second = pieces(1024, 64, 0, 1);
    assert_true(ptx_touch_row_pair(&row, &second));
    for (uint64_t i = 2; i < 10; i++) grow(&row, pieces(i * 1024, 64, 0, 1));
    assert_row(&row, 0, 64, 10);
    for (uint64_t i = 0; i < 10; i++) grow(&row, pieces(i * 1024 + 64, 64, 0, 1));
    assert_row(&row, 0, 128, 10);
}

static void what_is_there_changes_nothing(void **state)
{
    (void)state;
    struct ptx_touch_row row = pieces(0, 64, 256, 16);
    grow(&row, pieces(256, 32, 256, 15));
    grow(&row, pieces(512 + 60, 4, 0, 1));
    assert_row(&row, 0, 64, 16);
    row = pieces(0, 4096, 0, 1);
    grow(&row, pieces(0, 4, 512, 8));
    assert_row(&row, 0, 4096, 1);
}

static void other_rows_are_refused(void **state)
{
    (void)state;
    const struct ptx_touch_row row = pieces(1024, 64, 256, 16);
    const struct ptx_touch_row others[] = {
        pieces(1024, 64, 512, 16),            /* another stride                */
        pieces(0, 64, 256, 4),                /* before                        */
        pieces(1024 + 68, 4, 256, 16),        /* a gap between                 */
        pieces(1024 + 256 + 64, 4, 256, 16),  /* not the piece that comes next */
        pieces(1024 + 17 * 256, 64, 256, 1),  /* a piece left out              */
        pieces(1024 + 16 * 256, 128, 256, 1), /* a wider piece                 */
        pieces(1024 + 64, 256, 0, 1),         /* into the next piece           */
        { .address = BASE + 1024, .bytes = 64, .count = 1, .how = RILL_TOUCH_READ },
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct ptx_touch_row grown = row;
        assert_false(ptx_touch_row_grow(&grown, &others[i]));
        assert_memory_equal(&grown, &row, sizeof row);
    }
}

/* ---- Against footprints ------------------------------------------------------------------- */

static uint64_t random_state;

static uint64_t draw_below(uint64_t limit)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (random_state >> 33) % limit;
}

/* Returns a row near the one that grows: most often one that could make it grow. */
static struct ptx_touch_row draw_row(const struct ptx_touch_row *row)
{
    uint64_t stride = 8u << draw_below(3), bytes = 1 + draw_below(stride - 1);
    struct ptx_touch_row next = pieces(draw_below(4096), bytes, stride, 1 + draw_below(6));
    if (row->count > 1 && draw_below(8)) {
        uint64_t piece = draw_below(2) ? row->ahead : draw_below(row->count + 1);
        uint64_t column = draw_below(2) && piece < row->count ? row->bytes : 0;
        next.address = row->address + piece * row->stride + column;
        next.stride = row->stride;
        next.bytes = draw_below(2) && !column ? row->bytes : 1 + draw_below(2);
        if (next.bytes >= next.stride) next.bytes = 1;
    }
    return next;
}

static void assert_same(struct rl_footprint *a, struct rl_footprint *b)
{
    struct rill_touched *rows, *others;
    size_t count, other_count;
    assert_true(rl_footprint_rows(a, SIZE_MAX, &rows, &count));
    assert_true(rl_footprint_rows(b, SIZE_MAX, &others, &other_count));
    assert_int_equal(count, other_count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(rows[i].address, others[i].address);
        assert_int_equal(rows[i].bytes, others[i].bytes);
    }
    rl_free(rows);
    rl_free(others);
}

static void growing_is_exact(void **state)
{
    (void)state;
    unsigned grown = 0;
    struct rl_footprint *print = rl_footprint_create(0), *expected = rl_footprint_create(0);
    for (random_state = 1; random_state < 2000; random_state++) {
        uint64_t seed = random_state;
        struct ptx_touch_row row = draw_row(&(struct ptx_touch_row){ .count = 0 });
        ptx_touch_row_add(&row, expected);
        for (unsigned i = 0; i < 40; i++) {
            const struct ptx_touch_row next = draw_row(&row);
            ptx_touch_row_add(&next, expected);
            if (ptx_touch_row_grow(&row, &next) || ptx_touch_row_pair(&row, &next)) {
                grown++;
                continue;
            }
            ptx_touch_row_add(&row, print);
            row = next;
        }
        ptx_touch_row_add(&row, print);
        assert_same(print, expected);
        rl_footprint_clear(print);
        rl_footprint_clear(expected);
        random_state = seed;
    }
    assert_true(grown > 10000);
    rl_footprint_destroy(print);
    rl_footprint_destroy(expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_make_one_piece),
        cmocka_unit_test(squares_make_bands),
        cmocka_unit_test(bands_of_the_inside_are_one_row),
        cmocka_unit_test(rounds_of_a_loop_make_pieces),
        cmocka_unit_test(what_is_there_changes_nothing),
        cmocka_unit_test(other_rows_are_refused),
        cmocka_unit_test(growing_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
