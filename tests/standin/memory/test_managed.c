/* SPDX-License-Identifier: Apache-2.0
 *
 * Managed memory: what is known of it, where a program wants it, and what it is advised.
 */
#include "standin/memory/managed.h"

static const CUmemLocation device_0 = { CU_MEM_LOCATION_TYPE_DEVICE, 0 };
static const CUmemLocation device_99 = { CU_MEM_LOCATION_TYPE_DEVICE, 99 };
static const CUmemLocation host = { CU_MEM_LOCATION_TYPE_HOST, 0 };

static CUresult prefetch(CUdeviceptr address, size_t bytes, CUmemLocation location)
{
    return CALL(cuMemPrefetchAsync_v2,
                (CUdeviceptr, size_t, CUmemLocation, unsigned, CUstream),
                (address, bytes, location, 0, stream));
}

static CUresult advise(CUdeviceptr address, size_t bytes, int advice, CUmemLocation location)
{
    return CALL(cuMemAdvise_v2, (CUdeviceptr, size_t, int, CUmemLocation),
                (address, bytes, advice, location));
}

static CUresult ask_into(void *out, size_t size, int question, CUdeviceptr address, size_t bytes)
{
    return CALL(cuMemRangeGetAttribute, (void *, size_t, int, CUdeviceptr, size_t),
                (out, size, question, address, bytes));
}

static int ask(int question, CUdeviceptr address, size_t bytes)
{
    int value = -77;
    OK(ask_into(&value, sizeof value, question, address, bytes));
    return value;
}

/* ---- Attributes ---------------------------------------------------------------------------- */

static void the_device_has_it_as_an_h200_has(void **state)
{
    (void)state;
    static const int rows[][2] = { { 83, 1 }, { 88, 0 }, { 89, 1 }, { 100, 0 }, { 101, 0 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int value = -77;
        OK(CALL(cuDeviceGetAttribute, (int *, int, CUdevice), (&value, rows[i][0], 0)));
        assert_int_equal(value, rows[i][1]);
    }
}

static void its_pointer_is_one_of_both_sides(void **state)
{
    (void)state;
    CUdeviceptr there = 0, here = 0;
    assert_int_equal(ask_pointer(CU_POINTER_ATTRIBUTE_IS_MANAGED, memory + 5), 1);
    assert_int_equal(ask_pointer(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory), CU_MEMORYTYPE_DEVICE);
    OK(CALL(cuPointerGetAttribute, (void *, int, CUdeviceptr),
            (&there, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, memory)));
    OK(CALL(cuPointerGetAttribute, (void *, int, CUdeviceptr),
            (&here, CU_POINTER_ATTRIBUTE_HOST_POINTER, memory)));
    assert_int_equal(there, memory);
    assert_int_equal(here, memory);
    assert_int_equal(ask_pointer(CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory), 1);
}

/* As an H100 answers.  0 stands for the same stream as CU_STREAM_LEGACY. */
static void it_is_attached_to_the_legacy_stream_by_its_name(void **state)
{
    (void)state;
    static const struct {
        CUstream to;
        unsigned flags;
        CUresult answer;
    } rows[] = {
        { NULL, CU_MEM_ATTACH_SINGLE, RILL_ERROR_INVALID_VALUE },
        { CU_STREAM_LEGACY, CU_MEM_ATTACH_SINGLE, RILL_SUCCESS },
        { CU_STREAM_PER_THREAD, CU_MEM_ATTACH_SINGLE, RILL_SUCCESS },
        { NULL, CU_MEM_ATTACH_HOST, RILL_SUCCESS },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(CALL(cuStreamAttachMemAsync, (CUstream, CUdeviceptr, size_t, unsigned),
                              (rows[i].to, memory, 0, rows[i].flags)), rows[i].answer);
    assert_int_equal(CALL(cuStreamAttachMemAsync, (CUstream, CUdeviceptr, size_t, unsigned),
                          (CU_STREAM_LEGACY, memory, 64, CU_MEM_ATTACH_SINGLE)),
                     RILL_ERROR_INVALID_VALUE);
}

/* ---- Prefetches ---------------------------------------------------------------------------- */

static void the_last_prefetch_is_remembered_by_pages(void **state)
{
    (void)state;
    const int question = CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION;
    assert_int_equal(ask(question, memory, BYTES), CU_DEVICE_INVALID);
    OK(prefetch(memory, BYTES, device_0));
    assert_int_equal(ask(question, memory, BYTES), 0);
    OK(prefetch(memory + PAGE, 1, host)); /* that page */
    assert_int_equal(ask(question, memory + PAGE, PAGE), CU_DEVICE_CPU);
    assert_int_equal(ask(question, memory, PAGE), 0);
    assert_int_equal(ask(question, memory + 2 * PAGE, 2 * PAGE), 0);
    assert_int_equal(ask(question, memory, BYTES), CU_DEVICE_INVALID);
    OK(CALL(cuMemPrefetchAsync, (CUdeviceptr, size_t, CUdevice, CUstream),
            (memory, BYTES, CU_DEVICE_CPU, NULL)));
    assert_int_equal(ask(question, memory, BYTES), CU_DEVICE_CPU);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE, memory, BYTES),
                     CU_MEM_LOCATION_TYPE_HOST);
}

static void prefetches_to_nowhere_are_refused(void **state)
{
    (void)state;
    CUdeviceptr device = 0;
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&device, BYTES)));
    assert_int_equal(prefetch(device, BYTES, device_0), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(prefetch(memory, BYTES + 1, device_0), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(prefetch(memory, 0, device_0), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(prefetch(memory, BYTES, device_99), RILL_ERROR_INVALID_DEVICE);
    assert_int_equal(prefetch(memory, BYTES, (CUmemLocation){ 0, 0 }), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(CALL(cuMemPrefetchAsync, (CUdeviceptr, size_t, CUdevice, CUstream),
                          (memory, BYTES, 99, stream)), RILL_ERROR_INVALID_DEVICE);
    assert_int_equal(CALL(cuMemPrefetchAsync_v2,
                          (CUdeviceptr, size_t, CUmemLocation, unsigned, CUstream),
                          (memory, BYTES, device_0, 1, stream)), RILL_ERROR_INVALID_VALUE);
}

static void a_capture_takes_no_prefetch(void **state)
{
    (void)state;
    void *graph = NULL;
    OK(CALL(cuStreamBeginCapture_v2, (CUstream, int), (stream, 0)));
    assert_int_equal(prefetch(memory, BYTES, device_0), RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    CALL(cuStreamEndCapture, (CUstream, void **), (stream, &graph));
}

/* ---- Batches of prefetches and discards ---------------------------------------------------- */

struct batch {
    CUdeviceptr addresses[3];
    size_t sizes[3], count;
    CUmemLocation locations[2];
    size_t first[2], location_count;
    unsigned long long flags;
    CUstream stream;
};

/* Two pages to the device, and one to the host. */
static struct batch good_batch(void)
{
    return (struct batch){
        .addresses = { memory, memory + PAGE, memory + 2 * PAGE },
        .sizes = { PAGE, PAGE, PAGE },
        .count = 3,
        .locations = { device_0, host },
        .first = { 0, 2 },
        .location_count = 2,
        .stream = stream,
    };
}

typedef CUresult (*prefetch_fn)(CUdeviceptr *, size_t *, size_t, CUmemLocation *, size_t *, size_t,
                                unsigned long long, CUstream);

static CUresult prefetch_batch(const char *name, struct batch batch)
{
    prefetch_fn call;
    find(name, &call);
    return call(batch.addresses, batch.sizes, batch.count, batch.locations, batch.first,
                batch.location_count, batch.flags, batch.stream);
}

static CUresult discard_batch(struct batch batch)
{
    return CALL(cuMemDiscardBatchAsync,
                (CUdeviceptr *, size_t *, size_t, unsigned long long, CUstream),
                (batch.addresses, batch.sizes, batch.count, batch.flags, batch.stream));
}

static void a_batch_prefetches_to_several_places(void **state)
{
    (void)state;
    static const char *const names[] = { "cuMemPrefetchBatchAsync",
                                         "cuMemDiscardAndPrefetchBatchAsync" };
    const int question = CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION;
    for (int i = 0; i < 2; i++) {
        OK(prefetch(memory, BYTES, host));
        OK(prefetch_batch(names[i], good_batch()));
        assert_int_equal(ask(question, memory, 2 * PAGE), 0);
        assert_int_equal(ask(question, memory + 2 * PAGE, PAGE), CU_DEVICE_CPU);
    }
}

/* Each makes a batch that is refused. */
static void no_ranges(struct batch *batch) { batch->count = 0; }
static void too_much(struct batch *batch) { batch->sizes[2] = 3 * PAGE; }
static void no_bytes(struct batch *batch) { batch->sizes[1] = 0; }
static void flags(struct batch *batch) { batch->flags = 1; }
static void legacy_stream(struct batch *batch) { batch->stream = NULL; }
static void no_places(struct batch *batch) { batch->location_count = 0; }
static void late_first_place(struct batch *batch) { batch->first[0] = 1; }
static void same_place_twice(struct batch *batch) { batch->first[1] = 0; }
static void place_behind_the_end(struct batch *batch) { batch->first[1] = 3; }

static void wrong_batches_change_nothing(void **state)
{
    (void)state;
    static void (*const changes[])(struct batch *) = {
        no_ranges, too_much, no_bytes, flags, legacy_stream,
        no_places, late_first_place, same_place_twice, place_behind_the_end,
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct batch batch = good_batch();
        changes[i](&batch);
        assert_int_equal(prefetch_batch("cuMemPrefetchBatchAsync", batch),
                         RILL_ERROR_INVALID_VALUE);
        assert_int_equal(discard_batch(batch), i < 5 ? RILL_ERROR_INVALID_VALUE : RILL_SUCCESS);
    }
    struct batch batch = good_batch();
    batch.locations[1] = device_99;
    assert_int_equal(prefetch_batch("cuMemPrefetchBatchAsync", batch), RILL_ERROR_INVALID_DEVICE);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, memory, PAGE),
                     CU_DEVICE_INVALID);
}

/* ---- Advice -------------------------------------------------------------------------------- */

static void advice_is_kept_until_it_is_taken_back(void **state)
{
    (void)state;
    int who[3] = { 0 };
    OK(advise(memory, BYTES, CU_MEM_ADVISE_SET_READ_MOSTLY, device_99)); /* names no place */
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory, BYTES), 1);
    OK(advise(memory, PAGE, CU_MEM_ADVISE_UNSET_READ_MOSTLY, device_0));
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory, BYTES), 0);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory + PAGE, PAGE), 1);
    OK(advise(memory, BYTES, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host));
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, memory, BYTES), CU_DEVICE_CPU);
    OK(CALL(cuMemAdvise, (CUdeviceptr, size_t, int, CUdevice),
            (memory, BYTES, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, 0)));
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, memory, BYTES), 0);
    OK(advise(memory, BYTES, CU_MEM_ADVISE_SET_ACCESSED_BY, device_0));
    OK(advise(memory, BYTES, CU_MEM_ADVISE_SET_ACCESSED_BY, host));
    OK(ask_into(who, sizeof who, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory, BYTES));
    assert_int_equal(who[0], CU_DEVICE_CPU);
    assert_int_equal(who[1], 0);
    assert_int_equal(who[2], CU_DEVICE_INVALID);
    assert_int_equal(advise(memory, BYTES, 7, device_0), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(advise(memory, BYTES, CU_MEM_ADVISE_SET_ACCESSED_BY, device_99),
                     RILL_ERROR_INVALID_DEVICE);
}

/* As an H200 answers (driver 580.159.04), also of memory that is none. */
static void advice_for_a_node_of_the_host_is_taken_anywhere(void **state)
{
    (void)state;
    const CUmemLocation node = { CU_MEM_LOCATION_TYPE_HOST_NUMA, 0 },
                        processors = { CU_MEM_LOCATION_TYPE_HOST, 0 };
    const CUdeviceptr anywhere = (uintptr_t)&node;
    for (int advice = 0; advice <= 7; advice++) {
        int idle = advice >= CU_MEM_ADVISE_SET_READ_MOSTLY &&
                    advice <= CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION;
        assert_int_equal(CALL(cuMemAdvise_v2, (CUdeviceptr, size_t, int, CUmemLocation),
                              (anywhere, 0, advice, node)),
                         idle ? RILL_SUCCESS : RILL_ERROR_INVALID_VALUE);
        assert_int_equal(CALL(cuMemAdvise_v2, (CUdeviceptr, size_t, int, CUmemLocation),
                              (anywhere, 64, advice, processors)), RILL_ERROR_INVALID_VALUE);
    }
}

static void other_memory_begins_without_advice(void **state)
{
    (void)state;
    OK(advise(memory, BYTES, CU_MEM_ADVISE_SET_READ_MOSTLY, device_0));
    for (int i = 0; i < 4; i++) { /* at the same address, as it happens */
        OK(CALL(cuMemFree_v2, (CUdeviceptr), (memory)));
        OK(CALL(cuMemAllocManaged, (CUdeviceptr *, size_t, unsigned),
                (&memory, BYTES, CU_MEM_ATTACH_HOST)));
        assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory, BYTES), 0);
        OK(advise(memory, BYTES, CU_MEM_ADVISE_SET_READ_MOSTLY, device_0));
    }
}

static void answers_have_their_size(void **state)
{
    (void)state;
    int value[4];
    assert_int_equal(ask_into(value, 8, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory, BYTES),
                     RILL_ERROR_INVALID_VALUE);
    assert_int_equal(ask_into(value, 6, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory, BYTES),
                     RILL_ERROR_INVALID_VALUE);
    assert_int_equal(ask_into(value, 4, 9, memory, BYTES), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(ask_into(NULL, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory, BYTES),
                     RILL_ERROR_INVALID_VALUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)
        TEST(it_is_attached_to_the_legacy_stream_by_its_name),
        TEST(the_device_has_it_as_an_h200_has),
        TEST(its_pointer_is_one_of_both_sides),
        TEST(the_last_prefetch_is_remembered_by_pages),
        TEST(prefetches_to_nowhere_are_refused),
        TEST(a_capture_takes_no_prefetch),
        TEST(a_batch_prefetches_to_several_places),
        TEST(wrong_batches_change_nothing),
        TEST(advice_is_kept_until_it_is_taken_back),
        TEST(other_memory_begins_without_advice),
        TEST(advice_for_a_node_of_the_host_is_taken_anywhere),
        TEST(answers_have_their_size),
    };
    library_begin();
    return cmocka_run_group_tests_name("standin/managed", tests, NULL, NULL);
}
