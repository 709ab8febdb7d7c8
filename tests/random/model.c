/* SPDX-License-Identifier: Apache-2.0 */
#include "random/model.h"

#include <string.h>

/* ---- The host's order ---------------------------------------------------------- */

void model_order_host(struct model *model, int step)
{
    const struct step *s = &model->program->step[step];
    struct step_set *earlier = &model->earlier[step];
    memset(earlier, 0, sizeof *earlier);
    int own = model->last[s->thread];
    if (own >= 0) {
        *earlier = model->earlier[own];
        set_add(earlier, own);
    }
    if (s->verb == DO_AWAIT && s->partner >= 0) {
        set_join(earlier, &model->earlier[s->partner]);
        set_add(earlier, s->partner);
    }
}

/* ---- What is in a stream ---------------------------------------------------------- */

static void join_with_past(const struct model *model, struct step_set *set, int step)
{
    set_add(set, step);
    if (model->program->step[step].verb == DO_LAUNCH) set_add(set, RECORD_IN(step));
    set_join(set, &model->promised[step]);
}

struct step_set model_recorded(const struct model *model, int step)
{
    const struct step *s = &model->program->step[step];
    const struct graph_plan *plan = &model->program->graph[s->graph < 0 ? 0 : s->graph];
    bool behind = s->verb != DO_LAUNCH || (plan->awaiter >= 0 &&
                  graph_before(plan, plan->awaiter, plan->recorder));
    struct step_set set = behind ? model->promised[step] : model->entry[step];
    set_add(&set, record_in(model->program, step));
    return set;
}

/* What the host put into a stream before `step`, and all that is before that. */
static void join_content(const struct model *model, struct step_set *set, int stream, int step)
{
    const struct program *program = model->program;
    for (int k = 0; k < step; k++)
        if (program->step[k].stream == stream && !program->step[k].dropped &&
            is_device(program, k) && host_before(model, k, step))
            join_with_past(model, set, k);
}

static bool blocking(const struct program *program, int stream)
{
    return program->stream[stream].kind == BLOCKING || program->stream[stream].kind == PER_THREAD;
}

static bool same_context(const struct program *program, int a, int b)
{
    return program->stream[a].context == program->stream[b].context;
}

static int legacy_of(const struct program *program, int context)
{
    for (int s = 0; s < program->streams; s++)
        if (program->stream[s].kind == LEGACY && program->stream[s].context == context) return s;
    return -1;
}

/* What an operation that now comes into the stream runs after. */
static void join_arrival(const struct model *model, struct step_set *set, int stream, int step)
{
    const struct program *program = model->program;
    join_content(model, set, stream, step);
    if (program->stream[stream].kind == LEGACY) {
        for (int s = 0; s < program->streams; s++)
            if (blocking(program, s) && same_context(program, s, stream))
                join_content(model, set, s, step);
    } else if (blocking(program, stream)) {
        join_content(model, set, legacy_of(program, program->stream[stream].context), step);
    }
}

/* What a synchronize of the stream waits for. */
static void join_presence(const struct model *model, struct step_set *set, int stream, int step)
{
    if (model->program->stream[stream].kind == LEGACY) join_arrival(model, set, stream, step);
    else join_content(model, set, stream, step);
}

/* ---- Events ------------------------------------------------------------------------- */

static bool records(const struct model *model, int k, int event)
{
    return records_event(model->program, k, event) && !model->program->step[k].dropped;
}

/* Another record came certainly after `k` and before `step`. */
static bool overwritten(const struct model *model, int k, int event, int step)
{
    for (int later = k + 1; later < step; later++)
        if (records(model, later, event) && host_before(model, k, later) &&
            host_before(model, later, step))
            return true;
    return false;
}

/* The records that the event may have at `step`; in `never` whether it may
 * have none. */
static int candidates(const struct model *model, int event, int step, int *found, bool *never)
{
    int count = 0;
    *never = true;
    int end = model->whole ? model->program->steps : step;
    for (int k = 0; k < end; k++) {
        if (k == step || !records(model, k, event)) continue;
        if (model->whole ? host_before(model, step, k) : k > step) continue;
        if (host_before(model, k, step)) {
            *never = false;
            if (overwritten(model, k, event, step)) continue;
        }
        found[count++] = k;
    }
    return count;
}

/* Then a wait for it may be no operation at all, not even one that holds a place
 * behind the legacy stream's. */
static bool maybe_never_recorded(const struct model *model, int event, int step)
{
    int found[STEPS_MAX];
    bool never;
    if (!model->whole && model->program->event[event].shared) return true;
    candidates(model, event, step, found, &never);
    return never;
}

int model_record_at(const struct model *model, int event, int step)
{
    int found[STEPS_MAX];
    bool never;
    return candidates(model, event, step, found, &never) == 1 && !never ? found[0] : -1;
}

struct step_set model_snapshot(const struct model *model, int event, int step, bool *sure)
{
    struct step_set set = { { 0 } };
    int found[STEPS_MAX];
    bool never;
    *sure = false;
    if (!model->whole && model->program->event[event].shared) return set;
    int count = candidates(model, event, step, found, &never);
    *sure = count + never == 1;
    if (never || !count) return set;
    for (int i = 0; i < count; i++) {
        struct step_set one = { { 0 } };
        /* A record that is not certainly before has a past that is not known
         * yet: it may be this very operation's future. */
        if (host_before(model, found[i], step)) one = model_recorded(model, found[i]);
        if (i) set_meet(&set, &one);
        else set = one;
    }
    return set;
}

/* ---- Promises -------------------------------------------------------------------------- */

static void join_context(const struct model *model, struct step_set *set, int context, int step)
{
    for (int s = 0; s < model->program->streams; s++)
        if (model->program->stream[s].context == context) join_content(model, set, s, step);
}

/* Launches of an exec come one after the other. */
static void join_launches(const struct model *model, struct step_set *set, int step)
{
    const struct program *program = model->program;
    for (int k = step - 1; k >= 0; k--) {
        const struct step *s = &program->step[k];
        if (s->verb != DO_LAUNCH || s->graph != program->step[step].graph || s->dropped) continue;
        join_with_past(model, set, k);
        return;
    }
}

static void join_extra(const struct model *model, struct step_set *set, int step)
{
    const struct step *s = &model->program->step[step];
    struct step_set snapshot;
    bool sure;
    switch (s->verb) {
    case DO_WAIT:
    case DO_SYNC_EVENT:
    case DO_QUERY_EVENT:
        snapshot = model_snapshot(model, s->event, step, &sure);
        set_join(set, &snapshot);
        break;
    case DO_LAUNCH:
        if (s->event2 < 0) break;
        snapshot = model_snapshot(model, s->event2, step, &sure);
        set_join(set, &snapshot);
        break;
    case DO_WAIT_STREAM:
        join_arrival(model, set, s->other, step);
        break;
    case DO_WAIT_VALUE:
    case DO_BATCH:
    case DO_LOOK:
        join_with_past(model, set, s->partner);
        break;
    case DO_SYNC_CONTEXT:
        join_context(model, set, s->context, step);
        break;
    default:
        break;
    }
}

struct step_set model_entry(const struct model *model, int step)
{
    struct step_set set = { { 0 } };
    join_arrival(model, &set, model->program->step[step].stream, step);
    join_launches(model, &set, step);
    return set;
}

struct step_set model_promise(const struct model *model, int step)
{
    const struct step *s = &model->program->step[step];
    struct step_set set = { { 0 } };
    if (s->verb == DO_WAIT && maybe_never_recorded(model, s->event, step)) return set;
    if (s->verb == DO_LAUNCH) set = model->entry[step];
    else if (is_device(model->program, step)) join_arrival(model, &set, s->stream, step);
    else if (s->verb == DO_QUERY_STREAM || s->verb == DO_SYNC_STREAM || s->verb == DO_POLL)
        join_presence(model, &set, s->stream, step);
    join_extra(model, &set, step);
    return set;
}

/* ---- Answers of queries -------------------------------------------------------------------- */

static bool maybe_before(const struct model *model, int k, int step)
{
    return k != step && !model->program->step[k].dropped && !host_before(model, step, k);
}

/* A synchronous copy between contexts passes the legacy streams of both. */
static bool copies_from(const struct program *program, const struct step *s, int stream)
{
    return s->verb == DO_COPY && s->how == HOW_SYNC && s->stream != stream &&
           program->stream[stream].kind == LEGACY &&
           program->context_of[s->source] == program->stream[stream].context;
}

/* The host has waited for all of the stream after `k` and before `step`. */
static bool waited_since(const struct model *model, int stream, int k, int step)
{
    const struct program *program = model->program;
    for (int i = 0; i < step; i++) {
        const struct step *s = &program->step[i];
        if (s->dropped || !host_before(model, k, i) || !host_before(model, i, step)) continue;
        if ((s->verb == DO_SYNC_STREAM || s->verb == DO_POLL) && s->stream == stream) return true;
        if (s->verb == DO_SYNC_CONTEXT && s->context == program->stream[stream].context)
            return true;
    }
    return false;
}

/* All that may be in the stream by now is known to be done. */
static bool stream_settled(const struct model *model, int stream, int step)
{
    const struct program *program = model->program;
    for (int k = 0; k < program->steps; k++) {
        const struct step *s = &program->step[k];
        if (!maybe_before(model, k, step)) continue;
        bool adds = is_device(program, k) && s->stream == stream;
        if (s->verb == DO_WAIT_STREAM && s->other == stream) adds = true;
        if (adds && !set_has(&model->settled[step], k)) return false;
        /* The copy leaves a wait there, which can outlast the copy. */
        if (copies_from(program, s, stream) && !waited_since(model, stream, k, step)) return false;
        /* A synchronize of the legacy stream adds to it for a while. */
        if (s->verb == DO_SYNC_STREAM && s->stream == stream && !host_before(model, k, step))
            return false;
    }
    return true;
}

static bool legacy_settled(const struct model *model, int legacy, int step)
{
    const struct program *program = model->program;
    for (int s = 0; s < program->streams; s++)
        if ((s == legacy || blocking(program, s)) && same_context(program, s, legacy) &&
            !stream_settled(model, s, step))
            return false;
    return true;
}

static bool event_settled(const struct model *model, int event, int step)
{
    int found[STEPS_MAX];
    bool never;
    int count = candidates(model, event, step, found, &never);
    for (int i = 0; i < count; i++) {
        if (!host_before(model, found[i], step) ||
            !set_has(&model->settled[step], record_in(model->program, found[i])))
            return false;
    }
    return true;
}

bool model_must_be_done(const struct model *model, int step)
{
    const struct step *s = &model->program->step[step];
    if (s->verb == DO_QUERY_EVENT) return event_settled(model, s->event, step);
    if (s->verb == DO_ELAPSED)
        return event_settled(model, s->event, step) && event_settled(model, s->event2, step);
    if (model->program->stream[s->stream].kind == LEGACY)
        return legacy_settled(model, s->stream, step);
    return stream_settled(model, s->stream, step);
}
