/* SPDX-License-Identifier: Apache-2.0 */
#include "base/words/op_kind.h"

#include <stddef.h>

/* A host function owns its data. */
static void give_back_host_data(const rill_op *op)
{
    if (op->host.destroy) op->host.destroy(op->host.data);
}

static const struct rl_op_kind op_kinds[RL_OP_KINDS] = {
    [RILL_OP_KERNEL] = { .word = "kernel" },
    [RILL_OP_MEMCPY] = { .word = "copy" },
    [RILL_OP_MEMSET] = { .word = "fill" },
    [RILL_OP_HOST] = { .word = "host", .give_back = give_back_host_data },
    [RILL_OP_GRAPH] = { .word = "child graph" },
    [RILL_OP_EMPTY] = { .word = "empty" },
    [RILL_OP_EVENT_WAIT] = { .word = "event wait" },
    [RILL_OP_EVENT_RECORD] = { .word = "event record" },
    [RILL_OP_SEMAPHORE_SIGNAL] = { .word = "semaphore signal" },
    [RILL_OP_SEMAPHORE_WAIT] = { .word = "semaphore wait" },
    [RILL_OP_ALLOC] = { .word = "alloc" },
    [RILL_OP_FREE] = { .word = "free" },
    [RILL_OP_VALUES] = { .word = "value" },
    [RILL_OP_CONDITIONAL] = { .word = "conditional" },
};

static const struct rl_op_kind *find_kind(rill_op_kind kind)
{
    return (unsigned)kind < RL_OP_KINDS ? &op_kinds[kind] : NULL;
}

const char *rl_op_name(rill_op_kind kind)
{
    const struct rl_op_kind *row = find_kind(kind);
    return row && row->word ? row->word : "unknown";
}

void rl_op_give_back(const rill_op *op)
{
    const struct rl_op_kind *row = op ? find_kind(op->kind) : NULL;
    if (row && row->give_back) row->give_back(op);
}
