/* SPDX-License-Identifier: Apache-2.0 */
#include "site/site_layer.h"

#include <rill/layer.h>

#include "site/site.h"

static const struct rill_layer layer;
static const void *last_site;

const void *site_layer_last(void)
{
    return last_site;
}

static rill_status acquire(rill_context *context, size_t bytes, rill_devptr *address)
{
    last_site = cs_site_here();
    return rill_layer_beneath(&layer, context)->memory->acquire(context, bytes, address);
}

static rill_status submit(rill_stream *stream, rill_op *op)
{
    last_site = cs_site_here();
    return rill_layer_beneath(&layer, stream)->stream->submit(stream, op);
}

static rill_status launch(rill_exec *exec, rill_stream *stream)
{
    last_site = cs_site_here();
    return rill_layer_beneath(&layer, exec)->exec->launch(exec, stream);
}

static const struct rill_memory_ops memory = { .acquire = acquire };
static const struct rill_stream_ops stream_slots = { .submit = submit };
static const struct rill_exec_ops execs = { .launch = launch };
static const struct rill_backend slots = {
    .memory = &memory, .stream = &stream_slots, .exec = &execs,
};
static const struct rill_layer layer = {
    .abi = RILL_BACKEND_ABI, .size = sizeof layer, .name = SITE_LAYER, .slots = &slots,
};

void site_layer_register(void)
{
    static int registered;
    if (!registered++) rill_layer_register(&layer);
}
