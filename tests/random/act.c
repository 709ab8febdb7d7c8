/* SPDX-License-Identifier: Apache-2.0
 *
 * What each verb of a program calls.
 */
#include <sched.h>
#include <time.h>

#include "base/park.h"
#include "random/capture_step.h"

struct act {
    struct play *play;
    const struct step *s;
    int step;
    rill_stream *stream; /* or NULL */
};

/* The call must have succeeded. */
#define FINE(act, call) fine((act)->play, (act)->step, call, #call)

static struct trace *trace_of(const struct act *act)
{
    return &act->play->trace[act->step];
}

/* ---- Operations that leave a trace --------------------------------------------------- */

static void visit_host(void *data)
{
    trace_visit(data);
}

static void visit_callback(rill_stream *stream, rill_status status, void *data)
{
    struct trace *trace = data;
    if (stream != trace->named)
        accuse(trace->play, trace->step, "the callback got another stream");
    if (status) accuse(trace->play, trace->step, "the callback got status %d", (int)status);
    trace_visit(trace);
}

static void launch(const struct act *act, rill_kernel *kernel, uint32_t blocks)
{
    uintptr_t trace = (uintptr_t)trace_of(act);
    uint32_t number = (uint32_t)act->step;
    const void *params[] = { &number, &trace };
    FINE(act, rill_launch_kernel(act->stream, kernel, (rill_dim3){ blocks, 1, 1 },
                                 (rill_dim3){ 1, 1, 1 }, 0, params));
}

static void do_kernel(const struct act *act)
{
    const struct program *program = act->play->program;
    int context = program->stream[act->s->stream].context;
    if (act->s->verb == DO_BLOCKS) launch(act, act->play->block_kernel[context], 3);
    else launch(act, act->play->grid_kernel[context], 1);
}

static void do_host(const struct act *act)
{
    FINE(act, rill_launch_host(act->stream, visit_host, trace_of(act),
                               act->s->how ? NULL : trace_finish));
}

static void do_callback(const struct act *act)
{
    trace_of(act)->named = act->stream;
    FINE(act, rill_stream_add_callback(act->stream, visit_callback, trace_of(act), 0));
}

static void do_alloc(const struct act *act)
{
    rill_devptr address;
    if (!FINE(act, rill_mem_alloc_async(act->stream, BUFFER_BYTES, &address))) return;
    trace_of(act)->scratch = address;
    do_kernel(act);
}

static void do_free(const struct act *act)
{
    struct trace *partner = &act->play->trace[act->s->partner];
    if (!partner->scratch) return;
    do_kernel(act);
    partner->scratch_freed = FINE(act, rill_mem_free_async(act->stream, partner->scratch));
}

/* ---- Memory ---------------------------------------------------------------------------- */

static rill_context *context_of_buffer(const struct act *act, int buffer)
{
    return act->play->context[act->play->program->context_of[buffer]];
}

static void do_fill(const struct act *act)
{
    rill_devptr dst = act->play->buffer[act->s->buffer];
    uint32_t value = value_written(act->step);
    if (act->s->how == HOW_SYNC)
        FINE(act, rill_memset_d32(context_of_buffer(act, act->s->buffer), dst, value,
                                  BUFFER_WORDS));
    else if (act->s->how == HOW_PAGEABLE) /* has no meaning here: bytes instead of words */
        FINE(act, rill_memset_d8_async(act->stream, dst, (uint8_t)value, BUFFER_BYTES));
    else
        FINE(act, rill_memset_d32_async(act->stream, dst, value, BUFFER_WORDS));
}

static void do_copy(const struct act *act)
{
    rill_devptr dst = act->play->buffer[act->s->buffer], src = act->play->buffer[act->s->source];
    if (act->s->how == HOW_SYNC)
        FINE(act, rill_memcpy(context_of_buffer(act, act->s->buffer), dst, src, BUFFER_BYTES));
    else
        FINE(act, rill_memcpy_async(act->stream, dst, src, BUFFER_BYTES));
}

static void do_upload(const struct act *act)
{
    rill_devptr dst = act->play->buffer[act->s->buffer];
    uint32_t ordinary[BUFFER_WORDS], *slot = act->play->stage->slots[act->step];
    uint32_t *from = act->s->how == HOW_PAGEABLE ? ordinary : slot;
    for (int w = 0; w < BUFFER_WORDS; w++) from[w] = value_written(act->step);
    if (act->s->how == HOW_SYNC)
        FINE(act, rill_memcpy_htod(context_of_buffer(act, act->s->buffer), dst, from,
                                   BUFFER_BYTES));
    else
        FINE(act, rill_memcpy_htod_async(act->stream, dst, from, BUFFER_BYTES));
    /* Once the call is over, ordinary memory is the caller's again; after a
     * synchronous copy pinned memory is, too. */
    if (act->s->how != HOW_ASYNC)
        for (int w = 0; w < BUFFER_WORDS; w++) from[w] = UINT32_MAX;
}

static void do_read(const struct act *act)
{
    rill_devptr src = act->play->buffer[act->s->source];
    uint32_t ordinary[BUFFER_WORDS], *slot = act->play->stage->slots[act->step];
    uint32_t *to = act->s->how == HOW_PAGEABLE ? ordinary : slot;
    for (int w = 0; w < BUFFER_WORDS && to == ordinary; w++) to[w] = UINT32_MAX;
    if (act->s->how == HOW_SYNC)
        FINE(act, rill_memcpy_dtoh(context_of_buffer(act, act->s->source), to, src, BUFFER_BYTES));
    else
        FINE(act, rill_memcpy_dtoh_async(act->stream, to, src, BUFFER_BYTES));
    if (act->s->how == HOW_ASYNC) return;
    trace_check_done(act->play, act->step);
    uint32_t value = act->play->model->value[act->step];
    for (int w = 0; w < BUFFER_WORDS; w++) {
        if (to[w] == value) continue;
        accuse(act->play, act->step, "word %d is 0x%08x and must be 0x%08x", w, to[w], value);
        return;
    }
}

/* ---- Values ------------------------------------------------------------------------------ */

/* Every word is 0 until the step that it belongs to, or the thread that opens
 * it, stores a 1: once, so that each of these says the same. */
static rill_value wait_of(const struct act *act, int word, int variant)
{
    static const uint32_t flags[] = { RILL_WAIT_GEQ, RILL_WAIT_EQ, RILL_WAIT_AND, RILL_WAIT_GEQ };
    return (rill_value){
        .kind = variant == 3 ? RILL_VALUE_WAIT_64 : RILL_VALUE_WAIT_32,
        .flags = flags[variant],
        .address = act->play->stage->words_at + (rill_devptr)word * 8,
        .value = 1,
    };
}

static rill_value write_of(const struct act *act, int variant)
{
    return (rill_value){
        .kind = variant & 1 ? RILL_VALUE_WRITE_64 : RILL_VALUE_WRITE_32,
        .address = act->play->stage->words_at + (rill_devptr)act->step * 8,
        .value = 1,
    };
}

static void do_values(const struct act *act)
{
    rill_value items[2];
    size_t count = 0;
    if (act->s->verb == DO_GATE) items[count++] = wait_of(act, act->step, act->s->how);
    if (act->s->partner >= 0) items[count++] = wait_of(act, act->s->partner, act->s->how);
    if (act->s->verb == DO_WRITE || act->s->verb == DO_BATCH)
        items[count++] = write_of(act, act->step);
    FINE(act, rill_stream_batch_values(act->stream, items, count, 0));
}

static void do_open(const struct act *act)
{
    /* The half that a 32-bit wait looks at; the other half stays 0. */
    atomic_store((_Atomic(uint64_t) *)&act->play->stage->words[act->s->partner], 1);
}

/* ---- Order --------------------------------------------------------------------------------- */

static void do_event(const struct act *act)
{
    rill_event *event = act->play->event[act->s->event];
    /* In a graph it is a node, not an edge. */
    uint32_t flags = act->s->captured ? RILL_EVENT_EXTERNAL : 0;
    if (act->s->verb == DO_RECORD) FINE(act, rill_event_record(event, act->stream, flags));
    else FINE(act, rill_stream_wait_event(act->stream, event, flags));
}

static void do_wait_stream(const struct act *act)
{
    FINE(act, rill_stream_wait_stream(act->stream, act->play->stream[act->s->other]));
}

static void do_empty(const struct act *act)
{
    rill_op op = { .kind = RILL_OP_EMPTY };
    FINE(act, rill_stream_submit(act->stream, &op));
}

/* ---- Questions ------------------------------------------------------------------------------- */

static bool any_lingers(const struct act *act)
{
    for (int k = 0; k < act->step; k++)
        if (captured_step_lingers(&act->play->program->step[k])) return true;
    return false;
}

static void judge_answer(const struct act *act, rill_status status, const char *call)
{
    if (!status) {
        trace_check_done(act->play, act->step);
    } else if (status != RILL_ERROR_NOT_READY) {
        fine(act->play, act->step, status, call);
    } else if (model_must_be_done(act->play->model, act->step) && !any_lingers(act)) {
        accuse(act->play, act->step, "%s says that work is pending, and all is done", call);
    }
}

static void do_query(const struct act *act)
{
    if (act->s->verb == DO_QUERY_STREAM)
        judge_answer(act, rill_stream_query(act->stream), "rill_stream_query");
    else judge_answer(act, rill_event_query(act->play->event[act->s->event]), "rill_event_query");
}

static void do_elapsed(const struct act *act)
{
    struct play *play = act->play;
    const struct event_plan *start = &play->program->event[act->s->event];
    const struct event_plan *end = &play->program->event[act->s->event2];
    int first = model_record_at(play->model, act->s->event, act->step);
    int last = model_record_at(play->model, act->s->event2, act->step);
    float ms = 0;
    rill_status status = rill_event_elapsed(play->event[act->s->event],
                                            play->event[act->s->event2], &ms);
    /* Measured: not even between two contexts of one device. */
    bool wrong = !start->timed || !end->timed || start->context != end->context;
    if (wrong) {
        if (status != RILL_ERROR_INVALID_HANDLE)
            accuse(play, act->step, "rill_event_elapsed gave %d, not INVALID_HANDLE", (int)status);
        return;
    }
    if (first < 0 || last < 0) return; /* never recorded, or who knows when */
    if (!status) {
        struct step_set past = model_recorded(play->model, last);
        bool in_order = set_has(&past, record_in(play->program, first));
        if (in_order && ms < 0) accuse(play, act->step, "the later event came %f ms earlier", -ms);
    } else if (status != RILL_ERROR_NOT_READY) {
        fine(act->play, act->step, status, "rill_event_elapsed");
    } else if (model_must_be_done(play->model, act->step) && !any_lingers(act)) {
        accuse(play, act->step, "rill_event_elapsed says that work is pending, and all is done");
    }
}

/* ---- Waiting ------------------------------------------------------------------------------- */

static void do_synchronize(const struct act *act)
{
    struct play *play = act->play;
    if (act->s->verb == DO_SYNC_STREAM) FINE(act, rill_stream_synchronize(act->stream));
    else if (act->s->verb == DO_SYNC_EVENT)
        FINE(act, rill_event_synchronize(play->event[act->s->event]));
    else FINE(act, rill_context_synchronize(play->context[act->s->context]));
    trace_check_done(play, act->step);
}

static void do_poll(const struct act *act)
{
    rill_status status;
    while ((status = rill_stream_query(act->stream)) == RILL_ERROR_NOT_READY) sched_yield();
    if (fine(act->play, act->step, status, "rill_stream_query"))
        trace_check_done(act->play, act->step);
}

static void do_look(const struct act *act)
{
    struct trace *trace = &act->play->trace[act->s->partner];
    while (!atomic_load_explicit(&trace->done, memory_order_acquire)) sched_yield();
    trace_check_done(act->play, act->step);
}

static void do_await(const struct act *act)
{
    atomic_int *progress = &act->play->progress[act->play->program->step[act->s->partner].thread];
    while (atomic_load_explicit(progress, memory_order_acquire) <= act->s->partner) sched_yield();
}

static void do_pause(const struct act *act)
{
    static const struct timespec moment = { .tv_nsec = 60000 };
    switch (act->s->how) {
    case 0: sched_yield(); break;
    case 1: nanosleep(&moment, NULL); break;
    default:
        for (int i = 0; i < 400 * act->s->how; i++) rl_relax();
    }
}

/* ---- Coming and going ---------------------------------------------------------------------- */

static void do_create(const struct act *act)
{
    if (act->s->verb == DO_STREAM_CREATE) objects_make_stream(act->play, act->s->stream, act->step);
    else objects_make_event(act->play, act->s->event, act->step);
}

static void do_destroy(const struct act *act)
{
    if (act->s->verb == DO_STREAM_DESTROY)
        FINE(act, rill_stream_destroy(&act->play->stream[act->s->stream]));
    else FINE(act, rill_event_destroy(&act->play->event[act->s->event]));
}

static void do_refused(const struct act *act)
{
    struct play *play = act->play;
    int other = play->program->event[act->s->event].context;
    const rill_dim3 one = { 1, 1, 1 };
    uintptr_t trace = (uintptr_t)trace_of(act);
    uint32_t number = 0;
    const void *params[] = { &number, &trace };
    rill_status status, wanted = RILL_ERROR_INVALID_HANDLE;
    if (act->s->how == 0) {
        status = rill_event_record(play->event[act->s->event], act->stream, 0);
    } else if (act->s->how == 1) {
        status = rill_launch_kernel(act->stream, play->grid_kernel[other], one, one, 0, params);
    } else {
        status = rill_stream_wait_value32(act->stream, 2, 0, RILL_WAIT_GEQ);
        wanted = RILL_ERROR_INVALID_VALUE;
    }
    if (status != wanted)
        accuse(play, act->step, "the call gave %d, not %d", (int)status, (int)wanted);
}

static void do_exec(const struct act *act)
{
    graph_take_step(act->play, act->step, act->stream);
}

static void (*const acts[VERBS])(const struct act *) = {
    [DO_HOST] = do_host, [DO_KERNEL] = do_kernel, [DO_BLOCKS] = do_kernel,
    [DO_CALLBACK] = do_callback, [DO_STORE] = do_kernel, [DO_CHECK] = do_kernel,
    [DO_ALLOC] = do_alloc, [DO_FREE] = do_free, [DO_EMPTY] = do_empty, [DO_FILL] = do_fill,
    [DO_COPY] = do_copy, [DO_UPLOAD] = do_upload, [DO_READ] = do_read, [DO_RECORD] = do_event,
    [DO_WAIT] = do_event, [DO_WAIT_STREAM] = do_wait_stream, [DO_GATE] = do_values,
    [DO_WRITE] = do_values, [DO_WAIT_VALUE] = do_values, [DO_BATCH] = do_values,
    [DO_OPEN] = do_open, [DO_QUERY_STREAM] = do_query, [DO_QUERY_EVENT] = do_query,
    [DO_ELAPSED] = do_elapsed, [DO_SYNC_STREAM] = do_synchronize,
    [DO_SYNC_EVENT] = do_synchronize, [DO_SYNC_CONTEXT] = do_synchronize, [DO_POLL] = do_poll,
    [DO_LOOK] = do_look, [DO_AWAIT] = do_await, [DO_PAUSE] = do_pause,
    [DO_STREAM_CREATE] = do_create, [DO_STREAM_DESTROY] = do_destroy,
    [DO_EVENT_CREATE] = do_create, [DO_EVENT_DESTROY] = do_destroy, [DO_REFUSED] = do_refused,
    [DO_LAUNCH] = do_exec, [DO_CHANGE] = do_exec, [DO_SWITCH] = do_exec, [DO_UPDATE] = do_exec,
    [DO_RETIRE] = do_exec,
};

static void capture(struct act *act)
{
    rill_stream *stream = act->stream;
    struct capture_step capture;
    if (!capture_step_begin(&capture, act->play, act->step)) return;
    act->stream = capture.side;
    acts[act->s->verb](act);
    capture_step_end(&capture, stream);
}

void take_step(struct play *play, int step)
{
    const struct step *s = &play->program->step[step];
    struct act act = { play, s, step, s->stream >= 0 ? play->stream[s->stream] : NULL };
    if (s->captured) capture(&act);
    else acts[s->verb](&act);
}
