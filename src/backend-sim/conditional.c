/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/conditional.h"
#include "backend-sim/kernel.h"

#include <rill/sim.h>

#include "base/alloc.h"

/* ---- Handles -------------------------------------------------------------------------- */

/* The graph that no graph is around. */
static struct sim_graph *outermost_of(struct sim_graph *graph)
{
    while (graph->parent) graph = graph->parent;
    return graph;
}

/* The handle of that name that nodes of the graph may have, or NULL. */
static struct conditional_handle *find(struct sim_graph *graph, rill_conditional id)
{
    struct conditional_handle *handle = outermost_of(graph)->handles;
    while (handle && handle->id != id) handle = handle->next;
    return handle;
}

/* The next of that context. */
static rill_conditional next_id(const struct conditional_handle *handles, uint64_t context)
{
    uint64_t contexts = 0;
    for (; handles; handles = handles->next) {
        if (handles->context == context) return handles->id + 1;
        uint64_t before = (handles->id >> 32) + 1;
        if (before > contexts) contexts = before;
    }
    return contexts << 32 | 1;
}

static rill_status create(struct sim_graph *graph, uint64_t context, uint32_t initial,
                          uint32_t flags, rill_conditional *id)
{
    rill_status status = sim_graph_check(graph);
    if (status) return status;
    if (flags & ~RILL_CONDITIONAL_ASSIGN)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "flags",
                                 "flags is 0x%x; it may be 0 or RILL_CONDITIONAL_ASSIGN",
                                 (unsigned)flags);
    struct conditional_handle *handle = rl_alloc(sizeof *handle);
    if (!handle)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory for the handle");
    struct sim_graph *outermost = outermost_of(graph);
    *handle = (struct conditional_handle){
        .references = 1,
        .next = outermost->handles,
        .id = next_id(outermost->handles, context),
        .initial = initial,
        .flags = flags,
        .context = context,
    };
    outermost->handles = handle;
    *id = handle->id;
    return RILL_SUCCESS;
}

rill_status sim_conditional_create(rill_graph *handle, uint32_t initial, uint32_t flags,
                                   rill_conditional *id)
{
    struct sim_graph *graph = sim_graph_of(handle);
    return create(graph, sim_graph_home_id(graph), initial, flags, id);
}

static rill_status check_both(rill_graph *graph, rill_context *context, rill_conditional *handle)
{
    rill_status status = rill_backend_check(&rl_backend_sim, graph, RILL_OBJECT_GRAPH, "graph");
    if (!status) status = sim_check_context(rill_object_of(graph)->platform, context);
    if (!status && !handle)
        status = rill_backend_fail(RILL_ERROR_INVALID_VALUE, "handle",
                                   "handle is NULL; pass the address of a rill_conditional");
    return status;
}

rill_status rill_sim_conditional_create(rill_graph *graph, rill_context *context, uint32_t initial,
                                        uint32_t flags, rill_conditional *handle)
{
    rill_status status = check_both(graph, context, handle);
    if (!status)
        status = create(sim_graph_of(graph), sim_context_of(context)->id, initial, flags, handle);
    return rill_backend_finish(__func__, graph, status);
}

static rill_status find_number(struct sim_graph *graph, uint64_t context, uint32_t number,
                               rill_conditional *id)
{
    rill_status status = sim_graph_check(graph);
    if (status) return status;
    const struct conditional_handle *handle = outermost_of(graph)->handles;
    while (handle &&
           (handle->context != context || sim_conditional_number(handle->id) != number))
        handle = handle->next;
    if (!handle)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "number",
                                 "neither this graph nor one around it has a handle %u for the "
                                 "context", (unsigned)number);
    *id = handle->id;
    return RILL_SUCCESS;
}

rill_status rill_sim_conditional_find(rill_graph *graph, rill_context *context, uint32_t number,
                                      rill_conditional *handle)
{
    rill_status status = check_both(graph, context, handle);
    if (!status)
        status = find_number(sim_graph_of(graph), sim_context_of(context)->id, number, handle);
    return rill_backend_finish(__func__, graph, status);
}

void sim_conditionals_free(struct sim_graph *graph)
{
    while (graph->handles) {
        struct conditional_handle *next = graph->handles->next;
        sim_conditional_release(graph->handles);
        graph->handles = next;
    }
}

/* ---- The task --------------------------------------------------------------------------- */

static void drop_bodies(struct conditional_task *conditional)
{
    for (uint32_t i = 0; i < conditional->body_count; i++) {
        sim_graph_clear(sim_graph_of(conditional->bodies[i]));
        rill_backend_disown(conditional->bodies[i]);
    }
}

static void conditional_free(struct task *task)
{
    struct conditional_task *conditional = (struct conditional_task *)task;
    drop_bodies(conditional);
    rl_free(conditional);
}

static void conditional_read(const struct task *task, rill_op *op)
{
    const struct conditional_task *conditional = (const struct conditional_task *)task;
    op->conditional = (rill_conditional_op){
        .handle = conditional->handle,
        .kind = conditional->kind,
        .body_count = conditional->body_count,
        .bodies = (rill_graph **)(uintptr_t)conditional->bodies, /* not to be written */
    };
}

static const struct task_type conditional_type = {
    .kind = RILL_OP_CONDITIONAL, .free = conditional_free, .read = conditional_read,
};

/* ---- Making ------------------------------------------------------------------------------ */

static rill_status refuse(const char *argument, const char *why)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument, "%s", why);
}

static rill_status check_bodies(const rill_conditional_op *op)
{
    switch ((int)op->kind) {
    case RILL_CONDITIONAL_IF:
        if (op->body_count == 1 || op->body_count == 2) return RILL_SUCCESS;
        return refuse("body_count", "an IF has one body, or two: the second is the else");
    case RILL_CONDITIONAL_WHILE:
        if (op->body_count == 1) return RILL_SUCCESS;
        return refuse("body_count", "a WHILE has one body");
    case RILL_CONDITIONAL_SWITCH:
        if (op->body_count) return RILL_SUCCESS;
        return refuse("body_count", "a SWITCH has at least one body");
    default:
        return refuse("kind", "this is no kind of conditional node");
    }
}

static rill_status check(struct sim_graph *graph, const rill_conditional_op *op,
                         const struct conditional_handle *handle)
{
    rill_status status = check_bodies(op);
    if (status) return status;
    if (!handle)
        return refuse("handle", "the handle is none of this graph or one around it; make it with "
                      "rill_conditional_create()");
    if (handle->used) return refuse("handle", "another node has the handle; make one for each");
    uint32_t depth = 1;
    for (; graph; graph = graph->parent) depth++;
    if (depth <= GRAPH_NESTING_MAX) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "graph",
                             "graphs would nest more than %u deep", GRAPH_NESTING_MAX);
}

static rill_status add_body(struct sim_graph *graph, struct conditional_task *conditional)
{
    void *body;
    rill_status status = rill_backend_own(RILL_OBJECT_GRAPH, graph->handle,
                                          rill_object_of(graph->handle)->context, &body);
    if (status) return status;
    sim_graph_init(body, GRAPH_BODY, graph);
    conditional->bodies[conditional->body_count++] = body;
    return RILL_SUCCESS;
}

rill_status sim_conditional_task_create(struct sim_graph *graph, const rill_conditional_op *op,
                                        struct task **task)
{
    struct conditional_handle *handle = find(graph, op->handle);
    rill_status status = check(graph, op, handle);
    if (status) return status;
    struct conditional_task *conditional =
        rl_zalloc(sizeof *conditional + op->body_count * sizeof *conditional->bodies);
    if (!conditional) return sim_task_short();
    sim_task_init(&conditional->task, &conditional_type, 0);
    conditional->handle = op->handle;
    conditional->entry = handle;
    conditional->kind = op->kind;
    conditional->body_count = 0;
    while (!status && conditional->body_count < op->body_count)
        status = add_body(graph, conditional);
    if (status) {
        conditional_free(&conditional->task);
        return status;
    }
    *task = &conditional->task;
    return RILL_SUCCESS;
}

void sim_conditional_use(struct task *task, bool used)
{
    if (task->type->kind == RILL_OP_CONDITIONAL)
        ((struct conditional_task *)task)->entry->used = used;
}

void sim_conditional_settle(const struct task *task, rill_conditional_op *op)
{
    const struct conditional_task *conditional = (const struct conditional_task *)task;
    for (uint32_t i = 0; i < conditional->body_count; i++) op->bodies[i] = conditional->bodies[i];
}

/* ---- In a launch ---------------------------------------------------------------------------- */

void rill_sim_set_conditional(const rill_launch *launch, rill_conditional handle, uint32_t value)
{
    const struct kernel_fault *kernel = launch ? launch->device : NULL;
    if (!kernel || sim_launch_set_conditional(kernel->context, handle, value)) return;
    rill_sim_fault(launch, RILL_ERROR_ILLEGAL_ADDRESS, SIM_WRONG_CONDITIONAL);
}
