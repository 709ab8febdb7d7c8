/* SPDX-License-Identifier: Apache-2.0
 *
 * Waiting in a stream for a value in memory: when a wait holds, what ends it.
 */
#include "conformance/work.h"

/* ---- When it holds -------------------------------------------------------------------- */

struct probe {
    uint64_t memory, value, release;
    uint32_t flags;
    bool passes; /* at once; else it holds until memory is `release` */
};

static void probe32(struct fixture *f, const struct probe *probes, size_t count)
{
    rill_stream *s = new_non_blocking(f);
    atomic_uint *word = new_word(f);
    for (size_t i = 0; i < count; i++) {
        const struct probe *p = &probes[i];
        atomic_store(word, (unsigned)p->memory);
        ok(rill_stream_wait_value32(s, address_of(f, word), (uint32_t)p->value, p->flags));
        if (!p->passes) {
            held(s);
            atomic_store(word, (unsigned)p->release);
        }
        ok(rill_stream_synchronize(s));
    }
}

static void probe64(struct fixture *f, const struct probe *probes, size_t count)
{
    rill_stream *s = new_non_blocking(f);
    atomic_uint_least64_t *word = pinned(f, 8);
    for (size_t i = 0; i < count; i++) {
        const struct probe *p = &probes[i];
        atomic_store(word, p->memory);
        ok(rill_stream_wait_value64(s, at(word), p->value, p->flags));
        if (!p->passes) {
            held(s);
            atomic_store(word, p->release);
        }
        ok(rill_stream_synchronize(s));
    }
}

#define PROBE32(f, probes) probe32(f, probes, sizeof probes / sizeof *probes)
#define PROBE64(f, probes) probe64(f, probes, sizeof probes / sizeof *probes)

/* MO-1, memop.wait_geq_wrap */
static void geq_is_a_signed_difference(void **state)
{
    static const struct probe probes[] = {
        { 5, 5, 5, RILL_WAIT_GEQ, true },
        { 6, 5, 5, RILL_WAIT_GEQ, true },
        { 4, 5, 5, RILL_WAIT_GEQ, false },
        { 1, 0xffffffff, 1, RILL_WAIT_GEQ, true },
        { 0xffffffff, 1, 1, RILL_WAIT_GEQ, false },
        { 0, 0x80000000, 0x80000000, RILL_WAIT_GEQ, false },
        { 0x80000000, 0, 0, RILL_WAIT_GEQ, false },
        { 0x7fffffff, 0, 0, RILL_WAIT_GEQ, true },
        { 0x7fffffff, 0xffffffff, 0xffffffff, RILL_WAIT_GEQ, false },
        { 0x80000000, 0x7fffffff, 0x7fffffff, RILL_WAIT_GEQ, true },
    };
    PROBE32(*state, probes);
}

/* MO-1, memop.wait_eq */
static void eq_holds_above_and_below(void **state)
{
    static const struct probe probes[] = {
        { 5, 5, 5, RILL_WAIT_EQ, true },  { 6, 5, 5, RILL_WAIT_EQ, false },
        { 4, 5, 5, RILL_WAIT_EQ, false }, { 0, 0, 0, RILL_WAIT_EQ, true },
        { 0x7fffffff, 0xffffffff, 0xffffffff, RILL_WAIT_EQ, false },
    };
    PROBE32(*state, probes);
}

/* MO-1 */
static void and_wants_a_common_bit(void **state)
{
    static const struct probe probes[] = {
        { 6, 2, 0, RILL_WAIT_AND, true },
        { 6, 1, 7, RILL_WAIT_AND, false },
        { 0, 0xffffffff, 0x80000000, RILL_WAIT_AND, false },
        { 0x80000000, 0x80000000, 0, RILL_WAIT_AND, true },
    };
    PROBE32(*state, probes);
}

/* MO-1, memop.wait_nor */
static void nor_wants_a_bit_that_is_clear_in_both(void **state)
{
    static const struct probe probes[] = {
        { 0, 0, 0, RILL_WAIT_NOR, true },
        { 0xffffffff, 0, 0xfffffffe, RILL_WAIT_NOR, false },
        { 0x0000ffff, 0xffff0000, 0x0000fff0, RILL_WAIT_NOR, false },
        { 0x7fffffff, 0x00000001, 0, RILL_WAIT_NOR, true },
    };
    PROBE32(*state, probes);
}

/* MO-1, memop.wait64 */
static void waits_of_64_bits_look_at_all_of_them(void **state)
{
    static const struct probe probes[] = {
        { 5, 5, 5, RILL_WAIT_GEQ, true },
        { 0xffffffff, 0x100000000, 0x100000000, RILL_WAIT_GEQ, false },
        { 0x200000000, 0x1ffffffff, 0, RILL_WAIT_GEQ, true },
        { 1, UINT64_MAX, 1, RILL_WAIT_GEQ, true },
        { UINT64_MAX, 1, 1, RILL_WAIT_GEQ, false },
        { UINT64_C(1) << 63, 0, 0, RILL_WAIT_GEQ, false },
        { 0x80000000, 0, 0, RILL_WAIT_GEQ, true },
        { 0x100000005, 5, 5, RILL_WAIT_EQ, false },
        { 1, UINT64_C(1) << 40, UINT64_C(1) << 40, RILL_WAIT_AND, false },
        { 0xffffffff, 0, 0, RILL_WAIT_NOR, true },
        { UINT64_MAX, 0, 0, RILL_WAIT_NOR, false },
    };
    PROBE64(*state, probes);
}

/* MO-1: the upper half beside a word of 32 bits is somebody else's. */
static void waits_of_32_bits_look_at_no_more(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    atomic_uint_least64_t *word = pinned(f, 8);
    atomic_store(word, UINT64_C(0x700000005));
    ok(rill_stream_wait_value32(s, at(word), 5, RILL_WAIT_EQ));
    ok(rill_stream_synchronize(s));
}

/* ---- What ends it ---------------------------------------------------------------------- */

/* A stream is held by a wait for memory that only work of another writes. */
static void ends(rill_stream *held_stream, rill_status submitted)
{
    ok(submitted);
    ok(rill_stream_synchronize(held_stream));
}

/* memop.signal_from_device_work */
static void kernels_fills_copies_and_writes_end_a_wait(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_non_blocking(f), *b = new_non_blocking(f);
    rill_kernel *puts = kernel(f, &put_function);
    rill_devptr p = device_words(f, 8);
    for (rill_devptr i = 0; i < 4; i++) {
        ok(rill_stream_wait_value32(a, p + 4 * i, 3, RILL_WAIT_EQ));
        held(a);
        switch (i) {
        case 0: ends(a, put(puts, b, p, 3)); break;
        case 1: ends(a, rill_memset_d32_async(b, p + 4, 3, 1)); break;
        case 2: ends(a, rill_memcpy_dtod_async(b, p + 8, p + 4, 4)); break;
        default: ends(a, rill_stream_write_value32(b, p + 12, 3, 0)); break;
        }
    }
}

static void store_three(void *word)
{
    atomic_store((atomic_uint *)word, 3);
}

static void a_host_function_ends_a_wait(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_non_blocking(f), *b = new_non_blocking(f);
    atomic_uint *word = new_word(f);
    ok(rill_stream_wait_value32(a, address_of(f, word), 3, RILL_WAIT_GEQ));
    held(a);
    ends(a, rill_launch_host(b, store_three, word, NULL));
}

static rill_status store_it(void *word)
{
    atomic_store((atomic_uint *)word, 1);
    return RILL_SUCCESS;
}

/* Nobody announces a plain store: somebody must look. */
static void a_store_ends_a_wait_while_all_threads_wait(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_non_blocking(f);
    atomic_uint *word = new_word(f);
    ok(rill_stream_wait_value32(a, address_of(f, word), 1, RILL_WAIT_GEQ));
    mark(f, a, 'x');
    struct call *waiting = start_call(f, synchronize_stream, a);
    blocked(waiting);
    order(f, "");
    ok(finish_call(start_call(f, store_it, word)));
    ok(finish_call(waiting));
    order(f, "x");
}

/* Queries alone, without a wait by the host, see the wait end in time. */
static void a_store_ends_a_wait_that_is_only_asked_for(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_non_blocking(f);
    struct gate *closed = gate(f, a);
    held(a);
    open_gate(closed);
    while (rill_stream_query(a) == RILL_ERROR_NOT_READY) continue;
    ok(rill_stream_query(a));
}

static void many_streams_may_wait_for_one_word(void **state)
{
    struct fixture *f = *state;
    enum { STREAMS = 100 };
    if (!suite->expects.has_a_queue_for_each_stream)
        skip_since("streams share the queues of the hardware");
    rill_stream *all[STREAMS];
    atomic_uint *word = new_word(f);
    for (int i = 0; i < STREAMS; i++) {
        all[i] = new_non_blocking(f);
        ok(rill_stream_wait_value32(all[i], address_of(f, word), (uint32_t)i + 1, RILL_WAIT_GEQ));
        mark(f, all[i], 'm');
    }
    held(all[0]);
    order(f, "");
    atomic_store(word, STREAMS / 2);
    for (int i = 0; i < STREAMS / 2; i++) ok(rill_stream_synchronize(all[i]));
    held(all[STREAMS / 2]);
    held(all[STREAMS - 1]);
    assert_int_equal(f->mark_count, STREAMS / 2);
    atomic_store(word, STREAMS);
    ok(rill_context_synchronize(f->context));
    assert_int_equal(f->mark_count, STREAMS);
}

/* MO-6: a chain from stream to stream through memory alone. */
static void streams_can_hand_on_to_each_other(void **state)
{
    struct fixture *f = *state;
    enum { STREAMS = 8, ROUNDS = 25 };
    rill_stream *all[STREAMS];
    rill_kernel *k = kernel(f, &mul_add_function);
    rill_devptr turn = device_words(f, 2), sum = turn + 4;
    uint32_t expected = 0;
    for (int i = 0; i < STREAMS; i++) all[i] = new_non_blocking(f);
    for (uint32_t i = 0; i < STREAMS * ROUNDS; i++) {
        ok(rill_stream_wait_value32(all[i % STREAMS], turn, i, RILL_WAIT_EQ));
        ok(mul_add(k, all[i % STREAMS], sum, 3, i));
        ok(rill_stream_write_value32(all[i % STREAMS], turn, i + 1, 0));
        expected = expected * 3 + i;
    }
    ok(rill_context_synchronize(f->context));
    assert_int_equal(peek(f, sum), expected);
}

/* ---- Its place among other work --------------------------------------------------------- */

/* memop.event_after_wait */
static void an_event_behind_a_wait_is_not_complete_before_it(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_non_blocking(f), *b = new_non_blocking(f);
    rill_event *before = new_event(f), *after = new_event(f);
    struct gate *closed = new_gate(f);
    atomic_uint *result = new_word(f);
    ok(rill_event_record(before, a, 0));
    ok(rill_stream_wait_value32(a, address_of(f, closed->word), 1, RILL_WAIT_GEQ));
    ok(rill_event_record(after, a, 0));
    ok(rill_stream_wait_event(b, after, 0));
    ok(rill_stream_write_value32(b, address_of(f, result), 1, 0));
    ok(rill_event_synchronize(before));
    event_held(after);
    held(b);
    assert_int_equal(*result, 0);
    open_gate(closed);
    ok(rill_stream_synchronize(b));
    ok(rill_event_query(after));
    assert_int_equal(*result, 1);
}

/* DS-10, memop.legacy_ordering */
static void a_wait_in_the_legacy_stream_holds_blocking_streams(void **state)
{
    struct fixture *f = *state;
    rill_stream *a = new_stream(f), *free_one = new_non_blocking(f);
    atomic_uint *words[] = { new_word(f), new_word(f), new_word(f) };
    struct gate *g = gate(f, f->legacy);
    ok(rill_stream_write_value32(a, address_of(f, words[0]), 1, 0));
    ok(rill_stream_write_value32(f->per_thread, address_of(f, words[1]), 1, 0));
    ok(rill_stream_write_value32(free_one, address_of(f, words[2]), 1, 0));
    ok(rill_stream_synchronize(free_one));
    held(a);
    held(f->per_thread);
    assert_int_equal(*words[0], 0);
    assert_int_equal(*words[1], 0);
    assert_int_equal(*words[2], 1);
    open_gate(g);
    ok(rill_context_synchronize(f->context));
    assert_int_equal(*words[0], 1);
    assert_int_equal(*words[1], 1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(geq_is_a_signed_difference),
    cmocka_unit_test(eq_holds_above_and_below),
    cmocka_unit_test(and_wants_a_common_bit),
    cmocka_unit_test(nor_wants_a_bit_that_is_clear_in_both),
    cmocka_unit_test(waits_of_64_bits_look_at_all_of_them),
    cmocka_unit_test(waits_of_32_bits_look_at_no_more),
    cmocka_unit_test(kernels_fills_copies_and_writes_end_a_wait),
    cmocka_unit_test(a_host_function_ends_a_wait),
    cmocka_unit_test(a_store_ends_a_wait_while_all_threads_wait),
    cmocka_unit_test(a_store_ends_a_wait_that_is_only_asked_for),
    cmocka_unit_test(many_streams_may_wait_for_one_word),
    cmocka_unit_test(streams_can_hand_on_to_each_other),
    cmocka_unit_test(an_event_behind_a_wait_is_not_complete_before_it),
    cmocka_unit_test(a_wait_in_the_legacy_stream_holds_blocking_streams),
};

SUITE_GROUP(value_waits, 1);
