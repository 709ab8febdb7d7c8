/* SPDX-License-Identifier: Apache-2.0
 *
 * Execs: a program, the order of its launches, and the changes between them.
 *
 * The calls on one exec do not overlap (backend.h), but its launches run at the same
 * time.  A change of a program that is busy is deferred with the number of the first
 * launch that is to see it, and made when that launch begins.
 *
 * The header of exec.c (the slots), end.c, change.c, set_node.c and update.c.
 */
#ifndef SIM_EXEC_H
#define SIM_EXEC_H

#include "backend-sim/graph/claim.h"
#include "backend-sim/program/conditional_values.h"
#include "backend-sim/program/run.h"
#include "backend-sim/stream/stream.h"
#include "base/fence.h"

struct update_transaction;

/* A change that a launch makes when it begins. */
struct patch {
    struct patch *next;
    uint64_t launch;        /* the first that sees it              */
    struct update_transaction *transaction; /* many changes; NULL if it is one: */
    struct program *program;
    uint32_t place;
    int8_t enabled;         /* -1 if it stays as it is             */
    struct task *task;      /* NULL if it stays as it is           */
};

/* The program that a graph was laid out in: the exec's, or that of a conditional body in it. */
struct exec_section {
    uint32_t serial;
    struct program *program;
};

/* What a rill_exec stands for; outlives it while launches are pending. */
struct sim_exec {
    struct sim_context *context;
    uint32_t flags;
    bool priorities;         /* RILL_EXEC_NODE_PRIORITY: kernels have their own */
    bool is_plain;           /* sim_launch_is_plain(), and nobody chooses its steps; fixed */
    const struct op_type *launch_type; /* of launches that are not plain; fixed */
    struct stepper *stepper; /* NULL unless somebody chooses its steps; of the launch that runs */
    struct program *program;

    /* The caller's. */
    struct point last;       /* of the latest launch; its strand retained */
    uint64_t launched;

    /* Launches that are over (end.c): `completed` is the number of the last one that ran,
     * `dropped` counts those that a failed device did not run. */
    atomic_uint_least64_t ending, completed; /* the running launch's                 */
    atomic_uint_least64_t cut;               /* the caller's                         */
    atomic_uint_least64_t dropped;           /* and launches that ran after the cut  */

    atomic_bool patched;     /* there are patches                         */
    struct conditional_values values; /* change only between launches      */
    struct launch launch;    /* that runs; of the thread that began it    */

    struct exec_section *sections; /* by serial; fixed */
    uint32_t section_count;
    struct user_references *users; /* the caller's */
    struct exec_memory *memory; /* NULL without memory nodes */
    struct claimant claimant;
    struct conditional_claims *claims; /* the handle's; NULL without conditionals */

    struct rl_spin patch_lock;
    struct patch *patches, *patches_last; /* patch_lock */
};

/* The private bytes of a rill_exec. */
struct sim_exec_handle {
    struct sim_exec *exec;
};

static inline struct sim_exec *sim_exec_of(const rill_exec *exec)
{
    return ((struct sim_exec_handle *)rill_private(exec))->exec;
}

/* ---- The end ------------------------------------------------------------------------ */

/* Ends the handle.  The exec is freed now or with its last pending launch. */
void sim_exec_close(struct sim_exec *exec);

/* Ends a launch that did not run.  It does not touch the exec any more. */
void sim_exec_drop(struct sim_exec *exec);

/* Ends launch `number`, which ran while the handle ended, or after that. */
void sim_exec_complete_cut(struct sim_exec *exec, uint64_t number);

/* Ends launch `number`, which ran.  It does not touch the exec any more. */
static inline void sim_exec_complete(struct sim_exec *exec, uint64_t number)
{
    atomic_store_explicit(&exec->ending, number, memory_order_release);
    rl_fence_often();
    if (atomic_load_explicit(&exec->cut, memory_order_relaxed))
        sim_exec_complete_cut(exec, number);
    else
        atomic_store_explicit(&exec->completed, number, memory_order_release);
}

/* Returns whether launches are pending or running. */
static inline bool sim_exec_busy(const struct sim_exec *exec)
{
    return atomic_load_explicit(&exec->completed, memory_order_acquire) +
               atomic_load_explicit(&exec->dropped, memory_order_acquire) !=
           exec->launched;
}

/* ---- Changes ------------------------------------------------------------------------ */

/* Changes a place of one of the exec's programs from the next launch on.  Always consumes the
 * task's reference.  What is to stay as it is is given as -1 in `enabled`, NULL in `task`. */
rill_status sim_exec_change(struct sim_exec *exec, struct program *program, uint32_t place,
                            struct task *task, int enabled);

/* Returns the place of a node, and its program, or NODE_NONE. */
uint32_t sim_exec_find(const struct sim_exec *exec, rill_node node, struct program **program);

/* Makes the changes that launch `number` is to see. */
void sim_exec_catch_up(struct sim_exec *exec, uint64_t number);

/* Returns whether there are deferred changes. */
static inline bool sim_exec_has_changes(const struct sim_exec *exec)
{
    return atomic_load_explicit(&exec->patched, memory_order_acquire);
}

/* Frees deferred changes that no launch will see. */
void sim_exec_forget_changes(struct sim_exec *exec);

/* ---- Calls of the tables ---------------------------------------------------------- */

rill_status sim_exec_node_number(rill_exec *handle, rill_node node, uint64_t *number);

rill_status sim_exec_set_op(rill_exec *handle, rill_node node, const rill_op *op);
rill_status sim_exec_set_enabled(rill_exec *handle, rill_node node, int enabled);
rill_status sim_exec_get_enabled(rill_exec *handle, rill_node node, int *enabled);
rill_status sim_exec_update(rill_exec *handle, rill_graph *graph, rill_update_result *result);

extern const struct rill_exec_ops sim_exec_ops;

#endif
