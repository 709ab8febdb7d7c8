/* SPDX-License-Identifier: Apache-2.0
 *
 * An operation that fails its device as a faulty kernel does, for tests of how a program copes with
 * that.
 */
#include <stdio.h>

#include "backend-sim/guard/call_guard.h"
#include "backend-sim/guard/interceptor.h"
#include "backend-sim/stream/stream.h"

struct fault_cell {
    rill_status status;
    char message[128];
};

static void fault_run(struct strand *strand, struct cell *cell)
{
    const struct fault_cell *fault = cell_payload(cell);
    sim_raise_in(strand, fault->status, "kernel", fault->message);
}

static const char *fault_name(const struct cell *cell)
{
    (void)cell;
    return "fault";
}

static const struct op_type fault_op = {
    .kind = RILL_OP_EMPTY, .run = fault_run, .name = fault_name,
};

rill_status sim_submit_fault(rill_stream *handle, rill_status status, const char *message)
{
    struct sim_stream *stream;
    struct submission submission;
    rill_status refused = sim_stream_enter(handle, CALL_SUBMIT, &stream);
    if (!refused && sim_capturing(stream->context->platform))
        refused = rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, NULL, "a capture goes on");
    if (!refused) refused = sim_stream_begin(stream, &submission);
    if (refused) return refused;
    struct cell *cell = sim_submission_add(&submission, &fault_op, sizeof(struct fault_cell));
    if (!cell) return sim_stream_abort(stream, &submission);
    struct fault_cell *fault = cell_payload(cell);
    fault->status = status;
    snprintf(fault->message, sizeof fault->message, "%s", message);
    sim_stream_commit(stream, &submission);
    return RILL_SUCCESS;
}
