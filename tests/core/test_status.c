/* SPDX-License-Identifier: Apache-2.0
 *
 * The words for statuses against the enum in <rill/status.h>, which is read as
 * text, and against the driver's numbers where a cuda.h is at hand.
 */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "support/cmocka_all.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rill/replay.h>
#include <rill/rill.h>

#if defined(__has_include)
#if __has_include(<cuda.h>)
#include <cuda.h>
#endif
#endif

/* ---- The header --------------------------------------------------------- */

static FILE *open_header(void)
{
    char path[4096];
    const char *source = getenv("srcdir");
    snprintf(path, sizeof path, "%s/include/rill/status.h", source ? source : ".");
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("%s is not there; set srcdir to the top of the sources", path);
    return file;
}

/* The next "RILL_NAME = number" of the enum. */
static int next_status(FILE *file, char name[128], int *number)
{
    char line[256];
    while (fgets(line, sizeof line, file))
        if (sscanf(line, " RILL_%120[A-Z0-9_] = %d", name + 5, number) == 2) {
            memcpy(name, "RILL_", 5);
            return 1;
        }
    return 0;
}

static void every_status_has_its_name(void **state)
{
    (void)state;
    FILE *file = open_header();
    char name[128];
    int number, last = -1, count = 0;
    while (next_status(file, name, &number)) {
        assert_true(number > last);
        last = number;
        count++;
        const char *found = rill_error_name((rill_status)number);
        if (!found || strcmp(found, name)) fail_msg("%d is %s, not %s", number, name, found);
    }
    fclose(file);
    assert_true(count > 90);
}

static void no_other_number_has_a_name(void **state)
{
    (void)state;
    FILE *file = open_header();
    char name[128];
    int number, declared = 0, named = 0;
    while (next_status(file, name, &number)) declared++;
    fclose(file);
    for (number = -10; number < 12000; number++) {
        const char *found = rill_error_name((rill_status)number);
        assert_int_equal(found != NULL, rill_error_string((rill_status)number) != NULL);
        named += found != NULL;
    }
    assert_int_equal(named, declared);
}

/* Part of a sentence: it does not begin like one nor end like one; and no two are alike. */
static void words_can_stand_in_a_sentence(void **state)
{
    (void)state;
    for (int number = 0; number < 12000; number++) {
        const char *words = rill_error_string((rill_status)number);
        if (!words) continue;
        size_t length = strlen(words);
        assert_true(length > 5 && length < 100);
        assert_true(islower((unsigned char)words[0]));
        assert_int_not_equal(words[length - 1], '.');
        for (int other = 0; other < number; other++) {
            const char *theirs = rill_error_string((rill_status)other);
            if (theirs && !strcmp(words, theirs)) fail_msg("%d and %d: %s", number, other, words);
        }
    }
}

static void some_statuses_are_for_good(void **state)
{
    (void)state;
    static const int sticky[] = { 214, 226, 700, 702, 710, 714, 715,
                                  716, 717, 718, 719, 721, 810, 911 };
    size_t next = 0;
    for (int number = 0; number < 12000; number++) {
        int expected = next < sizeof sticky / sizeof *sticky && sticky[next] == number;
        assert_int_equal(rill_error_is_sticky((rill_status)number), expected);
        next += (size_t)expected;
    }
}

static void the_version_is_that_of_the_header(void **state)
{
    (void)state;
    char version[64];
    snprintf(version, sizeof version, "%d.%d.%d", RILL_VERSION_MAJOR, RILL_VERSION_MINOR,
             RILL_VERSION_PATCH);
    assert_string_equal(rill_version(), version);
#ifdef PACKAGE_VERSION
    assert_string_equal(rill_version(), PACKAGE_VERSION);
#endif
}

/* ---- The driver --------------------------------------------------------- */

#ifdef CUDA_VERSION

#define SAME(name) { #name, RILL_ERROR_##name, CUDA_ERROR_##name }

static const struct {
    const char *name;
    int ours, theirs;
} numbers[] = {
    SAME(INVALID_VALUE), SAME(OUT_OF_MEMORY), SAME(NOT_INITIALIZED), SAME(DEINITIALIZED),
    SAME(PROFILER_DISABLED), SAME(PROFILER_NOT_INITIALIZED), SAME(PROFILER_ALREADY_STARTED),
    SAME(PROFILER_ALREADY_STOPPED), SAME(STUB_LIBRARY), SAME(DEVICE_UNAVAILABLE), SAME(NO_DEVICE),
    SAME(INVALID_DEVICE), SAME(DEVICE_NOT_LICENSED), SAME(INVALID_IMAGE), SAME(INVALID_CONTEXT),
    SAME(CONTEXT_ALREADY_CURRENT), SAME(MAP_FAILED), SAME(UNMAP_FAILED), SAME(ARRAY_IS_MAPPED),
    SAME(ALREADY_MAPPED), SAME(NO_BINARY_FOR_GPU), SAME(ALREADY_ACQUIRED), SAME(NOT_MAPPED),
    SAME(NOT_MAPPED_AS_ARRAY), SAME(NOT_MAPPED_AS_POINTER), SAME(ECC_UNCORRECTABLE),
    SAME(UNSUPPORTED_LIMIT), SAME(CONTEXT_ALREADY_IN_USE), SAME(PEER_ACCESS_UNSUPPORTED),
    SAME(INVALID_PTX), SAME(INVALID_GRAPHICS_CONTEXT), SAME(NVLINK_UNCORRECTABLE),
    SAME(JIT_COMPILER_NOT_FOUND), SAME(UNSUPPORTED_PTX_VERSION), SAME(JIT_COMPILATION_DISABLED),
    SAME(UNSUPPORTED_EXEC_AFFINITY), SAME(INVALID_SOURCE), SAME(FILE_NOT_FOUND),
    SAME(SHARED_OBJECT_SYMBOL_NOT_FOUND), SAME(SHARED_OBJECT_INIT_FAILED), SAME(OPERATING_SYSTEM),
    SAME(INVALID_HANDLE), SAME(ILLEGAL_STATE), SAME(NOT_FOUND), SAME(NOT_READY),
    SAME(ILLEGAL_ADDRESS), SAME(LAUNCH_OUT_OF_RESOURCES), SAME(LAUNCH_TIMEOUT),
    SAME(LAUNCH_INCOMPATIBLE_TEXTURING), SAME(PEER_ACCESS_ALREADY_ENABLED),
    SAME(PEER_ACCESS_NOT_ENABLED), SAME(PRIMARY_CONTEXT_ACTIVE), SAME(CONTEXT_IS_DESTROYED),
    SAME(ASSERT), SAME(TOO_MANY_PEERS), SAME(HOST_MEMORY_ALREADY_REGISTERED),
    SAME(HOST_MEMORY_NOT_REGISTERED), SAME(HARDWARE_STACK_ERROR), SAME(ILLEGAL_INSTRUCTION),
    SAME(MISALIGNED_ADDRESS), SAME(INVALID_ADDRESS_SPACE), SAME(INVALID_PC), SAME(LAUNCH_FAILED),
    SAME(COOPERATIVE_LAUNCH_TOO_LARGE), SAME(NOT_PERMITTED), SAME(NOT_SUPPORTED),
    SAME(SYSTEM_NOT_READY), SAME(SYSTEM_DRIVER_MISMATCH), SAME(COMPAT_NOT_SUPPORTED_ON_DEVICE),
    SAME(MPS_CONNECTION_FAILED), SAME(MPS_RPC_FAILURE), SAME(MPS_SERVER_NOT_READY),
    SAME(MPS_MAX_CLIENTS_REACHED), SAME(MPS_MAX_CONNECTIONS_REACHED), SAME(MPS_CLIENT_TERMINATED),
    SAME(CDP_NOT_SUPPORTED), SAME(CDP_VERSION_MISMATCH), SAME(STREAM_CAPTURE_UNSUPPORTED),
    SAME(STREAM_CAPTURE_INVALIDATED), SAME(STREAM_CAPTURE_MERGE), SAME(STREAM_CAPTURE_UNMATCHED),
    SAME(STREAM_CAPTURE_UNJOINED), SAME(STREAM_CAPTURE_ISOLATION), SAME(STREAM_CAPTURE_IMPLICIT),
    SAME(CAPTURED_EVENT), SAME(STREAM_CAPTURE_WRONG_THREAD), SAME(TIMEOUT),
    SAME(GRAPH_EXEC_UPDATE_FAILURE), SAME(EXTERNAL_DEVICE), SAME(INVALID_CLUSTER_SIZE),
    SAME(UNKNOWN),
#if CUDA_VERSION >= 13000
    SAME(CALL_REQUIRES_NEWER_DRIVER), SAME(UNSUPPORTED_DEVSIDE_SYNC), SAME(CONTAINED),
    SAME(LOSSY_QUERY), SAME(TENSOR_MEMORY_LEAK), SAME(FUNCTION_NOT_LOADED),
    SAME(INVALID_RESOURCE_TYPE), SAME(INVALID_RESOURCE_CONFIGURATION), SAME(KEY_ROTATION),
#endif
};
#define COMPARED (sizeof numbers / sizeof *numbers)

static void the_numbers_are_the_drivers(void **state)
{
    (void)state;
    assert_int_equal(RILL_SUCCESS, CUDA_SUCCESS);
    for (size_t i = 0; i < COMPARED; i++)
        if (numbers[i].ours != numbers[i].theirs)
            fail_msg("%s is %d, and %d in cuda.h", numbers[i].name, numbers[i].ours,
                     numbers[i].theirs);
}

#if CUDA_VERSION >= 13000
/* A status below those of the library's own is the driver's. */
static void every_number_of_the_drivers_is_compared(void **state)
{
    (void)state;
    FILE *file = open_header();
    char name[128];
    int number;
    while (next_status(file, name, &number)) {
        size_t i = 0;
        while (i < COMPARED && numbers[i].ours != number) i++;
        if (i == COMPARED && number && number < RILL_ERROR_NO_BACKEND)
            fail_msg("%s is not compared", name);
    }
    fclose(file);
}
#endif

#endif

/* ---- Updates and steps ------------------------------------------------------ */

static void reasons_and_outcomes_have_names(void **state)
{
    (void)state;
    assert_string_equal(rill_update_reason_name(RILL_UPDATE_SUCCESS), "RILL_UPDATE_SUCCESS");
    assert_string_equal(rill_update_reason_name(RILL_UPDATE_ATTRIBUTES_CHANGED),
                        "RILL_UPDATE_ATTRIBUTES_CHANGED");
    assert_string_equal(rill_update_reason_string(RILL_UPDATE_TOPOLOGY_CHANGED),
                        "the graph has other nodes or edges");
    assert_string_equal(rill_replay_outcome_name(RILL_REPLAY_UPDATED), "RILL_REPLAY_UPDATED");
    assert_string_equal(rill_replay_outcome_name(RILL_REPLAY_EMPTY), "RILL_REPLAY_EMPTY");
    for (int i = RILL_UPDATE_SUCCESS; i <= RILL_UPDATE_ATTRIBUTES_CHANGED; i++) {
        assert_non_null(rill_update_reason_name((rill_update_reason)i));
        assert_non_null(rill_update_reason_string((rill_update_reason)i));
    }
    for (int i = RILL_REPLAY_UPDATED; i <= RILL_REPLAY_EMPTY; i++)
        assert_non_null(rill_replay_outcome_name((rill_replay_outcome)i));
}

static void no_other_number_is_a_reason_or_outcome(void **state)
{
    static const int others[] = { -1, 9, 1000 };
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_null(rill_update_reason_name((rill_update_reason)others[i]));
        assert_null(rill_update_reason_string((rill_update_reason)others[i]));
        assert_null(rill_replay_outcome_name((rill_replay_outcome)others[i]));
    }
    assert_null(rill_replay_outcome_name((rill_replay_outcome)5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_its_name),
        cmocka_unit_test(no_other_number_has_a_name),
        cmocka_unit_test(words_can_stand_in_a_sentence),
        cmocka_unit_test(some_statuses_are_for_good),
        cmocka_unit_test(reasons_and_outcomes_have_names),
        cmocka_unit_test(no_other_number_is_a_reason_or_outcome),
        cmocka_unit_test(the_version_is_that_of_the_header),
#ifdef CUDA_VERSION
        cmocka_unit_test(the_numbers_are_the_drivers),
#if CUDA_VERSION >= 13000
        cmocka_unit_test(every_number_of_the_drivers_is_compared),
#endif
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
