/* SPDX-License-Identifier: Apache-2.0
 *
 * What a compiler writes into a program: images, stubs and variables that are registered, and
 * loaded when they are first used.
 */
#include <pthread.h>

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
    LAST();
    return 0;
}

static void a_stub_launches_its_kernel(void **state)
{
    (void)state;
    uint32_t *word = allocate(4);
    OK(launch(&store_stub, word, 5, NULL));
    OK(launch(&add_stub, word, 6, NULL));
    assert_int_equal(word_at(word), 11);
}

static void an_address_that_is_no_stub_is_refused(void **state)
{
    (void)state;
    char nothing;
    assert_int_equal(launch(&nothing, NULL, 0, NULL), RILL_ERROR_INVALID_HANDLE);
    assert_int_equal(launch(NULL, NULL, 0, NULL), cudaErrorInvalidDeviceFunction);
    assert_int_equal(LAST(), cudaErrorInvalidDeviceFunction);
}

static void a_kernel_that_the_image_lacks_is_refused(void **state)
{
    (void)state;
    assert_int_equal(launch(&missing_stub, NULL, 0, NULL), cudaErrorInvalidDeviceFunction);
}

static void an_image_that_cannot_be_loaded_fails_at_its_first_use(void **state)
{
    (void)state;
    static struct rt_fatbin broken = { RT_FATBIN_MAGIC, 1, "neither PTX nor a cubin", NULL };
    static char stub;
    LAST();
    void **handle = CALL_AS(void **, __cudaRegisterFatBinary, (void *), (&broken));
    register_function(handle, &stub, "store");
    OK(LAST());
    assert_int_equal(launch(&stub, NULL, 0, NULL), RILL_ERROR_INVALID_IMAGE);
    unregister_program(handle);
}

/* Entries of no length would be met again and again. */
static void an_image_with_entries_of_no_length_is_refused(void **state)
{
    (void)state;
    static struct {
        struct rt_fatbin_head head;
        struct rt_fatbin_entry entries[2];
    } endless = { .head = { RT_FATBIN_HEAD_MAGIC, 1, sizeof endless.head,
                            sizeof endless.entries } };
    static void *no_parts[] = { NULL };
    static struct rt_fatbin broken = { RT_FATBIN_MAGIC, RT_FATBIN_TO_LINK, &endless, no_parts };
    static char stub;
    LAST();
    void **handle = CALL_AS(void **, __cudaRegisterFatBinary, (void *), (&broken));
    register_function(handle, &stub, "store");
    assert_int_not_equal(launch(&stub, NULL, 0, NULL), cudaSuccess);
    unregister_program(handle);
    LAST();
}

static void variables_are_read_and_written_by_their_symbols(void **state)
{
    (void)state;
    uint32_t value = 0;
    size_t bytes = 0;
    void *address = NULL;
    OK(CALL(cudaMemcpyFromSymbol, (void *, const void *, size_t, size_t, int),
            (&value, &total_symbol, 4, 0, cudaMemcpyDeviceToHost)));
    assert_int_equal(value, 7);
    value = 30;
    OK(CALL(cudaMemcpyToSymbol, (const void *, const void *, size_t, size_t, int),
            (&table_symbol, &value, 4, 12, cudaMemcpyHostToDevice)));
    OK(CALL(cudaGetSymbolSize, (size_t *, const void *), (&bytes, &table_symbol)));
    OK(CALL(cudaGetSymbolAddress, (void **, const void *), (&address, &table_symbol)));
    assert_int_equal(bytes, 16);
    assert_int_equal(word_at((char *)address + 12), 30);
}

static void a_copy_beyond_a_variable_is_refused(void **state)
{
    (void)state;
    uint32_t value = 0;
    assert_int_equal(CALL(cudaMemcpyToSymbol, (const void *, const void *, size_t, size_t, int),
                          (&total_symbol, &value, 4, 1, cudaMemcpyHostToDevice)),
                     RILL_ERROR_INVALID_VALUE);
    assert_int_equal(CALL(cudaMemcpyToSymbol, (const void *, const void *, size_t, size_t, int),
                          (&total_symbol, &value, 4, 0, cudaMemcpyDeviceToHost)),
                     cudaErrorInvalidMemcpyDirection);
    assert_int_equal(CALL(cudaMemcpyToSymbol, (const void *, const void *, size_t, size_t, int),
                          (&store_stub, &value, 4, 0, cudaMemcpyHostToDevice)),
                     cudaErrorInvalidSymbol);
}

static unsigned push(unsigned blocks)
{
    const dim3 grid = { blocks, 1, 1 }, block = { 1, 2, 3 };
    return CALL_AS(unsigned, __cudaPushCallConfiguration, (dim3, dim3, size_t, cudaStream_t),
                   (grid, block, 100, (cudaStream_t)(uintptr_t)blocks));
}

static cudaError_t pop(dim3 *grid)
{
    dim3 block;
    size_t shared_bytes;
    cudaStream_t stream;
    return CALL(__cudaPopCallConfiguration, (dim3 *, dim3 *, size_t *, cudaStream_t *),
                (grid, &block, &shared_bytes, &stream));
}

static void configurations_of_launches_nest(void **state)
{
    (void)state;
    dim3 grid;
    assert_int_equal(push(3), 0);
    assert_int_equal(push(4), 0);
    OK(pop(&grid));
    assert_int_equal(grid.x, 4);
    OK(pop(&grid));
    assert_int_equal(grid.x, 3);
    assert_int_equal(pop(&grid), cudaErrorMissingConfiguration);
}

static void a_kernel_is_launched_by_its_handle(void **state)
{
    (void)state;
    uint32_t *word = allocate(4), value = 9;
    void *params[] = { &word, &value };
    const dim3 one = { 1, 1, 1 };
    CUkernel kernel = NULL;
    OK(CALL(__cudaGetKernel, (CUkernel *, const void *), (&kernel, &store_stub)));
    OK(CALL(__cudaLaunchKernel, (CUkernel, dim3, dim3, void **, size_t, cudaStream_t),
            (kernel, one, one, params, 0, NULL)));
    assert_int_equal(word_at(word), 9);
    value = 10; /* the handle stands for the stub, too */
    OK(launch_sized(kernel, one, one, params, NULL));
    assert_int_equal(word_at(word), 10);
}

static void an_unregistered_program_is_gone_and_may_come_again(void **state)
{
    (void)state;
    uint32_t *word = allocate(4);
    OK(launch(&store_stub, word, 1, NULL));
    OK(synchronize());
    unregister_program(image);
    assert_int_equal(launch(&store_stub, word, 2, NULL), RILL_ERROR_INVALID_HANDLE);
    image = register_program();
    OK(launch(&store_stub, word, 3, NULL));
    assert_int_equal(word_at(word), 3);
}

static void many_stubs_are_told_apart(void **state)
{
    (void)state;
    static char stubs[1000];
    uint32_t *word = allocate(4);
    for (int i = 0; i < 1000; i++) register_function(image, &stubs[i], i % 2 ? "store" : "add");
    OK(launch(&stubs[501], word, 100, NULL));
    OK(launch(&stubs[998], word, 1, NULL));
    assert_int_equal(word_at(word), 101);
}

/* ---- Threads -------------------------------------------------------------------------------- */

enum { THREADS = 4, ROUNDS = 50 };

/* Uses an image of the thread's own and one that all use first at the same time. */
static void *launch_many(void *word)
{
    static _Thread_local char own_stub;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        void **own = CALL_AS(void **, __cudaRegisterFatBinary, (void *), (&program_fatbin));
        register_function(own, &own_stub, "add");
        OK(launch(&own_stub, word, 1, NULL));
        OK(launch(&add_stub, word, 1, NULL));
        OK(synchronize());
        unregister_program(own);
    }
    return NULL;
}

static void threads_register_and_launch_at_once(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    uint32_t *word = allocate(4);
    OK(CALL(cudaMemset, (void *, int, size_t), (word, 0, 4)));
    unregister_program(image);
    image = register_program();
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, launch_many, word), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(word_at(word), 2 * THREADS * ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stub_launches_its_kernel),
        cmocka_unit_test(an_address_that_is_no_stub_is_refused),
        cmocka_unit_test(a_kernel_that_the_image_lacks_is_refused),
        cmocka_unit_test(an_image_that_cannot_be_loaded_fails_at_its_first_use),
        cmocka_unit_test(an_image_with_entries_of_no_length_is_refused),
        cmocka_unit_test(variables_are_read_and_written_by_their_symbols),
        cmocka_unit_test(a_copy_beyond_a_variable_is_refused),
        cmocka_unit_test(configurations_of_launches_nest),
        cmocka_unit_test(a_kernel_is_launched_by_its_handle),
        cmocka_unit_test(an_unregistered_program_is_gone_and_may_come_again),
        cmocka_unit_test(many_stubs_are_told_apart),
        cmocka_unit_test(threads_register_and_launch_at_once),
    };
    runtime_open(RUNTIME_13);
    return cmocka_run_group_tests(tests, setup, teardown);
}
