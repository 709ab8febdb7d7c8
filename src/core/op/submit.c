/* SPDX-License-Identifier: Apache-2.0 */
#include "core/op/submit.h"

rill_status rl_refusal(rill_stream *stream, rill_op_kind op, rill_status status)
{
    const struct rill_capture_ops *captures = rl_backend(stream)->capture;
    return captures && captures->refusal ? captures->refusal(stream, op, status) : status;
}

/* Checks an operation in the stream.  A host function or graph that is wrong is refused as
 * such even if the stream's capture is broken. */
static rill_status check_op_in(rill_stream *stream, const rill_op *op)
{
    rill_status status = rl_check_op(op, stream);
    if (!status || !op || op->kind == RILL_OP_HOST || op->kind == RILL_OP_GRAPH) return status;
    return rl_refusal(stream, op->kind, status);
}

rill_status rill_stream_submit(rill_stream *stream, rill_op *op)
{
    rill_status status = rl_check(stream, RILL_OBJECT_STREAM, "stream");
    if (!status) status = check_op_in(stream, op);
    if (!status) return rl_finish(__func__, stream, rl_submit(stream, op));
    status = rl_finish(__func__, stream, status);
    rl_op_give_back(op);
    return status;
}
