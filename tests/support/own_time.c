/* SPDX-License-Identifier: Apache-2.0 */
#include "support/own_time.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/thread.h"

/* Reads "COMPUTED WAITED TURNS", the first two in nanoseconds.  Returns 0 if there is nothing. */
static uint64_t read_waited(unsigned long id)
{
    char path[64];
    uint64_t waited = 0;
    snprintf(path, sizeof path, "/proc/self/task/%lu/schedstat", id);
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    if (fscanf(file, "%*u %" SCNu64, &waited) != 1) waited = 0;
    fclose(file);
    return waited;
}

static void list_threads(struct own_time *time)
{
    DIR *list = opendir("/proc/self/task");
    struct dirent *entry;
    time->count = 0;
    while (list && time->count < OWN_TIME_THREADS && (entry = readdir(list))) {
        unsigned long id = strtoul(entry->d_name, NULL, 10);
        if (id) time->threads[time->count++] = (struct own_time_thread){ id, read_waited(id) };
    }
    if (list) closedir(list);
}

void own_time_begin(struct own_time *time)
{
    list_threads(time);
    time->work_ns = rl_process_ns();
    time->wall_ns = rl_monotonic_ns();
}

/* Returns what the thread had waited when the time began, 0 if it was not there. */
static uint64_t waited_before(const struct own_time *time, unsigned long id)
{
    for (int i = 0; i < time->count; i++)
        if (time->threads[i].id == id) return time->threads[i].waited_ns;
    return 0;
}

uint64_t own_time_since(const struct own_time *time)
{
    uint64_t wall = rl_monotonic_ns() - time->wall_ns, work = rl_process_ns() - time->work_ns;
    struct own_time now;
    uint64_t waited = 0;
    list_threads(&now);
    for (int i = 0; i < now.count; i++)
        waited += now.threads[i].waited_ns - waited_before(time, now.threads[i].id);
    uint64_t least = work < wall ? work : wall;
    return wall > waited + least ? wall - waited : least;
}

/* How many times as long the library takes in this build. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLOWER 10
#else
#define SLOWER 1
#endif

bool own_time_is_below(const struct own_time *time, uint64_t ns)
{
    uint64_t took = own_time_since(time);
    if (took < SLOWER * ns || getenv("RILL_TEST_SCALE")) return true;
    fprintf(stderr, "# it took %" PRIu64 " us\n", took / 1000);
    return false;
}
