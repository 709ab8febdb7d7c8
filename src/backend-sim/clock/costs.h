/* SPDX-License-Identifier: Apache-2.0
 *
 * What things cost where time is virtual: a table, built in, of which lines of text replace some.
 * doc/virtual-time.md describes the text.
 */
#ifndef SIM_COSTS_H
#define SIM_COSTS_H

#include <rill/status.h>

#include "backend-sim/scheduler/demand.h"

/* Parts of a device that work beside each other. */
enum engine_kind {
    ENGINE_NONE,
    ENGINE_TO_DEVICE, /* copies */
    ENGINE_TO_HOST,
    ENGINE_ON_DEVICE, /* copies and fills */
    ENGINE_PEER,
    ENGINE_KERNELS,
    ENGINE_HOST,      /* functions of the program */
    ENGINE_KINDS
};

/* How many things one engine can do at once, at most. */
#define ENGINE_MOST 128

struct cost {
    uint64_t ns;      /* in any case                                                  */
    uint64_t rate;    /* bytes or instructions in a second, besides; 0: no more costs */
    bool measured;    /* as long as it takes here                                     */
};

struct kernel_cost {
    char *name;
    struct cost cost;
    struct kernel_cost *next;
};

struct costs {
    struct cost of[DEMAND_KINDS];
    struct kernel_cost *kernels; /* that have costs of their own  */
    uint64_t call_ns;            /* of each call of the host      */
    unsigned engines[ENGINE_KINDS];
};

/* Makes a table of the built-in costs.  Returns NULL if memory is short. */
struct costs *sim_costs_create(void);
void sim_costs_free(struct costs *costs);

/* Replace what the lines of a text, or of a file, name.  Say what is wrong with a line, as the
 * argument of that name. */
rill_status sim_costs_read(struct costs *costs, const char *text, const char *argument);
rill_status sim_costs_read_file(struct costs *costs, const char *path, const char *argument);

/* Returns what a demand costs, as the table has it now. */
const struct cost *sim_cost_of(const struct costs *costs, const struct demand *demand);

/* Returns how long so much takes. */
uint64_t sim_cost_ns(const struct cost *cost, uint64_t amount);

/* Returns the engine that it keeps busy. */
enum engine_kind sim_engine_for(enum demand_kind kind);

/* Returns what a line of the table begins with, such as "copy peer". */
const char *sim_demand_words(enum demand_kind kind);
const char *sim_engine_words(enum engine_kind kind);

#endif
