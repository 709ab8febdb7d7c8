/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/program/program.h"

#include "backend-sim/node/host_task.h"
#include "backend-sim/node/running_launch.h"
#include "backend-sim/program/conditional_run.h"
#include "backend-sim/program/external_node.h"
#include "backend-sim/program/gang/gang.h"
#include "backend-sim/program/plan.h"
#include "backend-sim/program/watched_node.h"
#include "base/alloc.h"
#include "base/stack.h"

/* ---- Room ------------------------------------------------------------------- */

bool sim_program_make_room(struct program *program, const struct program_size *size)
{
    size_t nodes = size->nodes, edges = size->edges;
    bool wide = size->fan > UINT8_MAX + 1u;
    size_t words = 2 * nodes + 1 + edges * (wide ? 2 : 1);
    size_t bytes = words * sizeof(uint32_t) + edges * ((wide ? 0 : 1) + (size->data ? 1 : 0)) +
                   nodes;
    program->entries = rl_alloc(nodes * sizeof *program->entries);
    program->tasks = rl_alloc(nodes * sizeof(struct task *));
    program->edge_starts = rl_alloc(bytes);
    if (!program->entries || !program->tasks || !program->edge_starts) {
        sim_program_free_room(program);
        return false;
    }
    program->successors = program->edge_starts + nodes + 1;
    program->in_degrees = program->successors + edges;
    uint32_t *next = program->in_degrees + nodes;
    program->wide_ranks = wide ? next : NULL;
    program->ranks = wide ? NULL : (uint8_t *)next;
    uint8_t *rest = wide ? (uint8_t *)(next + edges) : program->ranks + edges;
    program->edge_data = size->data ? rest : NULL;
    program->place_kinds = size->data ? rest + edges : rest;
    return true;
}

void sim_program_free_room(struct program *program)
{
    rl_free(program->entries);
    rl_free(program->tasks);
    rl_free(program->edge_starts);
    program->entries = NULL;
    program->tasks = NULL;
    program->edge_starts = NULL;
}

void sim_program_move_note(struct program *to, uint32_t edge, const struct program *from,
                           uint32_t old)
{
    if (to->wide_ranks) to->wide_ranks[edge] = from->wide_ranks[old];
    else to->ranks[edge] = from->ranks[old];
    if (to->edge_data) to->edge_data[edge] = from->edge_data[old];
}

/* ---- Entries ---------------------------------------------------------------- */

static void run_nothing(void *arg)
{
    (void)arg;
}

/* Runs a task, unless the device has failed. */
static void run_task(void *arg)
{
    struct task *task = arg;
    if (!sim_run_failed()) task->kind->run(task);
}

static const struct entry idle_entry = { run_nothing, NULL };

/* Returns the entry of a task that needs nothing of the program's. */
struct entry sim_program_task_entry(struct task *task)
{
    if (task->kind->op == RILL_OP_HOST) {
        struct host_task *host = (struct host_task *)task;
        return (struct entry){ host->fn, host->data };
    }
    return task->kind->run ? (struct entry){ run_task, task } : idle_entry;
}

/* Returns the entry of a task that the program carries out. */
static struct entry entry_carried_out(struct program *program, uint32_t place)
{
    bool waits = program->tasks[place]->marks & TASK_WAITS;
    return (struct entry){ waits ? NULL : sim_external_record, sim_external_find(program, place) };
}

/* Tells whether the watcher is told of a task.  Of a body it is told of all that runs, since
 * nobody else knows whether that does. */
static bool is_watched(const struct program *program, const struct task *task)
{
    if (!program->watched) return false;
    if (task->kind->run_watched || task->kind->op == RILL_OP_HOST) return true;
    return program->watched->depth && task->kind->run;
}

struct entry sim_program_entry(struct program *program, uint32_t place)
{
    struct task *task = program->tasks[place];
    if (!task || !sim_program_enabled(program, place)) return idle_entry;
    if (task->marks & (TASK_WAITS | TASK_RECORDS)) return entry_carried_out(program, place);
    if (task->kind->op == RILL_OP_CONDITIONAL)
        return (struct entry){ sim_conditional_run, sim_conditional_run_find(program, place) };
    if (is_watched(program, task)) return sim_watched_entry(program, place);
    return sim_program_task_entry(task);
}

void sim_program_put(struct program *program, uint32_t place, struct task *task)
{
    sim_task_retain(task);
    program->tasks[place] = task;
    program->entries[place] = sim_program_task_entry(task);
    program->place_kinds[place] = (uint8_t)task->kind->op;
    program->kinds |= 1u << task->kind->op;
    program->marks |= task->marks;
    program->dangling += (task->marks & TASK_DANGLING) / TASK_DANGLING;
    program->early += (task->marks & TASK_READS_EARLY) / TASK_READS_EARLY;
}

void sim_program_put_end(struct program *program, uint32_t place)
{
    program->tasks[place] = NULL;
    program->entries[place] = idle_entry;
    program->place_kinds[place] = RILL_OP_EMPTY;
}

void sim_program_prepare(struct program *program)
{
    for (uint32_t i = 0; i < program->external_count; i++) {
        uint32_t place = program->external_nodes[i].place;
        program->entries[place] = sim_program_entry(program, place);
    }
    for (const struct conditional_run *run = program->conditionals; run; run = run->next)
        program->entries[run->place] = sim_program_entry(program, run->place);
}

void sim_program_set_next(struct program *program, uint32_t place, struct task *task)
{
    uint32_t before = sim_program_next_task(program, place)->marks;
    program->dangling += (task->marks & TASK_DANGLING) / TASK_DANGLING;
    program->early += (task->marks & TASK_READS_EARLY) / TASK_READS_EARLY;
    program->dangling -= (before & TASK_DANGLING) / TASK_DANGLING;
    program->early -= (before & TASK_READS_EARLY) / TASK_READS_EARLY;
    if (program->external_count) sim_external_set_next(program, place, task);
    if (program->next_tasks) program->next_tasks[place] = task;
}

/* ---- Enabling ----------------------------------------------------------------- */

/* Returns the size of one set of bits.  There are two: for the program, then for the next
 * launch. */
static size_t bits_bytes(const struct program *program)
{
    return program->count / 8 + 1;
}

static bool get_bit(const unsigned char *bits, uint32_t place)
{
    return bits[place / 8] & (1u << place % 8);
}

static void set_bit(unsigned char *bits, uint32_t place, bool on)
{
    if (get_bit(bits, place) != on) bits[place / 8] ^= (unsigned char)(1u << place % 8);
}

/* They are made with the program, since a thread that runs a launch may read them at any
 * time. */
bool sim_program_make_bits(struct program *program)
{
    program->disabled = rl_zalloc(2 * bits_bytes(program));
    return program->disabled;
}

bool sim_program_enabled(const struct program *program, uint32_t place)
{
    return !get_bit(program->disabled, place);
}

void sim_program_set_enabled(struct program *program, uint32_t place, bool enabled)
{
    set_bit(program->disabled, place, !enabled);
    program->entries[place] = sim_program_entry(program, place);
}

bool sim_program_next_enabled(const struct program *program, uint32_t place)
{
    return !get_bit(program->disabled + bits_bytes(program), place);
}

void sim_program_set_next_enabled(struct program *program, uint32_t place, bool enabled)
{
    set_bit(program->disabled + bits_bytes(program), place, !enabled);
}

/* ---- Places --------------------------------------------------------------------- */

const struct section *sim_program_section(const struct program *program, uint32_t serial)
{
    uint32_t low = 0, high = program->section_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (program->sections[middle].serial < serial) low = middle + 1;
        else high = middle;
    }
    bool found = low < program->section_count && program->sections[low].serial == serial;
    return found ? &program->sections[low] : NULL;
}

uint32_t sim_program_place(const struct program *program, rill_node node)
{
    const struct section *section = sim_program_section(program, sim_node_serial(node));
    return section ? sim_section_find(section, node) : NODE_NONE;
}

/* Counts the nodes of a section that have the task; *slot is that of the last one. */
static uint32_t slots_in(const struct program *program, const struct section *section,
                         const struct task *task, uint32_t *slot)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < section->slots; i++) {
        uint32_t place = sim_section_place(section, i);
        if (place == NODE_NONE || program->tasks[place] != task) continue;
        *slot = i;
        count++;
    }
    return count;
}

static uint32_t slots_of(const struct program *program, const struct task *task, uint32_t *slot)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < program->section_count; i++)
        count += slots_in(program, &program->sections[i], task, slot);
    for (const struct conditional_run *run = program->conditionals; run; run = run->next)
        for (uint32_t i = 0; i < run->body_count; i++)
            count += slots_of(run->bodies[i], task, slot);
    return count;
}

struct search {
    const struct program *program;
    const struct task *task;
    uint32_t slot, count;
};

static void search_all(void *data)
{
    struct search *search = data;
    search->count = slots_of(search->program, search->task, &search->slot);
}

uint32_t sim_program_slot_of(const struct program *program, const struct task *task)
{
    struct search search = { program, task, NODE_NONE, 0 };
    rl_with_stack(sim_stack_for(program->depth), search_all, &search);
    return search.count == 1 ? search.slot : NODE_NONE;
}

/* ---- Size ------------------------------------------------------------------------- */

static size_t own_bytes(const struct program *program)
{
    size_t each = sizeof(struct entry) + sizeof(struct task *) + 2 * sizeof(uint32_t) + 1;
    size_t edge = sizeof(uint32_t) + (program->wide_ranks ? sizeof(uint32_t) : 1) +
                  (program->edge_data ? 1 : 0);
    size_t bytes = sizeof *program + sizeof(uint32_t) + program->count * each +
                   program->edge_count * edge;
    for (uint32_t i = 0; i < program->section_count; i++)
        bytes += sim_section_bytes(&program->sections[i]);
    bytes += 2 * bits_bytes(program);
    bytes += program->external_count * (sizeof(struct external_node) + sizeof(struct strand));
    if (program->next_tasks) bytes += program->count * sizeof(struct task *);
    if (program->watched) bytes += program->count * sizeof(struct watched_node);
    if (program->run.costs) bytes += program->count * sizeof(uint32_t);
    if (program->run.gang) bytes += sizeof(struct gang) + 2 * program->count * sizeof(uint32_t);
    if (program->run.plan) bytes += program->count * 24 + program->edge_count * sizeof(uint32_t);
    return bytes;
}

struct weighing {
    const struct program *program;
    size_t bytes;
};

static void weigh_program(void *data)
{
    struct weighing *weighing = data;
    weighing->bytes = own_bytes(weighing->program) + sim_conditional_runs_bytes(weighing->program);
}

size_t sim_program_bytes(const struct program *program)
{
    struct weighing weighing = { program, 0 };
    if (!rl_with_stack(sim_stack_for(program->depth), weigh_program, &weighing))
        weigh_program(&weighing);
    return weighing.bytes;
}

/* ---- The end ----------------------------------------------------------------------- */

static void free_program(void *data)
{
    struct program *program = data;
    sim_conditional_runs_free(program);
    sim_external_free(program);
    for (uint32_t place = 0; place < program->count; place++) {
        sim_tasks_prefetch(program->tasks, place, program->count);
        if (program->tasks[place]) sim_task_release(program->tasks[place]);
    }
    for (uint32_t i = 0; program->sections && i < program->section_count; i++)
        sim_section_free(&program->sections[i]);
    sim_gang_free(program->run.gang);
    sim_plan_free(program->run.plan);
    sim_watched_nodes_free(program->watched);
    rl_free(program->run.costs);
    rl_free(program->disabled);
    rl_free(program->next_tasks);
    rl_free(program->sections);
    sim_program_free_room(program);
    rl_free(program);
}

void sim_program_free(struct program *program)
{
    if (program && !rl_with_stack(sim_stack_for(program->depth), free_program, program))
        free_program(program);
}
