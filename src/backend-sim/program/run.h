/* SPDX-License-Identifier: Apache-2.0
 *
 * Running a program as part of a launch, by one thread or by several.
 */
#ifndef SIM_RUN_H
#define SIM_RUN_H

#include "backend-sim/node/running_launch.h"
#include "backend-sim/program/program.h"

struct gang;

/* What nodes may ask of the launch that they are part of. */
extern const struct run_context_type sim_launch_context;

/* Runs a program as part of the launch that this thread is in, by as many threads as it is
 * worth and there is memory for.  Returns NULL if all of it ran; else the gang that has the
 * rest, with this thread as a member on *seat. */
struct gang *sim_program_run(struct engine *engine, struct program *program, uint32_t *seat);

/* Reads the pageable memory that copy nodes of a launch that is submitted now read early.
 * Disabled nodes read nothing. */
rill_status sim_program_read_early(const struct program *program, struct early_reads **reads);

/* Tells the observers that a node begins or ends. */
void sim_program_observe_node(const struct launch *launch, const struct program *program,
                              uint32_t place, rill_sim_moment moment);

/* Tells what the node in a place demands. */
struct demand;
void sim_program_demand(const struct program *program, uint32_t place, struct demand *demand);

/* Runs a node and tells the observers. */
void sim_program_run_observed(const struct launch *launch, const struct program *program,
                              uint32_t place);

#endif
