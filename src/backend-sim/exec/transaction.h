/* SPDX-License-Identifier: Apache-2.0
 *
 * Many changes of an exec that happen together or not at all.
 *
 * Everything that can fail comes before the first change.  Until then the tasks are
 * the graph's alone: a refused update has cost no more than comparing them.
 */
#ifndef SIM_TRANSACTION_H
#define SIM_TRANSACTION_H

#include "backend-sim/exec/adopt.h"
#include "backend-sim/exec/exec.h"

struct conditional_run;

/* Tasks for the places of a program. */
struct task_patch {
    struct task_patch *next;
    struct program *program;
    struct task *tasks[]; /* by place; NULL: the task there stays */
};

/* Gives a conditional another handle. */
struct value_rebind {
    struct value_rebind *next;
    struct conditional_run *run;
    rill_conditional handle;
};

/* The caller's alone; once it is deferred, that of the launch that commits it. */
struct update_transaction {
    struct patch patch;              /* while it waits for its launch              */
    struct adoption *adoptions;      /* of whole sections; none while it waits     */
    struct task_patch *task_patches; /* of what else changes: one for each program */
    struct value_rebind *rebinds;
    bool retained;                   /* it holds references to the tasks: deferred */
    bool has_values;                 /* the exec gets these:                       */
    struct conditional_values values;
    bool has_users;                  /* the exec gets these:                       */
    struct user_references *users;
};

/* Returns NULL if memory is short. */
struct update_transaction *sim_transaction_create(void);
void sim_transaction_destroy(struct update_transaction *transaction);

/* Returns the task patch of a program, at first without any task, or NULL if memory is
 * short. */
struct task_patch *sim_transaction_patch_tasks(struct update_transaction *transaction,
                                               struct program *program);

/* Adds the adoption of a graph's tasks by a section.  Returns false if memory is short. */
bool sim_transaction_adopt(struct update_transaction *transaction, struct program *program,
                           const struct section *section, const struct sim_graph *graph);

/* Turns adoptions into task patches, for a transaction that has to wait: the graphs may change
 * until then.  Returns false if memory is short. */
bool sim_transaction_defer(struct update_transaction *transaction);

/* Returns false if memory is short. */
bool sim_transaction_rebind(struct update_transaction *transaction, struct conditional_run *run,
                            rill_conditional handle);

/* Commits the transaction, effective from the next launch.  Always consumes it. */
rill_status sim_exec_commit(struct sim_exec *exec, struct update_transaction *transaction);

#endif
