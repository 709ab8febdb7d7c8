/* SPDX-License-Identifier: Apache-2.0 */
#include "base/process/asleep.h"

#include <config.h>

#ifdef RILL_HAVE_LINUX

#include <dirent.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/futex.h"
#include "base/thread.h"

/* ---- One thread -------------------------------------------------------------------- */

/* Reads a file of /proc about the thread.  Returns false if there is none. */
static bool read_text(unsigned long id, const char *name, char *text, size_t bytes)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%lu/%s", id, name);
    FILE *file = fopen(path, "re");
    if (!file) return false;
    size_t length = fread(text, 1, bytes - 1, file);
    fclose(file);
    text[length] = '\0';
    return length;
}

/* Tells whether the memory at an address is shared with other processes, which may wake who waits
 * there. */
static bool is_shared_memory(unsigned long address)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512], rights[8];
    unsigned long from, to;
    bool shared = true;
    while (maps && fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%lx-%lx %7s", &from, &to, rights) != 3) continue;
        if (address < from || address >= to) continue;
        shared = rights[3] == 's';
        break;
    }
    if (maps) fclose(maps);
    return shared;
}

static enum rl_doing judge_futex(const unsigned long arguments[6])
{
    unsigned long op = arguments[1];
    int command = (int)(op & ~(unsigned long)RL_FUTEX_FLAGS);
    if (!(op & RL_FUTEX_PRIVATE) && is_shared_memory(arguments[0])) return RL_DOING_OTHER;
    bool waits = command == RL_FUTEX_WAIT || command == RL_FUTEX_WAIT_BITSET ||
                 command == RL_FUTEX_LOCK_PI || command == RL_FUTEX_WAIT_REQUEUE_PI;
    if (!waits) return RL_DOING_OTHER;
    return arguments[3] ? RL_DOING_WAITS_SO_LONG : RL_DOING_WAITS;
}

/* Judges a line such as "202 0x7f.. 0x80 0x2 0x0 0x0 0xffffffff 0x7ff.. 0x7f..". */
static enum rl_doing judge_call(const char *text)
{
    long number;
    unsigned long a[6] = { 0 };
    if (!strncmp(text, "running", 7)) return RL_DOING_RUNS;
    if (sscanf(text, "%ld %lx %lx %lx %lx %lx %lx", &number, &a[0], &a[1], &a[2], &a[3], &a[4],
               &a[5]) != 7)
        return RL_DOING_UNKNOWN;
    if (number == RL_SYS_FUTEX) return judge_futex(a);
#ifdef SYS_nanosleep
    if (number == SYS_nanosleep) return RL_DOING_NAPS;
#endif
    if (number == SYS_clock_nanosleep) return RL_DOING_NAPS;
    return RL_DOING_OTHER;
}

enum rl_doing rl_thread_doing(unsigned long id)
{
    char text[512];
    if (!read_text(id, "stat", text, sizeof text)) return RL_DOING_UNKNOWN;
    const char *at = strrchr(text, ')');
    if (!at) return RL_DOING_UNKNOWN;
    if (at[2] != 'S') return at[2] == 'D' ? RL_DOING_OTHER : RL_DOING_RUNS;
    return read_text(id, "syscall", text, sizeof text) ? judge_call(text) : RL_DOING_UNKNOWN;
}

/* ---- All threads ------------------------------------------------------------------- */

#define THREADS_MOST 512

/* Numbers of threads go up, and then begin at the least again. */
static int by_creation(const void *a, const void *b)
{
    unsigned long self = (unsigned long)getpid();
    unsigned long first = *(const unsigned long *)a - self;
    unsigned long second = *(const unsigned long *)b - self;
    return first < second ? -1 : first > second;
}

/* In the flags of a thread's stat: it is ending (PF_EXITING of the kernel). */
#define FLAG_ENDS 4u

/* How often threads are listed at most. */
#define LIST_TRIES 8

/* Tells whether a thread has ended, or is about to.  One that was joined may still be listed: who
 * joins it is let go before the system takes it off its list.  The first thread is listed as long
 * as there is another, and so keeps its place. */
static bool is_ending(unsigned long id)
{
    char text[512];
    unsigned flags;
    if (id == (unsigned long)getpid()) return false;
    if (!read_text(id, "stat", text, sizeof text)) return true;
    const char *at = strrchr(text, ')');
    return !at || sscanf(at, ") %*c %*d %*d %*d %*d %*d %u", &flags) != 1 || flags & FLAG_ENDS;
}

/* Lists them in any order.  Returns false if a thread was ending meanwhile: one after it may be
 * missing then. */
static bool list_threads(unsigned long *ids, int most, int *count)
{
    DIR *list = opendir("/proc/self/task");
    struct dirent *entry;
    bool complete = true;
    *count = 0;
    while (list && *count < most && (entry = readdir(list))) {
        unsigned long id = strtoul(entry->d_name, NULL, 10);
        bool ends = id && is_ending(id);
        if (id && !ends) ids[(*count)++] = id;
        complete = complete && !ends;
    }
    if (list) closedir(list);
    return complete;
}

int rl_threads_list(unsigned long *ids, int most)
{
    int count, tries = LIST_TRIES;
    while (!list_threads(ids, most, &count) && --tries) continue;
    qsort(ids, (size_t)count, sizeof *ids, by_creation);
    return count;
}

/* How often each thread went to sleep so far. */
struct looks {
    int count;
    struct look {
        unsigned long id, sleeps;
    } items[THREADS_MOST];
};

/* Threads that stand by; 0: a free place. */
#define BYSTANDERS_MOST 16
static atomic_ulong bystanders[BYSTANDERS_MOST];

/* Returns whether the first number was among them, which the second one replaces. */
static bool replace_bystander(unsigned long from, unsigned long to)
{
    for (int i = 0; i < BYSTANDERS_MOST; i++) {
        unsigned long expected = from;
        if (atomic_compare_exchange_strong(&bystanders[i], &expected, to)) return true;
    }
    return false;
}

void rl_begin_standing_by(void)
{
    replace_bystander(0, (unsigned long)rl_thread_id());
}

void rl_end_standing_by(void)
{
    replace_bystander((unsigned long)rl_thread_id(), 0);
}

static bool is_known(unsigned long id, const unsigned long *known, int count)
{
    for (int i = 0; i < BYSTANDERS_MOST; i++)
        if (atomic_load(&bystanders[i]) == id) return true;
    for (int i = 0; i < count; i++)
        if (known[i] == id) return true;
    return false;
}

static bool read_sleeps(unsigned long id, unsigned long *sleeps)
{
    char text[4096];
    if (!read_text(id, "status", text, sizeof text)) return false;
    const char *at = strstr(text, "\nvoluntary_ctxt_switches:");
    return at && sscanf(at, "%*s %lu", sleeps) == 1;
}

/* Looks at all threads but the known ones.  Returns false if one does not wait. */
static bool look_at_all(struct looks *looks, const unsigned long *known, int count)
{
    DIR *list = opendir("/proc/self/task");
    struct dirent *entry;
    bool wait = list;
    looks->count = 0;
    while (wait && (entry = readdir(list))) {
        unsigned long id = strtoul(entry->d_name, NULL, 10);
        if (!id || is_known(id, known, count)) continue;
        struct look *look = &looks->items[looks->count];
        look->id = id;
        wait = looks->count < THREADS_MOST - 1 && rl_thread_doing(id) == RL_DOING_WAITS &&
               read_sleeps(id, &look->sleeps);
        looks->count++;
    }
    if (list) closedir(list);
    return wait;
}

/* Tells whether the threads are the same, and none has slept again. */
static bool have_slept_on(const struct looks *first, const struct looks *second)
{
    if (first->count != second->count) return false;
    for (int i = 0; i < first->count; i++)
        if (first->items[i].id != second->items[i].id ||
            first->items[i].sleeps != second->items[i].sleeps)
            return false;
    return true;
}

bool rl_all_wait(const unsigned long *known, int count)
{
    struct looks *looks = rl_alloc(2 * sizeof *looks);
    bool wait = looks && look_at_all(&looks[0], known, count);
    wait = wait && look_at_all(&looks[1], known, count) && have_slept_on(&looks[0], &looks[1]);
    rl_free(looks);
    return wait;
}

#else

enum rl_doing rl_thread_doing(unsigned long id)
{
    (void)id;
    return RL_DOING_UNKNOWN;
}

int rl_threads_list(unsigned long *ids, int most)
{
    (void)ids, (void)most;
    return 0;
}

bool rl_all_wait(const unsigned long *known, int count)
{
    (void)known, (void)count;
    return false;
}

void rl_begin_standing_by(void)
{
}

void rl_end_standing_by(void)
{
}

#endif
