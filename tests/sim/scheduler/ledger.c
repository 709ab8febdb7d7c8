/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/scheduler/ledger.h"

#include "backend-sim/machine/machine.h"

/* ---- What was told ----------------------------------------------------------------------- */

struct ledger ledger;

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

static void see_end(void *data, const rill_running *running, const rill_touches *touches)
{
    if (data == &ledger && !touches) enter(ENDED, running);
}

static void see_failed(void *data, const rill_running *running)
{
    if (data == &ledger) enter(FAILED, running);
}

const struct rill_watcher ledger_watcher = {
    .data = &ledger, .submitted = see_submitted, .begins = see_begin, .ends = see_end,
    .failed = see_failed,
};

int told_of(enum moment moment, uint64_t queue, uint64_t point, uint64_t node, int *at)
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

void all_told(void)
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

rill_status open_watched(int devices, rill_platform **platform)
{
    const rill_sim_options sim = { .size = sizeof sim, .devices = devices, .workers = 4,
                                   .host_thread = with_host_thread };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    rill_status status = rill_open(&options, platform);
    ledger.count = 0;
    return status ? status : rl_backend_sim.watch->set(*platform, &ledger_watcher);
}

static int setup_on(void **state, int host_thread)
{
    static const struct suite_backend backend = { .name = "sim", .open = open_watched };
    suite = &backend;
    with_host_thread = host_thread;
    return fixture_setup(state, 1);
}

int setup_watched(void **state)
{
    return setup_on(state, 0);
}

int setup_with_host_thread(void **state)
{
    return setup_on(state, 1);
}

uint64_t number_of(rill_exec *exec, rill_node node)
{
    uint64_t number = 0;
    ok(rl_backend_sim.watch->node_number(exec, node, &number));
    return number;
}

uint64_t queue_of(rill_stream *stream)
{
    uint64_t id = 0;
    ok(rill_stream_id(stream, &id));
    return id;
}

/* ---- What is run ------------------------------------------------------------------------- */

static void do_nothing(const rill_launch *launch)
{
    (void)launch;
}

const rill_function idle = { .name = "nothing", .over_grid = do_nothing };

void count_call(void *data)
{
    atomic_fetch_add((atomic_int *)data, 1);
}

void add_to(struct web *web, rill_graph *graph, rill_node after, rill_op op)
{
    assert_true(web->count < MOST);
    web->nodes[web->count++] = add(graph, after, op);
}

void each_node_is_told_once(struct web *web, rill_exec *exec, rill_stream *stream)
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

void make_wide(struct fixture *f, struct web *web, atomic_int *calls)
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
