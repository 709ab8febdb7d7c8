/* SPDX-License-Identifier: Apache-2.0 */
#include "base/thread.h"

#include <config.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/read_clock.h"
#include "base/tsan.h"

#ifdef RILL_HAVE_LINUX

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

uint64_t rl_thread_ns(pthread_t thread)
{
#ifdef RILL_HAVE_LINUX
    clockid_t clock;
    return pthread_getcpuclockid(thread, &clock) ? 0 : rl_read_clock(clock);
#else
    (void)thread;
    return 0;
#endif
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

#ifdef RILL_HAVE_TIMED_JOIN

static int create_joinable(pthread_t *thread, void *(*main)(void *), void *data)
{
    return pthread_create(thread, NULL, main, data);
}

static bool join_until(pthread_t thread, const struct timespec *end)
{
    return !pthread_timedjoin_np(thread, NULL, end);
}

#else

/* A thread that has been started and whose function has not returned: the C library cannot join
 * one up to a time. */
struct active {
    struct active *next;
    pthread_t thread;
    void *(*main)(void *);
    void *data;
};

static pthread_mutex_t active_mutex = PTHREAD_MUTEX_INITIALIZER; /* protects the list */
static pthread_cond_t one_ended = PTHREAD_COND_INITIALIZER;
static struct active *first_active;

/* Requires the mutex. */
static struct active **find_active(pthread_t thread)
{
    struct active **at = &first_active;
    while (*at && !pthread_equal((*at)->thread, thread)) at = &(*at)->next;
    return at;
}

static void *run_active(void *data)
{
    struct active *active = data;
    void *result = active->main(active->data);
    pthread_mutex_lock(&active_mutex);
    *find_active(active->thread) = active->next;
    pthread_cond_broadcast(&one_ended);
    pthread_mutex_unlock(&active_mutex);
    rl_free(active);
    return result;
}

static int create_joinable(pthread_t *thread, void *(*main)(void *), void *data)
{
    struct active *active = rl_alloc(sizeof *active);
    if (!active) return ENOMEM;
    *active = (struct active){ .main = main, .data = data };
    pthread_mutex_lock(&active_mutex); /* it may not end before it is listed */
    int failed = pthread_create(&active->thread, NULL, run_active, active);
    if (!failed) {
        *thread = active->thread;
        active->next = first_active;
        first_active = active;
    }
    pthread_mutex_unlock(&active_mutex);
    if (failed) rl_free(active);
    return failed;
}

static bool join_until(pthread_t thread, const struct timespec *end)
{
    int failed = 0;
    pthread_mutex_lock(&active_mutex);
    while (*find_active(thread) && !failed)
        failed = pthread_cond_timedwait(&one_ended, &active_mutex, end);
    bool active = *find_active(thread);
    pthread_mutex_unlock(&active_mutex);
    return !active && !pthread_join(thread, NULL);
}

#endif

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
        return create_joinable(thread, main, data);
    struct start *start = rl_alloc(sizeof *start);
    if (!start) return ENOMEM;
    *start = (struct start){ main, data };
    int failed = create_joinable(thread, run_hidden, start);
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
    return !pthread_equal(thread, pthread_self()) && join_until(thread, end);
}
