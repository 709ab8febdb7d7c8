/* SPDX-License-Identifier: Apache-2.0
 *
 * A kind of node that is made up, added as doc/internals/adding-a-kind.md says and with
 * nothing but this file: its row, its line in the table of the simulator, and its line in
 * that of the core.  Each table is an object of its own, so the linker takes the ones below
 * instead of those in the library.  The kind has the number of one that rill refuses.
 *
 * A tally node adds a number to a sum of the host.
 */
#include "sim/graphs/node_scene.h"

#include "backend-sim/graph/task_slab.h"
#include "backend-sim/node/dot.h"
#include "backend-sim/node/may_replace.h"
#include "core/op/op_check.h"
#include "sim/graphs/kind_rules.h"

#define OP_TALLY RILL_OP_SEMAPHORE_SIGNAL

/* ---- 1. The operation -------------------------------------------------------------- */

static rill_op tally_op(uint64_t *sum, uint64_t by)
{
    rill_op op = { .kind = OP_TALLY };
    op.reserved[0] = (uint64_t)(uintptr_t)sum;
    op.reserved[1] = by;
    return op;
}

/* ---- 2. The core ------------------------------------------------------------------- */

static rill_status check_tally_op(const rill_op *op, const void *peer)
{
    (void)peer;
    return rl_required((const void *)(uintptr_t)op->reserved[0], "op->tally.sum");
}

rl_op_check *const rl_op_checks[RL_OP_KINDS] = {
    [RILL_OP_GRAPH] = rl_check_graph_op,
    [OP_TALLY] = check_tally_op,
};

/* ---- 3. The simulator -------------------------------------------------------------- */

struct tally_task {
    struct task task;
    uint64_t *sum;
    uint64_t by;
};

static int tallies; /* tasks that live */

static struct tally_task *tally_of(const struct task *task)
{
    return (struct tally_task *)(uintptr_t)task;
}

static void tally_run(struct task *task)
{
    *tally_of(task)->sum += tally_of(task)->by;
}

static void tally_free(struct task *task)
{
    tallies--;
    sim_task_free(task);
}

static void tally_read(const struct task *task, rill_op *op)
{
    *op = tally_op(tally_of(task)->sum, tally_of(task)->by);
}

static rill_status tally_create(const struct node_site *site, const rill_op *op,
                                const struct task *before, struct task **task)
{
    (void)before;
    if (!op->reserved[1])
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->tally.by", "it adds nothing");
    struct tally_task *tally = sim_task_alloc(sim_task_room(site->context), sizeof *tally);
    if (!tally) return sim_out_of_memory_for_node();
    sim_task_init(&tally->task, sim_kinds[OP_TALLY], 0);
    tally->sum = (uint64_t *)(uintptr_t)op->reserved[0];
    tally->by = op->reserved[1];
    tallies++;
    *task = &tally->task;
    return RILL_SUCCESS;
}

static bool tally_may_replace(const struct task *before, const struct task *after,
                              bool priorities, struct update_refusal *refusal)
{
    (void)priorities;
    if (tally_of(before)->sum == tally_of(after)->sum) return true;
    return sim_refuse_update(refusal, "sum", "its sum cannot change");
}

static void tally_draw(struct dot *dot, uint32_t slot, const struct task *task, const rill_op *op)
{
    (void)task, (void)op;
    sim_dot_box_plain(dot, slot, "TALLY");
    sim_dot_box_end(dot);
}

static void tally_draw_record(struct dot *dot, uint32_t slot, const struct task *task,
                              const rill_op *op)
{
    (void)task;
    sim_dot_record_begin(dot, "solid", "TALLY");
    sim_dot_record_id(dot, slot, " | by");
    sim_dot_print(dot, " | %u}}\n", (unsigned)op->reserved[1]);
    sim_dot_record_end(dot);
}

static const struct node_kind kind_tally = {
    .op = OP_TALLY, .traits = KIND_IS_PLAIN | KIND_CAN_BE_DISABLED | KIND_IN_BODIES,
    .inside = INSIDE_ALL,
    .run = tally_run, .free = tally_free, .read = tally_read, .create = tally_create,
    .may_replace = tally_may_replace,
    .draw = tally_draw, .draw_record = tally_draw_record, .record_flag = RILL_DOT_HOST_PARAMS,
};

const struct node_kind *const sim_kinds[RL_OP_KINDS] = {
    [RILL_OP_GRAPH] = &sim_kind_child,
    [RILL_OP_EMPTY] = &sim_kind_empty,
    [OP_TALLY] = &kind_tally,
};

/* ---- What it can do by then -------------------------------------------------------- */

struct scene {
    struct machine m;
    rill_graph *graph;
    rill_node node;
    rill_exec *exec;
    uint64_t sum;
};

static void open_scene(struct scene *s)
{
    *s = (struct scene){ .sum = 0 };
    machine_open(&s->m, 0);
    s->graph = machine_graph(s->m.context[0]);
    s->node = add(s->graph, tally_op(&s->sum, 5));
    ok(rill_exec_create(s->graph, NULL, &s->exec));
}

static void close_scene(struct scene *s)
{
    ok(rill_exec_destroy(&s->exec));
    ok(rill_graph_destroy(&s->graph));
    machine_close(&s->m);
    assert_int_equal(tallies, 0);
}

/* A launch of the exec adds this to the sum. */
static void adds(struct scene *s, rill_exec *exec, uint64_t by)
{
    uint64_t before = s->sum;
    ok(rill_exec_launch(exec, s->m.stream[0]));
    ok(rill_stream_synchronize(s->m.stream[0]));
    assert_int_equal(s->sum - before, by);
}

static void its_row_is_complete(void **state)
{
    (void)state;
    const char *missing = lacks(sim_kinds[OP_TALLY], OP_TALLY);
    if (missing) fail_msg("the row of tally nodes: %s", missing);
}

static void a_node_of_it_is_added_read_and_set(void **state)
{
    (void)state;
    struct scene s;
    rill_op_kind kind;
    rill_op op;
    open_scene(&s);
    ok(rill_node_kind(s.graph, s.node, &kind));
    assert_int_equal(kind, OP_TALLY);
    ok(rill_node_get_op(s.graph, s.node, &op));
    assert_int_equal(op.reserved[1], 5);
    op = tally_op(&s.sum, 7);
    ok(rill_node_set_op(s.graph, s.node, &op));
    ok(rill_node_get_op(s.graph, s.node, &op));
    assert_int_equal(op.reserved[1], 7);
    op = (rill_op){ .kind = RILL_OP_EMPTY };
    is(INVALID, rill_node_set_op(s.graph, s.node, &op));
    blames("op->kind", "of the kind semaphore signal", "which it keeps");
    close_scene(&s);
}

static void what_is_wrong_with_it_is_refused(void **state)
{
    (void)state;
    struct scene s;
    rill_node node;
    open_scene(&s);
    rill_op op = tally_op(NULL, 1);
    is(INVALID, rill_graph_add_node(s.graph, NULL, 0, &op, &node));
    op = tally_op(&s.sum, 0);
    is(INVALID, rill_graph_add_node(s.graph, NULL, 0, &op, &node));
    blames("op->tally.by", "adds nothing", "");
    op = tally_op(&s.sum, 1);
    is(INVALID, rill_graph_add_node(s.graph, (rill_node[]){ s.node, s.node }, 2, &op, &node));
    blames("dependencies", "twice", "");
    close_scene(&s);
}

static void it_is_launched_alone_and_among_others(void **state)
{
    (void)state;
    struct scene s;
    rill_exec *exec = NULL;
    open_scene(&s);
    adds(&s, s.exec, 5);
    adds(&s, s.exec, 5);
    rill_node behind[3];
    for (int i = 0; i < 3; i++) {
        rill_op op = tally_op(&s.sum, 10);
        ok(rill_graph_add_node(s.graph, i ? &behind[i - 1] : &s.node, 1, &op, &behind[i]));
    }
    ok(rill_graph_add_empty(s.graph, &s.node, 1, &behind[0])); /* no line any more */
    ok(rill_exec_create(s.graph, NULL, &exec));
    adds(&s, exec, 35);
    ok(rill_exec_destroy(&exec));
    close_scene(&s);
}

static void a_node_of_an_exec_is_changed(void **state)
{
    (void)state;
    struct scene s;
    uint64_t other = 0;
    open_scene(&s);
    rill_op op = tally_op(&s.sum, 7);
    ok(rill_exec_set_op(s.exec, s.node, &op));
    adds(&s, s.exec, 7);
    op = tally_op(&other, 7);
    is(INVALID, rill_exec_set_op(s.exec, s.node, &op));
    blames("sum", "cannot change", "");
    ok(rill_exec_set_enabled(s.exec, s.node, 0));
    adds(&s, s.exec, 0);
    close_scene(&s);
}

static void an_exec_is_updated(void **state)
{
    (void)state;
    struct scene s;
    uint64_t other = 0;
    rill_update_result result;
    open_scene(&s);
    rill_graph *from = machine_graph(s.m.context[0]);
    rill_node node = add(from, tally_op(&s.sum, 9));
    ok(rill_exec_update(s.exec, from, &result));
    adds(&s, s.exec, 9);
    rill_op op = tally_op(&other, 9);
    ok(rill_node_set_op(from, node, &op));
    is(RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE, rill_exec_update(s.exec, from, &result));
    assert_int_equal(result.reason, RILL_UPDATE_PARAMETERS_CHANGED);
    assert_ptr_equal(result.node, node);
    adds(&s, s.exec, 9);
    ok(rill_graph_destroy(&from));
    close_scene(&s);
}

static void it_is_copied_with_its_graph(void **state)
{
    (void)state;
    struct scene s;
    rill_graph *clone = NULL, *around = NULL;
    rill_exec *exec = NULL;
    rill_node node;
    open_scene(&s);
    ok(rill_graph_clone(s.graph, &clone));
    ok(rill_graph_find_in_clone(clone, s.node, &node));
    around = machine_graph(s.m.context[0]);
    ok(rill_graph_add_child(around, NULL, 0, clone, 0, &node));
    ok(rill_exec_create(around, NULL, &exec));
    ok(rill_graph_destroy(&clone));
    ok(rill_graph_destroy(&around));
    adds(&s, exec, 5);
    ok(rill_exec_destroy(&exec));
    close_scene(&s);
}

struct text {
    char text[2000];
    size_t length;
};

static int take_text(void *data, const char *piece, size_t bytes)
{
    struct text *text = data;
    if (bytes >= sizeof text->text - text->length) return 1;
    memcpy(text->text + text->length, piece, bytes);
    text->length += bytes;
    text->text[text->length] = '\0';
    return 0;
}

static void it_is_drawn(void **state)
{
    (void)state;
    struct scene s;
    struct text box = { .length = 0 }, record = { .length = 0 };
    open_scene(&s);
    ok(rill_graph_write_dot(s.graph, 0, take_text, &box));
    ok(rill_graph_write_dot(s.graph, RILL_DOT_HOST_PARAMS, take_text, &record));
    assert_non_null(strstr(box.text, "shape=\"rectangle\" label=\"0\nTALLY\n"));
    assert_non_null(strstr(record.text, "{TALLY\n| {{ID | by} | {0 | 5}}"));
    close_scene(&s);
}

static void a_node_of_it_is_removed(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s);
    rill_node more = add(s.graph, tally_op(&s.sum, 1));
    assert_int_equal(tallies, 2);
    ok(rill_graph_remove_node(s.graph, more));
    assert_int_equal(tallies, 1);
    close_scene(&s);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_row_is_complete),
        cmocka_unit_test(a_node_of_it_is_added_read_and_set),
        cmocka_unit_test(what_is_wrong_with_it_is_refused),
        cmocka_unit_test(it_is_launched_alone_and_among_others),
        cmocka_unit_test(a_node_of_an_exec_is_changed),
        cmocka_unit_test(an_exec_is_updated),
        cmocka_unit_test(it_is_copied_with_its_graph),
        cmocka_unit_test(it_is_drawn),
        cmocka_unit_test(a_node_of_it_is_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
