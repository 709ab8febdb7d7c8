/* SPDX-License-Identifier: Apache-2.0
 *
 * The layer `schedule`: tells the backend when calls begin and end that submit work, wait for
 * it, or ask how far it is.
 *
 * The core puts it beneath all other layers where a schedule is given (struct rill_schedule_ops).
 */
#include <rill/layer.h>

extern const struct rill_layer rl_layer_schedule;

/* Returns the backend beneath, which the call goes to. */
static const struct rill_backend *enter_call(const void *object, int asks)
{
    const struct rill_backend *beneath = rill_layer_beneath(&rl_layer_schedule, object);
    beneath->schedule->enter(rill_object_of(object)->platform, asks);
    return beneath;
}

static rill_status leave_call(const struct rill_backend *beneath, const void *object,
                              rill_status status)
{
    beneath->schedule->leave(rill_object_of(object)->platform);
    return status;
}

/* ---- Streams ----------------------------------------------------- */

static rill_status stream_submit(rill_stream *stream, rill_op *op)
{
    const struct rill_backend *beneath = enter_call(stream, 0);
    return leave_call(beneath, stream, beneath->stream->submit(stream, op));
}

static rill_status stream_copy_row(rill_stream *stream, rill_memory_kind dst_kind,
                                   rill_devptr dst, rill_memory_kind src_kind, rill_devptr src,
                                   size_t bytes)
{
    const struct rill_backend *beneath = enter_call(stream, 0);
    const struct rill_stream_ops *ops = beneath->stream;
    return leave_call(beneath, stream, ops->copy_row(stream, dst_kind, dst, src_kind, src, bytes));
}

static rill_status stream_fill_row(rill_stream *stream, rill_devptr dst, uint32_t value,
                                   uint32_t element_bytes, size_t count)
{
    const struct rill_backend *beneath = enter_call(stream, 0);
    return leave_call(beneath, stream, beneath->stream->fill_row(stream, dst, value, element_bytes,
                                                                 count));
}

static rill_status stream_add_callback(rill_stream *stream, rill_stream_callback callback,
                                       void *data, uint32_t flags)
{
    const struct rill_backend *beneath = enter_call(stream, 0);
    const struct rill_stream_ops *ops = beneath->stream;
    return leave_call(beneath, stream, ops->add_callback(stream, callback, data, flags));
}

static rill_status stream_query(rill_stream *stream)
{
    const struct rill_backend *beneath = enter_call(stream, 1);
    return leave_call(beneath, stream, beneath->stream->query(stream));
}

static rill_status stream_synchronize(rill_stream *stream)
{
    const struct rill_backend *beneath = enter_call(stream, 0);
    return leave_call(beneath, stream, beneath->stream->synchronize(stream));
}

/* ---- Events ------------------------------------------------------ */

static rill_status event_query(rill_event *event)
{
    const struct rill_backend *beneath = enter_call(event, 1);
    return leave_call(beneath, event, beneath->event->query(event));
}

static rill_status event_synchronize(rill_event *event)
{
    const struct rill_backend *beneath = enter_call(event, 0);
    return leave_call(beneath, event, beneath->event->synchronize(event));
}

/* ---- Execs ------------------------------------------------------- */

static rill_status exec_launch(rill_exec *exec, rill_stream *stream)
{
    const struct rill_backend *beneath = enter_call(exec, 0);
    return leave_call(beneath, exec, beneath->exec->launch(exec, stream));
}

static rill_status exec_upload(rill_exec *exec, rill_stream *stream)
{
    const struct rill_backend *beneath = enter_call(exec, 0);
    return leave_call(beneath, exec, beneath->exec->upload(exec, stream));
}

/* ---- Contexts and memory ----------------------------------------- */

static rill_status context_synchronize(rill_context *context)
{
    const struct rill_backend *beneath = enter_call(context, 0);
    return leave_call(beneath, context, beneath->context->synchronize(context));
}

static rill_status context_status(rill_context *context)
{
    const struct rill_backend *beneath = enter_call(context, 1);
    return leave_call(beneath, context, beneath->context->status(context));
}

static rill_status memory_acquire(rill_context *context, size_t bytes, rill_devptr *address)
{
    const struct rill_backend *beneath = enter_call(context, 0);
    return leave_call(beneath, context, beneath->memory->acquire(context, bytes, address));
}

static rill_status memory_release(rill_context *context, rill_devptr address)
{
    const struct rill_backend *beneath = enter_call(context, 0);
    return leave_call(beneath, context, beneath->memory->release(context, address));
}

static rill_status memory_host_free(rill_context *context, void *pointer)
{
    const struct rill_backend *beneath = enter_call(context, 0);
    return leave_call(beneath, context, beneath->memory->host_free(context, pointer));
}

static rill_status memory_run(rill_context *context, const rill_op *op)
{
    const struct rill_backend *beneath = enter_call(context, 0);
    return leave_call(beneath, context, beneath->memory->run(context, op));
}

static rill_status vmem_unmap(rill_platform *platform, rill_devptr address, size_t bytes)
{
    const struct rill_backend *beneath = enter_call(platform, 0);
    return leave_call(beneath, platform, beneath->vmem->unmap(platform, address, bytes));
}

static rill_status vmem_set_access(rill_platform *platform, rill_devptr address, size_t bytes,
                                   int device, rill_access access)
{
    const struct rill_backend *beneath = enter_call(platform, 0);
    return leave_call(beneath, platform,
                      beneath->vmem->set_access(platform, address, bytes, device, access));
}

/* ---- The layer ------------------------------------------------------- */

static const struct rill_stream_ops stream_slots = {
    .submit = stream_submit, .copy_row = stream_copy_row, .fill_row = stream_fill_row,
    .add_callback = stream_add_callback, .query = stream_query, .synchronize = stream_synchronize,
};

static const struct rill_event_ops event_slots = {
    .query = event_query, .synchronize = event_synchronize,
};

static const struct rill_exec_ops exec_slots = {
    .launch = exec_launch, .upload = exec_upload,
};

static const struct rill_context_ops context_slots = {
    .synchronize = context_synchronize, .status = context_status,
};

static const struct rill_memory_ops memory_slots = {
    .acquire = memory_acquire, .release = memory_release, .host_free = memory_host_free,
    .run = memory_run,
};

static const struct rill_vmem_ops vmem_slots = {
    .unmap = vmem_unmap, .set_access = vmem_set_access,
};

static const struct rill_backend slots = {
    .stream = &stream_slots, .event = &event_slots, .exec = &exec_slots,
    .context = &context_slots, .memory = &memory_slots, .vmem = &vmem_slots,
};

const struct rill_layer rl_layer_schedule = {
    .abi = RILL_BACKEND_ABI, .size = sizeof(struct rill_layer), .name = "schedule", .slots = &slots,
};
