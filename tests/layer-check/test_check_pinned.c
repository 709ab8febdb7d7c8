/* SPDX-License-Identifier: Apache-2.0
 *
 * Touches of pinned memory, from the fault to what is found.
 */
#include <fcntl.h>
#include <sched.h>
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

/* ---- System calls --------------------------------------------------------------------------- */

static void the_system_may_have_memory_that_was_waited_for(void **state)
{
    struct checked c;
    FILE *file = tmpfile();
    int zero = open("/dev/zero", O_RDONLY);
    (void)state;
    assert_true(file && zero >= 0);
    begin_pair(&c);
    unsigned char *pinned = new_pinned(&c);
    for (int i = 0; i < 4; i++) {
        OK(rill_memcpy_htod_async(c.s, c.x, pinned, BYTES));
        OK(rill_memcpy_dtoh_async(c.s, pinned, c.x, BYTES));
        if (i == 1) OK(rill_event_record(c.event, c.s, 0));
        if (i == 0) OK(rill_stream_synchronize(c.s));
        else if (i == 1) OK(rill_event_synchronize(c.event));
        else if (i == 2) while (rill_stream_query(c.s) == RILL_ERROR_NOT_READY) sched_yield();
        else OK(rill_context_synchronize(c.context));
        assert_int_equal(write(fileno(file), pinned, BYTES), BYTES);
        assert_int_equal(read(zero, pinned, BYTES), BYTES);
    }
    close(zero);
    fclose(file);
    expect_nothing(&c);
    OK(rill_host_free(c.context, pinned));
    end_pair(&c);
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

/* Who comes to the same place later can be watched there. */
static void memory_goes_with_its_context(void **state)
{
    struct checked c;
    rill_context *other = NULL;
    rill_devptr x;
    void *pinned;
    (void)state;
    begin_pair(&c);
    struct ck_checker *checker = ck_checker_of(c.platform);
    const rill_context_options own = { .size = sizeof own, .flags = RILL_CONTEXT_OWN };
    OK(rill_context_create(c.platform, &own, &other));
    OK(rill_mem_alloc(other, BYTES, &x));
    OK(rill_host_alloc(other, BYTES, 0, &pinned));
    OK(rill_memcpy_htod(other, x, pinned, BYTES));
    assert_non_null(rl_ranges_at(&checker->pinned, (uintptr_t)pinned));
    OK(rill_context_destroy(&other));
    assert_null(rl_ranges_at(&checker->pinned, (uintptr_t)pinned));
    assert_null(ck_pages_set_aside(checker->pages, pinned));
    end_pair(&c);
}

/* ---- What nobody judges --------------------------------------------------------------------- */

static void *pinned_here;

/* Opens a platform in a child, with a settings word; a copy from pinned memory is pending. */
static bool begin_child(struct checked *c, const char *log, const char *word)
{
    const rill_open_options options = { .size = sizeof options, .backend = "sim",
                                        .layers = "check" };
    char settings[256];
    snprintf(settings, sizeof settings, "log=%s %s", log, word);
    setenv("RILL_CHECK", settings, 1);
    alarm(60);
    return !rill_open(&options, &c->platform) &&
           !rill_context_create(c->platform, NULL, &c->context) &&
           !rill_stream_create(c->context, NULL, &c->s) &&
           !rill_mem_alloc(c->context, BYTES, &c->x) &&
           !rill_host_alloc(c->context, BYTES, 0, &pinned_here) &&
           !rill_memcpy_htod_async(c->s, c->x, pinned_here, BYTES);
}

static void touch_and_die(const char *log, const char *word)
{
    struct checked c;
    if (!begin_child(&c, log, word)) _exit(1);
    touch(pinned_here);
    raise(SIGTERM);
    _exit(1);
}

static ssize_t was_read;

static void read_in(void *data)
{
    int zero = open("/dev/zero", O_RDONLY);
    was_read = read(zero, data, BYTES);
    close(zero);
}

static void read_in_a_function(const char *log, const char *word)
{
    struct checked c;
    if (!begin_child(&c, log, word) || rill_launch_host(c.s, read_in, pinned_here, NULL) ||
        rill_stream_synchronize(c.s))
        _exit(1);
    exit(was_read == BYTES ? 0 : 42);
}

/* Runs a program in a child.  Returns its status, and what it reports. */
static int run_child(void (*program)(const char *log, const char *word), const char *word,
                     char text[4096])
{
    char log[] = "/tmp/rill-pinned-XXXXXX";
    int file = mkstemp(log), status = 0;
    assert_true(file >= 0);
    pid_t child = fork();
    if (!child) program(log, word);
    assert_int_equal(waitpid(child, &status, 0), child);
    ssize_t length = read(file, text, 4095);
    text[length < 0 ? 0 : length] = 0;
    close(file);
    unlink(log);
    return status;
}

static void a_process_that_dies_counts_what_is_not_judged(void **state)
{
    char text[4096];
    (void)state;
    int status = run_child(touch_and_die, "", text);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    assert_non_null(strstr(text, "==rill== 1 touch of pinned memory was seen and not judged\n"));
}

/* ---- What the system is not given ----------------------------------------------------------- */

static void a_call_that_fails_where_all_is_protected_is_told(void **state)
{
    char text[4096];
    (void)state;
    int status = run_child(read_in_a_function, "protected", text);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 42);
    assert_non_null(strstr(text, "==rill== a system call failed with EFAULT, perhaps"));
}

static void memory_may_be_left_open(void **state)
{
    char text[4096];
    (void)state;
    int status = run_child(read_in_a_function, "unprotected", text);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_null(strstr(text, "EFAULT"));
    assert_non_null(strstr(text, "==rill== no findings"));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_that_dies_counts_what_is_not_judged),
        cmocka_unit_test(a_call_that_fails_where_all_is_protected_is_told),
        cmocka_unit_test(memory_may_be_left_open), /* these in front of any platform */
        cmocka_unit_test(a_touch_while_the_checker_is_locked_is_found),
        cmocka_unit_test(the_host_may_touch_what_it_touched_before_the_submission),
        cmocka_unit_test(a_touch_in_libc_is_its_callers),
        cmocka_unit_test(the_system_may_have_memory_that_was_waited_for),
        cmocka_unit_test(a_free_that_is_refused_leaves_the_guards),
        cmocka_unit_test(memory_goes_with_its_context),
    };
    const char *unusable = ck_pages_unusable();
    if (unusable) {
        printf("1..0 # SKIP %s\n", unusable);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
