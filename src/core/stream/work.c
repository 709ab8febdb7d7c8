/* SPDX-License-Identifier: Apache-2.0
 *
 * The short forms of rill_stream_submit().  Each checks its arguments under the caller's
 * names for them, and fills only the member of its kind: clearing the whole operation
 * would take longer than the rest of the call up to the backend.
 */
#include "core/op/submit.h"

rill_status rill_launch_kernel(rill_stream *stream, rill_kernel *kernel, rill_dim3 grid,
                               rill_dim3 block, size_t shared_bytes, const void *const *params)
{
    static const struct rl_pair pair = { RILL_OBJECT_STREAM, RILL_OBJECT_KERNEL, "stream",
                                         "kernel" };
    rill_status status = rl_check_first(stream, kernel, &pair);
    if (!status) status = rl_check_in(kernel, RILL_OBJECT_KERNEL, "kernel", stream, RILL_OP_KERNEL);
    if (!status) {
        rill_op op;
        op.kind = RILL_OP_KERNEL;
        op.kernel = (rill_kernel_op){ .kernel = kernel,
                                      .grid = grid,
                                      .block = block,
                                      .shared_bytes = shared_bytes,
                                      .params = params };
        status = rl_submit(stream, &op);
    }
    return rl_finish(__func__, stream, status);
}

rill_status rill_launch_host(rill_stream *stream, rill_host_fn fn, void *data,
                             rill_destroy_fn destroy)
{
    rill_op op;
    op.kind = RILL_OP_HOST;
    op.host = (rill_host_op){ fn, data, destroy };
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = rl_required((const void *)(uintptr_t)fn, "fn");
    if (!status) return rl_finish(__func__, stream, rl_submit(stream, &op));
    status = rl_finish(__func__, stream, status);
    rl_op_give_back(&op);
    return status;
}

/* ---- Values in memory --------------------------------------------------- */

static rill_status submit_values(const char *operation, rill_stream *stream,
                                 const rill_value *items, size_t count, uint32_t flags)
{
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = rl_required_array(items, count, "items", "count");
    if (!status) {
        rill_op op;
        op.kind = RILL_OP_VALUES;
        op.values = (rill_values_op){ items, count, flags };
        status = rl_submit(stream, &op);
    }
    return rl_finish(operation, stream, status);
}

static rill_status submit_value(const char *operation, rill_stream *stream, rill_value_kind kind,
                                rill_devptr address, uint64_t value, uint32_t flags)
{
    const rill_value item = { kind, flags, address, value };
    return submit_values(operation, stream, &item, 1, 0);
}

rill_status rill_stream_write_value32(rill_stream *stream, rill_devptr address, uint32_t value,
                                      uint32_t flags)
{
    return submit_value(__func__, stream, RILL_VALUE_WRITE_32, address, value, flags);
}

rill_status rill_stream_write_value64(rill_stream *stream, rill_devptr address, uint64_t value,
                                      uint32_t flags)
{
    return submit_value(__func__, stream, RILL_VALUE_WRITE_64, address, value, flags);
}

rill_status rill_stream_wait_value32(rill_stream *stream, rill_devptr address, uint32_t value,
                                     uint32_t flags)
{
    return submit_value(__func__, stream, RILL_VALUE_WAIT_32, address, value, flags);
}

rill_status rill_stream_wait_value64(rill_stream *stream, rill_devptr address, uint64_t value,
                                     uint32_t flags)
{
    return submit_value(__func__, stream, RILL_VALUE_WAIT_64, address, value, flags);
}

rill_status rill_stream_batch_values(rill_stream *stream, const rill_value *items, size_t count,
                                     uint32_t flags)
{
    return submit_values(__func__, stream, items, count, flags);
}

/* ---- Memory in stream order --------------------------------------------- */

static rill_status alloc_async(rill_stream *stream, rill_pool *pool, size_t bytes,
                               rill_devptr *address)
{
    rill_op op;
    op.kind = RILL_OP_ALLOC;
    op.alloc = (rill_alloc_op){ .pool = pool, .bytes = bytes };
    rill_status status = rl_submit(stream, &op);
    if (!status) *address = op.alloc.address;
    return status;
}

rill_status rill_mem_alloc_async(rill_stream *stream, size_t bytes, rill_devptr *address)
{
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = rl_required(address, "address");
    if (!status) status = alloc_async(stream, NULL, bytes, address);
    return rl_finish(__func__, stream, status);
}

rill_status rill_mem_alloc_from_pool_async(rill_stream *stream, rill_pool *pool, size_t bytes,
                                           rill_devptr *address)
{
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = rl_check_with(pool, RILL_OBJECT_POOL, "pool", stream);
    if (!status) status = rl_required(address, "address");
    if (!status) status = alloc_async(stream, pool, bytes, address);
    return rl_finish(__func__, stream, status);
}

rill_status rill_mem_free_async(rill_stream *stream, rill_devptr address)
{
    rill_op op;
    op.kind = RILL_OP_FREE;
    op.free = (rill_free_op){ address };
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = rl_submit(stream, &op);
    return rl_finish(__func__, stream, status);
}
