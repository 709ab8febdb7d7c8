/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/scheduler/work_source.h"

#include "backend-sim/scheduler/engine.h"

enum work_runs sim_work_runs(struct engine *engine)
{
    enum work_runs found = WORK_NONE;
    for (const struct work_source *const *source = engine->sources; *source; source++) {
        if (!(*source)->runs || !(*source)->runs(engine)) continue;
        if (!(*source)->wakes_helpers) return WORK_WATCHED;
        found = WORK_WAKES_HELPERS;
    }
    return found;
}

bool sim_work_wants(struct engine *engine)
{
    for (const struct work_source *const *source = engine->sources; *source; source++)
        if ((*source)->wants && (*source)->wants(engine)) return true;
    return false;
}

bool sim_work_is_due(struct engine *engine)
{
    for (const struct work_source *const *source = engine->sources; *source; source++)
        if ((*source)->due && (*source)->due(engine)) return true;
    return false;
}

bool sim_work_help(struct engine *engine, const struct point *until)
{
    for (const struct work_source *const *source = engine->sources; *source; source++)
        if ((*source)->help && (*source)->help(engine, until)) return true;
    return false;
}

void sim_work_stop(struct engine *engine)
{
    for (const struct work_source *const *source = engine->sources; *source; source++)
        if ((*source)->stop) (*source)->stop(engine);
}
