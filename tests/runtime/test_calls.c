/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls that are not the driver's as they are: memory, copies of all shapes, errors, streams of
 * a thread.
 */
#include "runtime/runtime.h"

static void **image;

static int setup(void **state)
{
    (void)state;
    image = register_program();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    unregister_program(image);
    return 0;
}

/* ---- Errors -------------------------------------------------------------------------------- */

static void a_failure_is_the_last_error_until_it_is_asked_for(void **state)
{
    (void)state;
    LAST();
    assert_int_equal(CALL(cudaMalloc, (void **, size_t), (NULL, 1)), RILL_ERROR_INVALID_VALUE);
    allocate(4); /* a success leaves it */
    assert_int_equal(CALL(cudaPeekAtLastError, (void), ()), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(LAST(), RILL_ERROR_INVALID_VALUE);
    OK(LAST());
}

static void a_call_that_is_not_there_is_a_failure(void **state)
{
    (void)state;
    void *memory;
    LAST();
    assert_int_equal(CALL(cudaImportExternalMemory, (void **, const void *), (&memory, NULL)),
                     RILL_ERROR_NOT_SUPPORTED);
    assert_int_equal(LAST(), RILL_ERROR_NOT_SUPPORTED);
}

static void statuses_have_names_and_words(void **state)
{
    (void)state;
    const char *name = CALL_AS(const char *, cudaGetErrorName, (int), (98));
    const char *words = CALL_AS(const char *, cudaGetErrorString, (int), (9));
    assert_string_equal(name, "cudaErrorInvalidDeviceFunction");
    assert_string_equal(words, "invalid configuration argument");
    for (int i = -1; i < 1100; i++)
        assert_non_null(CALL_AS(const char *, cudaGetErrorString, (int), (i)));
}

static void sizes_of_a_launch_are_wrong_values(void **state)
{
    (void)state;
    const dim3 one = { 1, 1, 1 }, none = { 0, 1, 1 }, large = { 1025, 1, 1 };
    uint32_t *word = allocate(4), value = 1;
    void *params[] = { &word, &value };
    assert_int_equal(launch_sized(&store_stub, none, one, params, NULL), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(launch_sized(&store_stub, one, large, params, NULL),
                     RILL_ERROR_INVALID_VALUE);
    assert_int_equal(launch_sized(&store_stub, one, one, NULL, NULL), RILL_ERROR_INVALID_VALUE);
    LAST();
}

static void sizes_of_a_launch_had_a_status_of_their_own(void **state)
{
    (void)state;
    const dim3 one = { 1, 1, 1 }, none = { 0, 1, 1 };
    runtime_open(RUNTIME_12);
    void **own = register_program();
    uint32_t *word = allocate(4), value = 1;
    void *params[] = { &word, &value };
    assert_int_equal(launch_sized(&store_stub, none, one, params, NULL),
                     cudaErrorInvalidConfiguration);
    unregister_program(own);
    LAST();
    runtime_open(RUNTIME_13);
}

/* ---- Memory --------------------------------------------------------------------------------- */

static void no_bytes_are_no_memory(void **state)
{
    (void)state;
    void *address = &address;
    OK(CALL(cudaMalloc, (void **, size_t), (&address, 0)));
    assert_null(address);
    OK(CALL(cudaFree, (void *), (NULL)));
    OK(CALL(cudaFreeHost, (void *), (NULL)));
    assert_int_equal(CALL(cudaFree, (void *), (&address)), RILL_ERROR_INVALID_VALUE);
}

static void pointers_are_told_apart(void **state)
{
    (void)state;
    struct {
        struct cudaPointerAttributes known;
        char reserved[64], behind;
    } all;
    struct cudaPointerAttributes *attributes = &all.known;
    char *device = allocate(100), local;
    void *host;
    memset(&all, 0x5a, sizeof all);
    OK(CALL(cudaMallocHost, (void **, size_t), (&host, 100)));
    OK(CALL(cudaPointerGetAttributes, (void *, const void *), (attributes, device + 50)));
    assert_int_equal(attributes->type, cudaMemoryTypeDevice);
    assert_int_equal(attributes->device, 0);
    assert_ptr_equal(attributes->devicePointer, device + 50);
    for (int i = 0; i < 64; i++) assert_int_equal(all.reserved[i], 0);
    assert_int_equal(all.behind, 0x5a);
    OK(CALL(cudaPointerGetAttributes, (void *, const void *), (attributes, host)));
    assert_int_equal(attributes->type, cudaMemoryTypeHost);
    assert_ptr_equal(attributes->hostPointer, host);
    OK(CALL(cudaPointerGetAttributes, (void *, const void *), (attributes, &local)));
    assert_int_equal(attributes->type, cudaMemoryTypeUnregistered);
    OK(CALL(cudaFreeHost, (void *), (host)));
    OK(CALL(cudaFree, (void *), (device)));
}

static void rows_and_boxes_are_copied_with_their_pitches(void **state)
{
    (void)state;
    struct cudaPitchedPtr box;
    const struct cudaExtent extent = { 12, 3, 2 };
    char from[72], to[72];
    for (int i = 0; i < 72; i++) from[i] = (char)i;
    OK(CALL(cudaMalloc3D, (struct cudaPitchedPtr *, struct cudaExtent), (&box, extent)));
    struct cudaMemcpy3DParms copy_there = {
        .srcPtr = { from, 12, 12, 3 },
        .dstPtr = box,
        .extent = extent,
        .kind = cudaMemcpyHostToDevice,
    };
    OK(CALL(cudaMemcpy3D, (const void *), (&copy_there)));
    memset(to, 0, sizeof to);
    OK(CALL(cudaMemcpy2D, (void *, size_t, const void *, size_t, size_t, size_t, int),
            (to, 12, box.ptr, box.pitch, 12, 6, cudaMemcpyDeviceToHost)));
    assert_memory_equal(to, from, 72);
    copy_there.dstPtr.pitch = 11;
    assert_int_equal(CALL(cudaMemcpy3D, (const void *), (&copy_there)),
                     cudaErrorInvalidPitchValue);
    OK(CALL(cudaFree, (void *), (box.ptr)));
}

static void slices_are_filled_whether_they_lie_close_or_not(void **state)
{
    (void)state;
    char *memory = allocate(96), bytes[96];
    const struct cudaPitchedPtr box = { memory, 8, 8, 4 }; /* slices of 4 rows */
    const struct cudaExtent rows_2 = { 3, 2, 3 }, rows_4 = { 8, 4, 1 };
    OK(CALL(cudaMemset, (void *, int, size_t), (memory, 0, 96)));
    OK(CALL(cudaMemset3D, (struct cudaPitchedPtr, int, struct cudaExtent), (box, 7, rows_2)));
    OK(copy(bytes, memory, 96, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 96; i++) assert_int_equal(bytes[i], i % 8 < 3 && i / 8 % 4 < 2 ? 7 : 0);
    OK(CALL(cudaMemset3D, (struct cudaPitchedPtr, int, struct cudaExtent), (box, 9, rows_4)));
    OK(copy(bytes, memory, 96, cudaMemcpyDeviceToHost));
    assert_int_equal(bytes[31], 9);
    assert_int_equal(bytes[32], 7);
}

static void a_kind_that_is_none_is_refused(void **state)
{
    (void)state;
    char *memory = allocate(4), local[4];
    assert_int_equal(copy(memory, local, 4, 5), cudaErrorInvalidMemcpyDirection);
    OK(copy(memory, local, 4, cudaMemcpyDefault));
    OK(copy(local, local, 0, cudaMemcpyHostToHost));
    OK(copy(memory, local, 0, 9)); /* nobody asks what is not copied */
}

static void memory_in_the_order_of_a_stream_is_the_pools(void **state)
{
    (void)state;
    uint32_t *word;
    cudaStream_t stream;
    uint64_t used = 1;
    cudaMemPool_t pool;
    OK(CALL(cudaStreamCreate, (cudaStream_t *), (&stream)));
    OK(CALL(cudaMallocAsync, (void **, size_t, cudaStream_t), ((void **)&word, 4, stream)));
    OK(launch(&store_stub, word, 3, stream));
    OK(CALL(cudaStreamSynchronize, (cudaStream_t), (stream)));
    assert_int_equal(word_at(word), 3);
    OK(CALL(cudaFreeAsync, (void *, cudaStream_t), (word, stream)));
    OK(CALL(cudaStreamDestroy, (cudaStream_t), (stream)));
    OK(synchronize());
    OK(CALL(cudaDeviceGetDefaultMemPool, (cudaMemPool_t *, int), (&pool, 0)));
    OK(CALL(cudaMemPoolGetAttribute, (cudaMemPool_t, int, void *), (pool, 7, &used)));
    assert_int_equal(used, 0);
}

/* ---- Streams of a thread -------------------------------------------------------------- */

static void the_forms_of_a_thread_take_its_own_stream(void **state)
{
    (void)state;
    unsigned long long legacy = 0, own = 0, named = 0;
    OK(CALL(cudaStreamGetId, (cudaStream_t, unsigned long long *), (NULL, &legacy)));
    OK(CALL(cudaStreamGetId_ptsz, (cudaStream_t, unsigned long long *), (NULL, &own)));
    OK(CALL(cudaStreamGetId, (cudaStream_t, unsigned long long *),
            (CU_STREAM_PER_THREAD, &named)));
    assert_true(legacy != own);
    assert_true(own == named);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_is_the_last_error_until_it_is_asked_for),
        cmocka_unit_test(a_call_that_is_not_there_is_a_failure),
        cmocka_unit_test(statuses_have_names_and_words),
        cmocka_unit_test(sizes_of_a_launch_are_wrong_values),
        cmocka_unit_test(sizes_of_a_launch_had_a_status_of_their_own),
        cmocka_unit_test(no_bytes_are_no_memory),
        cmocka_unit_test(pointers_are_told_apart),
        cmocka_unit_test(rows_and_boxes_are_copied_with_their_pitches),
        cmocka_unit_test(slices_are_filled_whether_they_lie_close_or_not),
        cmocka_unit_test(a_kind_that_is_none_is_refused),
        cmocka_unit_test(memory_in_the_order_of_a_stream_is_the_pools),
        cmocka_unit_test(the_forms_of_a_thread_take_its_own_stream),
    };
    runtime_open(RUNTIME_13);
    return cmocka_run_group_tests(tests, setup, teardown);
}
