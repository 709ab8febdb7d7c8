/* SPDX-License-Identifier: Apache-2.0
 *
 * The classes of schedules of programs that are data: as many as brute force finds among all
 * orders, with the same final states.
 *
 *     RILL_EXPLORE_PROGRAMS  how many of each kind; default 300
 *     RILL_EXPLORE_SEED      the first one's number
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/abstract.h"
#include "explore/explorer.h"
#include "support/cmocka_all.h"

#define PROGRAMS 300
#define RUNS_MOST 1000000

static unsigned long number_of(const char *name, unsigned long otherwise)
{
    const char *value = getenv(name);
    return value && *value ? strtoul(value, NULL, 10) : otherwise;
}

/* ---- A machine ----------------------------------------------------------------------------- */

static struct xp_name name_of(unsigned op)
{
    return (struct xp_name){ .stream = 1 + op, .number = 1, .place = XP_WHOLE };
}

static bool is_named(unsigned op, const struct xp_name *names, size_t count, size_t *at)
{
    const struct xp_name name = name_of(op);
    for (*at = 0; *at < count; ++*at)
        if (xp_same_name(&name, &names[*at])) return true;
    return false;
}

/* Returns the operation that is next: one that nobody named, else the first of those named, else
 * any; or -1. */
static int choose(const struct abstract *program, const struct abstract_state *state,
                  const struct xp_name *names, size_t count)
{
    int best = -1;
    size_t least = SIZE_MAX, at;
    for (unsigned i = 0; i < program->count; i++) {
        if (!abstract_can_run(program, state, i)) continue;
        if (!is_named(i, names, count, &at)) return (int)i;
        if (at < least) least = at, best = (int)i;
    }
    return best;
}

static bool conflicts_at_all(const struct abstract *program, const struct abstract_state *state,
                             const unsigned *order, unsigned count, unsigned at)
{
    for (unsigned i = 0; i < count; i++)
        if (i != at && abstract_conflict(program, state, order[i], order[at])) return true;
    return false;
}

/* Describes a run as the layer does. */
static struct xp_outcome describe(const struct abstract *program,
                                  const struct abstract_state *state, const unsigned *order,
                                  unsigned count)
{
    struct xp_outcome outcome = { .others = 0 };
    unsigned steps[OPS_MAX], n = 0;
    for (unsigned i = 0; i < count; i++) {
        assert_true(xp_order_add(&outcome.taken, name_of(order[i])));
        if (!conflicts_at_all(program, state, order, count, i)) continue;
        steps[n++] = order[i];
        assert_true(xp_order_add(&outcome.steps, name_of(order[i])));
    }
    assert_true(xp_pairs_init(&outcome.before, n));
    assert_true(xp_pairs_init(&outcome.conflicts, n));
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++) {
            if (program->promised[steps[j]] >> steps[i] & 1) xp_pairs_add(&outcome.before, i, j);
            if (i != j && abstract_conflict(program, state, steps[i], steps[j]))
                xp_pairs_add(&outcome.conflicts, i, j);
        }
    return outcome;
}

static struct xp_outcome run_once(const struct abstract *program, const struct xp_name *names,
                                  size_t count, struct abstract_set *states)
{
    struct abstract_state state = { .done = 0 };
    unsigned order[OPS_MAX], taken = 0;
    for (int op; (op = choose(program, &state, names, count)) >= 0; order[taken++] = (unsigned)op)
        abstract_run(program, &state, (unsigned)op);
    abstract_set_add(states, abstract_hash(state.words));
    return describe(program, &state, order, taken);
}

/* ---- Exploring ----------------------------------------------------------------------------- */

static void explore(const struct abstract *program, uint32_t part, uint32_t parts,
                    struct xp_explorer *explorer, struct abstract_set *states)
{
    const struct xp_limits limits = { .runs = RUNS_MOST, .steps = 64, .part = part,
                                      .parts = parts };
    struct xp_plan plan = { .key = 0 };
    xp_explorer_init(explorer, &limits);
    while (xp_explorer_next(explorer, &plan)) {
        struct xp_outcome outcome = run_once(program, plan.order.items, plan.order.count, states);
        xp_explorer_tell(explorer, &plan, &outcome);
    }
    xp_order_fini(&plan.order);
}

/* Of the programs of a test. */
static struct {
    uint64_t programs, classes, most;
} seen;

static void check_program(uint64_t seed, const struct abstract *program, bool steady)
{
    struct xp_explorer explorer;
    struct abstract_set classes = { .count = 0 }, states = { .count = 0 }, found = { .count = 0 };
    abstract_all(program, &classes, &states);
    explore(program, 0, 1, &explorer, &found);
    if (explorer.explored != classes.count || !abstract_set_same(&states, &found))
        print_message("# program %llu\n", (unsigned long long)seed);
    assert_int_equal(explorer.explored, classes.count);
    assert_int_equal(explorer.classes_known, classes.count);
    assert_true(abstract_set_same(&states, &found));
    assert_true(xp_explorer_is_complete(&explorer));
    if (steady) {
        assert_int_equal(explorer.runs, classes.count);
        assert_false(explorer.varies);
    }
    seen.programs++;
    seen.classes += classes.count;
    if (classes.count > seen.most) seen.most = classes.count;
    xp_explorer_fini(&explorer);
    abstract_set_free(&classes);
    abstract_set_free(&states);
    abstract_set_free(&found);
}

static void check_programs(bool turns, bool blocks)
{
    unsigned long first = number_of("RILL_EXPLORE_SEED", 0);
    memset(&seen, 0, sizeof seen);
    unsigned long count = number_of("RILL_EXPLORE_PROGRAMS", PROGRAMS);
    for (uint64_t seed = first; seed < first + count; seed++) {
        struct abstract program = abstract_draw(seed, turns, blocks);
        check_program(seed, &program, !turns && !blocks);
    }
    print_message("# %llu programs have %llu classes, one of them %llu\n",
                  (unsigned long long)seen.programs, (unsigned long long)seen.classes,
                  (unsigned long long)seen.most);
}

static void each_class_is_explored_once(void **state)
{
    (void)state;
    check_programs(false, false);
}

static void accesses_may_depend_on_what_was_written(void **state)
{
    (void)state;
    check_programs(true, false);
}

static void operations_may_wait_for_what_others_write(void **state)
{
    (void)state;
    check_programs(false, true);
}

/* ---- Single programs ----------------------------------------------------------------------- */

static void a_program_without_conflicts_has_one_class(void **state)
{
    (void)state;
    const struct abstract program = { .count = 2, .ops = { { .stream = 0, .writes = 1 },
                                                           { .stream = 1, .writes = 2 } } };
    check_program(0, &program, true);
}

/* n writers of one word, each in its stream, have n! classes. */
static void writers_of_one_word_come_in_each_order(void **state)
{
    (void)state;
    struct abstract program = { .count = 5 };
    struct abstract_set states = { .count = 0 };
    struct xp_explorer explorer;
    for (unsigned i = 0; i < program.count; i++)
        program.ops[i] = (struct abstract_op){ .stream = i, .writes = 1 };
    explore(&program, 0, 1, &explorer, &states);
    assert_int_equal(explorer.runs, 120);
    assert_int_equal(explorer.explored, 120);
    assert_int_equal(states.count, 5);
    xp_explorer_fini(&explorer);
    abstract_set_free(&states);
}

/* ---- Parts and bounds ---------------------------------------------------------------------- */

static void parts_share_nothing_and_are_all_together(void **state)
{
    (void)state;
    const uint32_t parts = 3;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct abstract program = abstract_draw(seed, false, false);
        struct abstract_set classes = { .count = 0 }, states = { .count = 0 };
        struct abstract_set found = { .count = 0 };
        uint64_t explored = 0, runs = 0;
        abstract_all(&program, &classes, &states);
        for (uint32_t part = 0; part < parts; part++) {
            struct xp_explorer explorer;
            explore(&program, part, parts, &explorer, &found);
            assert_int_equal(explorer.classes_known, classes.count);
            assert_true(xp_explorer_is_complete(&explorer));
            explored += explorer.explored;
            runs += explorer.runs;
            xp_explorer_fini(&explorer);
        }
        assert_int_equal(explored, classes.count);
        assert_true(runs < classes.count + parts); /* the first run is each part's */
        assert_true(abstract_set_same(&states, &found));
        abstract_set_free(&classes);
        abstract_set_free(&states);
        abstract_set_free(&found);
    }
}

/* Runs that are told in another order than planned, up to three at a time, with what varies. */
static void runs_may_overlap(void **state)
{
    enum { AT_ONCE = 3 };
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct abstract program = abstract_draw(seed, seed & 1, false);
        struct abstract_set classes = { .count = 0 }, states = { .count = 0 };
        struct abstract_set found = { .count = 0 };
        const struct xp_limits limits = { .runs = RUNS_MOST, .steps = 64, .parts = 1 };
        struct xp_plan plans[AT_ONCE] = { { .key = 0 } };
        struct xp_explorer explorer;
        unsigned planned;
        abstract_all(&program, &classes, &states);
        xp_explorer_init(&explorer, &limits);
        do {
            planned = 0;
            while (planned < AT_ONCE && xp_explorer_next(&explorer, &plans[planned])) planned++;
            for (unsigned i = planned; i-- > 0;) {
                struct xp_outcome outcome = run_once(&program, plans[i].order.items,
                                                     plans[i].order.count, &found);
                xp_explorer_tell(&explorer, &plans[i], &outcome);
            }
        } while (planned);
        assert_int_equal(explorer.explored, classes.count);
        assert_true(xp_explorer_is_complete(&explorer));
        assert_true(abstract_set_same(&states, &found));
        for (unsigned i = 0; i < AT_ONCE; i++) xp_order_fini(&plans[i].order);
        xp_explorer_fini(&explorer);
        abstract_set_free(&classes);
        abstract_set_free(&states);
        abstract_set_free(&found);
    }
}

static void a_bound_is_told(void **state)
{
    (void)state;
    const struct xp_limits runs = { .runs = 3, .steps = 64, .parts = 1 };
    const struct xp_limits steps = { .runs = 100, .steps = 4, .parts = 1 };
    struct abstract program = { .count = 5 };
    const struct xp_limits *limits[] = { &runs, &steps };
    for (unsigned i = 0; i < program.count; i++)
        program.ops[i] = (struct abstract_op){ .stream = i, .writes = 1 };
    for (unsigned i = 0; i < 2; i++) {
        struct xp_plan plan = { .key = 0 };
        struct xp_explorer explorer;
        struct abstract_set states = { .count = 0 };
        xp_explorer_init(&explorer, limits[i]);
        while (xp_explorer_next(&explorer, &plan)) {
            struct xp_outcome outcome = run_once(&program, plan.order.items, plan.order.count,
                                                 &states);
            xp_explorer_tell(&explorer, &plan, &outcome);
        }
        xp_order_fini(&plan.order);
        assert_false(xp_explorer_is_complete(&explorer));
        assert_int_equal(explorer.too_many_runs, limits[i] == &runs);
        assert_int_equal(explorer.too_many_steps, limits[i] == &steps);
        assert_int_equal(explorer.runs, limits[i] == &runs ? 3 : 1);
        xp_explorer_fini(&explorer);
        abstract_set_free(&states);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_without_conflicts_has_one_class),
        cmocka_unit_test(writers_of_one_word_come_in_each_order),
        cmocka_unit_test(each_class_is_explored_once),
        cmocka_unit_test(accesses_may_depend_on_what_was_written),
        cmocka_unit_test(operations_may_wait_for_what_others_write),
        cmocka_unit_test(parts_share_nothing_and_are_all_together),
        cmocka_unit_test(runs_may_overlap),
        cmocka_unit_test(a_bound_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
