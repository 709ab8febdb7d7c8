/* SPDX-License-Identifier: Apache-2.0
 *
 * The table alone, so that a test can put another one in its place.
 */
#include "backend-sim/node/kinds.h"

const struct node_kind *const sim_kinds[RL_OP_KINDS] = {
    [RILL_OP_KERNEL] = &sim_kind_kernel,
    [RILL_OP_MEMCPY] = &sim_kind_copy,
    [RILL_OP_MEMSET] = &sim_kind_fill,
    [RILL_OP_HOST] = &sim_kind_host,
    [RILL_OP_GRAPH] = &sim_kind_child,
    [RILL_OP_EMPTY] = &sim_kind_empty,
    [RILL_OP_EVENT_WAIT] = &sim_kind_event_wait,
    [RILL_OP_EVENT_RECORD] = &sim_kind_event_record,
    [RILL_OP_ALLOC] = &sim_kind_alloc,
    [RILL_OP_FREE] = &sim_kind_free,
    [RILL_OP_VALUES] = &sim_kind_values,
    [RILL_OP_CONDITIONAL] = &sim_kind_conditional,
};
