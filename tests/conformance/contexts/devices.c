/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices: what they say of themselves, and which may reach which.
 */
#include "conformance/fixture.h"

#include <string.h>

static rill_device_info info_of(struct fixture *f, int device)
{
    rill_device_info info = { .size = sizeof info };
    ok(rill_device_get_info(f->platform, device, &info));
    return info;
}

static int device_count(struct fixture *f)
{
    int count = 0;
    ok(rill_device_count(f->platform, &count));
    return count;
}

static void the_platform_counts_its_devices(void **state)
{
    struct fixture *f = *state;
    assert_in_range(device_count(f), 2, 1024);
    refuses(RILL_ERROR_INVALID_VALUE, "count", rill_device_count(f->platform, NULL));
    refuses(RILL_ERROR_NOT_INITIALIZED, "platform", rill_device_count(NULL, &(int){ 0 }));
}

/* oracle multi.identities */
static void no_two_devices_are_the_same_to_the_system(void **state)
{
    struct fixture *f = *state;
    rill_device_info first = info_of(f, 0), second = info_of(f, 1);
    assert_memory_not_equal(first.uuid, second.uuid, sizeof first.uuid);
    assert_string_not_equal(first.bus_id, second.bus_id);
    assert_true(first.name[0] != 0);
    assert_true(second.name[0] != 0);
}

static void a_device_tells_its_limits(void **state)
{
    struct fixture *f = *state;
    for (int device = 0; device < 2; device++) {
        rill_device_info info = info_of(f, device);
        assert_true(info.memory_bytes > 0);
        assert_true(info.compute_major > 0);
        assert_true(info.multiprocessors > 0);
        assert_int_equal(info.warp_size, 32);
        assert_true(info.max_threads_per_block >= 512);
        assert_true(info.max_block.x && info.max_block.y && info.max_block.z);
        assert_true(info.max_grid.x && info.max_grid.y && info.max_grid.z);
        assert_true(info.shared_bytes_per_block > 0);
        assert_true(info.shared_bytes_per_block_opt_in >= info.shared_bytes_per_block);
        assert_int_equal(info.priority_least, 0);
        assert_true(info.priority_greatest < 0);
    }
}

static void a_device_that_does_not_exist_is_refused(void **state)
{
    struct fixture *f = *state;
    const int wrong[] = { -1, device_count(f), 9999, INT32_MIN, INT32_MAX };
    for (int i = 0; i < 5; i++) {
        rill_device_info info = { .size = sizeof info };
        refuses(RILL_ERROR_INVALID_DEVICE, "device",
                rill_device_get_info(f->platform, wrong[i], &info));
    }
    refuses(RILL_ERROR_INVALID_VALUE, "info", rill_device_get_info(f->platform, 0, NULL));
}

/* oracle multi.can_access */
static void peer_access_can_be_asked_for_between_any_two_devices(void **state)
{
    struct fixture *f = *state;
    for (int device = 0; device < 2; device++)
        for (int peer = 0; peer < 2; peer++) {
            int can = -7;
            ok(rill_device_can_access_peer(f->platform, device, peer, &can));
            assert_int_equal(can, device != peer);
        }
}

/* oracle multi.can_access, multi.can_access_null */
static void peer_access_of_no_device_is_refused(void **state)
{
    struct fixture *f = *state;
    int can = -7;
    refuses(RILL_ERROR_INVALID_DEVICE, "peer",
            rill_device_can_access_peer(f->platform, 0, 9999, &can));
    refuses(RILL_ERROR_INVALID_DEVICE, "device",
            rill_device_can_access_peer(f->platform, 9999, 0, &can));
    is(RILL_ERROR_INVALID_DEVICE, rill_device_can_access_peer(f->platform, -1, 0, &can));
    is(RILL_ERROR_INVALID_DEVICE, rill_device_can_access_peer(f->platform, 0, -1, &can));
    assert_int_equal(can, -7);
    refuses(RILL_ERROR_INVALID_VALUE, "can", rill_device_can_access_peer(f->platform, 0, 1, NULL));
}

static void peer_access_is_switched_on_once_and_off_once(void **state)
{
    struct fixture *f = *state;
    rill_context *peer = new_context(f, 1, 0);
    refuses(RILL_ERROR_PEER_ACCESS_NOT_ENABLED, "peer",
            rill_context_disable_peer(f->context, peer));
    ok(rill_context_enable_peer(f->context, peer));
    refuses(RILL_ERROR_PEER_ACCESS_ALREADY_ENABLED, "peer",
            rill_context_enable_peer(f->context, peer));
    ok(rill_context_disable_peer(f->context, peer));
    is(RILL_ERROR_PEER_ACCESS_NOT_ENABLED, rill_context_disable_peer(f->context, peer));
    ok(rill_context_enable_peer(f->context, peer));
    ok(rill_context_disable_peer(f->context, peer));
}

static void peer_access_goes_one_way(void **state)
{
    struct fixture *f = *state;
    rill_context *peer = new_context(f, 1, 0);
    ok(rill_context_enable_peer(f->context, peer));
    is(RILL_ERROR_PEER_ACCESS_NOT_ENABLED, rill_context_disable_peer(peer, f->context));
    ok(rill_context_enable_peer(peer, f->context));
    ok(rill_context_disable_peer(f->context, peer));
    is(RILL_ERROR_PEER_ACCESS_ALREADY_ENABLED, rill_context_enable_peer(peer, f->context));
    ok(rill_context_disable_peer(peer, f->context));
}

/* oracle multi.peer_access_null */
static void peer_access_to_nobody_is_refused(void **state)
{
    struct fixture *f = *state;
    refuses(RILL_ERROR_INVALID_CONTEXT, "peer", rill_context_enable_peer(f->context, NULL));
    refuses(RILL_ERROR_INVALID_CONTEXT, "peer", rill_context_disable_peer(f->context, NULL));
    refuses(RILL_ERROR_INVALID_CONTEXT, "context", rill_context_enable_peer(NULL, f->context));
}

/* Measured. */
static void a_device_is_no_peer_of_itself(void **state)
{
    struct fixture *f = *state;
    rill_context *own = new_context(f, 0, RILL_CONTEXT_OWN);
    rill_context *const same[] = { f->context, own };
    for (int i = 0; i < 2; i++) {
        refuses(RILL_ERROR_PEER_ACCESS_UNSUPPORTED, "peer",
                rill_context_enable_peer(f->context, same[i]));
        is(RILL_ERROR_PEER_ACCESS_NOT_ENABLED, rill_context_disable_peer(f->context, same[i]));
    }
}

/* Measured: two contexts of one device are two peers. */
static void peer_access_is_to_a_context(void **state)
{
    struct fixture *f = *state;
    rill_context *primary = new_context(f, 1, 0), *own = new_context(f, 1, RILL_CONTEXT_OWN);
    ok(rill_context_enable_peer(f->context, primary));
    is(RILL_ERROR_PEER_ACCESS_NOT_ENABLED, rill_context_disable_peer(f->context, own));
    ok(rill_context_enable_peer(f->context, own));
    ok(rill_context_disable_peer(f->context, primary));
    ok(rill_context_disable_peer(f->context, own));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_platform_counts_its_devices),
    cmocka_unit_test(no_two_devices_are_the_same_to_the_system),
    cmocka_unit_test(a_device_tells_its_limits),
    cmocka_unit_test(a_device_that_does_not_exist_is_refused),
    cmocka_unit_test(peer_access_can_be_asked_for_between_any_two_devices),
    cmocka_unit_test(peer_access_of_no_device_is_refused),
    cmocka_unit_test(peer_access_is_switched_on_once_and_off_once),
    cmocka_unit_test(peer_access_goes_one_way),
    cmocka_unit_test(peer_access_to_nobody_is_refused),
    cmocka_unit_test(a_device_is_no_peer_of_itself),
    cmocka_unit_test(peer_access_is_to_a_context),
};

SUITE_GROUP(devices, 2);
