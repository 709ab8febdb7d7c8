/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory: copies and fills that the host waits for; calls that may wait, and order nothing.
 */
#include "layer-tsan/slots/teller.h"
#include "site/site.h"

/* ---- Copies and fills --------------------------------------------------------------------- */

static struct ts_stream *legacy_of(struct ts_teller *teller, rill_context *context)
{
    struct ts_context_word *word = ts_context_word(context);
    if (word && !word->legacy) word->legacy = teller->beneath->stream->legacy(context);
    return word && word->legacy ? ts_stream_here(teller, word->legacy) : NULL;
}

/* A copy between two contexts is in the order of the legacy streams of both. */
static void add_run(struct ts_teller *teller, rill_context *context, const rill_op *op,
                    const struct ts_copy *copy, const void *site)
{
    struct ts_stream *stream = legacy_of(teller, context);
    rill_context *const ends[2] = {
        op->kind == RILL_OP_MEMCPY ? op->memcpy.dst.context : NULL,
        op->kind == RILL_OP_MEMCPY ? op->memcpy.src.context : NULL,
    };
    struct ts_stream *others[2] = { NULL, NULL };
    for (int i = 0; stream && i < 2; i++) {
        if (!ends[i] || ends[i] == context || !(others[i] = legacy_of(teller, ends[i]))) continue;
        ts_stream_enter(&teller->order, others[i]);
        ts_front_join(&teller->order, &stream->front, &others[i]->front);
    }
    ts_copy_add(teller, stream, copy, site);
    for (int i = 0; i < 2; i++)
        if (others[i]) ts_front_join(&teller->order, &others[i]->front, &stream->front);
}

static rill_status tell_run(rill_context *context, const rill_op *op)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_WAITS);
    const void *site = cs_site_here();
    const struct ts_copy copy = ts_copy_of(context, op, true);
    rill_status status = ts_beneath(context)->memory->run(context, op);
    struct ts_teller *teller = status ? NULL : ts_enter(context);
    if (teller) {
        add_run(teller, context, op, &copy, site);
        ts_leave(teller);
        if (copy.reads) ts_read_here(&copy.read);
    }
    ts_call_end(&call);
    return status;
}

/* ---- Calls that may wait ------------------------------------------------------------------ */

static rill_status hide_acquire(rill_context *context, size_t bytes, rill_devptr *address)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_WAITS);
    rill_status status = ts_beneath(context)->memory->acquire(context, bytes, address);
    ts_call_end(&call);
    return status;
}

static rill_status hide_release(rill_context *context, rill_devptr address)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_WAITS);
    rill_status status = ts_beneath(context)->memory->release(context, address);
    ts_call_end(&call);
    return status;
}

static rill_status hide_host_alloc(rill_context *context, size_t bytes, uint32_t flags,
                                   void **pointer)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_WAITS);
    rill_status status = ts_beneath(context)->memory->host_alloc(context, bytes, flags, pointer);
    ts_call_end(&call);
    return status;
}

static rill_status hide_host_free(rill_context *context, void *pointer)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_WAITS);
    rill_status status = ts_beneath(context)->memory->host_free(context, pointer);
    ts_call_end(&call);
    return status;
}

static rill_status hide_host_unregister(rill_context *context, void *pointer)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_WAITS);
    rill_status status = ts_beneath(context)->memory->host_unregister(context, pointer);
    ts_call_end(&call);
    return status;
}

static rill_status hide_unload(rill_module *module)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_WAITS);
    rill_status status = ts_beneath(module)->module->unload(module);
    ts_call_end(&call);
    return status;
}

static rill_status hide_trim(rill_pool *pool, size_t keep)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_WAITS);
    rill_status status = ts_beneath(pool)->pool->trim(pool, keep);
    ts_call_end(&call);
    return status;
}

static rill_status hide_unmap(rill_platform *platform, rill_devptr address, size_t bytes)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_WAITS);
    rill_status status = ts_beneath(platform)->vmem->unmap(platform, address, bytes);
    ts_call_end(&call);
    return status;
}

static rill_status hide_set_access(rill_platform *platform, rill_devptr address, size_t bytes,
                                   int device, rill_access access)
{
    const struct ts_call call = ts_call_begin(TS_CALLS_WAITS);
    rill_status status =
        ts_beneath(platform)->vmem->set_access(platform, address, bytes, device, access);
    ts_call_end(&call);
    return status;
}

const struct rill_memory_ops ts_memory_slots = {
    .acquire = hide_acquire, .release = hide_release, .host_alloc = hide_host_alloc,
    .host_free = hide_host_free, .host_unregister = hide_host_unregister, .run = tell_run,
};

const struct rill_module_ops ts_module_slots = { .unload = hide_unload };
const struct rill_pool_ops ts_pool_slots = { .trim = hide_trim };
const struct rill_vmem_ops ts_vmem_slots = { .unmap = hide_unmap, .set_access = hide_set_access };
