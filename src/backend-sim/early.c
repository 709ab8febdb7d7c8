/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/early.h"

#include <stdlib.h>

#include "backend-sim/memory.h"
#include "base/alloc.h"

/* Nodes that share a task read the same at the same time. */
struct early_read {
    const struct task *task;
    struct sim_copy copy;
};

struct early_reads {
    uint32_t count;
    struct early_read items[]; /* by address of the task */
};

static int compare(const void *a, const void *b)
{
    const struct early_read *first = a, *second = b;
    return (first->task > second->task) - (first->task < second->task);
}

void sim_early_free(struct early_reads *reads)
{
    for (uint32_t i = 0; reads && i < reads->count; i++) sim_copy_drop(&reads->items[i].copy);
    rl_free(reads);
}

/* Disabled nodes read nothing. */
static bool wants(const struct program *program, uint32_t place)
{
    const struct task *task = sim_program_promised(program, place);
    return task && task->marks & TASK_READS_EARLY && sim_program_promised_enabled(program, place);
}

rill_status sim_early_read(const struct program *program, struct early_reads **reads)
{
    rill_status status = RILL_SUCCESS;
    struct early_reads *made = rl_zalloc(sizeof *made + program->early * sizeof made->items[0]);
    if (!made)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory for the launch");
    for (uint32_t p = 0; !status && p < program->count; p++) {
        if (!wants(program, p)) continue;
        struct early_read *read = &made->items[made->count];
        read->task = sim_program_promised(program, p);
        status = sim_copy_task_read(read->task, &read->copy);
        if (!status) made->count++;
    }
    if (status) {
        sim_early_free(made);
        return status;
    }
    qsort(made->items, made->count, sizeof made->items[0], compare);
    *reads = made;
    return RILL_SUCCESS;
}

const struct sim_copy *sim_early_find(const struct early_reads *reads, const struct task *task)
{
    const struct early_read wanted = { .task = task };
    const struct early_read *found =
        reads ? bsearch(&wanted, reads->items, reads->count, sizeof wanted, compare) : NULL;
    return found ? &found->copy : NULL;
}
