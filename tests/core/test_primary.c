/* SPDX-License-Identifier: Apache-2.0
 *
 * Primary contexts, and objects that may not go.
 */
#include "core/objects.h"

/* ---- Primary contexts ------------------------------------------------------ */

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

int main(void)
{
    const struct CMUnitTest tests[] = {
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
    };
    return cmocka_run_group_tests(tests, open_world, close_world);
}
