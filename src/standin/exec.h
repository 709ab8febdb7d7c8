/* SPDX-License-Identifier: Apache-2.0
 *
 * Execs as arguments.
 */
#ifndef SI_EXEC_H
#define SI_EXEC_H

#include "standin/graph_handle.h"

static inline CUresult si_exec(CUgraphExec handle, rill_exec **exec)
{
    *exec = si_object(SI_EXEC, handle);
    return __builtin_expect(*exec != NULL, 1) ? RILL_SUCCESS : si_wrong(SI_EXEC, handle);
}

#endif
