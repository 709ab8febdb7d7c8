/* SPDX-License-Identifier: Apache-2.0
 *
 * A program that uses everything, with one thing at a time going wrong: the Nth
 * call of the backend, the Nth allocation.  Whatever fails, the program is told
 * so, and has everything back at its end.
 */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "support/cmocka_all.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "core/object/error.h"
#include "support/fake/fake.h"
#include "support/shim_backend.h"
#include "support/shortage.h"
#include "support/world.h"

static struct fake_tables fake;

/* ---- The program -------------------------------------------------------- */

static atomic_int host_runs, host_destroys, object_destroys; /* by whichever thread */

static void run(void *data)
{
    (void)data;
    host_runs++;
}

static void destroy_host(void *data)
{
    (void)data;
    host_destroys++;
}

static void destroy_object(void *data)
{
    (void)data;
    object_destroys++;
}

/* What it made so far; all is given back, whatever failed. */
struct program {
    struct world w;
    rill_context *primary, *again;
    rill_stream *other;
    rill_graph *clone, *captured;
    rill_exec *exec;
    rill_user_object *object;
    int host_given, objects_made;
};

#define TRY(call)                              \
    do {                                       \
        rill_status try_status = (call);       \
        if (try_status) return try_status;     \
    } while (0)

static rill_status use_contexts(struct program *p)
{
    TRY(rill_context_create(p->w.platform, NULL, &p->primary));
    TRY(rill_context_create(p->w.platform, NULL, &p->again));
    TRY(rill_context_set_label(p->primary, "primary"));
    TRY(rill_context_synchronize(p->primary));
    return RILL_SUCCESS;
}

static rill_status use_streams(struct program *p)
{
    const rill_stream_options options = { .size = sizeof options, .label = "other" };
    const rill_dim3 one = { 1, 1, 1 };
    static int counter;
    static int *const address = &counter;
    const void *const params[] = { &address };
    unsigned char bytes[8] = { 1, 2, 3 };
    TRY(rill_stream_create(p->w.context, &options, &p->other));
    TRY(rill_memset_d32_async(p->other, p->w.address, 7, 4));
    TRY(rill_memcpy_htod(p->w.context, p->w.address, bytes, sizeof bytes));
    TRY(rill_stream_wait_stream(p->w.stream, p->other));
    TRY(rill_launch_kernel(p->w.stream, p->w.kernel, one, one, 16, params));
    p->host_given++;
    TRY(rill_launch_host(p->w.stream, run, NULL, destroy_host));
    TRY(rill_event_record(p->w.event, p->w.stream, 0));
    TRY(rill_event_synchronize(p->w.event));
    TRY(rill_stream_synchronize(p->w.stream));
    return rill_stream_legacy(p->w.context) ? RILL_SUCCESS : rill_last_error()->status;
}

static rill_status use_memory(struct program *p)
{
    rill_devptr address;
    void *host;
    TRY(rill_mem_alloc(p->w.context, 128, &address));
    rill_status status = rill_memset_d8(p->w.context, address, 1, 128);
    rill_status freed = rill_mem_free(p->w.context, address);
    TRY(status);
    TRY(freed); /* when it failed the context frees it */
    TRY(rill_host_alloc(p->w.context, 128, 0, &host));
    return rill_host_free(p->w.context, host);
}

static rill_status use_graphs(struct program *p)
{
    rill_op op = { .kind = RILL_OP_HOST, .host = { run, NULL, destroy_host } };
    rill_graph *child = NULL;
    rill_node node;
    p->host_given++;
    TRY(rill_graph_add_node(p->w.graph, NULL, 0, &op, &node));
    p->host_given++;
    TRY(rill_node_set_op(p->w.graph, node, &op));
    TRY(rill_graph_clone(p->w.graph, &p->clone));
    TRY(rill_graph_create(p->w.context, NULL, &child));
    rill_op move = { .kind = RILL_OP_GRAPH, .graph = { child, RILL_CHILD_MOVE } };
    rill_node moved;
    rill_status status = rill_graph_add_node(p->w.graph, NULL, 0, &move, &moved);
    if (status) rill_graph_destroy(&child);
    TRY(status);
    TRY(rill_exec_create(p->w.graph, NULL, &p->exec));
    p->host_given++;
    TRY(rill_exec_set_op(p->exec, node, &op));
    return rill_exec_launch(p->exec, p->w.stream);
}

static rill_status use_captures(struct program *p)
{
    TRY(rill_stream_begin_capture(p->w.stream, NULL));
    return rill_stream_end_capture(p->w.stream, &p->captured);
}

static rill_status use_user_objects(struct program *p)
{
    TRY(rill_user_object_create(p->w.platform, NULL, destroy_object, 1, &p->object));
    p->objects_made++;
    TRY(rill_user_object_retain(p->object, 2));
    return rill_user_object_release(&p->object, 2);
}

/* The destroys can fail, too; their objects are gone all the same. */
static rill_status give_back(struct program *p)
{
    rill_status statuses[] = {
        rill_user_object_release(&p->object, 1), rill_exec_destroy(&p->exec),
        rill_graph_destroy(&p->captured),        rill_graph_destroy(&p->clone),
        rill_stream_destroy(&p->other),          rill_context_destroy(&p->again),
        rill_context_destroy(&p->primary),
    };
    rill_status status = RILL_SUCCESS;
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses && !status; i++) status = statuses[i];
    return status;
}

/* Releases are calls that can fail and must then be made again. */
static void give_back_the_rest(struct program *p)
{
    shim_fail("", 0, RILL_SUCCESS);
    rl_alloc_fail_after(-1);
    while (p->object && !rill_user_object_release(&p->object, 1)) continue;
    rill_user_object_release(&p->w.object, 2);
    rill_context_destroy(&p->again); /* one that the backend refused to let go */
    rill_context_destroy(&p->primary);
    world_close(&p->w);
}

static rill_status use_everything(struct program *p, const char *backend, int plain)
{
    TRY(plain ? plain_world_open(&p->w, backend) : world_open(&p->w, backend));
    TRY(use_contexts(p));
    TRY(use_streams(p));
    TRY(use_memory(p));
    if (plain) return RILL_SUCCESS;
    TRY(use_graphs(p));
    TRY(use_captures(p));
    return use_user_objects(p);
}

/* The first failure, as the program saw it. */
static rill_status run_program(struct program *p, const char *backend, int plain)
{
    memset(p, 0, sizeof *p);
    host_runs = host_destroys = object_destroys = world_destroyed = 0;
    rill_clear_error();
    rill_status status = use_everything(p, backend, plain);
    rill_status returned = give_back(p);
    if (!status) status = returned;
    returned = world_empty(&p->w);
    return status ? status : returned;
}

/* ---- What must hold ----------------------------------------------------- */

static void expect_clean(const struct program *p, long live, long fault)
{
    if (rl_alloc_live() != live)
        fail_msg("fault %ld: %ld allocations were lost", fault, rl_alloc_live() - live);
    if (host_destroys != p->host_given)
        fail_msg("fault %ld: of %d data %d were destroyed", fault, p->host_given, host_destroys);
    if (object_destroys != p->objects_made)
        fail_msg("fault %ld: of %d user objects %d went", fault, p->objects_made, object_destroys);
    if (rl_noted) fail_msg("fault %ld: a note is left", fault);
}

/* Every Nth call, until a run meets no fault. */
static void fail_every_call(const char *backend, int plain, const char *set, rill_status status,
                            void (*plan)(const char *, long, rill_status), long at_least)
{
    struct program p;
    long nth = 1, live = rl_alloc_live();
    for (;; nth++) {
        plan(set, nth, status);
        rill_status seen = run_program(&p, backend, plain);
        int failed = shim_failed();
        rill_status recorded = rill_last_error()->status;
        const char *operation = rill_last_error()->operation;
        give_back_the_rest(&p);
        expect_clean(&p, live, nth);
        if (!failed) {
            assert_int_equal(seen, RILL_SUCCESS);
            break;
        }
        /* A slot that returns a pointer has no status of its own to pass on. */
        if (!seen) fail_msg("fault %ld of %s was not told", nth, set);
        assert_int_equal(seen, status);
        assert_int_equal(recorded, status);
        assert_non_null(operation);
    }
    print_message("# %ld faults in '%s' of %s\n", nth - 1, set, backend);
    assert_true(nth > at_least);
}

/* ---- Tests -------------------------------------------------------------- */

static void each_call_fails_once(void **state)
{
    (void)state;
    fail_every_call("shim", 0, "backend->", RILL_ERROR_UNKNOWN, shim_fail, 60);
}

static void each_call_and_all_behind_it_fail(void **state)
{
    (void)state;
    fail_every_call("shim", 0, "backend->", RILL_ERROR_UNKNOWN, shim_fail_from, 60);
}

static void each_create_runs_out_of_memory(void **state)
{
    (void)state;
    static const char *const creates[] = { "backend->context->create", "backend->stream->create",
                                           "backend->event->create", "backend->graph->create",
                                           "backend->stream->submit", "backend->open",
                                           "backend->module->" };
    for (size_t i = 0; i < sizeof creates / sizeof *creates; i++)
        fail_every_call("shim", 0, creates[i], RILL_ERROR_OUT_OF_MEMORY, shim_fail, 1);
}

static void each_call_of_a_plain_backend_fails(void **state)
{
    (void)state;
    shim_backend(&fake_backend, "shim");
    fail_every_call("shim", 1, "backend->", RILL_ERROR_UNKNOWN, shim_fail, 30);
    shim_backend(&fake.backend, "shim");
}

static void fail_every_allocation(const char *backend, int plain)
{
    struct program p;
    long nth = 0, live = rl_alloc_live();
    rill_status seen;
    do {
        rl_alloc_fail_after(nth);
        seen = run_program(&p, backend, plain);
        rill_status recorded = rill_last_error()->status;
        give_back_the_rest(&p);
        expect_clean(&p, live, nth);
        if (seen) {
            assert_int_equal(seen, RILL_ERROR_OUT_OF_MEMORY);
            assert_int_equal(recorded, RILL_ERROR_OUT_OF_MEMORY);
        }
        nth++;
    } while (seen);
    print_message("# %ld allocations of %s failed\n", nth - 1, backend);
    assert_true(nth > 15);
}

static void each_allocation_fails(void **state)
{
    (void)state;
    fail_every_allocation("full", 0);
    fail_every_allocation("fake", 1);
}

#if RILL_HAVE_BACKEND_SIM
extern const struct rill_backend rl_backend_sim;

static void each_call_of_the_simulator_fails(void **state)
{
    (void)state;
    shim_backend(&rl_backend_sim, "shim");
    fail_every_call("shim", 0, "backend->", RILL_ERROR_UNKNOWN, shim_fail, 60);
    shim_backend(&fake.backend, "shim");
}

/* Some failures it can do without (another worker), so that a run without one is not yet
 * the end. */
static void each_allocation_of_the_simulator_fails(void **state)
{
    (void)state;
    struct program p;
    long failures = 0, nth = 0, live = rl_alloc_live();
    for (bool left = false; !left; nth++) {
        rl_alloc_fail_after(nth);
        rill_status seen = run_program(&p, "sim", 0);
        rill_status recorded = rill_last_error()->status;
        left = shortage_is_left(nth);
        give_back_the_rest(&p);
        expect_clean(&p, live, nth);
        assert_int_equal(recorded, seen);
        failures += seen != RILL_SUCCESS;
    }
    print_message("# %ld of %ld allocations of sim failed\n", failures, nth - 1);
    assert_true(failures > 60);
}
#endif

static int register_backends(void **state)
{
    (void)state;
    return rill_backend_register(shim_backend(fake_build(&fake, "full", FAKE_ALL), "shim")) ||
           rill_backend_register(&fake.backend) || rill_backend_register(&fake_backend);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_call_fails_once),
        cmocka_unit_test(each_call_and_all_behind_it_fail),
        cmocka_unit_test(each_create_runs_out_of_memory),
        cmocka_unit_test(each_call_of_a_plain_backend_fails),
        cmocka_unit_test(each_allocation_fails),
#if RILL_HAVE_BACKEND_SIM
        cmocka_unit_test(each_call_of_the_simulator_fails),
        cmocka_unit_test(each_allocation_of_the_simulator_fails),
#endif
    };
    return cmocka_run_group_tests(tests, register_backends, NULL);
}
