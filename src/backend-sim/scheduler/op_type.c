/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/scheduler/op_type.h"

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
