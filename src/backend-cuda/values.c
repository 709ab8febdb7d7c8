/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing values into memory in stream order, and waiting for them.
 */
#include "backend-cuda/values.h"

#include <inttypes.h>

#include "backend-cuda/capture_list.h"
#include "backend-cuda/pointer.h"
#include "backend-cuda/stream.h"

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

static void write_value(const rill_value *item, CUstreamBatchMemOpParams *raw)
{
    *raw = (CUstreamBatchMemOpParams){ .pad = { 0 } };
    raw->operation = (CUstreamBatchMemOpType)item->kind;
    if (!has_address(item->kind)) {
        raw->memoryBarrier.flags = item->flags; /* where those of a flush are, too */
        return;
    }
    /* A wait looks the same. */
    raw->writeValue.address = item->address;
    raw->writeValue.flags = item->flags;
    if (item->kind == RILL_VALUE_WAIT_64 || item->kind == RILL_VALUE_WRITE_64)
        raw->writeValue.value64 = item->value;
    else
        raw->writeValue.value = (uint32_t)item->value;
}

void cuda_write_values(const rill_value *items, size_t count, CUstreamBatchMemOpParams *raw)
{
    for (size_t i = 0; i < count; i++) write_value(&items[i], &raw[i]);
}

void cuda_read_value(const CUstreamBatchMemOpParams *raw, rill_value *item)
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

rill_status cuda_check_values(const rill_values_op *values)
{
    if (values->count <= CUDA_VALUES_MOST) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "count",
                             "a batch holds at most %d operations, not %zu", CUDA_VALUES_MOST,
                             values->count);
}

struct refusal {
    const struct cuda_context *context;
    CUresult result;
    const char *call;
};

static rill_status check_address(const struct refusal *r, const rill_value *item, size_t i)
{
    bool wide = item->kind == RILL_VALUE_WAIT_64 || item->kind == RILL_VALUE_WRITE_64;
    size_t bytes = wide ? 8 : 4;
    struct cuda_address found;
    if (item->address % bytes)
        return cuda_blame(r->result, r->call, "address",
                          "0x%" PRIx64 ", of operation %zu, is not a multiple of %zu",
                          item->address, i, bytes);
    cuda_look(r->context, item->address, &found);
    if (found.known && bytes <= found.bytes - (size_t)(item->address - found.base) &&
        !found.pool && (found.host || found.device == r->context->ordinal))
        return RILL_SUCCESS;
    return cuda_blame(r->result, r->call, "address",
                      "at 0x%" PRIx64 ", of operation %zu, is no memory that the stream's device "
                      "can reach with values; that of pools and graphs never is",
                      item->address, i);
}

static rill_status check_item(const struct refusal *r, const rill_value *item, size_t i)
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

static rill_status explain_lack(const struct refusal *r, const rill_values_op *values)
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

rill_status cuda_explain_values(const struct cuda_context *context, CUresult result,
                                const char *call, const rill_values_op *values)
{
    const struct refusal r = { context, result, call };
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

static inline rill_status end(const struct cuda_stream *stream, CUresult result, const char *call,
                              const rill_values_op *values)
{
    if (__builtin_expect(result == CUDA_SUCCESS, 1)) return RILL_SUCCESS;
    return cuda_submitted(stream, cuda_explain_values(stream->context, result, call, values));
}

/* Apart, for the sake of its stack. */
__attribute__((noinline))
static rill_status submit_batch(const struct cuda_stream *stream, const rill_values_op *values)
{
    CUstreamBatchMemOpParams raw[CUDA_VALUES_MOST];
    rill_status status = cuda_check_values(values);
    if (status) return status;
    cuda_write_values(values->items, values->count, raw);
    return end(stream,
               cuda_api.StreamBatchMemOp(stream->raw, (unsigned)values->count,
                                         values->count ? raw : NULL, values->flags),
               "cuStreamBatchMemOp", values);
}

rill_status cuda_submit_values(struct cuda_stream *stream, rill_op *op)
{
    const rill_values_op *values = &op->values;
    const rill_value *item = values->items;
    if (values->count != 1 || values->flags) return submit_batch(stream, values);
    switch ((int)item->kind) {
    case RILL_VALUE_WAIT_32:
        return end(stream,
                   cuda_api.StreamWaitValue32(stream->raw, item->address, (uint32_t)item->value,
                                              item->flags),
                   "cuStreamWaitValue32", values);
    case RILL_VALUE_WRITE_32:
        return end(stream,
                   cuda_api.StreamWriteValue32(stream->raw, item->address, (uint32_t)item->value,
                                               item->flags),
                   "cuStreamWriteValue32", values);
    case RILL_VALUE_WAIT_64:
        return end(stream,
                   cuda_api.StreamWaitValue64(stream->raw, item->address, item->value,
                                              item->flags),
                   "cuStreamWaitValue64", values);
    case RILL_VALUE_WRITE_64:
        return end(stream,
                   cuda_api.StreamWriteValue64(stream->raw, item->address, item->value,
                                               item->flags),
                   "cuStreamWriteValue64", values);
    default: return submit_batch(stream, values);
    }
}
