/* SPDX-License-Identifier: Apache-2.0
 *
 * Pools that run full, and the life of pools: the one that a device has, access,
 * and what becomes of memory when they are destroyed.
 */
#include "base/alloc.h"
#include "sim/memory/pool_scene.h"

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

/* The same, where what it does not hold is the better fit, and behind. */
static void also_in_front_of_what_would_fit_better(void **state)
{
    (void)state;
    rill_context *c = machine.context[0];
    rill_stream *s = machine.stream[0];
    static const size_t sizes[] = { 4 * MIB, 56 * MIB, 4 * MIB, CHUNK, CHUNK };
    rill_devptr block[5], filler = 0;
    size_t left;
    for (int i = 0; i < 5; i++) block[i] = take(s, sizes[i]);
    give(s, block[1]); /* no chunk is all in it */
    give(s, block[3]); /* a chunk, which goes */
    ok(rill_stream_synchronize(s));
    assert_int_equal(reserved(), 3 * CHUNK);
    ok(rill_mem_info(c, &left, NULL));
    ok(rill_mem_alloc(c, left, &filler));
    block[1] = take(s, 24 * MIB);
    assert_int_equal(block[1], block[0] + 4 * MIB);
    ok(rill_mem_free(c, filler));
    for (int i = 0; i < 5; i++)
        if (i != 3) give(s, block[i]);
}

/* What a stream freed itself and did not reach yet, when that is much. */
static void a_full_pool_looks_at_all_that_the_stream_freed(void **state)
{
    (void)state;
    enum { MANY = 36 }; /* with the large one, whole chunks */
    rill_stream *s = machine.stream[0];
    rill_devptr small[MANY], large, again = 0, more = 0;
    ok(rill_pool_destroy(&pool));
    pool = make_pool((28 + MANY * 17) * MIB);
    set(RILL_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES, 0);
    int held = gate(&machine, s);
    large = take(s, 28 * MIB);
    for (int i = 0; i < MANY; i++) small[i] = take(s, 17 * MIB);
    give(s, large);
    for (int i = 0; i < MANY; i++) give(s, small[i]);
    rill_status status = rill_mem_alloc_from_pool_async(s, pool, 24 * MIB, &again);
    rill_status full = rill_mem_alloc_from_pool_async(s, pool, 18 * MIB, &more);
    open_gate(&machine, held);
    ok(rill_stream_synchronize(s));
    ok(status);
    assert_int_equal(again, large);
    is(RILL_ERROR_OUT_OF_MEMORY, full);
    give(s, large);
}

/* In either order of the streams, and beside one that freed too little. */
static void a_full_pool_takes_what_has_passed_before_what_is_pending(void **state)
{
    (void)state;
    rill_stream *from[3] = { machine.stream[0] }, *to = machine_stream(machine.context[0]);
    for (int i = 1; i < 3; i++) from[i] = machine_stream(machine.context[0]);
    for (int pending = 1; pending < 3; pending++) {
        rill_devptr block[3], again;
        const int passed = 3 - pending;
        ok(rill_pool_destroy(&pool));
        pool = make_pool(3 * CHUNK);
        keep_all();
        set(RILL_POOL_REUSE_ALLOW_OPPORTUNISTIC, 0);
        for (int i = 0; i < 3; i++) block[i] = take(from[i], i ? CHUNK : MIB);
        int held = gate(&machine, from[pending]);
        for (int i = 0; i < 3; i++) give(from[i], block[i]);
        settle(from[0]);
        settle(from[passed]);
        again = take(to, CHUNK);
        if (again == block[passed]) settle(to);
        open_gate(&machine, held);
        assert_int_equal(again, block[passed]);
        give(to, again);
        ok(rill_context_synchronize(machine.context[0]));
    }
    for (int i = 1; i < 3; i++) ok(rill_stream_destroy(&from[i]));
    ok(rill_stream_destroy(&to));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(blocks_are_freed_in_the_order_of_their_points),
        TEST(chunks_go_back_to_the_system),
        TEST(the_maximum_is_in_whole_chunks),
        TEST(unused_memory_of_pools_is_taken_back_for_others),
        TEST(a_full_device_leaves_what_the_pool_holds),
        TEST(also_in_front_of_what_would_fit_better),
        TEST(a_full_pool_looks_at_all_that_the_stream_freed),
        TEST(a_full_pool_takes_what_has_passed_before_what_is_pending),
        TEST(the_pool_of_a_device),
        TEST(access_is_all_or_nothing),
        TEST(memory_outlives_its_pool),
        TEST(a_platform_takes_its_pools_along),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
