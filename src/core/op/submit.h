/* SPDX-License-Identifier: Apache-2.0
 *
 * Submitting operations to a backend.
 */
#ifndef RL_SUBMIT_H
#define RL_SUBMIT_H

#include "core/object/error.h"
#include "core/op/op_check.h"

/* Returns the status that refuses an operation of that kind in the stream, which was checked
 * before, if its handles are refused with `status`: a broken capture of the stream comes
 * first. */
rill_status rl_refusal(rill_stream *stream, rill_op_kind op, rill_status status);

/* Checks a handle of an operation in the stream. */
static inline rill_status rl_check_in(const void *object, rill_object_kind kind,
                                      const char *argument, rill_stream *stream, rill_op_kind op)
{
    rill_status status = rl_check_with(object, kind, argument, stream);
    return __builtin_expect(status == RILL_SUCCESS, 1) ? status : rl_refusal(stream, op, status);
}

static inline const struct rill_stream_ops *rl_stream_ops(const rill_stream *stream)
{
    return rl_backend(stream)->stream;
}

/* Hands an operation that was checked to the backend. */
static inline rill_status rl_submit(rill_stream *stream, rill_op *op)
{
    return rl_stream_ops(stream)->submit(stream, op);
}

#endif
