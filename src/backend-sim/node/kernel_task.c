/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels as nodes: checked, and their arguments copied, when the node is made;
 * running one allocates nothing.
 */
#include <stdio.h>
#include <string.h>

#include "backend-sim/node/dot.h"
#include "backend-sim/node/kernel_task.h"
#include "backend-sim/node/kinds.h"
#include "backend-sim/node/may_replace.h"
#include "backend-sim/scheduler/watch/watcher.h"
#include "base/alloc.h"
#include "base/park.h"

/* ---- Running -------------------------------------------------------------------- */

static size_t shared_bytes(const struct kernel_task *kernel)
{
    return (size_t)kernel->dynamic_shared + kernel->function->static_shared;
}

/* Returns the task's own shared memory, or other memory of the size while another exec,
 * made from the same graph, runs the task. */
static unsigned char *take_shared(struct kernel_task *kernel)
{
    if (!kernel->shared) return NULL;
    for (;;) {
        if (!atomic_exchange_explicit(&kernel->shared_in_use, true, memory_order_acquire))
            return kernel->shared;
        unsigned char *more = rl_zalloc_lines(shared_bytes(kernel));
        if (more) return more;
        rl_relax();
    }
}

static void give_shared(struct kernel_task *kernel, unsigned char *shared)
{
    if (shared == kernel->shared)
        atomic_store_explicit(&kernel->shared_in_use, false, memory_order_release);
    else
        rl_free(shared);
}

/* Runs the kernel.  `told` is NULL if there is no watcher; inlined, so that asking costs
 * nothing. */
static inline __attribute__((always_inline))
void launch_kernel(struct task *task, const struct told *told)
{
    struct kernel_task *kernel = (struct kernel_task *)task;
    unsigned char *shared = take_shared(kernel);
    const struct kernel_launch launch = {
        .function = kernel->function, .platform = kernel->platform,
        .grid = kernel->grid, .block = kernel->block,
        .arguments = kernel->arguments, .params = kernel->params,
        .shared = shared, .shared_bytes = (uint32_t)shared_bytes(kernel), .dims = kernel->dims,
    };
    struct kernel_fault fault;
    if (told) sim_kernel_run_watched(&launch, &fault, told);
    else sim_kernel_run(&launch, &fault);
    give_shared(kernel, shared);
    rill_status status = (rill_status)atomic_load_explicit(&fault.status, memory_order_relaxed);
    if (!status) return;
    char operation[RILL_LABEL_MAX];
    snprintf(operation, sizeof operation, "kernel '%.48s'", kernel->function->name);
    sim_raise_part(task, kernel->platform, status, operation, fault.message);
}

static void kernel_run(struct task *task)
{
    launch_kernel(task, NULL);
}

static void kernel_run_watched(struct task *task, const struct told *told)
{
    launch_kernel(task, told);
}

static void kernel_demand(const struct task *task, struct demand *demand)
{
    const struct kernel_task *kernel = sim_kernel_task_of(task);
    sim_kernel_demand(kernel->function, kernel->grid, kernel->block, demand);
}

/* ---- The rest ------------------------------------------------------------------- */

static void kernel_free(struct task *task)
{
    struct kernel_task *kernel = (struct kernel_task *)task;
    sim_code_release(kernel->function->code);
    rl_free(kernel);
}

static void kernel_read(const struct task *task, rill_op *op)
{
    const struct kernel_task *kernel = sim_kernel_task_of(task);
    bool any = kernel->function->param_count;
    op->kernel = (rill_kernel_op){
        .kernel = atomic_load_explicit(&kernel->function->handle, memory_order_relaxed),
        .grid = kernel->grid, .block = kernel->block, .shared_bytes = kernel->dynamic_shared,
        .params = any && !kernel->packed ? kernel->params : NULL,
        .buffer = any && kernel->packed ? kernel->arguments : NULL,
        .buffer_bytes = any && kernel->packed ? kernel->function->buffer_bytes : 0,
        .attributes = kernel->attribute_count ? kernel->attributes : NULL,
        .attribute_count = kernel->attribute_count,
    };
}

static uint64_t kernel_context(const struct task *task)
{
    return sim_kernel_task_of(task)->context;
}

static const char *kernel_name(const struct task *task)
{
    return sim_kernel_task_of(task)->function->name;
}

/* ---- Making ---------------------------------------------------------------------- */

/* Where the arrays of a task lie, after the struct. */
struct layout {
    size_t attributes, params, arguments, shared, bytes;
};

static size_t align_up(size_t at, size_t alignment)
{
    return (at + alignment - 1) & ~(alignment - 1);
}

static struct layout lay_out_task(const struct sim_function *function, size_t attributes,
                                  size_t shared)
{
    struct layout at;
    at.attributes = align_up(sizeof(struct kernel_task), alignof(rill_attribute));
    at.params = at.attributes + attributes * sizeof(rill_attribute);
    at.arguments = align_up(at.params + function->param_count * sizeof(const void *),
                            function->alignment > 8 ? 64 : 8);
    at.shared = align_up(at.arguments + function->stored_bytes, 64);
    at.bytes = shared ? at.shared + shared : at.arguments + function->stored_bytes;
    return at;
}

struct kernel_task *sim_kernel_task_make(const rill_kernel_op *op, struct sim_platform *platform,
                                         uint64_t context, struct sim_function *function)
{
    /* Kernels of PTX get the memory of their blocks when they run. */
    size_t shared = function->ptx ? 0 : op->shared_bytes + function->static_shared;
    struct layout at = lay_out_task(function, op->attribute_count, shared);
    unsigned char *memory = rl_zalloc_lines(at.bytes);
    if (!memory) return NULL;
    struct kernel_task *kernel = (void *)memory;
    sim_task_init(&kernel->task, &sim_kind_kernel, 0);
    kernel->platform = platform;
    kernel->function = function;
    kernel->context = context;
    kernel->grid = op->grid;
    kernel->block = op->block;
    kernel->dynamic_shared = (uint32_t)op->shared_bytes;
    kernel->attribute_count = (uint32_t)op->attribute_count;
    kernel->packed = op->buffer;
    kernel->dims = sim_launch_dims(op->attributes, op->attribute_count);
    kernel->attributes = (void *)(memory + at.attributes);
    kernel->params = (void *)(memory + at.params);
    kernel->arguments = memory + at.arguments;
    kernel->shared = shared ? memory + at.shared : NULL;
    if (op->attribute_count)
        memcpy(kernel->attributes, op->attributes, op->attribute_count * sizeof *op->attributes);
    sim_kernel_copy_arguments(kernel->arguments, op, function);
    for (uint32_t i = 0; i < function->param_count; i++)
        kernel->params[i] = kernel->arguments + function->offsets[i];
    sim_code_retain(function->code);
    return kernel;
}

/* Keeps the attributes of `before` except those that `op` gives. */
static rill_status kernel_create(const struct node_site *site, const rill_op *any,
                                 const struct task *before, struct task **task)
{
    (void)site;
    const rill_kernel_op *op = &any->kernel;
    const struct sim_kernel *given = sim_kernel_of(op->kernel);
    struct attribute_list list;
    rill_status status = sim_kernel_check(op, given->function, RILL_ERROR_INVALID_VALUE);
    if (!status) status = sim_kernel_check_unbound(given->function);
    if (!status)
        status = sim_attributes_merge(before ? sim_kernel_task_of(before) : NULL, op,
                                      given->context->platform, given->function, &list);
    if (status) return status;
    rill_kernel_op full = *op;
    full.attributes = list.items;
    full.attribute_count = list.count;
    if (given->function->ptx)
        status = sim_kernel_reserve_for(&full, given->function, given->context->platform);
    if (status) return status;
    struct kernel_task *kernel = sim_kernel_task_make(&full, given->context->platform,
                                                      given->context->id, given->function);
    if (!kernel) return sim_out_of_memory_for_node();
    *task = &kernel->task;
    return RILL_SUCCESS;
}

/* ---- Changing -------------------------------------------------------------------- */

/* The driver's calls for one node of an exec take no attributes. */
static rill_status kernel_check_exec_change(const struct task *before, const rill_op *op)
{
    const struct kernel_task *kernel = sim_kernel_task_of(before);
    for (size_t i = 0; i < op->kernel.attribute_count; i++) {
        const rill_attribute *given = &op->kernel.attributes[i];
        const rill_attribute has = sim_kernel_task_attribute(kernel, given->id);
        if (given->id != RILL_ATTRIBUTE_IGNORE &&
            memcmp(given->bytes, has.bytes, sizeof has.bytes) != 0)
            return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->kernel.attributes",
                                     "attributes of one node in an exec do not change, as on "
                                     "hardware; set them in the graph and update the exec from "
                                     "that");
    }
    return RILL_SUCCESS;
}

static bool refuse_attributes(struct update_refusal *refusal, const char *why)
{
    *refusal = (struct update_refusal){ RILL_UPDATE_ATTRIBUTES_CHANGED, "attributes", why };
    return false;
}

static bool keeps_attributes(const struct kernel_task *before, const struct kernel_task *after,
                             bool priorities, struct update_refusal *refusal)
{
    if (!sim_kernel_task_attribute(before, RILL_ATTRIBUTE_COOPERATIVE).cooperative !=
        !sim_kernel_task_attribute(after, RILL_ATTRIBUTE_COOPERATIVE).cooperative)
        return refuse_attributes(refusal, "whether its kernel is a cooperative one cannot change");
    if (priorities && sim_kernel_task_attribute(before, RILL_ATTRIBUTE_PRIORITY).priority !=
                          sim_kernel_task_attribute(after, RILL_ATTRIBUTE_PRIORITY).priority)
        return refuse_attributes(refusal, "its priority cannot change in an exec with "
                                         "RILL_EXEC_NODE_PRIORITY");
    return true;
}

static bool kernel_may_replace(const struct task *before, const struct task *after,
                               bool priorities, struct update_refusal *refusal)
{
    const struct kernel_task *old = sim_kernel_task_of(before), *new = sim_kernel_task_of(after);
    if (old->context != new->context) {
        *refusal = (struct update_refusal){ RILL_UPDATE_UNSUPPORTED_FUNCTION_CHANGE, "kernel",
                                   "its kernel is of another context than that of the exec" };
        return false;
    }
    if (!old->attribute_count && !new->attribute_count) return true;
    return keeps_attributes(old, new, priorities, refusal);
}

/* ---- Drawing --------------------------------------------------------------------- */

static void put_extent(struct dot *dot, rill_dim3 extent)
{
    if (extent.z > 1) sim_dot_print(dot, "\\{%u,%u,%u\\}", extent.x, extent.y, extent.z);
    else if (extent.y > 1) sim_dot_print(dot, "\\{%u,%u\\}", extent.x, extent.y);
    else sim_dot_print(dot, "%u", extent.x);
}

static void put_launch(struct dot *dot, const rill_kernel_op *op)
{
    sim_dot_put(dot, "\\<\\<\\<");
    put_extent(dot, op->grid);
    sim_dot_put(dot, ",");
    put_extent(dot, op->block);
    sim_dot_print(dot, ",%zu\\>\\>\\>", op->shared_bytes);
}

static char property_letter(int value)
{
    return value == 1 ? 'S' : value == 2 ? 'P' : 'N';
}

static void put_attributes(struct dot *dot, const struct kernel_task *kernel)
{
    const rill_access_window window =
        sim_kernel_task_attribute(kernel, RILL_ATTRIBUTE_ACCESS_WINDOW).window;
    sim_dot_put(dot, "| {accessPolicyWindow | {base_ptr | num_bytes | hitRatio | hitProp | "
                     "missProp} | {");
    sim_dot_address(dot, window.base);
    sim_dot_print(dot, " | %zu | %f | %c | %c}}\n", window.bytes, (double)window.hit_ratio,
                  property_letter(window.hit), property_letter(window.miss));
    sim_dot_print(dot, "| {cooperative | %d}\n| {priority | %d}\n",
                  sim_kernel_task_attribute(kernel, RILL_ATTRIBUTE_COOPERATIVE).cooperative,
                  sim_kernel_task_attribute(kernel, RILL_ATTRIBUTE_PRIORITY).priority);
}

static void kernel_draw(struct dot *dot, uint32_t slot, const struct task *task,
                        const rill_op *op)
{
    sim_dot_box_begin(dot, slot, "bold", "octagon");
    sim_dot_quote(dot, sim_task_name(task));
    sim_dot_put(dot, "\n");
    sim_dot_box_common(dot, slot);
    if (sim_dot_has_handles(dot)) sim_dot_box_handle(dot, "func handle", op->kernel.kernel);
    if (sim_dot_wants(dot, RILL_DOT_KERNEL_PARAMS)) put_launch(dot, &op->kernel);
    sim_dot_box_end(dot);
}

static void kernel_draw_record(struct dot *dot, uint32_t slot, const struct task *task,
                               const rill_op *op)
{
    sim_dot_record_begin(dot, "bold", "KERNEL");
    sim_dot_put(dot, "| {ID | ");
    sim_dot_id(dot, slot);
    sim_dot_put(dot, " | ");
    sim_dot_field(dot, sim_task_name(task));
    if (sim_dot_wants(dot, RILL_DOT_KERNEL_PARAMS)) put_launch(dot, &op->kernel);
    sim_dot_put(dot, "}\n");
    sim_dot_record_label(dot, slot);
    if (sim_dot_has_handles(dot)) {
        sim_dot_put(dot, "| {{node handle | func handle} | {");
        sim_dot_handle(dot, sim_node_handle(dot->graph, slot));
        sim_dot_put(dot, " | ");
        sim_dot_handle(dot, op->kernel.kernel);
        sim_dot_put(dot, "}}\n");
    }
    put_attributes(dot, sim_kernel_task_of(task));
    sim_dot_record_end(dot);
}

/* ---- The kind ---------------------------------------------------------------------- */

const struct node_kind sim_kind_kernel = {
    .op = RILL_OP_KERNEL, .traits = KIND_CAN_BE_DISABLED | KIND_IS_PLAIN | KIND_ON_DEVICE,
    .inside = INSIDE_GET,
    .run = kernel_run, .run_watched = kernel_run_watched, .demand = kernel_demand,
    .free = kernel_free, .read = kernel_read, .name = kernel_name,
    .create = kernel_create,
    .context = kernel_context, .check_exec_change = kernel_check_exec_change,
    .may_replace = kernel_may_replace,
    .draw = kernel_draw, .draw_record = kernel_draw_record,
    .record_flag = RILL_DOT_KERNEL_ATTRIBUTES,
};
