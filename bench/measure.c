/* SPDX-License-Identifier: Apache-2.0 */
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "bench.h"

uint64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void pause_ns(uint64_t ns)
{
    struct timespec time = { .tv_sec = (time_t)(ns / 1000000000u),
                             .tv_nsec = (long)(ns % 1000000000u) };
    while (nanosleep(&time, &time)) {}
}

void give_up(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
    fputc('\n', stderr);
    exit(EXIT_FAILURE);
}

void record(struct recorder *recorder, enum metric metric, double value)
{
    if (recorder->count == recorder->room) {
        recorder->room = recorder->room ? recorder->room * 2 : 256;
        recorder->samples = realloc(recorder->samples, recorder->room * sizeof *recorder->samples);
        if (!recorder->samples) give_up("no memory for samples");
    }
    recorder->samples[recorder->count++] = (struct sample){ metric, value };
}

double resident_bytes(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
    FILE *file = fopen("/proc/self/statm", "re");
    unsigned long total = 0, resident = 0;
    if (file && fscanf(file, "%lu %lu", &total, &resident) != 2) resident = 0;
    if (file) fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

/* ---- Sampling -------------------------------------------------------------- */

#define WARM_RUNS 4 /* an engine may learn from the first ones */
#define SAMPLES_LEAST 3

static const struct effort {
    uint64_t warm, warm_most, sample;
    uint64_t budget; /* slow contenders get by with fewer samples */
    int samples;
} full = { 25000000, 500000000, 1000000, 250000000, 31 },
  brief = { 5000000, 200000000, 500000, 30000000, 15 };

static uint64_t timed(void (*body)(void *, long), void *data, long runs)
{
    uint64_t start = now_ns();
    body(data, runs);
    return now_ns() - start;
}

static void sampled(const struct effort *effort, struct recorder *recorder, enum metric metric,
                    void (*body)(void *data, long runs), void *data, long count)
{
    long runs = count ? count : 1;
    uint64_t start = now_ns(), warm = 0;
    for (int i = 0; warm < effort->warm || (i < WARM_RUNS && warm < effort->warm_most); i++) {
        uint64_t took = timed(body, data, runs);
        if (!count && took < effort->sample / 2) runs *= 2;
        warm = now_ns() - start;
    }
    start = now_ns();
    for (int i = 0; i < effort->samples; i++) {
        if (i >= SAMPLES_LEAST && now_ns() - start > effort->budget) break;
        record(recorder, metric, (double)timed(body, data, runs) / (double)runs);
    }
}

void measure(struct recorder *recorder, enum metric metric, void (*body)(void *data, long runs),
             void *data, long count)
{
    sampled(&full, recorder, metric, body, data, count);
}

void measure_briefly(struct recorder *recorder, enum metric metric,
                     void (*body)(void *data, long runs), void *data)
{
    sampled(&brief, recorder, metric, body, data, 0);
}

/* ---- Calibration ------------------------------------------------------------- */

#define CALLS 2000

static void nothing(void *data)
{
    __asm__ volatile("" : : "r"(data));
}

static double best_loop(void)
{
    static struct call {
        void (*fn)(void *);
        void *data;
    } calls[CALLS];
    for (int i = 0; i < CALLS; i++) calls[i] = (struct call){ nothing, NULL };
    double best = 1e9;
    for (int repeat = 0; repeat < 36; repeat++) {
        uint64_t start = now_ns();
        for (const struct call *call = calls; call < calls + CALLS; call++) call->fn(call->data);
        double each = (double)(now_ns() - start) / CALLS;
        if (each < best) best = each;
    }
    return best;
}

double calibrate(void)
{
    double worst = 0;
#ifdef __linux__
    cpu_set_t all, one;
    if (sched_getaffinity(0, sizeof all, &all) == 0) {
        for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
            if (!CPU_ISSET(cpu, &all)) continue;
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            if (sched_setaffinity(0, sizeof one, &one)) continue;
            double each = best_loop();
            if (each > worst) worst = each;
        }
        sched_setaffinity(0, sizeof all, &all);
    }
#endif
    return worst > 0 ? worst : best_loop();
}
