/* SPDX-License-Identifier: Apache-2.0
 *
 * Hints: calls that order nothing, and memory that a pool has only by luck.  A hint is no
 * finding, and a call site gets one only if none of its calls was of use.
 */
#include <sched.h>
#include <stdatomic.h>

#include "layer-check/checked.h"

enum { BYTES = 4096, WHOLE = 32 << 20 /* of what the pool takes from the device at once */ };

static const char never_recorded[] =
    "a stream waits for an event that was never recorded, which orders nothing: meant in the "
    "first round of a ring of events, and else a record that is missing or comes too late";

struct scene {
    struct checked checked;
    rill_devptr memory;
    rill_event *event, *last;
};

static void begin_scene(struct scene *scene)
{
    begin_checked(&scene->checked);
    OK(rill_mem_alloc(scene->checked.context, BYTES, &scene->memory));
    OK(rill_event_create(scene->checked.context, NULL, &scene->event));
    OK(rill_event_create(scene->checked.context, NULL, &scene->last));
}

/* Waits for all of it, by a call that is of use. */
static void end_scene(struct scene *scene)
{
    uint64_t count;
    OK(rill_event_record(scene->last, scene->checked.t, 0));
    OK(rill_context_synchronize(scene->checked.context));
    OK(rill_check_count(scene->checked.platform, &count));
    assert_int_equal(count, 0);
    OK(rill_mem_free(scene->checked.context, scene->memory));
    OK(rill_event_destroy(&scene->event));
    OK(rill_event_destroy(&scene->last));
    end_checked(&scene->checked);
}

static void work(struct scene *scene, rill_stream *stream)
{
    OK(rill_memset_d8_async(stream, scene->memory, 0, BYTES));
}

/* A call that need not be, made so often.  What it took is measured, and so in no sentence. */
static void expect_hint(const struct scene *scene, const char *what, uint64_t count,
                        const char *sentence)
{
    assert_int_equal(scene->checked.count, 1);
    const struct found *found = &scene->checked.found[0];
    assert_int_equal(found->kind, RILL_FINDING_HINT);
    assert_string_equal(found->what[0], what);
    assert_string_equal(found->sentence, sentence);
    assert_int_equal(found->count, count);
    assert_true(found->cost_ns > 0);
}

/* ---- Waits of streams ------------------------------------------------------------------------ */

static void a_wait_that_orders_is_no_hint(void **state)
{
    struct scene scene;
    (void)state;
    begin_scene(&scene);
    work(&scene, scene.checked.s);
    OK(rill_event_record(scene.event, scene.checked.s, 0));
    OK(rill_stream_wait_event(scene.checked.t, scene.event, 0));
    work(&scene, scene.checked.t);
    end_scene(&scene);
    expect_nothing(&scene.checked);
}

static void a_wait_for_an_event_that_was_never_recorded_is_one(void **state)
{
    struct scene scene;
    (void)state;
    begin_scene(&scene);
    OK(rill_stream_wait_event(scene.checked.t, scene.event, 0));
    end_scene(&scene);
    expect_found(&scene.checked, RILL_FINDING_HINT, never_recorded);
}

/* The first round of a ring waits for nothing: that is said once, and what follows is none. */
static void a_ring_of_events_has_one_hint(void **state)
{
    enum { RING = 4, SLOT = BYTES / RING };
    struct scene scene;
    rill_event *ring[RING];
    (void)state;
    begin_scene(&scene);
    for (int i = 0; i < RING; i++) OK(rill_event_create(scene.checked.context, NULL, &ring[i]));
    for (int i = 0; i < 3 * RING; i++) {
        rill_devptr slot = scene.memory + (rill_devptr)(i % RING * SLOT);
        OK(rill_stream_wait_event(scene.checked.s, ring[i % RING], 0));
        OK(rill_memset_d8_async(scene.checked.s, slot, 0, SLOT));
        OK(rill_event_record(scene.event, scene.checked.s, 0));
        OK(rill_stream_wait_event(scene.checked.t, scene.event, 0));
        OK(rill_memset_d8_async(scene.checked.t, slot, 1, SLOT));
        OK(rill_event_record(ring[i % RING], scene.checked.t, 0));
    }
    end_scene(&scene);
    for (int i = 0; i < RING; i++) OK(rill_event_destroy(&ring[i]));
    expect_found(&scene.checked, RILL_FINDING_HINT, never_recorded);
}

static void a_wait_for_the_streams_own_past_is_one(void **state)
{
    struct scene scene;
    (void)state;
    begin_scene(&scene);
    for (int i = 0; i < 12; i++) {
        work(&scene, scene.checked.s);
        OK(rill_event_record(scene.event, scene.checked.s, 0));
        OK(rill_stream_wait_event(scene.checked.s, scene.event, 0));
    }
    end_scene(&scene);
    expect_hint(&scene, "event wait", 12, "the wait orders nothing that was not ordered already");
}

static void a_wait_for_what_the_host_knows_is_one(void **state)
{
    struct scene scene;
    (void)state;
    begin_scene(&scene);
    work(&scene, scene.checked.s);
    OK(rill_event_record(scene.event, scene.checked.s, 0));
    OK(rill_event_synchronize(scene.event));
    OK(rill_stream_wait_event(scene.checked.t, scene.event, 0));
    work(&scene, scene.checked.t);
    end_scene(&scene);
    expect_hint(&scene, "event wait", 1, "the wait orders nothing that was not ordered already");
}

/* Is one place also where no lines are known, and so not inlined. */
__attribute__((noinline)) static void wait_here(struct scene *scene, rill_stream *stream)
{
    OK(rill_stream_wait_event(stream, scene->event, 0));
}

static void one_call_that_orders_clears_its_site(void **state)
{
    struct scene scene;
    (void)state;
    begin_scene(&scene);
    work(&scene, scene.checked.s);
    OK(rill_event_record(scene.event, scene.checked.s, 0));
    wait_here(&scene, scene.checked.s);
    wait_here(&scene, scene.checked.t);
    wait_here(&scene, scene.checked.t);
    end_scene(&scene);
    expect_nothing(&scene.checked);
}

/* ---- Waits of the host ----------------------------------------------------------------------- */

static void a_wait_of_the_host_that_tells_it_something_is_no_hint(void **state)
{
    struct scene scene;
    (void)state;
    begin_scene(&scene);
    work(&scene, scene.checked.s);
    OK(rill_event_record(scene.event, scene.checked.s, 0));
    OK(rill_event_synchronize(scene.event));
    work(&scene, scene.checked.s);
    OK(rill_stream_synchronize(scene.checked.s));
    work(&scene, scene.checked.s);
    OK(rill_context_synchronize(scene.checked.context));
    end_scene(&scene);
    expect_nothing(&scene.checked);
}

static void a_second_wait_for_a_stream_is_one(void **state)
{
    struct scene scene;
    (void)state;
    begin_scene(&scene);
    for (int i = 0; i < 3; i++) {
        work(&scene, scene.checked.s);
        OK(rill_stream_synchronize(scene.checked.s));
        OK(rill_stream_synchronize(scene.checked.s));
    }
    end_scene(&scene);
    expect_hint(&scene, "rill_stream_synchronize", 3,
                "the host waits for nothing that it did not know to be done");
}

static void a_wait_for_an_event_of_a_stream_that_was_waited_for_is_one(void **state)
{
    struct scene scene;
    (void)state;
    begin_scene(&scene);
    work(&scene, scene.checked.s);
    OK(rill_event_record(scene.event, scene.checked.s, 0));
    OK(rill_stream_synchronize(scene.checked.s));
    OK(rill_event_synchronize(scene.event));
    end_scene(&scene);
    expect_hint(&scene, "rill_event_synchronize", 1,
                "the host waits for nothing that it did not know to be done");
}

static void a_wait_for_an_idle_context_is_one(void **state)
{
    struct scene scene;
    (void)state;
    begin_scene(&scene);
    OK(rill_context_synchronize(scene.checked.context));
    end_scene(&scene);
    expect_hint(&scene, "rill_context_synchronize", 1,
                "the host waits for nothing that it did not know to be done");
}

/* A query that said the work is done told the host already. */
static void a_wait_after_a_query_that_succeeded_is_one(void **state)
{
    struct scene scene;
    (void)state;
    begin_scene(&scene);
    work(&scene, scene.checked.s);
    while (rill_stream_query(scene.checked.s)) {}
    OK(rill_stream_synchronize(scene.checked.s));
    end_scene(&scene);
    expect_hint(&scene, "rill_stream_synchronize", 1,
                "the host waits for nothing that it did not know to be done");
}

static void what_fails_is_no_hint(void **state)
{
    struct scene scene;
    rill_graph *graph;
    (void)state;
    begin_scene(&scene);
    OK(rill_stream_begin_capture(scene.checked.s, NULL));
    assert_int_not_equal(rill_stream_synchronize(scene.checked.s), RILL_SUCCESS);
    rill_stream_end_capture(scene.checked.s, &graph);
    end_scene(&scene);
    for (size_t i = 0; i < scene.checked.count; i++)
        assert_int_not_equal(scene.checked.found[i].kind, RILL_FINDING_HINT);
}

/* ---- Memory of pools ------------------------------------------------------------------------- */

static void raise_flag(void *flag)
{
    atomic_store((atomic_int *)flag, 1);
}

/* Frees in one stream and, once that has happened, allocates as much in the other.  That it has
 * happened the program knows without the library. */
static bool reuse(struct scene *scene, bool wait)
{
    rill_devptr first, then;
    atomic_int flag = 0;
    OK(rill_mem_alloc_async(scene->checked.s, WHOLE, &first));
    OK(rill_mem_free_async(scene->checked.s, first));
    OK(rill_event_record(scene->event, scene->checked.s, 0));
    if (wait) OK(rill_stream_wait_event(scene->checked.t, scene->event, 0));
    OK(rill_launch_host(scene->checked.s, raise_flag, &flag, NULL));
    while (!atomic_load(&flag)) sched_yield();
    OK(rill_mem_alloc_async(scene->checked.t, WHOLE, &then));
    OK(rill_mem_free_async(scene->checked.t, then));
    return first == then;
}

static void memory_that_another_stream_freed_is_a_hint_without_an_order(void **state)
{
    struct scene scene;
    (void)state;
    begin_scene(&scene);
    assert_true(reuse(&scene, false));
    end_scene(&scene);
    expect_found(&scene.checked, RILL_FINDING_HINT,
                 "the allocation gets memory whose free nothing orders before it: the pool has to "
                 "wait for the free, or to find other memory");
    assert_string_equal(scene.checked.found[0].what[0], "allocation");
    assert_string_equal(scene.checked.found[0].what[1], "free");
    assert_int_equal(scene.checked.found[0].mend, RILL_MEND_WAIT);
}

static void memory_whose_free_is_ordered_before_is_none(void **state)
{
    struct scene scene;
    (void)state;
    begin_scene(&scene);
    assert_true(reuse(&scene, true));
    end_scene(&scene);
    expect_nothing(&scene.checked);
}

int main(void)
{
    setenv("RILL_CHECK", "race life hints", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wait_that_orders_is_no_hint),
        cmocka_unit_test(a_wait_for_an_event_that_was_never_recorded_is_one),
        cmocka_unit_test(a_ring_of_events_has_one_hint),
        cmocka_unit_test(a_wait_for_the_streams_own_past_is_one),
        cmocka_unit_test(a_wait_for_what_the_host_knows_is_one),
        cmocka_unit_test(one_call_that_orders_clears_its_site),
        cmocka_unit_test(a_wait_of_the_host_that_tells_it_something_is_no_hint),
        cmocka_unit_test(a_second_wait_for_a_stream_is_one),
        cmocka_unit_test(a_wait_for_an_event_of_a_stream_that_was_waited_for_is_one),
        cmocka_unit_test(a_wait_for_an_idle_context_is_one),
        cmocka_unit_test(a_wait_after_a_query_that_succeeded_is_one),
        cmocka_unit_test(what_fails_is_no_hint),
        cmocka_unit_test(memory_that_another_stream_freed_is_a_hint_without_an_order),
        cmocka_unit_test(memory_whose_free_is_ordered_before_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
