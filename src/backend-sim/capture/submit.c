/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations submitted to a stream that captures: each becomes a node with the stream's
 * dependencies.
 */
#include "backend-sim/capture/capture.h"
#include "backend-sim/kernel/kernel.h"
#include "backend-sim/node/kinds.h"

/* ---- What to make of an operation ----------------------------------------------------- */

/* What is special about a kind in captures: little for most kinds. */
struct captured_kind {
    const char *name; /* of an operation that breaks a capture, or NULL */
    /* Returns whether the operation is accepted and leaves no trace.  NULL if none is. */
    bool (*is_nothing)(const rill_op *op);
    /* Makes the task of the node.  NULL when it is made as in any graph. */
    rill_status (*create)(struct sim_stream *stream, const rill_op *op, struct task **task);
    /* Captures the operation.  NULL when all that it takes is to make a node. */
    rill_status (*capture)(struct sim_stream *stream, rill_op *op);
};

static rill_status capture_memory(struct sim_stream *stream, rill_op *op);

static bool is_empty_copy(const rill_op *op)
{
    return !op->memcpy.width || !op->memcpy.height || !op->memcpy.depth;
}

static bool is_empty_fill(const rill_op *op)
{
    return !op->memset.width || !op->memset.height;
}

static bool is_empty_alloc(const rill_op *op)
{
    return !op->alloc.bytes;
}

static bool is_null_free(const rill_op *op)
{
    return !op->free.address;
}

static rill_status create_here(struct sim_stream *stream, const rill_op *op, struct task **task)
{
    const struct node_site site = { .platform = stream->context->platform,
                                    .context = stream->context };
    return sim_task_create(&site, op, NULL, task);
}

static rill_status create_copy(struct sim_stream *stream, const rill_op *op, struct task **task)
{
    if (!op->memcpy.dst.context && !op->memcpy.src.context) return create_here(stream, op, task);
    return rill_backend_fail(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, "op->memcpy",
                             "a copy that names contexts cannot be captured; copy by address "
                             "alone");
}

static rill_status create_kernel(struct sim_stream *stream, const rill_op *op, struct task **task)
{
    rill_status status = sim_kernel_check_unbound(sim_kernel_of(op->kernel.kernel)->function);
    if (status) return RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED; /* with that sentence */
    return sim_captured_kernel_task(stream, &op->kernel, task);
}

static const struct captured_kind captured_kinds[RL_OP_KINDS] = {
    [RILL_OP_KERNEL] = { .name = "kernel launch", .create = create_kernel },
    [RILL_OP_MEMCPY] = { .name = "copy", .is_nothing = is_empty_copy, .create = create_copy },
    [RILL_OP_MEMSET] = { .name = "fill", .is_nothing = is_empty_fill },
    [RILL_OP_HOST] = { .name = "rill_launch_host" },
    [RILL_OP_EVENT_WAIT] = { .name = "rill_stream_wait_event", .capture = sim_capture_event },
    [RILL_OP_EVENT_RECORD] = { .name = "rill_event_record", .capture = sim_capture_event },
    [RILL_OP_ALLOC] = { .name = "rill_mem_alloc_async", .is_nothing = is_empty_alloc,
                        .capture = capture_memory },
    [RILL_OP_FREE] = { .name = "rill_mem_free_async", .is_nothing = is_null_free,
                       .capture = capture_memory },
    [RILL_OP_VALUES] = { .name = "value operation" },
};

static bool is_nothing(const rill_op *op)
{
    const struct captured_kind *kind = &captured_kinds[op->kind];
    return kind->is_nothing && kind->is_nothing(op);
}

static rill_status make_task(struct sim_stream *stream, const rill_op *op, struct task **task)
{
    const struct captured_kind *kind = &captured_kinds[op->kind];
    return kind->create ? kind->create(stream, op, task) : create_here(stream, op, task);
}

/* ---- Adding the node ------------------------------------------------------------------- */

/* Returns the stream's part in a capture that goes on, or NULL with the status with which the
 * operation is refused.  Requires captures_lock. */
static struct participant *active_participant(struct sim_stream *stream, rill_status *status)
{
    struct participant *participant = stream->participant;
    if (participant && participant->capture->state == RILL_CAPTURE_ACTIVE) return participant;
    *status = participant ? sim_capture_refuse_broken(participant->capture)
                          : sim_capture_refuse_left();
    return NULL;
}

static rill_status out_of_memory_for_captured_node(void)
{
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory for a captured node");
}

/* Adds the node.  As measured, edges of any port may lead to any kind here, while a graph refuses
 * such a node.  Requires captures_lock. */
static rill_status insert_captured_node(struct sim_stream *stream, const rill_op *op,
                                        struct task *task)
{
    rill_status status = RILL_SUCCESS;
    struct participant *participant = active_participant(stream, &status);
    if (!participant) return status;
    if (op->kind == RILL_OP_KERNEL) sim_captured_kernel_loosen(participant, &op->kernel);
    if (!sim_participant_insert_node(participant, task)) return out_of_memory_for_captured_node();
    return op->kind == RILL_OP_KERNEL ? sim_captured_kernel_record(participant, &op->kernel)
                                      : RILL_SUCCESS;
}

/* Returns whether a refusal breaks the capture, as measured: those of launches for their
 * dimensions do, and those of operations that cannot be captured. */
static bool breaks_capture(rill_status status, const rill_op *op)
{
    if (status == RILL_ERROR_INVALID_HANDLE) return false;
    if (status != RILL_ERROR_INVALID_VALUE) return true;
    return op->kind == RILL_OP_KERNEL &&
           !sim_kernel_lacks_arguments(&op->kernel, sim_kernel_of(op->kernel.kernel)->function);
}

/* Requires captures_lock. */
static void break_by_refusal(struct sim_stream *stream, rill_status status, const rill_op *op)
{
    if (!stream->participant || !breaks_capture(status, op)) return;
    const char *name = captured_kinds[op->kind].name;
    char object[RILL_LABEL_MAX];
    sim_describe_object("stream", stream->handle, object);
    sim_capture_break(stream->participant->capture, sim_capture_call(), status,
                      name ? name : "operation", object);
}

static rill_status capture_node(struct sim_stream *stream, rill_op *op)
{
    struct sim_platform *platform = stream->context->platform;
    struct task *task = NULL;
    if (is_nothing(op)) return RILL_SUCCESS;
    rill_status status = make_task(stream, op, &task);
    sim_captures_lock(platform);
    if (!status) status = insert_captured_node(stream, op, task);
    if (status) break_by_refusal(stream, status, op);
    sim_captures_unlock(platform);
    if (task) sim_task_release(task);
    return status;
}

/* ---- Memory ---------------------------------------------------------------------------- */

static rill_status make_memory_task(struct participant *participant, const rill_op *op,
                                    struct task **task)
{
    const struct links *dependencies = &participant->dependencies;
    struct sim_context *context = participant->stream->context;
    const struct node_site site = {
        .platform = context->platform, .context = context,
        .graph = participant->capture->graph,
        .dependencies = sim_links(dependencies), .dependency_count = dependencies->count,
    };
    if (op->kind != RILL_OP_ALLOC) return sim_task_create(&site, op, NULL, task);
    rill_op here = { .kind = RILL_OP_ALLOC, .alloc = op->alloc };
    here.alloc.device = context->device->ordinal;
    return sim_task_create(&site, &here, NULL, task);
}

/* Makes the task under the lock, since it depends on what the graph allocated before.  A refusal
 * does not break the capture: later nodes cannot name what was not allocated. */
static rill_status capture_memory(struct sim_stream *stream, rill_op *op)
{
    struct sim_platform *platform = stream->context->platform;
    struct task *task = NULL;
    rill_status status = RILL_SUCCESS;
    if (is_nothing(op)) return RILL_SUCCESS;
    sim_captures_lock(platform);
    struct participant *participant = active_participant(stream, &status);
    if (participant) status = make_memory_task(participant, op, &task);
    if (!status && !sim_participant_insert_node(participant, task))
        status = out_of_memory_for_captured_node();
    if (!status && task->kind->placed)
        task->kind->placed(participant->capture->graph, participant->work, task, op);
    sim_captures_unlock(platform);
    if (task) sim_task_release(task);
    return status;
}

/* ---- The way in ------------------------------------------------------------------------ */

static rill_status capture_operation(struct sim_stream *stream, rill_op *op)
{
    const struct captured_kind *kind = &captured_kinds[op->kind];
    return kind->capture ? kind->capture(stream, op) : capture_node(stream, op);
}

bool sim_capture_takes(struct sim_stream *stream, rill_op *op, rill_status *status)
{
    struct sim_platform *platform = stream->context->platform;
    *status = RILL_SUCCESS;
    sim_captures_lock(platform);
    struct participant *participant = stream->participant;
    if (participant) active_participant(stream, status);
    sim_captures_unlock(platform);
    if (!participant) return false;
    if (*status) rl_op_give_back(op);
    else *status = capture_operation(stream, op);
    return true;
}

rill_status sim_capture_node(struct sim_stream *stream, rill_op *op)
{
    return capture_node(stream, op);
}
