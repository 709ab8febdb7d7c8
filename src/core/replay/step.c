/* SPDX-License-Identifier: Apache-2.0
 *
 * One step of a replay: captured, taken over by an exec, and launched; or run without a
 * capture.
 */
#include <stdio.h>

#include "core/capture/capture.h"
#include "core/graph/exec.h"
#include "core/graph/graph.h"
#include "core/object/check.h"
#include "core/object/error.h"
#include "core/replay/replay.h"

struct step {
    rill_replay *replay;
    struct rl_replay_part *own;
    rill_stream *stream;
    const rill_context *context; /* of the stream                  */
    rill_graph *graph;  /* what was captured; NULL if nothing was  */
    struct rl_note why; /* why it is no mere update; or no note    */
    int hopeless;       /* it would fail without a capture as well */
    int refused;        /* an exec refused it                      */
    rill_replay_report report;
};

/* ---- Modes -------------------------------------------------------------- */

/* Switches to the relaxed mode: making and destroying execs would break other captures. */
static int relax_mode(const rill_replay *replay, rill_capture_mode *mode)
{
    const struct rill_capture_ops *ops = rl_capture_ops(replay);
    *mode = RILL_CAPTURE_RELAXED;
    return ops && !ops->exchange_mode(rill_object_of(replay)->platform, mode);
}

static void restore_mode(const rill_replay *replay, int relaxed, rill_capture_mode mode)
{
    if (relaxed) rl_capture_ops(replay)->exchange_mode(rill_object_of(replay)->platform, &mode);
}

void rl_replay_drop_execs(rill_replay *replay)
{
    rill_capture_mode mode;
    if (!rl_replay_part(replay)->cached) return;
    int relaxed = relax_mode(replay, &mode);
    rl_drop_execs(rl_replay_part(replay));
    restore_mode(replay, relaxed, mode);
    rl_drop_note();
}

/* ---- Updates ------------------------------------------------------------ */

static void note_refusal(struct step *step, rill_status status, const rill_update_result *result)
{
    size_t kinds = sizeof step->own->info.refusals / sizeof *step->own->info.refusals;
    size_t reason = (size_t)result->reason;
    if (!reason || reason >= kinds) reason = RILL_UPDATE_ERROR;
    step->own->info.refusals[reason]++;
    if (step->refused++) return; /* only the refusal of the exec used last is told */
    rl_take_note(&step->why, step->graph, status);
    step->report.reason = (rill_update_reason)reason;
    step->report.node = result->node;
    step->report.from_node = result->from_node;
}

static void forget_refusal(struct step *step)
{
    step->why.status = RILL_SUCCESS;
    step->report.reason = RILL_UPDATE_SUCCESS;
    step->report.node = step->report.from_node = NULL;
}

/* Lets an exec take the graph over: *updated, or NULL if all refuse.  Fails only if the device
 * failed. */
static rill_status update_exec(struct step *step, const struct rl_replay_key *key,
                               struct rl_cached **updated)
{
    const rill_context *context = rill_object_of(step->graph)->context;
    struct rl_cached *cached = rl_find_exec(step->own, NULL, context, key);
    *updated = NULL;
    while (cached) {
        rill_update_result result = { RILL_UPDATE_SUCCESS, NULL, NULL };
        rill_status status = rl_exec_ops(cached->exec)->update(cached->exec, step->graph, &result);
        if (rill_error_is_sticky(status)) return status;
        if (!status) {
            forget_refusal(step);
            *updated = cached;
            return RILL_SUCCESS;
        }
        note_refusal(step, status, &result);
        struct rl_cached *refused = cached;
        /* Each capture allocates elsewhere, so that exec can take over no later step. */
        cached = key->has_memory ? NULL : rl_find_exec(step->own, cached, context, key);
        if (key->has_memory) rl_drop_exec(step->own, refused);
    }
    return RILL_SUCCESS;
}

/* ---- From graph to launch ----------------------------------------------- */

static rill_status instantiate_exec(struct step *step, const struct rl_replay_key *key,
                                    struct rl_cached **made)
{
    rill_status status =
        rl_add_exec(step->replay, step->graph, key, made, &step->report.evicted);
    if (status) {
        step->hopeless = rill_error_is_sticky(status);
        return status;
    }
    step->report.outcome =
        step->refused ? RILL_REPLAY_REINSTANTIATED : RILL_REPLAY_INSTANTIATED;
    return RILL_SUCCESS;
}

static rill_status launch_exec(struct step *step)
{
    struct rl_replay_key key;
    struct rl_cached *cached = NULL;
    step->hopeless = 1;
    rill_status status = rl_replay_key_of(step->graph, &step->own->sketch, &key);
    if (!status && !key.nodes) {
        step->report.outcome = RILL_REPLAY_EMPTY;
        return RILL_SUCCESS;
    }
    step->report.outcome = RILL_REPLAY_UPDATED;
    if (!status) status = update_exec(step, &key, &cached);
    if (!status && !cached) status = instantiate_exec(step, &key, &cached);
    if (status) return status;
    rl_touch_exec(step->own, cached);
    status = rl_exec_ops(cached->exec)->launch(cached->exec, step->stream);
    if (status) step->hopeless = 1;
    return status;
}

/* ---- Captures ----------------------------------------------------------- */

static int is_about_capture(rill_status status)
{
    return status >= RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED &&
           status <= RILL_ERROR_STREAM_CAPTURE_WRONG_THREAD;
}

static rill_status capture_step(struct step *step)
{
    const rill_capture_options options = { .size = sizeof options,
                                           .mode = step->own->options.mode };
    enum rl_stage stage = RL_NOT_BEGUN;
    rill_status status =
        rl_need(step->replay, rl_capture_ops(step->replay) != NULL, "rill_capture");
    if (!status)
        status = rl_need(step->replay, rl_exec_ops(step->replay) != NULL, "rill_exec_create");
    if (!status)
        status = rl_capture(step->stream, &options, step->own->step, step->own->data, &step->graph,
                            &stage);
    /* A function that failed by itself would fail again. */
    step->hopeless = (stage == RL_IN_FUNCTION && !is_about_capture(status)) ||
                     rill_error_is_sticky(status);
    return status;
}

static rill_status capture_and_launch(struct step *step)
{
    rill_capture_mode mode;
    rill_status status = capture_step(step);
    if (status) return status;
    int relaxed = relax_mode(step->replay, &mode);
    status = launch_exec(step);
    restore_mode(step->replay, relaxed, mode);
    return status;
}

/* ---- Eager runs --------------------------------------------------------- */

/* Tells whether the function can run again: it may have destroyed its stream. */
static int may_run_eagerly(const struct step *step)
{
    return step->own->options.flags & RILL_REPLAY_OR_EAGER && !step->hopeless &&
           rl_usable(step->replay, RILL_OBJECT_REPLAY) && !rl_is_gone(step->stream, step->context);
}

static rill_status run_eagerly(struct step *step)
{
    struct rl_note failed;
    rill_status why = step->why.status;
    forget_refusal(step);
    step->report.outcome = RILL_REPLAY_EAGER;
    step->report.status = why;
    unsigned long failures = rl_failures();
    rl_drop_note();
    rill_status status = step->own->step(step->stream, step->own->data);
    if (!status) return RILL_SUCCESS;
    rl_note_function(&failed, status, rl_failures() != failures);
    return rl_put_note(&failed);
}

/* Destroys the step's graph after the report and before the note is put, since the user
 * objects of the graph may call the program back. */
static void drop_graph(struct step *step)
{
    if (step->graph) rl_graph_end(step->graph);
    step->graph = NULL;
    rl_drop_note();
}

/* ---- The step ----------------------------------------------------------- */

static const char *reason_of(const struct step *step)
{
    switch (step->report.outcome) {
    case RILL_REPLAY_UPDATED: return "";
    case RILL_REPLAY_INSTANTIATED: return "no exec has this shape";
    case RILL_REPLAY_REINSTANTIATED:
    case RILL_REPLAY_EAGER: return step->why.message;
    case RILL_REPLAY_EMPTY: break;
    }
    return "the function put nothing into the stream; look whether it used another one";
}

static void count_step(struct step *step)
{
    rill_replay_info *info = &step->own->info;
    switch (step->report.outcome) {
    case RILL_REPLAY_UPDATED: info->updates++; break;
    case RILL_REPLAY_INSTANTIATED: info->instantiations++; break;
    case RILL_REPLAY_REINSTANTIATED: info->reinstantiations++; break;
    case RILL_REPLAY_EAGER: info->eager_runs++; break;
    case RILL_REPLAY_EMPTY: info->empty_steps++; break;
    }
    info->outcome = step->report.outcome;
    if (info->outcome != RILL_REPLAY_UPDATED)
        snprintf(info->reason, sizeof info->reason, "%s", reason_of(step));
}

static void report_step(struct step *step)
{
    const struct rl_replay_part *own = step->own;
    if (!own->options.report) return;
    step->report.size = sizeof step->report;
    step->report.step = own->info.steps;
    step->report.text = reason_of(step);
    step->report.graph = step->graph;
    step->report.execs = own->info.execs;
    step->report.bytes = own->info.bytes;
    own->options.report(own->options.report_data, &step->report);
}

rill_status rl_replay_run(rill_replay *replay, rill_stream *stream)
{
    struct step step = { .replay = replay,
                         .own = rl_replay_part(replay),
                         .stream = stream,
                         .context = rill_object_of(stream)->context };
    step.own->info.steps++;
    rill_status status = capture_and_launch(&step);
    if (status) {
        rl_take_note(&step.why, replay, status);
        drop_graph(&step);
        status = may_run_eagerly(&step) ? run_eagerly(&step) : rl_put_note(&step.why);
    }
    if (status) {
        step.own->info.failures++;
        return status;
    }
    rl_drop_note();
    count_step(&step);
    report_step(&step);
    drop_graph(&step);
    return RILL_SUCCESS;
}
