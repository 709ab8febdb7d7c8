/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory: the layer grows with what is in flight, by some allocations for each operation, and not
 * with what has run.
 */
#include <sched.h>
#include <stdatomic.h>

#include "base/alloc.h"
#include "layer-check/pairs.h"

enum { ROUNDS = 64, OPERATIONS = 24, HELD = 4000 };

/* A program that goes on and on, with some of everything. */
struct program {
    struct checked c;
    rill_exec *exec;
    rill_stream *third;
};

static void do_nothing(void *data)
{
    (void)data;
}

static rill_exec *make_exec(struct checked *c)
{
    rill_op op = { .kind = RILL_OP_HOST, .host = { .fn = do_nothing } };
    rill_graph *graph;
    rill_node node;
    rill_exec *exec;
    OK(rill_graph_create(c->context, NULL, &graph));
    for (int i = 0; i < 8; i++) OK(rill_graph_add_node(graph, &node, i ? 1 : 0, &op, &node));
    OK(rill_exec_create(graph, NULL, &exec));
    OK(rill_graph_destroy(&graph));
    return exec;
}

static void use_everything(struct program *program, unsigned round)
{
    struct checked *c = &program->c;
    rill_devptr pooled;
    for (unsigned i = 0; i < OPERATIONS; i++) {
        OK(rill_memset_d8_async(c->s, c->x + 128 * i, 1, 64));
        OK(rill_memcpy_dtod_async(c->s, c->y, c->x, BYTES / 2));
        OK(rill_stream_write_value32(c->s, c->y + BYTES / 2, round * OPERATIONS + i, 0));
        OK(rill_stream_wait_value32(c->t, c->y + BYTES / 2, round * OPERATIONS + i,
                                    RILL_WAIT_GEQ));
        OK(rill_mem_alloc_async(c->t, BYTES, &pooled));
        OK(rill_memset_d8_async(c->t, pooled, 2, BYTES));
        OK(rill_mem_free_async(c->t, pooled));
        OK(rill_launch_host(c->t, do_nothing, NULL, NULL));
        OK(rill_exec_launch(program->exec, c->t));
        order(c, c->t, c->s);
    }
}

/* Returns how many allocations there are when the host has waited. */
static long run_rounds(struct program *program, unsigned first, unsigned end)
{
    for (unsigned round = first; round < end; round++) {
        use_everything(program, round);
        OK(rill_context_synchronize(program->c.context));
    }
    return rl_alloc_live();
}

static void a_long_run_needs_no_more_than_a_short_one(void **state)
{
    static struct program program;
    (void)state;
    begin_pair(&program.c);
    program.exec = make_exec(&program.c);
    long live = run_rounds(&program, 0, ROUNDS);
    assert_in_range(run_rounds(&program, ROUNDS, 4 * ROUNDS), 0, live + ROUNDS * OPERATIONS);
    assert_int_equal(program.c.count, 0);
    OK(rill_exec_destroy(&program.exec));
    end_pair(&program.c);
}

static atomic_bool released;

static void wait_for_release(void *data)
{
    (void)data;
    while (!atomic_load(&released)) sched_yield();
}

/* Nothing can be judged that was submitted after what is held. */
static void what_waits_to_be_judged_is_small(void **state)
{
    struct checked c;
    (void)state;
    begin_pair(&c);
    atomic_store(&released, false);
    OK(rill_launch_host(c.t, wait_for_release, NULL, NULL));
    long live = rl_alloc_live();
    for (unsigned i = 0; i < HELD; i++) OK(rill_memset_d8_async(c.s, c.x + i % BYTES, 1, 1));
    OK(rill_stream_synchronize(c.s));
    long held = rl_alloc_live() - live;
    atomic_store(&released, true);
    OK(rill_context_synchronize(c.context));
    assert_in_range(held, HELD, 4 * HELD); /* a work, its entry, what it touches */
    assert_in_range(rl_alloc_live(), 0, live + HELD);
    end_pair(&c);
}

int main(void)
{
    setenv("RILL_CHECK", "race life log=/dev/null", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_run_needs_no_more_than_a_short_one),
        cmocka_unit_test(what_waits_to_be_judged_is_small),
    };
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
