/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing values into memory and waiting for them, in streams and as nodes.
 */
#include <inttypes.h>
#include <string.h>

#include "backend-cuda/context/capture_list.h"
#include "backend-cuda/kind/kind.h"
#include "backend-cuda/memory/pointer.h"
#include "backend-cuda/object/graph_nodes.h"
#include "base/alloc.h"

_Static_assert(RILL_VALUE_WAIT_32 == (int)CU_STREAM_MEM_OP_WAIT_VALUE_32, "the driver's number");
_Static_assert(RILL_VALUE_WRITE_32 == (int)CU_STREAM_MEM_OP_WRITE_VALUE_32, "the driver's number");
_Static_assert(RILL_VALUE_FLUSH_REMOTE_WRITES == (int)CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES,
               "the driver's number");
_Static_assert(RILL_VALUE_WAIT_64 == (int)CU_STREAM_MEM_OP_WAIT_VALUE_64, "the driver's number");
_Static_assert(RILL_VALUE_WRITE_64 == (int)CU_STREAM_MEM_OP_WRITE_VALUE_64, "the driver's number");
_Static_assert(RILL_VALUE_BARRIER == (int)CU_STREAM_MEM_OP_BARRIER, "the driver's number");

/* ---- What they are to the driver ------------------------------------------------------- */

static bool has_address(rill_value_kind kind)
{
    return kind != RILL_VALUE_FLUSH_REMOTE_WRITES && kind != RILL_VALUE_BARRIER;
}

static void write_item(const rill_value *item, CUstreamBatchMemOpParams *raw)
{
    *raw = (CUstreamBatchMemOpParams){ .pad = { 0 } };
    raw->operation = (CUstreamBatchMemOpType)item->kind;
    if (!has_address(item->kind)) {
        raw->memoryBarrier.flags = item->flags; /* a flush has its flags there, too */
        return;
    }
    /* The parameters of a wait have the same layout. */
    raw->writeValue.address = item->address;
    raw->writeValue.flags = item->flags;
    if (item->kind == RILL_VALUE_WAIT_64 || item->kind == RILL_VALUE_WRITE_64)
        raw->writeValue.value64 = item->value;
    else
        raw->writeValue.value = (uint32_t)item->value;
}

static void write_items(const rill_value *items, size_t count, CUstreamBatchMemOpParams *raw)
{
    for (size_t i = 0; i < count; i++) write_item(&items[i], &raw[i]);
}

static void read_item(const CUstreamBatchMemOpParams *raw, rill_value *item)
{
    *item = (rill_value){ .kind = (rill_value_kind)raw->operation };
    if (!has_address(item->kind)) {
        item->flags = raw->memoryBarrier.flags;
        return;
    }
    bool wide = item->kind == RILL_VALUE_WAIT_64 || item->kind == RILL_VALUE_WRITE_64;
    item->address = raw->writeValue.address;
    item->flags = raw->writeValue.flags;
    item->value = wide ? raw->writeValue.value64 : raw->writeValue.value;
}

/* ---- Why they are refused ---------------------------------------------------------------- */

static rill_status check_count(const rill_values_op *values)
{
    if (values->count <= CUDA_VALUES_MOST) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "count",
                             "a batch holds at most %d operations, not %zu", CUDA_VALUES_MOST,
                             values->count);
}

struct item_refusal {
    const struct cuda_context *context;
    CUresult result;
    const char *call;
};

static rill_status check_address(const struct item_refusal *r, const rill_value *item, size_t i)
{
    bool wide = item->kind == RILL_VALUE_WAIT_64 || item->kind == RILL_VALUE_WRITE_64;
    size_t bytes = wide ? 8 : 4;
    struct cuda_address found;
    if (item->address % bytes)
        return cuda_blame(r->result, r->call, "address",
                          "0x%" PRIx64 ", of operation %zu, is not a multiple of %zu",
                          item->address, i, bytes);
    cuda_lookup(r->context, item->address, &found);
    if (found.known && bytes <= found.bytes - (size_t)(item->address - found.base) &&
        !found.pool && (found.host || found.device == r->context->ordinal))
        return RILL_SUCCESS;
    return cuda_blame(r->result, r->call, "address",
                      "at 0x%" PRIx64 ", of operation %zu, is no memory that the stream's device "
                      "can reach with values; that of pools and graphs never is",
                      item->address, i);
}

static rill_status check_item(const struct item_refusal *r, const rill_value *item, size_t i)
{
    const uint32_t wait_flags = RILL_WAIT_NOR | RILL_WAIT_FLUSH;
    uint32_t known = 0;
    switch ((int)item->kind) {
    case RILL_VALUE_WAIT_32:
    case RILL_VALUE_WAIT_64: known = wait_flags; break;
    case RILL_VALUE_BARRIER: known = 1; break;
    case RILL_VALUE_WRITE_32:
    case RILL_VALUE_WRITE_64:
    case RILL_VALUE_FLUSH_REMOTE_WRITES: break;
    default:
        return cuda_blame(r->result, r->call, "kind", "%d, of operation %zu, is no kind of value "
                          "operation", (int)item->kind, i);
    }
    if (item->flags & ~known)
        return cuda_blame(r->result, r->call, "flags", "0x%" PRIx32 ", of operation %zu, are not "
                          "flags that it can have", item->flags, i);
    return has_address(item->kind) ? check_address(r, item, i) : RILL_SUCCESS;
}

static rill_status explain_lack(const struct item_refusal *r, const rill_values_op *values)
{
    for (size_t i = 0; i < values->count; i++) {
        const rill_value *item = &values->items[i];
        bool flushes = item->kind == RILL_VALUE_FLUSH_REMOTE_WRITES;
        if (flushes || (has_address(item->kind) && (item->flags & RILL_WAIT_FLUSH)))
            return cuda_blame(r->result, r->call, flushes ? "kind" : "flags",
                              "the device cannot flush remote writes");
    }
    return cuda_fail(r->result, r->call, NULL);
}

static rill_status explain_items(const struct cuda_context *context, CUresult result,
                                 const char *call, const rill_values_op *values)
{
    const struct item_refusal r = { context, result, call };
    if (result == CUDA_ERROR_NOT_SUPPORTED) return explain_lack(&r, values);
    if (result != CUDA_ERROR_INVALID_VALUE) return cuda_fail(result, call, NULL);
    if (values->flags)
        return cuda_blame(result, call, "flags", "no flags are defined: pass 0 and not 0x%" PRIx32,
                          values->flags);
    for (size_t i = 0; i < values->count; i++) {
        rill_status status = check_item(&r, &values->items[i], i);
        if (status) return status;
    }
    return cuda_fail(result, call, NULL);
}

/* ---- Submitting --------------------------------------------------------------------------- */

static inline rill_status end_values(const struct cuda_stream *stream, CUresult result,
                                     const char *call, const rill_values_op *values)
{
    if (__builtin_expect(result == CUDA_SUCCESS, 1)) return RILL_SUCCESS;
    return cuda_submitted(stream, explain_items(stream->context, result, call, values));
}

/* Not inlined, for the sake of its stack. */
__attribute__((noinline))
static rill_status submit_batch(const struct cuda_stream *stream, const rill_values_op *values)
{
    CUstreamBatchMemOpParams raw[CUDA_VALUES_MOST];
    rill_status status = check_count(values);
    if (status) return status;
    write_items(values->items, values->count, raw);
    return end_values(stream,
                      cuda_api.StreamBatchMemOp(stream->raw, (unsigned)values->count,
                                                values->count ? raw : NULL, values->flags),
                      "cuStreamBatchMemOp", values);
}

static rill_status submit_values(struct cuda_stream *stream, rill_op *op)
{
    const rill_values_op *values = &op->values;
    const rill_value *item = values->items;
    if (values->count != 1 || values->flags) return submit_batch(stream, values);
    switch ((int)item->kind) {
    case RILL_VALUE_WAIT_32:
        return end_values(stream,
                          cuda_api.StreamWaitValue32(stream->raw, item->address,
                                                     (uint32_t)item->value, item->flags),
                          "cuStreamWaitValue32", values);
    case RILL_VALUE_WRITE_32:
        return end_values(stream,
                          cuda_api.StreamWriteValue32(stream->raw, item->address,
                                                      (uint32_t)item->value, item->flags),
                          "cuStreamWriteValue32", values);
    case RILL_VALUE_WAIT_64:
        return end_values(stream,
                          cuda_api.StreamWaitValue64(stream->raw, item->address, item->value,
                                                     item->flags),
                          "cuStreamWaitValue64", values);
    case RILL_VALUE_WRITE_64:
        return end_values(stream,
                          cuda_api.StreamWriteValue64(stream->raw, item->address, item->value,
                                                      item->flags),
                          "cuStreamWriteValue64", values);
    default: return submit_batch(stream, values);
    }
}

/* ---- Nodes ------------------------------------------------------------------------------- */

static struct cuda_context *find_context_of_values(const struct cuda_graph *graph,
                                                   const rill_op *op)
{
    return op->values.count ? cuda_find_owner(graph->platform, op->values.items[0].address) : NULL;
}

static rill_status write_values(const struct cuda_site *site, const rill_op *op,
                                struct cuda_node_params *params, struct cuda_room *room)
{
    rill_status status = check_count(&op->values);
    if (status) return status;
    write_items(op->values.items, op->values.count, room->values);
    params->values.context = site->context->raw;
    params->values.count = (unsigned)op->values.count;
    params->values.items = room->values;
    params->values.flags = op->values.flags;
    return RILL_SUCCESS;
}

static rill_status read_values(struct cuda_graph *graph, CUgraphNode raw, rill_op *out)
{
    rill_values_op *op = &out->values;
    CUDA_BATCH_MEM_OP_NODE_PARAMS params;
    rill_status status = cuda_end(cuda_api.GraphBatchMemOpNodeGetParams(raw, &params),
                                  "cuGraphBatchMemOpNodeGetParams");
    if (status) return status;
    op->flags = params.flags;
    op->count = params.count;
    if (!op->count) return RILL_SUCCESS;
    struct cuda_note *note = cuda_node_note(graph, raw, true);
    rill_value *items = note ? rl_zalloc(op->count * sizeof *items) : NULL;
    if (!items) return RILL_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; i < op->count; i++) read_item(&params.paramArray[i], &items[i]);
    rl_free(note->values);
    note->values = items;
    op->items = items;
    return RILL_SUCCESS;
}

static bool is_values(CUgraphNode node)
{
    CUDA_BATCH_MEM_OP_NODE_PARAMS params;
    return !cuda_api.GraphBatchMemOpNodeGetParams(node, &params);
}

static size_t count_values(CUgraphNode node)
{
    CUDA_BATCH_MEM_OP_NODE_PARAMS params;
    return cuda_api.GraphBatchMemOpNodeGetParams(node, &params) ? 0 : params.count;
}

/* abi.h compares sizes and places of the fields. */
static CUDA_BATCH_MEM_OP_NODE_PARAMS early_params(const struct cuda_values_params *params)
{
    CUDA_BATCH_MEM_OP_NODE_PARAMS raw;
    memcpy(&raw, params, sizeof raw);
    return raw;
}

static CUresult typed_add_values(struct cuda_addition *a)
{
    const CUDA_BATCH_MEM_OP_NODE_PARAMS raw = early_params(&a->params.values);
    return cuda_api.GraphAddBatchMemOpNode(&a->node, a->graph->raw, cuda_raw_dependencies(a),
                                           a->count, &raw);
}

static CUresult typed_set_values(CUgraphNode node, const struct cuda_node_params *params)
{
    const CUDA_BATCH_MEM_OP_NODE_PARAMS raw = early_params(&params->values);
    return cuda_api.GraphBatchMemOpNodeSetParams(node, &raw);
}

static CUresult typed_exec_set_values(CUgraphExec exec, CUgraphNode node,
                                      const struct cuda_node_params *params)
{
    const CUDA_BATCH_MEM_OP_NODE_PARAMS raw = early_params(&params->values);
    return cuda_api.GraphExecBatchMemOpNodeSetParams(exec, node, &raw);
}

static rill_status explain_values(const struct cuda_refusal *r)
{
    return explain_items(r->context, r->result, r->call, &r->op->values);
}

static rill_status explain_change_of_values(const struct cuda_refusal *r, size_t count)
{
    const rill_values_op *op = &r->op->values;
    if (r->result != CUDA_ERROR_INVALID_VALUE || op->flags) return RILL_SUCCESS;
    if (count && count != op->count)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "count",
                                 "count is %zu, but a batch in an exec keeps its number of "
                                 "operations, %zu", op->count, count);
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "items",
                             "what each operation of a batch in an exec is stays; or one of them "
                             "is wrong");
}

const struct cuda_kind cuda_kind_values = {
    .op = RILL_OP_VALUES,
    .entering = CUDA_ENTER_IF_PERMITTED,
    .find_context = find_context_of_values,
    .write = write_values,
    .read = read_values,
    .recognises = is_values,
    .count = count_values,
    .add = cuda_add_raw,
    .set = cuda_set_raw,
    .typed_add = typed_add_values,
    .typed_set = typed_set_values,
    .typed_exec_set = typed_exec_set_values,
    .explain = explain_values,
    .explain_change = explain_change_of_values,
    .submit = submit_values,
};
