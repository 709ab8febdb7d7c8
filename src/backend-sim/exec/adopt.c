/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/exec/adopt.h"

#include "backend-sim/node/kinds.h"

/* Prefetches what is needed soon: nodes first, then the tasks that they name and those that
 * these replace. */
static void prefetch_tasks(const struct adoption *adoption, uint32_t slot)
{
    enum { NEAR = 12, FAR = 32 };
    const struct section *section = adoption->section;
    if (section->slots - slot <= FAR) return;
    __builtin_prefetch(sim_node_tasks(adoption->graph, slot + FAR));
    __builtin_prefetch(sim_node_task(adoption->graph, slot + NEAR), 1);
    __builtin_prefetch(adoption->program->tasks[sim_section_place(section, slot + NEAR)], 1);
}

/* Returns the kinds whose nodes stay what they are, one bit each: graphs inside are parts
 * of their own, memory is the exec's for good. */
static uint32_t find_spared_kinds(void)
{
    return sim_kinds_with(KIND_HOLDS_GRAPHS | KIND_IS_MEMORY);
}

/* Puts a task in a place.  May call the program, if the task that was there owns data. */
static void put_adopted(struct program *program, uint32_t place, struct task *task)
{
    sim_task_retain(task);
    sim_program_set_next(program, place, task);
    sim_task_release(sim_program_swap(program, place, task));
}

void sim_adopt_tasks(const struct adoption *adoption)
{
    struct program *program = adoption->program;
    const struct section *section = adoption->section;
    const uint32_t spared = find_spared_kinds();
    for (uint32_t slot = 0; slot < section->slots; slot++) {
        uint32_t place = sim_section_place(section, slot);
        struct task *task = sim_node_task(adoption->graph, slot);
        prefetch_tasks(adoption, slot);
        if (task == program->tasks[place] || spared & 1u << program->place_kinds[place])
            continue;
        put_adopted(program, place, task);
    }
}

void sim_adopted_tasks(const struct adoption *adoption, struct task **tasks)
{
    const struct program *program = adoption->program;
    const struct section *section = adoption->section;
    const uint32_t spared = find_spared_kinds();
    for (uint32_t slot = 0; slot < section->slots; slot++) {
        uint32_t place = sim_section_place(section, slot);
        struct task *task = sim_node_task(adoption->graph, slot);
        bool stays = task == sim_program_next_task(program, place) ||
                     spared & 1u << program->place_kinds[place];
        tasks[place] = stays ? NULL : task;
    }
}
