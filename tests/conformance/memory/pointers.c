/* SPDX-License-Identifier: Apache-2.0
 *
 * What is known of an address.
 */
#include <string.h>

#include "conformance/work.h"

static rill_pointer_info info_of(struct fixture *f, rill_devptr address)
{
    rill_pointer_info info;
    memset(&info, 0x5a, sizeof info);
    info.size = sizeof info;
    ok(rill_pointer_get_info(f->context, address, &info));
    return info;
}

/* mem.pointer_attr_device */
static void device_memory_is_known_at_its_start_and_inside(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = 0;
    ok(rill_mem_alloc(f->context, 1000, &p));
    for (rill_devptr offset = 0; offset < 1000; offset += 333) {
        rill_pointer_info info = info_of(f, p + offset);
        assert_int_equal(info.kind, RILL_MEMORY_DEVICE);
        assert_int_equal(info.known, 1);
        assert_int_equal(info.device, 0);
        assert_ptr_equal(info.context, f->context);
        assert_null(info.pool);
        assert_int_equal(info.base, p);
        assert_int_equal(info.bytes, 1000);
        assert_int_equal(info.sync_memops, 0);
        assert_int_equal(info.mapped, 1);
    }
    assert_int_equal(info_of(f, p + 1000).known, 0);
}

static void is_host(struct fixture *f, rill_devptr address, rill_devptr base, size_t bytes)
{
    rill_pointer_info info = info_of(f, address);
    assert_int_equal(info.kind, RILL_MEMORY_HOST);
    assert_int_equal(info.known, 1);
    assert_int_equal(info.device, 0);
    assert_ptr_equal(info.context, f->context);
    assert_null(info.pool);
    assert_int_equal(info.base, base);
    assert_int_equal(info.bytes, bytes);
    assert_int_equal(info.mapped, 1);
}

/* p.attr_pinned */
static void pinned_memory_is_known_as_host_memory(void **state)
{
    struct fixture *f = *state;
    char *pin = pinned(f, 1000);
    is_host(f, at(pin), at(pin), 1000);
    is_host(f, at(pin) + 500, at(pin), 1000);
    assert_int_equal(info_of(f, at(pin) + 1000).known, 0);
}

/* mem.pointer_attr_registered, p.attr_reg */
static void registered_memory_is_known_as_host_memory(void **state)
{
    struct fixture *f = *state;
    static char local[8192];
    ok(rill_host_register(f->context, local + 100, 5000, 0));
    is_host(f, at(local) + 100, at(local) + 100, 5000);
    is_host(f, at(local) + 200, at(local) + 100, 5000);
    assert_int_equal(info_of(f, at(local) + 50).known, 0);
    assert_int_equal(info_of(f, at(local) + 5100).known, 0);
    ok(rill_host_unregister(f->context, local + 100));
}

/* mem.pointer_attr_async, p.attr_pool */
static void memory_of_a_pool_names_the_pool_and_no_context(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f);
    rill_pool *pool = NULL;
    rill_devptr p = 0;
    ok(rill_device_default_pool(f->platform, 0, &pool));
    ok(rill_mem_alloc_async(s, 1000, &p));
    rill_pointer_info info = info_of(f, p + 8);
    assert_int_equal(info.kind, RILL_MEMORY_DEVICE);
    assert_int_equal(info.known, 1);
    assert_int_equal(info.device, 0);
    assert_null(info.context);
    assert_ptr_equal(info.pool, pool);
    assert_int_equal(info.base, p);
    assert_int_equal(info.bytes, 1000);
    assert_int_equal(info.mapped, 1);
    ok(rill_mem_free_async(s, p));
    assert_int_equal(info_of(f, p).known, 0); /* MP-4: from the call on */
}

/* p.attr_none */
static void what_nobody_allocated_is_unknown_host_memory(void **state)
{
    struct fixture *f = *state;
    static int local;
    rill_devptr freed = device_words(f, 1);
    ok(rill_mem_free(f->context, freed));
    const rill_devptr unknown[] = { 0, 0x1000, at(&local), freed, UINT64_MAX };
    for (size_t i = 0; i < 5; i++) {
        rill_pointer_info info = info_of(f, unknown[i]);
        assert_int_equal(info.kind, RILL_MEMORY_HOST);
        assert_int_equal(info.known, 0);
        assert_null(info.context);
        assert_null(info.pool);
        assert_int_equal(info.base, 0);
        assert_int_equal(info.bytes, 0);
        assert_int_equal(info.id, 0);
    }
}

/* mem.pointer_attr_misc */
static void every_allocation_has_an_id_of_its_own(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = device_words(f, 16), q = device_words(f, 16);
    uint64_t first = info_of(f, p).id;
    assert_int_not_equal(first, 0);
    assert_int_equal(info_of(f, p + 4).id, first);
    assert_int_not_equal(info_of(f, q).id, first);
    assert_int_not_equal(info_of(f, at(pinned(f, 4))).id, first);
    ok(rill_mem_free(f->context, p));
    for (int i = 0; i < 10; i++) assert_int_not_equal(info_of(f, device_words(f, 16)).id, first);
}

/* mem.pointer_attr_misc, p.syncmemops */
static void synchronous_copies_can_be_demanded_of_an_allocation(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_stream(f);
    rill_devptr pool_memory = 0;
    static char local[4096];
    ok(rill_mem_alloc_async(s, 64, &pool_memory));
    ok(rill_host_register(f->context, local, sizeof local, 0));
    const rill_devptr all[] = { device_words(f, 16), at(pinned(f, 64)), pool_memory, at(local) };
    for (size_t i = 0; i < 4; i++) {
        ok(rill_pointer_set_sync_memops(f->context, all[i] + 8, 1));
        assert_int_equal(info_of(f, all[i]).sync_memops, 1);
        ok(rill_pointer_set_sync_memops(f->context, all[i], 2)); /* any truth */
        assert_int_equal(info_of(f, all[i]).sync_memops, 1);
        ok(rill_pointer_set_sync_memops(f->context, all[i], 0));
        assert_int_equal(info_of(f, all[i]).sync_memops, 0);
    }
    ok(rill_mem_free_async(s, pool_memory));
    ok(rill_host_unregister(f->context, local));
}

/* mem.pointer_attr_misc: set_local, p.syncmemops: zero */
static void they_cannot_be_demanded_of_unknown_memory(void **state)
{
    struct fixture *f = *state;
    static int local;
    refuses(RILL_ERROR_INVALID_VALUE, "address",
            rill_pointer_set_sync_memops(f->context, at(&local), 1));
    is(RILL_ERROR_INVALID_VALUE, rill_pointer_set_sync_memops(f->context, 0, 1));
}

static void new_memory_does_not_demand_synchronous_copies(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = device_words(f, 16);
    ok(rill_pointer_set_sync_memops(f->context, p, 1));
    ok(rill_mem_free(f->context, p));
    for (int i = 0; i < 4; i++) assert_int_equal(info_of(f, device_words(f, 16)).sync_memops, 0);
}

static void the_answer_needs_a_place_and_a_size(void **state)
{
    struct fixture *f = *state;
    rill_pointer_info info = { .size = 0 };
    refuses(RILL_ERROR_INVALID_VALUE, "info", rill_pointer_get_info(f->context, 0, NULL));
    refuses(RILL_ERROR_INVALID_VALUE, "info->size", rill_pointer_get_info(f->context, 0, &info));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(device_memory_is_known_at_its_start_and_inside),
    cmocka_unit_test(pinned_memory_is_known_as_host_memory),
    cmocka_unit_test(registered_memory_is_known_as_host_memory),
    cmocka_unit_test(memory_of_a_pool_names_the_pool_and_no_context),
    cmocka_unit_test(what_nobody_allocated_is_unknown_host_memory),
    cmocka_unit_test(every_allocation_has_an_id_of_its_own),
    cmocka_unit_test(synchronous_copies_can_be_demanded_of_an_allocation),
    cmocka_unit_test(they_cannot_be_demanded_of_unknown_memory),
    cmocka_unit_test(new_memory_does_not_demand_synchronous_copies),
    cmocka_unit_test(the_answer_needs_a_place_and_a_size),
};

SUITE_GROUP(pointers, 1);
