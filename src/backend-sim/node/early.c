/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/node/early.h"

#include "backend-sim/memory/memory.h"

#include <stdlib.h>

#include "base/alloc.h"

static int compare_tasks(const void *a, const void *b)
{
    const struct early_read *first = a, *second = b;
    return (first->task > second->task) - (first->task < second->task);
}

void sim_early_free(struct early_reads *reads)
{
    for (uint32_t i = 0; reads && i < reads->count; i++) sim_copy_drop(&reads->items[i].copy);
    rl_free(reads);
}

void sim_early_sort(struct early_reads *reads)
{
    qsort(reads->items, reads->count, sizeof reads->items[0], compare_tasks);
}

const struct sim_copy *sim_early_find(const struct early_reads *reads, const struct task *task)
{
    const struct early_read wanted = { .task = task };
    const struct early_read *found =
        reads ? bsearch(&wanted, reads->items, reads->count, sizeof wanted, compare_tasks) : NULL;
    return found ? &found->copy : NULL;
}
