/* SPDX-License-Identifier: Apache-2.0
 *
 * Every entry point is there, under the name and the version of its row in symbols.def.
 */
#include <stdio.h>

#include "standin/library.h"

struct row {
    const char *name, *suffix;
    int version;
};

#define SYMBOL(name, suffix, version, state) { #name, #suffix, version },
static const struct row rows[] = {
#include "standin/library/symbols.def"
};
#undef SYMBOL

enum { ROWS = sizeof rows / sizeof rows[0] };

static CUresult (*get)(const char *name, void **address, int version, uint64_t flags, int *result);

static int open_library(void **state)
{
    (void)state;
    library_open();
    find("cuGetProcAddress_v2", &get);
    return 0;
}

static int is_per_thread(const struct row *row)
{
    return strstr(row->suffix, "_pts") || strstr(row->suffix, "_ptd");
}

/* Whether a row is the one that is asked for with its version. */
static int is_newest(int i)
{
    return i + 1 == ROWS || strcmp(rows[i].name, rows[i + 1].name) ||
           rows[i].version != rows[i + 1].version ||
           is_per_thread(&rows[i]) != is_per_thread(&rows[i + 1]);
}

/* As an H200 answers (driver 580.159.04): the form of all threads will not do. */
static void a_form_per_thread_is_asked_for_with_its_version(void **state)
{
    (void)state;
    for (unsigned flags = 2; flags <= 3; flags++) {
        void *found = &found;
        int result = 9;
        OK(get("cuStreamSynchronize", &found, 3020, flags, &result));
        assert_null(found);
        assert_int_equal(result, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
        OK(get("cuStreamSynchronize", &found, 7000, flags, &result));
        assert_non_null(found);
        OK(get("cuMemAlloc", &found, 2000, flags, &result)); /* which has no such form */
        assert_non_null(found);
    }
}

static void every_row_is_found_by_its_version(void **state)
{
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        char full[128];
        void *found = NULL, *address;
        int result = 9;
        snprintf(full, sizeof full, "%s%s", rows[i].name, rows[i].suffix);
        find(full, &address);
        if (!is_newest(i)) continue;
        OK(get(rows[i].name, &found, rows[i].version, is_per_thread(&rows[i]) ? 2 : 1, &result));
        assert_int_equal(result, CU_GET_PROC_ADDRESS_SUCCESS);
        if (found != address) fail_msg("%s is not what its version leads to", full);
    }
}

/* As the search counts on it. */
static void the_rows_are_sorted(void **state)
{
    (void)state;
    for (int i = 1; i < ROWS; i++) {
        int order = strcmp(rows[i - 1].name, rows[i].name);
        if (order > 0) fail_msg("%s comes behind %s", rows[i].name, rows[i - 1].name);
        if (order < 0) continue;
        int before = is_per_thread(&rows[i - 1]), here = is_per_thread(&rows[i]);
        assert_true(before < here || (before == here && rows[i - 1].version <= rows[i].version));
    }
}

static void what_is_not_there_is_not_found(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int version, result;
    } wrong[] = {
        { "cuMemAllocAsync", 11010, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT },
        { "cuMemAlloc", 0, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT },
        { "cuMemAlloc_v2", 13000, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND },
        { "cuStreamQuery_ptsz", 13000, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND },
        { "cudaMalloc", 13000, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND },
        { "", 13000, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        void *found = &found;
        int result = 9;
        OK(get(wrong[i].name, &found, wrong[i].version, 0, &result));
        assert_int_equal(result, wrong[i].result);
        assert_null(found);
    }
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    void *found = &found;
    int result = 9;
    assert_int_equal(get(NULL, &found, 13000, 0, &result), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(get("cuInit", NULL, 13000, 0, &result), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(get("cuInit", &found, 13000, 4, &result), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(get("cuInit", &found, 99000, 0, &result), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(result, 9);
    assert_ptr_equal(found, &found);
    OK(get("cuInits", &found, 13000, 0, NULL));
    assert_null(found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_found_by_its_version),
        cmocka_unit_test(a_form_per_thread_is_asked_for_with_its_version),
        cmocka_unit_test(the_rows_are_sorted),
        cmocka_unit_test(what_is_not_there_is_not_found),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests_name("standin/proc", tests, open_library, library_teardown);
}
