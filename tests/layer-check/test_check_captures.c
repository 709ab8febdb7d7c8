/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures that a call breaks, and captures that several threads take part in.
 */
#include "base/thread.h"
#include "layer-check/pairs.h"
#include "site/libdw.h"

enum { ROUNDS = 300, NODES = 8 };

/* What two threads do in one capture, until one of them ends it. */
struct shared {
    struct checked c;
    pthread_barrier_t barrier;
};

static void fill_x(struct shared *shared, rill_stream *stream)
{
    for (int i = 0; i < NODES; i++) rill_memset_d8_async(stream, shared->c.x, 1, 16);
}

/* The fork's part.  What the capture does not get any more is done at once. */
static void *add_to_fork(void *data)
{
    struct shared *shared = data;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_barrier_wait(&shared->barrier);
        fill_x(shared, shared->c.t);
        pthread_barrier_wait(&shared->barrier);
    }
    return NULL;
}

static void begin_relaxed(struct checked *c)
{
    const rill_capture_options relaxed = { .size = sizeof relaxed, .mode = RILL_CAPTURE_RELAXED };
    OK(rill_stream_begin_capture(c->s, &relaxed));
    order(c, c->s, c->t);
}

static void end_and_forget(struct checked *c)
{
    rill_graph *graph = NULL;
    if (!rill_stream_end_capture(c->s, &graph)) OK(rill_graph_destroy(&graph));
}

static void destroy_origin(struct checked *c)
{
    OK(rill_stream_destroy(&c->s));
    c->s = new_stream(c, RILL_STREAM_NON_BLOCKING);
}

static void while_another_thread_captures(void (*end)(struct checked *c))
{
    static struct shared shared;
    pthread_t thread;
    begin_pair(&shared.c);
    assert_false(pthread_barrier_init(&shared.barrier, NULL, 2));
    assert_false(pthread_create(&thread, NULL, add_to_fork, &shared));
    for (int i = 0; i < ROUNDS; i++) {
        begin_relaxed(&shared.c);
        pthread_barrier_wait(&shared.barrier);
        fill_x(&shared, shared.c.s);
        end(&shared.c);
        pthread_barrier_wait(&shared.barrier);
    }
    assert_false(pthread_join(thread, NULL));
    pthread_barrier_destroy(&shared.barrier);
    end_pair(&shared.c);
}

static void a_capture_ends_while_another_thread_captures(void **state)
{
    (void)state;
    while_another_thread_captures(end_and_forget);
}

static void its_stream_goes_while_another_thread_captures(void **state)
{
    (void)state;
    while_another_thread_captures(destroy_origin);
}

/* The program reads who waits for what, over and over. */
static void *ask_what_is_captured(void *data)
{
    struct shared *shared = data;
    for (int i = 0; i < ROUNDS; i++) {
        rill_capture_info info = { .size = sizeof info };
        OK(rill_stream_capture_info(shared->c.s, &info));
    }
    return NULL;
}

static void a_program_asks_while_another_thread_captures(void **state)
{
    static struct shared shared;
    pthread_t thread;
    (void)state;
    begin_pair(&shared.c);
    begin_relaxed(&shared.c);
    assert_false(pthread_create(&thread, NULL, ask_what_is_captured, &shared));
    for (int i = 0; i < ROUNDS; i++)
        OK(rill_memset_d8_async(shared.c.s, shared.c.x, 1, 16));
    assert_false(pthread_join(thread, NULL));
    end_and_forget(&shared.c);
    end_pair(&shared.c);
}

/* ---- Captures that a call breaks ------------------------------------------------------------- */

static const struct found *expect_capture(const struct checked *c, const char *sentence)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->found[i].kind == RILL_FINDING_CAPTURE) {
            assert_string_equal(c->found[i].sentence, sentence);
            return &c->found[i];
        }
    fail_msg("no capture was said to be broken");
    return NULL;
}

static void expect_end(rill_stream *stream, rill_status status)
{
    rill_graph *graph = NULL;
    assert_int_equal(rill_stream_end_capture(stream, &graph), status);
}

static void the_record_is_named_that_a_capture_has_not_done(void **state)
{
    struct checked c;
    (void)state;
    begin_pair(&c);
    OK(rill_stream_begin_capture(c.s, NULL));
    OK(rill_event_record(c.event, c.s, 0));
    assert_int_equal(rill_event_query(c.event), RILL_ERROR_CAPTURED_EVENT);
    expect_end(c.s, RILL_ERROR_STREAM_CAPTURE_INVALIDATED);
    const struct found *found = expect_capture(
        &c, "the host asks for an event that was recorded in a capture, where nothing happens");
    assert_string_equal(found->what[1], "event record");
    assert_int_equal(c.count, 1);
    end_pair(&c);
}

/* The stream of the one that goes on began its capture first. */
static void the_capture_that_goes_on_is_named(void **state)
{
    const rill_capture_options relaxed = { .size = sizeof relaxed, .mode = RILL_CAPTURE_RELAXED };
    struct checked c;
    rill_graph *graph;
    (void)state;
    begin_pair(&c);
    OK(rill_stream_begin_capture(c.s, &relaxed));
    write_x(&c, c.s);
    OK(rill_stream_begin_capture(c.t, &relaxed));
    OK(rill_stream_end_capture(c.t, &graph));
    OK(rill_graph_destroy(&graph));
    assert_int_equal(rill_stream_synchronize(c.s), RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    expect_end(c.s, RILL_ERROR_STREAM_CAPTURE_INVALIDATED);
    const struct found *found = expect_capture(&c, "a capture forbids this call");
    assert_non_null(strstr(found->advice, "before the capture begins"));
    assert_string_equal(found->what[1], "the begin of the capture");
    if (cs_libdw()) assert_int_not_equal(found->launch_line, 0);
    assert_int_equal(c.count, 1);
    end_pair(&c);
}

/* A call that the layer does not look at. */
static void a_broken_capture_is_said_at_its_end_at_least(void **state)
{
    rill_pool_options options = { .size = sizeof options };
    rill_pool *pool;
    struct checked c;
    (void)state;
    begin_pair(&c);
    OK(rill_stream_begin_capture(c.s, NULL));
    assert_int_not_equal(rill_pool_create(c.platform, &options, &pool), RILL_SUCCESS);
    expect_end(c.s, RILL_ERROR_STREAM_CAPTURE_INVALIDATED);
    expect_capture(&c, "a call broke the capture before it ended");
    end_pair(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_record_is_named_that_a_capture_has_not_done),
        cmocka_unit_test(the_capture_that_goes_on_is_named),
        cmocka_unit_test(a_broken_capture_is_said_at_its_end_at_least),
        cmocka_unit_test(a_capture_ends_while_another_thread_captures),
        cmocka_unit_test(its_stream_goes_while_another_thread_captures),
        cmocka_unit_test(a_program_asks_while_another_thread_captures),
    };
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
