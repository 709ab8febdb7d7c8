/* SPDX-License-Identifier: Apache-2.0
 *
 * Lifetimes: who keeps whom alive, primary contexts, what a backend owns, what
 * changes hands, labels.
 */
#include "support/cmocka_all.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "core/object.h"
#include "support/full_backend.h"
#include "support/shim_backend.h"
#include "support/world.h"

static struct world world;

static int open_world(void **state)
{
    (void)state;
    if (rill_backend_register(shim_backend(full_backend(), "shim"))) return -1;
    return world_open(&world, "shim") ? -1 : 0;
}

static int close_world(void **state)
{
    (void)state;
    return world_close(&world);
}

/* Every test gives back what it takes. */
static long live_before;

static int begin(void **state)
{
    (void)state;
    rill_clear_error();
    shim_fail("", 0, RILL_SUCCESS);
    live_before = rl_alloc_live();
    return 0;
}

static int end(void **state)
{
    (void)state;
    return rl_alloc_live() == live_before ? 0 : -1;
}

static rill_platform *open_platform(void)
{
    const rill_open_options options = { .size = sizeof options, .backend = "shim" };
    rill_platform *platform = NULL;
    assert_int_equal(rill_open(&options, &platform), RILL_SUCCESS);
    return platform;
}

/* ---- The head ----------------------------------------------------------- */

/* Backends are built against these numbers: a change is a new RILL_BACKEND_ABI. */
static void the_head_is_laid_out_for_good(void **state)
{
    (void)state;
    if (sizeof(void *) == 8) {
        assert_int_equal(sizeof(struct rill_object), RILL_OBJECT_HEAD);
        assert_int_equal(offsetof(struct rill_object, tag), 0);
        assert_int_equal(offsetof(struct rill_object, backend), 8);
        assert_int_equal(offsetof(struct rill_object, platform), 16);
        assert_int_equal(offsetof(struct rill_object, context), 24);
        assert_int_equal(offsetof(struct rill_object, owner), 32);
        assert_int_equal(offsetof(struct rill_object, label), 40);
        assert_int_equal(offsetof(struct rill_object, id), 48);
        assert_int_equal(sizeof(struct rill_backend), 152);
        assert_int_equal(offsetof(struct rill_backend, device), 72);
    }
    assert_int_equal(offsetof(struct rill_backend, abi), 0);
    assert_int_equal(offsetof(struct rill_backend, size), 4);
}

static void heads_say_where_an_object_belongs(void **state)
{
    (void)state;
    const struct rill_object *head = rill_object_of(world.stream);
    assert_ptr_equal(head->platform, world.platform);
    assert_ptr_equal(head->context, world.context);
    assert_null(head->owner);
    assert_string_equal(head->backend->name, "shim");
    assert_ptr_equal(rill_object_of(world.context)->context, world.context);
    assert_ptr_equal(rill_object_of(world.platform)->platform, world.platform);
    assert_null(rill_object_of(world.platform)->context);
    assert_null(rill_object_of(world.pool)->context);
    assert_ptr_equal(rill_object_of(world.kernel)->owner, world.module);
    assert_ptr_equal(rill_object_of(world.kernel)->context, world.context);
}

static void private_bytes_are_aligned_and_zero(void **state)
{
    (void)state;
    void *stream = NULL;
    assert_int_equal(rill_backend_own(RILL_OBJECT_STREAM, world.context, world.context, &stream),
                     RILL_SUCCESS);
    const unsigned char *bytes = rill_private(stream);
    assert_int_equal((uintptr_t)bytes % 64, 0);
    for (size_t i = 0; i < full_backend()->stream->private_bytes; i++)
        assert_int_equal(bytes[i], 0);
    rill_backend_disown(stream);
    rill_backend_disown(NULL);
}

/* What a context's backend owns need not be in the context. */
static void an_owned_object_can_be_outside_of_a_context(void **state)
{
    (void)state;
    void *pool = NULL;
    assert_int_equal(rill_backend_own(RILL_OBJECT_POOL, world.context, NULL, &pool), RILL_SUCCESS);
    assert_null(rill_object_of(pool)->context);
    assert_ptr_equal(rill_object_of(pool)->owner, world.context);
    assert_ptr_equal(rill_object_of(pool)->platform, world.platform);
    rill_backend_disown(pool);
}

static void ids_are_unique_and_grow(void **state)
{
    (void)state;
    rill_stream *first = NULL, *second = NULL;
    rill_stream_create(world.context, NULL, &first);
    rill_stream_create(world.context, NULL, &second);
    assert_true(rill_object_of(first)->id > rill_object_of(world.stream)->id);
    assert_true(rill_object_of(second)->id > rill_object_of(first)->id);
    assert_true(rill_object_of(world.platform)->id >= 1);
    rill_stream_destroy(&first);
    rill_stream_destroy(&second);
}

/* ---- Who keeps whom ----------------------------------------------------- */

static int closed(void)
{
    return shim_last() && !strcmp(shim_last(), "backend->close");
}

static void a_platform_ends_with_its_last_object(void **state)
{
    (void)state;
    rill_platform *platform = open_platform();
    rill_context *context = NULL;
    rill_stream *stream = NULL;
    assert_int_equal(rill_context_create(platform, NULL, &context), RILL_SUCCESS);
    assert_int_equal(rill_stream_create(context, NULL, &stream), RILL_SUCCESS);
    shim_forget();
    assert_int_equal(rill_close(&platform), RILL_SUCCESS);
    assert_null(platform);
    assert_false(closed());
    assert_int_equal(rill_stream_query(stream), RILL_SUCCESS); /* all still works */
    assert_int_equal(rill_context_destroy(&context), RILL_SUCCESS);
    assert_false(closed());
    assert_int_equal(rill_stream_destroy(&stream), RILL_SUCCESS);
    assert_true(closed());
}

static void pools_and_user_objects_keep_the_platform(void **state)
{
    (void)state;
    struct world w;
    assert_int_equal(world_open(&w, "shim"), RILL_SUCCESS);
    rill_pool *pool = w.pool;
    rill_user_object *object = w.object;
    w.pool = NULL;
    w.object = NULL;
    assert_int_equal(world_close(&w), RILL_SUCCESS);
    assert_int_equal(rill_pool_trim(pool, 0), RILL_SUCCESS);
    assert_int_equal(rill_pool_destroy(&pool), RILL_SUCCESS);
    assert_false(closed());
    assert_int_equal(rill_user_object_release(&object, 2), RILL_SUCCESS);
    assert_true(closed());
}

static void a_platform_is_closed_once(void **state)
{
    (void)state;
    rill_platform *platform = open_platform(), *again = platform;
    rill_context *context = NULL;
    assert_int_equal(rill_context_create(platform, NULL, &context), RILL_SUCCESS);
    assert_int_equal(rill_close(&platform), RILL_SUCCESS);
    assert_int_equal(rill_close(&again), RILL_ERROR_NOT_INITIALIZED);
    assert_null(again);
    assert_string_equal(rill_last_error()->operation, "rill_close");
    assert_memory_equal(rill_last_error()->object, "platform ", 9);
    assert_int_equal(rill_context_platform(context, &platform), RILL_SUCCESS);
    assert_int_equal(rill_context_destroy(&context), RILL_SUCCESS);
}

/* The slots of a context's objects are called after the context's destroy, with
 * its private bytes still there. */
static void a_destroyed_context_keeps_its_bytes_for_its_children(void **state)
{
    (void)state;
    struct world w;
    assert_int_equal(world_fill(&w, world.platform), RILL_SUCCESS);
    rill_context *context = w.context, *copy = context;
    assert_int_equal(rill_context_destroy(&w.context), RILL_SUCCESS);
    assert_int_equal(rill_stream_query(w.stream), RILL_ERROR_CONTEXT_IS_DESTROYED);
    assert_int_equal(rill_context_destroy(&copy), RILL_ERROR_CONTEXT_IS_DESTROYED);
    assert_null(copy);
    assert_int_equal(rill_context_synchronize(context), RILL_ERROR_CONTEXT_IS_DESTROYED);
    assert_int_equal(world_empty(&w), RILL_SUCCESS);
}

static void a_failed_create_gives_everything_back(void **state)
{
    (void)state;
    rill_stream *stream = NULL;
    shim_fail("backend->stream->create", 1, RILL_ERROR_OUT_OF_MEMORY);
    assert_int_equal(rill_stream_create(world.context, NULL, &stream), RILL_ERROR_OUT_OF_MEMORY);
    assert_null(stream);
}

/* ---- Primary contexts --------------------------------------------------- */

static long contexts_made(void)
{
    return shim_calls();
}

static void a_primary_context_is_shared_and_counted(void **state)
{
    (void)state;
    rill_context *first = NULL, *second = NULL, *third = NULL;
    shim_fail("backend->context->create", 0, RILL_SUCCESS);
    assert_int_equal(rill_context_create(world.platform, NULL, &first), RILL_SUCCESS);
    assert_int_equal(rill_context_create(world.platform, NULL, &second), RILL_SUCCESS);
    assert_ptr_equal(first, second);
    assert_ptr_not_equal(first, world.context);
    assert_int_equal(contexts_made(), 1);
    shim_fail("backend->context->destroy", 0, RILL_SUCCESS);
    assert_int_equal(rill_context_destroy(&first), RILL_SUCCESS);
    assert_null(first);
    assert_int_equal(shim_calls(), 0);
    assert_int_equal(rill_context_synchronize(second), RILL_SUCCESS);
    assert_int_equal(rill_context_destroy(&second), RILL_SUCCESS);
    assert_int_equal(shim_calls(), 1);
    shim_fail("backend->context->create", 0, RILL_SUCCESS);
    assert_int_equal(rill_context_create(world.platform, NULL, &third), RILL_SUCCESS);
    assert_int_equal(contexts_made(), 1); /* a new one */
    assert_int_equal(rill_context_destroy(&third), RILL_SUCCESS);
}

static void platforms_and_own_contexts_share_nothing(void **state)
{
    (void)state;
    const rill_context_options own = { .size = sizeof own, .flags = RILL_CONTEXT_OWN };
    rill_platform *platform = open_platform();
    rill_context *here = NULL, *there = NULL, *one = NULL, *two = NULL;
    rill_context_create(world.platform, NULL, &here);
    rill_context_create(platform, NULL, &there);
    rill_context_create(platform, &own, &one);
    rill_context_create(platform, &own, &two);
    assert_ptr_not_equal(here, there);
    assert_ptr_not_equal(one, two);
    assert_ptr_not_equal(one, there);
    rill_context_destroy(&here);
    rill_context_destroy(&there);
    assert_int_equal(rill_context_synchronize(one), RILL_SUCCESS);
    rill_context_destroy(&one);
    rill_context_destroy(&two);
    rill_close(&platform);
}

static void a_primary_context_that_failed_is_not_kept(void **state)
{
    (void)state;
    rill_context *context = NULL;
    shim_fail("backend->context->create", 1, RILL_ERROR_OUT_OF_MEMORY);
    assert_int_equal(rill_context_create(world.platform, NULL, &context), RILL_ERROR_OUT_OF_MEMORY);
    assert_null(context);
    assert_int_equal(rill_context_create(world.platform, NULL, &context), RILL_SUCCESS);
    rill_context_destroy(&context);
}

static void context_options_are_checked_for_every_user(void **state)
{
    (void)state;
    rill_context_options options = { .size = sizeof options, .device = 0, .label = "shared" };
    rill_context *first = NULL, *second = NULL;
    int device = -1;
    assert_int_equal(rill_context_create(world.platform, NULL, &first), RILL_SUCCESS);
    assert_int_equal(rill_context_create(world.platform, &options, &second), RILL_SUCCESS);
    assert_string_equal(rill_context_label(first), "shared");
    assert_int_equal(rill_context_device(second, &device), RILL_SUCCESS);
    assert_int_equal(device, 0);
    rill_context_destroy(&second);
    options.flags = 0x80;
    assert_int_equal(rill_context_create(world.platform, &options, &second),
                     RILL_ERROR_INVALID_VALUE);
    assert_string_equal(rill_last_error()->argument, "options->flags");
    options.flags = 0;
    options.device = 5;
    assert_int_equal(rill_context_create(world.platform, &options, &second),
                     RILL_ERROR_INVALID_DEVICE);
    assert_null(second);
    rill_context_destroy(&first);
}

static void each_device_has_a_primary_context(void **state)
{
    (void)state;
    rill_context_options options = { .size = sizeof options };
    rill_context *contexts[2] = { NULL }, *again[2] = { NULL };
    for (int order = 0; order < 2; order++) {
        for (int device = 0; device < 2; device++) {
            options.device = device;
            assert_int_equal(rill_context_create(world.platform, &options, &contexts[device]),
                             RILL_SUCCESS);
        }
        assert_ptr_not_equal(contexts[0], contexts[1]);
        for (int device = 0; device < 2; device++) {
            int found = -1;
            options.device = device;
            assert_int_equal(rill_context_create(world.platform, &options, &again[device]),
                             RILL_SUCCESS);
            assert_ptr_equal(again[device], contexts[device]);
            assert_int_equal(rill_context_device(contexts[device], &found), RILL_SUCCESS);
            assert_int_equal(found, device);
            assert_int_equal(rill_context_destroy(&again[device]), RILL_SUCCESS);
        }
        rill_stream *stream = NULL;
        int found = -1;
        assert_int_equal(rill_stream_create(contexts[1], NULL, &stream), RILL_SUCCESS);
        assert_int_equal(rill_stream_device(stream, &found), RILL_SUCCESS);
        assert_int_equal(found, 1);
        rill_stream_destroy(&stream);
        assert_int_equal(rill_context_destroy(&contexts[order]), RILL_SUCCESS);
        assert_int_equal(rill_context_synchronize(contexts[!order]), RILL_SUCCESS);
        assert_int_equal(rill_context_destroy(&contexts[!order]), RILL_SUCCESS);
    }
}

static void a_shared_context_keeps_its_first_label(void **state)
{
    (void)state;
    rill_context_options options = { .size = sizeof options };
    rill_context *first = NULL, *second = NULL;
    rill_context_create(world.platform, &options, &first);
    options.label = "one";
    rl_alloc_fail_after(0); /* for the label */
    assert_int_equal(rill_context_create(world.platform, &options, &second),
                     RILL_ERROR_OUT_OF_MEMORY);
    rl_alloc_fail_after(-1);
    assert_null(second);
    assert_int_equal(rill_context_create(world.platform, &options, &second), RILL_SUCCESS);
    assert_int_equal(rill_context_destroy(&second), RILL_SUCCESS);
    options.label = "two";
    assert_int_equal(rill_context_create(world.platform, &options, &second), RILL_SUCCESS);
    assert_string_equal(rill_context_label(first), "one");
    assert_int_equal(rill_context_destroy(&second), RILL_SUCCESS);
    assert_int_equal(rill_context_destroy(&first), RILL_SUCCESS);
    assert_string_equal(shim_last(), "backend->context->destroy"); /* nobody else had it */
}

/* A backend may keep a context, as one does from within a host function. */
static void a_context_that_may_not_go_stays(void **state)
{
    (void)state;
    struct world w;
    assert_int_equal(world_fill(&w, world.platform), RILL_SUCCESS);
    rill_context *same = w.context;
    rill_context_set_label(w.context, "to stay");
    assert_int_equal(rill_context_destroy(&w.context), RILL_ERROR_NOT_PERMITTED);
    assert_ptr_equal(w.context, same);
    assert_string_equal(rill_last_error()->operation, "rill_context_destroy");
    assert_string_equal(rill_last_error()->object, "context 'to stay'");
    assert_string_equal(rill_last_error()->argument, "context");
    assert_int_equal(rill_stream_query(w.stream), RILL_SUCCESS);
    rill_context_set_label(w.context, NULL);
    assert_int_equal(world_empty(&w), RILL_SUCCESS);
}

static void a_pool_that_may_not_go_stays(void **state)
{
    (void)state;
    struct world w;
    assert_int_equal(world_fill(&w, world.platform), RILL_SUCCESS);
    rill_pool *same = w.pool;
    rill_pool_set_label(w.pool, "to stay");
    assert_int_equal(rill_pool_destroy(&w.pool), RILL_ERROR_NOT_PERMITTED);
    assert_ptr_equal(w.pool, same);
    assert_string_equal(rill_last_error()->operation, "rill_pool_destroy");
    assert_string_equal(rill_last_error()->object, "pool 'to stay'");
    assert_int_equal(rill_pool_trim(w.pool, 0), RILL_SUCCESS);
    rill_pool_set_label(w.pool, NULL);
    assert_int_equal(world_empty(&w), RILL_SUCCESS);
}

static void a_graph_that_may_not_go_stays(void **state)
{
    (void)state;
    struct world w;
    size_t count;
    assert_int_equal(world_fill(&w, world.platform), RILL_SUCCESS);
    rill_graph *same = w.graph;
    rill_graph_set_label(w.graph, "to stay");
    assert_int_equal(rill_graph_destroy(&w.graph), RILL_ERROR_NOT_PERMITTED);
    assert_ptr_equal(w.graph, same);
    assert_string_equal(rill_last_error()->operation, "rill_graph_destroy");
    assert_string_equal(rill_last_error()->object, "graph 'to stay'");
    rill_graph_set_label(w.graph, NULL);
    assert_int_equal(rill_graph_nodes(w.graph, NULL, &count), RILL_SUCCESS);
    assert_int_equal(world_empty(&w), RILL_SUCCESS);
}

static void objects_know_where_they_are(void **state)
{
    (void)state;
    rill_platform *platform = NULL;
    rill_context *context = NULL;
    int device = -1;
    assert_int_equal(rill_context_platform(world.context, &platform), RILL_SUCCESS);
    assert_ptr_equal(platform, world.platform);
    assert_int_equal(rill_stream_context(world.stream, &context), RILL_SUCCESS);
    assert_ptr_equal(context, world.context);
    context = NULL;
    assert_int_equal(rill_event_context(world.event, &context), RILL_SUCCESS);
    assert_ptr_equal(context, world.context);
    assert_int_equal(rill_stream_device(world.stream, &device), RILL_SUCCESS);
    assert_int_equal(device, 0);
}

#define THREADS 4
#define ROUNDS 500

static void *use_primary(void *data)
{
    int *failures = data;
    for (int i = 0; i < ROUNDS; i++) {
        rill_context *context = NULL;
        rill_stream *stream = NULL;
        *failures += rill_context_create(world.platform, NULL, &context) != RILL_SUCCESS;
        *failures += rill_stream_create(context, NULL, &stream) != RILL_SUCCESS;
        *failures += rill_stream_set_label(stream, i % 2 ? "odd" : "even") != RILL_SUCCESS;
        *failures += rill_stream_query(stream) != RILL_SUCCESS;
        *failures += rill_stream_destroy(&stream) != RILL_SUCCESS;
        *failures += rill_context_destroy(&context) != RILL_SUCCESS;
    }
    return NULL;
}

static void threads_share_a_primary_context(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    int failures[THREADS] = { 0 };
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, use_primary, &failures[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(failures[i], 0);
    }
}

/* ---- What the backend owns ---------------------------------------------- */

static void borrowed_objects_are_not_the_callers_to_destroy(void **state)
{
    (void)state;
    rill_stream *legacy = rill_stream_legacy(world.context);
    rill_stream *per_thread = rill_stream_per_thread(world.context), *kept = legacy;
    rill_pool *pool = NULL;
    rill_graph *child = NULL;
    assert_int_equal(rill_stream_destroy(&legacy), RILL_ERROR_INVALID_HANDLE);
    assert_null(legacy);
    assert_int_equal(rill_stream_destroy(&per_thread), RILL_ERROR_INVALID_HANDLE);
    assert_int_equal(rill_stream_query(kept), RILL_SUCCESS); /* no harm done */
    assert_int_equal(rill_device_default_pool(world.platform, 0, &pool), RILL_SUCCESS);
    assert_int_equal(rill_pool_destroy(&pool), RILL_ERROR_INVALID_VALUE);
    assert_null(pool);
    assert_string_equal(rill_last_error()->argument, "pool");
    assert_int_equal(rill_node_child_graph(world.graph, world.child_node, &child), RILL_SUCCESS);
    assert_int_equal(rill_graph_destroy(&child), RILL_ERROR_INVALID_VALUE);
}

/* A graph that a capture made is the caller's; one it was begun into was before. */
static void a_captured_graph_is_the_callers(void **state)
{
    (void)state;
    rill_graph *graph = NULL, *again = NULL, *inside = NULL;
    rill_capture_info info = { .size = sizeof info };
    rill_stream_begin_capture(world.stream, NULL);
    assert_int_equal(rill_stream_capture_info(world.stream, &info), RILL_SUCCESS);
    inside = info.graph;
    assert_int_equal(rill_graph_destroy(&inside), RILL_ERROR_INVALID_VALUE); /* not yet */
    assert_int_equal(rill_stream_end_capture(world.stream, &graph), RILL_SUCCESS);
    assert_ptr_equal(graph, info.graph);

    const rill_capture_options into = { .size = sizeof into, .graph = graph };
    assert_int_equal(rill_stream_begin_capture(world.stream, &into), RILL_SUCCESS);
    assert_int_equal(rill_stream_end_capture(world.stream, &again), RILL_SUCCESS);
    assert_ptr_equal(again, graph);
    assert_int_equal(rill_graph_destroy(&graph), RILL_SUCCESS);
}

static void a_capture_into_a_borrowed_graph_leaves_it_borrowed(void **state)
{
    (void)state;
    rill_graph *child = NULL, *ended = NULL;
    assert_int_equal(rill_node_child_graph(world.graph, world.child_node, &child), RILL_SUCCESS);
    const rill_capture_options into = { .size = sizeof into, .graph = child };
    assert_int_equal(rill_stream_begin_capture(world.stream, &into), RILL_SUCCESS);
    assert_int_equal(rill_stream_end_capture(world.stream, &ended), RILL_SUCCESS);
    assert_ptr_equal(ended, child);
    assert_int_equal(rill_graph_destroy(&ended), RILL_ERROR_INVALID_VALUE);
}

/* A captured graph keeps its context, as any of the caller's does. */
static void a_captured_graph_outlives_its_stream_and_context(void **state)
{
    (void)state;
    struct world w;
    rill_graph *graph = NULL;
    assert_int_equal(world_fill(&w, world.platform), RILL_SUCCESS);
    rill_stream_begin_capture(w.stream, NULL);
    assert_int_equal(rill_stream_end_capture(w.stream, &graph), RILL_SUCCESS);
    assert_int_equal(world_empty(&w), RILL_SUCCESS);
    assert_int_equal(rill_graph_destroy(&graph), RILL_SUCCESS);
}

static void an_invalid_end_of_capture_yields_no_graph(void **state)
{
    (void)state;
    rill_graph *graph = world.graph;
    assert_int_equal(rill_stream_end_capture(world.stream, &graph), RILL_ERROR_ILLEGAL_STATE);
    assert_null(graph);
    graph = world.graph;
    assert_int_equal(rill_stream_end_capture(NULL, &graph), RILL_ERROR_INVALID_HANDLE);
    assert_null(graph);
}

/* ---- Children that move ------------------------------------------------- */

static rill_op move_of(rill_graph *child)
{
    rill_op op;
    memset(&op, 0, sizeof op);
    op.kind = RILL_OP_GRAPH;
    op.graph.graph = child;
    op.graph.flags = RILL_CHILD_MOVE;
    return op;
}

static void a_child_that_moved_belongs_to_its_parent(void **state)
{
    (void)state;
    rill_graph *parent = NULL, *child = NULL, *same = NULL;
    rill_node node = NULL;
    rill_graph_create(world.context, NULL, &parent);
    rill_graph_create(world.context, NULL, &child);
    rill_op op = move_of(child);
    assert_int_equal(rill_graph_add_node(parent, NULL, 0, &op, &node), RILL_SUCCESS);
    assert_int_equal(rill_node_child_graph(parent, node, &same), RILL_SUCCESS);
    assert_ptr_equal(same, child);
    assert_int_equal(rill_graph_add_node(parent, NULL, 0, &op, &node), RILL_ERROR_NOT_SUPPORTED);
    assert_string_equal(rill_last_error()->argument, "op->graph.graph");
    assert_int_equal(rill_graph_destroy(&same), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(rill_graph_destroy(&parent), RILL_SUCCESS);
}

/* Its own context stays for it, although the caller gave that back. */
static void a_child_of_another_context_can_move(void **state)
{
    (void)state;
    struct world w;
    rill_graph *parent = NULL, *child = NULL;
    rill_node node = NULL;
    assert_int_equal(world_fill(&w, world.platform), RILL_SUCCESS);
    rill_graph_create(world.context, NULL, &parent);
    rill_graph_create(w.context, NULL, &child);
    rill_op op = move_of(child);
    assert_int_equal(rill_graph_add_node(parent, NULL, 0, &op, &node), RILL_SUCCESS);
    assert_int_equal(world_empty(&w), RILL_SUCCESS);
    size_t count;
    assert_int_equal(rill_graph_nodes(child, NULL, &count), RILL_ERROR_CONTEXT_IS_DESTROYED);
    assert_int_equal(rill_graph_destroy(&parent), RILL_SUCCESS);
}

static void a_child_that_did_not_move_stays_the_callers(void **state)
{
    (void)state;
    rill_graph *child = NULL;
    rill_node node = NULL;
    rill_graph_create(world.context, NULL, &child);
    rill_op op = move_of(child);
    shim_fail("backend->graph->add_node", 1, RILL_ERROR_INVALID_VALUE);
    assert_int_equal(rill_graph_add_node(world.graph, NULL, 0, &op, &node),
                     RILL_ERROR_INVALID_VALUE);
    assert_int_equal(rill_graph_destroy(&child), RILL_SUCCESS);
}

/* ---- User objects ------------------------------------------------------- */

static void on_destroy(void *data)
{
    ++*(int *)data;
}

static void a_user_object_goes_with_its_last_reference(void **state)
{
    (void)state;
    int gone = 0;
    rill_user_object *object = NULL;
    assert_int_equal(rill_user_object_create(world.platform, &gone, on_destroy, 2, &object),
                     RILL_SUCCESS);
    assert_int_equal(rill_user_object_retain(object, 3), RILL_SUCCESS);
    assert_int_equal(rill_user_object_release(&object, 4), RILL_SUCCESS);
    assert_non_null(object); /* one is left */
    assert_int_equal(gone, 0);
    assert_int_equal(rill_user_object_release(&object, 2), RILL_ERROR_INVALID_VALUE);
    assert_string_equal(rill_last_error()->argument, "count");
    assert_non_null(object);
    assert_int_equal(rill_user_object_release(&object, 1), RILL_SUCCESS);
    assert_null(object);
    assert_int_equal(gone, 1);
}

static void references_can_move_to_a_graph(void **state)
{
    (void)state;
    int gone = 0;
    rill_user_object *object = NULL, *kept;
    assert_int_equal(rill_user_object_create(world.platform, &gone, on_destroy, 2, &object),
                     RILL_SUCCESS);
    kept = object;
    assert_int_equal(rill_graph_retain_user_object(world.graph, object, 3, RILL_USER_OBJECT_MOVE),
                     RILL_ERROR_INVALID_VALUE);
    assert_int_equal(rill_graph_retain_user_object(world.graph, object, 1, RILL_USER_OBJECT_MOVE),
                     RILL_SUCCESS);
    assert_int_equal(rill_user_object_release(&object, 1), RILL_SUCCESS);
    assert_null(object);
    assert_int_equal(gone, 0);
    assert_int_equal(rill_graph_release_user_object(world.graph, kept, 1), RILL_SUCCESS);
    assert_int_equal(gone, 1);
}

static void what_fails_changes_no_count(void **state)
{
    (void)state;
    int gone = 0;
    rill_user_object *object = NULL;
    shim_fail("backend->graph->user_object_create", 1, RILL_ERROR_UNKNOWN);
    assert_int_equal(rill_user_object_create(world.platform, &gone, on_destroy, 1, &object),
                     RILL_ERROR_UNKNOWN);
    assert_int_equal(rill_user_object_create(world.platform, &gone, on_destroy, 0, &object),
                     RILL_ERROR_INVALID_VALUE);
    assert_null(object);
    assert_int_equal(gone, 0); /* it never was */
    assert_int_equal(rill_user_object_create(world.platform, &gone, on_destroy, 1, &object),
                     RILL_SUCCESS);
    shim_fail("backend->graph->user_object_retain", 1, RILL_ERROR_UNKNOWN);
    assert_int_equal(rill_user_object_retain(object, 1), RILL_ERROR_UNKNOWN);
    assert_int_equal(rill_user_object_retain(object, UINT32_MAX), RILL_ERROR_INVALID_VALUE);
    shim_fail("backend->graph->retain", 1, RILL_ERROR_UNKNOWN);
    assert_int_equal(rill_graph_retain_user_object(world.graph, object, 1, RILL_USER_OBJECT_MOVE),
                     RILL_ERROR_UNKNOWN);
    shim_fail("backend->graph->user_object_release", 1, RILL_ERROR_UNKNOWN);
    assert_int_equal(rill_user_object_release(&object, 1), RILL_ERROR_UNKNOWN);
    assert_non_null(object);
    assert_int_equal(rill_user_object_release(&object, 2), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(rill_user_object_release(&object, 1), RILL_SUCCESS);
    assert_int_equal(gone, 1);
}

/* ---- Labels ------------------------------------------------------------- */

static void a_label_stays_readable_when_replaced(void **state)
{
    (void)state;
    rill_stream *stream = NULL;
    rill_stream_options options = { .size = sizeof options, .label = "zero" };
    assert_int_equal(rill_stream_create(world.context, &options, &stream), RILL_SUCCESS);
    const char *handed_out[40];
    char text[16];
    assert_string_equal(rill_stream_label(stream), "zero");
    for (int i = 0; i < 40; i++) {
        snprintf(text, sizeof text, "label %d", i);
        assert_int_equal(rill_stream_set_label(stream, text), RILL_SUCCESS);
        handed_out[i] = rill_stream_label(stream);
        assert_ptr_not_equal(handed_out[i], text); /* a copy */
    }
    for (int i = 0; i < 40; i++) {
        snprintf(text, sizeof text, "label %d", i);
        assert_string_equal(handed_out[i], text);
    }
    assert_int_equal(rill_stream_set_label(stream, NULL), RILL_SUCCESS);
    assert_null(rill_stream_label(stream));
    assert_int_equal(rill_stream_destroy(&stream), RILL_SUCCESS);
}

/* A loop that switches between labels does not grow. */
static void a_label_that_comes_back_takes_no_memory(void **state)
{
    (void)state;
    rill_stream *stream = NULL;
    assert_int_equal(rill_stream_create(world.context, NULL, &stream), RILL_SUCCESS);
    rill_stream_set_label(stream, "prefill");
    rill_stream_set_label(stream, "decode");
    long live = rl_alloc_live();
    for (int i = 0; i < 1000; i++) rill_stream_set_label(stream, i % 2 ? "decode" : "prefill");
    assert_int_equal(rl_alloc_live(), live);
    assert_string_equal(rill_stream_label(stream), "decode");
    rill_stream_destroy(&stream);
}

static void every_kind_has_its_own_label(void **state)
{
    (void)state;
    struct world w;
    assert_int_equal(world_fill(&w, world.platform), RILL_SUCCESS);
    rill_context_set_label(w.context, "c");
    rill_stream_set_label(w.stream, "s");
    rill_event_set_label(w.event, "e");
    rill_pool_set_label(w.pool, "p");
    rill_graph_set_label(w.graph, "g");
    rill_exec_set_label(w.exec, "x");
    assert_string_equal(rill_context_label(w.context), "c");
    assert_string_equal(rill_stream_label(w.stream), "s");
    assert_string_equal(rill_event_label(w.event), "e");
    assert_string_equal(rill_pool_label(w.pool), "p");
    assert_string_equal(rill_graph_label(w.graph), "g");
    assert_string_equal(rill_exec_label(w.exec), "x");
    rill_context_destroy(&w.context);
    assert_string_equal(rill_stream_label(w.stream), "s"); /* to tell which one it is */
    assert_int_equal(rill_stream_set_label(w.stream, "t"), RILL_ERROR_CONTEXT_IS_DESTROYED);
    assert_int_equal(world_empty(&w), RILL_SUCCESS);
}

static void a_label_that_finds_no_memory_changes_nothing(void **state)
{
    (void)state;
    rill_stream *stream = NULL;
    rill_stream_options options = { .size = sizeof options, .label = "old" };
    assert_int_equal(rill_stream_create(world.context, &options, &stream), RILL_SUCCESS);
    rl_alloc_fail_after(0);
    assert_int_equal(rill_stream_set_label(stream, "new"), RILL_ERROR_OUT_OF_MEMORY);
    rl_alloc_fail_after(-1);
    assert_string_equal(rill_last_error()->operation, "rill_stream_set_label");
    assert_string_equal(rill_last_error()->object, "stream 'old'");
    assert_string_equal(rill_stream_label(stream), "old");
    rill_stream_destroy(&stream);
}

static void labels_in_options_are_set_before_the_backend_sees_the_object(void **state)
{
    (void)state;
    const rill_stream_options stream = { .size = sizeof stream, .label = "fails" };
    rill_stream *made = NULL;
    shim_fail("backend->stream->create", 1, RILL_ERROR_UNKNOWN);
    assert_int_equal(rill_stream_create(world.context, &stream, &made), RILL_ERROR_UNKNOWN);

    const rill_pool_options pool = { .size = sizeof pool, .label = "pool label" };
    const rill_event_options event = { .size = sizeof event, .label = "event label" };
    const rill_graph_options graph = { .size = sizeof graph, .label = "graph label" };
    rill_exec_options exec = { .size = sizeof exec, .label = "exec label" };
    rill_pool *p = NULL;
    rill_event *e = NULL;
    rill_graph *g = NULL;
    rill_exec *x = NULL;
    rill_pool_create(world.platform, &pool, &p);
    rill_event_create(world.context, &event, &e);
    rill_graph_create(world.context, &graph, &g);
    rill_exec_create(world.graph, &exec, &x);
    assert_string_equal(rill_pool_label(p), "pool label");
    assert_string_equal(rill_event_label(e), "event label");
    assert_string_equal(rill_graph_label(g), "graph label");
    assert_string_equal(rill_exec_label(x), "exec label");
    rill_pool_destroy(&p);
    rill_event_destroy(&e);
    rill_graph_destroy(&g);
    rill_exec_destroy(&x);
}

/* ---- Two that destroy one object ---------------------------------------- */

static atomic_int at_the_start;

static void *destroy_it(void *data)
{
    void **result = data;
    rill_stream *stream = *result;
    atomic_fetch_add(&at_the_start, 1);
    while (atomic_load(&at_the_start) < 2) continue;
    *result = rill_stream_destroy(&stream) ? NULL : &world;
    return NULL;
}

static void of_two_destroys_one_succeeds(void **state)
{
    (void)state;
    for (int i = 0; i < 200; i++) {
        rill_stream *stream = NULL;
        pthread_t threads[2];
        void *results[2];
        assert_int_equal(rill_stream_create(world.context, NULL, &stream), RILL_SUCCESS);
        rl_retain(stream); /* so that the loser finds memory */
        atomic_store(&at_the_start, 0);
        for (int j = 0; j < 2; j++) {
            results[j] = stream;
            pthread_create(&threads[j], NULL, destroy_it, &results[j]);
        }
        for (int j = 0; j < 2; j++) pthread_join(threads[j], NULL);
        assert_true(!results[0] != !results[1]);
        rl_release(stream);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_head_is_laid_out_for_good),
        TEST(heads_say_where_an_object_belongs),
        TEST(private_bytes_are_aligned_and_zero),
        TEST(an_owned_object_can_be_outside_of_a_context),
        TEST(ids_are_unique_and_grow),
        TEST(a_platform_ends_with_its_last_object),
        TEST(pools_and_user_objects_keep_the_platform),
        TEST(a_platform_is_closed_once),
        TEST(a_destroyed_context_keeps_its_bytes_for_its_children),
        TEST(a_failed_create_gives_everything_back),
        TEST(a_primary_context_is_shared_and_counted),
        TEST(platforms_and_own_contexts_share_nothing),
        TEST(a_primary_context_that_failed_is_not_kept),
        TEST(context_options_are_checked_for_every_user),
        TEST(each_device_has_a_primary_context),
        TEST(a_shared_context_keeps_its_first_label),
        TEST(a_context_that_may_not_go_stays),
        TEST(a_pool_that_may_not_go_stays),
        TEST(a_graph_that_may_not_go_stays),
        TEST(objects_know_where_they_are),
        TEST(threads_share_a_primary_context),
        TEST(borrowed_objects_are_not_the_callers_to_destroy),
        TEST(a_captured_graph_is_the_callers),
        TEST(a_capture_into_a_borrowed_graph_leaves_it_borrowed),
        TEST(a_captured_graph_outlives_its_stream_and_context),
        TEST(an_invalid_end_of_capture_yields_no_graph),
        TEST(a_child_that_moved_belongs_to_its_parent),
        TEST(a_child_of_another_context_can_move),
        TEST(a_child_that_did_not_move_stays_the_callers),
        TEST(a_user_object_goes_with_its_last_reference),
        TEST(references_can_move_to_a_graph),
        TEST(what_fails_changes_no_count),
        TEST(a_label_stays_readable_when_replaced),
        TEST(a_label_that_comes_back_takes_no_memory),
        TEST(every_kind_has_its_own_label),
        TEST(a_label_that_finds_no_memory_changes_nothing),
        TEST(labels_in_options_are_set_before_the_backend_sees_the_object),
        TEST(of_two_destroys_one_succeeds),
    };
    return cmocka_run_group_tests(tests, open_world, close_world);
}
