/* SPDX-License-Identifier: Apache-2.0
 *
 * Host functions that make calls: what they submit comes after them, what they wait for is done
 * when they are, and what they learn is not the host's before it has waited for them.
 */
#include <sched.h>
#include <stdatomic.h>

#include "base/alloc.h"
#include "layer-check/pairs.h"

/* A function in `s` fills x in stream `t`, and waits for that or not. */
struct caller {
    struct checked *checked;
    unsigned char *host; /* what it touches itself */
    bool waits;
    atomic_bool ended;
};

static void fill_x(void *data)
{
    struct caller *caller = data;
    rill_memset_d8_async(caller->checked->t, caller->checked->x, 7, BYTES);
    if (caller->waits) rill_stream_synchronize(caller->checked->t);
    atomic_store(&caller->ended, true);
}

static void launch_caller(struct caller *caller, void (*function)(void *))
{
    OK(rill_launch_host(caller->checked->s, function, caller, NULL));
}

/* ---- What comes after the function --------------------------------------------------------- */

static void what_it_waited_for_is_done_when_it_is_program(struct checked *c, bool good)
{
    struct caller caller = { .checked = c, .waits = good };
    launch_caller(&caller, fill_x);
    OK(rill_memset_d8_async(c->s, c->x, 1, BYTES));
    OK(rill_context_synchronize(c->context));
}
RACES(what_it_waited_for_is_done_when_it_is)

static void whoever_waits_for_it_knows_what_it_knew_program(struct checked *c, bool good)
{
    rill_stream *third = new_stream(c, RILL_STREAM_NON_BLOCKING);
    struct caller caller = { .checked = c, .waits = good };
    launch_caller(&caller, fill_x);
    OK(rill_stream_synchronize(c->s));
    write_x(c, third);
    OK(rill_context_synchronize(c->context));
    OK(rill_stream_destroy(&third));
}
RACES(whoever_waits_for_it_knows_what_it_knew)

/* It has run, and waited, but the host has not been told. */
static void nobody_else_knows_what_it_knows_program(struct checked *c, bool good)
{
    rill_stream *third = new_stream(c, RILL_STREAM_NON_BLOCKING);
    struct caller caller = { .checked = c, .waits = true };
    launch_caller(&caller, fill_x);
    while (!atomic_load(&caller.ended)) sched_yield();
    if (good) OK(rill_stream_synchronize(c->s));
    write_x(c, third);
    OK(rill_context_synchronize(c->context));
    OK(rill_stream_destroy(&third));
}
RACES(nobody_else_knows_what_it_knows)

/* ---- What comes before the function -------------------------------------------------------- */

static void what_it_submits_comes_after_what_is_before_it_program(struct checked *c, bool good)
{
    rill_stream *third = new_stream(c, RILL_STREAM_NON_BLOCKING);
    struct caller caller = { .checked = c, .waits = true };
    write_x(c, good ? c->s : third);
    launch_caller(&caller, fill_x);
    OK(rill_context_synchronize(c->context));
    OK(rill_stream_destroy(&third));
}
RACES(what_it_submits_comes_after_what_is_before_it)

static void wait_and_read(void *data)
{
    struct caller *caller = data;
    if (caller->waits) rill_stream_synchronize(caller->checked->t);
    rill_touch_host(caller->host, BYTES, RILL_TOUCH_READ);
}

/* Another stream has work of the host's thread, for which the function waits. */
static void it_may_read_what_it_has_waited_for_program(struct checked *c, bool good)
{
    struct caller caller = { .checked = c, .waits = good };
    OK(rill_host_alloc(c->context, BYTES, 0, (void **)&caller.host));
    OK(rill_memcpy_dtoh_async(c->t, caller.host, c->y, BYTES));
    launch_caller(&caller, wait_and_read);
    OK(rill_context_synchronize(c->context));
    OK(rill_host_free(c->context, caller.host));
}
RACES(it_may_read_what_it_has_waited_for)

static void wait_for_t(void *data)
{
    struct caller *caller = data;
    if (caller->waits) rill_stream_synchronize(caller->checked->t);
}

static void ask_s(void *data)
{
    struct caller *caller = data;
    rill_stream_query(caller->checked->s);
}

/* What comes after the function comes after what that has waited for. */
static void what_it_waited_for_comes_before_what_is_after_it_program(struct checked *c, bool good)
{
    struct caller caller = { .checked = c, .waits = good };
    write_x(c, c->t);
    launch_caller(&caller, wait_for_t);
    read_x(c, c->s);
    OK(rill_context_synchronize(c->context));
}
RACES(what_it_waited_for_comes_before_what_is_after_it)

/* Of two functions the second comes after the first, and a third stream after both. */
static void what_follows_from_function_to_function_program(struct checked *c, bool good)
{
    rill_stream *third = new_stream(c, RILL_STREAM_NON_BLOCKING);
    struct caller first = { .checked = c, .waits = good }, second = { .checked = c, .waits = true };
    write_x(c, c->t);
    launch_caller(&first, wait_for_t);
    order(c, c->s, third);
    OK(rill_launch_host(third, ask_s, &second, NULL));
    read_x(c, third);
    OK(rill_context_synchronize(c->context));
    OK(rill_stream_destroy(&third));
}
RACES(what_follows_from_function_to_function)

enum { TURNS = 400 };

static void callers_are_forgotten_that_the_host_has_waited_for(void **state)
{
    struct checked c;
    long live = 0;
    (void)state;
    begin_pair(&c);
    struct caller caller = { .checked = &c, .waits = true };
    for (int turn = 0; turn < TURNS; turn++) {
        launch_caller(&caller, fill_x);
        if (turn % 4 == 3) OK(rill_stream_synchronize(c.s));
        if (turn == TURNS / 2) live = rl_alloc_live();
    }
    assert_in_range(rl_alloc_live(), 0, live + TURNS / 4);
    end_pair(&c);
}

/* ---- What it touches itself ---------------------------------------------------------------- */

static void copy_and_read(void *data)
{
    struct caller *caller = data;
    rill_touch_host(caller->host, BYTES, RILL_TOUCH_WRITE);
    rill_memset_d8_async(caller->checked->t, (uintptr_t)caller->host, 1, BYTES);
    if (caller->waits) rill_stream_synchronize(caller->checked->t);
    rill_touch_host(caller->host, BYTES, RILL_TOUCH_READ);
}

static void what_it_submits_comes_after_what_it_touches(void **state)
{
    struct checked c;
    (void)state;
    begin_pair(&c);
    struct caller caller = { .checked = &c, .waits = true };
    OK(rill_host_alloc(c.context, BYTES, 0, (void **)&caller.host));
    launch_caller(&caller, copy_and_read);
    OK(rill_context_synchronize(c.context));
    assert_int_equal(c.count, 0);
    OK(rill_host_free(c.context, caller.host));
    end_pair(&c);
}

/* ---- In graphs ------------------------------------------------------------------------------ */

static void a_node_may_call_program(struct checked *c, bool good)
{
    struct caller caller = { .checked = c, .waits = good };
    rill_op host = { .kind = RILL_OP_HOST, .host = { .fn = fill_x, .data = &caller } };
    rill_op fill = { .kind = RILL_OP_MEMSET,
                           .memset = { .dst = c->x, .element_bytes = 1, .width = BYTES,
                                       .height = 1 } };
    rill_graph *graph;
    rill_node first, then;
    rill_exec *exec;
    OK(rill_graph_create(c->context, NULL, &graph));
    OK(rill_graph_add_node(graph, NULL, 0, &host, &first));
    OK(rill_graph_add_node(graph, &first, 1, &fill, &then));
    OK(rill_exec_create(graph, NULL, &exec));
    OK(rill_exec_launch(exec, c->s));
    OK(rill_context_synchronize(c->context));
    OK(rill_exec_destroy(&exec));
    OK(rill_graph_destroy(&graph));
}
RACES(a_node_may_call)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_waited_for_is_done_when_it_is),
        cmocka_unit_test(whoever_waits_for_it_knows_what_it_knew),
        cmocka_unit_test(nobody_else_knows_what_it_knows),
        cmocka_unit_test(what_it_submits_comes_after_what_is_before_it),
        cmocka_unit_test(it_may_read_what_it_has_waited_for),
        cmocka_unit_test(what_it_waited_for_comes_before_what_is_after_it),
        cmocka_unit_test(what_follows_from_function_to_function),
        cmocka_unit_test(callers_are_forgotten_that_the_host_has_waited_for),
        cmocka_unit_test(what_it_submits_comes_after_what_it_touches),
        cmocka_unit_test(a_node_may_call),
    };
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
