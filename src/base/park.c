/* SPDX-License-Identifier: Apache-2.0
 *
 * On Linux the kernel keeps the sleepers (futex); elsewhere a few mutexes and
 * conditions, shared by the words that hash to them, do.
 */
#include "base/park.h"

#include <config.h>
#include <errno.h>
#include <time.h>

#ifdef RILL_HAVE_LINUX

#include <unistd.h>

#include "base/futex.h"

void rl_park(atomic_uint *word, unsigned expected, uint64_t timeout_ns)
{
    struct timespec time, *limit = NULL;
    if (timeout_ns != RL_FOREVER) {
        time.tv_sec = (time_t)(timeout_ns / 1000000000u);
        time.tv_nsec = (long)(timeout_ns % 1000000000u);
        limit = &time;
    }
    int saved = errno;
    syscall(RL_SYS_FUTEX, word, RL_FUTEX_WAIT | RL_FUTEX_PRIVATE, expected, limit, NULL, 0);
    errno = saved;
}

void rl_unpark(atomic_uint *word, int count)
{
    int saved = errno;
    syscall(RL_SYS_FUTEX, word, RL_FUTEX_WAKE | RL_FUTEX_PRIVATE, count, NULL, NULL, 0);
    errno = saved;
}

#else

#include <pthread.h>

#define LOTS 16

static struct lot {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
} lots[LOTS];

static pthread_once_t lots_once = PTHREAD_ONCE_INIT;

static void open_lots(void)
{
    for (int i = 0; i < LOTS; i++) {
        pthread_mutex_init(&lots[i].mutex, NULL);
        pthread_cond_init(&lots[i].changed, NULL);
    }
}

static struct lot *lot_of(atomic_uint *word)
{
    pthread_once(&lots_once, open_lots);
    return &lots[((uintptr_t)word >> 4) % LOTS];
}

void rl_park(atomic_uint *word, unsigned expected, uint64_t timeout_ns)
{
    struct lot *lot = lot_of(word);
    pthread_mutex_lock(&lot->mutex);
    if (atomic_load(word) == expected) {
        if (timeout_ns == RL_FOREVER) {
            pthread_cond_wait(&lot->changed, &lot->mutex);
        } else {
            struct timespec until;
            clock_gettime(CLOCK_REALTIME, &until);
            uint64_t ns = (uint64_t)until.tv_nsec + timeout_ns % 1000000000u;
            until.tv_sec += (time_t)(timeout_ns / 1000000000u + ns / 1000000000u);
            until.tv_nsec = (long)(ns % 1000000000u);
            pthread_cond_timedwait(&lot->changed, &lot->mutex, &until);
        }
    }
    pthread_mutex_unlock(&lot->mutex);
}

void rl_unpark(atomic_uint *word, int count)
{
    (void)count; /* words share a lot: wake all, each looks for itself */
    struct lot *lot = lot_of(word);
    pthread_mutex_lock(&lot->mutex);
    pthread_cond_broadcast(&lot->changed);
    pthread_mutex_unlock(&lot->mutex);
}

#endif
