/* SPDX-License-Identifier: Apache-2.0
 *
 * Changing an exec between its launches.
 *
 * Two states are kept apart: what is promised, to which the caller's next change
 * adds, and what the program holds, which is behind while launches are pending.
 */
#include <string.h>

#include "backend-sim/exec/transaction.h"
#include "backend-sim/program/conditional_run.h"
#include "backend-sim/program/external_node.h"
#include "base/alloc.h"

/* ---- What is promised -------------------------------------------------------------- */

/* Kept by itself from the first change on that was put down. */
static bool keep_promises(struct program *program)
{
    if (program->promised) return true;
    program->promised = rl_alloc(program->count * sizeof(struct task *));
    if (!program->promised) return false;
    memcpy(program->promised, program->tasks, program->count * sizeof(struct task *));
    return true;
}

static void promise(struct program *program, uint32_t place, struct task *task, int enabled)
{
    if (task) sim_program_promise(program, place, task);
    if (enabled >= 0) sim_program_promise_enabled(program, place, enabled);
}

/* ---- Putting changes down ------------------------------------------------------------ */

static void put_down(struct sim_exec *exec, struct patch *patch)
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

static struct patch *next_patch(struct sim_exec *exec, uint64_t number)
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

static void change_now(struct program *program, uint32_t place, struct task *task, int enabled)
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
        promise(program, place, task, enabled);
        change_now(program, place, task, enabled);
        return RILL_SUCCESS;
    }
    struct patch *patch = rl_alloc(sizeof *patch);
    if (!patch || !keep_promises(program)) {
        rl_free(patch);
        if (task) sim_task_release(task);
        return no_memory();
    }
    promise(program, place, task, enabled);
    *patch = (struct patch){ .program = program, .place = place, .enabled = (int8_t)enabled,
                             .task = task };
    put_down(exec, patch);
    return RILL_SUCCESS;
}

/* ---- Many places ------------------------------------------------------------------------ */

/* Twice for an overhaul that waits for its launch, else both at once: of a large
 * program each task is out of the caches again when it is looked at once more. */
enum rewriting { REWRITE_PROMISE = 1, REWRITE_MAKE = 2 };

/* May run what belongs to the tasks that go. */
static void rewrite_places(struct rewrite *rewrite, int steps)
{
    struct program *program = rewrite->program;
    for (uint32_t place = 0; place < program->count; place++) {
        struct task *task = rewrite->tasks[place];
        sim_tasks_look_ahead(rewrite->tasks, place, program->count);
        /* While a launch is awaited its places are not ours to read. */
        if (steps & REWRITE_MAKE) sim_tasks_look_ahead(program->tasks, place, program->count);
        if (!task) continue;
        if (steps & REWRITE_PROMISE) {
            sim_task_retain(task);
            sim_program_promise(program, place, task);
        }
        if (steps & REWRITE_MAKE) sim_task_release(sim_program_swap(program, place, task));
    }
}

static void rewrite_all(struct overhaul *overhaul, int steps)
{
    const struct takeover *takeover;
    for (takeover = overhaul->takeovers; takeover; takeover = takeover->next)
        sim_takeover_make(takeover);
    for (struct rewrite *rewrite = overhaul->rewrites; rewrite; rewrite = rewrite->next)
        rewrite_places(rewrite, steps);
    overhaul->retained = !(steps & REWRITE_MAKE);
}

static void swap_values(struct sim_exec *exec, struct overhaul *overhaul)
{
    struct conditional_values values = exec->values;
    exec->values = overhaul->values;
    overhaul->values = values;
}

/* What a conditional without a default holds, it goes on holding. */
static void rebind(struct sim_exec *exec, const struct rebinding *rebinding)
{
    struct conditional_run *run = rebinding->run;
    uint32_t held = atomic_load_explicit(&run->value->value, memory_order_relaxed);
    run->handle = rebinding->handle;
    run->value = sim_conditional_values_find(&exec->values, rebinding->handle);
    atomic_store_explicit(&run->value->value, held, memory_order_relaxed);
}

static void overhaul_now(struct sim_exec *exec, struct overhaul *overhaul, int steps)
{
    rewrite_all(overhaul, steps);
    if (overhaul->revalues) swap_values(exec, overhaul);
    for (struct rebinding *rebinding = overhaul->rebindings; rebinding;
         rebinding = rebinding->next)
        rebind(exec, rebinding);
    sim_overhaul_free(overhaul);
}

static void swap_users(struct sim_exec *exec, struct overhaul *overhaul)
{
    struct user_references *users = exec->users;
    if (!overhaul->reuses) return;
    exec->users = overhaul->users;
    overhaul->users = users;
}

static bool keep_all_promises(const struct overhaul *overhaul)
{
    for (const struct rewrite *rewrite = overhaul->rewrites; rewrite; rewrite = rewrite->next)
        if (!keep_promises(rewrite->program)) return false;
    return true;
}

rill_status sim_exec_overhaul(struct sim_exec *exec, struct overhaul *overhaul)
{
    if (!sim_exec_busy(exec)) {
        sim_exec_catch_up(exec, UINT64_MAX);
        swap_users(exec, overhaul);
        overhaul_now(exec, overhaul, REWRITE_PROMISE | REWRITE_MAKE);
        return RILL_SUCCESS;
    }
    if (!sim_overhaul_put_down(overhaul) || !keep_all_promises(overhaul)) {
        sim_overhaul_free(overhaul);
        return no_memory();
    }
    swap_users(exec, overhaul);
    rewrite_all(overhaul, REWRITE_PROMISE);
    overhaul->patch = (struct patch){ .overhaul = overhaul, .enabled = -1 };
    put_down(exec, &overhaul->patch);
    return RILL_SUCCESS;
}

/* ---- Catching up ---------------------------------------------------------------------------- */

void sim_exec_catch_up(struct sim_exec *exec, uint64_t number)
{
    struct patch *patch;
    if (!atomic_load_explicit(&exec->patched, memory_order_acquire)) return;
    while ((patch = next_patch(exec, number))) {
        if (patch->overhaul) {
            overhaul_now(exec, patch->overhaul, REWRITE_MAKE);
            continue;
        }
        change_now(patch->program, patch->place, patch->task, patch->enabled);
        rl_free(patch);
    }
}

void sim_exec_forget_changes(struct sim_exec *exec)
{
    while (exec->patches) {
        struct patch *patch = exec->patches;
        exec->patches = patch->next;
        if (patch->overhaul) {
            sim_overhaul_free(patch->overhaul);
            continue;
        }
        if (patch->task) sim_task_release(patch->task);
        rl_free(patch);
    }
}
