/* SPDX-License-Identifier: Apache-2.0
 *
 * Changing an exec between its launches.
 *
 * Two states are kept apart: what the next launch is to see, to which the caller's next
 * change adds, and what the program holds, which lags while launches are pending.
 */
#include <string.h>

#include "backend-sim/exec/transaction.h"
#include "backend-sim/program/conditional_run.h"
#include "backend-sim/program/external_node.h"
#include "base/alloc.h"

/* ---- What the next launch sees ----------------------------------------------------- */

/* Keeps the next tasks apart from those that the program holds, once a change is deferred.
 * Returns false if memory is short. */
static bool keep_next_tasks(struct program *program)
{
    if (program->next_tasks) return true;
    program->next_tasks = rl_alloc(program->count * sizeof(struct task *));
    if (!program->next_tasks) return false;
    memcpy(program->next_tasks, program->tasks, program->count * sizeof(struct task *));
    return true;
}

static void set_next_state(struct program *program, uint32_t place, struct task *task, int enabled)
{
    if (task) sim_program_set_next(program, place, task);
    if (enabled >= 0) sim_program_set_next_enabled(program, place, enabled);
}

/* ---- Deferred changes ---------------------------------------------------------------- */

/* Leaves a patch for the next launch. */

static void defer_patch(struct sim_exec *exec, struct patch *patch)
{
    patch->launch = exec->launched + 1;
    patch->next = NULL;
    rl_spin_lock(&exec->patch_lock);
    if (exec->patches) exec->patches_last->next = patch;
    else exec->patches = patch;
    exec->patches_last = patch;
    atomic_store(&exec->patched, true);
    rl_spin_unlock(&exec->patch_lock);
}

static struct patch *take_patch(struct sim_exec *exec, uint64_t number)
{
    rl_spin_lock(&exec->patch_lock);
    struct patch *patch = exec->patches;
    if (patch && patch->launch <= number) exec->patches = patch->next;
    else patch = NULL;
    if (!exec->patches) atomic_store(&exec->patched, false);
    rl_spin_unlock(&exec->patch_lock);
    return patch;
}

/* ---- One place ------------------------------------------------------------------------ */

static void change_place(struct program *program, uint32_t place, struct task *task, int enabled)
{
    struct task *before = task ? sim_program_swap(program, place, task) : NULL;
    if (before) sim_task_release(before);
    if (enabled >= 0) sim_program_set_enabled(program, place, enabled);
}

static rill_status no_memory(void)
{
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory for the change");
}

rill_status sim_exec_change(struct sim_exec *exec, struct program *program, uint32_t place,
                            struct task *task, int enabled)
{
    if (!sim_exec_busy(exec)) {
        sim_exec_catch_up(exec, UINT64_MAX);
        set_next_state(program, place, task, enabled);
        change_place(program, place, task, enabled);
        return RILL_SUCCESS;
    }
    struct patch *patch = rl_alloc(sizeof *patch);
    if (!patch || !keep_next_tasks(program)) {
        rl_free(patch);
        if (task) sim_task_release(task);
        return no_memory();
    }
    set_next_state(program, place, task, enabled);
    *patch = (struct patch){ .program = program, .place = place, .enabled = (int8_t)enabled,
                             .task = task };
    defer_patch(exec, patch);
    return RILL_SUCCESS;
}

/* ---- Many places ------------------------------------------------------------------------ */

/* A deferred transaction takes the two steps one after the other, others both at once: of a
 * large program each task has left the caches when it is looked at once more. */
enum commit_steps { COMMIT_NEXT = 1, COMMIT_NOW = 2 };

/* May call functions of the tasks that go. */
static void patch_places(struct task_patch *task_patch, int steps)
{
    struct program *program = task_patch->program;
    for (uint32_t place = 0; place < program->count; place++) {
        struct task *task = task_patch->tasks[place];
        sim_tasks_prefetch(task_patch->tasks, place, program->count);
        /* While a launch is awaited its places are not ours to read. */
        if (steps & COMMIT_NOW) sim_tasks_prefetch(program->tasks, place, program->count);
        if (!task) continue;
        if (steps & COMMIT_NEXT) {
            sim_task_retain(task);
            sim_program_set_next(program, place, task);
        }
        if (steps & COMMIT_NOW) sim_task_release(sim_program_swap(program, place, task));
    }
}

static void apply_patches(struct update_transaction *transaction, int steps)
{
    const struct adoption *adoption;
    for (adoption = transaction->adoptions; adoption; adoption = adoption->next)
        sim_adopt_tasks(adoption);
    struct task_patch *task_patch = transaction->task_patches;
    for (; task_patch; task_patch = task_patch->next)
        patch_places(task_patch, steps);
    transaction->retained = !(steps & COMMIT_NOW);
}

static void swap_values(struct sim_exec *exec, struct update_transaction *transaction)
{
    struct conditional_values values = exec->values;
    exec->values = transaction->values;
    transaction->values = values;
}

/* Gives a conditional another handle.  Its value stays, if it has no default. */
static void apply_rebind(struct sim_exec *exec, const struct value_rebind *rebind)
{
    struct conditional_run *run = rebind->run;
    uint32_t held = atomic_load_explicit(&run->value->value, memory_order_relaxed);
    run->handle = rebind->handle;
    run->value = sim_conditional_values_find(&exec->values, rebind->handle);
    atomic_store_explicit(&run->value->value, held, memory_order_relaxed);
}

static void commit_now(struct sim_exec *exec, struct update_transaction *transaction, int steps)
{
    apply_patches(transaction, steps);
    if (transaction->has_values) swap_values(exec, transaction);
    for (struct value_rebind *rebind = transaction->rebinds; rebind; rebind = rebind->next)
        apply_rebind(exec, rebind);
    sim_transaction_destroy(transaction);
}

static void swap_users(struct sim_exec *exec, struct update_transaction *transaction)
{
    struct user_references *users = exec->users;
    if (!transaction->has_users) return;
    exec->users = transaction->users;
    transaction->users = users;
}

static bool keep_all_next_tasks(const struct update_transaction *transaction)
{
    const struct task_patch *task_patch = transaction->task_patches;
    for (; task_patch; task_patch = task_patch->next)
        if (!keep_next_tasks(task_patch->program)) return false;
    return true;
}

rill_status sim_exec_commit(struct sim_exec *exec, struct update_transaction *transaction)
{
    if (!sim_exec_busy(exec)) {
        sim_exec_catch_up(exec, UINT64_MAX);
        swap_users(exec, transaction);
        commit_now(exec, transaction, COMMIT_NEXT | COMMIT_NOW);
        return RILL_SUCCESS;
    }
    if (!sim_transaction_defer(transaction) || !keep_all_next_tasks(transaction)) {
        sim_transaction_destroy(transaction);
        return no_memory();
    }
    swap_users(exec, transaction);
    apply_patches(transaction, COMMIT_NEXT);
    transaction->patch = (struct patch){ .transaction = transaction, .enabled = -1 };
    defer_patch(exec, &transaction->patch);
    return RILL_SUCCESS;
}

/* ---- Catching up ---------------------------------------------------------------------------- */

void sim_exec_catch_up(struct sim_exec *exec, uint64_t number)
{
    struct patch *patch;
    if (!atomic_load_explicit(&exec->patched, memory_order_acquire)) return;
    while ((patch = take_patch(exec, number))) {
        if (patch->transaction) {
            commit_now(exec, patch->transaction, COMMIT_NOW);
            continue;
        }
        change_place(patch->program, patch->place, patch->task, patch->enabled);
        rl_free(patch);
    }
}

void sim_exec_forget_changes(struct sim_exec *exec)
{
    while (exec->patches) {
        struct patch *patch = exec->patches;
        exec->patches = patch->next;
        if (patch->transaction) {
            sim_transaction_destroy(patch->transaction);
            continue;
        }
        if (patch->task) sim_task_release(patch->task);
        rl_free(patch);
    }
}
