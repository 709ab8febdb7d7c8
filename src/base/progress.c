/* SPDX-License-Identifier: Apache-2.0 */
#include "base/progress.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"

/* A thread that ran for so many ticks of 10 ms is out of anything that takes a few
 * microseconds: the first may have been nearly over. */
#define TICKS 2

/* What Linux says of a thread. */
struct report {
    char state; /* S: it sleeps, until somebody wakes it */
    unsigned long long ticks;
};

/* "17 (name) S 1 17 17 0 -1 4194560 ... 3 1 ...": the name may hold anything, and
 * behind it the twelfth and thirteenth number are what is looked for. */
static bool parse(char *text, struct report *report)
{
    char *at = strrchr(text, ')');
    unsigned long long user, system;
    if (!at || sscanf(at + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu",
                      &report->state, &user, &system) != 3)
        return false;
    report->ticks = user + system;
    return true;
}

/* False: there is no such thread any more. */
static bool ask(long id, struct report *report)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/self/task/%ld/stat", id);
    FILE *file = fopen(path, "re");
    if (!file) return false;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    return parse(text, report);
}

void rl_progress_mark(struct rl_progress *progress)
{
    DIR *list = opendir("/proc/self/task");
    struct dirent *entry;
    progress->count = 0;
    while (list && (entry = readdir(list)) && progress->count < RL_PROGRESS_THREADS) {
        struct report report;
        long id = strtol(entry->d_name, NULL, 10);
        if (id > 0 && id != (long)rl_thread_id() && ask(id, &report))
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
        if (!ask(mark->id, &report) || report.state == 'S') continue;
        if (report.ticks < mark->ticks + TICKS) return false;
    }
    return progress->count;
}
