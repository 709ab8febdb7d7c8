/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices, by both libraries: properties, the device of a thread, contexts that come by
 * themselves, and resets.
 */
#include <pthread.h>

#include "runtime/runtime.h"

static cudaError_t set_device(int device)
{
    return CALL(cudaSetDevice, (int), (device));
}

static int device_now(void)
{
    int device = -1;
    OK(CALL(cudaGetDevice, (int *), (&device)));
    return device;
}

static CUcontext context_now(void)
{
    CUcontext context = NULL;
    CUresult (*get_current)(CUcontext *);
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    void *address = dlsym(driver, "cuCtxGetCurrent");
    memcpy(&get_current, &address, sizeof address);
    OK(get_current(&context));
    return context;
}

static void set_context(CUcontext context)
{
    CUresult (*set_current)(CUcontext);
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    void *address = dlsym(driver, "cuCtxSetCurrent");
    memcpy(&set_current, &address, sizeof address);
    OK(set_current(context));
}

static void a_thread_begins_with_device_0(void **state)
{
    (void)state;
    int count = 0;
    OK(CALL(cudaGetDeviceCount, (int *), (&count)));
    assert_int_equal(count, 2);
    assert_int_equal(device_now(), 0);
    OK(set_device(1));
    assert_int_equal(device_now(), 1);
    assert_int_equal(set_device(2), RILL_ERROR_INVALID_DEVICE);
    assert_int_equal(device_now(), 1);
    OK(set_device(0));
}

static void *use_a_thread(void *word)
{
    OK(CALL(cudaPeekAtLastError, (void), ()));
    assert_null(context_now());
    assert_int_equal(word_at(word), 0);
    assert_non_null(context_now());
    return NULL;
}

static void a_context_comes_with_the_first_call_that_needs_one(void **state)
{
    (void)state;
    pthread_t thread;
    void *word = allocate(4);
    OK(CALL(cudaMemset, (void *, int, size_t), (word, 0, 4)));
    assert_int_equal(CALL(cudaFree, (void *), (&thread)), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(pthread_create(&thread, NULL, use_a_thread, word), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    LAST();
}

static void a_context_that_was_taken_away_comes_back(void **state)
{
    (void)state;
    void *word = allocate(4);
    set_context(NULL);
    OK(CALL(cudaMemset, (void *, int, size_t), (word, 0, 4)));
    assert_non_null(context_now());
}

static void a_reset_takes_all_memory_and_a_call_begins_anew(void **state)
{
    (void)state;
    void **image = register_program();
    uint32_t *word = allocate(4), *again;
    OK(launch(&store_stub, word, 1, NULL));
    OK(CALL(cudaDeviceReset, (void), ()));
    assert_int_equal(CALL(cudaFree, (void *), (word)), RILL_ERROR_INVALID_VALUE);
    again = allocate(4);
    OK(launch(&store_stub, again, 2, NULL));
    assert_int_equal(word_at(again), 2);
    unregister_program(image);
    LAST();
}

/* ---- Properties ---------------------------------------------------------------------------- */

static int attribute(int number)
{
    int value = -1;
    OK(CALL(cudaDeviceGetAttribute, (int *, int, int), (&value, number, 0)));
    return value;
}

static int int_at(const char *properties, size_t offset)
{
    int value;
    memcpy(&value, properties + offset, sizeof value);
    return value;
}

enum { MULTIPROCESSORS = 16, MAJOR = 75, CLUSTERS = 120 };

/* The offsets are those of the headers: 12 has a field more before the second. */
static void properties_are_where_each_version_has_them(void **state)
{
    (void)state;
    char properties[1100];
    memset(properties, 0x5a, sizeof properties);
    OK(CALL(cudaGetDeviceProperties, (void *, int), (properties, 0)));
    assert_string_equal(properties, "rill simulator (H200 limits)");
    assert_int_equal(int_at(properties, 360), attribute(MAJOR));
    assert_int_equal(int_at(properties, 384), attribute(MULTIPROCESSORS));
    assert_int_equal(int_at(properties, 748), attribute(CLUSTERS));
    assert_int_equal(properties[1007], 0);
    assert_int_equal(properties[1008], 0x5a);
    runtime_open(RUNTIME_12);
    memset(properties, 0x5a, sizeof properties);
    OK(CALL(cudaGetDeviceProperties_v2, (void *, int), (properties, 0)));
    assert_string_equal(properties, "rill simulator (H200 limits)");
    assert_int_equal(int_at(properties, 360), attribute(MAJOR));
    assert_int_equal(int_at(properties, 388), attribute(MULTIPROCESSORS));
    assert_int_equal(properties[1031], 0);
    assert_int_equal(properties[1032], 0x5a);
    runtime_open(RUNTIME_13);
}

static void each_library_has_its_version(void **state)
{
    (void)state;
    int version = 0;
    OK(CALL(cudaRuntimeGetVersion, (int *), (&version)));
    assert_int_equal(version, 13000);
    runtime_open(RUNTIME_12);
    OK(CALL(cudaRuntimeGetVersion, (int *), (&version)));
    assert_int_equal(version, 12090);
    runtime_open(RUNTIME_13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_begins_with_device_0),
        cmocka_unit_test(a_context_comes_with_the_first_call_that_needs_one),
        cmocka_unit_test(a_context_that_was_taken_away_comes_back),
        cmocka_unit_test(a_reset_takes_all_memory_and_a_call_begins_anew),
        cmocka_unit_test(properties_are_where_each_version_has_them),
        cmocka_unit_test(each_library_has_its_version),
    };
    setenv("RILL_SIM_DEVICES", "2", 1);
    runtime_open(RUNTIME_13);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
