/* SPDX-License-Identifier: Apache-2.0
 *
 * Seeds in processes.  One process takes a batch of seeds in one context; after a crash,
 * a seed that takes too long, or an error that stays, a new one goes on with the next
 * seed.  Several batches run at once; what they print comes in the order of the seeds.
 */
#include "random.h"
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum { BATCH = 25, RENEW = 77 };

/* ---- In the process of a batch -------------------------------------------- */

static struct world *world;
static int out;
static volatile unsigned long *at; /* the seed that runs; shared with the parent */

static void write_all(const char *text, size_t length)
{
    while (length) {
        ssize_t n = write(out, text, length);
        if (n <= 0) _exit(2);
        text += n;
        length -= (size_t)n;
    }
}

/* What the seed had printed before it died is kept. */
static void dump(int sig)
{
    write_all(world->text, world->length);
    signal(sig, SIG_DFL);
    raise(sig);
}

uint64_t text_hash(const char *text, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    return hash;
}

static void print_seed(const struct orders *orders, unsigned long seed)
{
    char head[128];
    int n;
    if (orders->hash) {
        n = snprintf(head, sizeof head, "%s %lu %016llx%s\n", orders->area->name, seed,
                     (unsigned long long)text_hash(world->text, world->length),
                     world->over ? " ended early" : "");
        write_all(head, (size_t)n);
        return;
    }
    write_all(world->text, world->length);
    if (world->over) {
        n = snprintf(head, sizeof head, "seed %lu: ended early\n", seed);
        write_all(head, (size_t)n);
    }
}

static _Noreturn void run_seeds(const struct orders *orders, unsigned long first,
                                unsigned long last)
{
    const int deadly[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM };
    world = calloc(1, sizeof *world);
    if (!orders->hash) {
        for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) signal(deadly[i], dump);
    }
    *at = first;
    alarm((unsigned)orders->limit * 2);
    world_start(world, orders->area);
    for (unsigned long seed = first; seed <= last; seed++) {
        *at = seed;
        alarm((unsigned)orders->limit);
        world_run(world, orders->area, seed, orders->calls);
        print_seed(orders, seed);
        *at = seed + 1;
        if (world->over || world->unclean) _exit(RENEW);
    }
    _exit(0);
}

/* ---- In the parent ---------------------------------------------------------- */

struct job {
    pid_t pid;
    unsigned long number; /* of the batch                              */
    unsigned long last;   /* its last seed                             */
    volatile unsigned long *at;
    FILE *text;
};

static void start(const struct orders *orders, struct job *job, unsigned long first)
{
    fflush(NULL);
    *job->at = first;
    job->pid = fork();
    if (job->pid) return;
    out = fileno(job->text);
    at = job->at;
    run_seeds(orders, first, job->last);
}

/* Whether the batch goes on, in a new process. */
static bool goes_on(const struct orders *orders, struct job *job, int status)
{
    unsigned long seed = *job->at;
    if (WIFSIGNALED(status)) {
        fseek(job->text, 0, SEEK_END);
        if (orders->hash) {
            fprintf(job->text, "%s %lu signal %d\n", orders->area->name, seed, WTERMSIG(status));
        } else {
            if (WTERMSIG(status) == SIGALRM) fprintf(job->text, "\nseed %lu: timeout\n", seed);
            else fprintf(job->text, "\nseed %lu: signal %d\n", seed, WTERMSIG(status));
        }
        fflush(job->text);
        seed++;
    } else if (WEXITSTATUS(status) != RENEW) {
        if (WEXITSTATUS(status)) {
            fprintf(stderr, "a process ended with status %d\n", WEXITSTATUS(status));
        }
        return false;
    }
    if (seed > job->last) return false;
    start(orders, job, seed);
    return true;
}

static void copy_out(FILE *from, FILE *to)
{
    char buffer[1 << 16];
    size_t n;
    rewind(from);
    while ((n = fread(buffer, 1, sizeof buffer, from))) fwrite(buffer, 1, n, to);
    fclose(from);
    fflush(to);
}

int batches_run(const struct orders *orders)
{
    const unsigned long count = (orders->last - orders->first) / BATCH + 1;
    FILE **done = calloc(count, sizeof *done);
    struct job *jobs = calloc((size_t)orders->jobs, sizeof *jobs);
    unsigned long next = 0, printed = 0;
    int running = 0;
    for (int j = 0; j < orders->jobs; j++) {
        jobs[j].at = mmap(NULL, sizeof *jobs[j].at, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    }
    while (next < count || running) {
        for (int j = 0; j < orders->jobs && next < count; j++) {
            struct job *job = &jobs[j];
            if (job->pid) continue;
            const unsigned long first = orders->first + next * BATCH;
            job->number = next++;
            job->last = first + BATCH - 1 < orders->last ? first + BATCH - 1 : orders->last;
            job->text = tmpfile();
            start(orders, job, first);
            running++;
        }
        int status;
        pid_t pid = wait(&status);
        for (int j = 0; j < orders->jobs; j++) {
            struct job *job = &jobs[j];
            if (job->pid != pid || goes_on(orders, job, status)) continue;
            job->pid = 0;
            running--;
            done[job->number] = job->text;
        }
        while (printed < count && done[printed]) copy_out(done[printed++], orders->output);
    }
    free(jobs);
    free(done);
    return 0;
}
