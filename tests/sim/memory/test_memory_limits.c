/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory where it is short, where calls do not work, and where there is much of it.
 */
#include "sim/memory/memory_scene.h"

/* ---- When the host has no memory ------------------------------------------- */

/* Fails the first allocation of a call, then the second, and so on, until the
 * call gets through; each failure is told and leaves nothing behind. */
static int failures(rill_status (*make)(void *data), void *data)
{
    for (int after = 0;; after++) {
        long live = rl_alloc_live();
        size_t before, now;
        ok(rill_mem_info(machine.context[0], &before, NULL));
        rl_alloc_fail_after(after);
        rill_status status = make(data);
        rl_alloc_fail_after(-1);
        if (!status) return after;
        if (status != RILL_ERROR_OPERATING_SYSTEM) is(RILL_ERROR_OUT_OF_MEMORY, status);
        ok(rill_mem_info(machine.context[0], &now, NULL));
        assert_int_equal(before, now);
        assert_true(comes_down_to(live));
        assert_true(after < 50);
    }
}

static rill_status allocate(void *data)
{
    return rill_mem_alloc(machine.context[0], 64, data);
}

static rill_status allocate_host(void *data)
{
    return rill_host_alloc(machine.context[0], 64, 0, data);
}

static rill_status register_host(void *data)
{
    return rill_host_register(machine.context[0], data, 4096, 0);
}

static rill_status open_another(void *data)
{
    const rill_sim_options sim = { .size = sizeof sim, .devices = 2, .workers = 1 };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    return rill_open(&options, data);
}

static void short_memory_is_told_and_changes_nothing(void **state)
{
    (void)state;
    rill_context *c = machine.context[0];
    rill_devptr p = 0;
    rill_platform *another = NULL;
    void *v = NULL, *m = pages(4096);
    assert_true(failures(allocate, &p) >= 1);
    assert_true(failures(allocate_host, &v) >= 2);
    assert_true(failures(register_host, m) >= 1);
    assert_true(failures(open_another, &another) >= 9);
    ok(rill_close(&another));
    ok(rill_mem_free(c, p));
    ok(rill_host_free(c, v));
    ok(rill_host_unregister(c, m));
    munmap(m, 4096);
}

/* ---- Where calls do not work ----------------------------------------------- */

enum { CALLS = 26 };

struct answers {
    rill_status status[CALLS];
    rill_devptr address;
    void *host, *pages;
    rill_pool *pool;
};

/* Every call on memory once.  The first `forgiving` ask nothing of the device. */
enum { FORGIVING = 13 };
static void call_everything(void *data)
{
    struct answers *a = data;
    rill_platform *p = machine.platform;
    rill_context *c = machine.context[0];
    rill_pointer_info info = { .size = sizeof info };
    const rill_pool_options options = { .size = sizeof options };
    rill_devptr address;
    rill_access access;
    rill_pool *pool = NULL;
    uint64_t value;
    uint32_t flags;
    size_t pitch;
    void *pointer;
    const rill_status answers[CALLS] = {
        rill_pointer_get_info(c, a->address, &info),
        rill_pointer_set_sync_memops(c, a->address, 0),
        rill_pool_get_attribute(a->pool, RILL_POOL_RESERVED_CURRENT, &value),
        rill_pool_set_attribute(a->pool, RILL_POOL_RELEASE_THRESHOLD, 0),
        rill_pool_trim(a->pool, 0),
        rill_device_default_pool(p, 0, &pool),
        rill_device_pool(p, 0, &pool),
        rill_device_set_pool(p, 0, a->pool),
        rill_pool_get_access(a->pool, 0, &access),
        rill_pool_set_access(a->pool, 0, RILL_ACCESS_READ_WRITE),
        rill_pool_set_access(a->pool, 1, RILL_ACCESS_NONE),
        rill_pool_create(p, &options, &pool),
        RILL_SUCCESS,
        /* The others. */
        rill_mem_info(c, NULL, NULL),
        rill_mem_range(c, a->address, NULL, NULL),
        rill_mem_alloc(c, 64, &address),
        rill_mem_alloc(c, 0, &address),
        rill_mem_alloc_pitch(c, 64, 2, 4, &address, &pitch),
        rill_mem_free(c, 0),
        rill_mem_free(c, 0x1000),
        rill_host_flags(c, a->host, &flags),
        rill_host_device_pointer(c, a->host, &address),
        rill_host_alloc(c, 0, 0, &pointer),
        rill_host_free(c, NULL),
        rill_host_register(c, a->pages, 4096, 0),
        rill_host_unregister(c, a->pages),
    };
    memcpy(a->status, answers, sizeof answers);
    if (!answers[11]) ok(rill_pool_destroy(&pool));
}

static void inside_host_functions_and_after_failures(void **state)
{
    (void)state;
    struct machine kept = machine;
    machine_open(&machine, 64 * MIB);
    struct answers a = { .pages = pages(4096) };
    const rill_pool_options options = { .size = sizeof options };
    ok(rill_pool_create(machine.platform, &options, &a.pool));
    ok(rill_host_alloc(machine.context[0], 64, 0, &a.host));
    a.address = device_bytes(machine.context[0], 64);
    ok(rill_launch_host(machine.stream[0], call_everything, &a, NULL));
    ok(rill_stream_synchronize(machine.stream[0]));
    for (int i = 0; i < CALLS; i++)
        if (i != FORGIVING - 1) assert_int_equal(a.status[i], RILL_ERROR_NOT_PERMITTED);
    sim_raise(sim_platform_of(machine.platform), RILL_ERROR_LAUNCH_FAILED, "a test", "",
              "it failed");
    call_everything(&a);
    for (int i = 0; i < CALLS; i++)
        assert_int_equal(a.status[i], i < FORGIVING ? RILL_SUCCESS : RILL_ERROR_LAUNCH_FAILED);
    ok(rill_pool_destroy(&a.pool));
    for (int i = 0; i < 2; i++) {
        is(RILL_ERROR_LAUNCH_FAILED, rill_stream_destroy(&machine.stream[i]));
        is(RILL_ERROR_LAUNCH_FAILED, rill_context_destroy(&machine.context[i]));
    }
    ok(rill_close(&machine.platform));
    munmap(a.pages, 4096);
    machine = kept;
}

/* ---- Many of them ---------------------------------------------------------- */

static void a_million_allocations_live_together(void **state)
{
    (void)state;
    int count = scaled(1000000);
    rill_platform *platform = NULL;
    const rill_sim_options sim = { .size = sizeof sim, .workers = 1 };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    ok(rill_open(&options, &platform));
    rill_context *c = machine_context(platform, 0);
    rill_devptr *all = calloc((size_t)count, sizeof *all);
    assert_non_null(all);
    for (int i = 0; i < count; i++) ok(rill_mem_alloc(c, 512, &all[i]));
    for (int i = 0; i < count; i += 1 + count / 1000) {
        rill_devptr base = 0;
        ok(rill_mem_range(c, all[i] + 511, &base, NULL));
        assert_true(base == all[i]);
    }
    for (int i = 0; i < count; i += 2) ok(rill_mem_free(c, all[i]));
    for (int i = 0; i < count; i += 2) ok(rill_mem_alloc(c, 512, &all[i]));
    free(all);
    ok(rill_context_destroy(&c));
    ok(rill_close(&platform));
}

struct crowd {
    pthread_t thread;
    uint64_t seed;
    bool well;
};

/* One thread's share: it alone knows its memory, which nobody else may change. */
static void *jostle(void *data)
{
    struct crowd *one = data;
    struct dice dice = { one->seed };
    rill_devptr mine[16] = { 0 };
    uint32_t stamp[16] = { 0 }, word = 0;
    bool well = true;
    for (int step = 0; step < scaled(1500); step++) {
        int i = dice_below(&dice, 16), device = dice_below(&dice, 2);
        rill_context *c = machine.context[device];
        if (!mine[i]) {
            size_t bytes = 4 + (size_t)dice_below(&dice, 5000);
            stamp[i] = (uint32_t)dice_next(&dice);
            well &= !rill_mem_alloc(c, bytes, &mine[i]);
            well &= !rill_memcpy_htod(c, mine[i], &stamp[i], 4);
        } else {
            well &= !rill_memcpy_dtoh(c, &word, mine[i], 4) && word == stamp[i];
            well &= !rill_mem_free(c, mine[i]);
            mine[i] = 0;
        }
    }
    for (int i = 0; i < 16; i++) well &= !rill_mem_free(machine.context[0], mine[i]);
    one->well = well;
    return NULL;
}

static void threads_do_not_get_each_others_memory(void **state)
{
    (void)state;
    struct crowd crowd[4];
    size_t before, after;
    ok(rill_mem_info(machine.context[0], &before, NULL));
    for (int i = 0; i < 4; i++) {
        crowd[i] = (struct crowd){ .seed = (uint64_t)i + 1 };
        assert_int_equal(pthread_create(&crowd[i].thread, NULL, jostle, &crowd[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(crowd[i].thread, NULL);
        assert_true(crowd[i].well);
    }
    ok(rill_mem_info(machine.context[0], &after, NULL));
    assert_int_equal(before, after);
}

static void *free_it(void *data)
{
    struct machine_call *call = data;
    call->status = rill_mem_free(machine.context[0], *(rill_devptr *)call->data);
    return NULL;
}

/* Between the look for overlaps and the registration another thread may come. */
static void the_map_itself_keeps_ranges_apart(void **state)
{
    (void)state;
    static char memory[4096];
    struct address_map *map = sim_platform_of(machine.platform)->map;
    struct address_info info;
    struct allocation one = { .range = { .base = at(memory), .bytes = 100 },
                              .kind = ALLOCATION_REGISTERED };
    struct allocation other = one;
    assert_true(sim_map_add_if_apart(map, &one, &info));
    assert_false(sim_map_add_if_apart(map, &other, &info));
    assert_true(info.known && info.base == at(memory) && info.bytes == 100);
    other.range.base = at(memory) + 100;
    assert_true(sim_map_add_if_apart(map, &other, &info));
    assert_true(other.id && one.id && other.id != one.id);
    sim_map_remove(map, &one);
    sim_map_remove(map, &other);
}

static void of_two_frees_one_fails(void **state)
{
    (void)state;
    for (int round = 0; round < scaled(200); round++) {
        rill_devptr p = device_bytes(machine.context[0], 64);
        struct machine_call call[2] = { { .data = &p }, { .data = &p } };
        pthread_t thread[2];
        for (int i = 0; i < 2; i++)
            assert_int_equal(pthread_create(&thread[i], NULL, free_it, &call[i]), 0);
        for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
        assert_true(!call[0].status != !call[1].status);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_memory_is_told_and_changes_nothing),
        cmocka_unit_test(inside_host_functions_and_after_failures),
        cmocka_unit_test(a_million_allocations_live_together),
        cmocka_unit_test(threads_do_not_get_each_others_memory),
        cmocka_unit_test(the_map_itself_keeps_ranges_apart),
        cmocka_unit_test(of_two_frees_one_fails),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
