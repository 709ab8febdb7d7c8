/* SPDX-License-Identifier: Apache-2.0
 *
 * The names and words of statuses, and which failures are for good.
 */
#include "conformance/work.h"

/* One of each block of numbers; the names say which driver error it is. */
static const struct { int number; const char *name; int sticky; } known[] = {
    { 0, "RILL_SUCCESS", 0 },
    { 1, "RILL_ERROR_INVALID_VALUE", 0 },
    { 2, "RILL_ERROR_OUT_OF_MEMORY", 0 },
    { 101, "RILL_ERROR_INVALID_DEVICE", 0 },
    { 200, "RILL_ERROR_INVALID_IMAGE", 0 },
    { 201, "RILL_ERROR_INVALID_CONTEXT", 0 },
    { 214, "RILL_ERROR_ECC_UNCORRECTABLE", 1 },
    { 226, "RILL_ERROR_CONTAINED", 1 },
    { 400, "RILL_ERROR_INVALID_HANDLE", 0 },
    { 500, "RILL_ERROR_NOT_FOUND", 0 },
    { 600, "RILL_ERROR_NOT_READY", 0 },
    { 700, "RILL_ERROR_ILLEGAL_ADDRESS", 1 },
    { 701, "RILL_ERROR_LAUNCH_OUT_OF_RESOURCES", 0 },
    { 702, "RILL_ERROR_LAUNCH_TIMEOUT", 1 },
    { 709, "RILL_ERROR_CONTEXT_IS_DESTROYED", 0 },
    { 710, "RILL_ERROR_ASSERT", 1 },
    { 712, "RILL_ERROR_HOST_MEMORY_ALREADY_REGISTERED", 0 },
    { 713, "RILL_ERROR_HOST_MEMORY_NOT_REGISTERED", 0 },
    { 714, "RILL_ERROR_HARDWARE_STACK_ERROR", 1 },
    { 715, "RILL_ERROR_ILLEGAL_INSTRUCTION", 1 },
    { 716, "RILL_ERROR_MISALIGNED_ADDRESS", 1 },
    { 717, "RILL_ERROR_INVALID_ADDRESS_SPACE", 1 },
    { 718, "RILL_ERROR_INVALID_PC", 1 },
    { 719, "RILL_ERROR_LAUNCH_FAILED", 1 },
    { 720, "RILL_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", 0 },
    { 800, "RILL_ERROR_NOT_PERMITTED", 0 },
    { 801, "RILL_ERROR_NOT_SUPPORTED", 0 },
    { 900, "RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED", 0 },
    { 912, "RILL_ERROR_INVALID_CLUSTER_SIZE", 0 },
    { 999, "RILL_ERROR_UNKNOWN", 0 },
    { 10000, "RILL_ERROR_NO_BACKEND", 0 },
};

#define KNOWN (sizeof known / sizeof *known)

static void a_status_has_the_name_of_its_constant(void **state)
{
    (void)state;
    for (size_t i = 0; i < KNOWN; i++) {
        const char *name = rill_error_name((rill_status)known[i].number);
        assert_non_null(name);
        assert_string_equal(name, known[i].name);
    }
}

static void a_status_has_words_of_its_own(void **state)
{
    (void)state;
    for (size_t i = 0; i < KNOWN; i++) {
        const char *words = rill_error_string((rill_status)known[i].number);
        assert_non_null(words);
        assert_int_not_equal(words[0], 0);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(words, rill_error_string((rill_status)known[k].number));
    }
}

static void a_number_that_is_no_status_has_neither(void **state)
{
    static const int unknown[] = { -1, 9, 102 + 1, 227, 998, 1000, 9999, 10002, 1 << 30 };
    (void)state;
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        assert_null(rill_error_name((rill_status)unknown[i]));
        assert_null(rill_error_string((rill_status)unknown[i]));
        assert_int_equal(rill_error_is_sticky((rill_status)unknown[i]), 0);
    }
}

/* ER-2 */
static void failures_of_the_device_are_sticky_and_no_others(void **state)
{
    (void)state;
    for (size_t i = 0; i < KNOWN; i++)
        assert_int_equal(rill_error_is_sticky((rill_status)known[i].number), known[i].sticky);
}

static void the_record_has_the_words_of_a_failure(void **state)
{
    struct fixture *f = *state;
    rill_devptr p = 0;
    is(RILL_ERROR_OUT_OF_MEMORY, rill_mem_alloc(f->context, SIZE_MAX, &p));
    assert_int_equal(rill_last_error()->status, RILL_ERROR_OUT_OF_MEMORY);
    assert_string_equal(rill_last_error()->operation, "rill_mem_alloc");
    assert_int_not_equal(rill_last_error()->message[0], 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_status_has_the_name_of_its_constant),
    cmocka_unit_test(a_status_has_words_of_its_own),
    cmocka_unit_test(a_number_that_is_no_status_has_neither),
    cmocka_unit_test(failures_of_the_device_are_sticky_and_no_others),
    cmocka_unit_test(the_record_has_the_words_of_a_failure),
};

SUITE_GROUP(statuses, 1);
