/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts, memory and modules: calls that take long, or wait for work.
 */
#include "layer-trace/slots/timed.h"
#include "layer-trace/slots/words.h"

/* ---- Contexts -------------------------------------------------------------------------------- */

static rill_status trace_create(rill_context *context, const rill_context_options *options)
{
    static const struct tr_name name = TR_CALL_NAME("create context");
    struct tr_call call;
    tr_call_begin(&call, context);
    rill_status status = tr_beneath(context)->context->create(context, options);
    if (!status) tr_context_set_device(context, options->device);
    return tr_call_end_as(&call, &name, status);
}

static rill_status trace_destroy(rill_context *context)
{
    static const struct tr_name name = TR_CALL_NAME("destroy context");
    struct tr_call call;
    tr_call_begin(&call, context);
    tr_timed_end_context(tr_tracer_of(context), context);
    return tr_call_end_wait(&call, &name, tr_beneath(context)->context->destroy(context));
}

static rill_status trace_synchronize(rill_context *context)
{
    static const struct tr_name name = TR_CALL_NAME("synchronize context");
    struct tr_call call;
    tr_call_begin(&call, context);
    rill_status status = tr_beneath(context)->context->synchronize(context);
    tr_timed_collect(tr_tracer_of(context));
    return tr_call_end_wait(&call, &name, status);
}

const struct rill_context_ops tr_context_slots = {
    .create = trace_create, .destroy = trace_destroy, .synchronize = trace_synchronize,
};

/* ---- Memory ---------------------------------------------------------------------------------- */

static rill_status trace_acquire(rill_context *context, size_t bytes, rill_devptr *address)
{
    static const struct tr_name name = TR_CALL_NAME("allocate");
    struct tr_call call;
    struct tr_told told = { .name = &name, .bytes = bytes };
    tr_call_begin(&call, context);
    told.status = tr_beneath(context)->memory->acquire(context, bytes, address);
    return tr_call_end(&call, &told);
}

static rill_status trace_acquire_managed(rill_context *context, size_t bytes, uint32_t flags,
                                         rill_devptr *address)
{
    static const struct tr_name name = TR_CALL_NAME("allocate managed memory");
    struct tr_call call;
    struct tr_told told = { .name = &name, .bytes = bytes };
    tr_call_begin(&call, context);
    told.status = tr_beneath(context)->memory->acquire_managed(context, bytes, flags, address);
    return tr_call_end(&call, &told);
}

static rill_status trace_release(rill_context *context, rill_devptr address)
{
    static const struct tr_name name = TR_CALL_NAME("free");
    struct tr_call call;
    tr_call_begin(&call, context);
    return tr_call_end_wait(&call, &name, tr_beneath(context)->memory->release(context, address));
}

static rill_status trace_host_alloc(rill_context *context, size_t bytes, uint32_t flags,
                                    void **pointer)
{
    static const struct tr_name name = TR_CALL_NAME("allocate pinned memory");
    struct tr_call call;
    struct tr_told told = { .name = &name, .bytes = bytes };
    tr_call_begin(&call, context);
    told.status = tr_beneath(context)->memory->host_alloc(context, bytes, flags, pointer);
    return tr_call_end(&call, &told);
}

static rill_status trace_host_free(rill_context *context, void *pointer)
{
    static const struct tr_name name = TR_CALL_NAME("free pinned memory");
    struct tr_call call;
    tr_call_begin(&call, context);
    return tr_call_end_wait(&call, &name, tr_beneath(context)->memory->host_free(context, pointer));
}

static rill_status trace_run(rill_context *context, const rill_op *op)
{
    static const struct tr_name copy = TR_CALL_NAME("copy and wait"),
                                fill = TR_CALL_NAME("fill and wait");
    struct tr_call call;
    struct tr_told told = { .name = op->kind == RILL_OP_MEMCPY ? &copy : &fill, .blocks = true,
                            .bytes = tr_op_bytes(op) };
    tr_call_begin(&call, context);
    told.status = tr_beneath(context)->memory->run(context, op);
    return tr_call_end(&call, &told);
}

const struct rill_memory_ops tr_memory_slots = {
    .acquire = trace_acquire, .acquire_managed = trace_acquire_managed, .release = trace_release,
    .host_alloc = trace_host_alloc, .host_free = trace_host_free, .run = trace_run,
};

/* ---- Modules --------------------------------------------------------------------------------- */

static rill_status trace_load(rill_module *module, const rill_image *image)
{
    static const struct tr_name name = TR_CALL_NAME("load module");
    struct tr_call call;
    tr_call_begin(&call, module);
    return tr_call_end_as(&call, &name, tr_beneath(module)->module->load(module, image));
}

const struct rill_module_ops tr_module_slots = { .load = trace_load };
