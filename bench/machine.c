/* SPDX-License-Identifier: Apache-2.0
 *
 * What the system says of itself.  No host names: figures get published.
 */
#include <sched.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

bool system_time(double *busy, double *stolen)
{
    FILE *file = fopen("/proc/stat", "re");
    if (!file) return false;
    /* user nice system idle iowait irq softirq steal */
    unsigned long long t[8] = { 0 };
    int got = fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &t[0], &t[1], &t[2],
                     &t[3], &t[4], &t[5], &t[6], &t[7]);
    fclose(file);
    double tick = 1.0 / (double)sysconf(_SC_CLK_TCK);
    *busy = (double)(t[0] + t[1] + t[2] + t[5] + t[6]) * tick;
    *stolen = (double)t[7] * tick;
    return got == 8;
}

/* The text behind "key : " in /proc/cpuinfo; false when there is none. */
static bool cpuinfo(const char *key, char *text, size_t bytes)
{
    FILE *file = fopen("/proc/cpuinfo", "re");
    char line[4096];
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file)) {
        char *value = strchr(line, ':');
        if (!value || strncmp(line, key, strlen(key)) != 0) continue;
        value += strspn(value, ": \t");
        value[strcspn(value, "\n")] = '\0';
        snprintf(text, bytes, "%s", value);
        found = true;
    }
    if (file) fclose(file);
    return found;
}

/* Those that this process may use. */
static long processors(void)
{
#ifdef __linux__
    cpu_set_t usable;
    if (sched_getaffinity(0, sizeof usable, &usable) == 0) return CPU_COUNT(&usable);
#endif
    return sysconf(_SC_NPROCESSORS_ONLN);
}

struct machine this_machine(void)
{
    struct machine machine = { .processors = processors() };
    struct utsname system;
    if (!cpuinfo("model name", machine.processor, sizeof machine.processor))
        snprintf(machine.processor, sizeof machine.processor, "unknown processor");
    char flags[4096];
    machine.virtual = cpuinfo("flags", flags, sizeof flags) && strstr(flags, " hypervisor");
    if (uname(&system) == 0) {
        /* Without what the builder of the kernel put behind its number. */
        system.release[strcspn(system.release, "-+")] = '\0';
        snprintf(machine.system, sizeof machine.system, "%.30s %.60s %.30s", system.sysname,
                 system.release, system.machine);
    }
    snprintf(machine.compiler, sizeof machine.compiler, "%s (%s)", BENCH_CFLAGS, __VERSION__);
    time_t now = time(NULL);
    strftime(machine.date, sizeof machine.date, "%Y-%m-%d", gmtime(&now));
    return machine;
}
