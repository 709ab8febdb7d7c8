/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/ops.h"

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
