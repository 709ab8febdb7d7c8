/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of the kinds of nodes is complete, and agrees with that of the core.
 */
#include "sim/graphs/node_scene.h"

#include "core/op/op_check.h"
#include "sim/graphs/kind_rules.h"

static void every_row_is_complete(void **state)
{
    (void)state;
    for (int op = 0; op < RL_OP_KINDS; op++) {
        const char *missing = sim_kinds[op] ? lacks(sim_kinds[op], (rill_op_kind)op) : NULL;
        if (missing) fail_msg("the row of %s nodes: %s", rl_op_name((rill_op_kind)op), missing);
    }
}

static void every_kind_is_there_or_refused_by_the_core(void **state)
{
    (void)state;
    for (int op = 0; op < RL_OP_KINDS; op++) {
        rl_op_check *check = rl_op_checks[op];
        bool refused = check == rl_refuse_semaphore_signal || check == rl_refuse_semaphore_wait;
        if (!sim_kinds[op] != refused)
            fail_msg("%s nodes have %s", rl_op_name((rill_op_kind)op),
                     refused ? "a row, but the core refuses them" : "no row");
    }
}

/* Each slot that a row must have, as the copy of a complete one that forgets it. */
static void a_slot_that_is_forgotten_is_named(void **state)
{
    (void)state;
    const struct node_kind *kernel = sim_kinds[RILL_OP_KERNEL], *child = sim_kinds[RILL_OP_GRAPH];
    struct node_kind row;
    row = *kernel, row.op = RILL_OP_EMPTY;
    assert_string_equal(lacks(&row, RILL_OP_KERNEL), "op");
    row = *kernel, row.op = (rill_op_kind)RL_OP_KINDS;
    assert_string_equal(lacks(&row, (rill_op_kind)RL_OP_KINDS), "word");
    row = *kernel, row.run = NULL;
    assert_string_equal(lacks(&row, RILL_OP_KERNEL), "run");
    row = *kernel, row.free = NULL;
    assert_string_equal(lacks(&row, RILL_OP_KERNEL), "free");
    row = *kernel, row.read = NULL;
    assert_string_equal(lacks(&row, RILL_OP_KERNEL), "read");
    row = *kernel, row.create = NULL;
    assert_string_equal(lacks(&row, RILL_OP_KERNEL), "create");
    row = *kernel, row.draw = NULL, row.draw_record = NULL, row.record_flag = 0;
    assert_string_equal(lacks(&row, RILL_OP_KERNEL), "draw");
    row = *kernel, row.record_flag = 0;
    assert_string_equal(lacks(&row, RILL_OP_KERNEL), "record_flag");
    row = *child, row.graphs = NULL;
    assert_string_equal(lacks(&row, RILL_OP_GRAPH), "graphs");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_complete),
        cmocka_unit_test(every_kind_is_there_or_refused_by_the_core),
        cmocka_unit_test(a_slot_that_is_forgotten_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
