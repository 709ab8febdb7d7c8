/* SPDX-License-Identifier: Apache-2.0
 *
 * Changes of execs: when memory is short all of a change is made or nothing, whether
 * launches are pending or not, and nothing of one that is refused is left behind; what is
 * changed again and again does not pile up.
 */
#include "sim/machine.h"

#include "backend-sim/exec/exec.h"
#include "backend-sim/graph/user_object.h"

/* A graph whose nodes fill words with a number: one of its own, one in a child graph, one
 * in the body of a conditional. */
enum { OWN, CHILD, BODY, WORDS };

struct graph {
    rill_graph *graph, *inside, *body;
    rill_node own, child, condition;
};

struct scene {
    struct machine m;
    rill_devptr words;
    struct graph graph;
    rill_exec *exec;
};

static rill_op fill_of(const struct scene *s, int word, uint32_t value)
{
    return (rill_op){ .kind = RILL_OP_MEMSET,
                      .memset = { .dst = s->words + 4 * (unsigned)word, .value = value,
                                  .element_bytes = 4, .width = 1, .height = 1 } };
}

static rill_node add(rill_graph *graph, rill_op op)
{
    rill_node node = NULL;
    ok(rill_graph_add_node(graph, NULL, 0, &op, &node));
    return node;
}

static void join(rill_graph *graph, rill_node from, rill_node to)
{
    ok(rill_graph_add_edges(graph, &from, &to, NULL, 1));
}

/* `turned`: its nodes are created in another order, so that they are paired one by one. */
static struct graph build(struct scene *s, uint32_t value, bool turned)
{
    struct graph g = { .graph = machine_graph(s->m.context[0]),
                       .inside = machine_graph(s->m.context[0]) };
    rill_conditional handle;
    add(g.inside, fill_of(s, CHILD, value));
    ok(rill_conditional_create(g.graph, 1, RILL_CONDITIONAL_ASSIGN, &handle));
    if (!turned) g.own = add(g.graph, fill_of(s, OWN, value));
    ok(rill_graph_add_child(g.graph, NULL, 0, g.inside, 0, &g.child));
    ok(rill_graph_add_conditional(g.graph, NULL, 0, handle, RILL_CONDITIONAL_IF, 1, &g.body,
                                  &g.condition));
    if (turned) g.own = add(g.graph, fill_of(s, OWN, value));
    join(g.graph, g.own, g.child);
    join(g.graph, g.child, g.condition);
    add(g.body, fill_of(s, BODY, value));
    return g;
}

static void raze(struct graph *g)
{
    ok(rill_graph_destroy(&g->graph));
    ok(rill_graph_destroy(&g->inside));
}

static void open_scene(struct scene *s)
{
    machine_open(&s->m, 0);
    ok(rill_mem_alloc(s->m.context[0], 4 * WORDS, &s->words));
    s->graph = build(s, 1, false);
    ok(rill_exec_create(s->graph.graph, NULL, &s->exec));
}

static void close_scene(struct scene *s)
{
    ok(rill_exec_destroy(&s->exec));
    raze(&s->graph);
    ok(rill_mem_free(s->m.context[0], s->words));
    machine_close(&s->m);
}

/* What a launch from now on leaves in the words. */
static void leaves(struct scene *s, uint32_t own, uint32_t child, uint32_t body)
{
    uint32_t words[WORDS];
    ok(rill_memset_d32_async(s->m.stream[0], s->words, 0, WORDS));
    ok(rill_exec_launch(s->exec, s->m.stream[0]));
    ok(rill_stream_synchronize(s->m.stream[0]));
    ok(rill_memcpy_dtoh(s->m.context[0], words, s->words, sizeof words));
    if (words[OWN] == own && words[CHILD] == child && words[BODY] == body) return;
    fail_msg("%u %u %u, not %u %u %u", words[OWN], words[CHILD], words[BODY], own, child, body);
}

/* ---- The changes -------------------------------------------------------------------------- */

struct change {
    rill_status (*make)(struct scene *s, const struct graph *to);
    bool turned;
    uint32_t own, child, body; /* what is left once it is made, of 1 before and 2 in `to` */
};

static rill_status update(struct scene *s, const struct graph *to)
{
    return rill_exec_update(s->exec, to->graph, NULL);
}

static rill_status set_node(struct scene *s, const struct graph *to)
{
    const rill_op op = fill_of(s, OWN, 2);
    (void)to;
    return rill_exec_set_op(s->exec, s->graph.own, &op);
}

static rill_status set_child(struct scene *s, const struct graph *to)
{
    const rill_op op = { .kind = RILL_OP_GRAPH, .graph = { .graph = to->inside } };
    return rill_exec_set_op(s->exec, s->graph.child, &op);
}

static rill_status disable(struct scene *s, const struct graph *to)
{
    (void)to;
    return rill_exec_set_enabled(s->exec, s->graph.own, 0);
}

static const struct change changes[] = {
    { update, false, 2, 2, 2 }, { update, true, 2, 2, 2 }, { set_node, false, 2, 1, 1 },
    { set_child, false, 1, 2, 1 }, { disable, false, 0, 1, 1 },
};

/* Makes it, with each allocation failing in turn.  `busy`: a launch is pending meanwhile. */
static void change_with_little(const struct change *change, bool busy)
{
    struct scene s;
    rill_status status = RILL_ERROR_OUT_OF_MEMORY;
    open_scene(&s);
    struct graph to = build(&s, 2, change->turned);
    long nth = 0;
    for (; status; nth++) {
        int held = -1;
        if (busy) {
            held = gate(&s.m, s.m.stream[0]);
            ok(rill_exec_launch(s.exec, s.m.stream[0]));
        }
        long live = rl_alloc_live();
        rl_alloc_fail_after(nth);
        status = change->make(&s, &to);
        rl_alloc_fail_after(-1);
        if (status) is(RILL_ERROR_OUT_OF_MEMORY, status);
        /* What was promised is noted once. */
        if (status) assert_true(rl_alloc_live() <= live + 3);
        if (held >= 0) open_gate(&s.m, held);
        ok(rill_stream_synchronize(s.m.stream[0]));
        if (status) leaves(&s, 1, 1, 1);
    }
    assert_true(nth > 1 || !busy); /* one node, and at once: there may be room */
    leaves(&s, change->own, change->child, change->body);
    raze(&to);
    close_scene(&s);
}

static void a_change_that_memory_was_short_for_is_not_made(void **state)
{
    (void)state;
    long live = rl_alloc_live();
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        for (int busy = 0; busy < 2; busy++) change_with_little(&changes[i], busy);
    assert_true(comes_down_to(live));
}

/* ---- Again and again ---------------------------------------------------------------------- */

static void count_down(void *data)
{
    --*(int *)data;
}

/* Two graphs take turns in the node, each with an object that it keeps alive. */
static void what_children_keep_alive_is_kept_once(void **state)
{
    struct scene s;
    int alive = 2;
    (void)state;
    open_scene(&s);
    struct graph to[] = { build(&s, 2, false), build(&s, 3, false) };
    for (int i = 0; i < 2; i++) {
        rill_user_object *object = NULL;
        ok(rill_user_object_create(s.m.platform, &alive, count_down, 5, &object));
        ok(rill_graph_retain_user_object(to[i].inside, object, 5, RILL_USER_OBJECT_MOVE));
    }
    for (int i = 0; i < 10; i++) ok(set_child(&s, &to[i % 2]));
    assert_int_equal(sim_exec_of(s.exec)->users->count, 2);
    for (int i = 0; i < 2; i++) raze(&to[i]);
    leaves(&s, 1, 3, 1);
    assert_int_equal(alive, 2);
    close_scene(&s);
    assert_int_equal(alive, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_that_memory_was_short_for_is_not_made),
        cmocka_unit_test(what_children_keep_alive_is_kept_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
