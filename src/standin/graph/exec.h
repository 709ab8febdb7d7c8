/* SPDX-License-Identifier: Apache-2.0
 *
 * Execs.
 */
#ifndef SI_EXEC_H
#define SI_EXEC_H

#include "standin/graph/graph.h"

/* What programs hold as CUgraphExec. */
struct si_exec_slot {
    struct si_slot slot; /* object: rill_exec                          */
    uint32_t flags;      /* as it was made with; set before the object */
};

_Static_assert(sizeof(struct si_exec_slot) <= SI_SLOT_BYTES - sizeof(struct si_last),
               "an exec's slot has room for its end");

static inline CUresult si_exec(CUgraphExec handle, rill_exec **exec)
{
    *exec = si_object(SI_EXEC, handle);
    return __builtin_expect(*exec != NULL, 1) ? RILL_SUCCESS : si_wrong(SI_EXEC, handle);
}

/* Lets a node do `op` from the exec's next launch on, unless reading its parameters gave
 * another status. */
CUresult si_exec_set_node(CUgraphExec exec, CUgraphNode node, CUresult read, const rill_op *op);

#endif
