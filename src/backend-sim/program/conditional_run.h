/* SPDX-License-Identifier: Apache-2.0
 *
 * Running a conditional node: its bodies are programs of their own, which run
 * as often as its value says.
 */
#ifndef SIM_CONDITIONAL_RUN_H
#define SIM_CONDITIONAL_RUN_H

#include "backend-sim/program/conditional_values.h"
#include "backend-sim/program/program.h"

struct conditional_run {
    struct conditional_run *next;
    uint32_t place;
    rill_conditional_kind kind;
    uint32_t number;                 /* of its handle; fixed, as is the handle's context: a
                                        handle that replaces it in an update has the same two,
                                        so that updates may read them while launches run */
    uint64_t context;
    rill_conditional handle;         /* changes only between launches */
    struct conditional_value *value; /* one of the exec's; changes only between launches */
    uint32_t body_count;
    struct program *bodies[];
};

/* Freezes the bodies of every conditional node. */
rill_status sim_conditional_runs_freeze(struct program *program, struct sim_context *context,
                                        struct freeze_failure *failure);
size_t sim_conditional_runs_bytes(const struct program *program);
void sim_conditional_runs_free(struct program *program);

/* Returns the conditional run of a place that has one. */
struct conditional_run *sim_conditional_run_find(const struct program *program, uint32_t place);

/* Numbers the nodes of the program from `first` on, and after those the nodes of bodies.  Returns
 * the number that comes next. */
uint64_t sim_conditional_runs_number(struct program *program, uint64_t first);

/* Binds each conditional run, also inside bodies, to its value among those of the exec. */
void sim_conditional_runs_bind(struct program *program,
                               const struct conditional_values *values);

/* Returns the number of the body that the value asks for now, or NODE_NONE; of a WHILE, as long as
 * another round is to be run. */
uint32_t sim_conditional_next_body(const struct conditional_run *run);

/* Runs the bodies as the value says: the entry of a conditional node. */
void sim_conditional_run(void *conditional);

#endif
