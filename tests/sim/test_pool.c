/* SPDX-License-Identifier: Apache-2.0
 *
 * Pools of the simulator: their numbers, who gets which memory again, and what
 * becomes of them when they are destroyed or run full.  The answers are those
 * of an H200, whose chunk of memory is 32 MiB; a device of 4 GiB here has it,
 * too.
 */
#include <sys/mman.h>

#include "backend-sim/pool.h"
#include "backend-sim/stream.h"
#include "base/alloc.h"
#include "sim/machine.h"
#include "support/random.h"

#define CHUNK (32 * MIB)
#define DEVICE (4096 * MIB)

static struct machine machine;
static rill_pool *pool; /* of device 0; made anew for each test */

static int setup(void **state)
{
    (void)state;
    machine_open(&machine, DEVICE);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    machine_close(&machine);
    return 0;
}

static rill_pool *make_pool(uint64_t maximum)
{
    const rill_pool_options options = { .size = sizeof options, .maximum = maximum };
    rill_pool *made = NULL;
    ok(rill_pool_create(machine.platform, &options, &made));
    return made;
}

static int pool_setup(void **state)
{
    (void)state;
    pool = make_pool(0);
    return 0;
}

static int pool_teardown(void **state)
{
    (void)state;
    ok(rill_pool_destroy(&pool));
    for (int i = 0; i < 2; i++) ok(rill_context_synchronize(machine.context[i]));
    return 0;
}

static uint64_t value_of(rill_pool *of, rill_pool_attribute attribute)
{
    uint64_t value = 0;
    ok(rill_pool_get_attribute(of, attribute, &value));
    return value;
}

static void set(rill_pool_attribute attribute, uint64_t value)
{
    ok(rill_pool_set_attribute(pool, attribute, value));
}

static void keep_all(void)
{
    set(RILL_POOL_RELEASE_THRESHOLD, UINT64_MAX);
}

static rill_devptr take(rill_stream *stream, size_t bytes)
{
    rill_devptr address = 0;
    ok(rill_mem_alloc_from_pool_async(stream, pool, bytes, &address));
    return address;
}

static void give(rill_stream *stream, rill_devptr address)
{
    ok(rill_mem_free_async(stream, address));
}

#define reserved() value_of(pool, RILL_POOL_RESERVED_CURRENT)
#define reserved_high() value_of(pool, RILL_POOL_RESERVED_HIGH)
#define used() value_of(pool, RILL_POOL_USED_CURRENT)
#define used_high() value_of(pool, RILL_POOL_USED_HIGH)

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

static void settle(rill_stream *stream)
{
    while (rill_stream_query(stream) == RILL_ERROR_NOT_READY)
        nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
}

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

static void stays_held(rill_stream *stream)
{
    for (int i = 0; i < 10; i++) {
        nanosleep(&(struct timespec){ .tv_nsec = 200000 }, NULL);
        is(RILL_ERROR_NOT_READY, rill_stream_query(stream));
    }
}

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

/* ---- Running full ------------------------------------------------------------------- */

static void the_maximum_is_in_whole_chunks(void **state)
{
    (void)state;
    static const struct {
        uint64_t maximum, fits;
    } cases[] = { { 1, CHUNK }, { 3 * MIB, CHUNK }, { CHUNK, CHUNK }, { CHUNK + 1, 2 * CHUNK } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rill_devptr address = 0, more = 0;
        ok(rill_pool_destroy(&pool));
        pool = make_pool(cases[i].maximum);
        is(RILL_ERROR_OUT_OF_MEMORY, rill_mem_alloc_from_pool_async(
                                         machine.stream[0], pool, cases[i].fits + 1, &address));
        blames("bytes", "the pool holds 0 of at most", "");
        ok(rill_mem_alloc_from_pool_async(machine.stream[0], pool, cases[i].fits, &address));
        is(RILL_ERROR_OUT_OF_MEMORY,
           rill_mem_alloc_from_pool_async(machine.stream[0], pool, 1, &more));
        give(machine.stream[0], address);
    }
}

static void unused_memory_of_pools_is_taken_back_for_others(void **state)
{
    (void)state;
    rill_context *c = machine.context[0];
    rill_stream *s = machine.stream[0], *u = machine_stream(c);
    rill_pool *first = pool;
    const size_t most = 3072 * MIB;
    rill_devptr p = 0, q = 0;
    keep_all();
    for (int seen = 0; seen < 2; seen++) {
        p = take(s, most);
        int held = gate(&machine, s);
        give(s, p);
        is(RILL_ERROR_OUT_OF_MEMORY, rill_mem_alloc(c, most, &q)); /* it may be in use */
        pool = make_pool(0);
        is(RILL_ERROR_OUT_OF_MEMORY, rill_mem_alloc_from_pool_async(u, pool, most, &q));
        open_gate(&machine, held);
        ok(rill_stream_synchronize(s));
        assert_int_equal(value_of(first, RILL_POOL_RESERVED_CURRENT), most);
        if (seen) ok(rill_mem_alloc(c, most, &q));
        else q = take(u, most);
        assert_true(value_of(first, RILL_POOL_RESERVED_CURRENT) <= DEVICE - most);
        ok(rill_mem_free(c, q));
        ok(rill_pool_destroy(&pool));
        pool = first;
    }
    ok(rill_stream_destroy(&u));
}

/* The device is full, but what the pool has of it is not, in a place that is not
 * the first. */
static void a_full_device_leaves_what_the_pool_holds(void **state)
{
    (void)state;
    rill_context *c = machine.context[0];
    rill_stream *s = machine.stream[0];
    rill_devptr p = take(s, 40 * MIB), q = take(s, MIB), filler = 0, again = 0;
    size_t left;
    give(s, p);
    ok(rill_stream_synchronize(s)); /* the first chunk is gone, the second has q */
    assert_int_equal(reserved(), 32 * MIB);
    ok(rill_mem_info(c, &left, NULL));
    ok(rill_mem_alloc(c, left, &filler));
    again = take(s, 20 * MIB);
    assert_true(again > q);
    is(RILL_ERROR_OUT_OF_MEMORY, rill_mem_alloc_from_pool_async(s, pool, 20 * MIB, &p));
    give(s, again);
    ok(rill_mem_free(c, filler));
    give(s, q);
}

/* ---- Points ------------------------------------------------------------------------- */

/* Frees at points of the test's own choice, not in their order. */
static void blocks_are_freed_in_the_order_of_their_points(void **state)
{
    (void)state;
    struct sim_platform *platform = sim_platform_of(machine.platform);
    rill_stream *s = machine.stream[0], *u = machine_stream(machine.context[0]);
    struct strand *strand = sim_stream_of(u)->strand;
    rill_devptr block[4];
    enum free_kind kind = FREE_NOTHING;
    ok(rill_memset_d8_async(u, 0, 0, 0));
    for (int i = 0; i < 4; i++) block[i] = take(s, CHUNK); /* a chunk each */
    uint64_t now = atomic_load(&strand->submitted);
    static const int order[] = { 3, 1, 4, 2 };
    for (int i = 0; i < 4; i++) {
        rill_devptr address = block[order[i] - 1];
        ok(sim_free_prepare(platform, address, &kind));
        assert_int_equal(kind, FREE_POOL);
        sim_free_at(platform, address, (struct point){ strand, now + (uint64_t)order[i] });
    }
    for (int done = 1; done <= 4; done++) {
        rill_op empty = { .kind = RILL_OP_EMPTY };
        ok(rill_stream_submit(u, &empty));
        ok(rill_stream_synchronize(u));
        assert_int_equal(reserved(), (uint64_t)(4 - done) * CHUNK);
    }
    ok(rill_stream_destroy(&u));
}

static size_t resident(rill_devptr base, size_t bytes)
{
    static unsigned char there[64 * MIB / 4096];
    size_t count = 0;
    assert_int_equal(mincore((void *)(uintptr_t)base, bytes, there), 0);
    for (size_t i = 0; i < bytes / 4096; i++) count += there[i] & 1;
    return count * 4096;
}

static void chunks_go_back_to_the_system(void **state)
{
    (void)state;
    rill_stream *s = machine.stream[0];
    rill_devptr p = take(s, 8 * MIB);
    ok(rill_memset_d8_async(s, p, 1, 8 * MIB));
    keep_all();
    give(s, p);
    ok(rill_stream_synchronize(s));
    assert_int_equal(resident(p, 8 * MIB), 8 * MIB);
    ok(rill_pool_trim(pool, 0));
    assert_int_equal(resident(p, 8 * MIB), 0);
}

/* ---- Current, default, access -------------------------------------------------------- */

static void the_pool_of_a_device(void **state)
{
    (void)state;
    rill_platform *p = machine.platform;
    rill_stream *s = machine.stream[0];
    rill_pool *first = NULL, *now = NULL, *other = NULL;
    rill_devptr address = 0;
    ok(rill_device_default_pool(p, 0, &first));
    ok(rill_device_pool(p, 0, &now));
    assert_ptr_equal(first, now);
    ok(rill_device_default_pool(p, 1, &other));
    assert_ptr_not_equal(first, other);
    is(RILL_ERROR_INVALID_DEVICE, rill_device_default_pool(p, 2, &now));
    is(INVALID, rill_device_pool(p, 2, &now));
    is(INVALID, rill_device_pool(p, -1, &now));
    is(INVALID, rill_device_set_pool(p, 2, pool));
    is(INVALID, rill_device_set_pool(p, 0, NULL));
    is(INVALID, rill_device_set_pool(p, 0, other));
    is(INVALID, rill_pool_destroy(&(rill_pool *){ first }));
    ok(rill_device_set_pool(p, 0, pool));
    ok(rill_device_pool(p, 0, &now));
    assert_ptr_equal(now, pool);
    ok(rill_mem_alloc_async(s, 64, &address));
    assert_int_equal(used(), 64);
    ok(rill_mem_free_async(s, address));
    ok(rill_pool_destroy(&pool));
    ok(rill_device_pool(p, 0, &now));
    assert_ptr_equal(now, first);
    const rill_pool_options nowhere = { .size = sizeof nowhere, .device = 2 };
    is(INVALID, rill_pool_create(p, &nowhere, &pool));
}

static void access_is_all_or_nothing(void **state)
{
    (void)state;
    rill_access access;
    ok(rill_pool_get_access(pool, 0, &access));
    assert_int_equal(access, RILL_ACCESS_READ_WRITE);
    ok(rill_pool_get_access(pool, 1, &access));
    assert_int_equal(access, RILL_ACCESS_NONE);
    is(INVALID, rill_pool_get_access(pool, 2, &access));
    is(RILL_ERROR_NOT_SUPPORTED, rill_pool_set_access(pool, 1, RILL_ACCESS_READ));
    is(RILL_ERROR_NOT_SUPPORTED, rill_pool_set_access(pool, 9, RILL_ACCESS_READ));
    is(RILL_ERROR_INVALID_DEVICE, rill_pool_set_access(pool, 9, (rill_access)2));
    is(RILL_ERROR_INVALID_DEVICE, rill_pool_set_access(pool, -1, RILL_ACCESS_NONE));
    is(RILL_ERROR_INVALID_DEVICE, rill_pool_set_access(pool, 0, RILL_ACCESS_NONE));
    is(INVALID, rill_pool_set_access(pool, 1, (rill_access)2));
    ok(rill_pool_set_access(pool, 0, RILL_ACCESS_READ_WRITE));
    for (int i = 0; i < 2; i++) ok(rill_pool_set_access(pool, 1, RILL_ACCESS_READ_WRITE));
    ok(rill_pool_get_access(pool, 1, &access));
    assert_int_equal(access, RILL_ACCESS_READ_WRITE);
    ok(rill_pool_set_access(pool, 1, RILL_ACCESS_NONE));
    ok(rill_pool_get_access(pool, 1, &access));
    assert_int_equal(access, RILL_ACCESS_NONE);
}

/* ---- Destroying --------------------------------------------------------------------- */

static size_t left_on_device(void)
{
    size_t left;
    ok(rill_mem_info(machine.context[0], &left, NULL));
    return left;
}

static void memory_outlives_its_pool(void **state)
{
    (void)state;
    rill_context *c = machine.context[0];
    rill_stream *s = machine.stream[0];
    size_t before = left_on_device();
    long live = 0;
    for (int how = 0; how < 4; how++) {
        rill_devptr p = take(s, 64), q = take(s, 100 * MIB);
        uint32_t word = 0;
        give(s, q);
        int held = gate(&machine, s);
        if (how >= 2) give(s, p); /* nothing but pending frees is left of it */
        ok(rill_pool_destroy(&pool));
        if (how < 2) {
            rill_pointer_info info = { .size = sizeof info };
            ok(rill_pointer_get_info(c, p, &info));
            assert_true(info.known && !info.pool && info.bytes == 64);
            ok(rill_memset_d32(c, p, 9, 1));
            ok(rill_memcpy_dtoh(c, &word, p, 4));
            assert_int_equal(word, 9);
            if (how == 1) ok(rill_mem_free(c, p));
            else give(s, p);
            is(INVALID, rill_mem_free(c, p));
        }
        open_gate(&machine, held);
        ok(rill_stream_synchronize(s));
        assert_int_equal(left_on_device(), before);
        if (how) assert_true(comes_down_to(live)); /* nothing is left of the pool */
        live = rl_alloc_live();
        pool = make_pool(0);
    }
}

/* With everything still there, in streams that are gone. */
static void a_platform_takes_its_pools_along(void **state)
{
    (void)state;
    long live = rl_alloc_live();
    struct machine other;
    rill_devptr address = 0, second = 0;
    rill_pool *pools[2];
    machine_open(&other, 256 * MIB);
    const rill_pool_options options = { .size = sizeof options };
    for (int i = 0; i < 2; i++) ok(rill_pool_create(other.platform, &options, &pools[i]));
    for (int i = 0; i < 2; i++) {
        ok(rill_mem_alloc_from_pool_async(other.stream[i], pools[i], 64, &address));
        ok(rill_mem_alloc_from_pool_async(other.stream[i], pools[i], 64, &second));
        ok(rill_mem_alloc_async(other.stream[i], 64, &address));
        int held = gate(&other, other.stream[i]);
        ok(rill_mem_free_async(other.stream[i], second));
        /* Taken behind a point that is not reached, and never given back. */
        ok(rill_mem_alloc_from_pool_async(other.stream[i], pools[i], 64, &second));
        open_gate(&other, held);
        ok(rill_pool_destroy(&pools[i]));
    }
    machine_close(&other);
    assert_true(comes_down_to(live));
}

/* ---- When the host has no memory ---------------------------------------------------- */

/* Every allocation of the host fails once, while the pool has nothing yet, while
 * it has free memory, and while it has pending memory; a way out may be found. */
static void short_memory_is_told_and_changes_nothing(void **state)
{
    (void)state;
    rill_stream *s = machine.stream[0];
    keep_all();
    enum { NOTHING, FREE, PENDING };
    for (int has = NOTHING; has <= PENDING; has++) {
        for (int after = 0; after < 10; after++) {
            rill_devptr p = 0;
            long live = rl_alloc_live();
            rl_alloc_fail_after(after);
            rill_status status = rill_mem_alloc_from_pool_async(s, pool, MIB, &p);
            rl_alloc_fail_after(-1);
            if (status) {
                is(RILL_ERROR_OUT_OF_MEMORY, status);
                assert_true(rl_alloc_live() <= live + 3); /* the window, once */
                assert_int_equal(used(), 0);
            } else {
                give(s, p);
                if (has != PENDING) ok(rill_stream_synchronize(s));
            }
        }
    }
    ok(rill_stream_synchronize(s));
    ok(rill_pool_trim(pool, 0));
    assert_int_equal(reserved(), 0); /* no failure has left anything in use */
}

/* Without memory for a timeline a free is kept all the same, until its point. */
static void a_free_without_memory_is_kept(void **state)
{
    (void)state;
    rill_stream *s = machine.stream[0], *u = NULL;
    long live = 0;
    for (int round = 0; round < 3; round++) {
        u = machine_stream(machine.context[0]);
        rill_devptr p = take(s, MIB);
        ok(rill_memset_d8_async(u, p, 0, 4)); /* the queue has room */
        ok(rill_stream_synchronize(u));
        int held = gate(&machine, u);
        rl_alloc_fail_after(0);
        rill_status status = rill_mem_free_async(u, p);
        rl_alloc_fail_after(-1);
        ok(status);
        ok(rill_stream_synchronize(s)); /* looks at it, and finds it pending */
        assert_int_equal(reserved(), CHUNK);
        assert_true(take(s, MIB) == p + MIB);
        ok(rill_mem_free(machine.context[0], p + MIB));
        assert_int_equal(reserved(), CHUNK);
        open_gate(&machine, held);
        ok(rill_stream_synchronize(u));
        assert_int_equal(reserved(), 0);
        ok(rill_stream_destroy(&u));
        if (round == 2) assert_true(comes_down_to(live));
        live = rl_alloc_live();
    }
}

/* An allocation that finds no place in the queue gives its block back: free for
 * all if it was, pending if it was pending. */
static void a_cancelled_allocation_goes_where_it_came_from(void **state)
{
    (void)state;
    struct sim_platform *platform = sim_platform_of(machine.platform);
    rill_devptr again = 0;
    struct point after;
    long live = 0;
    for (int round = 0; round < 3; round++) {
        rill_stream *s = machine_stream(machine.context[0]);
        const struct sim_orderer orderer = { .strand = sim_stream_of(s)->strand };
        rill_devptr p = take(s, MIB);
        ok(sim_pool_acquire(platform, 0, pool, 3 * MIB, &orderer, &again, &after));
        assert_null(after.strand);
        sim_pool_cancel(platform, again);
        assert_int_equal(used(), MIB);
        int held = gate(&machine, s);
        give(s, p);
        for (int i = 0; i < 3; i++) {
            ok(sim_pool_acquire(platform, 0, pool, 1000, &orderer, &again, &after));
            assert_true(again == p && !after.strand && used() == 1000);
            sim_pool_cancel(platform, again);
            assert_int_equal(used(), 0);
            is(RILL_ERROR_NOT_FOUND, rill_mem_range(machine.context[0], p, NULL, NULL));
        }
        ok(rill_stream_synchronize(rill_stream_legacy(machine.context[0])));
        assert_int_equal(reserved(), CHUNK); /* still pending */
        open_gate(&machine, held);
        ok(rill_stream_synchronize(s));
        assert_int_equal(reserved(), 0);
        ok(rill_stream_destroy(&s));
        if (round == 2) assert_true(comes_down_to(live));
        live = rl_alloc_live();
    }
}

/* ---- Whatever comes ----------------------------------------------------------------- */

/* The pool's books agree with its window, and its live blocks with the map. */
static void check_books(struct pool *books, size_t live, uint64_t live_bytes)
{
    rl_lock(&books->home->lock);
    uint64_t chunk = books->chunk_bytes, held = 0, free_bytes = 0, end = books->window.base;
    size_t used_extents = 0;
    for (uint64_t i = 0; i < books->window.bytes / chunk; i++) {
        held += books->held[i] ? chunk : 0;
        assert_true(!books->held[i] || i < books->held_end);
    }
    const struct extent *extent = sim_extents_first(&books->extents);
    for (; extent; extent = sim_extent_next(extent)) {
        assert_true(extent->range.base == end);
        end += extent->range.bytes;
        if (extent->used) used_extents++;
        else free_bytes += extent->range.bytes;
        for (uint64_t at = extent->range.base; extent->used && at < end; at += chunk)
            assert_true(books->held[(at - books->window.base) / chunk]);
    }
    assert_true(held == books->reserved && held <= books->reserved_high);
    assert_true(end == books->window.base + books->window.bytes);
    assert_true(used_extents == books->live + books->pending && books->live == live);
    assert_true(books->window.bytes - free_bytes >= live_bytes);
    rl_unlock(&books->home->lock);
}

struct live {
    rill_devptr address;
    size_t bytes;
    uint32_t stamp;
};

enum { STREAMS = 4, LIVE = 40 };

struct run {
    struct dice dice;
    rill_stream *stream[STREAMS];
    int held[STREAMS]; /* its gate, or -1 */
    struct live live[STREAMS][LIVE];
    size_t count;
    uint64_t bytes;
};

static void open_all(struct run *run)
{
    for (int i = 0; i < STREAMS; i++) {
        if (run->held[i] >= 0) open_gate(&machine, run->held[i]);
        run->held[i] = -1;
    }
}

static void check_apart(const struct run *run, const struct live *one)
{
    const struct live *other = &run->live[0][0];
    for (int i = 0; i < STREAMS * LIVE; i++, other++)
        assert_true(other == one || !other->address ||
                    other->address + other->bytes <= one->address ||
                    one->address + one->bytes <= other->address);
}

static void take_one(struct run *run, rill_stream *stream, struct live *one)
{
    int most = dice_chance(&run->dice, 20) ? 600000 : 500;
    one->bytes = 4 * (1 + (size_t)dice_below(&run->dice, most));
    if (rill_mem_alloc_from_pool_async(stream, pool, one->bytes, &one->address)) return;
    check_apart(run, one);
    one->stamp = (uint32_t)dice_next(&run->dice);
    ok(rill_memset_d32_async(stream, one->address, one->stamp, one->bytes / 4));
    run->count++;
    run->bytes += one->bytes;
}

/* Its first and last words are what was written.  This waits for the stream. */
static void check_stamp(rill_stream *stream, const struct live *one)
{
    uint32_t first = 0, last = 0;
    ok(rill_memcpy_dtoh_async(stream, &first, one->address, 4));
    ok(rill_memcpy_dtoh_async(stream, &last, one->address + one->bytes - 4, 4));
    assert_true(first == one->stamp && last == one->stamp);
}

static void give_one(struct run *run, rill_stream *stream, struct live *one)
{
    bool held = false;
    for (int i = 0; i < STREAMS; i++) held |= run->held[i] >= 0;
    if (!held) check_stamp(stream, one);
    give(stream, one->address);
    one->address = 0;
    run->count--;
    run->bytes -= one->bytes;
}

static void take_a_step(struct run *run)
{
    int i = dice_below(&run->dice, STREAMS);
    struct live *one = &run->live[i][dice_below(&run->dice, LIVE)];
    if (dice_chance(&run->dice, 4)) {
        if (run->held[i] >= 0) open_gate(&machine, run->held[i]);
        run->held[i] = run->held[i] >= 0 ? -1 : gate(&machine, run->stream[i]);
    } else if (dice_chance(&run->dice, 5)) {
        open_all(run); /* the stream may wait for what another one freed */
        ok(rill_stream_synchronize(run->stream[i]));
        ok(rill_pool_trim(pool, (size_t)dice_below(&run->dice, 5) * CHUNK));
    } else if (one->address) {
        give_one(run, run->stream[i], one);
    } else {
        take_one(run, run->stream[i], one);
    }
}

static void finish(struct run *run)
{
    open_all(run);
    for (int i = 0; i < STREAMS; i++) {
        for (int k = 0; k < LIVE; k++)
            if (run->live[i][k].address) give_one(run, run->stream[i], &run->live[i][k]);
        ok(rill_stream_synchronize(run->stream[i]));
        ok(rill_stream_destroy(&run->stream[i]));
    }
    ok(rill_context_synchronize(machine.context[0]));
    check_books(sim_pool_of(pool), 0, 0);
    ok(rill_pool_trim(pool, 0));
    assert_int_equal(reserved(), 0);
}

/* Blocks that live together never overlap, and nobody writes into them but their
 * stream, whatever is freed and reused meanwhile in held and free streams. */
static void run_random(uint64_t seed)
{
    struct run run = { .dice = { seed } };
    ok(rill_pool_destroy(&pool));
    pool = make_pool(dice_chance(&run.dice, 50) ? 4 * CHUNK : 0);
    for (int a = 1; a <= 3; a++) set((rill_pool_attribute)a, dice_chance(&run.dice, 70));
    if (dice_chance(&run.dice, 50)) keep_all();
    for (int i = 0; i < STREAMS; i++) {
        run.stream[i] = machine_stream(machine.context[0]);
        run.held[i] = -1;
    }
    for (int step = 0; step < scaled(400); step++) {
        take_a_step(&run);
        assert_int_equal(used(), run.bytes);
        if (step % 16 == 0) check_books(sim_pool_of(pool), run.count, run.bytes);
    }
    finish(&run);
}

static void random_use_keeps_blocks_apart(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < (uint64_t)scaled(25); seed++) run_random(seed);
}

struct crowd {
    pthread_t thread;
    uint64_t seed;
    bool well;
};

static void *jostle(void *data)
{
    struct crowd *one = data;
    struct dice dice = { one->seed };
    rill_stream *stream = NULL;
    const rill_stream_options options = { .size = sizeof options,
                                          .flags = RILL_STREAM_NON_BLOCKING };
    bool well = !rill_stream_create(machine.context[0], &options, &stream);
    for (int step = 0; step < scaled(600); step++) {
        rill_devptr address = 0;
        uint32_t value = (uint32_t)dice_next(&dice), got = 0;
        size_t words = 1 + (size_t)dice_below(&dice, 3000);
        well &= !rill_mem_alloc_from_pool_async(stream, pool, words * 4, &address);
        well &= !rill_memset_d32_async(stream, address, value, words);
        if (dice_chance(&dice, 30)) {
            well &= !rill_memcpy_dtoh_async(stream, &got, address + (words - 1) * 4, 4);
            well &= got == value;
        }
        well &= !rill_mem_free_async(stream, address);
        if (dice_chance(&dice, 5)) well &= !rill_stream_synchronize(stream);
    }
    well &= !rill_stream_synchronize(stream);
    well &= !rill_stream_destroy(&stream);
    one->well = well;
    return NULL;
}

static void threads_share_a_pool(void **state)
{
    (void)state;
    struct crowd crowd[4];
    for (int i = 0; i < 4; i++) {
        crowd[i] = (struct crowd){ .seed = (uint64_t)i + 1 };
        assert_int_equal(pthread_create(&crowd[i].thread, NULL, jostle, &crowd[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(crowd[i].thread, NULL);
        assert_true(crowd[i].well);
    }
    assert_int_equal(used(), 0);
    ok(rill_context_synchronize(machine.context[0]));
    assert_int_equal(reserved(), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, pool_setup, pool_teardown)

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
        TEST(blocks_are_freed_in_the_order_of_their_points),
        TEST(chunks_go_back_to_the_system),
        TEST(the_maximum_is_in_whole_chunks),
        TEST(unused_memory_of_pools_is_taken_back_for_others),
        TEST(a_full_device_leaves_what_the_pool_holds),
        TEST(the_pool_of_a_device),
        TEST(access_is_all_or_nothing),
        TEST(memory_outlives_its_pool),
        TEST(a_platform_takes_its_pools_along),
        TEST(short_memory_is_told_and_changes_nothing),
        TEST(a_free_without_memory_is_kept),
        TEST(a_cancelled_allocation_goes_where_it_came_from),
        TEST(random_use_keeps_blocks_apart),
        TEST(threads_share_a_pool),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
