/* SPDX-License-Identifier: Apache-2.0 */
#include "support/watchdog.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static struct {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool stopping;
    unsigned seconds;
    void (*bark)(void *data);
    void *data;
    atomic_ulong pats;
} dog = { .mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

/* One second, or less when it is stopped. */
static void doze(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    pthread_cond_timedwait(&dog.changed, &dog.mutex, &until);
}

static void *watch(void *data)
{
    unsigned long seen = 0;
    unsigned quiet = 0;
    (void)data;
    pthread_mutex_lock(&dog.mutex);
    while (!dog.stopping) {
        unsigned long pats = atomic_load(&dog.pats);
        quiet = pats == seen ? quiet + 1 : 0;
        seen = pats;
        if (quiet > dog.seconds) {
            dog.bark(dog.data);
            _exit(1);
        }
        doze();
    }
    pthread_mutex_unlock(&dog.mutex);
    return NULL;
}

void watchdog_start(unsigned seconds, void (*bark)(void *data), void *data)
{
    dog.seconds = getenv("RILL_TEST_SCALE") ? 10 * seconds : seconds;
    dog.bark = bark;
    dog.data = data;
    dog.stopping = false;
    if (pthread_create(&dog.thread, NULL, watch, NULL)) abort();
}

void watchdog_pat(void)
{
    atomic_fetch_add_explicit(&dog.pats, 1, memory_order_relaxed);
}

void watchdog_stop(void)
{
    pthread_mutex_lock(&dog.mutex);
    dog.stopping = true;
    pthread_cond_signal(&dog.changed);
    pthread_mutex_unlock(&dog.mutex);
    pthread_join(dog.thread, NULL);
}
