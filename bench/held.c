/* SPDX-License-Identifier: Apache-2.0 */
#include "held.h"

#include <pthread.h>

#include <rill/sim.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static enum { WAITING, HELD, RELEASED } gate;

rill_platform *held_open(void)
{
    const rill_sim_options sim = { .size = sizeof sim, .workers = 1 };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    rill_platform *platform = NULL;
    TRY(rill_open(&options, &platform));
    return platform;
}

static void hold(void *data)
{
    (void)data;
    pthread_mutex_lock(&mutex);
    gate = HELD;
    pthread_cond_signal(&changed);
    while (gate != RELEASED) pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
}

static void move_gate(int from, int to)
{
    pthread_mutex_lock(&mutex);
    while ((int)gate != from) pthread_cond_wait(&changed, &mutex);
    gate = to;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
}

void held_begin(rill_stream *stream)
{
    TRY(rill_launch_host(stream, hold, NULL, NULL));
    move_gate(HELD, HELD);
}

void held_end(void)
{
    move_gate(HELD, RELEASED);
}
