/* SPDX-License-Identifier: Apache-2.0
 *
 * Many changes of an exec that happen together or not at all.
 *
 * Everything that can fail comes before the first change.  Until then the tasks are
 * the graph's alone: what is refused has cost nothing but looking at them.
 */
#ifndef SIM_TRANSACTION_H
#define SIM_TRANSACTION_H

#include "backend-sim/exec/adopt.h"
#include "backend-sim/exec/exec.h"

struct conditional_run;

/* Tasks for places of a program; NULL: as it is. */
struct rewrite {
    struct rewrite *next;
    struct program *program;
    struct task *tasks[]; /* by place */
};

/* From now on a conditional has that handle. */
struct rebinding {
    struct rebinding *next;
    struct conditional_run *run;
    rill_conditional handle;
};

struct overhaul {
    struct patch patch;        /* while it waits for its launch             */
    struct takeover *takeovers; /* of whole parts; none while it waits       */
    struct rewrite *rewrites;  /* of what else changes: one for each program */
    struct rebinding *rebindings;
    bool retained;             /* the tasks are: it waits to be made        */
    bool revalues;             /* the exec gets these:                      */
    struct conditional_values values;
    bool reuses;               /* the same of these:                        */
    struct user_references *users;
};

struct overhaul *sim_overhaul_new(void);
void sim_overhaul_free(struct overhaul *overhaul);

/* That of a program, at first without any task; NULL when memory is short. */
struct rewrite *sim_overhaul_rewrite(struct overhaul *overhaul, struct program *program);

/* False when memory is short. */
bool sim_overhaul_take_over(struct overhaul *overhaul, struct program *program,
                            const struct section *section, const struct sim_graph *graph);

/* It has to wait, and the graphs may change meanwhile: what it takes over from them
 * becomes rewrites.  False when memory is short. */
bool sim_overhaul_put_down(struct overhaul *overhaul);

bool sim_overhaul_rebind(struct overhaul *overhaul, struct conditional_run *run,
                         rill_conditional handle);

/* Makes it, from the next launch on; takes it over in any case. */
rill_status sim_exec_overhaul(struct sim_exec *exec, struct overhaul *overhaul);

#endif
