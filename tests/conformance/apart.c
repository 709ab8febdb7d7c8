/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/apart.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What a child tells its parent, in memory that they share. */
struct verdict {
    int answer;
    bool ended; /* the test itself did, and nothing under it the process */
    bool skipped;
    bool put_off; /* it wants the device for itself */
    char why[256];
};

/* A test that runs. */
struct child {
    pid_t pid; /* 0: none */
    size_t test;
    time_t end;
    FILE *output;
    struct verdict *verdict;
};

/* Where the test of this process puts its verdict, if it is a child. */
static struct verdict *verdict_here;

/* No other child runs beside this one. */
static bool alone_here;

void apart_note_skip(const char *why)
{
    print_message("# %s\n", why);
    if (!verdict_here) return;
    verdict_here->skipped = true;
    snprintf(verdict_here->why, sizeof verdict_here->why, "%s", why);
}

/* Its parent runs the test once more when all others are done. */
void apart_alone(void)
{
    if (!verdict_here || alone_here) return;
    verdict_here->put_off = true;
    fflush(NULL);
    _exit(0);
}

static struct verdict *share(size_t count)
{
    struct verdict *shared = mmap(NULL, count * sizeof *shared, PROT_READ | PROT_WRITE,
                                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) abort();
    return shared;
}

/* The seconds that a test may take; more under a wrapper that makes it slow. */
static int patience(void)
{
    const char *seconds = getenv("RILL_TEST_SECONDS");
    return seconds && atoi(seconds) > 0 ? atoi(seconds) : 60;
}

/* ---- One question ----------------------------------------------------------------- */

int apart_ask(int (*ask)(char *why, size_t room), char *why, size_t room)
{
    struct verdict *verdict = share(1);
    int status = 0;
    fflush(NULL);
    pid_t pid = fork();
    if (!pid) {
        verdict->answer = ask(verdict->why, sizeof verdict->why);
        _exit(0);
    }
    if (pid < 0 || waitpid(pid, &status, 0) < 0) abort();
    int answer = status ? -1 : verdict->answer;
    if (status) snprintf(why, room, "asking for devices ended with wait status %#x", status);
    else snprintf(why, room, "%s", verdict->why);
    munmap(verdict, sizeof *verdict);
    return answer;
}

/* ---- Children ------------------------------------------------------------------------- */

static _Noreturn void be_child(const struct CMUnitTest *test, struct child *child)
{
    verdict_here = child->verdict;
    dup2(fileno(child->output), 1);
    dup2(fileno(child->output), 2);
    unsetenv("CMOCKA_MESSAGE_OUTPUT");
    int failed = _cmocka_run_group_tests("apart", test, 1, NULL, NULL);
    verdict_here->ended = true;
    fflush(NULL);
    _exit(failed ? 1 : 0);
}

static void start(const struct CMUnitTest *tests, size_t test, struct child *child)
{
    memset(child->verdict, 0, sizeof *child->verdict);
    child->test = test;
    child->end = time(NULL) + patience();
    child->output = tmpfile();
    if (!child->output) abort();
    fflush(NULL);
    child->pid = fork();
    if (child->pid < 0) abort();
    if (!child->pid) be_child(&tests[test], child);
}

/* What the test said, without cmocka's own frame around it. */
static void show(FILE *output)
{
    char line[1024];
    rewind(output);
    while (fgets(line, sizeof line, output)) {
        line[strcspn(line, "\n")] = 0;
        const char *said = line;
        if (!strncmp(said, "[  ERROR   ] --- ", 17)) said += 17;
        if (!strncmp(said, "[  ERROR   ] ", 13)) said += 13;
        if (*said && *said != '[') printf("# %s\n", said);
    }
}

struct tally {
    int done, passed, failed, skipped;
};

static void judge(const char *name, const struct child *child, int status, struct tally *tally)
{
    bool failed = status || !child->verdict->ended, skipped = !failed && child->verdict->skipped;
    tally->done++;
    tally->passed += !failed && !skipped;
    tally->skipped += skipped;
    tally->failed += failed;
    printf("%sok %d - %s", failed ? "not " : "", tally->done, name);
    if (skipped) printf(" # SKIP %s", child->verdict->why);
    printf("\n");
    if (failed) show(child->output);
    if (failed && !status) printf("# the process ended in the midst of it\n");
    if (WIFSIGNALED(status))
        printf("# ended by signal %d%s\n", WTERMSIG(status),
               time(NULL) >= child->end ? ", since it took too long" : "");
}

/* The tests that are still to be run, by their numbers. */
struct queue {
    size_t *tests;
    size_t next, count;
};

/* Whether the child has ended. */
static bool collect(const struct CMUnitTest *tests, struct child *child, struct tally *tally,
                    struct queue *put_off)
{
    int status = 0;
    if (!child->pid) return true;
    if (time(NULL) >= child->end) kill(child->pid, SIGKILL);
    if (waitpid(child->pid, &status, WNOHANG) != child->pid) return false;
    if (!status && child->verdict->put_off) put_off->tests[put_off->count++] = child->test;
    else judge(tests[child->test].name, child, status, tally);
    fclose(child->output);
    child->pid = 0;
    return true;
}

/* ---- All of them ------------------------------------------------------------------------ */

#define JOBS 64

static void run_queue(const struct CMUnitTest *tests, struct queue *queue, int jobs,
                      struct tally *tally, struct queue *put_off)
{
    static const struct timespec moment = { .tv_nsec = 1000000 };
    struct child children[JOBS] = { { 0 } };
    struct verdict *verdicts = share(JOBS);
    alone_here = jobs == 1;
    for (bool busy = true; busy; nanosleep(&moment, NULL)) {
        busy = false;
        for (int i = 0; i < jobs; i++) {
            children[i].verdict = &verdicts[i];
            bool idle = collect(tests, &children[i], tally, put_off);
            if (idle && queue->next < queue->count)
                start(tests, queue->tests[queue->next++], &children[i]);
            busy = busy || children[i].pid;
        }
    }
    munmap(verdicts, JOBS * sizeof *verdicts);
}

int apart_run(const struct CMUnitTest *tests, size_t count, int jobs)
{
    struct tally tally = { 0, 0, 0, 0 };
    struct queue all = { calloc(count + 1, sizeof *all.tests), 0, count };
    struct queue alone = { calloc(count + 1, sizeof *alone.tests), 0, 0 };
    if (!all.tests || !alone.tests) abort();
    for (size_t i = 0; i < count; i++) all.tests[i] = i;
    printf("1..%zu\n", count);
    run_queue(tests, &all, jobs < JOBS ? jobs : JOBS, &tally, &alone);
    run_queue(tests, &alone, 1, &tally, &alone); /* of which none is put off again */
    printf("# %d passed, %d failed, %d skipped\n", tally.passed, tally.failed, tally.skipped);
    free(all.tests);
    free(alone.tests);
    return tally.failed;
}
