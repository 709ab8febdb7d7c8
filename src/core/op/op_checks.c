/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of checks, alone in its file, so that a test can link another table instead.
 */
#include "core/op/op_check.h"

rl_op_check *const rl_op_checks[RL_OP_KINDS] = {
    [RILL_OP_KERNEL] = rl_check_kernel_op,
    [RILL_OP_MEMCPY] = rl_check_copy_op,
    [RILL_OP_MEMSET] = NULL,
    [RILL_OP_HOST] = rl_check_host_op,
    [RILL_OP_GRAPH] = rl_check_graph_op,
    [RILL_OP_EMPTY] = NULL,
    [RILL_OP_EVENT_WAIT] = rl_check_event_op,
    [RILL_OP_EVENT_RECORD] = rl_check_event_op,
    [RILL_OP_SEMAPHORE_SIGNAL] = rl_refuse_semaphore_signal,
    [RILL_OP_SEMAPHORE_WAIT] = rl_refuse_semaphore_wait,
    [RILL_OP_ALLOC] = rl_check_alloc_op,
    [RILL_OP_FREE] = NULL,
    [RILL_OP_VALUES] = rl_check_values_op,
    [RILL_OP_CONDITIONAL] = rl_check_conditional_op,
};
