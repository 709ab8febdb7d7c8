/* SPDX-License-Identifier: Apache-2.0 */
#include "base/process/progress.h"

#include <config.h>

#ifdef RILL_HAVE_LINUX

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"

/* A thread that ran for so many ticks of 10 ms has finished anything that takes a few
 * microseconds; one tick would not do, since it may have been nearly over. */
#define TICKS 2

/* What Linux says of a thread. */
struct report {
    char state; /* S while it sleeps until it is woken */
    unsigned long long ticks;
};

/* Reads the state, and the twelfth and thirteenth number after the name, of a line such as
 * "17 (name) S 1 17 17 0 -1 4194560 ... 3 1 ...".  The name may contain anything. */
static bool parse_report(char *text, struct report *report)
{
    char *at = strrchr(text, ')');
    unsigned long long user, system;
    if (!at || sscanf(at + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu",
                      &report->state, &user, &system) != 3)
        return false;
    report->ticks = user + system;
    return true;
}

/* Returns false if the thread has ended. */
static bool read_report(long id, struct report *report)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/self/task/%ld/stat", id);
    FILE *file = fopen(path, "re");
    if (!file) return false;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    return parse_report(text, report);
}

void rl_progress_mark(struct rl_progress *progress)
{
    DIR *list = opendir("/proc/self/task");
    struct dirent *entry;
    progress->count = 0;
    while (list && (entry = readdir(list)) && progress->count < RL_PROGRESS_THREADS) {
        struct report report;
        long id = strtol(entry->d_name, NULL, 10);
        if (id > 0 && id != (long)rl_thread_id() && read_report(id, &report))
            progress->threads[progress->count++] = (struct rl_thread_mark){ id, report.ticks };
    }
    if (list) closedir(list);
    if (progress->count == RL_PROGRESS_THREADS) progress->count = 0;
}

bool rl_progress_made(const struct rl_progress *progress)
{
    for (size_t i = 0; i < progress->count; i++) {
        const struct rl_thread_mark *mark = &progress->threads[i];
        struct report report;
        if (!read_report(mark->id, &report) || report.state == 'S') continue;
        if (report.ticks < mark->ticks + TICKS) return false;
    }
    return progress->count;
}

#else

void rl_progress_mark(struct rl_progress *progress)
{
    progress->count = 0;
}

bool rl_progress_made(const struct rl_progress *progress)
{
    return progress->count;
}

#endif
