/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects: their heads, and who keeps whom alive.
 */
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
    };
    return cmocka_run_group_tests(tests, open_world, close_world);
}
