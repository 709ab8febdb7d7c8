/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding and starting the driver: what is said where there is none, where it is no
 * driver, where it is too old or lacks something, where it has no device; and who gets
 * the simulator instead.
 */
#include <stdlib.h>
#include <string.h>

#include <rill/cuda.h>

#include "backend-cuda/driver/driver.h"
#include "base/alloc.h"
#include "cuda/fake.h"
#include "support/cmocka_all.h"

/* ---- Questions --------------------------------------------------------------------- */

static rill_status open_library(const char *library, rill_platform **platform)
{
    const rill_cuda_options cuda = { .size = sizeof cuda, .library = library };
    const rill_open_options options = { .size = sizeof options, .backend = "cuda", .cuda = &cuda };
    return rill_open(&options, platform);
}

/* It cannot be used, for a reason that these words are in. */
static void refuses(const char *library, rill_status status, const char *words)
{
    rill_platform *platform = NULL;
    assert_int_equal(open_library(library, &platform), status);
    assert_null(platform);
    assert_string_equal(rill_last_error()->operation, "rill_open");
    if (!strstr(rill_last_error()->message, words))
        fail_msg("\"%s\" does not say \"%s\"", rill_last_error()->message, words);
}

static void refuses_fake(rill_status status, const char *words)
{
    refuses(FAKE_PATH, status, words);
}

/* ---- What is no driver ----------------------------------------------------------------- */

static void a_library_that_is_not_there_is_no_driver(void **state)
{
    (void)state;
    fake_load();
    refuses("./no such library.so", RILL_ERROR_SHARED_OBJECT_INIT_FAILED, "no NVIDIA driver");
}

static void a_library_that_is_something_else_is_no_driver(void **state)
{
    (void)state;
    fake_load();
    refuses("libm.so.6", RILL_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, "no libcuda");
}

static void a_path_that_is_too_long_is_refused(void **state)
{
    char path[2000];
    (void)state;
    fake_load();
    memset(path, 'a', sizeof path);
    path[sizeof path - 1] = 0;
    refuses(path, RILL_ERROR_INVALID_VALUE, "too long");
}

static void options_of_another_size_are_refused(void **state)
{
    const rill_cuda_options cuda = { .size = 3, .library = FAKE_PATH };
    const rill_open_options options = { .size = sizeof options, .backend = "cuda", .cuda = &cuda };
    rill_platform *platform = NULL;
    (void)state;
    fake_load();
    assert_int_equal(rill_open(&options, &platform), RILL_ERROR_INVALID_VALUE);
    assert_non_null(strstr(rill_last_error()->message, "sizeof(rill_cuda_options)"));
}

/* ---- Drivers that will not do -------------------------------------------------------------- */

static void a_driver_that_is_too_old_is_told_so(void **state)
{
    (void)state;
    fake_load()->set_version(11070);
    refuses_fake(RILL_ERROR_CALL_REQUIRES_NEWER_DRIVER, "CUDA 11.7");
    fake_load()->set_version(11070);
    refuses_fake(RILL_ERROR_CALL_REQUIRES_NEWER_DRIVER, "needs 11.8");
}

static void the_stub_for_linking_is_told_from_a_driver(void **state)
{
    (void)state;
    fake_load()->refuse("cuInit", CUDA_ERROR_STUB_LIBRARY, 0, 1);
    refuses_fake(RILL_ERROR_STUB_LIBRARY, "stub");
}

static void a_driver_without_a_device_says_so(void **state)
{
    (void)state;
    fake_load()->refuse("cuInit", CUDA_ERROR_NO_DEVICE, 0, 1);
    refuses_fake(RILL_ERROR_NO_DEVICE, "CUDA_VISIBLE_DEVICES");
    fake_load()->set_devices(0);
    refuses_fake(RILL_ERROR_NO_DEVICE, "CUDA_VISIBLE_DEVICES");
}

static void a_driver_that_does_not_start_gives_its_own_words(void **state)
{
    (void)state;
    fake_load()->refuse("cuInit", CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, 0, 1);
    refuses_fake(RILL_ERROR_SYSTEM_DRIVER_MISMATCH, "as the fake says");
}

static void an_entry_that_every_driver_has_is_missed_by_name(void **state)
{
    (void)state;
    fake_load()->hide("cuStreamQuery");
    refuses_fake(RILL_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, "cuStreamQuery");
}

static void leaves_nothing(const struct fake *fake, rill_platform *platform, long allocations)
{
    assert_null(platform);
    assert_int_equal(fake->live(), 0);
    assert_int_equal(rl_alloc_live(), allocations);
}

/* Each call on the way there. */
static void whatever_fails_on_the_way_is_told_and_leaves_nothing(void **state)
{
    (void)state;
    const long before = rl_alloc_live();
    for (long i = 0;; i++) {
        const struct fake *fake = fake_load();
        rill_platform *platform = NULL;
        fake->refuse(NULL, CUDA_ERROR_UNKNOWN, i, 0);
        rill_status status = open_library(FAKE_PATH, &platform);
        if (!fake->failed()) {
            assert_int_equal(status, RILL_SUCCESS);
            assert_int_equal(rill_close(&platform), RILL_SUCCESS);
            break;
        }
        fake->refuse(NULL, 0, 0, 0);
        if (!status) rill_close(&platform); /* a call whose answer did not matter */
        else assert_true(strlen(rill_last_error()->message) > 10);
        leaves_nothing(fake, platform, before);
    }
}

static void without_memory_nothing_is_opened_and_nothing_is_left(void **state)
{
    rill_status status = RILL_ERROR_OUT_OF_MEMORY;
    long failures = 0;
    (void)state;
    const long before = rl_alloc_live();
    for (; status; failures++) {
        const struct fake *fake = fake_load();
        rill_platform *platform = NULL;
        rl_alloc_fail_after(failures);
        status = open_library(FAKE_PATH, &platform);
        rl_alloc_fail_after(-1);
        if (!status) assert_int_equal(rill_close(&platform), RILL_SUCCESS);
        else assert_int_equal(status, RILL_ERROR_OUT_OF_MEMORY);
        leaves_nothing(fake, platform, before);
    }
    assert_true(failures > 2);
}

/* ---- Drivers that will do -------------------------------------------------------------- */

static void the_oldest_driver_opens(void **state)
{
    rill_platform *platform = NULL;
    int count = 0;
    (void)state;
    fake_load()->set_version(11080);
    assert_int_equal(open_library(FAKE_PATH, &platform), RILL_SUCCESS);
    assert_int_equal(rill_device_count(platform, &count), RILL_SUCCESS);
    assert_int_equal(count, 2);
    assert_int_equal(rill_close(&platform), RILL_SUCCESS);
}

/* What came later is refused by name, with the version that has it. */
static void what_a_driver_is_too_old_for_is_not_supported(void **state)
{
    rill_platform *platform = NULL;
    rill_context *context = NULL;
    rill_stream *stream = NULL;
    uint64_t id = 0;
    (void)state;
    fake_load()->set_version(11080);
    assert_int_equal(open_library(FAKE_PATH, &platform), RILL_SUCCESS);
    assert_int_equal(rill_platform_supports(platform, RILL_FEATURE_CONDITIONALS),
                     RILL_ERROR_NOT_SUPPORTED);
    assert_non_null(strstr(rill_last_error()->message, "CUDA 12.3"));
    assert_non_null(strstr(rill_last_error()->message, "11.8"));
    assert_int_equal(rill_context_create(platform, NULL, &context), RILL_SUCCESS);
    assert_int_equal(rill_stream_create(context, NULL, &stream), RILL_SUCCESS);
    assert_int_equal(rill_stream_id(stream, &id), RILL_SUCCESS); /* rill's own number */
    assert_int_equal(rill_stream_id(rill_stream_legacy(context), &id), RILL_ERROR_NOT_SUPPORTED);
    assert_non_null(strstr(rill_last_error()->message, "cuStreamGetId"));
    assert_non_null(strstr(rill_last_error()->message, "CUDA 12.0"));
    assert_int_equal(rill_stream_destroy(&stream), RILL_SUCCESS);
    assert_int_equal(rill_context_destroy(&context), RILL_SUCCESS);
    assert_int_equal(rill_close(&platform), RILL_SUCCESS);
}

static void a_process_has_one_driver(void **state)
{
    rill_platform *platform = NULL;
    (void)state;
    fake_load();
    assert_int_equal(open_library(FAKE_PATH, &platform), RILL_SUCCESS);
    refuses("libm.so.6", RILL_ERROR_NOT_PERMITTED, FAKE_PATH);
    assert_int_equal(rill_close(&platform), RILL_SUCCESS);
}

/* ---- Who gets the simulator --------------------------------------------------------------- */

static const char *opened(void)
{
    rill_platform *platform = NULL;
    const char *name = NULL;
    assert_int_equal(rill_open(NULL, &platform), RILL_SUCCESS);
    assert_int_equal(rill_platform_backend(platform, &name), RILL_SUCCESS);
    assert_int_equal(rill_close(&platform), RILL_SUCCESS);
    return name;
}

static void who_asks_for_nothing_gets_the_driver_or_the_simulator(void **state)
{
    (void)state;
    unsetenv("RILL_BACKEND");
    fake_load();
    setenv("RILL_CUDA_LIBRARY", FAKE_PATH, 1);
    assert_string_equal(opened(), "cuda");
    fake_load()->set_devices(0);
    assert_string_equal(opened(), "sim");
    setenv("RILL_CUDA_LIBRARY", "./no such library.so", 1);
    fake_load();
    assert_string_equal(opened(), "sim");
    unsetenv("RILL_CUDA_LIBRARY");
}

static void who_asks_for_the_driver_gets_nothing_else(void **state)
{
    const rill_open_options cuda = { .size = sizeof cuda, .backend = "cuda" };
    rill_platform *platform = NULL;
    (void)state;
    fake_load();
    setenv("RILL_CUDA_LIBRARY", "./no such library.so", 1);
    assert_int_equal(rill_open(&cuda, &platform), RILL_ERROR_SHARED_OBJECT_INIT_FAILED);
    setenv("RILL_BACKEND", "cuda", 1);
    assert_int_equal(rill_open(NULL, &platform), RILL_ERROR_SHARED_OBJECT_INIT_FAILED);
    unsetenv("RILL_BACKEND");
    unsetenv("RILL_CUDA_LIBRARY");
    assert_null(platform);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_library_that_is_not_there_is_no_driver),
        cmocka_unit_test(a_library_that_is_something_else_is_no_driver),
        cmocka_unit_test(a_path_that_is_too_long_is_refused),
        cmocka_unit_test(options_of_another_size_are_refused),
        cmocka_unit_test(a_driver_that_is_too_old_is_told_so),
        cmocka_unit_test(the_stub_for_linking_is_told_from_a_driver),
        cmocka_unit_test(a_driver_without_a_device_says_so),
        cmocka_unit_test(a_driver_that_does_not_start_gives_its_own_words),
        cmocka_unit_test(an_entry_that_every_driver_has_is_missed_by_name),
        cmocka_unit_test(whatever_fails_on_the_way_is_told_and_leaves_nothing),
        cmocka_unit_test(without_memory_nothing_is_opened_and_nothing_is_left),
        cmocka_unit_test(the_oldest_driver_opens),
        cmocka_unit_test(what_a_driver_is_too_old_for_is_not_supported),
        cmocka_unit_test(a_process_has_one_driver),
        cmocka_unit_test(who_asks_for_nothing_gets_the_driver_or_the_simulator),
        cmocka_unit_test(who_asks_for_the_driver_gets_nothing_else),
    };
    return cmocka_run_group_tests_name("driver", tests, NULL, NULL);
}
