/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies from device to device: who has access, and how they are ordered.
 */
#include "sim/memory/copy_scene.h"

static void copies_reach_every_device_and_fills_their_own(void **state)
{
    (void)state;
    rill_context *c0 = machine.context[0], *c1 = machine.context[1];
    rill_stream *s0 = machine.stream[0];
    rill_devptr p = 0;
    ok(rill_mem_alloc(c1, 4096, &p));
    done(rill_memcpy_htod(c0, p, host, 64));
    done(rill_memcpy_dtod(c0, p, device_a, 64));
    done(rill_memcpy_dtod_async(s0, device_a, p, 64));
    done(rill_memcpy_peer(c0, p, c1, device_a, 64)); /* whatever contexts are named */
    is(INVALID, rill_memcpy_peer(c1, p, c0, at(host), 64));
    is(INVALID, rill_memcpy_peer(c1, p, c0, device_a, 8192));
    is(INVALID, rill_memset_d8_async(s0, p, 0, 64));
    blames("dst", "of device 1, to which device 0 has no access", "");
    is(INVALID, rill_memset_d8(c0, p, 0, 64));
    done(rill_memset_d8_async(s0, p, 0, 0));
    done(rill_memset_d8_async(machine.stream[1], p, 0, 64));
    ok(rill_context_enable_peer(c0, c1));
    done(rill_memset_d8_async(s0, p, 0, 64));
    ok(rill_context_disable_peer(c0, c1));
    is(INVALID, rill_memset_d8_async(s0, p, 0, 64));
    done(rill_memset_d8_async(machine.stream[1], at(pinned), 0, 64)); /* anybody's */
    ok(rill_context_synchronize(c1));
    ok(rill_mem_free(c1, p));
}

/* Between two contexts that nobody used yet. */
struct first_copy {
    rill_context *context[2];
    rill_devptr dst, src;
};

/* There is memory for the copy itself, and none for what orders the other device behind
 * it. */
static rill_status copy_with_little_memory(void *data)
{
    const struct first_copy *first = data;
    rl_alloc_fail_after(1);
    rill_status status = rill_memcpy(first->context[0], first->dst, first->src, 64);
    rl_alloc_fail_after(-1);
    return status;
}

static void where_memory_is_short_a_copy_between_devices_waits(void **state)
{
    (void)state;
    const rill_devptr from[] = { at(host), device_a };
    for (int i = 0; i < 2; i++) {
        struct first_copy first = { .src = from[i] };
        rill_stream *blocking = NULL;
        for (int k = 0; k < 2; k++) first.context[k] = machine_context(machine.platform, k);
        ok(rill_mem_alloc(first.context[1], 4096, &first.dst));
        ok(rill_stream_create(first.context[0], NULL, &blocking));
        waits(&machine, blocking, copy_with_little_memory, &first);
        ok(rill_stream_destroy(&blocking));
        for (int k = 0; k < 2; k++) ok(rill_context_destroy(&first.context[k]));
    }
}

static void access_to_a_pool_decides(void **state)
{
    (void)state;
    rill_context *c0 = machine.context[0], *c1 = machine.context[1];
    rill_stream *s0 = machine.stream[0], *s1 = machine.stream[1];
    rill_pool *pool = NULL;
    rill_devptr a = 0;
    ok(rill_device_default_pool(machine.platform, 1, &pool));
    done(rill_mem_alloc_async(s1, 4096, &a));
    for (int given = 0; given < 2; given++) {
        rill_status status = given ? RILL_SUCCESS : INVALID;
        if (given) ok(rill_pool_set_access(pool, 0, RILL_ACCESS_READ_WRITE));
        is(status, rill_memcpy_dtod(c0, device_a, a, 64));
        settle();
        is(status, rill_memcpy_dtoh_async(s0, host, a, 64));
        is(status, rill_memcpy(c0, device_a, a, 64));
        settle();
        is(status, rill_memset_d8_async(s0, a, 0, 64));
        settle();
        done(rill_memcpy_peer(c0, device_a, c1, a, 64)); /* named contexts decide */
        done(rill_memcpy_peer_async(s0, c0, device_a, c1, a, 64));
        done(rill_memset_d8_async(s1, a, 0, 64));
        done(rill_memcpy_dtod(c0, device_a, a, 0));
    }
    ok(rill_pool_set_access(pool, 0, RILL_ACCESS_NONE));
    ok(rill_context_enable_peer(c0, c1)); /* says nothing of pools */
    is(INVALID, rill_memset_d8_async(s0, a, 0, 64));
    is(INVALID, rill_memcpy_dtod(c0, device_a, a, 64));
    blames("src", "memory of a pool of device 1, to which device 0 has no access", "");
    ok(rill_context_disable_peer(c0, c1));
    ok(rill_context_synchronize(c0));
    ok(rill_mem_free_async(s1, a));
    ok(rill_stream_synchronize(s1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_reach_every_device_and_fills_their_own),
        cmocka_unit_test(where_memory_is_short_a_copy_between_devices_waits),
        cmocka_unit_test(access_to_a_pool_decides),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
