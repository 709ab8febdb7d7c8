/* SPDX-License-Identifier: Apache-2.0 */
#include "standin/graph/node_kind.h"

static CUresult refuse_number(const CUgraphNodeParams *params, struct si_op_buffers *buffers,
                              rill_op *op)
{
    (void)params, (void)buffers, (void)op;
    return RILL_ERROR_INVALID_VALUE;
}

static CUresult refuse_semaphore(const CUgraphNodeParams *params, struct si_op_buffers *buffers,
                                 rill_op *op)
{
    (void)params, (void)buffers, (void)op;
    return RILL_ERROR_NOT_SUPPORTED;
}

/* Parameters that are not known may use all bytes. */
static const struct si_node_kind
    no_kind = { .bytes = sizeof((CUgraphNodeParams *)NULL)->reserved1, .read = refuse_number },
    semaphore_kind = { .bytes = sizeof((CUgraphNodeParams *)NULL)->reserved1,
                       .read = refuse_semaphore };

static const struct si_node_kind *const kinds[] = {
    [RILL_OP_KERNEL] = &si_kernel_kind,
    [RILL_OP_MEMCPY] = &si_copy_kind,
    [RILL_OP_MEMSET] = &si_fill_kind,
    [RILL_OP_HOST] = &si_host_kind,
    [RILL_OP_GRAPH] = &si_child_kind,
    [RILL_OP_EMPTY] = &si_empty_kind,
    [RILL_OP_EVENT_WAIT] = &si_event_kind,
    [RILL_OP_EVENT_RECORD] = &si_event_kind,
    [RILL_OP_SEMAPHORE_SIGNAL] = &semaphore_kind,
    [RILL_OP_SEMAPHORE_WAIT] = &semaphore_kind,
    [RILL_OP_ALLOC] = &si_alloc_kind,
    [RILL_OP_FREE] = &si_free_kind,
    [RILL_OP_VALUES] = &si_values_kind,
    [RILL_OP_CONDITIONAL] = &si_conditional_kind,
};

const struct si_node_kind *si_node_kind(int type)
{
    size_t count = sizeof kinds / sizeof *kinds;
    const struct si_node_kind *kind = type >= 0 && (size_t)type < count ? kinds[type] : NULL;
    return kind ? kind : &no_kind;
}
