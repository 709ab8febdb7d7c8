/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranges and extents against a model that looks at every cell.
 */
#include "backend-sim/memory/extent.h"
#include "sim/machine.h"
#include "support/random.h"

/* ---- Ranges ------------------------------------------------------------------------- */

enum { CELLS = 512 };

struct cells {
    struct ranges ranges;
    struct range *at[CELLS]; /* the range on each cell */
};

static void check_cells(const struct cells *cells, uint64_t base)
{
    const struct range *above = NULL;
    for (int i = CELLS; i-- > 0;) {
        if (cells->at[i]) above = cells->at[i];
        assert_ptr_equal(rl_ranges_at(&cells->ranges, base + (uint64_t)i), cells->at[i]);
        assert_ptr_equal(rl_ranges_from(&cells->ranges, base + (uint64_t)i), above);
    }
    const struct range *range = rl_ranges_from(&cells->ranges, 0), *last = NULL;
    for (int i = 0; i < CELLS; i++) {
        if (!cells->at[i] || cells->at[i] == last) continue;
        assert_ptr_equal(range, cells->at[i]);
        assert_ptr_equal(rl_range_previous(range), last);
        last = range;
        range = rl_range_next(range);
    }
    assert_null(range);
}

static void check_heavy(const struct cells *cells, uint64_t weight)
{
    const struct range *first = NULL;
    for (int i = CELLS; i-- > 0;)
        if (cells->at[i] && cells->at[i]->weight >= weight) first = cells->at[i];
    assert_ptr_equal(rl_ranges_heavy(&cells->ranges, weight), first);
}

static void add_range(struct cells *cells, uint64_t base, struct dice *dice)
{
    int first = dice_below(dice, CELLS), length = 0, room = 1 + dice_below(dice, 9);
    while (length < room && first + length < CELLS && !cells->at[first + length]) length++;
    if (!length) return;
    struct range *range = calloc(1, sizeof *range);
    assert_non_null(range);
    range->base = base + (uint64_t)first;
    range->bytes = (uint64_t)length;
    range->weight = dice_next(dice) % 20;
    for (int i = 0; i < length; i++) cells->at[first + i] = range;
    rl_ranges_add(&cells->ranges, range);
}

static void remove_range(struct cells *cells, uint64_t base, struct range *range)
{
    rl_ranges_remove(&cells->ranges, range);
    for (uint64_t i = 0; i < range->bytes; i++) cells->at[range->base - base + i] = NULL;
    free(range);
}

static void run_ranges(uint64_t seed, uint64_t base)
{
    struct dice dice = { seed };
    struct cells cells = { .ranges = { NULL, 0 } };
    for (int step = 0; step < 400; step++) {
        struct range *range = cells.at[dice_below(&dice, CELLS)];
        if (dice_chance(&dice, 55)) add_range(&cells, base, &dice);
        else if (range && dice_chance(&dice, 40)) rl_range_weigh(range, dice_next(&dice) % 20);
        else if (range) remove_range(&cells, base, range);
        check_heavy(&cells, 1 + dice_next(&dice) % 20);
        if (step % 20 == 19) check_cells(&cells, base);
    }
    for (int i = 0; i < CELLS; i++)
        if (cells.at[i]) remove_range(&cells, base, cells.at[i]);
    assert_null(cells.ranges.root);
}

static void ranges_are_found_as_the_model_says(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < (uint64_t)scaled(60); seed++) {
        run_ranges(seed, 0x1000);
        run_ranges(seed, 0);
        run_ranges(seed, UINT64_MAX - CELLS + 1); /* up to the last address */
    }
}

/* ---- Extents ------------------------------------------------------------------------ */

enum { GRAIN = 64, GRAINS = 256 };
#define BASE UINT64_C(0x40000)

struct model {
    struct extents extents;
    struct extent *owner[GRAINS]; /* the used extent on each grain, or NULL */
};

static void open_model(struct model *model, enum extents_order order)
{
    memset(model, 0, sizeof *model);
    assert_int_equal(sim_extents_open(&model->extents, order, BASE, GRAIN * GRAINS, GRAIN),
                     RILL_SUCCESS);
}

/* The extents say what the model says, and no two free ones are neighbours. */
static void check_model(const struct model *model)
{
    const struct extent *extent = sim_extents_first(&model->extents), *last = NULL;
    uint64_t next = BASE;
    for (; extent; last = extent, extent = sim_extent_next(extent)) {
        assert_true(extent->range.base == next && extent->range.bytes);
        assert_false(last && !last->used && !extent->used);
        assert_true(extent->range.weight == (extent->used ? 0 : extent->range.bytes));
        assert_true(extent->stale <= extent->range.bytes);
        next = rl_range_end(&extent->range);
        for (uint64_t at = extent->range.base; at < next; at += GRAIN) {
            assert_ptr_equal(model->owner[(at - BASE) / GRAIN], extent->used ? extent : NULL);
            assert_ptr_equal(sim_extents_at(&model->extents, at + GRAIN - 1), extent);
        }
    }
    assert_true(next == BASE + GRAIN * GRAINS);
    assert_null(sim_extents_at(&model->extents, BASE - 1));
    assert_null(sim_extents_at(&model->extents, next));
}

/* How many free grains there are from this one on. */
static int run_from(const struct model *model, int i)
{
    int run = 0;
    while (i + run < GRAINS && !model->owner[i + run]) run++;
    return run;
}

/* The size of the free extent that `count` grains are to come from, and in
 * *first the first one of that size; 0: there is none. */
static int run_for(const struct model *model, int count, int *first)
{
    int best = 0;
    for (int i = 0, run; i < GRAINS; i += run + 1) {
        run = run_from(model, i);
        if (run < count || (best && model->extents.order == EXTENTS_LOWEST)) continue;
        if (best && run >= best) continue;
        best = run;
        *first = i;
    }
    return best;
}

static void own(struct model *model, struct extent *used)
{
    for (uint64_t at = 0; at < used->range.bytes; at += GRAIN)
        model->owner[(used->range.base - BASE + at) / GRAIN] = used;
}

static void take(struct model *model, int count, struct dice *dice)
{
    uint64_t bytes = (uint64_t)count * GRAIN;
    int first = 0, run = run_for(model, count, &first);
    struct extent *from = sim_extents_fit(&model->extents, bytes);
    assert_true((run > 0) == (from != NULL));
    if (!from) return;
    uint64_t base = from->range.base;
    assert_true(from->range.bytes == (uint64_t)run * GRAIN);
    if (model->extents.order == EXTENTS_LOWEST) assert_true(base == BASE + (uint64_t)first * GRAIN);
    uint64_t spare = (from->range.bytes - bytes) / GRAIN, offset = 0;
    if (dice_chance(dice, 30)) offset = dice_next(dice) % (spare + 1) * GRAIN;
    struct extent *used = sim_extents_carve(&model->extents, from, offset, bytes);
    assert_non_null(used);
    assert_true(used->used && used->range.bytes == bytes);
    assert_true(used->range.base == base + offset);
    own(model, used);
}

static void split(struct model *model, struct extent *used, struct dice *dice)
{
    uint64_t grains = used->range.bytes / GRAIN;
    if (grains < 2) return;
    uint64_t keep = (1 + dice_next(dice) % (grains - 1)) * GRAIN, bytes = used->range.bytes;
    struct extent *rest = sim_extents_split(&model->extents, used, keep);
    assert_non_null(rest);
    assert_true(rest->used && used->range.bytes == keep && rest->range.bytes == bytes - keep);
    own(model, rest);
}

static void give(struct model *model, struct extent *used, uint64_t stale)
{
    uint64_t base = used->range.base;
    for (uint64_t at = 0; at < used->range.bytes; at += GRAIN)
        model->owner[(base - BASE + at) / GRAIN] = NULL;
    struct extent *free = sim_extents_release(&model->extents, used, stale);
    assert_true(!free->used && rl_range_holds(&free->range, base));
}

static void run_extents(uint64_t seed, enum extents_order order)
{
    struct dice dice = { seed };
    struct model model;
    open_model(&model, order);
    for (int step = 0; step < 500; step++) {
        struct extent *used = model.owner[dice_below(&dice, GRAINS)];
        if (dice_chance(&dice, 55)) take(&model, 1 + dice_below(&dice, 24), &dice);
        else if (used && dice_chance(&dice, 25)) split(&model, used, &dice);
        else if (used) give(&model, used, dice_next(&dice) % (used->range.bytes + 1));
        if (step % 10 == 9) check_model(&model);
    }
    for (int i = 0; i < GRAINS; i++)
        if (model.owner[i]) give(&model, model.owner[i], 0);
    check_model(&model);
    assert_true(sim_extents_first(&model.extents)->range.bytes == GRAIN * GRAINS);
    sim_extents_close(&model.extents);
}

static void extents_do_what_the_model_says(void **state)
{
    (void)state;
    long before = rl_alloc_live();
    for (uint64_t seed = 0; seed < (uint64_t)scaled(100); seed++) {
        run_extents(seed, EXTENTS_LOWEST);
        run_extents(seed, EXTENTS_SMALLEST);
    }
    assert_true(rl_alloc_live() == before);
}

static void extents_without_memory_change_nothing(void **state)
{
    (void)state;
    struct model model;
    long before = rl_alloc_live();
    rl_alloc_fail_after(0);
    assert_int_equal(sim_extents_open(&model.extents, EXTENTS_LOWEST, BASE, GRAIN, GRAIN),
                     RILL_ERROR_OUT_OF_MEMORY);
    rl_alloc_fail_after(-1);
    open_model(&model, EXTENTS_SMALLEST);
    long open = rl_alloc_live();
    for (long after = 0; after < 2; after++) { /* a part in the middle needs two nodes */
        rl_alloc_fail_after(after);
        struct extent *all = sim_extents_first(&model.extents);
        assert_null(sim_extents_carve(&model.extents, all, GRAIN, GRAIN));
        rl_alloc_fail_after(-1);
        check_model(&model);
        assert_true(rl_alloc_live() == open);
    }
    struct extent *used =
        sim_extents_carve(&model.extents, sim_extents_first(&model.extents), 0, 2 * GRAIN);
    own(&model, used);
    rl_alloc_fail_after(0);
    assert_null(sim_extents_split(&model.extents, used, GRAIN));
    rl_alloc_fail_after(-1);
    check_model(&model);
    sim_extents_close(&model.extents);
    assert_true(rl_alloc_live() == before);
    assert_true(sim_extents_round(&model.extents, UINT64_MAX) == 0);
    assert_true(sim_extents_round(&model.extents, 1) == GRAIN);
    assert_true(sim_extents_round(&model.extents, GRAIN) == GRAIN);
}

/* A million live extents; every third goes, and comes back as two. */
static void a_million_extents_are_no_burden(void **state)
{
    (void)state;
    int count = scaled(1000000);
    struct extents extents;
    struct extent **all = calloc((size_t)count, sizeof *all);
    assert_non_null(all);
    assert_int_equal(sim_extents_open(&extents, EXTENTS_LOWEST, BASE, (uint64_t)count * 2 * GRAIN,
                                      GRAIN),
                     RILL_SUCCESS);
    for (int i = 0; i < count; i++) {
        all[i] = sim_extents_carve(&extents, sim_extents_fit(&extents, 2 * GRAIN), 0, 2 * GRAIN);
        assert_non_null(all[i]);
    }
    assert_null(sim_extents_fit(&extents, 1));
    for (int i = 0; i < count; i += 3) sim_extents_release(&extents, all[i], 0);
    for (int i = 0; i < count; i += 3) {
        uint64_t base = BASE + (uint64_t)i * 2 * GRAIN;
        for (uint64_t half = 0; half < 2; half++) {
            struct extent *used =
                sim_extents_carve(&extents, sim_extents_fit(&extents, GRAIN), 0, GRAIN);
            assert_true(used && used->range.base == base + half * GRAIN);
        }
    }
    sim_extents_close(&extents);
    free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_found_as_the_model_says),
        cmocka_unit_test(extents_do_what_the_model_says),
        cmocka_unit_test(extents_without_memory_change_nothing),
        cmocka_unit_test(a_million_extents_are_no_burden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
