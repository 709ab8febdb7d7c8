/* SPDX-License-Identifier: Apache-2.0
 *
 * Changing an exec between its launches.
 *
 * Two states are kept apart: what is promised, to which the caller's next change
 * adds, and what the program holds, which is behind while launches are pending.
 */
#include <string.h>

#include "backend-sim/exec.h"
#include "backend-sim/side.h"
#include "base/alloc.h"

/* ---- What is promised -------------------------------------------------------------- */

struct task *sim_program_promised(const struct program *program, uint32_t place)
{
    return program->promised ? program->promised[place] : program->tasks[place];
}

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
    if (task) sim_side_change(program, place, task);
    if (task && program->promised) program->promised[place] = task;
    if (enabled >= 0) sim_program_promise_enabled(program, place, enabled);
}

/* ---- Making changes ------------------------------------------------------------------ */

static void change_now(struct program *program, uint32_t place, struct task *task, int enabled)
{
    if (task) sim_program_set_task(program, place, task);
    if (enabled >= 0) sim_program_set_enabled(program, place, enabled);
}

static rill_status no_memory(struct task *task)
{
    if (task) sim_task_release(task);
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory for the change");
}

rill_status sim_exec_change(struct sim_exec *exec, struct program *program, uint32_t place,
                            struct task *task, int enabled)
{
    if (enabled >= 0 && !sim_program_can_disable(program)) return no_memory(task);
    if (!sim_exec_busy(exec)) {
        sim_exec_catch_up(exec, UINT64_MAX);
        promise(program, place, task, enabled);
        change_now(program, place, task, enabled);
        return RILL_SUCCESS;
    }
    struct patch *patch = rl_alloc(sizeof *patch);
    if (!patch || !keep_promises(program)) {
        rl_free(patch);
        return no_memory(task);
    }
    promise(program, place, task, enabled);
    *patch = (struct patch){ .launch = exec->launched + 1, .program = program, .place = place,
                             .enabled = (int8_t)enabled, .task = task };
    rl_spin_lock(&exec->patch_lock);
    if (exec->patches) exec->patches_last->next = patch;
    else exec->patches = patch;
    exec->patches_last = patch;
    atomic_store(&exec->patched, true);
    rl_spin_unlock(&exec->patch_lock);
    return RILL_SUCCESS;
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

void sim_exec_catch_up(struct sim_exec *exec, uint64_t number)
{
    struct patch *patch;
    if (!atomic_load_explicit(&exec->patched, memory_order_acquire)) return;
    while ((patch = next_patch(exec, number))) {
        change_now(patch->program, patch->place, patch->task, patch->enabled);
        rl_free(patch);
    }
}
