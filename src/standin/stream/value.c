/* SPDX-License-Identifier: Apache-2.0
 *
 * Values in memory that streams write and wait for.
 */
#include "base/alloc.h"
#include "standin/stream/value.h"

ENTRY(cuStreamWriteValue32_v2,
      (CUstream handle, CUdeviceptr address, uint32_t value, unsigned flags),
      (handle, address, value, flags))
{
    rill_stream *stream;
    CUresult status = si_stream(handle, &stream);
    return status ? status : rill_stream_write_value32(stream, address, value, flags);
}

ENTRY(cuStreamWriteValue64_v2,
      (CUstream handle, CUdeviceptr address, uint64_t value, unsigned flags),
      (handle, address, value, flags))
{
    rill_stream *stream;
    CUresult status = si_stream(handle, &stream);
    return status ? status : rill_stream_write_value64(stream, address, value, flags);
}

ENTRY(cuStreamWaitValue32_v2,
      (CUstream handle, CUdeviceptr address, uint32_t value, unsigned flags),
      (handle, address, value, flags))
{
    rill_stream *stream;
    CUresult status = si_stream(handle, &stream);
    return status ? status : rill_stream_wait_value32(stream, address, value, flags);
}

ENTRY(cuStreamWaitValue64_v2,
      (CUstream handle, CUdeviceptr address, uint64_t value, unsigned flags),
      (handle, address, value, flags))
{
    rill_stream *stream;
    CUresult status = si_stream(handle, &stream);
    return status ? status : rill_stream_wait_value64(stream, address, value, flags);
}

/* ---- Several at once ------------------------------------------------------------- */

rill_value si_value_read(const CUstreamBatchMemOpParams *given)
{
    rill_value value = { .kind = (rill_value_kind)given->operation };
    switch (given->operation) {
    case RILL_VALUE_FLUSH_REMOTE_WRITES:
    case RILL_VALUE_BARRIER: value.flags = given->plain.flags; break;
    case RILL_VALUE_WAIT_32:
    case RILL_VALUE_WRITE_32:
        value.value = (uint32_t)given->value.value;
        value.address = given->value.address;
        value.flags = given->value.flags;
        break;
    default:
        value.value = given->value.value;
        value.address = given->value.address;
        value.flags = given->value.flags;
    }
    return value;
}

void si_value_write(const rill_value *value, CUstreamBatchMemOpParams *out)
{
    *out = (CUstreamBatchMemOpParams){ .pad = { 0 } };
    out->operation = (int)value->kind;
    if (value->kind == RILL_VALUE_FLUSH_REMOTE_WRITES || value->kind == RILL_VALUE_BARRIER) {
        out->plain.flags = value->flags;
        return;
    }
    out->value.address = value->address;
    out->value.value = value->value;
    out->value.flags = value->flags;
}

enum { FEW = 16 }; /* values that need no allocation */

/* Reads values into `few` where they fit, else into memory that the caller frees. */
static CUresult read_values(const CUstreamBatchMemOpParams *given, size_t count, rill_value *few,
                            rill_value **values)
{
    *values = few;
    if (count > SI_VALUES_MAX || (count && !given)) return RILL_ERROR_INVALID_VALUE;
    if (count > FEW) *values = rl_alloc(count * sizeof **values);
    if (!*values) return RILL_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) (*values)[i] = si_value_read(&given[i]);
    return RILL_SUCCESS;
}

ENTRY(cuStreamBatchMemOp_v2,
      (CUstream handle, unsigned count, CUstreamBatchMemOpParams *given, unsigned flags),
      (handle, count, given, flags))
{
    rill_stream *stream;
    rill_value few[FEW], *values;
    CUresult status = si_stream(handle, &stream);
    if (status) return status;
    status = read_values(given, count, few, &values);
    if (status) return status;
    status = rill_stream_batch_values(stream, values, count, flags);
    if (values != few) rl_free(values);
    return status;
}

/* ---- Earlier forms --------------------------------------------------------------- */

/* The first forms differ from the second in the devices that have them. */
#define FORMS(name, parameters, arguments) \
    SAME_AS(name, name##_v2, parameters, arguments) \
    PER_THREAD_FORM(name, _ptsz, parameters, arguments) \
    PER_THREAD_FORM(name##_v2, _ptsz, parameters, arguments)

FORMS(cuStreamWriteValue32,
      (CUstream stream, CUdeviceptr address, uint32_t value, unsigned flags),
      (stream, address, value, flags))
FORMS(cuStreamWriteValue64,
      (CUstream stream, CUdeviceptr address, uint64_t value, unsigned flags),
      (stream, address, value, flags))
FORMS(cuStreamWaitValue32,
      (CUstream stream, CUdeviceptr address, uint32_t value, unsigned flags),
      (stream, address, value, flags))
FORMS(cuStreamWaitValue64,
      (CUstream stream, CUdeviceptr address, uint64_t value, unsigned flags),
      (stream, address, value, flags))
FORMS(cuStreamBatchMemOp,
      (CUstream stream, unsigned count, CUstreamBatchMemOpParams *given, unsigned flags),
      (stream, count, given, flags))
