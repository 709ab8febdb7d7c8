/* SPDX-License-Identifier: Apache-2.0
 *
 * The engines of a device: what can go on at the same time, each on a place of an engine.
 */
#ifndef SIM_ENGINES_H
#define SIM_ENGINES_H

#include "backend-sim/clock/costs.h"

/* A place on an engine. */
struct engine_place {
    uint64_t free_at; /* ENGINE_BUSY: nobody knows yet */
    size_t last;      /* the span that had it last, or NO_SPAN */
};

#define ENGINE_BUSY UINT64_MAX
#define NO_SPAN SIZE_MAX

struct device_engines {
    struct engine_place places[ENGINE_KINDS][ENGINE_MOST];
};

/* Makes the engines of so many devices.  Returns NULL if memory is short. */
struct device_engines *sim_engines_create(int devices);

/* Returns the place of an engine that is free first, or NULL if it needs none, or all are kept by
 * what nobody knows the end of. */
struct engine_place *sim_engine_place(struct device_engines *devices, const struct costs *costs,
                                      enum demand_kind kind, int device);

#endif
