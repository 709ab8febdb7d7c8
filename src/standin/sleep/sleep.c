/* SPDX-License-Identifier: Apache-2.0
 *
 * librill-sleep.so: on a virtual clock a program sleeps in virtual time, and reads that time.
 *
 * `rill run --clock virtual --sleeps` has it loaded before the program.  It takes the place of the
 * C library's functions that sleep and that read clocks, and does what those do until a simulator
 * whose time is virtual attaches itself.  From then on a sleep takes no time here: the simulator
 * has that time pass for the host.  Clocks go on from what they were by as much as the virtual time
 * does, and each look at one takes READ_NS, so that a loop which waits for a time ends.
 *
 * It is honest for a program of one thread.  Where another thread of the program might be what it
 * sleeps for, a sleep that takes no time would not do; so from the first thread on that the program
 * creates, sleeps last, and clocks go, as they do without.  Calls of rill itself always do.
 */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/select.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "base/time_source.h"

#define EXPORT __attribute__((visibility("default")))
#define SECOND_NS 1000000000
#define READ_NS 100u
#define CLOCKS 16 /* more than there are */

/* ---- What the C library has ------------------------------------------------------------- */

static struct {
    int (*clock_gettime)(clockid_t, struct timespec *);
    int (*clock_nanosleep)(clockid_t, int, const struct timespec *, struct timespec *);
    int (*poll)(struct pollfd *, nfds_t, int);
    int (*select)(int, fd_set *, fd_set *, fd_set *, struct timeval *);
    int (*sched_yield)(void);
    int (*pthread_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    int (*pthread_cond_timedwait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    int (*pthread_cond_clockwait)(pthread_cond_t *, pthread_mutex_t *, clockid_t,
                                  const struct timespec *);
    int (*sem_timedwait)(sem_t *, const struct timespec *);
    int (*sem_clockwait)(sem_t *, clockid_t, const struct timespec *);
} libc;

static void find_libc(void)
{
    const struct { void *to; const char *name; } functions[] = {
        { &libc.clock_gettime, "clock_gettime" }, { &libc.clock_nanosleep, "clock_nanosleep" },
        { &libc.poll, "poll" }, { &libc.select, "select" }, { &libc.sched_yield, "sched_yield" },
        { &libc.pthread_create, "pthread_create" },
        { &libc.pthread_cond_timedwait, "pthread_cond_timedwait" },
        { &libc.pthread_cond_clockwait, "pthread_cond_clockwait" },
        { &libc.sem_timedwait, "sem_timedwait" }, { &libc.sem_clockwait, "sem_clockwait" },
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(RTLD_NEXT, functions[i].name);
        memcpy(functions[i].to, &function, sizeof function);
    }
}

__attribute__((constructor)) static void begin(void)
{
    find_libc();
}

/* Constructors of other libraries may be earlier. */
static inline void need_libc(void)
{
    if (!libc.sem_clockwait) find_libc();
}

/* ---- Whose time it is -------------------------------------------------------------------- */

static _Atomic(const struct rl_time_source *) attached; /* NULL if time is real */
static atomic_bool has_threads; /* of the program */
static atomic_llong lead;       /* by how much virtual time is ahead of real time, as attached: the
                                   difference of both; once nothing is attached, what it was then */
static long long ahead_of_monotonic[CLOCKS]; /* each clock, when a source was attached; stored
                                                before that */

static long long real_ns(clockid_t clock)
{
    struct timespec time = { 0, 0 };
    need_libc();
    libc.clock_gettime(clock, &time);
    return (long long)time.tv_sec * SECOND_NS + time.tv_nsec;
}

/* Tells whether an address is in rill itself, whose libraries are called so. */
static bool is_rill(const void *address)
{
    Dl_info info;
    if (!dladdr(address, &info) || !info.dli_fname) return false;
    const char *slash = strrchr(info.dli_fname, '/'), *name = slash ? slash + 1 : info.dli_fname;
    return !strncmp(name, "libcuda.so", 10) || !strncmp(name, "librill", 7) ||
           !strncmp(name, "libcudart", 9);
}

/* Returns the source for a call from this address, or NULL if its time is real. */
static const struct rl_time_source *source_for(const void *caller)
{
    const struct rl_time_source *source = atomic_load(&attached);
    return source && !is_rill(caller) ? source : NULL;
}
#define SOURCE source_for(__builtin_return_address(0))

/* Stores the lead so that clocks go on from where they are. */
static void set_lead(const struct rl_time_source *source)
{
    for (clockid_t clock = 0; clock < CLOCKS; clock++)
        ahead_of_monotonic[clock] = real_ns(clock) - real_ns(CLOCK_MONOTONIC);
    atomic_store(&lead, atomic_load(&lead) + real_ns(CLOCK_MONOTONIC) -
                            (long long)source->now(source->data));
}

/* Has clocks go on in real time. */
static void detach(void)
{
    const struct rl_time_source *source = atomic_exchange(&attached, NULL);
    if (!source) return;
    atomic_store(&lead, atomic_load(&lead) + (long long)source->now(source->data) -
                            real_ns(CLOCK_MONOTONIC));
}

EXPORT rl_sleep_attach_fn rill_sleep_attach;
EXPORT int rill_sleep_attach(const struct rl_time_source *source)
{
    if (!source) {
        detach();
        return 0;
    }
    if (atomic_load(&has_threads) || atomic_load(&attached)) return 0;
    set_lead(source);
    atomic_store(&attached, source);
    return 1;
}

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *data)
{
    need_libc();
    if (!is_rill(__builtin_return_address(0)) && !atomic_exchange(&has_threads, true)) detach();
    return libc.pthread_create(thread, attributes, start, data);
}

/* ---- Clocks --------------------------------------------------------------------------------- */

/* Tells whether a clock measures time that passes, not what a thread or process uses. */
static bool is_of_time(clockid_t clock)
{
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
    case CLOCK_TAI: return true;
    default: return false;
    }
}

/* Returns what a clock of time shows, which depends on virtual time alone. */
static long long shown_ns(const struct rl_time_source *source, clockid_t clock)
{
    return (long long)source->now(source->data) + atomic_load(&lead) + ahead_of_monotonic[clock];
}

/* Returns by how much clocks show more than they do in real time. */
static long long shift(const struct rl_time_source *source)
{
    long long ahead = atomic_load(&lead);
    return source ? ahead + (long long)source->now(source->data) - real_ns(CLOCK_MONOTONIC) : ahead;
}

static struct timespec time_of(long long ns)
{
    return (struct timespec){ ns / SECOND_NS, ns % SECOND_NS };
}

/* Reads a clock for a caller that is not rill. */
static int read_clock(const struct rl_time_source *source, clockid_t clock, struct timespec *time)
{
    if (source) source->pass(source->data, READ_NS);
    if (source && is_of_time(clock)) {
        *time = time_of(shown_ns(source, clock));
        return 0;
    }
    int status = libc.clock_gettime(clock, time);
    if (!status && is_of_time(clock))
        *time = time_of((long long)time->tv_sec * SECOND_NS + time->tv_nsec + shift(source));
    return status;
}

static int read_clock_for(const void *caller, clockid_t clock, struct timespec *time)
{
    need_libc();
    const struct rl_time_source *source = atomic_load(&attached);
    if ((!source && !atomic_load(&lead)) || is_rill(caller))
        return libc.clock_gettime(clock, time);
    return read_clock(source, clock, time);
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *time)
{
    return read_clock_for(__builtin_return_address(0), clock, time);
}

EXPORT int timespec_get(struct timespec *time, int base)
{
    if (base != TIME_UTC) return 0;
    return read_clock_for(__builtin_return_address(0), CLOCK_REALTIME, time) ? 0 : base;
}

EXPORT int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    struct timespec now;
    (void)zone; /* the C library has it be 0 */
    int status = read_clock_for(__builtin_return_address(0), CLOCK_REALTIME, &now);
    *time = (struct timeval){ now.tv_sec, now.tv_nsec / 1000 };
    return status;
}

EXPORT time_t time(time_t *out)
{
    struct timespec now = { 0, 0 };
    read_clock_for(__builtin_return_address(0), CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}

/* ---- Sleeps ------------------------------------------------------------------------------- */

static bool is_time(const struct timespec *time)
{
    return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < SECOND_NS;
}

static void pass_time(const struct rl_time_source *source, const struct timespec *time)
{
    uint64_t seconds = (uint64_t)time->tv_sec, most = UINT64_MAX / SECOND_NS / 4;
    source->pass(source->data, (seconds < most ? seconds : most) * SECOND_NS +
                                   (uint64_t)time->tv_nsec);
}

/* Sleeps until a clock shows a time. */
static int sleep_until(const struct rl_time_source *source, clockid_t clock,
                       const struct timespec *until)
{
    long long left = (long long)until->tv_sec * SECOND_NS + until->tv_nsec -
                     shown_ns(source, clock);
    if (left > 0) source->pass(source->data, (uint64_t)left);
    return 0;
}

static int sleep_on_clock(const struct rl_time_source *source, clockid_t clock, int flags,
                          const struct timespec *wanted, struct timespec *left)
{
    need_libc();
    if (!source || !is_time(wanted) || !is_of_time(clock))
        return libc.clock_nanosleep(clock, flags, wanted, left);
    if (flags & TIMER_ABSTIME) return sleep_until(source, clock, wanted);
    pass_time(source, wanted);
    return 0;
}

EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted,
                           struct timespec *left)
{
    return sleep_on_clock(SOURCE, clock, flags, wanted, left);
}

EXPORT int nanosleep(const struct timespec *wanted, struct timespec *left)
{
    int error = sleep_on_clock(SOURCE, CLOCK_REALTIME, 0, wanted, left);
    if (!error) return 0;
    errno = error;
    return -1;
}

EXPORT int thrd_sleep(const struct timespec *wanted, struct timespec *left)
{
    int error = sleep_on_clock(SOURCE, CLOCK_REALTIME, 0, wanted, left);
    return !error ? 0 : error == EINTR ? -1 : -2;
}

EXPORT int usleep(useconds_t us)
{
    const struct timespec wanted = { us / 1000000, us % 1000000 * 1000L };
    int error = sleep_on_clock(SOURCE, CLOCK_REALTIME, 0, &wanted, NULL);
    if (!error) return 0;
    errno = error;
    return -1;
}

EXPORT unsigned sleep(unsigned seconds)
{
    const struct timespec wanted = { seconds, 0 };
    struct timespec left = { 0, 0 };
    if (!sleep_on_clock(SOURCE, CLOCK_REALTIME, 0, &wanted, &left)) return 0;
    return (unsigned)left.tv_sec;
}

/* A wait for no file is a sleep. */
EXPORT int poll(struct pollfd *files, nfds_t count, int ms)
{
    const struct rl_time_source *source = count || ms < 0 ? NULL : SOURCE;
    need_libc();
    if (!source) return libc.poll(files, count, ms);
    source->pass(source->data, (uint64_t)ms * 1000000u);
    return 0;
}

EXPORT int select(int count, fd_set *restrict reads, fd_set *restrict writes,
                  fd_set *restrict errors, struct timeval *restrict timeout)
{
    const struct rl_time_source *source = count || !timeout ? NULL : SOURCE;
    need_libc();
    if (!source) return libc.select(count, reads, writes, errors, timeout);
    const struct timespec wanted = { timeout->tv_sec, timeout->tv_usec * 1000L };
    if (!is_time(&wanted)) return libc.select(count, reads, writes, errors, timeout);
    pass_time(source, &wanted);
    *timeout = (struct timeval){ 0, 0 };
    return 0;
}

/* A thread that yields looks at something again and again. */
EXPORT int sched_yield(void)
{
    const struct rl_time_source *source = SOURCE;
    need_libc();
    if (!source) return libc.sched_yield();
    source->pass(source->data, READ_NS);
    return 0;
}

/* ---- Waits with a deadline ---------------------------------------------------------------
 *
 * They wait for a function of the program, in real time: as long as the program meant to.
 */

static struct timespec real_deadline(const void *caller, const struct timespec *until)
{
    const struct rl_time_source *source = atomic_load(&attached);
    if ((!source && !atomic_load(&lead)) || !is_time(until) || is_rill(caller)) return *until;
    long long ns = (long long)until->tv_sec * SECOND_NS + until->tv_nsec - shift(source);
    return time_of(ns > 0 ? ns : 0);
}
#define REAL_DEADLINE(until) real_deadline(__builtin_return_address(0), until)

EXPORT int pthread_cond_timedwait(pthread_cond_t *restrict condition,
                                  pthread_mutex_t *restrict mutex,
                                  const struct timespec *restrict until)
{
    need_libc();
    const struct timespec real = REAL_DEADLINE(until);
    return libc.pthread_cond_timedwait(condition, mutex, &real);
}

EXPORT int pthread_cond_clockwait(pthread_cond_t *restrict condition,
                                  pthread_mutex_t *restrict mutex, clockid_t clock,
                                  const struct timespec *restrict until)
{
    need_libc();
    const struct timespec real = REAL_DEADLINE(until);
    return libc.pthread_cond_clockwait(condition, mutex, clock, &real);
}

EXPORT int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until)
{
    need_libc();
    const struct timespec real = REAL_DEADLINE(until);
    return libc.sem_timedwait(semaphore, &real);
}

EXPORT int sem_clockwait(sem_t *restrict semaphore, clockid_t clock,
                         const struct timespec *restrict until)
{
    need_libc();
    const struct timespec real = REAL_DEADLINE(until);
    return libc.sem_clockwait(semaphore, clock, &real);
}
