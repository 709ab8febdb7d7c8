/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the cases, each in a process of its own, and prints their lines in the order
 * of their names:  oracle [GROUP[.NAME] ...]  or  oracle --list.
 * ORACLE_JOBS (4) processes at once, ORACLE_TIMEOUT (30) seconds for each.
 */
#include "oracle.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

static Case *all;
static int ncases;

void oracle_register(Case *c)
{
    c->next = all;
    all = c;
    ncases++;
}

/* ---- The process of a case ----------------------------------------------- */

/* What the case had said before it died is kept. */
static T *dying;

static void dump(int sig)
{
    ssize_t written = write(1, dying->out, dying->len);
    (void)written;
    signal(sig, SIG_DFL);
    raise(sig);
}

static unsigned setting(const char *variable, unsigned usual)
{
    const char *text = getenv(variable);
    return text ? (unsigned)atoi(text) : usual;
}

static _Noreturn void run_case(const Case *c, int fd)
{
    T *t = dying = calloc(1, sizeof *t);
    dup2(fd, 1);
    signal(SIGSEGV, dump);
    signal(SIGABRT, dump);
    signal(SIGALRM, dump);
    alarm(setting("ORACLE_TIMEOUT", 30));
    if (!c->noinit) {
        CUresult r = cuInit(0);
        if (!r) r = cuDeviceGet(&t->dev, 0);
        if (!r) r = cuDevicePrimaryCtxRetain(&t->ctx, t->dev);
        if (!r) r = cuCtxSetCurrent(t->ctx);
        if (r) die(t, "init", r);
    }
    c->fn(t);
    printf("%s", t->out);
    fflush(stdout);
    _exit(0);
}

/* ---- All of them --------------------------------------------------------- */

typedef struct Job {
    pid_t pid;
    int fd;       /* where its line comes out */
    int position; /* of its case              */
} Job;

/* A line fits into a pipe, so nobody needs to read before the process has ended. */
static Job start(const Case *c, int position)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) {
        perror("pipe");
        exit(2);
    }
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) run_case(c, ends[1]);
    close(ends[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return (Job){ pid, ends[0], position };
}

static const char *how_it_died(int status)
{
    if (!WIFSIGNALED(status)) return "";
    switch (WTERMSIG(status)) {
    case SIGALRM: return " TIMEOUT";
    case SIGSEGV: return " SIGSEGV";
    default: return " SIGNALED";
    }
}

static char *line_of(const Case *c, const Job *job, int status)
{
    static char said[20000];
    const size_t room = sizeof said + 1000;
    ssize_t n = read(job->fd, said, sizeof said - 1);
    said[n > 0 ? n : 0] = 0;
    close(job->fd);
    char *line = malloc(room);
    snprintf(line, room, "%s:%s%s", c->name, said, how_it_died(status));
    return line;
}

static void run_all(Case *const *cases, int n, char **lines)
{
    int jobs = (int)setting("ORACLE_JOBS", 4), next = 0, running = 0;
    Job *job = calloc((size_t)jobs, sizeof *job);
    while (next < n || running) {
        for (int j = 0; j < jobs && next < n; j++) {
            if (job[j].pid) continue;
            job[j] = start(cases[next], next);
            next++;
            running++;
        }
        int status;
        pid_t pid = wait(&status);
        for (int j = 0; j < jobs; j++) {
            if (job[j].pid != pid) continue;
            lines[job[j].position] = line_of(cases[job[j].position], &job[j], status);
            job[j].pid = 0;
            running--;
        }
    }
    free(job);
}

static int is_meant(const Case *c, int count, char **words)
{
    for (int i = 0; i < count; i++) {
        if (!strncmp(c->name, words[i], strlen(words[i]))) return 1;
    }
    return !count;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--list")) {
        for (Case *c = all; c; c = c->next) puts(c->name);
        return 0;
    }
    Case **cases = calloc((size_t)ncases + 1, sizeof *cases);
    int n = 0;
    for (Case *c = all; c; c = c->next) {
        if (is_meant(c, argc - 1, argv + 1)) cases[n++] = c;
    }
    char **lines = calloc((size_t)n + 1, sizeof *lines);
    run_all(cases, n, lines);
    qsort(lines, (size_t)n, sizeof *lines, by_text);
    for (int i = 0; i < n; i++) {
        puts(lines[i]);
        free(lines[i]);
    }
    free(lines);
    free(cases);
    return 0;
}
