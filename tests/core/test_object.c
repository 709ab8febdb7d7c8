/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects: their heads, who keeps whom alive, labels.
 */
#include "core/object/gone.h"
#include "core/objects.h"

/* ---- The head -------------------------------------------------------------- */

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
        assert_int_equal(sizeof(struct rill_backend), 184);
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
    for (size_t i = 0; i < fake.stream.private_bytes; i++)
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

/* ---- Who keeps whom -------------------------------------------------------- */

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
    assert_non_null(again);
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
    assert_ptr_equal(copy, context);
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

/* ---- Labels ---------------------------------------------------------------- */

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
    rill_replay_set_label(w.replay, "r");
    assert_string_equal(rill_context_label(w.context), "c");
    assert_string_equal(rill_stream_label(w.stream), "s");
    assert_string_equal(rill_event_label(w.event), "e");
    assert_string_equal(rill_pool_label(w.pool), "p");
    assert_string_equal(rill_graph_label(w.graph), "g");
    assert_string_equal(rill_exec_label(w.exec), "x");
    assert_string_equal(rill_replay_label(w.replay), "r");
    rill_context_destroy(&w.context);
    assert_string_equal(rill_stream_label(w.stream), "s"); /* to tell which one it is */
    assert_int_equal(rill_stream_set_label(w.stream, "t"), RILL_ERROR_CONTEXT_IS_DESTROYED);
    assert_int_equal(world_empty(&w), RILL_SUCCESS);
}

static void every_object_has_a_word_of_the_programs(void **state)
{
    (void)state;
    struct world w;
    assert_int_equal(world_fill(&w, world.platform), RILL_SUCCESS);
    void *const objects[] = { w.context, w.stream, w.event,  w.module, w.kernel,      w.pool,
                              w.graph,   w.exec,   w.object, w.replay, world.platform };
    enum { COUNT = sizeof objects / sizeof objects[0] };
    static int words[COUNT];
    for (int i = 0; i < COUNT; i++) {
        assert_null(rill_data(objects[i]));
        rill_set_data(objects[i], &words[i], NULL);
    }
    rill_context_set_label(w.context, "beside");
    for (int i = 0; i < COUNT; i++) assert_ptr_equal(rill_data(objects[i]), &words[i]);
    rill_context_destroy(&w.context);
    assert_ptr_equal(rill_data(w.stream), &words[1]);
    rill_set_data(world.platform, NULL, NULL);
    assert_int_equal(world_empty(&w), RILL_SUCCESS);
}

static void count_gone(void *data)
{
    ++*(int *)data;
}

static void who_gave_a_word_is_told_that_the_object_is_gone(void **state)
{
    (void)state;
    struct world w;
    int stream = 0, event = 0, graph = 0, replaced = 0;
    assert_int_equal(world_fill(&w, world.platform), RILL_SUCCESS);
    rill_set_data(w.stream, &stream, count_gone);
    rill_set_data(w.event, &replaced, count_gone);
    rill_set_data(w.event, &event, count_gone);
    rill_set_data(w.graph, &graph, NULL);
    assert_int_equal(rill_stream_destroy(&w.stream), RILL_SUCCESS);
    assert_int_equal(stream, 1);
    assert_int_equal(event, 0);
    assert_int_equal(world_empty(&w), RILL_SUCCESS);
    assert_int_equal(stream, 1);
    assert_int_equal(event, 1);
    assert_int_equal(graph + replaced, 0);
}

static void who_gave_a_word_is_told_of_graphs_that_went_with_another(void **state)
{
    (void)state;
    struct world w;
    int gone = 0;
    rill_graph *child = NULL;
    assert_int_equal(world_fill(&w, world.platform), RILL_SUCCESS);
    assert_int_equal(rill_node_child_graph(w.graph, w.child_node, &child), RILL_SUCCESS);
    rill_set_data(child, &gone, count_gone);
    assert_int_equal(rill_graph_destroy(&w.graph), RILL_SUCCESS);
    assert_int_equal(gone, 1);
    assert_int_equal(world_empty(&w), RILL_SUCCESS);
    assert_int_equal(gone, 1);
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

/* ---- Two that destroy one object ------------------------------------------- */

static atomic_int at_the_start;

/* ---- Handles of what is gone ------------------------------------------------- */

static void an_address_tells_what_was_there(void **state)
{
    (void)state;
    rill_stream *stream = NULL;
    rill_event *event = NULL;
    assert_int_equal(rill_stream_create(world.context, NULL, &stream), RILL_SUCCESS);
    assert_int_equal(rill_event_create(world.context, NULL, &event), RILL_SUCCESS);
    const void *was_stream = stream, *was_event = event;
    rill_stream_destroy(&stream);
    rill_event_destroy(&event);
    assert_int_equal(rl_gone_kind(was_stream), RILL_OBJECT_STREAM);
    assert_int_equal(rl_gone_kind(was_event), RILL_OBJECT_EVENT);
    assert_int_equal(rl_gone_kind(&stream), 0);
    assert_int_equal(rl_gone_kind(NULL), 0);
}

/* A block of memory that no handle is in, as what is freed may look. */
static void a_handle_that_was_destroyed_is_said_to_have_been(void **state)
{
    (void)state;
    static _Alignas(64) uint64_t block[64];
    rl_gone_note(block, RILL_OBJECT_STREAM);
    assert_int_equal(rill_stream_query((rill_stream *)(void *)block), RILL_ERROR_INVALID_HANDLE);
    assert_string_equal(rill_last_error()->message,
                        "stream was destroyed; make a new one with rill_stream_create()");
    assert_int_equal(rill_event_query((rill_event *)(void *)block), RILL_ERROR_INVALID_HANDLE);
    assert_string_equal(rill_last_error()->message, "event is a stream that was destroyed; pass "
                                                    "an event from rill_event_create()");
}

static void also_if_something_else_is_there_by_now(void **state)
{
    (void)state;
    rl_gone_note(world.event, RILL_OBJECT_STREAM);
    rill_stream_query((rill_stream *)world.event);
    assert_string_equal(rill_last_error()->message,
                        "stream was destroyed; make a new one with rill_stream_create()");
    rl_gone_note(world.event, RILL_OBJECT_EVENT);
    rill_stream_query((rill_stream *)world.event);
    assert_string_equal(rill_last_error()->message, "stream is an event; pass a stream from "
                                                    "rill_stream_create()");
}

static void execs_that_are_swapped_are_said_to_be(void **state)
{
    (void)state;
    assert_non_null(world.exec);
    assert_int_not_equal(rill_exec_launch((rill_exec *)world.stream, (rill_stream *)world.exec),
                         RILL_SUCCESS);
    assert_string_equal(rill_last_error()->message,
                        "exec is a stream, and stream is an exec; are they swapped?");
    assert_int_not_equal(rill_exec_update((rill_exec *)world.graph, (rill_graph *)world.exec, NULL),
                         RILL_SUCCESS);
    assert_string_equal(rill_last_error()->message,
                        "exec is a graph, and graph is an exec; are they swapped?");
}

/* ---- Threads that destroy ------------------------------------------------------ */

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
        TEST(a_label_stays_readable_when_replaced),
        TEST(a_label_that_comes_back_takes_no_memory),
        TEST(every_kind_has_its_own_label),
        TEST(every_object_has_a_word_of_the_programs),
        TEST(who_gave_a_word_is_told_that_the_object_is_gone),
        TEST(who_gave_a_word_is_told_of_graphs_that_went_with_another),
        TEST(a_label_that_finds_no_memory_changes_nothing),
        TEST(labels_in_options_are_set_before_the_backend_sees_the_object),
        TEST(an_address_tells_what_was_there),
        TEST(a_handle_that_was_destroyed_is_said_to_have_been),
        TEST(also_if_something_else_is_there_by_now),
        TEST(execs_that_are_swapped_are_said_to_be),
        TEST(of_two_destroys_one_succeeds),
    };
    return cmocka_run_group_tests(tests, open_world, close_world);
}
