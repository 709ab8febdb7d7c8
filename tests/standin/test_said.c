/* SPDX-License-Identifier: Apache-2.0
 *
 * What the stand-in says with RILL_LOG: of tables of kernels that are not taken, and of
 * images, each line once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "standin/library.h"

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"

static const char whole[] = HEAD ".entry k() { .reg .b32 a; mov.u32 a, 1; ret; }\n";
static const char broken[] = HEAD ".entry k() { bogus; }\n";

static char said[65536];

/* The status of the child, which loads the image `times` times and ends with what the last
 * one was; what it said is in `said`. */
static int load_in_child(const char *image, int times)
{
    FILE *words = tmpfile();
    int ended = 0;
    assert_non_null(words);
    pid_t child = fork();
    if (!child) {
        CUcontext context;
        CUmodule module;
        int status = -1;
        alarm(100);
        dup2(fileno(words), 2);
        library_open();
        OK(CALL(cuInit, (unsigned), (0)));
        OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&context, 0, 0)));
        while (times--)
            status = CALL(cuModuleLoadData, (CUmodule *, const void *), (&module, image));
        _exit(status > 255 ? 255 : status);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    rewind(words);
    said[fread(said, 1, sizeof said - 1, words)] = 0;
    fclose(words);
    assert_true(WIFEXITED(ended));
    return WEXITSTATUS(ended);
}

static int count_of(const char *word)
{
    int count = 0;
    for (const char *at = said; (at = strstr(at, word)); at++) count++;
    return count;
}

/* ---- Tables --------------------------------------------------------------------------- */

static void tables_that_are_not_whole_are_refused(void **state)
{
    (void)state;
    static const struct { const char *table, *why; } tables[] = {
        { "no-size", "another version" },
        { "no-functions", "counts functions and has none" },
        { "too-many", "more functions than there can be" },
        { "nameless", "function 0 of its table has no name" },
        { "empty-name", "function 0 of its table has no name" },
        { "idle", "function 1 of its table has to have one of" },
        { "torn", "function 0 of its table has to have one of" },
        { "counting", "counts parameters and has none" },
        { "endless", "more parameters than there can be" },
        { "shapeless", "a parameter without a size" },
    };
    setenv("RILL_KERNELS", "tests/standin/tables.so", 1);
    setenv("RILL_LOG", "kernels", 1);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        setenv("TABLE", tables[i].table, 1);
        assert_int_equal(load_in_child(whole, 3), 255); /* SHARED_OBJECT_INIT_FAILED */
        if (!strstr(said, tables[i].why))
            fail_msg("%s: it said \"%s\"", tables[i].table, said);
        assert_int_equal(count_of("tables.so"), 1);
    }
    for (int i = 0; i < 2; i++) {
        setenv("TABLE", i ? "fine" : "empty", 1);
        assert_int_equal(load_in_child(whole, 1), RILL_SUCCESS);
        assert_string_equal(said, "");
    }
}

/* ---- Lines ------------------------------------------------------------------------------ */

static void a_cause_is_told_once(void **state)
{
    (void)state;
    unsetenv("RILL_KERNELS");
    setenv("RILL_LOG", "images,kernels", 1);
    assert_int_not_equal(load_in_child(broken, 50), RILL_SUCCESS);
    assert_int_equal(count_of("bogus"), 1);
    assert_int_equal(load_in_child(HEAD ".entry lacking() { .reg .b64 d; stacksave.u64 d; ret; }\n"
                                   ".entry runs() { ret; }\n", 50), RILL_SUCCESS);
    assert_int_equal(count_of("lacking"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_that_are_not_whole_are_refused),
        cmocka_unit_test(a_cause_is_told_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
