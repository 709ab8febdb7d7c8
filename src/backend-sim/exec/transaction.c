/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/exec/transaction.h"

#include "backend-sim/graph/user_object.h"
#include "backend-sim/program/conditional_run.h"
#include "base/alloc.h"

struct update_transaction *sim_transaction_create(void)
{
    return rl_zalloc(sizeof(struct update_transaction));
}

static void release_tasks(const struct task_patch *task_patch)
{
    for (uint32_t place = 0; place < task_patch->program->count; place++)
        if (task_patch->tasks[place]) sim_task_release(task_patch->tasks[place]);
}

static void free_adoptions(struct update_transaction *transaction)
{
    while (transaction->adoptions) {
        struct adoption *adoption = transaction->adoptions;
        transaction->adoptions = adoption->next;
        rl_free(adoption);
    }
}

void sim_transaction_destroy(struct update_transaction *transaction)
{
    free_adoptions(transaction);
    while (transaction->task_patches) {
        struct task_patch *task_patch = transaction->task_patches;
        transaction->task_patches = task_patch->next;
        if (transaction->retained) release_tasks(task_patch);
        rl_free(task_patch);
    }
    while (transaction->rebinds) {
        struct value_rebind *rebind = transaction->rebinds;
        transaction->rebinds = rebind->next;
        rl_free(rebind);
    }
    sim_conditional_values_destroy(&transaction->values);
    sim_users_release(transaction->users);
    rl_free(transaction);
}

struct task_patch *sim_transaction_patch_tasks(struct update_transaction *transaction,
                                               struct program *program)
{
    struct task_patch *task_patch = transaction->task_patches;
    while (task_patch && task_patch->program != program) task_patch = task_patch->next;
    if (task_patch) return task_patch;
    task_patch = rl_zalloc(sizeof *task_patch + program->count * sizeof(struct task *));
    if (!task_patch) return NULL;
    task_patch->program = program;
    task_patch->next = transaction->task_patches;
    transaction->task_patches = task_patch;
    return task_patch;
}

bool sim_transaction_adopt(struct update_transaction *transaction, struct program *program,
                           const struct section *section, const struct sim_graph *graph)
{
    struct adoption *adoption = rl_alloc(sizeof *adoption);
    if (!adoption) return false;
    *adoption = (struct adoption){ transaction->adoptions, program, section, graph };
    transaction->adoptions = adoption;
    return true;
}

bool sim_transaction_defer(struct update_transaction *transaction)
{
    const struct adoption *adoption;
    for (adoption = transaction->adoptions; adoption; adoption = adoption->next) {
        struct task_patch *task_patch = sim_transaction_patch_tasks(transaction, adoption->program);
        if (!task_patch) return false;
        sim_adopted_tasks(adoption, task_patch->tasks);
    }
    free_adoptions(transaction);
    return true;
}

bool sim_transaction_rebind(struct update_transaction *transaction, struct conditional_run *run,
                            rill_conditional handle)
{
    struct value_rebind *rebind = rl_alloc(sizeof *rebind);
    if (!rebind) return false;
    *rebind = (struct value_rebind){ transaction->rebinds, run, handle };
    transaction->rebinds = rebind;
    return true;
}
