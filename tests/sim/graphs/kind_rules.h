/* SPDX-License-Identifier: Apache-2.0
 *
 * What the row of every kind of node must have (backend-sim/node_kind.h).
 */
#ifndef SIM_KIND_RULES_H
#define SIM_KIND_RULES_H

#include <string.h>

#include "backend-sim/node/kinds.h"

/* Returns what the row of kind `op` lacks, or has although it must not; or NULL. */
static inline const char *lacks(const struct node_kind *kind, rill_op_kind op)
{
    const bool has_graphs = kind->traits & KIND_HOLDS_GRAPHS;
    const bool never_replaced = kind->traits & (KIND_HOLDS_GRAPHS | KIND_IS_MEMORY);
    if (kind->op != op) return "op";
    if (!strcmp(rl_op_name(op), "unknown")) return "word";
    if (!kind->run != !!(kind->traits & KIND_IS_CARRIED_OUT)) return "run";
    if (!kind->free) return "free";
    if (!kind->read) return "read";
    if (!kind->create) return "create";
    if (!kind->graphs != !has_graphs) return "graphs";
    if (kind->may_replace && never_replaced) return "may_replace";
    if (kind->check_exec_change && kind->traits & KIND_FIXED) return "check_exec_change";
    if (!kind->draw && !kind->draw_record) return "draw";
    if (!kind->record_flag != !(kind->draw && kind->draw_record)) return "record_flag";
    return NULL;
}

#endif
