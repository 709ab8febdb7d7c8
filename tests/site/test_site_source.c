/* SPDX-License-Identifier: Apache-2.0
 *
 * Sites are told as file and line, by names that a person would write; where there is no debug
 * information, as module and offset.
 */
#include "support/cmocka_all.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "site/libdw.h"
#include "site/path.h"
#include "site/site.h"
#include "site/site_frames.h"
#include "support/emulated.h"

static struct cs_source source_of(const void *site)
{
    struct cs_source source;
    assert_true(cs_find_source(site, &source));
    return source;
}

/* ---- Names of files ---------------------------------------------------------- */

static void files_are_named_as_seen_from_their_project(void **state)
{
    (void)state;
    static const struct {
        const char *file, *folder, *name;
    } cases[] = {
        { "/home/me/frames/load.c", "/home/me/frames", "load.c" },
        { "/home/me/frames/src/load.c", "/home/me/frames", "src/load.c" },
        { "/home/me/frames/src/load.c", "/home/me/frames/build", "src/load.c" },
        { "/home/me/frames/build/../src/./load.c", "/home/me/frames/build", "src/load.c" },
        { "../src/load.c", "/home/me/frames/build", "src/load.c" },
        { "load.c", "/home/me/frames", "load.c" },
        { "/home/me/frames2/load.c", "/home/me/frames", "frames2/load.c" },
        { "/usr/include/list.h", "/home/me/frames", "/usr/include/list.h" },
        { "/usr/include/list.h", NULL, "/usr/include/list.h" },
        { "../../../../load.c", "/home/me", "/load.c" },
        { "/load.c", "/home/me", "/load.c" },
        { "./src/load.c", ".", "src/load.c" },
        { "load.c", NULL, "load.c" },
        { "", NULL, "" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *name = cs_short_path(cases[i].file, cases[i].folder);
        assert_non_null(name);
        if (strcmp(name, cases[i].name))
            fail_msg("%s in %s is '%s'", cases[i].file, cases[i].folder, name);
        rl_free(name);
    }
}

/* ---- Places --------------------------------------------------------------------- */

static void a_place_is_told_with_its_function(void **state)
{
    (void)state;
    const void *site = site_from_library(); int line = __LINE__;
    struct cs_source source = source_of(site);
    assert_string_equal(source.module, "test_site_source");
    assert_in_range(source.offset, 1, UINT32_MAX);
    if (!cs_libdw()) return;
    assert_non_null(strstr(source.file, "test_site_source.c"));
    assert_int_not_equal(*source.file, '/');
    assert_int_equal(source.line, line);
    assert_string_equal(source.function, __func__);
}

static void a_place_is_looked_up_once(void **state)
{
    (void)state;
    const void *site = site_from_library();
    struct cs_source first = source_of(site), second = source_of(site);
    assert_ptr_equal(first.file, second.file);
    assert_int_equal(first.line, second.line);
    cs_forget_sources();
    assert_int_equal(source_of(site).line, first.line ? __LINE__ - 5 : 0);
}

static void a_library_is_told_by_its_name(void **state)
{
    (void)state;
    void *library = dlopen("libm.so.6", RTLD_NOW);
    if (!library) skip();
    struct cs_source source = source_of((const char *)dlsym(library, "cos") + 1);
    assert_string_equal(source.module, "libm.so.6");
    assert_in_range(source.offset, 1, UINT32_MAX);
    dlclose(library);
}

static void code_in_no_module_is_told_as_an_address(void **state)
{
    (void)state;
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(page, MAP_FAILED);
    struct cs_source source;
    assert_false(cs_find_source(page + 8, &source));
    assert_null(source.file);
    assert_null(source.module);
    assert_int_equal(source.offset, (uintptr_t)page + 8);
    munmap(page, 4096);
    assert_false(cs_find_source(NULL, &source));
    assert_null(source.module);
}

static void short_memory_is_survived(void **state)
{
    (void)state;
    const void *site = site_from_library();
    cs_forget_sources();
    long before = rl_alloc_live();
    for (long after = 0; after < 10; after++) {
        struct cs_source source;
        rl_alloc_fail_after(after);
        cs_find_source(site, &source);
        rl_alloc_fail_after(-1);
        cs_forget_sources();
        assert_int_equal(rl_alloc_live(), before);
    }
}

/* ---- Without libdw -------------------------------------------------------------------- */

/* Runs in a process of its own, whose libdw.so.1 is none. */
static int tell_without_libdw(void)
{
    struct cs_source source;
    bool found = cs_find_source(site_from_library(), &source);
    const char *hint = cs_source_hint();
    return found && source.module && !source.file && hint && strstr(hint, "libdw") ? 0 : 1;
}

/* Has libraries looked for in a folder, and then where the caller has them: cmocka may be there. */
static void look_first_in(const char *folder)
{
    const char *others = getenv("LD_LIBRARY_PATH");
    char folders[4096];
    snprintf(folders, sizeof folders, "%s%s%s", folder, others ? ":" : "", others ? others : "");
    setenv("LD_LIBRARY_PATH", folders, 1);
}

static void without_libdw_module_and_offset_are_told_and_what_is_missing(void **state)
{
    (void)state;
    needs_own_programs();
    char folder[] = "/tmp/rill-no-libdw-XXXXXX", file[64], program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length < 0 ? 0 : length] = '\0';
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/libdw.so.1", folder);
    assert_int_equal(mkdir(file, 0700), 0);
    pid_t child = fork();
    if (!child) {
        look_first_in(folder);
        execl(program, "test_site_source", "without-libdw", (char *)NULL);
        _exit(2);
    }
    int status = -1;
    waitpid(child, &status, 0);
    rmdir(file);
    rmdir(folder);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void with_libdw_nothing_is_missing(void **state)
{
    (void)state;
    if (!cs_libdw()) skip_because("there is no libdw");
    source_of(site_from_library());
    assert_null(cs_source_hint());
}

static int forget_all(void **state)
{
    (void)state;
    cs_forget_sources();
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "without-libdw")) return tell_without_libdw();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_named_as_seen_from_their_project),
        cmocka_unit_test(a_place_is_told_with_its_function),
        cmocka_unit_test(a_place_is_looked_up_once),
        cmocka_unit_test(a_library_is_told_by_its_name),
        cmocka_unit_test(code_in_no_module_is_told_as_an_address),
        cmocka_unit_test(short_memory_is_survived),
        cmocka_unit_test(without_libdw_module_and_offset_are_told_and_what_is_missing),
        cmocka_unit_test(with_libdw_nothing_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, forget_all);
}
