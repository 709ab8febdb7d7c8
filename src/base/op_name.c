/* SPDX-License-Identifier: Apache-2.0 */
#include "base/op_name.h"

const char *rl_op_name(rill_op_kind kind)
{
    switch ((int)kind) {
    case RILL_OP_KERNEL: return "kernel";
    case RILL_OP_MEMCPY: return "copy";
    case RILL_OP_MEMSET: return "fill";
    case RILL_OP_HOST: return "host";
    case RILL_OP_GRAPH: return "child graph";
    case RILL_OP_EMPTY: return "empty";
    case RILL_OP_EVENT_WAIT: return "event wait";
    case RILL_OP_EVENT_RECORD: return "event record";
    case RILL_OP_ALLOC: return "alloc";
    case RILL_OP_FREE: return "free";
    case RILL_OP_VALUES: return "value";
    case RILL_OP_CONDITIONAL: return "conditional";
    default: return "unknown";
    }
}
