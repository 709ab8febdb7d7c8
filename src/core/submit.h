/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations on their way to a backend.
 */
#ifndef RL_SUBMIT_H
#define RL_SUBMIT_H

#include "core/check.h"
#include "core/error.h"

/* The handles and pointers inside an operation for the platform of `peer`, which
 * was checked before.  A NULL operation is refused, too. */
rill_status rl_check_op(const rill_op *op, const void *peer);

/* The same for a copy that the caller gave as `copy`. */
rill_status rl_check_copy(const rill_copy *copy, const void *peer);

/* The event inside an attribute, where it has one. */
rill_status rl_check_attribute(const rill_attribute *attribute, const char *argument,
                               const void *peer);

/* What an operation of that kind in the stream, which was checked before, is refused
 * with when `status` is what its handles are refused with: its capture may be broken. */
rill_status rl_refusal(rill_stream *stream, rill_op_kind op, rill_status status);

/* A handle of an operation in the stream. */
static inline rill_status rl_check_in(const void *object, rill_object_kind kind,
                                      const char *argument, rill_stream *stream, rill_op_kind op)
{
    rill_status status = rl_check_with(object, kind, argument, stream);
    return __builtin_expect(status == RILL_SUCCESS, 1) ? status : rl_refusal(stream, op, status);
}

/* Runs the `destroy` of a host function that no backend was given. */
void rl_give_back(const rill_op *op);

/* rill_graph_add_node_with_edges(), in the name of another call. */
rill_status rl_add_node(const char *operation, rill_graph *graph, const rill_node *dependencies,
                        const rill_edge *edges, size_t count, rill_op *op, rill_node *node);

static inline const struct rill_stream_ops *rl_stream_ops(const rill_stream *stream)
{
    return rl_backend(stream)->stream;
}

/* For an operation that was checked. */
static inline rill_status rl_submit(rill_stream *stream, rill_op *op)
{
    return rl_stream_ops(stream)->submit(stream, op);
}

#endif
