/* SPDX-License-Identifier: Apache-2.0
 *
 * Arguments that no program should pass: every entry point gets nothing at all, and
 * memory of the program's in place of handles and results, before cuInit() and after it,
 * with and without a current context.  Whatever it answers, it must come back.
 */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "standin/library.h"

static const char *const names[] = {
#define SYMBOL(name, suffix, version, state) #name #suffix,
#include "standin/library/symbols.def"
#undef SYMBOL
};

enum { REFUSED = RILL_ERROR_NOT_SUPPORTED, IMPLEMENTED = RILL_ERROR_NOT_INITIALIZED };

/* What each answers before cuInit(), unless it needs none. */
static const int early[] = {
#define SYMBOL(name, suffix, version, state) state,
#include "standin/library/symbols.def"
#undef SYMBOL
};

enum { NAMES = sizeof names / sizeof names[0] };

static const char *volatile calling = "";

static void say_which(int number)
{
    static const char words[] = "# it was in ";
    ssize_t written = write(2, words, sizeof words - 1);
    written += write(2, calling, strlen(calling));
    (void)written;
    signal(number, SIG_DFL);
    raise(number);
}

typedef int any(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);

/* Large enough for every struct that a call fills in, and empty before each. */
static _Alignas(64) unsigned char scratch[3][8192];

/* Memory of the program's is no function: these would be right to call it. */
static int takes_function(const char *name)
{
    return !strncmp(name, "cuLaunchHostFunc", 16) || !strncmp(name, "cuStreamAddCallback", 19) ||
           !strcmp(name, "cuUserObjectCreate");
}

/* A struct that is passed by value lies in memory of the caller's, or is where its address would
 * be: that depends on the processor. */
static int takes_struct_second(const char *name)
{
    return !strncmp(name, "cuIpcOpenEventHandle", 20) || !strncmp(name, "cuIpcOpenMemHandle", 18);
}

/* `with` says, bit by bit, which of the first three arguments are memory. */
static int call(const char *name, unsigned with)
{
    any *entry;
    uintptr_t a[3];
    if (takes_struct_second(name)) with |= 2;
    for (int i = 0; i < 3; i++) {
        memset(scratch[i], 0, sizeof scratch[i]);
        a[i] = with >> i & 1 ? (uintptr_t)scratch[i] : 0;
    }
    find(name, &entry);
    calling = name;
    int status = entry(a[0], a[1], a[2], 0, 0, 0, 0, 0, 0, 0, 0, 0);
    calling = "";
    return status;
}

static void prepare_nothing(void)
{
}

static void leave_context(void)
{
    CALL(cuCtxSetCurrent, (CUcontext), (NULL));
}

static void enter_context(void)
{
    CUcontext found;
    OK(CALL(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice), (&found, 0)));
    OK(CALL(cuCtxSetCurrent, (CUcontext), (found)));
}

static void call_all(void (*prepare)(void))
{
    static const int fatal[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE };
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++) signal(fatal[i], say_which);
    for (int i = 0; i < NAMES; i++) {
        for (unsigned with = 0; with < 7; with++) { /* 7 may be a copy of very much */
            if (with && takes_function(names[i])) continue;
            prepare();
            call(names[i], with);
        }
    }
}

static int needs_no_beginning(const char *name)
{
    static const char *const list[] = { "cuInit", "cuDriverGetVersion", "cuGetErrorName",
                                        "cuGetErrorString", "cuGetExportTable",
                                        "cuGetProcAddress", "cuGetProcAddress_v2" };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (!strcmp(name, list[i])) return 1;
    return 0;
}

/* Whatever else is wrong with a call. */
static void what_needs_a_beginning_asks_for_it_first(void **state)
{
    (void)state;
    for (int i = 0; i < NAMES; i++) {
        for (unsigned with = 0; !needs_no_beginning(names[i]) && with < 7; with++) {
            int status = call(names[i], with);
            if (status != early[i]) fail_msg("%s answers %d", names[i], status);
        }
    }
}

/* cuInit() with nothing is one that succeeds: it comes in its place in the list. */
static void before_the_library_is_told_to_begin(void **state)
{
    (void)state;
    call_all(prepare_nothing);
}

static void without_a_context(void **state)
{
    (void)state;
    OK(CALL(cuInit, (unsigned), (0)));
    call_all(leave_context);
}

static void with_a_context(void **state)
{
    (void)state;
    call_all(enter_context);
    enter_context();
    OK(CALL(cuCtxSynchronize, (void), ()));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_needs_a_beginning_asks_for_it_first),
        cmocka_unit_test(before_the_library_is_told_to_begin),
        cmocka_unit_test(without_a_context),
        cmocka_unit_test(with_a_context),
    };
    library_open();
    int failed = cmocka_run_group_tests_name("standin/hostile", tests, NULL, NULL);
    fflush(NULL);
    _exit(failed); /* nobody keeps what was made here, so that none of it is looked for */
}
