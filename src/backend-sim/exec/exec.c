/* SPDX-License-Identifier: Apache-2.0
 *
 * The exec slots.
 */
#include "backend-sim/exec/exec.h"

#include <stdlib.h>

#include "backend-sim/exec/launch.h"
#include "backend-sim/graph/claim.h"
#include "backend-sim/graph/conditional.h"
#include "backend-sim/graph/user_object.h"
#include "backend-sim/node/device_check.h"
#include "backend-sim/node/kinds.h"
#include "backend-sim/node/memory_task.h"
#include "backend-sim/program/conditional_run.h"
#include "backend-sim/program/external_node.h"
#include "backend-sim/program/stepper.h"
#include "backend-sim/program/watched_node.h"
#include "backend-sim/scheduler/engine.h"
#include "backend-sim/scheduler/watch/watcher.h"
#include "backend-sim/stream/backlog.h"
#include "base/alloc.h"
#include "base/stack.h"

/* ---- Nodes ----------------------------------------------------------------------------- */

static uint32_t count_sections(const struct program *program)
{
    uint32_t count = program->section_count;
    for (const struct conditional_run *run = program->conditionals; run; run = run->next)
        for (uint32_t i = 0; i < run->body_count; i++) count += count_sections(run->bodies[i]);
    return count;
}

static void list_sections(struct sim_exec *exec, struct program *program)
{
    for (uint32_t i = 0; i < program->section_count; i++) {
        uint32_t serial = program->sections[i].serial;
        exec->sections[exec->section_count++] = (struct exec_section){ serial, program };
    }
    for (const struct conditional_run *run = program->conditionals; run; run = run->next)
        for (uint32_t i = 0; i < run->body_count; i++) list_sections(exec, run->bodies[i]);
}

static int by_serial(const void *a, const void *b)
{
    uint32_t x = ((const struct exec_section *)a)->serial;
    uint32_t y = ((const struct exec_section *)b)->serial;
    return x < y ? -1 : x > y;
}

static rill_status keep_sections(struct sim_exec *exec)
{
    exec->sections = rl_alloc(count_sections(exec->program) * sizeof *exec->sections);
    if (!exec->sections) return RILL_ERROR_OUT_OF_MEMORY;
    list_sections(exec, exec->program);
    qsort(exec->sections, exec->section_count, sizeof *exec->sections, by_serial);
    return RILL_SUCCESS;
}

uint32_t sim_exec_find(const struct sim_exec *exec, rill_node node, struct program **program)
{
    uint32_t serial = sim_node_serial(node), low = 0, high = exec->section_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (exec->sections[middle].serial < serial) low = middle + 1;
        else high = middle;
    }
    if (low == exec->section_count || exec->sections[low].serial != serial) return NODE_NONE;
    *program = exec->sections[low].program;
    return sim_program_place(*program, node);
}

rill_status sim_exec_node_number(rill_exec *handle, rill_node node, uint64_t *number)
{
    struct program *program;
    uint32_t place = sim_exec_find(sim_exec_of(handle), node, &program);
    if (place == NODE_NONE)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "node",
                                 "it is no node of the graph that the exec was made from");
    *number = sim_program_node_number(program, place);
    return RILL_SUCCESS;
}

/* ---- Making one ------------------------------------------------------------------------ */

static const uint32_t known_flags = RILL_EXEC_AUTO_FREE | RILL_EXEC_UPLOAD |
                                    RILL_EXEC_DEVICE_LAUNCH | RILL_EXEC_NODE_PRIORITY;

static rill_status check_options(const rill_exec_options *options, const struct sim_graph *graph)
{
    uint32_t flags = options->flags, both = RILL_EXEC_AUTO_FREE | RILL_EXEC_DEVICE_LAUNCH;
    if (flags & ~known_flags)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->flags",
                                 "0x%x holds more than RILL_EXEC_AUTO_FREE, RILL_EXEC_UPLOAD, "
                                 "RILL_EXEC_DEVICE_LAUNCH and RILL_EXEC_NODE_PRIORITY", flags);
    if ((flags & both) == both)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->flags",
                                 "RILL_EXEC_AUTO_FREE and RILL_EXEC_DEVICE_LAUNCH exclude each "
                                 "other");
    if (graph->role != GRAPH_OWN)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "graph",
                                 "the graph is inside another one; make an exec of that, or of a "
                                 "clone of this one");
    return RILL_SUCCESS;
}

static bool asks_tasks(const struct program *program)
{
    for (unsigned kind = 0; kind < RL_OP_KINDS; kind++)
        if (program->kinds & 1u << kind && sim_kinds[kind]->check_exec) return true;
    return false;
}

/* Checks the tasks of kinds that may refuse to become part of an exec. */
static rill_status check_tasks(const struct program *program)
{
    const bool any = asks_tasks(program);
    rill_status status = RILL_SUCCESS;
    for (uint32_t place = 0; any && !status && place < program->count; place++) {
        const struct task *task = program->tasks[place];
        if (task && task->kind->check_exec) status = task->kind->check_exec(task);
    }
    for (const struct conditional_run *run = program->conditionals; run; run = run->next)
        for (uint32_t i = 0; !status && i < run->body_count; i++)
            status = check_tasks(run->bodies[i]);
    return status;
}

static rill_status fill_exec(struct sim_exec *exec, struct sim_graph *graph,
                             rill_exec_options *options)
{
    struct freeze_failure failure = { .result = RILL_EXEC_OK };
    const bool steered = exec->context->platform->engine->steering;
    rill_status status = sim_device_check(graph, options);
    if (!status) status = sim_claim_conditionals_permit(graph);
    if (!status) status = sim_claim_memory_permits(graph, &exec->claimant);
    if (status) return status;
    status = sim_program_freeze(graph, exec->context, &exec->program, &failure);
    exec->launch.program = exec->program;
    if (!status) sim_conditional_runs_number(exec->program, 0);
    if (!status && sim_is_watched(exec->context->platform->engine))
        status = sim_program_watch(exec->program);
    if (!status) status = check_tasks(exec->program);
    if (!status && steered && !(exec->stepper = sim_stepper_create(exec->program)))
        status = RILL_ERROR_OUT_OF_MEMORY;
    if (!status) status = keep_sections(exec);
    if (!status) status = sim_conditional_values_create(graph, &exec->values);
    if (!status) status = sim_users_share(graph, &exec->users);
    /* Last, since these steps change the graph. */
    if (!status) status = sim_conditionals_take(graph, &exec->claims);
    if (!status) status = sim_exec_memory_take(graph, options->flags, &exec->memory);
    if (!status) status = sim_claim_prepare(graph, &exec->claimant);
    if (!status) sim_claim_take(graph, &exec->claimant);
    if (!status) sim_exec_memory_keep(exec->memory);
    if (!status) sim_conditional_runs_bind(exec->program, &exec->values);
    exec->is_plain = !status && !steered && sim_launch_is_plain(exec->program);
    exec->launch_type = sim_launch_type(steered);
    options->result = failure.result;
    options->failing_node = failure.node;
    return status;
}

struct filling {
    struct sim_exec *exec;
    struct sim_graph *graph;
    rill_exec_options *options;
    rill_status status;
};

static void fill_exec_here(void *data)
{
    struct filling *filling = data;
    filling->status = fill_exec(filling->exec, filling->graph, filling->options);
}

static rill_status fill_exec_deep(struct sim_exec *exec, struct sim_graph *graph,
                                  rill_exec_options *options)
{
    struct filling filling = { exec, graph, options, RILL_ERROR_OUT_OF_MEMORY };
    rl_with_stack(sim_stack_for(graph->height), fill_exec_here, &filling);
    return filling.status;
}

static rill_status upload_exec_to(struct sim_exec *exec, rill_stream *handle);

static rill_status create_exec(rill_exec *handle, rill_graph *from, rill_exec_options *options)
{
    struct sim_graph *graph = sim_graph_of(from);
    rill_status status = sim_enter(graph->platform, CALL_EXEC_CREATE);
    if (!status) status = sim_graph_check(graph);
    if (!status) status = check_options(options, graph);
    if (status) {
        options->result = RILL_EXEC_ERROR;
        return status;
    }
    struct sim_exec *exec = rl_zalloc_lines(sizeof *exec);
    if (exec) {
        exec->context = sim_context_of(options->context);
        exec->launch.context.type = &sim_launch_context;
        exec->launch.values = &exec->values;
        exec->flags = options->flags & (RILL_EXEC_AUTO_FREE | RILL_EXEC_DEVICE_LAUNCH);
        exec->priorities = options->flags & RILL_EXEC_NODE_PRIORITY;
        status = fill_exec_deep(exec, graph, options);
        if (!status && options->flags & RILL_EXEC_UPLOAD)
            status = upload_exec_to(exec, options->upload_stream);
        if (status) sim_exec_close(exec);
    }
    if (!exec || status == RILL_ERROR_OUT_OF_MEMORY)
        status = rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory for an exec");
    if (status && !options->result) options->result = RILL_EXEC_ERROR;
    if (!status) ((struct sim_exec_handle *)rill_private(handle))->exec = exec;
    return status;
}

static rill_status destroy_exec(rill_exec *handle)
{
    struct sim_exec *exec = sim_exec_of(handle);
    struct sim_platform *platform = exec->context->platform;
    sim_exec_close(exec);
    return sim_enter_failed(platform, CALL_EXEC_DESTROY);
}

/* ---- Launching --------------------------------------------------------------------------- */

static rill_status launch_exec(rill_exec *handle, rill_stream *to)
{
    struct sim_stream *stream;
    rill_status status = sim_stream_enter(to, CALL_EXEC_LAUNCH, &stream);
    if (status) return status;
    struct sim_exec *exec = sim_exec_of(handle);
    if (sim_backlog_is_due(stream->strand)) sim_backlog_wait(stream->strand);
    bool is_plain = exec->is_plain && !exec->program->early;
    return is_plain ? sim_launch_submit_plain(stream, exec) : sim_launch_submit(stream, exec);
}

/* Submits an upload, which comes after what the stream holds and after earlier launches, and
 * does nothing then. */
static rill_status upload_exec_to(struct sim_exec *exec, rill_stream *handle)
{
    struct sim_stream *stream;
    rill_stream *to = handle ? handle : exec->context->streams->legacy->handle;
    rill_status status = sim_stream_enter(to, CALL_EXEC_UPLOAD, &stream);
    return status ? status : sim_launch_upload(stream, exec);
}

static rill_status upload_exec(rill_exec *handle, rill_stream *stream)
{
    return upload_exec_to(sim_exec_of(handle), stream);
}

static rill_status get_flags(rill_exec *handle, uint32_t *value)
{
    struct sim_exec *exec = sim_exec_of(handle);
    rill_status status = sim_enter(exec->context->platform, CALL_MAKE);
    if (!status) *value = exec->flags;
    return status;
}

static rill_status get_bytes(rill_exec *handle, size_t *value)
{
    struct sim_exec *exec = sim_exec_of(handle);
    rill_status status = sim_enter(exec->context->platform, CALL_ASK);
    if (!status) *value = sizeof *exec + sim_program_bytes(exec->program);
    return status;
}

const struct rill_exec_ops sim_exec_ops = {
    .private_bytes = sizeof(struct sim_exec_handle),
    .create = create_exec,
    .destroy = destroy_exec,
    .launch = launch_exec,
    .upload = upload_exec,
    .flags = get_flags,
    .bytes = get_bytes,
    .set_op = sim_exec_set_op,
    .set_enabled = sim_exec_set_enabled,
    .get_enabled = sim_exec_get_enabled,
    .update = sim_exec_update,
};
