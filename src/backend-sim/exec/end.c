/* SPDX-License-Identifier: Apache-2.0
 *
 * Frees an exec when its handle is destroyed or its last pending launch ends, whichever is
 * later.
 *
 * Launches run one after the other, and a launch that is over says so with two plain stores:
 * it stores `ending`, looks at `cut`, and stores `completed`.  A thread that destroys the
 * handle stores to `cut`, makes all processors fence (base/fence.h), and reads `ending`.  So
 * each launch that does not see the cut is seen by that thread, and later launches count
 * themselves, each with an atomic operation.  So do launches that a failed device does not
 * run, since they end in any order.
 */
#include <sched.h>

#include "backend-sim/exec/exec.h"
#include "backend-sim/graph/claim.h"
#include "backend-sim/graph/conditional.h"
#include "backend-sim/graph/user_object.h"
#include "backend-sim/node/memory_task.h"
#include "backend-sim/program/stepper.h"
#include "base/alloc.h"

/* `cut` is 0 while the handle is there, else the number of the first launch that counts
 * itself, or this value while that is being decided. */
#define CUT_UNDECIDED UINT64_MAX

static void free_exec(struct sim_exec *exec)
{
    sim_exec_forget_changes(exec);
    sim_exec_memory_free(exec->memory);
    sim_stepper_free(exec->stepper);
    sim_program_free(exec->program);
    sim_users_release(exec->users);
    if (exec->last.strand) sim_strand_release(exec->last.strand);
    sim_conditional_values_destroy(&exec->values);
    rl_free(exec->sections);
    rl_free(exec);
}

/* Once the handle is gone, the launches that are still to come have been taken off the count:
 * then the last one makes it 0. */
void sim_exec_drop(struct sim_exec *exec)
{
    if (atomic_fetch_add_explicit(&exec->dropped, 1, memory_order_acq_rel) + 1 == 0)
        free_exec(exec);
}

void sim_exec_complete_cut(struct sim_exec *exec, uint64_t number)
{
    uint64_t cut;
    while ((cut = atomic_load_explicit(&exec->cut, memory_order_acquire)) == CUT_UNDECIDED)
        sched_yield();
    if (number < cut) atomic_store_explicit(&exec->completed, number, memory_order_release);
    else sim_exec_drop(exec);
}

/* Makes the launches that are still to come count themselves.  Returns how many these are. */
static uint64_t cut_off_launches(struct sim_exec *exec)
{
    atomic_store(&exec->cut, CUT_UNDECIDED);
    rl_fence_rarely();
    uint64_t ran = atomic_load_explicit(&exec->ending, memory_order_acquire);
    atomic_store_explicit(&exec->cut, ran + 1, memory_order_release);
    while (atomic_load_explicit(&exec->completed, memory_order_acquire) != ran) sched_yield();
    return exec->launched - ran;
}

void sim_exec_close(struct sim_exec *exec)
{
    /* What it claimed of its graph is free for another exec. */
    sim_exec_memory_end(exec->memory);
    sim_claims_end(&exec->claimant);
    sim_conditionals_give_back(exec->claims);
    uint64_t left = sim_exec_busy(exec) ? cut_off_launches(exec) : exec->dropped;
    if (atomic_fetch_sub_explicit(&exec->dropped, left, memory_order_acq_rel) == left)
        free_exec(exec);
}
