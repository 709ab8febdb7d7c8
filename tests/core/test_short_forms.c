/* SPDX-License-Identifier: Apache-2.0
 *
 * The short forms of operations say what they are short for: what a backend is given
 * is what the caller meant.
 */
#include "support/cmocka_all.h"

#include <string.h>

#include "support/fake_backend.h"
#include "support/world.h"

/* ---- Short forms -------------------------------------------------------- */

/* What the backend was given. */
static rill_op seen;
static rill_value seen_item;
static int waits, records;
static const void *recorded_in, *waited_in;

static rill_status look(rill_stream *stream, rill_op *op)
{
    memset(&seen, 0, sizeof seen);
    seen.kind = op->kind;
    switch (op->kind) {
    case RILL_OP_MEMCPY: seen.memcpy = op->memcpy; break;
    case RILL_OP_MEMSET: seen.memset = op->memset; break;
    case RILL_OP_VALUES:
        seen.values = op->values;
        seen_item = op->values.items[0];
        break;
    case RILL_OP_EVENT_RECORD: records++, recorded_in = stream; break;
    case RILL_OP_EVENT_WAIT: waits++, waited_in = stream; break;
    case RILL_OP_ALLOC: seen.alloc = op->alloc, op->alloc.address = 77; break;
    case RILL_OP_FREE: seen.free = op->free; break;
    case RILL_OP_KERNEL: seen.kernel = op->kernel; break;
    default: break;
    }
    return RILL_SUCCESS;
}

static rill_status look_at_copy(rill_context *context, const rill_op *op)
{
    (void)context;
    rill_op copy = *op;
    return look(NULL, &copy);
}

static struct rill_stream_ops looking_streams;
static struct rill_memory_ops looking_memory;
static struct rill_backend looking;
static struct world watched;

static int argument;
static const void *const params[] = { &argument };

static int open_watched(void **state)
{
    (void)state;
    looking = fake_backend;
    looking_streams = *fake_backend.stream;
    looking_streams.submit = look;
    looking_memory = *fake_backend.memory;
    looking_memory.run = look_at_copy;
    looking.name = "looking";
    looking.stream = &looking_streams;
    looking.memory = &looking_memory;
    return rill_backend_register(&looking) || plain_world_open(&watched, "looking");
}

static int close_watched(void **state)
{
    (void)state;
    return world_close(&watched) ? -1 : 0;
}

static void expect_copy(rill_memory_kind dst_kind, rill_memory_kind src_kind)
{
    assert_int_equal(seen.kind, RILL_OP_MEMCPY);
    assert_int_equal(seen.memcpy.dst.kind, dst_kind);
    assert_int_equal(seen.memcpy.src.kind, src_kind);
    assert_int_equal(seen.memcpy.dst.address, 10);
    assert_int_equal(seen.memcpy.src.address, 20);
    assert_int_equal(seen.memcpy.width, 30);
    assert_int_equal(seen.memcpy.height, 1);
    assert_int_equal(seen.memcpy.depth, 1);
    assert_int_equal(seen.memcpy.dst.pitch + seen.memcpy.dst.x + seen.memcpy.src.y, 0);
    seen.kind = RILL_OP_EMPTY;
}

static void copies_say_what_they_copy(void **state)
{
    (void)state;
    rill_context *c = watched.context;
    rill_stream *s = watched.stream;
    void *const ten = (void *)(uintptr_t)10;
    const void *const twenty = (const void *)(uintptr_t)20;
    const rill_memory_kind host_kind = RILL_MEMORY_HOST, device = RILL_MEMORY_DEVICE;
    rill_memcpy(c, 10, 20, 30), expect_copy(RILL_MEMORY_UNIFIED, RILL_MEMORY_UNIFIED);
    rill_memcpy_htod(c, 10, twenty, 30), expect_copy(device, host_kind);
    rill_memcpy_dtoh(c, ten, 20, 30), expect_copy(host_kind, device);
    rill_memcpy_dtod(c, 10, 20, 30), expect_copy(device, device);
    rill_memcpy_peer(c, 10, c, 20, 30), expect_copy(device, device);
    assert_ptr_equal(seen.memcpy.dst.context, c);
    assert_ptr_equal(seen.memcpy.src.context, c);
    rill_memcpy_async(s, 10, 20, 30), expect_copy(RILL_MEMORY_UNIFIED, RILL_MEMORY_UNIFIED);
    rill_memcpy_htod_async(s, 10, twenty, 30), expect_copy(device, host_kind);
    rill_memcpy_dtoh_async(s, ten, 20, 30), expect_copy(host_kind, device);
    rill_memcpy_dtod_async(s, 10, 20, 30), expect_copy(device, device);
    rill_memcpy_peer_async(s, c, 10, c, 20, 30), expect_copy(device, device);
    assert_ptr_equal(seen.memcpy.dst.context, c);
}

static void expect_fill(uint32_t value, uint32_t element_bytes)
{
    assert_int_equal(seen.kind, RILL_OP_MEMSET);
    assert_int_equal(seen.memset.dst, 10);
    assert_int_equal(seen.memset.value, value);
    assert_int_equal(seen.memset.element_bytes, element_bytes);
    assert_int_equal(seen.memset.width, 30);
    assert_int_equal(seen.memset.height, 1);
    seen.kind = RILL_OP_EMPTY;
}

static void fills_say_what_they_fill(void **state)
{
    (void)state;
    rill_memset_d8(watched.context, 10, 0x12, 30), expect_fill(0x12, 1);
    rill_memset_d16(watched.context, 10, 0x1234, 30), expect_fill(0x1234, 2);
    rill_memset_d32(watched.context, 10, 0x12345678, 30), expect_fill(0x12345678, 4);
    rill_memset_d8_async(watched.stream, 10, 0x12, 30), expect_fill(0x12, 1);
    rill_memset_d16_async(watched.stream, 10, 0x1234, 30), expect_fill(0x1234, 2);
    rill_memset_d32_async(watched.stream, 10, 0x12345678, 30), expect_fill(0x12345678, 4);
}

static void expect_item(rill_value_kind kind, uint64_t value)
{
    assert_int_equal(seen.kind, RILL_OP_VALUES);
    assert_int_equal(seen.values.count, 1);
    assert_int_equal(seen.values.flags, 0);
    assert_int_equal(seen_item.kind, kind);
    assert_int_equal(seen_item.address, 10);
    assert_int_equal(seen_item.value, value);
    assert_int_equal(seen_item.flags, 3);
    seen.kind = RILL_OP_EMPTY;
}

static void values_say_what_they_do(void **state)
{
    (void)state;
    const uint64_t wide = 0x123456789abcdef0;
    rill_stream_write_value32(watched.stream, 10, 20, 3), expect_item(RILL_VALUE_WRITE_32, 20);
    rill_stream_write_value64(watched.stream, 10, wide, 3), expect_item(RILL_VALUE_WRITE_64, wide);
    rill_stream_wait_value32(watched.stream, 10, 20, 3), expect_item(RILL_VALUE_WAIT_32, 20);
    rill_stream_wait_value64(watched.stream, 10, wide, 3), expect_item(RILL_VALUE_WAIT_64, wide);
    const rill_value items[2] = { { RILL_VALUE_BARRIER, 3, 10, 1 },
                                  { RILL_VALUE_BARRIER, 0, 0, 0 } };
    rill_stream_batch_values(watched.stream, items, 2, 5);
    assert_ptr_equal(seen.values.items, items);
    assert_int_equal(seen.values.count, 2);
    assert_int_equal(seen.values.flags, 5);
}

static void the_other_short_forms_say_what_they_do(void **state)
{
    (void)state;
    const rill_dim3 grid = { 1, 2, 3 }, block = { 4, 5, 6 };
    rill_launch_kernel(watched.stream, watched.kernel, grid, block, 99, params);
    assert_int_equal(seen.kind, RILL_OP_KERNEL);
    assert_ptr_equal(seen.kernel.kernel, watched.kernel);
    assert_memory_equal(&seen.kernel.grid, &grid, sizeof grid);
    assert_memory_equal(&seen.kernel.block, &block, sizeof block);
    assert_int_equal(seen.kernel.shared_bytes, 99);
    assert_ptr_equal(seen.kernel.params, params);
    assert_null(seen.kernel.buffer);
    assert_int_equal(seen.kernel.attribute_count, 0);

    rill_devptr address = 0;
    assert_int_equal(rill_mem_alloc_async(watched.stream, 55, &address), RILL_SUCCESS);
    assert_int_equal(seen.alloc.bytes, 55);
    assert_null(seen.alloc.pool);
    assert_int_equal(address, 77);
    rill_mem_free_async(watched.stream, 88);
    assert_int_equal(seen.kind, RILL_OP_FREE);
    assert_int_equal(seen.free.address, 88);
}

/* ---- Waiting for a stream ----------------------------------------------- */

static void waiting_for_a_stream_records_there_and_waits_here(void **state)
{
    (void)state;
    rill_stream *other = NULL;
    assert_int_equal(rill_stream_create(watched.context, NULL, &other), RILL_SUCCESS);
    records = waits = 0;
    assert_int_equal(rill_stream_wait_stream(watched.stream, other), RILL_SUCCESS);
    assert_int_equal(records, 1);
    assert_int_equal(waits, 1);
    assert_ptr_equal(recorded_in, other);
    assert_ptr_equal(waited_in, watched.stream);
    rill_stream_destroy(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_say_what_they_copy),
        cmocka_unit_test(fills_say_what_they_fill),
        cmocka_unit_test(values_say_what_they_do),
        cmocka_unit_test(the_other_short_forms_say_what_they_do),
        cmocka_unit_test(waiting_for_a_stream_records_there_and_waits_here),
    };
    return cmocka_run_group_tests(tests, open_watched, close_watched);
}
