/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/node/copy_task.h"
#include "backend-sim/program/run.h"

#include "backend-sim/node/early.h"
#include "base/alloc.h"

/* Returns whether a node reads early.  Disabled nodes read nothing. */
static bool reads_early(const struct program *program, uint32_t place)
{
    const struct task *task = sim_program_next_task(program, place);
    return task && task->marks & TASK_READS_EARLY && sim_program_next_enabled(program, place);
}

rill_status sim_program_read_early(const struct program *program, struct early_reads **reads)
{
    rill_status status = RILL_SUCCESS;
    struct early_reads *made = rl_zalloc(sizeof *made + program->early * sizeof made->items[0]);
    if (!made)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory for the launch");
    for (uint32_t p = 0; !status && p < program->count; p++) {
        if (!reads_early(program, p)) continue;
        struct early_read *read = &made->items[made->count];
        read->task = sim_program_next_task(program, p);
        status = sim_copy_task_read(read->task, &read->copy);
        if (!status) made->count++;
    }
    if (status) {
        sim_early_free(made);
        return status;
    }
    sim_early_sort(made);
    *reads = made;
    return RILL_SUCCESS;
}
