/* SPDX-License-Identifier: Apache-2.0 */
#include "base/thread.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/read_clock.h"
#include "base/tsan.h"

#if defined(__linux__)

#include <sys/syscall.h>

/* The number of forks so far: a cached thread number is valid in its own process only. */
static atomic_uint fork_count;
static pthread_once_t watch_once = PTHREAD_ONCE_INIT;

/* Counts in the child only, where there is one thread. */
static void in_child(void)
{
    atomic_fetch_add(&fork_count, 1);
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}

uint64_t rl_thread_id(void)
{
    static _Thread_local uint64_t id;
    static _Thread_local unsigned generation;
    unsigned now = atomic_load_explicit(&fork_count, memory_order_relaxed);
    if (!id || generation != now) {
        pthread_once(&watch_once, watch_forks);
        id = (uint64_t)syscall(SYS_gettid);
        generation = now;
    }
    return id;
}

bool rl_thread_has_ended(uint64_t id)
{
    return syscall(SYS_tgkill, (long)getpid(), (long)id, 0L) && errno == ESRCH;
}

#else

uint64_t rl_thread_id(void)
{
    return (uint64_t)(uintptr_t)pthread_self();
}

bool rl_thread_has_ended(uint64_t id)
{
    (void)id;
    return false;
}

#endif

uint64_t rl_monotonic_ns(void)
{
    return rl_read_clock(CLOCK_MONOTONIC);
}

uint64_t rl_process_ns(void)
{
    return rl_read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

const char *rl_getenv(const char *name)
{
#if defined(__GLIBC__)
    return secure_getenv(name);
#else
    return getuid() == geteuid() && getgid() == getegid() ? getenv(name) : NULL;
#endif
}

static atomic_uint clock_cost; /* plus 1; 0 if not measured yet */

uint64_t rl_monotonic_cost_ns(void)
{
    unsigned known = atomic_load_explicit(&clock_cost, memory_order_relaxed);
    if (known) return known - 1;
    uint64_t begin = rl_monotonic_ns(), end = begin;
    for (int i = 0; i < 64; i++) end = rl_monotonic_ns();
    uint64_t cost = (end - begin) / 64;
    atomic_store_explicit(&clock_cost, (unsigned)(cost < 1000 ? cost : 1000) + 1,
                          memory_order_relaxed);
    return cost < 1000 ? cost : 1000;
}

/* ---- Starting threads ------------------------------------------------------------------- */

static atomic_bool are_hidden;

void rl_threads_hide(void)
{
    atomic_store_explicit(&are_hidden, true, memory_order_relaxed);
}

struct start {
    void *(*main)(void *);
    void *data;
};

static void *run_hidden(void *data)
{
    struct start start = *(struct start *)data;
    __tsan_ignore_thread_begin();
    rl_free(data);
    void *result = start.main(start.data);
    __tsan_ignore_thread_end();
    return result;
}

static int create_thread(pthread_t *thread, void *(*main)(void *), void *data)
{
    if (!atomic_load_explicit(&are_hidden, memory_order_relaxed))
        return pthread_create(thread, NULL, main, data);
    struct start *start = rl_alloc(sizeof *start);
    if (!start) return ENOMEM;
    *start = (struct start){ main, data };
    int failed = pthread_create(thread, NULL, run_hidden, start);
    if (failed) rl_free(start);
    return failed;
}

bool rl_thread_start(pthread_t *thread, void *(*main)(void *), void *data)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int failed = create_thread(thread, main, data);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return !failed;
}

struct timespec rl_in(uint64_t ns)
{
    struct timespec then;
    if (ns > INT64_MAX) ns = INT64_MAX;
    clock_gettime(CLOCK_REALTIME, &then);
    ns += (uint64_t)then.tv_nsec;
    then.tv_sec += (time_t)(ns / 1000000000u);
    then.tv_nsec = (long)(ns % 1000000000u);
    return then;
}

bool rl_join_until(pthread_t thread, const struct timespec *end)
{
    return !pthread_equal(thread, pthread_self()) && !pthread_timedjoin_np(thread, NULL, end);
}
