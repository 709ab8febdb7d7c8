/* SPDX-License-Identifier: Apache-2.0
 *
 * Empty operations in streams, for what comes before and after them.
 */
#include "backend-sim/stream/stream.h"

rill_status sim_submit_empty(struct sim_stream *stream, rill_op *op)
{
    (void)op;
    struct submission submission;
    rill_status status = sim_stream_begin(stream, &submission);
    if (status) return status;
    if (!sim_submission_add(&submission, &sim_op_empty, 0))
        return sim_stream_abort(stream, &submission);
    sim_stream_commit(stream, &submission);
    return RILL_SUCCESS;
}
