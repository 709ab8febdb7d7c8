/* SPDX-License-Identifier: Apache-2.0
 *
 * What a watcher is told of operations and of the nodes of launches, however they run.
 */
#include <sched.h>

#include "backend-sim/machine/machine.h"
#include "backend-sim/scheduler/engine.h"
#include "base/lock.h"
#include "conformance/nodes.h"
#include "sim/scheduler/sightings.h"

/* ---- What was told ----------------------------------------------------------------------- */

enum moment { SUBMITTED, BEGAN, ENDED };

#define ENTRIES 65536
#define DEPTH 4

struct entry {
    enum moment moment;
    pthread_t thread;
    rill_running running;
    uint32_t rounds[DEPTH]; /* `running` points at what is gone */
};

static struct ledger {
    struct rl_lock lock;
    int count;
    struct entry entries[ENTRIES];
} ledger;

static void enter(enum moment moment, const rill_running *running)
{
    rl_lock(&ledger.lock);
    if (ledger.count < ENTRIES) {
        struct entry *entry = &ledger.entries[ledger.count++];
        *entry = (struct entry){ .moment = moment, .thread = pthread_self(), .running = *running };
        for (uint32_t i = 0; i < running->depth && i < DEPTH; i++)
            entry->rounds[i] = running->rounds[i];
    }
    rl_unlock(&ledger.lock);
}

static void see_submitted(void *data, uint64_t queue, uint64_t point, rill_op_kind kind)
{
    const rill_running running = { .queue = queue, .point = point, .kind = kind };
    if (data == &ledger) enter(SUBMITTED, &running);
}

static void see_begin(void *data, const rill_running *running)
{
    if (data == &ledger) enter(BEGAN, running);
}

static void see_end(void *data, const rill_running *running, const rill_touched *touched,
                    size_t count, int exact)
{
    if (data == &ledger && !touched && !count && !exact) enter(ENDED, running);
}

static const struct rill_watcher watcher = { .data = &ledger, .submitted = see_submitted,
                                             .begins = see_begin, .ends = see_end };

/* Returns how many entries are of the moment and of the operation, or of the node; 0 for `queue`
 * is any.  `at` receives the place of the last. */
static int told_of(enum moment moment, uint64_t queue, uint64_t point, uint64_t node, int *at)
{
    int count = 0;
    rl_lock(&ledger.lock);
    for (int i = 0; i < ledger.count; i++) {
        const rill_running *running = &ledger.entries[i].running;
        if (ledger.entries[i].moment != moment || running->node != node) continue;
        if (queue && (running->queue != queue || running->point != point)) continue;
        count++;
        if (at) *at = i;
    }
    rl_unlock(&ledger.lock);
    return count;
}

/* Each operation that was submitted began once and ended once, in this order, and nothing else
 * did; each node that began ended. */
static void all_told(void)
{
    int operations = 0;
    for (int i = 0; i < ledger.count; i++) {
        const struct entry *entry = &ledger.entries[i];
        const rill_running *r = &entry->running;
        int began = -1, ended = -1;
        if (!r->node && entry->moment == SUBMITTED) {
            assert_int_equal(told_of(BEGAN, r->queue, r->point, 0, &began), 1);
            assert_int_equal(told_of(ENDED, r->queue, r->point, 0, &ended), 1);
            assert_true(i < began && began < ended);
            assert_int_equal(ledger.entries[began].running.kind, r->kind);
            operations++;
        } else if (!r->node) {
            assert_int_equal(told_of(SUBMITTED, r->queue, r->point, 0, NULL), 1);
        } else {
            assert_int_equal(told_of(BEGAN, r->queue, r->point, r->node, NULL),
                             told_of(ENDED, r->queue, r->point, r->node, NULL));
        }
    }
    assert_true(operations);
}

/* ---- Platforms with a watcher ------------------------------------------------------------- */

static int with_host_thread;

static rill_status open_watched(int devices, rill_platform **platform)
{
    const rill_sim_options sim = { .size = sizeof sim, .devices = devices, .workers = 4,
                                   .host_thread = with_host_thread };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    rill_status status = rill_open(&options, platform);
    ledger.count = 0;
    return status ? status : rl_backend_sim.watch->set(*platform, &watcher);
}

static int setup_watched(void **state)
{
    static const struct suite_backend backend = { .name = "sim", .open = open_watched };
    suite = &backend;
    with_host_thread = 0;
    return fixture_setup(state, 1);
}

static int setup_with_host_thread(void **state)
{
    setup_watched(state);
    fixture_teardown(state);
    with_host_thread = 1;
    return fixture_setup(state, 1);
}

static uint64_t number_of(rill_exec *exec, rill_node node)
{
    uint64_t number = 0;
    ok(rl_backend_sim.watch->node_number(exec, node, &number));
    return number;
}

static uint64_t queue_of(rill_stream *stream)
{
    uint64_t id = 0;
    ok(rill_stream_id(stream, &id));
    return id;
}

/* ---- Operations ------------------------------------------------------------------------- */

static void do_nothing(const rill_launch *launch)
{
    (void)launch;
}

static void fail_launch(const rill_launch *launch)
{
    rill_sim_fault(launch, RILL_ERROR_LAUNCH_FAILED, "as planned");
}

static const rill_function failing = { .name = "failing", .over_grid = fail_launch };
static const rill_function idle = { .name = "nothing", .over_grid = do_nothing };

static void hear(rill_stream *stream, rill_status status, void *data)
{
    (void)stream, (void)status, (void)data;
}

static void count_call(void *data)
{
    atomic_fetch_add((atomic_int *)data, 1);
}

static void kernels_functions_callbacks_and_launches_are_told(void **state)
{
    struct fixture *f = *state;
    atomic_int calls = 0;
    rill_stream *stream = new_stream(f);
    rill_kernel *kernel = new_kernel(f, f->context, &idle);
    rill_graph *graph = new_graph(f);
    rill_devptr pinned = address_of(f, new_word(f));
    rill_op empty = { .kind = RILL_OP_EMPTY };
    add(graph, NULL, host_op(count_call, &calls));
    rill_exec *exec = new_exec(f, graph);
    mark(f, stream, 'a');                                               /* 1 */
    ok(rill_launch_kernel(stream, kernel, one, one, 0, NULL));          /* 2 */
    ok(rill_memset_d32_async(stream, pinned, 1, 1));
    ok(rill_stream_wait_value32(stream, pinned, 1, RILL_WAIT_EQ));
    ok(rill_stream_submit(stream, &empty));
    ok(rill_stream_add_callback(stream, hear, NULL, 0));                /* 6 */
    ok(rill_exec_launch(exec, stream));                                 /* 7 */
    ok(rill_stream_synchronize(stream));
    static const rill_op_kind kinds[] = { [1] = RILL_OP_HOST, [2] = RILL_OP_KERNEL,
                                          [6] = RILL_OP_HOST, [7] = RILL_OP_GRAPH };
    for (uint64_t point = 1; point <= 7; point++) {
        bool told = point <= 2 || point >= 6;
        int at = 0;
        assert_int_equal(told_of(SUBMITTED, queue_of(stream), point, 0, &at), told);
        if (!told) continue;
        assert_int_equal(ledger.entries[at].running.kind, kinds[point]);
        assert_true(pthread_equal(ledger.entries[at].thread, pthread_self()));
    }
    all_told();
}

static void a_watcher_adds_no_operations(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    rill_event *event = new_event(f);
    mark(f, stream, 'a');
    ok(rill_stream_synchronize(stream));
    ok(rill_event_record(event, stream, 0));
    ok(rill_stream_wait_event(stream, event, 0));
    mark(f, stream, 'b');
    ok(rill_stream_synchronize(stream));
    assert_int_equal(told_of(SUBMITTED, queue_of(stream), 2, 0, NULL), 1);
    all_told();
}

static void an_operation_is_told_before_it_can_run(void **state)
{
    struct fixture *f = *state;
    rill_stream *stream = new_stream(f);
    struct gate *closed = gate(f, stream);
    mark(f, stream, 'a');
    held(stream);
    assert_int_equal(told_of(SUBMITTED, queue_of(stream), 2, 0, NULL), 1);
    assert_int_equal(told_of(BEGAN, queue_of(stream), 2, 0, NULL), 0);
    open_gate(closed);
    ok(rill_stream_synchronize(stream));
    all_told();
}

static void many_operations_are_told_in_order(void **state)
{
    enum { COUNT = 1500 };
    struct fixture *f = *state;
    rill_stream *streams[] = { new_stream(f), new_stream(f), new_non_blocking(f) };
    for (int i = 0; i < COUNT; i++) {
        mark(f, streams[i % 3], 'a');
        if (i % 10 == 0) ok(rill_stream_wait_stream(streams[i % 3], streams[(i + 1) % 3]));
    }
    for (int i = 0; i < 3; i++) ok(rill_stream_synchronize(streams[i]));
    assert_int_equal(ledger.count, 3 * COUNT);
    uint64_t last[2] = { 0 }, queue = queue_of(streams[1]);
    for (int i = 0; i < ledger.count; i++) {
        const struct entry *entry = &ledger.entries[i];
        if (entry->running.queue != queue || entry->moment == ENDED) continue;
        assert_true(entry->running.point > last[entry->moment]);
        last[entry->moment] = entry->running.point;
    }
}

static void an_observer_sees_the_same_beside_a_watcher(void **state)
{
    struct fixture *f = *state;
    atomic_int calls = 0;
    rill_stream *stream = new_stream(f);
    rill_graph *graph = new_graph(f);
    rill_node node = add(graph, NULL, host_op(count_call, &calls));
    rill_exec *exec = new_exec(f, graph);
    struct album *album = watch(f);
    mark(f, stream, 'a');
    ok(rill_exec_launch(exec, stream));
    ok(rill_stream_synchronize(stream));
    unwatch(f);
    assert_int_equal(count_of(album), 10);
    assert_int_equal(told_of(BEGAN, queue_of(stream), 2, number_of(exec, node), NULL), 1);
    all_told();
}

static void there_is_one_watcher(void **state)
{
    struct fixture *f = *state;
    is(RILL_ERROR_INVALID_VALUE, rl_backend_sim.watch->set(f->platform, &watcher));
}

/* ---- Launches --------------------------------------------------------------------------- */

#define MOST 400

/* A graph of functions and kernels, and how often each node was told of. */
struct web {
    rill_graph *graph;
    rill_node nodes[MOST];
    int count;
};

static void add_to(struct web *web, rill_graph *graph, rill_node after, rill_op op)
{
    assert_true(web->count < MOST);
    web->nodes[web->count++] = add(graph, after, op);
}

/* Launches the exec and checks that each node of the web was told once, within the launch. */
static void each_node_is_told_once(struct web *web, rill_exec *exec, rill_stream *stream)
{
    int launch = 0, end = 0, at = 0;
    ledger.count = 0;
    ok(rill_exec_launch(exec, stream));
    ok(rill_stream_synchronize(stream));
    for (int i = 0; i < ledger.count; i++)
        if (ledger.entries[i].moment == SUBMITTED) launch = i;
    const uint64_t queue = queue_of(stream), point = ledger.entries[launch].running.point;
    assert_int_equal(told_of(BEGAN, queue, point, 0, &launch), 1);
    assert_int_equal(told_of(ENDED, queue, point, 0, &end), 1);
    for (int i = 0; i < web->count; i++) {
        const uint64_t number = number_of(exec, web->nodes[i]);
        assert_int_equal(told_of(BEGAN, queue, point, number, &at), 1);
        assert_true(at > launch);
        assert_int_equal(told_of(ENDED, queue, point, number, &at), 1);
        assert_true(at < end);
    }
    assert_int_equal(ledger.count, 3 + 2 * web->count);
    all_told();
}

static void nodes_of_a_line_are_told(void **state)
{
    struct fixture *f = *state;
    atomic_int calls = 0;
    struct web web = { .graph = new_graph(f) };
    for (int i = 0; i < 20; i++)
        add_to(&web, web.graph, i ? web.nodes[i - 1] : NULL, host_op(count_call, &calls));
    rill_exec *exec = new_exec(f, web.graph);
    each_node_is_told_once(&web, exec, new_stream(f));
    assert_int_equal(atomic_load(&calls), 20);
}

static void make_wide(struct fixture *f, struct web *web, atomic_int *calls)
{
    rill_kernel *kernel = new_kernel(f, f->context, &idle);
    *web = (struct web){ .graph = new_graph(f) };
    for (int i = 0; i < 120; i++) {
        rill_node after = i >= 8 ? web->nodes[i - 8] : NULL;
        add_to(web, web->graph, after, i % 3 ? host_op(count_call, calls)
                                             : kernel_op(kernel, NULL));
        if (i % 5 == 0) add(web->graph, after, empty_op());
    }
}

/* With whims, launches are run by one thread, by a gang that measures, and along plans. */
static void nodes_are_told_however_a_launch_runs(void **state)
{
    enum { LAUNCHES = 60 };
    struct fixture *f = *state;
    atomic_int calls = 0;
    struct web web;
    make_wide(f, &web, &calls);
    rill_exec *exec = new_exec(f, web.graph);
    rill_stream *stream = new_stream(f);
    sim_platform_of(f->platform)->engine->whims = true;
    for (int i = 0; i < LAUNCHES; i++) each_node_is_told_once(&web, exec, stream);
    assert_int_equal(atomic_load(&calls), 80 * LAUNCHES);
}

struct meeting {
    atomic_uint arrived;
};

/* Returns when both nodes are there: one of them in a thread that takes the rest of the loop. */
static void meet(void *data)
{
    struct meeting *meeting = data;
    unsigned mine = atomic_fetch_add(&meeting->arrived, 1);
    while (atomic_load(&meeting->arrived) <= (mine | 1)) sched_yield();
}

static void nodes_are_told_when_a_launch_is_split(void **state)
{
    struct fixture *f = *state;
    atomic_int calls = 0;
    struct meeting meeting = { 0 };
    struct web web = { .graph = new_graph(f) };
    for (int i = 0; i < 40; i++)
        add_to(&web, web.graph, NULL, i % 20 == 5 ? host_op(meet, &meeting)
                                                  : host_op(count_call, &calls));
    rill_exec *exec = new_exec(f, web.graph);
    rill_stream *stream = new_stream(f);
    for (int i = 0; i < 6; i++) each_node_is_told_once(&web, exec, stream);
}

static void nodes_of_child_graphs_have_numbers_of_their_own(void **state)
{
    struct fixture *f = *state;
    atomic_int calls = 0;
    rill_graph *inner = new_graph(f), *placed = NULL;
    rill_node first = add(inner, NULL, host_op(count_call, &calls));
    add(inner, first, host_op(count_call, &calls));
    struct web web = { .graph = new_graph(f) };
    add_to(&web, web.graph, NULL, host_op(count_call, &calls));
    rill_node child = add(web.graph, web.nodes[0], child_op(inner, 0));
    add_to(&web, web.graph, child, host_op(count_call, &calls));
    ok(rill_node_child_graph(web.graph, child, &placed));
    size_t count = 2;
    ok(rill_graph_nodes(placed, web.nodes + web.count, &count));
    assert_int_equal(count, 2);
    web.count += 2;
    rill_exec *exec = new_exec(f, web.graph);
    for (int i = 0; i < web.count; i++)
        for (int j = 0; j < i; j++)
            assert_int_not_equal(number_of(exec, web.nodes[i]), number_of(exec, web.nodes[j]));
    each_node_is_told_once(&web, exec, new_stream(f));
    uint64_t number = 0;
    is(RILL_ERROR_INVALID_VALUE, rl_backend_sim.watch->node_number(exec, first, &number));
}

static void changed_nodes_are_told_and_disabled_ones_are_not(void **state)
{
    struct fixture *f = *state;
    atomic_int calls = 0, others = 0;
    rill_kernel *kernel = new_kernel(f, f->context, &idle);
    struct web web = { .graph = new_graph(f) };
    add_to(&web, web.graph, NULL, host_op(count_call, &calls));
    add_to(&web, web.graph, NULL, kernel_op(kernel, NULL));
    rill_exec *exec = new_exec(f, web.graph);
    rill_stream *stream = new_stream(f);
    rill_op other = host_op(count_call, &others);
    ok(rill_exec_set_op(exec, web.nodes[0], &other));
    each_node_is_told_once(&web, exec, stream);
    assert_int_equal(atomic_load(&others), 1);
    ok(rill_exec_set_enabled(exec, web.nodes[1], 0));
    web.count = 1;
    each_node_is_told_once(&web, exec, stream);
}

/* ---- Conditionals ------------------------------------------------------------------------ */

static void set_down(const rill_launch *launch)
{
    atomic_uint *left = (void *)(uintptr_t)RILL_ARGUMENT(launch, 1, rill_devptr);
    rill_sim_set_conditional(launch, RILL_ARGUMENT(launch, 0, rill_conditional),
                             atomic_fetch_sub(left, 1) > 1);
}

static const rill_param down_params[] = { RILL_PARAM(rill_conditional), RILL_PARAM(rill_devptr) };
static const rill_function down_function = { .name = "down", .over_grid = set_down,
                                             .params = down_params, .param_count = 2 };

static rill_node add_while(rill_graph *graph, rill_node after, rill_conditional handle,
                           rill_graph **body)
{
    rill_node node = NULL;
    ok(rill_graph_add_conditional(graph, after ? &after : NULL, after != NULL, handle,
                                  RILL_CONDITIONAL_WHILE, 1, body, &node));
    return node;
}

static void reset_left(const rill_launch *launch)
{
    atomic_store((atomic_uint *)(uintptr_t)RILL_ARGUMENT(launch, 1, rill_devptr), 2);
    rill_sim_set_conditional(launch, RILL_ARGUMENT(launch, 0, rill_conditional), 1);
}

static const rill_function reset_function = { .name = "reset", .over_grid = reset_left,
                                              .params = down_params, .param_count = 2 };

/* Three rounds of an outer body, in each of which an inner one has two. */
static void rounds_of_bodies_are_counted_in_each_launch(void **state)
{
    struct fixture *f = *state;
    rill_graph *graph = new_graph(f), *outer = NULL, *inner = NULL;
    rill_conditional outer_handle, inner_handle;
    atomic_uint *outer_left = new_word(f), *inner_left = new_word(f);
    rill_devptr outer_at = address_of(f, outer_left), inner_at = address_of(f, inner_left);
    rill_kernel *down = new_kernel(f, f->context, &down_function);
    rill_kernel *reset = new_kernel(f, f->context, &reset_function);
    ok(rill_conditional_create(graph, 1, RILL_CONDITIONAL_ASSIGN, &outer_handle));
    ok(rill_conditional_create(graph, 1, RILL_CONDITIONAL_ASSIGN, &inner_handle));
    const void *outer_params[] = { &outer_handle, &outer_at };
    const void *inner_params[] = { &inner_handle, &inner_at };
    add_while(graph, NULL, outer_handle, &outer);
    rill_node before = add(outer, NULL, kernel_op(reset, inner_params));
    rill_node loop = add_while(outer, before, inner_handle, &inner);
    rill_node step = add(inner, NULL, kernel_op(down, inner_params));
    rill_node last = add(outer, loop, kernel_op(down, outer_params));
    rill_exec *exec = new_exec(f, graph);
    rill_stream *stream = new_stream(f);
    assert_int_not_equal(number_of(exec, step), number_of(exec, last));
    for (int launch = 0; launch < 3; launch++) {
        uint32_t outer_round = 0, inner_round = 0;
        atomic_store(outer_left, 3);
        ledger.count = 0;
        ok(rill_exec_launch(exec, stream));
        ok(rill_stream_synchronize(stream));
        for (int i = 0; i < ledger.count; i++) {
            const struct entry *entry = &ledger.entries[i];
            if (entry->moment != BEGAN || !entry->running.node) continue;
            bool deep = entry->running.node == number_of(exec, step);
            assert_int_equal(entry->running.depth, deep ? 2 : 1);
            if (entry->running.node == number_of(exec, before)) outer_round++;
            if (deep) assert_int_equal(entry->rounds[1], ++inner_round);
            assert_int_equal(entry->rounds[0], outer_round);
        }
        assert_int_equal(outer_round, 3);
        assert_int_equal(inner_round, 6);
        all_told();
    }
}

/* ---- What does not run --------------------------------------------------------------------- */

static int count_dropped(void)
{
    int dropped = 0;
    rl_lock(&ledger.lock);
    for (int i = 0; i < ledger.count; i++)
        dropped += ledger.entries[i].moment == ENDED && ledger.entries[i].running.dropped;
    rl_unlock(&ledger.lock);
    return dropped;
}

/* Calls on a failed device do not wait. */
static void await_dropped(int count)
{
    uint64_t end = fixture_patience();
    while (count_dropped() < count && fixture_before(end)) sched_yield();
    assert_int_equal(count_dropped(), count);
}

/* Submits one of each behind a gate. */
static void submit_all(struct fixture *f, rill_stream *stream, rill_kernel *kernel,
                       rill_exec *plain, rill_exec *wide)
{
    mark(f, stream, 'a');
    ok(rill_launch_kernel(stream, kernel, one, one, 0, NULL));
    ok(rill_stream_add_callback(stream, hear, NULL, 0));
    ok(rill_exec_launch(plain, stream));
    ok(rill_exec_launch(wide, stream));
}

static void what_a_failed_device_drops_is_told(void **state)
{
    struct fixture *f = *state;
    atomic_int calls = 0;
    struct web web, line = { .graph = new_graph(f) };
    rill_kernel *kernel = new_kernel(f, f->context, &idle);
    rill_kernel *fails = new_kernel(f, f->context, &failing);
    rill_stream *stream = new_stream(f), *other = new_stream(f);
    make_wide(f, &web, &calls);
    add_to(&line, line.graph, NULL, host_op(count_call, &calls));
    rill_exec *plain = new_exec(f, line.graph), *wide = new_exec(f, web.graph);
    gate(f, stream);
    submit_all(f, stream, kernel, plain, wide);
    held(stream);
    ok(rill_launch_kernel(other, fails, one, one, 0, NULL));
    assert_int_not_equal(rill_stream_synchronize(other), RILL_SUCCESS);
    await_dropped(5);
    assert_int_equal(atomic_load(&calls), 0);
    all_told();
}

static void what_an_abandoned_platform_drops_is_told(void **state)
{
    (void)state;
    rill_platform *platform = NULL;
    rill_context *context = NULL;
    rill_stream *stream = NULL;
    void *word = NULL;
    atomic_int calls = 0;
    ok(open_watched(1, &platform));
    ok(rill_context_create(platform, NULL, &context));
    ok(rill_stream_create(context, NULL, &stream));
    ok(rill_host_alloc(context, 4, 0, &word));
    *(uint32_t *)word = 0;
    ok(rill_stream_wait_value32(stream, (rill_devptr)(uintptr_t)word, 1, RILL_WAIT_EQ));
    ok(rill_launch_host(stream, count_call, &calls, NULL));
    ok(rill_stream_add_callback(stream, hear, NULL, 0));
    ok(rill_sim_abandon(platform, UINT64_C(10000000000)));
    rill_host_free(context, word);
    rill_stream_destroy(&stream);
    rill_context_destroy(&context);
    rill_close(&platform);
    assert_int_equal(count_dropped(), 2);
    assert_int_equal(atomic_load(&calls), 0);
    all_told();
}

static void a_launch_that_fails_has_ended(void **state)
{
    struct fixture *f = *state;
    atomic_int calls = 0;
    rill_graph *graph = new_graph(f);
    rill_kernel *fails = new_kernel(f, f->context, &failing);
    rill_node first = add(graph, NULL, kernel_op(fails, NULL));
    rill_node second = add(graph, first, host_op(count_call, &calls));
    rill_exec *exec = new_exec(f, graph);
    rill_stream *stream = new_stream(f);
    ok(rill_exec_launch(exec, stream));
    assert_int_not_equal(rill_stream_synchronize(stream), RILL_SUCCESS);
    assert_int_equal(told_of(ENDED, 0, 0, number_of(exec, first), NULL), 1);
    assert_int_equal(told_of(BEGAN, 0, 0, number_of(exec, second), NULL), 0);
    assert_int_equal(count_dropped(), 0);
    all_told();
}

#define WATCHED(test) cmocka_unit_test_setup_teardown(test, setup_watched, fixture_teardown)
#define ON_HOST_THREAD(test) \
    { #test " on the host thread", test, setup_with_host_thread, fixture_teardown, NULL }

int main(void)
{
    const struct CMUnitTest tests[] = {
        WATCHED(kernels_functions_callbacks_and_launches_are_told),
        ON_HOST_THREAD(kernels_functions_callbacks_and_launches_are_told),
        WATCHED(a_watcher_adds_no_operations),
        WATCHED(an_operation_is_told_before_it_can_run),
        ON_HOST_THREAD(an_operation_is_told_before_it_can_run),
        WATCHED(many_operations_are_told_in_order),
        ON_HOST_THREAD(many_operations_are_told_in_order),
        WATCHED(an_observer_sees_the_same_beside_a_watcher),
        WATCHED(there_is_one_watcher),
        WATCHED(nodes_of_a_line_are_told),
        ON_HOST_THREAD(nodes_of_a_line_are_told),
        WATCHED(nodes_are_told_however_a_launch_runs),
        ON_HOST_THREAD(nodes_are_told_however_a_launch_runs),
        WATCHED(nodes_are_told_when_a_launch_is_split),
        WATCHED(nodes_of_child_graphs_have_numbers_of_their_own),
        ON_HOST_THREAD(nodes_of_child_graphs_have_numbers_of_their_own),
        WATCHED(changed_nodes_are_told_and_disabled_ones_are_not),
        ON_HOST_THREAD(changed_nodes_are_told_and_disabled_ones_are_not),
        WATCHED(rounds_of_bodies_are_counted_in_each_launch),
        WATCHED(what_a_failed_device_drops_is_told),
        ON_HOST_THREAD(what_a_failed_device_drops_is_told),
        cmocka_unit_test(what_an_abandoned_platform_drops_is_told),
        WATCHED(a_launch_that_fails_has_ended),
        ON_HOST_THREAD(a_launch_that_fails_has_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
