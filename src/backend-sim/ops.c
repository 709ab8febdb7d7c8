/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/ops.h"

const struct op_type *const op_types[OP_CODES] = {
    [OP_HOST] = &op_host,
    [OP_CALLBACK] = &op_callback,
    [OP_KERNEL] = &op_kernel,
    [OP_COPY] = &op_copy,
    [OP_FILL] = &op_fill,
    [OP_WAIT] = &op_wait,
    [OP_RECORD] = &op_record,
    [OP_VALUE_WAIT] = &op_value_wait,
    [OP_VALUE_WRITE] = &op_value_write,
    [OP_ALLOC] = &op_alloc,
    [OP_FREE] = &op_free,
    [OP_EMPTY] = &op_empty,
};
