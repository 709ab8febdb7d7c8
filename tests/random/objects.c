/* SPDX-License-Identifier: Apache-2.0
 *
 * The platforms that programs run on, and the objects of one program.
 */
#include <sched.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "random/play.h"

/* Allocations of the library while no program runs, of all stages together. */
static long idle;

/* ---- The stage ----------------------------------------------------------------------- */

/* Allocations of the library, once workers let go of what they had in hand, and
 * pools of what was freed in streams that are gone. */
static long settled_allocations(struct stage *stage)
{
    const struct timespec moment = { .tv_nsec = 1000000 };
    rill_context_synchronize(stage->home);
    long live = rl_alloc_live();
    for (int same = 0; same < 5; same++) {
        nanosleep(&moment, NULL);
        long now = rl_alloc_live();
        if (now != live) same = 0;
        live = now;
    }
    return live;
}

/* Every allocation of a program is given back.  Returns how many are left.  When there
 * are less than before, somebody had not let go of something by then. */
static long not_given_back(struct stage *stage)
{
    const struct timespec moment = { .tv_nsec = 100000 };
    long left = 0;
    for (int tries = 0; tries < 5000; tries++) {
        if (tries % 50 == 0) rill_context_synchronize(stage->home);
        left = rl_alloc_live() - idle;
        if (left <= 0) {
            idle += left;
            return 0;
        }
        if (tries < 100) sched_yield();
        else nanosleep(&moment, NULL);
    }
    return left;
}

/* What an ALLOC of a graph needs. */
static rill_status warm_up_graphs(rill_context *context, int device)
{
    rill_op op = { .kind = RILL_OP_ALLOC, .alloc = { .bytes = 1, .device = device } };
    rill_graph *graph;
    rill_node node;
    rill_status status = rill_graph_create(context, NULL, &graph);
    if (!status) status = rill_graph_add_node(graph, NULL, 0, &op, &node);
    if (!status) status = rill_graph_destroy(&graph);
    return status;
}

/* A device keeps what its first allocations in stream order and in graphs needed. */
static rill_status warm_up(rill_platform *platform, int device)
{
    const rill_context_options own = { .size = sizeof own, .device = device,
                                       .flags = RILL_CONTEXT_OWN };
    rill_context *context;
    rill_devptr address;
    rill_status status = rill_context_create(platform, &own, &context);
    if (status) return status;
    status = rill_mem_alloc_async(rill_stream_legacy(context), BUFFER_BYTES, &address);
    if (!status) status = rill_mem_free_async(rill_stream_legacy(context), address);
    if (!status) status = warm_up_graphs(context, device);
    if (!status) status = rill_context_destroy(&context);
    return status;
}

const char *stage_open(struct stage *stage, int workers)
{
    const rill_sim_options sim = { .size = sizeof sim, .devices = 2, .workers = workers,
                                   .memory_bytes = UINT64_C(64) << 20 };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    const rill_context_options own = { .size = sizeof own, .flags = RILL_CONTEXT_OWN };
    void *words, *slots;
    if (rill_open(&options, &stage->platform)) return "rill_open failed";
    if (rill_context_create(stage->platform, &own, &stage->home)) return "no context";
    if (rill_host_alloc(stage->home, STEPS_MAX * sizeof *stage->words, 0, &words))
        return "no pinned memory";
    if (rill_host_alloc(stage->home, STEPS_MAX * sizeof *stage->slots, 0, &slots))
        return "no pinned memory";
    stage->words = words;
    stage->slots = slots;
    if (rill_host_device_pointer(stage->home, words, &stage->words_at)) return "no address";
    for (int device = 0; device < 2; device++)
        if (warm_up(stage->platform, device)) return "no memory in stream order";
    idle = settled_allocations(stage);
    return NULL;
}

const char *stage_close(struct stage *stage)
{
    rill_status status = rill_host_free(stage->home, stage->words);
    if (!status) status = rill_host_free(stage->home, stage->slots);
    if (!status) status = rill_context_destroy(&stage->home);
    if (!status) status = rill_close(&stage->platform);
    *stage = (struct stage){ 0 };
    return status ? "closing the platform failed" : NULL;
}

/* ---- Kernels --------------------------------------------------------------------------- */

static void visit_kernel(const rill_launch *launch)
{
    struct trace *trace = (struct trace *)RILL_ARGUMENT(launch, 1, uintptr_t);
    if (RILL_ARGUMENT(launch, 0, uint32_t) != (uint32_t)trace->step)
        accuse(trace->play, trace->step, "its arguments are another launch's");
    trace_visit(trace);
}

static const rill_param params[] = { RILL_PARAM(uint32_t), RILL_PARAM(uintptr_t) };
static const rill_param node_params[] = { RILL_PARAM(uint32_t), RILL_PARAM(uintptr_t),
                                         RILL_PARAM(rill_conditional) };
static const rill_function functions[] = {
    { .name = "grid", .over_grid = visit_kernel, .params = params, .param_count = 2 },
    { .name = "block", .over_block = visit_kernel, .params = params, .param_count = 2 },
    { .name = "node", .over_grid = graph_run_kernel, .params = node_params, .param_count = 3 },
};

/* ---- Objects ------------------------------------------------------------------------------ */

static void make_context(struct play *play, int c)
{
    const rill_context_options options = { .size = sizeof options, .flags = RILL_CONTEXT_OWN,
                                           .device = play->program->device_of[c] };
    const rill_image image = { .size = sizeof image, .functions = functions, .function_count = 3 };
    rill_status status = rill_context_create(play->stage->platform, &options, &play->context[c]);
    if (!status) status = rill_module_load(play->context[c], &image, &play->module[c]);
    if (!status) status = rill_module_kernel(play->module[c], "grid", &play->grid_kernel[c]);
    if (!status) status = rill_module_kernel(play->module[c], "block", &play->block_kernel[c]);
    if (!status) status = rill_module_kernel(play->module[c], "node", &play->node_kernel[c]);
    fine(play, -1, status, "making a context");
}

void objects_make_stream(struct play *play, int stream, int step)
{
    const struct stream_plan *plan = &play->program->stream[stream];
    rill_context *context = play->context[plan->context];
    const rill_stream_options options = {
        .size = sizeof options, .priority = plan->priority,
        .flags = plan->kind == NON_BLOCKING ? RILL_STREAM_NON_BLOCKING : 0,
    };
    rill_status status = RILL_SUCCESS;
    if (plan->kind == LEGACY) play->stream[stream] = rill_stream_legacy(context);
    else if (plan->kind == PER_THREAD) play->stream[stream] = rill_stream_per_thread(context);
    else status = rill_stream_create(context, &options, &play->stream[stream]);
    fine(play, step, status, "rill_stream_create");
}

void objects_make_event(struct play *play, int event, int step)
{
    const struct event_plan *plan = &play->program->event[event];
    const rill_event_options options = {
        .size = sizeof options,
        .flags = (plan->timed ? RILL_EVENT_TIMING : 0u) |
                 (plan->patient ? RILL_EVENT_BLOCKING_SYNC : 0u),
    };
    rill_status status = rill_event_create(play->context[plan->context], &options,
                                           &play->event[event]);
    fine(play, step, status, "rill_event_create");
}

static void make_buffers(struct play *play)
{
    const struct program *program = play->program;
    for (int i = 0; i < program->steps; i++)
        if (program->step[i].buffer >= 0 || program->step[i].source >= 0) play->uses_memory = true;
    for (int b = 0; b < program->buffers && play->uses_memory; b++) {
        rill_status status = rill_mem_alloc(play->context[program->context_of[b]], BUFFER_BYTES,
                                            &play->buffer[b]);
        if (fine(play, -1, status, "rill_mem_alloc"))
            memset(RILL_DEVICE_MEMORY(play->buffer[b], char), 0, BUFFER_BYTES);
    }
}

void objects_make(struct play *play)
{
    const struct program *program = play->program;
    memset(play->stage->words, 0, STEPS_MAX * sizeof *play->stage->words);
    for (int c = 0; c < program->contexts; c++) make_context(play, c);
    for (int s = 0; s < program->streams; s++)
        if (program->stream[s].born < 0) objects_make_stream(play, s, -1);
    for (int e = 0; e < program->events; e++)
        if (program->event[e].born < 0) objects_make_event(play, e, -1);
    make_buffers(play);
    for (int g = 0; g < program->graphs; g++) graph_make(play, g);
}

/* ---- The end ------------------------------------------------------------------------------- */

/* The handle of the per-thread streams would give this thread one of its own. */
static bool waited_for(const struct play *play, int stream)
{
    return play->stream[stream] && play->program->stream[stream].kind != PER_THREAD;
}

static void poll_streams(struct play *play)
{
    for (int s = 0; s < play->program->streams; s++) {
        rill_status status;
        if (!waited_for(play, s)) continue;
        while ((status = rill_stream_query(play->stream[s])) == RILL_ERROR_NOT_READY) sched_yield();
        fine(play, -1, status, "rill_stream_query");
    }
}

static void sync_streams(struct play *play)
{
    for (int s = play->program->streams; s-- > 0;)
        if (waited_for(play, s))
            fine(play, -1, rill_stream_synchronize(play->stream[s]), "rill_stream_synchronize");
}

static void look_on(struct play *play)
{
    for (int i = 0; i < play->program->steps; i++) {
        if (!is_traced(play->program, i) || play->program->step[i].dropped) continue;
        while (!atomic_load_explicit(&play->trace[i].done, memory_order_acquire)) sched_yield();
    }
}

void objects_wait(struct play *play)
{
    switch (play->program->ending) {
    case END_SYNC_CONTEXTS:
        for (int c = 0; c < play->program->contexts; c++)
            fine(play, -1, rill_context_synchronize(play->context[c]), "rill_context_synchronize");
        break;
    case END_SYNC_STREAMS: sync_streams(play); break;
    case END_LOOK: look_on(play); break;
    case END_POLL: poll_streams(play); break;
    default: break;
    }
}

static void free_scratch(struct play *play)
{
    const struct program *program = play->program;
    for (int i = 0; i < program->steps; i++) {
        struct trace *trace = &play->trace[i];
        if (!trace->scratch || trace->scratch_freed) continue;
        /* Memory of a pool is freed without waiting for those who use it. */
        rill_context *context = play->context[program->stream[program->step[i].stream].context];
        fine(play, i, rill_context_synchronize(context), "rill_context_synchronize");
        fine(play, i, rill_mem_free(context, trace->scratch), "rill_mem_free");
    }
}

void objects_destroy(struct play *play)
{
    const struct program *program = play->program;
    for (int c = 0; c < program->contexts; c++)
        fine(play, -1, rill_module_unload(&play->module[c]), "rill_module_unload");
    for (int g = 0; g < program->graphs; g++) graph_destroy(play, g);
    for (int s = 0; s < program->streams; s++)
        if (program->stream[s].kind <= NON_BLOCKING)
            fine(play, -1, rill_stream_destroy(&play->stream[s]), "rill_stream_destroy");
    for (int e = 0; e < program->events; e++)
        fine(play, -1, rill_event_destroy(&play->event[e]), "rill_event_destroy");
    free_scratch(play);
    for (int b = 0; b < program->buffers && program->ending != END_DESTROY; b++)
        fine(play, -1, rill_mem_free(play->context[program->context_of[b]], play->buffer[b]),
             "rill_mem_free");
    for (int c = 0; c < program->contexts; c++)
        fine(play, -1, rill_context_destroy(&play->context[c]), "rill_context_destroy");
    long left = not_given_back(play->stage);
    if (left) accuse(play, -1, "%ld allocations were not given back", left);
}
