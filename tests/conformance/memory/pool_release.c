/* SPDX-License-Identifier: Apache-2.0
 *
 * When a pool gives memory back to its device.
 */
#include "conformance/work.h"

struct scene {
    struct fixture *fixture;
    rill_stream *stream;
    rill_event *event; /* recorded behind the free */
    rill_pool *pool;
};

/* 40 MB were freed in the stream, and the stream has got there, though nobody
 * has asked it yet. */
static struct scene prepare_with(struct fixture *f, rill_stream *stream, uint64_t threshold)
{
    struct scene scene = { f, stream, new_event(f), new_pool(f, 0) };
    ok(rill_pool_set_attribute(scene.pool, RILL_POOL_RELEASE_THRESHOLD, threshold));
    ok(rill_mem_free_async(stream, from_pool(scene.pool, stream, 40 * MB)));
    ok(rill_event_record(scene.event, stream, 0));
    let_pass(f, stream);
    return scene;
}

static struct scene prepare(struct fixture *f)
{
    return prepare_with(f, new_non_blocking(f), 0);
}

static uint64_t reserved(const struct scene *scene)
{
    return pool_value(scene->pool, RILL_POOL_RESERVED_CURRENT);
}

static void released(struct scene *scene)
{
    assert_int_equal(reserved(scene), 0);
    ok(rill_pool_destroy(&scene->pool));
}

static void kept(struct scene *scene)
{
    assert_true(reserved(scene) >= 40 * MB);
    ok(rill_pool_destroy(&scene->pool));
}

/* ---- By synchronizing -------------------------------------------------------------------- */

/* MP-6, p.pool_threshold: sync */
static void a_synchronize_of_the_stream_gives_memory_back(void **state)
{
    struct scene s = prepare(*state);
    ok(rill_stream_synchronize(s.stream));
    released(&s);
}

/* MP-6, p.pool_threshold: event_sync */
static void a_synchronize_of_an_event_behind_the_free_does(void **state)
{
    struct scene s = prepare(*state);
    ok(rill_event_synchronize(s.event));
    released(&s);
}

/* MP-6, p.pool_threshold: ctx_sync */
static void a_synchronize_of_the_context_does(void **state)
{
    struct scene s = prepare(*state);
    ok(rill_context_synchronize(s.fixture->context));
    released(&s);
}

/* q.observed: u_waited */
static void a_synchronize_of_a_stream_that_waited_for_it_does(void **state)
{
    struct scene s = prepare(*state);
    rill_stream *other = new_non_blocking(s.fixture);
    ok(rill_stream_wait_event(other, s.event, 0));
    ok(rill_stream_synchronize(other));
    released(&s);
}

/* q.observed: null_b */
static void a_synchronize_of_the_legacy_stream_does_for_blocking_streams(void **state)
{
    struct fixture *f = *state;
    struct scene s = prepare_with(f, new_stream(f), 0);
    ok(rill_stream_synchronize(f->legacy));
    released(&s);
}

/* Of what comes neither behind the free nor from its stream: whoever waits for it
 * knows nothing of the memory. */
static void a_synchronize_of_something_else_does_not(void **state)
{
    struct fixture *f = *state;
    rill_stream *other = new_non_blocking(f);
    rill_event *before = new_event(f);
    struct scene s = prepare(f);
    ok(rill_event_record(before, other, 0));
    mark(f, other, 'a');
    ok(rill_stream_synchronize(other));
    ok(rill_event_synchronize(before));
    ok(rill_stream_synchronize(f->legacy));
    assert_true(reserved(&s) >= 40 * MB);
    ok(rill_stream_wait_event(other, s.event, 0));
    ok(rill_stream_synchronize(other));
    released(&s);
}

/* An event that the stream recorded before it waited comes before the free. */
static void nor_does_that_of_an_event_that_was_recorded_before_the_wait(void **state)
{
    struct fixture *f = *state;
    rill_stream *other = new_non_blocking(f);
    rill_event *before = new_event(f), *after = new_event(f);
    mark(f, other, 'a');
    ok(rill_event_record(before, other, 0));
    mark(f, other, 'b');
    struct scene s = prepare(f);
    ok(rill_stream_wait_event(other, s.event, 0));
    ok(rill_event_record(after, other, 0));
    ok(rill_event_synchronize(before));
    assert_true(reserved(&s) >= 40 * MB);
    ok(rill_event_synchronize(after));
    released(&s);
}

/* p.pool_threshold: stream_query, event_query */
static void queries_do_not(void **state)
{
    struct scene s = prepare(*state);
    while (rill_stream_query(s.stream) == RILL_ERROR_NOT_READY) continue;
    ok(rill_stream_query(s.stream));
    ok(rill_event_query(s.event));
    kept(&s);
}

/* MP-6, p.pool_threshold: th50, th10 */
static void what_is_within_the_threshold_is_kept(void **state)
{
    struct fixture *f = *state;
    struct scene s = prepare_with(f, new_non_blocking(f), 1024 * MB);
    ok(rill_stream_synchronize(s.stream));
    kept(&s);
    s = prepare_with(f, new_non_blocking(f), 10 * MB);
    ok(rill_stream_synchronize(s.stream));
    assert_true(reserved(&s) <= 10 * MB);
    ok(rill_pool_destroy(&s.pool));
}

/* p.pool_threshold: set */
static void a_lower_threshold_counts_from_the_next_synchronize_on(void **state)
{
    struct fixture *f = *state;
    struct scene s = prepare_with(f, new_non_blocking(f), UINT64_MAX);
    ok(rill_stream_synchronize(s.stream));
    ok(rill_pool_set_attribute(s.pool, RILL_POOL_RELEASE_THRESHOLD, 0));
    assert_true(reserved(&s) >= 40 * MB);
    ok(rill_mem_free_async(s.stream, from_pool(s.pool, s.stream, 1)));
    ok(rill_stream_synchronize(s.stream));
    released(&s);
}

/* p.pool_threshold: one_live */
static void memory_that_is_allocated_stays(void **state)
{
    struct fixture *f = *state;
    struct scene s = prepare(f);
    rill_devptr live = from_pool(s.pool, s.stream, 40 * MB);
    ok(rill_mem_free_async(s.stream, from_pool(s.pool, s.stream, 100 * MB)));
    ok(rill_memset_d8_async(s.stream, live, 7, 40 * MB));
    ok(rill_stream_synchronize(s.stream));
    assert_in_range(reserved(&s), 40 * MB, 139 * MB);
    assert_int_equal(peek(f, live + 40 * MB - 4), 0x07070707);
    ok(rill_mem_free_async(s.stream, live));
    ok(rill_stream_synchronize(s.stream));
    released(&s);
}

/* What is given back is the device's again. */
static void memory_that_is_given_back_is_free_on_the_device(void **state)
{
    struct fixture *f = *state;
    size_t before = 0, during = 0, after = 0;
    needs_device_alone();
    ok(rill_mem_info(f->context, &before, NULL));
    struct scene s = prepare(f);
    ok(rill_mem_info(f->context, &during, NULL));
    assert_true(during <= before - 40 * MB);
    ok(rill_stream_synchronize(s.stream));
    ok(rill_mem_info(f->context, &after, NULL));
    same_amount(after, before);
    released(&s);
}

/* ---- By trimming ------------------------------------------------------------------------ */

/* p.pool_sizes: trim */
static void trimming_gives_unused_memory_back_down_to_what_is_to_be_kept(void **state)
{
    struct fixture *f = *state;
    struct scene s = prepare_with(f, new_non_blocking(f), UINT64_MAX);
    ok(rill_mem_free_async(s.stream, from_pool(s.pool, s.stream, 200 * MB)));
    ok(rill_stream_synchronize(s.stream));
    ok(rill_pool_trim(s.pool, 1024 * MB));
    assert_true(reserved(&s) >= 200 * MB);
    ok(rill_pool_trim(s.pool, 50 * MB));
    assert_in_range(reserved(&s), 50 * MB, 199 * MB);
    ok(rill_pool_trim(s.pool, 0));
    released(&s);
}

/* MP-10, p.pool_threshold: trim */
static void trimming_leaves_frees_that_no_synchronize_has_seen(void **state)
{
    struct scene s = prepare(*state);
    ok(rill_pool_trim(s.pool, 0));
    assert_true(reserved(&s) >= 40 * MB);
    ok(rill_stream_synchronize(s.stream));
    released(&s);
}

/* MP-10, p.pool_threshold: pending_trim */
static void trimming_leaves_pending_frees_and_does_not_wait(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_pool *pool = new_pool(f, 0);
    rill_devptr p = from_pool(pool, s, 40 * MB);
    ok(rill_stream_synchronize(s));
    struct gate *g = gate(f, s);
    ok(rill_mem_free_async(s, p));
    ok(rill_pool_trim(pool, 0));
    assert_true(pool_value(pool, RILL_POOL_RESERVED_CURRENT) >= 40 * MB);
    held(s);
    open_gate(g);
    ok(rill_stream_synchronize(s));
    assert_int_equal(pool_value(pool, RILL_POOL_RESERVED_CURRENT), 0);
    ok(rill_pool_destroy(&pool));
}

/* MP-10 */
static void trimming_leaves_memory_that_is_allocated(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_pool *pool = new_pool(f, 0);
    rill_devptr p = from_pool(pool, s, 40 * MB);
    ok(rill_memset_d8_async(s, p, 7, 40 * MB));
    ok(rill_stream_synchronize(s));
    ok(rill_pool_trim(pool, 0));
    assert_true(pool_value(pool, RILL_POOL_RESERVED_CURRENT) >= 40 * MB);
    assert_int_equal(peek(f, p + 40 * MB - 4), 0x07070707);
    ok(rill_mem_free_async(s, p));
    ok(rill_stream_synchronize(s));
    ok(rill_pool_destroy(&pool));
}

/* ---- Because somebody else needs it -------------------------------------------------------- */

/* q.full: memalloc_synced, otherpool */
static void an_allocation_that_would_fail_takes_what_pools_do_not_use(void **state)
{
    struct fixture *f = *state;
    size_t free_bytes = 0;
    needs_device_alone();
    rill_stream *s = new_non_blocking(f);
    rill_pool *pool = new_pool(f, 0), *second = new_pool(f, 0);
    rill_devptr p = 0;
    ok(rill_mem_info(f->context, &free_bytes, NULL));
    const size_t most = free_bytes / 4 * 3;
    keep_all(pool);
    keep_all(second);
    for (int i = 0; i < 2; i++) {
        ok(rill_mem_free_async(s, from_pool(pool, s, most)));
        ok(rill_stream_synchronize(s));
        assert_true(pool_value(pool, RILL_POOL_RESERVED_CURRENT) >= most);
        if (i) {
            p = from_pool(second, s, most);
            ok(rill_mem_free_async(s, p));
        } else {
            ok(rill_mem_alloc(f->context, most, &p));
            ok(rill_mem_free(f->context, p));
        }
        assert_int_equal(pool_value(pool, RILL_POOL_RESERVED_CURRENT), 0);
    }
    ok(rill_stream_synchronize(s));
    ok(rill_pool_destroy(&pool));
    ok(rill_pool_destroy(&second));
}

/* q.full: otherpool_pending */
static void what_is_still_pending_is_not_taken(void **state)
{
    struct fixture *f = *state;
    size_t free_bytes = 0;
    needs_device_alone();
    rill_stream *s = new_non_blocking(f), *other = new_non_blocking(f);
    rill_pool *pool = new_pool(f, 0), *second = new_pool(f, 0);
    rill_devptr p = 0;
    ok(rill_mem_info(f->context, &free_bytes, NULL));
    const size_t most = free_bytes / 4 * 3;
    p = from_pool(pool, s, most);
    struct gate *g = gate(f, s);
    ok(rill_mem_free_async(s, p));
    is(RILL_ERROR_OUT_OF_MEMORY, rill_mem_alloc_from_pool_async(other, second, most, &p));
    is(RILL_ERROR_OUT_OF_MEMORY, rill_mem_alloc(f->context, most, &p));
    open_gate(g);
    ok(rill_context_synchronize(f->context));
    ok(rill_pool_destroy(&pool));
    ok(rill_pool_destroy(&second));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_synchronize_of_the_stream_gives_memory_back),
    cmocka_unit_test(a_synchronize_of_an_event_behind_the_free_does),
    cmocka_unit_test(a_synchronize_of_the_context_does),
    cmocka_unit_test(a_synchronize_of_a_stream_that_waited_for_it_does),
    cmocka_unit_test(a_synchronize_of_the_legacy_stream_does_for_blocking_streams),
    cmocka_unit_test(a_synchronize_of_something_else_does_not),
    cmocka_unit_test(nor_does_that_of_an_event_that_was_recorded_before_the_wait),
    cmocka_unit_test(queries_do_not),
    cmocka_unit_test(what_is_within_the_threshold_is_kept),
    cmocka_unit_test(a_lower_threshold_counts_from_the_next_synchronize_on),
    cmocka_unit_test(memory_that_is_allocated_stays),
    cmocka_unit_test(memory_that_is_given_back_is_free_on_the_device),
    cmocka_unit_test(trimming_gives_unused_memory_back_down_to_what_is_to_be_kept),
    cmocka_unit_test(trimming_leaves_frees_that_no_synchronize_has_seen),
    cmocka_unit_test(trimming_leaves_pending_frees_and_does_not_wait),
    cmocka_unit_test(trimming_leaves_memory_that_is_allocated),
    cmocka_unit_test(an_allocation_that_would_fail_takes_what_pools_do_not_use),
    cmocka_unit_test(what_is_still_pending_is_not_taken),
};

SUITE_GROUP(pool_release, 1);
