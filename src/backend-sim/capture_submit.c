/* SPDX-License-Identifier: Apache-2.0
 *
 * What is submitted to a stream that captures: each operation becomes a node
 * behind the stream's last ones.
 */
#include "backend-sim/capture.h"
#include "backend-sim/kernel.h"
#include "backend-sim/node_kinds.h"

/* ---- Words ------------------------------------------------------------------------- */

/* What broke a capture, when that was an operation. */
static const char *operation_name(const rill_op *op)
{
    switch ((int)op->kind) {
    case RILL_OP_KERNEL: return "kernel launch";
    case RILL_OP_MEMCPY: return "copy";
    case RILL_OP_MEMSET: return "fill";
    case RILL_OP_HOST: return "rill_launch_host";
    case RILL_OP_EVENT_WAIT: return "rill_stream_wait_event";
    case RILL_OP_EVENT_RECORD: return "rill_event_record";
    case RILL_OP_ALLOC: return "rill_mem_alloc_async";
    case RILL_OP_FREE: return "rill_mem_free_async";
    case RILL_OP_VALUES: return "value operation";
    default: return "operation";
    }
}

/* ---- What to make of an operation ----------------------------------------------------- */

/* Copies and fills of nothing are accepted and leave no trace, and so is a free
 * of no address. */
static bool is_nothing(const rill_op *op)
{
    switch ((int)op->kind) {
    case RILL_OP_MEMCPY: return !op->memcpy.width || !op->memcpy.height || !op->memcpy.depth;
    case RILL_OP_MEMSET: return !op->memset.width || !op->memset.height;
    case RILL_OP_ALLOC: return !op->alloc.bytes;
    case RILL_OP_FREE: return !op->free.address;
    default: return false;
    }
}

static rill_status check_copy(const rill_copy *copy)
{
    if (!copy->dst.context && !copy->src.context) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, "op->memcpy",
                             "a copy that names contexts cannot be captured; copy by address "
                             "alone");
}

static rill_status make_task(struct sim_stream *stream, rill_op *op, struct task **task)
{
    rill_status status = RILL_SUCCESS;
    if (op->kind == RILL_OP_KERNEL) return sim_captured_kernel_task(stream, &op->kernel, task);
    if (op->kind == RILL_OP_MEMCPY) status = check_copy(&op->memcpy);
    if (status) return status;
    const struct node_site site = { .platform = stream->context->platform,
                                    .context = stream->context };
    return sim_task_create(&site, op, NULL, task);
}

/* ---- Putting it there ------------------------------------------------------------------ */

/* The stream's part in a capture that goes on, or NULL with the status that the
 * operation is refused with.  Under the lock. */
static struct participant *active_part(struct sim_stream *stream, rill_status *status)
{
    struct participant *part = stream->participant;
    if (part && part->capture->state == RILL_CAPTURE_ACTIVE) return part;
    *status = part ? sim_capture_refuse_broken(part->capture) : sim_capture_refuse_left();
    return NULL;
}

static rill_status no_memory(void)
{
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory for a captured node");
}

/* Under the lock.  Edges of any port lead to any kind here, as measured, where adding
 * such a node would be refused. */
static rill_status put(struct sim_stream *stream, const rill_op *op, struct task *task)
{
    rill_status status = RILL_SUCCESS;
    struct participant *part = active_part(stream, &status);
    if (!part) return status;
    if (op->kind == RILL_OP_KERNEL) sim_captured_kernel_loosen(part, &op->kernel);
    if (!sim_participant_put(part, task)) return no_memory();
    return op->kind == RILL_OP_KERNEL ? sim_captured_kernel_record(part, &op->kernel)
                                      : RILL_SUCCESS;
}

/* Which refusals break the capture was measured: those of launches for their shape,
 * and of what cannot be captured. */
static bool breaks(rill_status status, const rill_op *op)
{
    if (status == RILL_ERROR_INVALID_HANDLE) return false;
    if (status != RILL_ERROR_INVALID_VALUE) return true;
    return op->kind == RILL_OP_KERNEL &&
           !sim_kernel_lacks_arguments(&op->kernel, sim_kernel_of(op->kernel.kernel)->function);
}

/* Under the lock. */
static void break_by(struct sim_stream *stream, rill_status status, const rill_op *op)
{
    if (!stream->participant || !breaks(status, op)) return;
    char object[RILL_LABEL_MAX];
    sim_describe("stream", stream->handle, object);
    sim_capture_break(stream->participant->capture, sim_capture_call(), status,
                      operation_name(op), object);
}

static rill_status capture_node(struct sim_stream *stream, rill_op *op)
{
    struct sim_platform *platform = stream->context->platform;
    struct task *task = NULL;
    if (is_nothing(op)) return RILL_SUCCESS;
    rill_status status = make_task(stream, op, &task);
    sim_captures_lock(platform);
    if (!status) status = put(stream, op, task);
    if (status) break_by(stream, status, op);
    sim_captures_unlock(platform);
    if (task) sim_task_release(task);
    return status;
}

/* ---- Memory ---------------------------------------------------------------------------- */

static rill_status make_memory_task(struct participant *part, const rill_op *op,
                                    struct task **task)
{
    const struct node_site site = {
        .platform = part->stream->context->platform, .context = part->stream->context,
        .graph = part->capture->graph,
        .dependencies = sim_links(&part->before), .dependency_count = part->before.count,
    };
    if (op->kind != RILL_OP_ALLOC) return sim_task_create(&site, op, NULL, task);
    rill_op here = { .kind = RILL_OP_ALLOC, .alloc = op->alloc };
    here.alloc.device = part->stream->context->device->ordinal;
    return sim_task_create(&site, &here, NULL, task);
}

/* Under the lock, since the graph knows what was allocated before.  A refusal
 * leaves no hole: there is nothing that later nodes could have meant. */
static rill_status capture_memory(struct sim_stream *stream, rill_op *op)
{
    struct sim_platform *platform = stream->context->platform;
    struct task *task = NULL;
    rill_status status = RILL_SUCCESS;
    if (is_nothing(op)) return RILL_SUCCESS;
    sim_captures_lock(platform);
    struct participant *part = active_part(stream, &status);
    if (part) status = make_memory_task(part, op, &task);
    if (!status && !sim_participant_put(part, task)) status = no_memory();
    if (!status && task->kind->placed)
        task->kind->placed(part->capture->graph, sim_links(&part->before)->slot, task, op);
    sim_captures_unlock(platform);
    if (task) sim_task_release(task);
    return status;
}

/* ---- The way in ------------------------------------------------------------------------ */

static rill_status capture(struct sim_stream *stream, rill_op *op)
{
    switch ((int)op->kind) {
    case RILL_OP_EVENT_RECORD:
    case RILL_OP_EVENT_WAIT: return sim_capture_event(stream, op);
    case RILL_OP_ALLOC:
    case RILL_OP_FREE: return capture_memory(stream, op);
    default: return capture_node(stream, op);
    }
}

bool sim_capture_takes(struct sim_stream *stream, rill_op *op, rill_status *status)
{
    struct sim_platform *platform = stream->context->platform;
    *status = RILL_SUCCESS;
    sim_captures_lock(platform);
    struct participant *part = stream->participant;
    if (part) active_part(stream, status);
    sim_captures_unlock(platform);
    if (!part) return false;
    if (*status) rl_op_give_back(op);
    else *status = capture(stream, op);
    return true;
}

rill_status sim_capture_put(struct sim_stream *stream, rill_op *op)
{
    return capture_node(stream, op);
}
