/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/clock/engines.h"

#include "base/alloc.h"

struct device_engines *sim_engines_create(int devices)
{
    struct device_engines *engines = rl_zalloc((size_t)devices * sizeof *engines);
    for (int d = 0; engines && d < devices; d++)
        for (int kind = 0; kind < ENGINE_KINDS; kind++)
            for (int i = 0; i < ENGINE_MOST; i++) engines[d].places[kind][i].last = NO_SPAN;
    return engines;
}

struct engine_place *sim_engine_place(struct device_engines *devices, const struct costs *costs,
                                      enum demand_kind kind, int device)
{
    enum engine_kind engine = sim_engine_for(kind);
    struct engine_place *places = devices[device].places[engine], *first = NULL;
    for (unsigned i = 0; i < costs->engines[engine]; i++)
        if (places[i].free_at != ENGINE_BUSY && (!first || places[i].free_at < first->free_at))
            first = &places[i];
    return first;
}
