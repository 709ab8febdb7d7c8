/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a program: its threads, from the first step to the judgement.
 */
#include "random/play.h"

#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void accuse(struct play *play, int step, const char *format, ...)
{
    va_list arguments;
    char what[256], name[96] = "the program as a whole";
    if (atomic_exchange(&play->accused, true)) return;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (step >= 0) program_print_step(play->program, step, name, sizeof name);
    snprintf(play->verdict, sizeof play->verdict, "[%s]: %s", name, what);
}

bool fine(struct play *play, int step, rill_status status, const char *call)
{
    if (status) accuse(play, step, "%s gave %d: %s", call, (int)status, rill_last_error()->message);
    return !status;
}

struct actor {
    struct play *play;
    int thread;
    pthread_t id;
};

static void *act(void *data)
{
    const struct actor *actor = data;
    struct play *play = actor->play;
    const struct program *program = play->program;
    atomic_int *progress = &play->progress[actor->thread];
    /* Short programs overlap only if their threads begin together. */
    atomic_fetch_add(&play->ready, 1);
    while (atomic_load(&play->ready) < program->threads) sched_yield();
    for (int i = 0; i < program->steps; i++) {
        if (program->step[i].thread != actor->thread || program->step[i].dropped) continue;
        atomic_store_explicit(progress, i, memory_order_release);
        take_step(play, i);
    }
    atomic_store_explicit(progress, STEPS_MAX, memory_order_release);
    return NULL;
}

/* Threads of their own, also when there is one: its per-thread streams end with
 * it. */
static void run_threads(struct play *play)
{
    struct actor actors[THREADS_MAX];
    int count = play->program->threads, started = 0;
    for (int t = 0; t < count; t++) actors[t] = (struct actor){ .play = play, .thread = t };
    while (started < count && !pthread_create(&actors[started].id, NULL, act, &actors[started]))
        started++;
    if (started < count) {
        accuse(play, -1, "the system refused a thread");
        atomic_fetch_add(&play->ready, count - started);
    }
    for (int t = 0; t < started; t++) pthread_join(actors[t].id, NULL);
}

const char *play_program(struct play *play, const struct program *program,
                         const struct model *model, struct stage *stage)
{
    memset(play, 0, sizeof *play);
    play->program = program;
    play->model = model;
    play->stage = stage;
    for (int i = 0; i < program->steps; i++) {
        play->trace[i].play = play;
        play->trace[i].step = i;
    }
    objects_make(play);
    run_threads(play);
    objects_wait(play);
    objects_destroy(play);
    judge(play);
    return atomic_load(&play->accused) ? play->verdict : NULL;
}
