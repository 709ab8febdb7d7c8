/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels in streams.  A launch is checked, and its arguments are copied, when it is submitted.
 */
#include <stdio.h>

#include "backend-sim/kernel/kernel.h"
#include "backend-sim/scheduler/watch/watcher.h"
#include "backend-sim/stream/stream.h"
#include "base/alloc.h"

/* A launch in a queue.  Its arguments follow in the cell if they are few and the launch needs no
 * other memory; otherwise they begin the launch's own memory. */
struct kernel_cell {
    struct sim_function *function; /* its code retained   */
    unsigned char *memory;         /* on the heap, or NULL */
    rill_dim3 grid, block;
    uint32_t shared_bytes;         /* static and dynamic   */
    struct launch_dims dims;
};

#define INLINE_ARGUMENTS 1024
#define FEW_PARAMS 32

/* Tells whether a launch needs memory of its own: for arguments that are many or need wider
 * alignment than cells have, and for the shared memory of its blocks.  The memory is allocated
 * at submission, since a launch cannot be refused later.  A kernel of PTX has its blocks' memory
 * where it runs, and takes its arguments packed. */
static bool launch_needs_memory(const struct sim_function *function, size_t shared)
{
    if (function->ptx) return function->stored_bytes > INLINE_ARGUMENTS;
    return function->buffer_bytes > INLINE_ARGUMENTS || function->alignment > 8 ||
           function->param_count > FEW_PARAMS || shared;
}

/* Rounds a size up to whole lines of a cache. */
static size_t round_to_lines(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

/* Returns how many bytes a launch needs: for its arguments, its shared memory and the pointers to
 * the arguments, each on lines of its own. */
static size_t launch_memory_bytes(const struct sim_function *function, size_t shared)
{
    if (function->ptx) return function->stored_bytes;
    return round_to_lines(function->buffer_bytes) + round_to_lines(shared) +
           function->param_count * sizeof(const void *);
}

/* ---- Running -------------------------------------------------------------------- */

static void raise_fault(struct strand *strand, const struct sim_function *function,
                        const struct kernel_fault *fault)
{
    char operation[RILL_LABEL_MAX];
    snprintf(operation, sizeof operation, "kernel '%.48s'", function->name);
    sim_raise_in(strand, (rill_status)atomic_load(&fault->status), operation, fault->message);
}

/* Runs the kernel.  `told` is NULL if there is no watcher; inlined, so that asking costs
 * nothing. */
static inline __attribute__((always_inline))
void launch_kernel(struct strand *strand, struct kernel_cell *cell, struct kernel_fault *fault,
                   const struct told *told)
{
    struct sim_function *function = cell->function;
    unsigned char *arguments = cell->memory ? cell->memory : (void *)(cell + 1);
    unsigned char *shared = NULL;
    const void *few[FEW_PARAMS];
    const void **params = few;
    if (cell->memory && !function->ptx) {
        shared = cell->memory + round_to_lines(function->buffer_bytes);
        params = (const void **)(void *)(shared + round_to_lines(cell->shared_bytes));
    }
    for (uint32_t i = 0; !function->ptx && i < function->param_count; i++)
        params[i] = arguments + function->offsets[i];
    const struct kernel_launch launch = {
        .function = function, .platform = strand->engine->platform,
        .grid = cell->grid, .block = cell->block, .arguments = arguments, .params = params,
        .shared = shared, .shared_bytes = cell->shared_bytes, .dims = cell->dims,
    };
    if (told) sim_kernel_run_watched(&launch, fault, told);
    else sim_kernel_run(&launch, fault);
}

static void kernel_drop(struct strand *strand, struct cell *cell)
{
    (void)strand;
    struct kernel_cell *kernel = cell_payload(cell);
    rl_free(kernel->memory);
    sim_code_release(kernel->function->code);
}

static void kernel_run(struct strand *strand, struct cell *cell)
{
    struct kernel_cell *kernel = cell_payload(cell);
    struct kernel_fault fault;
    launch_kernel(strand, kernel, &fault, NULL);
    if (atomic_load(&fault.status)) raise_fault(strand, kernel->function, &fault);
    kernel_drop(strand, cell);
}

static void kernel_run_watched(struct strand *strand, struct cell *cell, struct told *told)
{
    struct kernel_cell *kernel = cell_payload(cell);
    struct kernel_fault fault;
    if (told->running.dropped) {
        sim_watch_around(strand, cell, told);
        return;
    }
    launch_kernel(strand, kernel, &fault, told);
    if (atomic_load(&fault.status)) raise_fault(strand, kernel->function, &fault);
    kernel_drop(strand, cell);
}

static const char *kernel_name(const struct cell *cell)
{
    return ((const struct kernel_cell *)(const void *)(cell + 1))->function->name;
}

static void kernel_demand(struct cell *cell, uint32_t place, struct demand *demand)
{
    const struct kernel_cell *kernel = cell_payload(cell);
    (void)place;
    sim_kernel_demand(kernel->function, kernel->grid, kernel->block, demand);
}

static const struct op_type kernel_op = {
    .kind = RILL_OP_KERNEL, .run = kernel_run, .drop = kernel_drop, .name = kernel_name,
    .demand = kernel_demand, .shared = true, .run_watched = kernel_run_watched,
};

/* ---- Checking ---------------------------------------------------------------------- */

static rill_status check_value(struct sim_stream *stream, const rill_attribute *attribute,
                               const struct sim_function *function)
{
    if (sim_attribute_records_event(attribute))
        return sim_event_check_launch(stream, attribute);
    if (attribute->id == RILL_ATTRIBUTE_CLUSTER_SCHEDULING &&
        (attribute->cluster_scheduling < 0 || attribute->cluster_scheduling > 2))
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "attributes",
                                 "launch of '%s': a scheduling policy of clusters is 0 to 2",
                                 function->name);
    if (attribute->id != RILL_ATTRIBUTE_DEVICE_UPDATABLE)
        return sim_kernel_check_value(attribute, function);
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "attributes",
                             "launch of '%s': only a kernel of a graph can be updatable from the "
                             "device", function->name);
}

static rill_status check_launch(struct sim_stream *stream, const rill_kernel_op *op,
                                const struct sim_function *function)
{
    rill_status status = sim_kernel_check_block(op, function);
    for (size_t i = 0; !status && i < op->attribute_count; i++)
        status = check_value(stream, &op->attributes[i], function);
    return status ? status : sim_kernel_check_launch(op, function);
}

/* ---- Submitting ---------------------------------------------------------------------- */

/* Puts a checked launch into the stream.  `memory` is the launch's own, or NULL if it needs none;
 * on failure it stays the caller's. */
static rill_status put_launch(struct sim_stream *stream, const rill_kernel_op *launch,
                              struct sim_function *function, unsigned char *memory)
{
    struct submission submission;
    rill_status status = sim_stream_begin(stream, &submission);
    if (status) return status;
    size_t more = memory ? 0 : function->stored_bytes;
    struct cell *cell = sim_submission_add(&submission, &kernel_op,
                                           sizeof(struct kernel_cell) + more);
    if (!cell) return sim_stream_abort(stream, &submission);
    struct kernel_cell *payload = cell_payload(cell);
    *payload = (struct kernel_cell){
        .function = function, .memory = memory, .grid = launch->grid, .block = launch->block,
        .shared_bytes = (uint32_t)(launch->shared_bytes + function->static_shared),
        .dims = sim_launch_dims(launch->attributes, launch->attribute_count),
    };
    sim_code_retain(function->code);
    sim_kernel_copy_arguments(memory ? memory : (void *)(payload + 1), launch, function);
    /* Blocks run to their end before anything that they trigger can be seen, so an event of the
     * launch is recorded at its completion. */
    for (size_t i = 0; i < launch->attribute_count; i++)
        if (sim_attribute_records_event(&launch->attributes[i]))
            sim_event_record_last(launch->attributes[i].event.event, &submission);
    sim_stream_commit(stream, &submission);
    return RILL_SUCCESS;
}

rill_status sim_submit_kernel(struct sim_stream *stream, rill_op *op)
{
    const rill_kernel_op *launch = &op->kernel;
    struct sim_kernel *kernel = sim_kernel_of(launch->kernel);
    struct sim_function *function = kernel->function;
    if (kernel->context != stream->context)
        return rill_backend_fail(RILL_ERROR_INVALID_HANDLE, "kernel",
                                 "kernel '%s' belongs to another context than the stream",
                                 function->name);
    rill_status status = check_launch(stream, launch, function);
    if (!status && function->ptx)
        status = sim_kernel_reserve_for(launch, function, stream->context->platform);
    if (status) return status;

    unsigned char *memory = NULL;
    size_t shared = launch->shared_bytes + function->static_shared;
    if (launch_needs_memory(function, shared)) {
        memory = rl_zalloc_lines(launch_memory_bytes(function, shared));
        if (!memory)
            return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory for the launch");
    }
    status = put_launch(stream, launch, function, memory);
    if (status) rl_free(memory);
    return status;
}
