/* SPDX-License-Identifier: Apache-2.0
 *
 * Touches of pinned memory, from the fault to what is found.
 */
#include <setjmp.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "layer-check/pages/pages.h"
#include "layer-check/pairs.h"
#include "layer-check/slots/checker.h"

static unsigned char *new_pinned(struct checked *c)
{
    void *pinned;
    OK(rill_host_alloc(c->context, BYTES, 0, &pinned));
    memset(pinned, 1, BYTES);
    return pinned;
}

static void touch(unsigned char *pinned)
{
    *(volatile unsigned char *)pinned = 2;
}

/* Ends a program in which one touch raced with a copy. */
static void expect_touch_found(struct checked *c, void *pinned)
{
    OK(rill_context_synchronize(c->context));
    expect_found(c, RILL_FINDING_RACE,
                 "the host writes what memcpy reads, and nothing orders them");
    OK(rill_host_free(c->context, pinned));
    end_pair(c);
}

/* ---- What is seen --------------------------------------------------------------------------- */

/* As in a handler of a signal that interrupted the library. */
static void a_touch_while_the_checker_is_locked_is_found(void **state)
{
    struct checked c;
    (void)state;
    begin_pair(&c);
    struct ck_checker *checker = ck_checker_of(c.platform);
    unsigned char *pinned = new_pinned(&c);
    OK(rill_memcpy_htod_async(c.s, c.x, pinned, BYTES));
    rl_lock(&checker->lock);
    touch(pinned);
    rl_unlock(&checker->lock);
    expect_touch_found(&c, pinned);
}

static void the_host_may_touch_what_it_touched_before_the_submission(void **state)
{
    struct checked c;
    (void)state;
    begin_pair(&c);
    unsigned char *pinned = new_pinned(&c);
    for (int i = 0; i < 100; i++) {
        OK(rill_memcpy_htod_async(c.s, c.x, pinned, BYTES / 2));
        touch(pinned + BYTES / 2); /* on the same page, and noted */
        OK(rill_memcpy_htod_async(c.t, c.y, pinned + BYTES / 2, BYTES / 2));
        OK(rill_context_synchronize(c.context));
    }
    assert_int_equal(c.count, 0);
    OK(rill_host_free(c.context, pinned));
    end_pair(&c);
}

__attribute__((noinline)) static void fill_early(unsigned char *pinned, size_t bytes)
{
    memset(pinned, 3, bytes);
    __asm__ volatile("" ::: "memory");
}

static void a_touch_in_libc_is_its_callers(void **state)
{
    struct checked c;
    volatile size_t bytes = 256; /* unknown to the compiler, so that it calls memset() */
    (void)state;
    begin_pair(&c);
    unsigned char *pinned = new_pinned(&c);
    OK(rill_memcpy_htod_async(c.s, c.x, pinned, BYTES));
    fill_early(pinned, bytes);
    OK(rill_context_synchronize(c.context));
    if (*c.found[0].function) assert_string_equal(c.found[0].function, "fill_early");
    expect_touch_found(&c, pinned);
}

/* ---- Memory that is not freed --------------------------------------------------------------- */

/* A capture forbids it. */
static void a_free_that_is_refused_leaves_the_guards(void **state)
{
    struct checked c;
    rill_graph *graph = NULL;
    (void)state;
    begin_pair(&c);
    unsigned char *pinned = new_pinned(&c);
    OK(rill_memcpy_htod_async(c.s, c.x, pinned, BYTES));
    OK(rill_stream_begin_capture(c.t, NULL));
    assert_int_not_equal(rill_host_free(c.context, pinned), RILL_SUCCESS);
    rill_stream_end_capture(c.t, &graph);
    if (graph) OK(rill_graph_destroy(&graph));
    touch(pinned);
    OK(rill_context_synchronize(c.context));
    size_t races = 0;
    for (size_t i = 0; i < c.count; i++) races += c.found[i].kind == RILL_FINDING_RACE;
    assert_int_equal(races, 1);
    OK(rill_host_free(c.context, pinned));
    end_pair(&c);
}

/* ---- Handlers of the program ---------------------------------------------------------------- */

static sigjmp_buf back;

static void jump_back(int signal)
{
    siglongjmp(back, signal);
}

static void a_handler_that_is_installed_later_gets_no_fault_of_ours(void **state)
{
    struct checked c;
    struct sigaction before;
    volatile bool theirs = false;
    (void)state;
    begin_pair(&c);
    unsigned char *pinned = new_pinned(&c);
    OK(rill_memcpy_htod_async(c.s, c.x, pinned, BYTES));
    sigaction(SIGSEGV, NULL, &before);
    signal(SIGSEGV, jump_back);
    OK(rill_event_record(c.event, c.t, 0)); /* any call that closes no page */
    if (sigsetjmp(back, 1)) theirs = true;
    else touch(pinned);
    sigaction(SIGSEGV, &before, NULL);
    assert_false(theirs);
    expect_touch_found(&c, pinned);
}

#define JUMP(n)                                                                                    \
    static void jump_back_##n(int signal)                                                          \
    {                                                                                              \
        siglongjmp(back, signal + n);                                                              \
    }
JUMP(1) JUMP(2) JUMP(3) JUMP(4) JUMP(5) JUMP(6) JUMP(7) JUMP(8) JUMP(9)

/* When there are too many, pages are not guarded any more. */
static void the_program_may_install_many_handlers(void **state)
{
    static void (*const handlers[])(int) = {
        jump_back_1, jump_back_2, jump_back_3, jump_back_4, jump_back_5,
        jump_back_6, jump_back_7, jump_back_8, jump_back_9,
    };
    struct checked c;
    struct sigaction before;
    volatile int theirs = 0;
    (void)state;
    begin_pair(&c);
    unsigned char *pinned = new_pinned(&c);
    sigaction(SIGSEGV, NULL, &before);
    for (size_t i = 0; i < sizeof handlers / sizeof handlers[0]; i++) {
        OK(rill_memcpy_htod_async(c.s, c.x, pinned, BYTES));
        signal(SIGSEGV, handlers[i]);
        OK(rill_event_record(c.event, c.t, 0));
        if (sigsetjmp(back, 1)) theirs++;
        else touch(pinned);
        OK(rill_context_synchronize(c.context));
    }
    sigaction(SIGSEGV, &before, NULL);
    assert_int_equal(theirs, 0);
    assert_int_equal(c.count, 1);
    OK(rill_host_free(c.context, pinned));
    end_pair(&c);
}

/* ---- What nobody judges --------------------------------------------------------------------- */

/* A program that dies right after it touched. */
static void touch_and_die(const char *log)
{
    struct checked c;
    char settings[256];
    snprintf(settings, sizeof settings, "log=%s", log);
    setenv("RILL_CHECK", settings, 1);
    alarm(60);
    const rill_open_options options = { .size = sizeof options, .backend = "sim",
                                        .layers = "check" };
    if (rill_open(&options, &c.platform) || rill_context_create(c.platform, NULL, &c.context) ||
        rill_stream_create(c.context, NULL, &c.s) || rill_mem_alloc(c.context, BYTES, &c.x))
        _exit(1);
    void *pinned;
    if (rill_host_alloc(c.context, BYTES, 0, &pinned) ||
        rill_memcpy_htod_async(c.s, c.x, pinned, BYTES))
        _exit(1);
    touch(pinned);
    raise(SIGTERM);
    _exit(1);
}

static void a_process_that_dies_counts_what_is_not_judged(void **state)
{
    char log[] = "/tmp/rill-pinned-XXXXXX", text[4096];
    int file = mkstemp(log), status = 0;
    (void)state;
    assert_true(file >= 0);
    pid_t child = fork();
    if (!child) touch_and_die(log);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    ssize_t length = read(file, text, sizeof text - 1);
    text[length < 0 ? 0 : length] = 0;
    assert_non_null(strstr(text, "==rill== 1 touch of pinned memory was seen and not judged\n"));
    close(file);
    unlink(log);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_that_dies_counts_what_is_not_judged), /* before any platform */
        cmocka_unit_test(a_touch_while_the_checker_is_locked_is_found),
        cmocka_unit_test(the_host_may_touch_what_it_touched_before_the_submission),
        cmocka_unit_test(a_touch_in_libc_is_its_callers),
        cmocka_unit_test(a_free_that_is_refused_leaves_the_guards),
        cmocka_unit_test(a_handler_that_is_installed_later_gets_no_fault_of_ours),
        cmocka_unit_test(the_program_may_install_many_handlers),
    };
    const char *unusable = ck_pages_unusable();
    if (unusable) {
        printf("1..0 # SKIP %s\n", unusable);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
