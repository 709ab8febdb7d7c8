/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs recorded programs: their objects, and threads that take turns.
 */
#include "random/checked/running.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Failing ----------------------------------------------------------------------------- */

/* Requires running->turns, or no other thread. */
static bool fine(struct running *running, rill_status status, const char *what)
{
    if (status && !running->failed) {
        running->failed = true;
        snprintf(running->failure, sizeof running->failure, "%s gave %d: %s", what, (int)status,
                 rill_last_error()->message);
    }
    return !status;
}

/* ---- Objects ----------------------------------------------------------------------------- */

static rill_status open_platform(struct running *running, const struct running_options *options)
{
    const rill_sim_options sim = { .size = sizeof sim, .devices = CONTEXTS_MAX,
                                   .workers = options->workers,
                                   .schedule = options->schedule };
    const rill_open_options open = { .size = sizeof open, .backend = "sim", .sim = &sim,
                                     .layers = options->layers ? options->layers : "" };
    return rill_open(&open, &running->platform);
}

static rill_status make_context(struct running *running, int c)
{
    const rill_context_options options = { .size = sizeof options, .device = c };
    const rill_stream_options aside = { .size = sizeof aside, .flags = RILL_STREAM_NON_BLOCKING };
    rill_context **context = &running->context[c];
    rill_status status = rill_context_create(running->platform, &options, context);
    if (!status) status = rill_stream_create(*context, &aside, &running->aside[c]);
    if (!status) status = rill_mem_alloc(*context, 4 * VALUES_MAX, &running->values[c]);
    if (!status)
        status = rill_memset_d8_async(running->aside[c], running->values[c], 0, 4 * VALUES_MAX);
    return status ? status : running_load_kernels(running, c);
}

/* Streams wait for values in the memory of the other device, and copy from its pool. */
static rill_status open_to_peer(struct running *running, int c)
{
    rill_pool *pool;
    if (running->program->contexts < 2) return RILL_SUCCESS;
    rill_status status = rill_context_enable_peer(running->context[1 - c], running->context[c]);
    if (!status) status = rill_device_default_pool(running->platform, c, &pool);
    return status ? status : rill_pool_set_access(pool, 1 - c, RILL_ACCESS_READ_WRITE);
}

static rill_status make_stream(struct running *running, int s)
{
    const struct stream_plan *plan = &running->program->stream[s];
    const rill_stream_options options = {
        .size = sizeof options, .flags = plan->kind == NON_BLOCKING ? RILL_STREAM_NON_BLOCKING : 0
    };
    rill_context *context = running->context[plan->context];
    rill_stream **stream = &running->stream[s];
    if (plan->kind == LEGACY) *stream = rill_stream_legacy(context);
    if (plan->kind == PER_THREAD) *stream = rill_stream_per_thread(context);
    if (plan->kind == LEGACY || plan->kind == PER_THREAD) return RILL_SUCCESS;
    return rill_stream_create(context, &options, stream);
}

static rill_status register_memory(rill_context *context, void **pointer)
{
    *pointer = aligned_alloc(4096, 4096);
    if (!*pointer) return RILL_ERROR_OUT_OF_MEMORY;
    rill_status status = rill_host_register(context, *pointer, 4096, 0);
    if (!status) return status;
    free(*pointer);
    *pointer = NULL;
    return status;
}

rill_status running_free(struct running *running, int m)
{
    const struct memory_plan *plan = &running->program->memory[m];
    rill_context *context = running->context[plan->context];
    void *pinned = running->pinned[m];
    rill_status status;
    if (plan->registered && pinned) {
        status = rill_host_unregister(context, pinned);
        free(pinned);
    } else if (pinned) {
        status = rill_host_free(context, pinned); /* which host functions may still look up */
    } else {
        status = rill_mem_free(context, running->memory[m]);
    }
    running->pinned[m] = NULL;
    running->memory[m] = 0;
    return status;
}

static rill_status make_memory(struct running *running, int m)
{
    const struct memory_plan *plan = &running->program->memory[m];
    rill_context *context = running->context[plan->context];
    if (plan->kind >= MEMORY_POOL) return RILL_SUCCESS;
    if (plan->kind == MEMORY_DEVICE) {
        rill_status status = rill_mem_alloc(context, MEMORY_BYTES, &running->memory[m]);
        if (status) return status;
        return rill_memset_d8_async(running->aside[plan->context], running->memory[m], 0,
                                    MEMORY_BYTES);
    }
    rill_status status = plan->registered ? register_memory(context, &running->pinned[m])
                                      : rill_host_alloc(context, MEMORY_BYTES, 0,
                                                        &running->pinned[m]);
    if (status) return status;
    memset(running->pinned[m], 0, MEMORY_BYTES);
    return rill_host_device_pointer(context, running->pinned[m], &running->memory[m]);
}

static void make_objects(struct running *running, const struct running_options *options)
{
    const struct recorded *program = running->program;
    if (!fine(running, open_platform(running, options), "opening")) return;
    if (options->report && rill_check_report)
        fine(running, rill_check_report(running->platform, options->report, options->report_data),
             "rill_check_report");
    for (int c = 0; c < program->contexts && !running->failed; c++)
        fine(running, make_context(running, c), "making a context");
    for (int c = 0; c < program->contexts && !running->failed; c++)
        fine(running, open_to_peer(running, c), "enabling a peer");
    for (int s = 0; s < program->streams && !running->failed; s++)
        fine(running, make_stream(running, s), "making a stream");
    for (int e = 0; e < program->events && !running->failed; e++)
        fine(running, rill_event_create(running->context[program->event_context[e]], NULL,
                                        &running->event[e]), "making an event");
    for (int m = 0; m < program->memories && !running->failed; m++)
        fine(running, make_memory(running, m), "making memory");
    for (int c = 0; c < program->contexts && !running->failed; c++)
        fine(running, rill_stream_synchronize(running->aside[c]), "clearing memory");
    if (options->observed && !running->failed)
        fine(running, running_observe(running), "observing");
}

static void read_memory(struct running *running, int m, struct contents *contents)
{
    const struct memory_plan *plan = &running->program->memory[m];
    if (!running->memory[m]) return;
    if (plan->kind == MEMORY_PINNED)
        memcpy(contents->memory[m], running->pinned[m], MEMORY_BYTES);
    else if (plan->kind == MEMORY_DEVICE)
        fine(running, rill_memcpy_dtoh_async(running->aside[plan->context], contents->memory[m],
                                             running->memory[m], MEMORY_BYTES), "reading");
}

static void destroy_graphs(struct running *running)
{
    const struct recorded *program = running->program;
    for (int x = 0; x < program->execs; x++)
        fine(running, rill_exec_destroy(&running->exec[x]), "destroying an exec");
    for (int g = 0; g < program->graphs; g++)
        if (!running->borrowed[g])
            fine(running, rill_graph_destroy(&running->graph[g]), "destroying a graph");
}

static void destroy_objects(struct running *running)
{
    const struct recorded *program = running->program;
    destroy_graphs(running);
    for (int e = 0; e < program->events; e++) rill_event_destroy(&running->event[e]);
    for (int s = 0; s < program->streams; s++)
        if (program->stream[s].kind == BLOCKING || program->stream[s].kind == NON_BLOCKING)
            rill_stream_destroy(&running->stream[s]);
    for (int m = 0; m < program->memories; m++)
        if (program->memory[m].kind <= MEMORY_PINNED) running_free(running, m);
    for (int c = 0; c < program->contexts; c++) {
        rill_mem_free(running->context[c], running->values[c]);
        rill_module_unload(&running->module[c]);
        rill_stream_destroy(&running->aside[c]);
        rill_context_destroy(&running->context[c]);
    }
    rill_close(&running->platform);
}

/* ---- Threads ----------------------------------------------------------------------------- */

struct actor {
    struct running *running;
    int thread;
    pthread_t id;
};

/* Only the thread itself can tell its own streams' numbers. */
static void meet_streams(struct running *running, int thread)
{
    const struct recorded *program = running->program;
    for (int s = 0; s < program->streams; s++) {
        const struct stream_plan *plan = &program->stream[s];
        if (thread != (plan->kind == PER_THREAD ? plan->thread : 0)) continue;
        fine(running, rill_stream_id(running->stream[s], &running->stream_id[s]),
             "asking for a number");
    }
}

/* Requires running->turns. */
static void take_turn(struct running *running, int step)
{
    char what[160];
    rill_status status = running_step(running, step);
    if (!status) return;
    recorded_print_step(running->program, step, what, sizeof what);
    fine(running, status, what);
}

static void *act(void *data)
{
    const struct actor *actor = data;
    struct running *running = actor->running;
    const struct recorded *program = running->program;
    pthread_mutex_lock(&running->turns);
    meet_streams(running, actor->thread);
    running->ready++;
    pthread_cond_broadcast(&running->turned);
    while (running->turn < program->steps) {
        bool mine = running->ready == program->threads &&
                    program->step[running->turn].thread == actor->thread;
        if (!mine) {
            pthread_cond_wait(&running->turned, &running->turns);
            continue;
        }
        if (!running->failed) take_turn(running, running->turn);
        running->turn++;
        pthread_cond_broadcast(&running->turned);
    }
    pthread_mutex_unlock(&running->turns);
    return NULL;
}

static void run_threads(struct running *running)
{
    struct actor actors[THREADS_MAX];
    int count = running->program->threads;
    for (int t = 0; t < count; t++) {
        actors[t] = (struct actor){ .running = running, .thread = t };
        if (pthread_create(&actors[t].id, NULL, act, &actors[t])) abort();
    }
    for (int t = 0; t < count; t++) pthread_join(actors[t].id, NULL);
}

const char *running_play(struct running *running, const struct recorded *program,
                         const struct running_options *options, struct contents *contents)
{
    memset(running, 0, sizeof *running);
    memset(contents, 0, sizeof *contents);
    running->program = program;
    running->plain = options->plain;
    pthread_mutex_init(&running->turns, NULL);
    pthread_mutex_init(&running->sighting, NULL);
    pthread_cond_init(&running->turned, NULL);
    make_objects(running, options);
    if (!running->failed) run_threads(running);
    for (int c = 0; c < program->contexts && !running->failed; c++)
        fine(running, rill_context_synchronize(running->context[c]), "waiting for the end");
    if (options->observed) rill_sim_observe(running->platform, NULL);
    for (int m = 0; m < program->memories && !running->failed; m++)
        read_memory(running, m, contents);
    destroy_objects(running);
    pthread_cond_destroy(&running->turned);
    pthread_mutex_destroy(&running->sighting);
    pthread_mutex_destroy(&running->turns);
    return running->failed ? running->failure : NULL;
}
