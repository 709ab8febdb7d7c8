/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that is made without an address and mapped where addresses were reserved.
 */
#include <unistd.h>

#include "conformance/work.h"
#include "support/process.h"

struct scene {
    struct fixture *fixture;
    rill_platform *platform;
    size_t grain;
};

static struct scene prepare(struct fixture *f)
{
    struct scene s = { f, f->platform, 0 };
    if (rill_platform_supports(s.platform, RILL_FEATURE_VIRTUAL_MEMORY))
        skip_since("the backend has addresses only with their memory here");
    ok(rill_vmem_granularity(s.platform, 0, &s.grain));
    return s;
}

static rill_vmem_handle memory_of(const struct scene *s, size_t bytes, int shareable)
{
    const rill_vmem_options options = { .size = sizeof options, .shareable = shareable };
    rill_vmem_handle handle = 0;
    ok(rill_vmem_create(s->platform, bytes, &options, &handle));
    return handle;
}

static rill_devptr reserved(const struct scene *s, size_t bytes)
{
    rill_devptr address = 0;
    ok(rill_vmem_reserve(s->platform, bytes, 0, 0, &address));
    return address;
}

static rill_status give(const struct scene *s, rill_devptr address, size_t bytes)
{
    return rill_vmem_set_access(s->platform, address, bytes, 0, RILL_ACCESS_READ_WRITE);
}

/* Maps new memory, which the mapping keeps, and gives the device access. */
static void map_new(const struct scene *s, rill_devptr address, size_t bytes)
{
    rill_vmem_handle handle = memory_of(s, bytes, 0);
    ok(rill_vmem_map(s->platform, address, bytes, handle));
    ok(rill_vmem_release(s->platform, handle));
    ok(give(s, address, bytes));
}

static void unmap_all(const struct scene *s, rill_devptr address, size_t mapped, size_t bytes)
{
    if (mapped) ok(rill_vmem_unmap(s->platform, address, mapped));
    ok(rill_vmem_unreserve(s->platform, address, bytes));
}

/* ---- Sizes and ranges ----------------------------------------------------------------- */

static void the_granularity_is_a_power_of_two(void **state)
{
    struct scene s = prepare(*state);
    assert_true(s.grain && !(s.grain & (s.grain - 1)));
    is(RILL_ERROR_INVALID_DEVICE, rill_vmem_granularity(s.platform, 99, &s.grain));
    is(RILL_ERROR_INVALID_DEVICE, rill_vmem_granularity(s.platform, -1, &s.grain));
}

static void memory_comes_in_multiples_of_it(void **state)
{
    struct scene s = prepare(*state);
    const rill_vmem_options nowhere = { .size = sizeof nowhere, .device = 99 };
    rill_vmem_handle handle = 0;
    refuses(RILL_ERROR_INVALID_VALUE, "bytes", rill_vmem_create(s.platform, 0, NULL, &handle));
    refuses(RILL_ERROR_INVALID_VALUE, "bytes",
            rill_vmem_create(s.platform, s.grain + 4096, NULL, &handle));
    refuses(RILL_ERROR_INVALID_DEVICE, "options->device",
            rill_vmem_create(s.platform, s.grain, &nowhere, &handle));
    refuses(RILL_ERROR_OUT_OF_MEMORY, "bytes",
            rill_vmem_create(s.platform, TOO_MUCH, NULL, &handle));
    assert_int_equal(handle, 0);
}

static void more_addresses_are_reserved_than_there_is_memory(void **state)
{
    struct scene s = prepare(*state);
    const size_t much = MANY_ADDRESSES;
    if (!process_has_addresses(much + much / 16))
        skip_since("the process does not have so many addresses in a row left");
    rill_devptr a = reserved(&s, much), b = 0;
    ok(rill_vmem_reserve(s.platform, s.grain, 16 * s.grain, 0, &b));
    assert_int_equal(a % s.grain, 0);
    assert_int_equal(b % (16 * s.grain), 0);
    is(RILL_ERROR_INVALID_VALUE, rill_vmem_reserve(s.platform, 0, 0, 0, &b));
    is(RILL_ERROR_INVALID_VALUE, rill_vmem_reserve(s.platform, s.grain, 3, 0, &b));
    unmap_all(&s, b, 0, s.grain);
    unmap_all(&s, a, 0, much);
}

static void only_reserved_addresses_are_mapped_and_once(void **state)
{
    struct scene s = prepare(*state);
    rill_devptr a = reserved(&s, 2 * s.grain);
    rill_vmem_handle h = memory_of(&s, s.grain, 0);
    refuses(RILL_ERROR_INVALID_VALUE, "address",
            rill_vmem_map(s.platform, a + 4096, s.grain, h));
    /* INVALID_VALUE, or with driver 580 NOT_SUPPORTED, as measured */
    assert_int_not_equal(rill_vmem_map(s.platform, a, 4096, h), RILL_SUCCESS);
    assert_int_not_equal(rill_vmem_map(s.platform, a, 2 * s.grain, h), RILL_SUCCESS);
    ok(rill_vmem_map(s.platform, a, s.grain, h));
    is(RILL_ERROR_INVALID_VALUE, rill_vmem_map(s.platform, a, s.grain, h));
    is(RILL_ERROR_INVALID_VALUE, give(&s, a + s.grain, s.grain));
    ok(rill_vmem_release(s.platform, h));
    unmap_all(&s, a, s.grain, 2 * s.grain);
}

/* ---- What it is good for -------------------------------------------------------------- */

static void an_array_grows_where_it_is(void **state)
{
    struct fixture *f = *state;
    struct scene s = prepare(f);
    rill_devptr a = reserved(&s, 4 * s.grain);
    rill_stream *stream = new_non_blocking(f);
    map_new(&s, a, s.grain);
    ok(put(kernel(f, &put_function), stream, a + s.grain - 4, 41));
    ok(rill_stream_synchronize(stream));
    map_new(&s, a + s.grain, s.grain);
    ok(mul_add(kernel(f, &mul_add_function), stream, a + s.grain - 4, 1, 1));
    ok(copy1(kernel(f, &copy1_function), stream, a + s.grain, a + s.grain - 4));
    ok(rill_stream_synchronize(stream));
    assert_int_equal(peek(f, a + s.grain), 42);
    unmap_all(&s, a, 2 * s.grain, 4 * s.grain);
}

static void one_memory_is_at_two_addresses(void **state)
{
    struct fixture *f = *state;
    struct scene s = prepare(f);
    rill_devptr a = reserved(&s, 2 * s.grain);
    rill_vmem_handle h = memory_of(&s, s.grain, 0);
    ok(rill_vmem_map(s.platform, a, s.grain, h));
    ok(rill_vmem_map(s.platform, a + s.grain, s.grain, h));
    ok(give(&s, a, 2 * s.grain));
    poke(f, a + 64, 77);
    assert_int_equal(peek(f, a + s.grain + 64), 77);
    ok(rill_vmem_release(s.platform, h));
    unmap_all(&s, a, 2 * s.grain, 2 * s.grain);
}

static void memory_keeps_what_it_has_while_it_is_not_mapped(void **state)
{
    struct fixture *f = *state;
    struct scene s = prepare(f);
    rill_devptr a = reserved(&s, 2 * s.grain);
    rill_vmem_handle h = memory_of(&s, s.grain, 0);
    ok(rill_vmem_map(s.platform, a, s.grain, h));
    ok(give(&s, a, s.grain));
    poke(f, a, 5);
    ok(rill_vmem_unmap(s.platform, a, s.grain));
    ok(rill_vmem_map(s.platform, a + s.grain, s.grain, h));
    ok(give(&s, a + s.grain, s.grain));
    assert_int_equal(peek(f, a + s.grain), 5);
    ok(rill_vmem_release(s.platform, h));
    ok(rill_vmem_unmap(s.platform, a + s.grain, s.grain));
    unmap_all(&s, a, 0, 2 * s.grain);
}

/* ---- Handles ---------------------------------------------------------------------------- */

static void a_mapping_gives_a_handle_of_its_memory(void **state)
{
    struct scene s = prepare(*state);
    rill_vmem_options told = { .size = sizeof told };
    rill_devptr a = reserved(&s, s.grain);
    rill_vmem_handle h = memory_of(&s, s.grain, 0), same = 0;
    refuses(RILL_ERROR_INVALID_VALUE, "address", rill_vmem_retain(s.platform, a, &same));
    ok(rill_vmem_map(s.platform, a, s.grain, h));
    ok(rill_vmem_release(s.platform, h));
    ok(rill_vmem_retain(s.platform, a + 100, &same));
    ok(rill_vmem_get_options(s.platform, same, &told));
    assert_int_equal(told.device, 0);
    assert_int_equal(told.shareable, 0);
    ok(rill_vmem_release(s.platform, same));
    unmap_all(&s, a, s.grain, s.grain);
}

/* The driver follows such a handle without a look, and crashes, as measured. */
static void what_is_no_handle_is_refused(void **state)
{
    struct scene s = prepare(*state);
    rill_vmem_options told = { .size = sizeof told };
    rill_devptr a = reserved(&s, s.grain);
    rill_vmem_handle gone = memory_of(&s, s.grain, 1);
    ok(rill_vmem_release(s.platform, gone));
    const rill_vmem_handle none[] = { gone, 0, 1000 };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        int file = -1;
        refuses(RILL_ERROR_INVALID_VALUE, "handle", rill_vmem_release(s.platform, none[i]));
        refuses(RILL_ERROR_INVALID_VALUE, "handle", rill_vmem_map(s.platform, a, s.grain, none[i]));
        refuses(RILL_ERROR_INVALID_VALUE, "handle", rill_vmem_export(s.platform, none[i], &file));
        refuses(RILL_ERROR_INVALID_VALUE, "handle",
                rill_vmem_get_options(s.platform, none[i], &told));
    }
    unmap_all(&s, a, 0, s.grain);
}

static void memory_that_is_shared_comes_back_through_its_file(void **state)
{
    struct fixture *f = *state;
    struct scene s = prepare(f);
    rill_devptr a = reserved(&s, 2 * s.grain);
    rill_vmem_handle h = memory_of(&s, s.grain, 1), plain = memory_of(&s, s.grain, 0), again = 0;
    int file = -1;
    refuses(RILL_ERROR_INVALID_VALUE, "handle", rill_vmem_export(s.platform, plain, &file));
    ok(rill_vmem_export(s.platform, h, &file));
    ok(rill_vmem_import(s.platform, file, &again));
    assert_int_equal(close(file), 0);
    ok(rill_vmem_map(s.platform, a, s.grain, h));
    ok(rill_vmem_map(s.platform, a + s.grain, s.grain, again));
    ok(give(&s, a, 2 * s.grain));
    poke(f, a, 4711);
    assert_int_equal(peek(f, a + s.grain), 4711);
    ok(rill_vmem_release(s.platform, plain));
    ok(rill_vmem_release(s.platform, h));
    ok(rill_vmem_release(s.platform, again));
    unmap_all(&s, a, 2 * s.grain, 2 * s.grain);
}

static int is_shareable(const struct scene *s, rill_devptr address)
{
    rill_pointer_info info = { .size = sizeof info };
    ok(rill_pointer_get_info(s->fixture->context, address, &info));
    assert_int_equal(info.known, 1);
    return info.shareable;
}

static void an_address_tells_whether_its_memory_is_shareable(void **state)
{
    struct fixture *f = *state;
    struct scene s = prepare(f);
    rill_devptr a = reserved(&s, 2 * s.grain), p = 0;
    rill_vmem_handle shared = memory_of(&s, s.grain, 1), plain = memory_of(&s, s.grain, 0);
    ok(rill_mem_alloc(f->context, 1000, &p));
    ok(rill_vmem_map(s.platform, a, s.grain, shared));
    ok(rill_vmem_map(s.platform, a + s.grain, s.grain, plain));
    ok(give(&s, a, 2 * s.grain));
    assert_int_equal(is_shareable(&s, a + 100), 1);
    assert_int_equal(is_shareable(&s, a + s.grain + 100), 0);
    assert_int_equal(is_shareable(&s, p), 0);
    ok(rill_vmem_release(s.platform, shared));
    ok(rill_vmem_release(s.platform, plain));
    unmap_all(&s, a, 2 * s.grain, 2 * s.grain);
}

/* ---- Access --------------------------------------------------------------------------- */

static void a_device_has_no_access_before_it_is_given(void **state)
{
    struct scene s = prepare(*state);
    rill_devptr a = reserved(&s, s.grain);
    rill_vmem_handle h = memory_of(&s, s.grain, 0);
    rill_access access = RILL_ACCESS_READ_WRITE;
    ok(rill_vmem_map(s.platform, a, s.grain, h));
    ok(rill_vmem_get_access(s.platform, a, 0, &access));
    assert_int_equal(access, RILL_ACCESS_NONE);
    ok(give(&s, a, s.grain));
    ok(rill_vmem_get_access(s.platform, a + 5, 0, &access));
    assert_int_equal(access, RILL_ACCESS_READ_WRITE);
    refuses(RILL_ERROR_INVALID_DEVICE, "device",
            rill_vmem_set_access(s.platform, a, s.grain, 99, RILL_ACCESS_READ_WRITE));
    refuses(RILL_ERROR_INVALID_DEVICE, "device",
            rill_vmem_get_access(s.platform, a, 99, &access));
    ok(rill_vmem_release(s.platform, h));
    unmap_all(&s, a, s.grain, s.grain);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_granularity_is_a_power_of_two),
    cmocka_unit_test(memory_comes_in_multiples_of_it),
    cmocka_unit_test(more_addresses_are_reserved_than_there_is_memory),
    cmocka_unit_test(only_reserved_addresses_are_mapped_and_once),
    cmocka_unit_test(an_array_grows_where_it_is),
    cmocka_unit_test(one_memory_is_at_two_addresses),
    cmocka_unit_test(memory_keeps_what_it_has_while_it_is_not_mapped),
    cmocka_unit_test(a_mapping_gives_a_handle_of_its_memory),
    cmocka_unit_test(what_is_no_handle_is_refused),
    cmocka_unit_test(memory_that_is_shared_comes_back_through_its_file),
    cmocka_unit_test(an_address_tells_whether_its_memory_is_shareable),
    cmocka_unit_test(a_device_has_no_access_before_it_is_given),
};

SUITE_GROUP(mapped_memory, 1);
