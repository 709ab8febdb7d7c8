/* SPDX-License-Identifier: Apache-2.0
 *
 * Layers: how they are put over a backend, what they see, and what they keep of objects.
 */
#include "core/layered.h"

/* ---- Composition ----------------------------------------------------------------------------- */

static void the_layer_that_is_named_first_is_on_top(void **state)
{
    struct layered world;
    (void)state;
    begin_world(&world, "upper,lower");
    assert_int_equal(rill_stream_query(world.stream), RILL_SUCCESS);
    expect_calls("upper lower bottom");
    end_world(&world);
    begin_world(&world, "lower,upper");
    assert_int_equal(rill_stream_query(world.stream), RILL_SUCCESS);
    expect_calls("lower upper bottom");
    end_world(&world);
}

static void what_a_layer_lacks_is_the_slot_beneath(void **state)
{
    struct layered world;
    uint64_t id = 0;
    (void)state;
    begin_world(&world, "idle-0,upper,idle-1");
    assert_int_equal(rill_stream_query(world.stream), RILL_SUCCESS);
    assert_int_equal(rill_stream_id(world.stream, &id), RILL_SUCCESS);
    expect_calls("upper bottom");
    assert_ptr_equal(rill_layer_beneath(&idle[1], world.stream), &fake.backend);
    assert_ptr_equal(rill_layer_beneath(&upper, world.stream)->stream->query, bottom_query);
    assert_ptr_equal(rill_layer_beneath(&idle[0], world.stream)->stream->query, upper_query);
    end_world(&world);
}

static void never_called(rill_stream *stream, rill_status status, void *data)
{
    (void)stream, (void)status, (void)data;
}

/* The backend has neither graphs nor callbacks of streams. */
static void what_the_backend_lacks_stays_absent(void **state)
{
    struct layered world;
    rill_graph *graph = NULL;
    (void)state;
    begin_world(&world, "lower");
    assert_int_equal(rill_graph_create(world.context, NULL, &graph), RILL_ERROR_NOT_SUPPORTED);
    assert_int_equal(rill_platform_supports(world.platform, RILL_FEATURE_GRAPHS),
                     RILL_ERROR_NOT_SUPPORTED);
    assert_int_equal(rill_stream_add_callback(world.stream, never_called, NULL, 0),
                     RILL_ERROR_NOT_SUPPORTED);
    assert_null(rill_object_of(world.stream)->backend->stream->add_callback);
    assert_null(rill_object_of(world.stream)->backend->graph);
    expect_calls("");
    end_world(&world);
}

static void what_is_no_slot_is_the_backends(void **state)
{
    struct layered world;
    const char *name = NULL;
    (void)state;
    begin_world(&world, "upper,lower");
    const struct rill_backend *top = rill_object_of(world.stream)->backend;
    assert_int_equal(rill_platform_backend(world.platform, &name), RILL_SUCCESS);
    assert_string_equal(name, "bottom");
    assert_int_equal(top->rank, fake.backend.rank);
    assert_int_equal(top->stream->private_bytes, fake.stream.private_bytes);
    assert_ptr_equal(top->probe, fake.backend.probe);
    end_world(&world);
}

static void without_layers_the_backend_is_used_as_it_is(void **state)
{
    struct layered world;
    (void)state;
    begin_world(&world, NULL);
    assert_ptr_equal(rill_object_of(world.stream)->backend, &fake.backend);
    end_world(&world);
}

/* ---- Short forms ----------------------------------------------------------------------------- */

static void copy_and_fill(struct layered *world)
{
    char bytes[16] = "";
    rill_devptr memory;
    assert_int_equal(rill_mem_alloc(world->context, sizeof bytes, &memory), RILL_SUCCESS);
    *calls = 0;
    assert_int_equal(rill_memcpy_htod_async(world->stream, memory, bytes, sizeof bytes),
                     RILL_SUCCESS);
    assert_int_equal(rill_memset_d8_async(world->stream, memory, 0, sizeof bytes), RILL_SUCCESS);
}

static void rows_pass_a_layer_that_sees_no_operations(void **state)
{
    struct layered world;
    (void)state;
    begin_world(&world, "upper");
    copy_and_fill(&world);
    expect_calls("bottom-copies bottom-fills");
    end_world(&world);
}

static void a_layer_that_sees_operations_gets_rows_among_them(void **state)
{
    struct layered world;
    (void)state;
    begin_world(&world, "upper,lower");
    copy_and_fill(&world);
    expect_calls("lower-submit lower-memset");
    end_world(&world);
}

static void a_layer_that_sees_rows_gets_those(void **state)
{
    struct layered world;
    (void)state;
    begin_world(&world, "rows");
    copy_and_fill(&world);
    expect_calls("rows-copies bottom-copies rows-submits");
    end_world(&world);
}

/* ---- Words ----------------------------------------------------------------------------------- */

static void each_layer_has_a_word_of_each_object(void **state)
{
    struct layered world;
    (void)state;
    begin_world(&world, "upper,lower");
    assert_null(*rill_layer_word(&upper, world.stream));
    assert_null(*rill_layer_word(&lower, world.stream));
    keep(&upper, world.stream, "mine");
    keep(&lower, world.stream, "his");
    keep(&upper, world.context, "its");
    assert_string_equal(*rill_layer_word(&upper, world.stream), "mine");
    assert_string_equal(*rill_layer_word(&lower, world.stream), "his");
    assert_null(*rill_layer_word(&lower, world.context));
    end_world(&world);
    /* In the order in which the objects end; those without a word are not told of. */
    char expected[128];
    snprintf(expected, sizeof expected, "destroyed upper-%d-mine lower-%d-his upper-%d-its "
             "platform-gone", RILL_OBJECT_STREAM, RILL_OBJECT_STREAM, RILL_OBJECT_CONTEXT);
    expect_calls(expected);
}

static void objects_of_the_backend_have_words_and_go_without_a_destroy(void **state)
{
    struct layered world;
    char expected[128];
    rill_pool *pool = NULL;
    (void)state;
    begin_world(&world, "lower");
    rill_stream *legacy = rill_stream_legacy(world.context);
    assert_int_equal(rill_device_default_pool(world.platform, 0, &pool), RILL_SUCCESS);
    assert_null(*rill_layer_word(&lower, legacy));
    keep(&lower, legacy, "legacy");
    keep(&lower, pool, "pool");
    assert_int_equal(rill_stream_destroy(&world.stream), RILL_SUCCESS);
    expect_calls("destroyed");
    assert_int_equal(rill_context_destroy(&world.context), RILL_SUCCESS);
    snprintf(expected, sizeof expected, "lower-%d-legacy", RILL_OBJECT_STREAM);
    expect_calls(expected);
    assert_int_equal(rill_close(&world.platform), RILL_SUCCESS);
    snprintf(expected, sizeof expected, "lower-%d-pool", RILL_OBJECT_POOL);
    expect_calls(expected);
}

static void a_word_that_was_taken_back_is_not_told_of(void **state)
{
    struct layered world;
    (void)state;
    begin_world(&world, "lower");
    keep(&lower, world.stream, "his");
    *rill_layer_word(&lower, world.stream) = NULL;
    end_world(&world);
    expect_calls("destroyed");
}

static void two_platforms_have_layers_of_their_own(void **state)
{
    struct layered one, other;
    (void)state;
    begin_world(&one, "upper");
    begin_world(&other, "lower,upper");
    keep(&upper, one.stream, "one");
    assert_null(*rill_layer_word(&upper, other.stream));
    assert_int_equal(rill_stream_query(one.stream), RILL_SUCCESS);
    expect_calls("upper bottom");
    assert_int_equal(rill_stream_query(other.stream), RILL_SUCCESS);
    expect_calls("lower upper bottom");
    end_world(&one);
    assert_int_equal(rill_stream_query(other.stream), RILL_SUCCESS);
    *calls = 0;
    end_world(&other);
}

/* ---- Calls that a layer offers --------------------------------------------------------------- */

static void a_layers_calls_need_the_layer(void **state)
{
    struct layered world;
    (void)state;
    begin_world(&world, "upper");
    assert_int_equal(rill_layer_check(&upper, world.stream, RILL_OBJECT_STREAM, "stream"),
                     RILL_SUCCESS);
    assert_int_not_equal(rill_layer_check(&upper, world.stream, RILL_OBJECT_EVENT, "event"),
                         RILL_SUCCESS);
    assert_int_not_equal(rill_layer_check(&upper, NULL, RILL_OBJECT_STREAM, "stream"),
                         RILL_SUCCESS);
    rill_status status = rill_layer_check(&lower, world.stream, RILL_OBJECT_STREAM, "stream");
    rill_backend_finish("a_call", world.stream, status);
    assert_int_equal(status, RILL_ERROR_NOT_SUPPORTED);
    assert_non_null(strstr(rill_last_error()->message, "'lower'"));
    end_world(&world);
    begin_world(&world, "");
    assert_int_equal(rill_layer_check(&upper, world.stream, RILL_OBJECT_STREAM, "stream"),
                     RILL_ERROR_NOT_SUPPORTED);
    end_world(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_layer_that_is_named_first_is_on_top),
        TEST(what_a_layer_lacks_is_the_slot_beneath),
        TEST(what_the_backend_lacks_stays_absent),
        TEST(what_is_no_slot_is_the_backends),
        TEST(without_layers_the_backend_is_used_as_it_is),
        TEST(rows_pass_a_layer_that_sees_no_operations),
        TEST(a_layer_that_sees_operations_gets_rows_among_them),
        TEST(a_layer_that_sees_rows_gets_those),
        TEST(each_layer_has_a_word_of_each_object),
        TEST(objects_of_the_backend_have_words_and_go_without_a_destroy),
        TEST(a_word_that_was_taken_back_is_not_told_of),
        TEST(two_platforms_have_layers_of_their_own),
        TEST(a_layers_calls_need_the_layer),
    };
    return cmocka_run_group_tests(tests, register_all, NULL);
}
