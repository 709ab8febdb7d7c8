/* SPDX-License-Identifier: Apache-2.0
 *
 * Pools when the host has no memory, and under random use by many threads.
 */
#include "base/alloc.h"
#include "sim/memory/pool_scene.h"
#include "support/random.h"

/* ---- When the host has no memory ---------------------------------------------------- */

enum has { NOTHING, FREE, PENDING, STATES };

/* Brings the pool there: it has no memory, what is free for all, or what was freed in a
 * stream that is held.  Returns the gate, or -1. */
static int bring_to(enum has has, rill_stream *s)
{
    ok(rill_stream_synchronize(s));
    ok(rill_pool_trim(pool, 0));
    assert_int_equal(reserved(), 0);
    if (has == NOTHING) return -1;
    rill_devptr p = take(s, MIB);
    int held = has == PENDING ? gate(&machine, s) : -1;
    give(s, p);
    if (has == FREE) ok(rill_stream_synchronize(s));
    return held;
}

/* Every allocation of the host fails once, whatever the pool has.  Where that is pending
 * memory, there are others. */
static void short_memory_is_told_and_changes_nothing(void **state)
{
    (void)state;
    rill_stream *s = machine.stream[0];
    int refused[STATES] = { 0 };
    keep_all();
    for (enum has has = NOTHING; has < STATES; has++) {
        for (int after = 0; after < 10; after++) {
            int held = bring_to(has, s);
            rill_devptr p = 0;
            long live = rl_alloc_live();
            rl_alloc_fail_after(after);
            rill_status status = rill_mem_alloc_from_pool_async(s, pool, MIB, &p);
            rl_alloc_fail_after(-1);
            refused[has] += status != RILL_SUCCESS;
            if (status) {
                is(RILL_ERROR_OUT_OF_MEMORY, status);
                assert_true(rl_alloc_live() <= live + 3); /* the window, once */
                assert_int_equal(used(), 0);
            } else {
                give(s, p);
            }
            if (held >= 0) open_gate(&machine, held);
        }
    }
    assert_true(refused[NOTHING] > 1 && refused[FREE] > 0);
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

/* ---- What was never memory ------------------------------------------------------------- */

/* Freed memory may be used by work that comes before; what lies behind all that the pool
 * ever had is nobody's, and the process would die of it. */
static void addresses_that_were_never_memory_are_not_there(void **state)
{
    (void)state;
    rill_stream *s = machine.stream[0];
    rill_devptr p = take(s, MIB);
    struct pool *books = sim_pool_of(pool);
    struct sim_platform *platform = books->home->device->platform;
    uint64_t end = books->window.range.base + books->window.range.bytes;
    assert_true(sim_memory_holds(platform, p, 1));
    assert_false(sim_memory_holds(platform, end - 1, 1));
    give(s, p);
    ok(rill_stream_synchronize(s));
    assert_true(sim_memory_holds(platform, p, 1));
}

/* ---- Whatever comes ----------------------------------------------------------------- */

/* The pool's books agree with its window, and its live blocks with the map. */
static void check_books(struct pool *books, size_t live, uint64_t live_bytes)
{
    rl_lock(&books->home->lock);
    uint64_t chunk = books->chunk_bytes, held = 0, free_bytes = 0, end = books->window.range.base;
    size_t used_extents = 0;
    for (uint64_t i = 0; i < books->window.range.bytes / chunk; i++) {
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
            assert_true(books->held[(at - books->window.range.base) / chunk]);
    }
    assert_true(held == books->reserved && held <= books->reserved_high);
    assert_true(end == books->window.range.base + books->window.range.bytes);
    assert_true(used_extents == books->live + books->pending && books->live == live);
    assert_true(books->window.range.bytes - free_bytes >= live_bytes);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(short_memory_is_told_and_changes_nothing),
        TEST(a_free_without_memory_is_kept),
        TEST(a_cancelled_allocation_goes_where_it_came_from),
        TEST(addresses_that_were_never_memory_are_not_there),
        TEST(random_use_keeps_blocks_apart),
        TEST(threads_share_a_pool),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
