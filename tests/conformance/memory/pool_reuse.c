/* SPDX-License-Identifier: Apache-2.0
 *
 * Which freed memory an allocation gets again: at once in the same stream, in
 * another when the order is sure, and never while it is not.
 */
#include "conformance/work.h"

#define BLOCK (40 * MB)

/* A pool of which a block was allocated and freed in `from`; the next block is
 * asked for in `other`. */
struct scene {
    struct fixture *fixture;
    rill_stream *from, *other;
    rill_pool *pool;
    rill_devptr freed;
};

/* The three switches of reuse: events, opportunistic, internal dependencies. */
struct switches {
    uint64_t events, opportunistic, internal;
};

static const struct switches all_on = { 1, 1, 1 };

static struct scene prepare(struct fixture *f, struct switches set, uint64_t maximum)
{
    struct scene scene = { f, new_non_blocking(f), new_non_blocking(f), new_pool(f, maximum), 0 };
    keep_all(scene.pool);
    ok(rill_pool_set_attribute(scene.pool, RILL_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES, set.events));
    ok(rill_pool_set_attribute(scene.pool, RILL_POOL_REUSE_ALLOW_OPPORTUNISTIC,
                               set.opportunistic));
    ok(rill_pool_set_attribute(scene.pool, RILL_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES,
                               set.internal));
    scene.freed = from_pool(scene.pool, scene.from, BLOCK);
    ok(rill_stream_synchronize(scene.from));
    return scene;
}

static void finish(struct scene *scene)
{
    ok(rill_context_synchronize(scene->fixture->context));
    ok(rill_pool_destroy(&scene->pool));
}

enum outcome { SAME, OTHER, NO_MEMORY };

/* Asks for a block; it is freed in the same stream afterwards. */
static enum outcome ask(struct scene *scene, rill_stream *stream, size_t bytes)
{
    rill_devptr p = 0;
    rill_status status = rill_mem_alloc_from_pool_async(stream, scene->pool, bytes, &p);
    if (status == RILL_ERROR_OUT_OF_MEMORY) return NO_MEMORY;
    ok(status);
    ok(rill_memset_d8_async(stream, p, 1, 16));
    ok(rill_mem_free_async(stream, p));
    if (p == scene->freed) return SAME;
    assert_true(p + bytes <= scene->freed || scene->freed + BLOCK <= p);
    return OTHER;
}

/* ---- The same stream ------------------------------------------------------------------- */

/* MP-3, p.reuse_*: same_pending */
static void the_same_stream_gets_it_at_once(void **state)
{
    struct fixture *f = *state;
    for (uint64_t on = 0; on < 2; on++) {
        struct scene s = prepare(f, (struct switches){ on, on, on }, 0);
        struct gate *g = gate(f, s.from);
        ok(rill_mem_free_async(s.from, s.freed));
        assert_int_equal(ask(&s, s.from, BLOCK), SAME);
        held(s.from);
        open_gate(g);
        finish(&s);
    }
}

/* p.reuse_*: smaller */
static void a_smaller_block_is_cut_from_it(void **state)
{
    struct scene s = prepare(*state, all_on, 0);
    ok(rill_mem_free_async(s.from, s.freed));
    assert_int_equal(ask(&s, s.from, 10 * MB), SAME);
    finish(&s);
}

static void what_is_cut_from_it_does_not_overlap(void **state)
{
    struct scene s = prepare(*state, all_on, 0);
    rill_devptr parts[8];
    ok(rill_mem_free_async(s.from, s.freed));
    for (int i = 0; i < 8; i++) {
        parts[i] = from_pool(s.pool, s.from, 5 * MB);
        for (int k = 0; k < i; k++)
            assert_true(parts[i] + 5 * MB <= parts[k] || parts[k] + 5 * MB <= parts[i]);
    }
    for (int i = 0; i < 8; i++) ok(rill_mem_free_async(s.from, parts[i]));
    finish(&s);
}

/* ---- Another stream, the free still pending ------------------------------------------------ */

/* MP-3, p.reuse_*: other_pending */
static void another_stream_does_not_get_it_while_it_is_pending(void **state)
{
    struct fixture *f = *state;
    static const struct switches sets[] = { { 1, 1, 1 }, { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 },
                                            { 0, 0, 1 } };
    for (int i = 0; i < 5; i++) {
        struct scene s = prepare(f, sets[i], 0);
        struct gate *g = gate(f, s.from);
        ok(rill_mem_free_async(s.from, s.freed));
        assert_int_equal(ask(&s, s.other, BLOCK), OTHER);
        ok(rill_stream_synchronize(s.other)); /* and has not been made to wait */
        open_gate(g);
        finish(&s);
    }
}

/* MP-3, p.reuse_max_*: other_pending: rather than fail, it is made to wait, when
 * that is allowed. */
static void a_full_pool_makes_another_stream_wait_for_it(void **state)
{
    struct fixture *f = *state;
    static const struct switches sets[] = { { 1, 1, 1 }, { 0, 0, 1 }, { 1, 0, 0 }, { 0, 0, 0 } };
    for (int i = 0; i < 4; i++) {
        struct scene s = prepare(f, sets[i], 64 * MB);
        struct gate *g = gate(f, s.from);
        ok(rill_mem_free_async(s.from, s.freed));
        assert_int_equal(ask(&s, s.other, BLOCK), sets[i].internal ? SAME : NO_MEMORY);
        if (sets[i].internal) held(s.other);
        else ok(rill_stream_query(s.other));
        open_gate(g);
        finish(&s);
    }
}

/* MP-3, p.reuse_*: event_pending */
static void an_event_makes_it_sure(void **state)
{
    struct fixture *f = *state;
    static const struct switches sets[] = { { 1, 1, 1 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 0 } };
    for (int i = 0; i < 4; i++) {
        struct scene s = prepare(f, sets[i], 0);
        rill_event *e = new_event(f);
        struct gate *g = gate(f, s.from);
        ok(rill_mem_free_async(s.from, s.freed));
        ok(rill_event_record(e, s.from, 0));
        ok(rill_stream_wait_event(s.other, e, 0));
        assert_int_equal(ask(&s, s.other, BLOCK), sets[i].events ? SAME : OTHER);
        held(s.other);
        open_gate(g);
        finish(&s);
    }
}

/* MP-3: an event from before the free promises nothing. */
static void an_event_from_before_the_free_does_not(void **state)
{
    struct fixture *f = *state;
    struct scene s = prepare(f, all_on, 0);
    rill_event *e = new_event(f);
    struct gate *g = gate(f, s.from);
    ok(rill_event_record(e, s.from, 0));
    ok(rill_stream_wait_event(s.other, e, 0));
    ok(rill_mem_free_async(s.from, s.freed));
    assert_int_equal(ask(&s, s.other, BLOCK), OTHER);
    open_gate(g);
    finish(&s);
}

/* MP-3: nor does the wait of a third stream. */
static void an_event_that_somebody_else_waits_for_does_not(void **state)
{
    struct fixture *f = *state;
    struct scene s = prepare(f, all_on, 0);
    rill_stream *third = new_non_blocking(f);
    rill_event *e = new_event(f);
    struct gate *g = gate(f, s.from);
    ok(rill_mem_free_async(s.from, s.freed));
    ok(rill_event_record(e, s.from, 0));
    ok(rill_stream_wait_event(third, e, 0));
    assert_int_equal(ask(&s, s.other, BLOCK), OTHER);
    open_gate(g);
    finish(&s);
}

/* ---- Another stream, the free done ---------------------------------------------------------- */

/* p.reuse_*: other_done: what a synchronize has seen is anybody's. */
static void once_a_synchronize_has_seen_the_free_it_is_anybody_s(void **state)
{
    struct fixture *f = *state;
    for (uint64_t on = 0; on < 2; on++) {
        struct scene s = prepare(f, (struct switches){ on, on, on }, 0);
        ok(rill_mem_free_async(s.from, s.freed));
        ok(rill_stream_synchronize(s.from));
        assert_int_equal(ask(&s, s.other, BLOCK), SAME);
        finish(&s);
    }
}

/* MP-3, p.reuse_*: other_done_unsynced */
static void what_has_passed_unseen_is_only_taken_when_opportunism_is_allowed(void **state)
{
    struct fixture *f = *state;
    static const struct switches sets[] = { { 1, 1, 1 }, { 0, 1, 0 }, { 1, 0, 0 }, { 0, 0, 1 },
                                            { 0, 0, 0 } };
    for (int i = 0; i < 5; i++) {
        struct scene s = prepare(f, sets[i], 0);
        ok(rill_mem_free_async(s.from, s.freed));
        let_pass(f, s.from);
        assert_int_equal(ask(&s, s.other, BLOCK), sets[i].opportunistic ? SAME : OTHER);
        finish(&s);
    }
}

/* p.pool_memfree */
static void a_synchronous_free_makes_it_anybody_s_at_once(void **state)
{
    struct fixture *f = *state;
    struct scene s = prepare(f, all_on, 0);
    struct gate *g = gate(f, s.from);
    ok(rill_mem_free(f->context, s.freed));
    assert_int_equal(ask(&s, s.other, BLOCK), SAME);
    ok(rill_stream_synchronize(s.other));
    open_gate(g);
    finish(&s);
}

/* ---- Whatever happens ------------------------------------------------------------------------ */

/* MP-3: many streams, unordered, each checks that its memory is its own. */
static void memory_is_never_shared_by_unordered_streams(void **state)
{
    struct fixture *f = *state;
    enum { STREAMS = 6, ROUNDS = 60, WORDS = 64 };
    rill_stream *streams[STREAMS];
    rill_pool *pool = new_pool(f, 0);
    uint32_t *seen = pinned(f, STREAMS * ROUNDS * 4);
    for (int i = 0; i < STREAMS; i++) streams[i] = new_non_blocking(f);
    for (uint32_t i = 0; i < STREAMS * ROUNDS; i++) {
        rill_stream *s = streams[i % STREAMS];
        rill_devptr p = from_pool(pool, s, WORDS * 4 * (1 + i % 7));
        ok(rill_memset_d32_async(s, p, i + 1, WORDS));
        ok(rill_memcpy_dtoh_async(s, &seen[i], p + 4 * (i % WORDS), 4));
        ok(rill_mem_free_async(s, p));
    }
    ok(rill_context_synchronize(f->context));
    for (uint32_t i = 0; i < STREAMS * ROUNDS; i++) assert_int_equal(seen[i], i + 1);
    ok(rill_pool_destroy(&pool));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_same_stream_gets_it_at_once),
    cmocka_unit_test(a_smaller_block_is_cut_from_it),
    cmocka_unit_test(what_is_cut_from_it_does_not_overlap),
    cmocka_unit_test(another_stream_does_not_get_it_while_it_is_pending),
    cmocka_unit_test(a_full_pool_makes_another_stream_wait_for_it),
    cmocka_unit_test(an_event_makes_it_sure),
    cmocka_unit_test(an_event_from_before_the_free_does_not),
    cmocka_unit_test(an_event_that_somebody_else_waits_for_does_not),
    cmocka_unit_test(once_a_synchronize_has_seen_the_free_it_is_anybody_s),
    cmocka_unit_test(what_has_passed_unseen_is_only_taken_when_opportunism_is_allowed),
    cmocka_unit_test(a_synchronous_free_makes_it_anybody_s_at_once),
    cmocka_unit_test(memory_is_never_shared_by_unordered_streams),
};

SUITE_GROUP(pool_reuse, 1);
