/* SPDX-License-Identifier: Apache-2.0
 *
 * All kinds of operations by their code, and the one that does nothing.
 */
#include "backend-sim/ops.h"

#include "backend-sim/stream.h"

const struct op_type *const sim_op_types[OP_CODES] = {
    [OP_HOST] = &sim_op_host,
    [OP_CALLBACK] = &sim_op_callback,
    [OP_HOST_AWAY] = &sim_op_host_away,
    [OP_KERNEL] = &sim_op_kernel,
    [OP_COPY] = &sim_op_copy,
    [OP_COPY_ROW] = &sim_op_copy_row,
    [OP_FILL] = &sim_op_fill,
    [OP_WAIT] = &sim_op_wait,
    [OP_RECORD] = &sim_op_record,
    [OP_VALUE_WAIT] = &sim_op_value_wait,
    [OP_VALUE_WRITE] = &sim_op_value_write,
    [OP_ALLOC] = &sim_op_alloc,
    [OP_FREE] = &sim_op_free,
    [OP_EMPTY] = &sim_op_empty,
    [OP_LAUNCH] = &sim_op_launch,
    [OP_LAUNCH_PLAIN] = &sim_op_launch_plain,
    [OP_RESUME] = &sim_op_resume,
};

/* ---- Nothing ---------------------------------------------------------------------------- */

static void empty_run(struct strand *strand, struct cell *cell)
{
    (void)strand, (void)cell;
}

static const char *empty_name(const struct cell *cell)
{
    (void)cell;
    return "empty";
}

const struct op_type sim_op_empty = {
    .kind = RILL_OP_EMPTY, .run = empty_run, .name = empty_name,
};

rill_status sim_submit_empty(struct sim_stream *stream, rill_op *op)
{
    (void)op;
    struct submission submission;
    rill_status status = sim_stream_begin(stream, &submission);
    if (status) return status;
    if (!sim_submission_add(&submission, OP_EMPTY, 0)) return sim_stream_abort(stream, &submission);
    sim_stream_commit(stream, &submission);
    return RILL_SUCCESS;
}
