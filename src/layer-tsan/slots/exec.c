/* SPDX-License-Identifier: Apache-2.0
 *
 * Execs: models of them, and their launches.
 */
#include "base/tsan.h"
#include "layer-tsan/slots/function.h"
#include "layer-tsan/slots/graph.h"
#include "site/site.h"

/* ---- Models ------------------------------------------------------------------------------- */

static struct ts_event *retain_event(rill_event *handle)
{
    struct ts_event *event = ts_event_of(handle);
    if (event) event->references++;
    return event;
}

static struct ts_survey survey_of(rill_exec *exec)
{
    return (struct ts_survey){ .beneath = ts_teller_of(exec)->beneath,
                               .context = rill_object_of(exec)->context,
                               .event = retain_event, .look = ts_copy_node };
}

/* Makes the model of an exec anew.  `updated`: from another graph, of the same shape. */
static void model_exec(struct ts_teller *teller, rill_exec *exec, rill_graph *graph, bool updated)
{
    const struct ts_survey survey = survey_of(exec);
    struct ts_exec_word *word = ts_exec_word(exec);
    struct ts_model *model = word ? ts_model_create(&survey, graph) : NULL;
    if (model && !updated) ts_model_number(&survey, model, exec);
    bool fits = model && !model->failed;
    if (fits && updated) fits = word->model && ts_model_take_numbers(model, word->model);
    if (fits) {
        ts_model_release(word->model);
        word->model = model;
    } else {
        ts_model_release(model);
        teller->order.failed = true;
    }
}

static rill_status tell_create(rill_exec *exec, rill_graph *graph, rill_exec_options *options)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_DIRECT);
    rill_status status = ts_beneath(exec)->exec->create(exec, graph, options);
    struct ts_teller *teller = status ? NULL : ts_enter(exec);
    if (teller) {
        model_exec(teller, exec, graph, false);
        ts_leave(teller);
    }
    ts_call_end(&call);
    return status;
}

static rill_status tell_destroy(rill_exec *exec)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_DIRECT);
    __tsan_release(&ts_teller_of(exec)->order.all);
    rill_status status = ts_beneath(exec)->exec->destroy(exec);
    ts_call_end(&call);
    return status;
}

static rill_status tell_update(rill_exec *exec, rill_graph *graph, rill_update_result *result)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_DIRECT);
    rill_status status = ts_beneath(exec)->exec->update(exec, graph, result);
    struct ts_teller *teller = status ? NULL : ts_enter(exec);
    if (teller) {
        model_exec(teller, exec, graph, true);
        ts_leave(teller);
    }
    ts_call_end(&call);
    return status;
}

static void model_op(rill_exec *exec, rill_node node, const rill_op *op)
{
    const struct ts_survey survey = survey_of(exec);
    struct ts_teller *teller = ts_enter(exec);
    if (!teller) return;
    struct ts_exec_word *word = ts_exec_word(exec);
    if (word && word->model) ts_model_set_op(&survey, word->model, node, op);
    ts_leave(teller);
}

static rill_status tell_set_op(rill_exec *exec, rill_node node, const rill_op *given)
{
    rill_op op;
    const struct ts_call call = ts_call_begin(TS_CALLS_DIRECT);
    rill_status status = ts_wrap_node(exec, given, &op);
    if (!status) status = ts_beneath(exec)->exec->set_op(exec, node, &op);
    if (!status) model_op(exec, node, given);
    ts_call_end(&call);
    return status;
}

static rill_status tell_set_enabled(rill_exec *exec, rill_node node, int enabled)
{
    rill_status status = ts_beneath(exec)->exec->set_enabled(exec, node, enabled);
    struct ts_teller *teller = status ? NULL : ts_enter(exec);
    if (!teller) return status;
    struct ts_exec_word *word = ts_exec_word(exec);
    if (word && word->model) ts_model_set_enabled(word->model, node, enabled);
    ts_leave(teller);
    return status;
}

/* ---- Launches ----------------------------------------------------------------------------- */

/* Tells of the pageable memory that the launch reads when it is called, before its nodes can write
 * there. */
static void read_early(const struct ts_model *model)
{
    for (uint32_t i = 0; i < model->count; i++) {
        const struct ts_place *place = &model->places[i];
        if (place->reads && !place->disabled) ts_read_here(&place->read);
    }
}

/* Adds a launch to a stream, before it can run.  Returns a reference, or NULL if nothing is
 * told. */
static struct ts_launch *add_launch(rill_exec *exec, rill_stream *handle, const void *site)
{
    struct ts_teller *teller = ts_enter(exec);
    if (!teller) return NULL;
    struct ts_exec_word *word = ts_exec_word(exec);
    struct ts_stream *stream = ts_stream_here(teller, handle);
    struct ts_launch *launch = NULL;
    if (word && stream && word->model) {
        read_early(word->model);
        ts_front_join(&teller->order, &stream->front, &word->last);
        struct ts_point *point = ts_stream_add(&teller->order, stream, site);
        if (point) launch = ts_launch_create(&teller->order, word->model, point);
        if (launch) ts_launch_events(launch);
        ts_front_set(&teller->order, &word->last, point);
        ts_point_release(point);
    }
    ts_leave(teller);
    return launch;
}

static void end_submission(struct ts_launch *launch, rill_status status)
{
    struct ts_order *order = launch->order;
    rl_lock(&order->lock);
    if (status) ts_launch_end(launch, false);
    ts_launch_release(launch);
    rl_unlock(&order->lock);
}

static rill_status launch_exec(rill_exec *exec, rill_stream *stream)
{
    const void *site = cs_site_here();
    struct ts_launch *launch = ts_is_capturing(stream) ? NULL : add_launch(exec, stream, site);
    ts_watch_submitting(launch);
    rill_status status = ts_beneath(exec)->exec->launch(exec, stream);
    ts_watch_submitting(NULL);
    if (launch) end_submission(launch, status);
    return status;
}

static rill_status tell_launch(rill_exec *exec, rill_stream *stream)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_WAITS);
    rill_status status = launch_exec(exec, stream);
    ts_call_end(&call);
    return status;
}

/* An upload is promised to come after the launches of the exec. */
static rill_status tell_upload(rill_exec *exec, rill_stream *handle)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_WAITS);
    rill_status status = ts_beneath(exec)->exec->upload(exec, handle);
    struct ts_teller *teller = status ? NULL : ts_enter(exec);
    if (teller) {
        const struct ts_exec_word *word = ts_exec_word(exec);
        struct ts_stream *stream = ts_stream_here(teller, handle);
        if (word && stream) ts_front_join(&teller->order, &stream->front, &word->last);
        ts_leave(teller);
    }
    ts_call_end(&call);
    return status;
}

const struct rill_exec_ops ts_exec_slots = {
    .create = tell_create, .destroy = tell_destroy, .launch = tell_launch,
    .upload = tell_upload, .set_op = tell_set_op, .set_enabled = tell_set_enabled,
    .update = tell_update,
};
