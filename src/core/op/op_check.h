/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of the handles and pointers inside an operation, for each kind.
 */
#ifndef RL_OP_CHECK_H
#define RL_OP_CHECK_H

#include "base/words/op_kind.h"
#include "core/object/check.h"

/* Checks an operation for the platform of `peer`, which was checked before. */
typedef rill_status rl_op_check(const rill_op *op, const void *peer);

/* The check of each kind, or NULL if operations of the kind hold no handle and no pointer. */
extern rl_op_check *const rl_op_checks[RL_OP_KINDS];

rl_op_check rl_check_kernel_op, rl_check_copy_op, rl_check_host_op, rl_check_graph_op,
    rl_check_event_op, rl_check_alloc_op, rl_check_values_op, rl_check_conditional_op,
    rl_refuse_semaphore_signal, rl_refuse_semaphore_wait;

/* Checks an operation of any kind.  Refuses NULL. */
rill_status rl_check_op(const rill_op *op, const void *peer);

/* Checks a copy that the caller passed as `copy`. */
rill_status rl_check_copy(const rill_copy *copy, const void *peer);

/* Checks the event inside an attribute, if the attribute has one. */
rill_status rl_check_attribute(const rill_attribute *attribute, const char *argument,
                               const void *peer);

#endif
