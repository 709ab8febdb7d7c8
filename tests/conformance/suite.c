/* SPDX-License-Identifier: Apache-2.0
 *
 * The run of all groups, or of those tests that a pattern names.
 */
#include "conformance/suite.h"

#include <fnmatch.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/apart.h"
#include "conformance/fixture.h"
#include "conformance/groups.h"

/* A test with its group: what its setup is given. */
struct planned {
    const struct suite_group *group;
    CMUnitTestFunction test;
    char *name;
};

/* ---- One test ----------------------------------------------------------------- */

/* What hangs in spite of everything: says which test it was. */
#define TEST_SECONDS 120

static const struct planned *volatile running;

static void hangs(int signal)
{
    static const char start[] = "Bail out! this hangs: ";
    const char *name = running->name;
    (void)signal;
    bool said = write(1, start, sizeof start - 1) > 0 && write(1, name, strlen(name)) > 0 &&
                write(1, "\n", 1) > 0;
    _exit(said ? 1 : 2);
}

/* Whether a test did not come to its end, and whether such a test had what no layer counts. */
static bool broken_off, unseen;

/* Where calls are made to fail, a crash is to end the process: cmocka takes it for one more
 * assertion that does not hold. */
static void let_crash(void)
{
    static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL };
    if (!getenv("RILL_FAIL")) return;
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) signal(crashes[i], SIG_DFL);
}

static int setup(void **state)
{
    let_crash();
    running = *state;
    alarm(TEST_SECONDS);
    return fixture_setup(state, running->group->devices);
}

/* What a test that fails has submitted may use its variables until the teardown has waited for
 * that.  So the test has its frames far away from those of the teardown.  The address goes where
 * the compiler cannot follow it: clang makes an array as short as what is seen to be used. */
#define FRAMES_OF_TEARDOWN (256 * 1024)

static char *volatile frames_of_teardown;

static void call_test(void **state)
{
    char frames[FRAMES_OF_TEARDOWN];
    bool before = broken_off;
    let_crash();
    frames_of_teardown = frames;
    broken_off = true;
    running->test(state);
    broken_off = before;
    frames_of_teardown = NULL;
}

static int teardown(void **state)
{
    const struct fixture *f = *state;
    let_crash();
    unseen |= broken_off && f->unseen;
    int failed = fixture_teardown(state);
    alarm(0);
    return failed;
}

/* Instead of a test of several devices. */
static void needs_more_devices(void **state)
{
    const struct planned *planned = *state;
    char why[64];
    snprintf(why, sizeof why, "this needs %d devices", planned->group->devices);
    skip_since(why);
}

void needs_device_alone(void)
{
    apart_alone();
}

void suite_skip(const char *why, const char *file, int line)
{
    apart_note_skip(why);
    _skip(file, line);
}

/* ---- The plan ------------------------------------------------------------------- */

struct plan {
    struct planned *planned;
    struct CMUnitTest *tests;
    size_t count;
};

/* "streams: an unknown flag is refused" */
static char *sentence(const struct suite_group *group, const char *function)
{
    size_t bytes = strlen(group->name) + strlen(function) + 3;
    char *text = malloc(bytes);
    if (!text) abort();
    snprintf(text, bytes, "%s: %s", group->name, function);
    for (char *at = text; *at; at++)
        if (*at == '_') *at = ' ';
    return text;
}

static void plan_group(const struct suite_group *group, bool can, const char *pattern,
                       struct plan *plan)
{
    for (size_t i = 0; i < group->count; i++) {
        struct planned *planned = &plan->planned[plan->count];
        *planned = (struct planned){ group, group->tests[i].test_func,
                                     sentence(group, group->tests[i].name) };
        if (pattern && fnmatch(pattern, planned->name, 0)) {
            free(planned->name);
            continue;
        }
        plan->tests[plan->count++] = (struct CMUnitTest){
            .name = planned->name, .initial_state = planned,
            .test_func = can ? call_test : needs_more_devices,
            .setup_func = can ? setup : NULL, .teardown_func = can ? teardown : NULL,
        };
    }
}

static struct plan make_plan(int devices, const char *pattern)
{
    struct plan plan = { .count = 0 };
    size_t room = 0;
    for (size_t i = 0; i < suite_group_count; i++) room += suite_groups[i]->count;
    plan.tests = calloc(room, sizeof *plan.tests);
    plan.planned = calloc(room, sizeof *plan.planned);
    if (!plan.tests || !plan.planned) abort();
    for (size_t i = 0; i < suite_group_count; i++)
        plan_group(suite_groups[i], suite_groups[i]->devices <= devices, pattern, &plan);
    return plan;
}

static void drop_plan(struct plan *plan)
{
    for (size_t i = 0; i < plan->count; i++) free(plan->planned[i].name);
    free(plan->planned);
    free(plan->tests);
}

static void list(const struct plan *plan)
{
    for (size_t i = 0; i < plan->count; i++) puts(plan->tests[i].name);
}

/* ---- All of them ---------------------------------------------------------------- */

static void describe(rill_platform *platform, int count)
{
    for (int i = 0; i < count; i++) {
        rill_device_info info = { .size = sizeof info };
        if (rill_device_get_info(platform, i, &info)) continue;
        printf("# device %d: %s, compute %d.%d, %.0f GiB\n", i, info.name, info.compute_major,
               info.compute_minor, (double)info.memory_bytes / (1 << 30));
    }
    fflush(stdout);
}

/* Instead of their number. */
#define NO_DEVICE 0
#define NO_ANSWER (-1)

/* How many devices there are at most, or one of these and the reason. */
static int count_devices(char *why, size_t room)
{
    rill_platform *platform = NULL;
    int count = 0;
    rill_status status = suite->open(1, &platform);
    if (status) {
        snprintf(why, room, "%s", rill_last_error()->message);
        return suite->excuses && suite->excuses(status) ? NO_DEVICE : NO_ANSWER;
    }
    rill_device_count(platform, &count);
    describe(platform, count);
    rill_close(&platform);
    /* A simulator has as many as are asked for, unless memory is short. */
    for (int most = 64; most > 1 && count < 2; most /= 2) {
        if (suite->open(most, &platform) == RILL_SUCCESS) rill_device_count(platform, &count);
        rill_close(&platform);
    }
    return count;
}

/* Without a device nothing is tested, unless $RILL_TEST_DEVICE says that there must be
 * one. */
static int without_devices(int answer, const char *why)
{
    const char *wanted = getenv("RILL_TEST_DEVICE");
    bool bad = answer != NO_DEVICE || (wanted && !strcmp(wanted, suite->name));
    if (bad) printf("Bail out! %s\n", why);
    else printf("1..0 # SKIP %s\n", why);
    return bad;
}

struct wishes {
    const char *pattern;
    bool list, help;
    int apart;
};

static struct wishes read_wishes(int count, char **arguments)
{
    struct wishes wishes = { .apart = suite->apart };
    for (int i = 1; i < count; i++) {
        if (!strcmp(arguments[i], "--list")) wishes.list = true;
        else if (!strcmp(arguments[i], "--together")) wishes.apart = 0;
        else if (!strcmp(arguments[i], "--apart") && i + 1 < count)
            wishes.help |= (wishes.apart = atoi(arguments[++i])) < 1;
        else if (arguments[i][0] != '-' && !wishes.pattern) wishes.pattern = arguments[i];
        else wishes.help = true;
    }
    return wishes;
}

/* The threads of some C libraries have less. */
#define STACK_BYTES ((size_t)8 << 20)

/* All tests in one thread of their own: what the library holds for a thread goes when it ends. */
static void *run_together(void *data)
{
    const struct plan *plan = data;
    return _cmocka_run_group_tests(suite->name, plan->tests, plan->count, NULL, NULL) ? data : NULL;
}

/* Ends the process if the library holds memory and no test has left an object behind, which is
 * known where calls fail.  Other layers keep some for the process: findings, and the lines of
 * calls. */
static void look_for_leak(void)
{
    const char *layers = getenv("RILL_LAYERS");
    const bool fails = layers && !strcmp(layers, "fail");
    const long left = suite->blocks && (fails || !layers) ? suite->blocks() : 0;
    if (!left || (broken_off && (!fails || unseen || suite->objects() > 0))) return;
    printf("Bail out! this leaks %ld blocks of memory\n", left);
    fflush(NULL);
    abort();
}

static int run_all(struct plan *plan)
{
    pthread_t thread;
    pthread_attr_t attributes;
    void *failed;
    if (pthread_attr_init(&attributes) || pthread_attr_setstacksize(&attributes, STACK_BYTES) ||
        pthread_create(&thread, &attributes, run_together, plan) || pthread_join(thread, &failed))
        abort();
    pthread_attr_destroy(&attributes);
    look_for_leak();
    return failed != NULL;
}

/* A name that is misspelt must not look like a success. */
static int no_test(const char *pattern)
{
    printf("Bail out! no test has the name '%s'; --list has all\n", pattern);
    return 1;
}

static int run(const struct wishes *wishes)
{
    char why[256] = "";
    int devices = wishes->apart ? apart_ask(count_devices, why, sizeof why)
                                : count_devices(why, sizeof why);
    if (devices <= 0) return without_devices(devices, why);
    struct plan plan = make_plan(devices, wishes->pattern);
    int failed = !plan.count     ? no_test(wishes->pattern)
                 : wishes->apart ? apart_run(plan.tests, plan.count, wishes->apart)
                                 : run_all(&plan);
    drop_plan(&plan);
    return failed != 0;
}

int suite_main(const struct suite_backend *backend, int count, char **arguments)
{
    suite = backend;
    struct wishes wishes = read_wishes(count, arguments);
    if (wishes.help) {
        fprintf(stderr, "usage: %s [--list] [--together | --apart JOBS] [PATTERN]\n", *arguments);
        return 2;
    }
    signal(SIGALRM, hangs);
    if (!wishes.list) return run(&wishes);
    struct plan plan = make_plan(INT_MAX, wishes.pattern);
    list(&plan);
    drop_plan(&plan);
    return 0;
}
