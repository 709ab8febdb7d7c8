/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/vmem/drain.h"

#include "backend-sim/scheduler/wait.h"

bool sim_vmem_drain(struct engine *engine)
{
    struct pending pending;
    bool listed = sim_pending_list(engine, &pending);
    for (size_t i = 0; i < pending.count; i++) sim_engine_wait(engine, pending.points[i], false);
    sim_pending_drop(&pending);
    return listed;
}
