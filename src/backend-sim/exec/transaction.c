/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/exec/transaction.h"

#include "backend-sim/program/conditional_run.h"
#include "base/alloc.h"

struct overhaul *sim_overhaul_new(void)
{
    return rl_zalloc(sizeof(struct overhaul));
}

static void release_tasks(const struct rewrite *rewrite)
{
    for (uint32_t place = 0; place < rewrite->program->count; place++)
        if (rewrite->tasks[place]) sim_task_release(rewrite->tasks[place]);
}

static void free_takeovers(struct overhaul *overhaul)
{
    while (overhaul->takeovers) {
        struct takeover *takeover = overhaul->takeovers;
        overhaul->takeovers = takeover->next;
        rl_free(takeover);
    }
}

void sim_overhaul_free(struct overhaul *overhaul)
{
    free_takeovers(overhaul);
    while (overhaul->rewrites) {
        struct rewrite *rewrite = overhaul->rewrites;
        overhaul->rewrites = rewrite->next;
        if (overhaul->retained) release_tasks(rewrite);
        rl_free(rewrite);
    }
    while (overhaul->rebindings) {
        struct rebinding *rebinding = overhaul->rebindings;
        overhaul->rebindings = rebinding->next;
        rl_free(rebinding);
    }
    sim_conditional_values_destroy(&overhaul->values);
    sim_users_release(overhaul->users);
    rl_free(overhaul);
}

struct rewrite *sim_overhaul_rewrite(struct overhaul *overhaul, struct program *program)
{
    struct rewrite *rewrite = overhaul->rewrites;
    while (rewrite && rewrite->program != program) rewrite = rewrite->next;
    if (rewrite) return rewrite;
    rewrite = rl_zalloc(sizeof *rewrite + program->count * sizeof(struct task *));
    if (!rewrite) return NULL;
    rewrite->program = program;
    rewrite->next = overhaul->rewrites;
    overhaul->rewrites = rewrite;
    return rewrite;
}

bool sim_overhaul_take_over(struct overhaul *overhaul, struct program *program,
                            const struct section *section, const struct sim_graph *graph)
{
    struct takeover *takeover = rl_alloc(sizeof *takeover);
    if (!takeover) return false;
    *takeover = (struct takeover){ overhaul->takeovers, program, section, graph };
    overhaul->takeovers = takeover;
    return true;
}

bool sim_overhaul_put_down(struct overhaul *overhaul)
{
    const struct takeover *takeover;
    for (takeover = overhaul->takeovers; takeover; takeover = takeover->next) {
        struct rewrite *rewrite = sim_overhaul_rewrite(overhaul, takeover->program);
        if (!rewrite) return false;
        sim_takeover_list(takeover, rewrite->tasks);
    }
    free_takeovers(overhaul);
    return true;
}

bool sim_overhaul_rebind(struct overhaul *overhaul, struct conditional_run *run,
                         rill_conditional handle)
{
    struct rebinding *rebinding = rl_alloc(sizeof *rebinding);
    if (!rebinding) return false;
    *rebinding = (struct rebinding){ overhaul->rebindings, run, handle };
    overhaul->rebindings = rebinding;
    return true;
}
