/* SPDX-License-Identifier: Apache-2.0
 *
 * Pools of the simulator: their numbers, what they give back, and who gets which
 * memory again.  The answers are those of an H200.
 */
#include "sim/memory/pool_scene.h"

/* ---- Numbers ------------------------------------------------------------------------ */

static void numbers_as_on_hardware(void **state)
{
    (void)state;
    rill_stream *s = machine.stream[0];
    static const struct {
        size_t bytes, reserved_mib;
        long long after; /* bytes behind the one before it */
    } cases[] = { { 1, 32, 0 },          { 100, 32, 512 },       { 512, 32, 512 },
                  { 513, 32, 512 },      { 5000, 32, 1024 },     { MIB, 32, 5120 },
                  { 31 * MIB, 64, MIB }, { MIB, 64, 31 * MIB },  { 33 * MIB, 96, MIB },
                  { 100 * MIB, 192, 33 * MIB }, { 2 * MIB - 1, 192, 100 * MIB } };
    enum { COUNT = sizeof cases / sizeof *cases };
    rill_devptr all[COUNT];
    uint64_t sum = 0;
    keep_all();
    for (int i = 0; i < COUNT; i++) {
        all[i] = take(s, cases[i].bytes);
        sum += cases[i].bytes;
        assert_int_equal(reserved(), cases[i].reserved_mib * MIB);
        assert_int_equal(used(), sum);
        if (i) assert_true((long long)(all[i] - all[i - 1]) == cases[i].after);
    }
    for (int i = 0; i < COUNT; i++) {
        give(s, all[i]);
        sum -= cases[i].bytes;
        assert_int_equal(used(), sum);
    }
    assert_int_equal(used_high(), 176166893);
    ok(rill_stream_synchronize(s));
    assert_int_equal(reserved(), 192 * MIB);
    ok(rill_pool_trim(pool, 50 * MIB)); /* so many stay */
    assert_int_equal(reserved(), 64 * MIB);
    ok(rill_pool_trim(pool, 1));
    assert_int_equal(reserved(), 32 * MIB);
    ok(rill_pool_trim(pool, 0));
    assert_int_equal(reserved(), 0);
    assert_int_equal(reserved_high(), 192 * MIB);
}

static void attributes(void **state)
{
    (void)state;
    for (int a = 1; a <= 3; a++) {
        assert_int_equal(value_of(pool, (rill_pool_attribute)a), 1);
        set((rill_pool_attribute)a, 0);
        assert_int_equal(value_of(pool, (rill_pool_attribute)a), 0);
        set((rill_pool_attribute)a, 2);
        assert_int_equal(value_of(pool, (rill_pool_attribute)a), 1);
    }
    for (int a = 4; a <= 8; a++) assert_int_equal(value_of(pool, (rill_pool_attribute)a), 0);
    set(RILL_POOL_RELEASE_THRESHOLD, 12345);
    assert_int_equal(value_of(pool, RILL_POOL_RELEASE_THRESHOLD), 12345);
    static const int unknown[] = { -1, 0, 9, 99 };
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        uint64_t value;
        is(INVALID, rill_pool_get_attribute(pool, (rill_pool_attribute)unknown[i], &value));
        is(INVALID, rill_pool_set_attribute(pool, (rill_pool_attribute)unknown[i], 0));
    }
    is(INVALID, rill_pool_set_attribute(pool, RILL_POOL_RESERVED_CURRENT, 0));
    is(INVALID, rill_pool_set_attribute(pool, RILL_POOL_USED_CURRENT, 0));
    is(INVALID, rill_pool_set_attribute(pool, RILL_POOL_RESERVED_HIGH, 1));
    is(INVALID, rill_pool_set_attribute(pool, RILL_POOL_USED_HIGH, 1));
}

static void watermarks_fall_to_what_they_watch(void **state)
{
    (void)state;
    rill_stream *s = machine.stream[0];
    keep_all();
    rill_devptr p = take(s, MIB), q = take(s, 40 * MIB);
    give(s, q);
    assert_int_equal(used_high(), 41 * MIB);
    set(RILL_POOL_USED_HIGH, 0);
    assert_int_equal(used_high(), MIB);
    ok(rill_stream_synchronize(s));
    ok(rill_pool_trim(pool, 0));
    assert_int_equal(reserved_high(), 64 * MIB);
    set(RILL_POOL_RESERVED_HIGH, 0);
    assert_int_equal(reserved_high(), 32 * MIB);
    give(s, p);
}

static void nothing_is_given_for_nothing(void **state)
{
    (void)state;
    rill_stream *s = machine.stream[0];
    rill_devptr address = 7;
    ok(rill_mem_alloc_from_pool_async(s, pool, 0, &address));
    assert_true(address == 0 && reserved() == 0);
    address = 7;
    const size_t too_many[] = { SIZE_MAX, SIZE_MAX - 4096, DEVICE + 1 };
    for (int i = 0; i < 3; i++)
        is(RILL_ERROR_OUT_OF_MEMORY,
           rill_mem_alloc_from_pool_async(s, pool, too_many[i], &address));
    blames("bytes", "bytes do not fit", "and the pool holds 0");
    assert_true(address == 7 && used() == 0);
}

/* ---- Giving memory back ------------------------------------------------------------- */

static void a_synchronize_gives_back_beyond_the_threshold(void **state)
{
    (void)state;
    rill_stream *s = machine.stream[0];
    rill_event *event = NULL;
    ok(rill_event_create(machine.context[0], NULL, &event));
    for (int how = 0; how < 5; how++) {
        rill_devptr p = take(s, 40 * MIB);
        give(s, p);
        ok(rill_event_record(event, s, 0));
        settle(s); /* a query is no synchronize, and so is trim */
        ok(rill_event_query(event));
        ok(rill_pool_trim(pool, 0));
        assert_int_equal(reserved(), 64 * MIB);
        if (how == 0) ok(rill_stream_synchronize(s));
        if (how == 1) ok(rill_event_synchronize(event));
        if (how == 2) ok(rill_context_synchronize(machine.context[0]));
        if (how == 3) set(RILL_POOL_RELEASE_THRESHOLD, 50 * MIB);
        if (how == 4) set(RILL_POOL_RELEASE_THRESHOLD, 10 * MIB);
        if (how >= 3) assert_int_equal(reserved(), 64 * MIB);
        if (how >= 3) ok(rill_stream_synchronize(s));
        assert_int_equal(reserved(), how == 3 ? 32 * MIB : 0);
    }
    ok(rill_event_destroy(&event));
}

static void what_is_in_use_or_pending_stays(void **state)
{
    (void)state;
    rill_stream *s = machine.stream[0], *u = machine_stream(machine.context[0]);
    rill_devptr p = take(s, 40 * MIB), q = take(s, 40 * MIB);
    assert_int_equal(reserved(), 96 * MIB);
    give(s, p);
    ok(rill_stream_synchronize(s));
    assert_int_equal(reserved(), 64 * MIB); /* the chunk that nothing of q lies in */
    int held = gate(&machine, s);
    give(s, q);
    ok(rill_stream_synchronize(u));
    ok(rill_pool_trim(pool, 0));
    assert_int_equal(reserved(), 64 * MIB);
    open_gate(&machine, held);
    settle(s);
    ok(rill_pool_trim(pool, 0)); /* no synchronize has seen it yet */
    assert_int_equal(reserved(), 64 * MIB);
    ok(rill_stream_synchronize(s));
    assert_int_equal(reserved(), 0);
    ok(rill_stream_destroy(&u));
}

/* Memory that mem_free frees is free at once; the driver goes on counting it. */
static void freeing_at_once(void **state)
{
    (void)state;
    rill_context *c = machine.context[0];
    rill_stream *s = machine.stream[0], *u = machine_stream(c);
    rill_devptr p = take(s, MIB), q = take(s, 40 * MIB);
    ok(rill_stream_synchronize(s));
    ok(rill_mem_free(c, q));
    assert_int_equal(reserved(), 32 * MIB);
    assert_int_equal(used(), 41 * MIB);
    ok(rill_mem_free(c, p));
    assert_int_equal(reserved(), 0);
    keep_all();
    p = take(s, 40 * MIB);
    int held = gate(&machine, s);
    ok(rill_mem_free(c, p));
    assert_true(take(u, 40 * MIB) == p);
    ok(rill_stream_synchronize(u));
    give(u, p);
    open_gate(&machine, held);
    ok(rill_stream_destroy(&u));
    assert_int_equal(used(), 81 * MIB);
}

/* ---- Getting memory again ------------------------------------------------------------ */

/* What another allocation does: with the address of the first, in which state it
 * leaves its stream, and how much the pool then holds. */
static void check_again(rill_stream *stream, size_t bytes, rill_devptr first, bool same,
                        bool stream_held, size_t reserved_mib)
{
    rill_devptr again = 0;
    rill_status status = rill_mem_alloc_from_pool_async(stream, pool, bytes, &again);
    if (reserved_mib == 0) { /* expected to be refused */
        is(RILL_ERROR_OUT_OF_MEMORY, status);
        return;
    }
    ok(status);
    assert_true((again == first) == same);
    assert_int_equal(reserved(), reserved_mib * MIB);
    if (stream_held) stays_held(stream);
    else if (stream != machine.stream[0]) ok(rill_stream_synchronize(stream));
    give(stream, again);
}

/* Everything is done, and the pool is empty. */
static void start_again(int held)
{
    if (held >= 0) open_gate(&machine, held);
    ok(rill_context_synchronize(machine.context[0]));
    ok(rill_pool_trim(pool, 0));
    assert_int_equal(reserved(), 0);
}

/* The policies, and what another stream gets of memory that was freed but not
 * reached, reached but not synchronized, and freed before an event that it waits
 * for.  0: refused. */
struct policy {
    int events, opportunistic, internal;
    uint64_t maximum_mib;
    bool pending_same;  size_t pending_mib;
    bool done_same;     size_t done_mib;
    bool event_same;    size_t event_mib;
};

static void check_policy(const struct policy *policy)
{
    rill_context *c = machine.context[0];
    rill_stream *s = machine.stream[0], *u = machine_stream(c);
    rill_event *event = NULL;
    const size_t n = 40 * MIB;
    ok(rill_pool_destroy(&pool));
    pool = make_pool(policy->maximum_mib * MIB);
    ok(rill_event_create(c, NULL, &event));
    keep_all();
    set(RILL_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES, (uint64_t)policy->events);
    set(RILL_POOL_REUSE_ALLOW_OPPORTUNISTIC, (uint64_t)policy->opportunistic);
    set(RILL_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES, (uint64_t)policy->internal);

    rill_devptr p = take(s, n); /* its own stream gets it at once, always */
    int held = gate(&machine, s);
    give(s, p);
    check_again(s, n, p, true, true, 64);
    start_again(held);

    p = take(s, n); /* freed behind a gate: fresh memory, or a dependency */
    held = gate(&machine, s);
    give(s, p);
    bool waiting = policy->pending_same; /* it was not free: the stream must wait */
    check_again(u, n, p, policy->pending_same, waiting, policy->pending_mib);
    start_again(held);

    p = take(s, n); /* done, and a synchronize has seen it: for all */
    give(s, p);
    ok(rill_stream_synchronize(s));
    check_again(u, n, p, true, false, 64);
    start_again(-1);

    p = take(s, n); /* done, but nobody has seen it */
    give(s, p);
    settle(s);
    check_again(u, n, p, policy->done_same, false, policy->done_mib);
    start_again(-1);

    p = take(s, n); /* the stream waits for an event behind the free */
    held = gate(&machine, s);
    give(s, p);
    ok(rill_event_record(event, s, 0));
    ok(rill_stream_wait_event(u, event, 0));
    check_again(u, n, p, policy->event_same, true, policy->event_mib);
    start_again(held);

    ok(rill_event_destroy(&event));
    ok(rill_stream_destroy(&u));
}

static void policies_as_on_hardware(void **state)
{
    (void)state;
    static const struct policy policies[] = {
        { 1, 1, 1, 0, false, 96, true, 64, true, 64 },
        { 0, 0, 0, 0, false, 96, false, 96, false, 96 },
        { 1, 0, 0, 0, false, 96, false, 96, true, 64 },
        { 0, 1, 0, 0, false, 96, true, 64, false, 96 },
        { 0, 0, 1, 0, false, 96, false, 96, false, 96 },
        { 1, 1, 1, 64, true, 64, true, 64, true, 64 },
        { 0, 0, 0, 64, false, 0, false, 0, false, 0 },
        { 1, 0, 0, 64, false, 0, false, 0, true, 64 },
        { 0, 0, 1, 64, true, 64, true, 64, true, 64 },
    };
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) check_policy(&policies[i]);
}

static void parts_of_freed_memory(void **state)
{
    (void)state;
    rill_stream *s = machine.stream[0], *u = machine_stream(machine.context[0]);
    keep_all();
    rill_devptr p = take(s, 40 * MIB);
    int held = gate(&machine, s);
    give(s, p);
    rill_devptr a = take(s, 10 * MIB); /* of the freed block, whose rest is pending, too */
    ok(rill_stream_synchronize(u));
    rill_devptr theirs = take(u, 30 * MIB), b = take(s, 30 * MIB);
    assert_true(theirs >= p + 40 * MIB);
    give(u, theirs);
    ok(rill_stream_synchronize(u));
    ok(rill_pool_trim(pool, 0));
    assert_true(a == p && b == p + 10 * MIB);
    give(s, a);
    give(s, b);
    open_gate(&machine, held);
    settle(s);
    rill_devptr c = take(s, 41 * MIB); /* reached: all of it is one again */
    assert_true(c == p && reserved() == 64 * MIB);
    give(s, c);
    ok(rill_stream_destroy(&u));
}

/* The smallest hole, where it lies: free for all, and pending in the stream. */
static void the_smallest_that_fits_is_taken(void **state)
{
    (void)state;
    rill_stream *s = machine.stream[0];
    static const size_t mib[] = { 8, 1, 4, 1, 6, 1 };
    rill_devptr all[6];
    keep_all();
    for (int i = 0; i < 6; i++) all[i] = take(s, mib[i] * MIB);
    for (int pending = 0; pending < 2; pending++) {
        int held = pending ? gate(&machine, s) : -1;
        for (int i = 0; i < 6; i += 2) give(s, all[i]);
        if (!pending) ok(rill_stream_synchronize(s));
        assert_true(take(s, 4 * MIB) == all[2]);
        assert_true(take(s, 5 * MIB) == all[4]);
        assert_true(take(s, 7 * MIB) == all[0]);
        if (pending) open_gate(&machine, held);
        ok(rill_stream_synchronize(s));
    }
    for (int i = 0; i < 6; i++) give(s, all[i]);
}

/* The smallest that fits of a strand's own blocks, however many there are. */
static void a_strand_finds_what_fits(void **state)
{
    (void)state;
    rill_stream *s = machine.stream[0];
    rill_devptr all[64];
    keep_all();
    for (int i = 0; i < 64; i++) all[i] = take(s, (size_t)(i + 1) * 64 * 1024);
    int held = gate(&machine, s);
    for (int i = 0; i < 64; i++) give(s, all[i]);
    uint64_t before = reserved();
    for (int i = 63; i >= 0; i--) {
        rill_devptr again = take(s, (size_t)(i + 1) * 64 * 1024);
        assert_true(again == all[i]);
    }
    assert_int_equal(reserved(), before);
    for (int i = 0; i < 64; i++) give(s, all[i]);
    open_gate(&machine, held);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(numbers_as_on_hardware),
        TEST(attributes),
        TEST(watermarks_fall_to_what_they_watch),
        TEST(nothing_is_given_for_nothing),
        TEST(a_synchronize_gives_back_beyond_the_threshold),
        TEST(what_is_in_use_or_pending_stays),
        TEST(freeing_at_once),
        TEST(policies_as_on_hardware),
        TEST(parts_of_freed_memory),
        TEST(the_smallest_that_fits_is_taken),
        TEST(a_strand_finds_what_fits),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
