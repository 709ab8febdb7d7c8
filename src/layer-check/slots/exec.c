/* SPDX-License-Identifier: Apache-2.0
 *
 * Execs: models of them, and their launches.
 */
#include "base/alloc.h"
#include "layer-check/model/node.h"
#include "layer-check/model/returned.h"
#include "site/site.h"
#include "layer-check/slots/attach.h"
#include "layer-check/slots/flags.h"
#include "layer-check/slots/objects.h"
#include "layer-check/slots/pinned.h"
#include "layer-check/slots/submit.h"

/* ---- Models -------------------------------------------------------------------------------- */

static struct ck_notes *notes_of_graph(void *data, rill_graph *graph)
{
    (void)data;
    return ck_notes_of(graph);
}

static struct ck_event_state *state_of_event(void *data, rill_event *event)
{
    struct ck_event_state *state = event ? ck_event_state(event) : NULL;
    (void)data;
    if (state) state->references++;
    return state;
}

static const char *name_of_kernel(void *data, rill_kernel *kernel)
{
    return ck_kernel_name(data, kernel);
}

static struct ck_survey survey_of(struct ck_checker *checker, const void *site)
{
    return (struct ck_survey){
        .beneath = checker->beneath, .notes = notes_of_graph,
        .event = state_of_event, .kernel_name = name_of_kernel, .data = checker, .site = site,
        .born = checker->order.serial,
    };
}

/* Asks by which numbers the watcher will know the nodes. */
static void number_nodes(struct ck_checker *checker, rill_exec *exec, struct ck_model *model)
{
    struct ck_shape *shape = model->shape;
    uint64_t number, most = 0;
    if (!checker->watched) return;
    uint64_t *numbers = rl_zalloc((shape->count + 1) * sizeof *numbers);
    for (uint32_t i = 1; numbers && i <= shape->count; i++) {
        if (!model->nodes[i] ||
            checker->beneath->watch->node_number(exec, model->nodes[i]->handle, &number))
            continue;
        numbers[i] = number;
        if (number > most) most = number;
    }
    shape->numbers = rl_zalloc((most + 1) * sizeof *shape->numbers);
    if (!numbers || !shape->numbers) {
        checker->order.failed = true;
    } else {
        shape->number_count = most + 1;
        for (uint32_t i = 1; i <= shape->count; i++)
            if (numbers[i]) shape->numbers[numbers[i]] = i;
    }
    rl_free(numbers);
}

/* Makes the model of an exec anew. */
static void model_exec(struct ck_checker *checker, rill_exec *exec, rill_graph *graph,
                       const void *site)
{
    struct ck_exec_word *word = ck_exec_word(exec);
    const struct ck_survey survey = survey_of(checker, site);
    if (!word) return;
    ck_model_release(word->model);
    word->model = ck_model_create(&survey, graph);
    if (word->model) number_nodes(checker, exec, word->model);
    else checker->order.failed = true;
}

static rill_status check_create(rill_exec *exec, rill_graph *graph, rill_exec_options *options)
{
    const void *site = cs_site_here();
    rill_status status = ck_beneath(exec)->exec->create(exec, graph, options);
    if (!status) ck_object_made(exec, RILL_OBJECT_EXEC, site);
    struct ck_checker *checker = status ? NULL : ck_enter(exec);
    if (!checker) {
        ck_capture_mind(exec, status, site, "rill_exec_create");
        return status;
    }
    model_exec(checker, exec, graph, site);
    ck_leave(checker);
    return status;
}

static rill_status check_destroy(rill_exec *exec)
{
    ck_object_gone(exec);
    return ck_beneath(exec)->exec->destroy(exec);
}

/* ---- Updates ------------------------------------------------------------------------------- */

static rill_status check_set_op(rill_exec *exec, rill_node node, const rill_op *op)
{
    rill_status status = ck_beneath(exec)->exec->set_op(exec, node, op);
    struct ck_checker *checker = status ? NULL : ck_enter(exec);
    if (!checker) return status;
    struct ck_exec_word *word = ck_exec_word(exec);
    const struct ck_survey survey = survey_of(checker, NULL);
    if (word && word->model && !ck_model_set_op(&survey, &word->model, node, op))
        checker->order.failed = true;
    ck_leave(checker);
    return status;
}

static rill_status check_set_enabled(rill_exec *exec, rill_node node, int enabled)
{
    rill_status status = ck_beneath(exec)->exec->set_enabled(exec, node, enabled);
    struct ck_checker *checker = status ? NULL : ck_enter(exec);
    if (!checker) return status;
    struct ck_exec_word *word = ck_exec_word(exec);
    if (word && word->model && !ck_model_set_enabled(&word->model, node, enabled))
        checker->order.failed = true;
    ck_leave(checker);
    return status;
}

/* Takes over what the nodes of another graph of the same shape do, in the order in which both were
 * made; the handles stay those of the first graph. */
static void update_model(struct ck_checker *checker, struct ck_exec_word *word, rill_graph *graph,
                         const void *site)
{
    const struct ck_survey survey = survey_of(checker, site);
    struct ck_model *old = word->model, *model = ck_model_create(&survey, graph);
    if (!model || !old || model->shape->count != old->shape->count) {
        ck_model_release(model);
        checker->order.failed = true;
        return;
    }
    ck_shape_release(model->shape);
    model->shape = old->shape;
    old->shape->references++;
    for (uint32_t i = 1; i <= old->shape->count; i++)
        if (model->nodes[i] && old->nodes[i]) {
            model->nodes[i]->handle = old->nodes[i]->handle;
            model->nodes[i]->disabled = old->nodes[i]->disabled;
        }
    word->model = model;
    ck_model_release(old);
}

static rill_status check_update(rill_exec *exec, rill_graph *graph, rill_update_result *result)
{
    const void *site = cs_site_here();
    rill_status status = ck_beneath(exec)->exec->update(exec, graph, result);
    struct ck_checker *checker = status ? NULL : ck_enter(exec);
    if (!checker) return status;
    struct ck_exec_word *word = ck_exec_word(exec);
    if (word) update_model(checker, word, graph, site);
    ck_leave(checker);
    return status;
}

/* ---- Launches ------------------------------------------------------------------------------ */

static void follow_values(struct ck_checker *checker, struct ck_work *work, uint32_t number,
                          const struct ck_node *node)
{
    const struct ck_step step = { .work = work, .node = number };
    for (size_t i = 0; i < node->value_count; i++) {
        const rill_value *value = &node->values[i];
        if (value->kind == RILL_VALUE_WRITE_32 || value->kind == RILL_VALUE_WRITE_64) {
            ck_flags_write(checker, &step, value);
        } else if (value->kind == RILL_VALUE_WAIT_32 || value->kind == RILL_VALUE_WAIT_64) {
            struct ck_clock *clock = ck_flags_wait(checker, &step, work->before, value);
            const struct ck_event reached = { .recorded = true, .clock = clock };
            if (clock) ck_event_wait_node(&checker->order, work, number, &reached);
            else checker->order.failed = true;
            ck_clock_release(clock);
        }
    }
}

/* Lets nodes record events and wait for them, in the order of the nodes. */
static void let_nodes_act(struct ck_checker *checker, struct ck_work *work)
{
    const struct ck_model *model = ck_launch_model(work->inside);
    for (uint32_t i = 1; model->effects && i <= model->shape->count; i++) {
        const struct ck_node *node = model->nodes[i];
        if (!node) continue;
        if (node->value_count) follow_values(checker, work, i, node);
        if (!node->event || node->event->ended) continue;
        if (node->what.kind == RILL_OP_EVENT_WAIT)
            ck_event_wait_node(&checker->order, work, i, &node->event->event);
        else
            ck_event_record_node(&checker->order, &node->event->event, work, i, &node->what);
    }
}

/* Notes which nodes write where streams wait for values. */
static void note_written(struct ck_checker *checker, struct ck_work *work)
{
    const struct ck_model *model = ck_launch_model(work->inside);
    for (uint32_t i = 1; model->touches && i <= model->shape->count; i++) {
        const struct ck_node *node = model->nodes[i];
        const struct ck_step step = { .work = work, .node = i };
        if (node && !node->disabled && !node->value_count)
            ck_flags_written(checker, &step, node->rows, node->row_count);
    }
}

/* Has what comes next in a stream come after the newest launch of the exec. */
static void follow_launch(struct ck_checker *checker, rill_exec *exec, rill_stream *handle)
{
    struct ck_exec_word *word = ck_exec_word(exec);
    struct ck_stream *stream = ck_stream_here(checker, handle);
    if (!word || !stream || !word->before) return;
    ck_stream_follow(&checker->order, stream, word->before, word->at);
}

/* The host functions of an exec, if they are few. */
enum { FUNCTIONS_MAX = 8 };
struct functions {
    uint32_t at[FUNCTIONS_MAX];
    size_t count;
    bool more;
};

static struct functions list_functions(const struct ck_model *model)
{
    struct functions functions = { .count = 0 };
    for (uint32_t i = 1; i <= model->shape->count && !functions.more; i++) {
        const struct ck_node *node = model->nodes[i];
        if (!node || node->disabled || node->what.kind != RILL_OP_HOST) continue;
        if (functions.count == FUNCTIONS_MAX) functions.more = true;
        else functions.at[functions.count++] = i;
    }
    return functions;
}

/* Tells whether a node is in no order with any function.  Bodies are left out: in another round
 * they may be. */
static bool is_apart(const struct ck_model *model, uint32_t node, const struct functions *functions)
{
    struct ck_shape *shape = model->shape;
    if (!functions->count || functions->more || shape->places[node].loop) return false;
    for (size_t i = 0; i < functions->count; i++) {
        const uint32_t at = functions->at[i];
        if (shape->places[at].loop || ck_shape_reaches(shape, node, at) ||
            ck_shape_reaches(shape, at, node))
            return false;
    }
    return true;
}

/* Guards the pinned memory that nodes touch. */
static void guard_nodes(struct ck_checker *checker, const struct ck_work *work,
                        const struct ck_model *model)
{
    if (!checker->pinned.root) return;
    const struct functions functions = list_functions(model);
    for (uint32_t i = 1; i <= model->shape->count; i++) {
        const struct ck_node *node = model->nodes[i];
        if (node && !node->disabled && node->row_count)
            ck_pinned_guard(checker, work, node->rows, node->row_count,
                            is_apart(model, i, &functions));
    }
    if (functions.count) ck_pinned_guard_all(checker, work);
}

/* Has what comes after the launch, in its stream or of its exec, come after what its nodes wait
 * for. */
static void follow_waits(struct ck_checker *checker, struct ck_exec_word *word,
                         struct ck_stream *stream, const struct ck_work *work)
{
    const struct ck_point none = { CK_HOST_LINE, 0 };
    for (const struct ck_node_wait *wait = work->waits; wait; wait = wait->next) {
        ck_stream_follow(&checker->order, stream, wait->clock, none);
        if (!ck_clock_join(&word->before, wait->clock, none, work->at.line))
            checker->order.failed = true;
    }
}

static void note_launch(struct ck_checker *checker, rill_exec *exec, rill_stream *handle,
                        struct ck_work *work)
{
    struct ck_exec_word *word = ck_exec_word(exec);
    struct ck_stream *stream = ck_stream_here(checker, handle);
    if (!word || !stream) return;
    ck_clock_release(word->before);
    word->before = ck_clock_retain(work->before);
    word->at = work->at;
    if (!word->model) return;
    work->inside = ck_launch_create(word->model);
    if (work->inside) {
        if (checker->values.high) note_written(checker, work);
        let_nodes_act(checker, work);
        follow_waits(checker, word, stream, work);
        guard_nodes(checker, work, word->model);
        if (checker->pinned.root && ck_takes_turns(work))
            ck_turn_guard(checker, work, ck_pinned_until(checker, work, false));
    }
    else checker->order.failed = true;
}

/* Tells of nodes whose memory was a function's that has returned.  The launch is not judged yet. */
static void tell_returned(rill_exec *exec, struct ck_work *launch)
{
    bool looks = ck_checker_of(exec)->life && ck_returned_any(launch);
    struct ck_checker *checker = looks ? ck_enter(exec) : NULL;
    if (!checker) return;
    if (!ck_returned_tell(launch, &checker->verdicts)) checker->order.failed = true;
    ck_leave(checker);
}

static rill_status check_launch(rill_exec *exec, rill_stream *stream)
{
    const struct ck_what what = { .kind = RILL_OP_GRAPH, .site = cs_site_here() };
    if (ck_is_capturing(stream)) return ck_launch_captured(exec, stream, what.site);
    struct ck_checker *checker = ck_enter(exec);
    if (checker) {
        follow_launch(checker, exec, stream);
        ck_leave(checker);
    }
    struct ck_log_entry *entry = ck_submit_begin(stream, &what, false, NULL);
    checker = entry ? ck_enter(exec) : NULL;
    if (checker) {
        note_launch(checker, exec, stream, entry->work);
        ck_leave(checker);
    }
    rill_status status = ck_beneath(exec)->exec->launch(exec, stream);
    if (entry && !status) tell_returned(exec, entry->work);
    ck_submit_end(stream, entry, status);
    ck_capture_mind_stream(stream, status, what.site, "rill_exec_launch");
    return status;
}

/* An upload is promised to come after the launches of the exec. */
static rill_status check_upload(rill_exec *exec, rill_stream *stream)
{
    rill_status status = ck_beneath(exec)->exec->upload(exec, stream);
    struct ck_checker *checker = status ? NULL : ck_enter(exec);
    if (!checker) return status;
    follow_launch(checker, exec, stream);
    ck_leave(checker);
    return status;
}

const struct rill_exec_ops ck_exec_slots = {
    .create = check_create, .destroy = check_destroy, .launch = check_launch,
    .upload = check_upload, .set_op = check_set_op,
    .set_enabled = check_set_enabled, .update = check_update,
};
