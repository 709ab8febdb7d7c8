/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernel launches: checked and their arguments copied when they are submitted,
 * run block by block or over the whole grid.
 */
#include <stdio.h>
#include <string.h>

#include "backend-sim/module.h"
#include "backend-sim/stream.h"
#include "base/alloc.h"

/* A launch in a queue.  Its arguments follow in the cell when they are few and
 * that is all it needs; else they begin the launch's own memory. */
struct kernel_cell {
    struct sim_function *function; /* its code retained   */
    unsigned char *memory;         /* on the heap, or NULL */
    rill_dim3 grid, block;
    uint32_t shared_bytes;         /* static and dynamic   */
    uint32_t unused;
};

#define INLINE_ARGUMENTS 1024
#define FEW_PARAMS 32

static size_t lines(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

/* Whether a launch needs memory of its own: for arguments that are many or must
 * stand on wider boundaries than cells do, and for the shared memory of its
 * blocks.  Taken when it is submitted, since a launch cannot be refused later. */
static bool needs_memory(const struct sim_function *function, size_t shared)
{
    return function->buffer_bytes > INLINE_ARGUMENTS || function->alignment > 8 ||
           function->param_count > FEW_PARAMS || shared;
}

/* Arguments, shared memory, pointers to the arguments: each on its own lines. */
static size_t memory_bytes(const struct sim_function *function, size_t shared)
{
    return lines(function->buffer_bytes) + lines(shared) +
           function->param_count * sizeof(const void *);
}

/* What rill_launch.device points at. */
struct launch_device {
    struct strand *strand;
    atomic_int fault;   /* the first one wins */
    char message[RILL_ERROR_MESSAGE_MAX / 2];
};

/* ---- Running -------------------------------------------------------------------- */

void rill_sim_fault(const rill_launch *launch, rill_status status, const char *message)
{
    struct launch_device *device = launch ? launch->device : NULL;
    if (!device) return;
    if (!rill_error_is_sticky(status)) status = RILL_ERROR_LAUNCH_FAILED;
    int none = 0;
    if (!atomic_compare_exchange_strong(&device->fault, &none, (int)status)) return;
    snprintf(device->message, sizeof device->message, "%s", message ? message : "a kernel failed");
}

static void raise_fault(struct launch_device *device, const struct sim_function *function)
{
    char object[RILL_LABEL_MAX], operation[RILL_LABEL_MAX], label[RILL_LABEL_MAX];
    struct strand *strand = device->strand;
    snprintf(operation, sizeof operation, "kernel '%.48s'", function->name);
    if (sim_strand_label(strand, label)) snprintf(object, sizeof object, "stream '%.48s'", label);
    else snprintf(object, sizeof object, "stream %llu", (unsigned long long)strand->id);
    sim_raise(strand->engine->platform, (rill_status)atomic_load(&device->fault), operation, object,
              device->message);
}

static void run_blocks(const struct sim_function *function, rill_launch *launch,
                       struct launch_device *device)
{
    rill_dim3 grid = launch->grid;
    for (uint32_t z = 0; z < grid.z; z++)
        for (uint32_t y = 0; y < grid.y; y++)
            for (uint32_t x = 0; x < grid.x; x++) {
                if (atomic_load_explicit(&device->fault, memory_order_relaxed)) return;
                launch->index = (rill_dim3){ x, y, z };
                function->over_block(launch);
            }
}

static void launch_kernel(struct kernel_cell *cell, struct launch_device *device)
{
    struct sim_function *function = cell->function;
    unsigned char *arguments = cell->memory ? cell->memory : (void *)(cell + 1);
    unsigned char *shared = cell->memory + lines(function->buffer_bytes);
    const void *few[FEW_PARAMS];
    const void **params = few;
    if (cell->memory) params = (const void **)(void *)(shared + lines(cell->shared_bytes));
    for (uint32_t i = 0; i < function->param_count; i++)
        params[i] = arguments + function->offsets[i];
    rill_launch launch = {
        .grid = cell->grid, .block = cell->block,
        .shared = cell->shared_bytes ? shared : NULL, .shared_bytes = cell->shared_bytes,
        .params = params, .param_count = function->param_count, .device = device,
    };
    sim_inside++;
    if (function->over_grid) function->over_grid(&launch);
    else run_blocks(function, &launch, device);
    sim_inside--;
}

static void kernel_drop(struct strand *strand, struct cell *cell)
{
    (void)strand;
    struct kernel_cell *kernel = cell_payload(cell);
    rl_free(kernel->memory);
    sim_code_release(kernel->function->code);
}

static void kernel_run(struct strand *strand, struct cell *cell, struct runner *runner)
{
    (void)runner;
    struct kernel_cell *kernel = cell_payload(cell);
    struct launch_device device;
    device.strand = strand;
    atomic_init(&device.fault, 0);
    launch_kernel(kernel, &device);
    if (atomic_load(&device.fault)) raise_fault(&device, kernel->function);
    kernel_drop(strand, cell);
}

static const char *kernel_name(const struct cell *cell)
{
    return ((const struct kernel_cell *)(const void *)(cell + 1))->function->name;
}

const struct op_type sim_op_kernel = {
    .kind = RILL_OP_KERNEL, .run = kernel_run, .drop = kernel_drop, .name = kernel_name,
};

/* ---- Checking ---------------------------------------------------------------------- */

static rill_status refuse(const char *argument, const char *why, const struct sim_function *function)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument, "launch of '%s': %s",
                             function->name, why);
}

static rill_status check_shape(const rill_kernel_op *op, struct sim_function *function)
{
    rill_dim3 grid = op->grid, block = op->block;
    if (!grid.x || !grid.y || !grid.z)
        return refuse("grid", "a dimension of the grid is 0", function);
    if (!block.x || !block.y || !block.z)
        return refuse("block", "a dimension of the block is 0", function);
    if (grid.x > SIM_GRID_X_MAX || grid.y > SIM_GRID_YZ_MAX || grid.z > SIM_GRID_YZ_MAX)
        return refuse("grid", "the grid exceeds 2147483647 x 65535 x 65535 blocks", function);
    uint64_t threads = (uint64_t)block.x * block.y;
    if (block.x > SIM_THREADS_MAX || block.y > SIM_THREADS_MAX || block.z > SIM_BLOCK_Z_MAX ||
        threads * block.z > function->max_threads)
        return refuse("block", "the block has more threads than the kernel allows", function);
    if (op->shared_bytes > (size_t)atomic_load(&function->dynamic_shared))
        return refuse("shared_bytes", "more shared memory than the kernel allows; raise "
                      "RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES", function);
    return RILL_SUCCESS;
}

static rill_status check_arguments(const rill_kernel_op *op, const struct sim_function *function)
{
    if (op->params && op->buffer)
        return refuse("params", "pass either params or buffer, not both", function);
    if (!function->param_count) return RILL_SUCCESS;
    if (!op->params && !op->buffer) return refuse("params", "the arguments are missing", function);
    if (op->buffer && op->buffer_bytes != function->buffer_bytes)
        return rill_backend_fail(RILL_ERROR_LAUNCH_OUT_OF_RESOURCES, "buffer_bytes",
                                 "launch of '%s': %zu bytes of arguments, its layout has %u",
                                 function->name, op->buffer_bytes, function->buffer_bytes);
    for (uint32_t i = 0; op->params && i < function->param_count; i++)
        if (!op->params[i]) return refuse("params", "a pointer to an argument is NULL", function);
    return RILL_SUCCESS;
}

static rill_status check_cooperative(const rill_kernel_op *op, const struct sim_function *function)
{
    uint32_t threads = op->block.x * op->block.y * op->block.z;
    uint32_t each = SIM_THREADS_PER_MULTIPROCESSOR / threads;
    if (each > SIM_BLOCKS_PER_MULTIPROCESSOR) each = SIM_BLOCKS_PER_MULTIPROCESSOR;
    uint64_t most = (uint64_t)each * SIM_MULTIPROCESSORS;
    /* Factor by factor: the product of three can overflow. */
    uint64_t blocks = (uint64_t)op->grid.x * op->grid.y;
    if (blocks <= most && blocks * op->grid.z <= most) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "grid",
                             "launch of '%s': at most %llu blocks fit the device at once",
                             function->name, (unsigned long long)most);
}

static rill_status check_cluster(rill_dim3 grid, rill_dim3 cluster,
                                 const struct sim_function *function)
{
    if (!cluster.x && !cluster.y && !cluster.z) return RILL_SUCCESS;
    if (cluster.x && cluster.y && cluster.z && grid.x % cluster.x == 0 &&
        grid.y % cluster.y == 0 && grid.z % cluster.z == 0 &&
        (uint64_t)cluster.x * cluster.y * cluster.z <= 8)
        return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_CLUSTER_SIZE, "attributes",
                             "launch of '%s': clusters of %u x %u x %u do not divide the grid, or "
                             "hold more than 8 blocks", function->name, cluster.x, cluster.y,
                             cluster.z);
}

static bool records_event(const rill_attribute *attribute)
{
    return attribute->id == RILL_ATTRIBUTE_PROGRAMMATIC_EVENT ||
           attribute->id == RILL_ATTRIBUTE_COMPLETION_EVENT;
}

static rill_status check_attribute(struct sim_stream *stream, const rill_kernel_op *op,
                                   const rill_attribute *attribute,
                                   const struct sim_function *function)
{
    if (records_event(attribute)) return sim_event_check_launch(stream, attribute->event.event);
    switch ((int)attribute->id) {
    case RILL_ATTRIBUTE_COOPERATIVE:
        return attribute->cooperative ? check_cooperative(op, function) : RILL_SUCCESS;
    case RILL_ATTRIBUTE_CLUSTER:
        return check_cluster(op->grid, attribute->cluster, function);
    case RILL_ATTRIBUTE_MEM_SYNC_DOMAIN:
        if (attribute->domain < 0 || attribute->domain > 1)
            return refuse("attributes", "the memory synchronization domain is not 0 or 1", function);
        return RILL_SUCCESS;
    case RILL_ATTRIBUTE_IGNORE:
    case RILL_ATTRIBUTE_ACCESS_WINDOW:
    case RILL_ATTRIBUTE_CLUSTER_SCHEDULING:
    case RILL_ATTRIBUTE_PROGRAMMATIC_SERIALIZATION: /* may overlap, and need not */
    case RILL_ATTRIBUTE_PRIORITY:
    case RILL_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case RILL_ATTRIBUTE_PREFERRED_CLUSTER:
    case RILL_ATTRIBUTE_SHARED_CARVEOUT:
    case RILL_ATTRIBUTE_NVLINK_SCHEDULING:
        return RILL_SUCCESS;
    case RILL_ATTRIBUTE_DEVICE_UPDATABLE:
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "attributes",
                                 "launch of '%s': only a kernel of a graph can be updatable from "
                                 "the device", function->name);
    default:
        return refuse("attributes", "an attribute is not one of launches", function);
    }
}

static rill_status check(struct sim_stream *stream, const rill_kernel_op *op,
                         struct sim_function *function)
{
    rill_status status = check_shape(op, function);
    if (!status) status = check_arguments(op, function);
    if (!status && op->attribute_count && !op->attributes)
        status = refuse("attributes", "the array is NULL", function);
    for (size_t i = 0; !status && i < op->attribute_count; i++)
        status = check_attribute(stream, op, &op->attributes[i], function);
    return status;
}

/* ---- Submitting ---------------------------------------------------------------------- */

static void copy_arguments(unsigned char *to, const rill_kernel_op *op,
                           const struct sim_function *function)
{
    if (op->buffer) {
        memcpy(to, op->buffer, function->buffer_bytes);
        return;
    }
    for (uint32_t i = 0; i < function->param_count; i++)
        memcpy(to + function->offsets[i], op->params[i], function->params[i].bytes);
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
    rill_status status = check(stream, launch, function);
    if (status) return status;

    size_t shared = launch->shared_bytes + function->static_shared;
    bool own = needs_memory(function, shared);
    unsigned char *memory = own ? rl_zalloc_lines(memory_bytes(function, shared)) : NULL;
    if (own && !memory)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory for the launch");
    struct submission submission;
    status = sim_stream_begin(stream, &submission);
    struct cell *cell = NULL;
    if (!status) {
        size_t more = own ? 0 : function->buffer_bytes;
        cell = sim_submission_add(&submission, OP_KERNEL, sizeof(struct kernel_cell) + more);
        if (!cell) status = sim_stream_abort(stream, &submission);
    }
    if (status) {
        rl_free(memory);
        return status;
    }
    struct kernel_cell *payload = cell_payload(cell);
    *payload = (struct kernel_cell){
        .function = function, .memory = memory, .grid = launch->grid, .block = launch->block,
        .shared_bytes = (uint32_t)shared,
    };
    sim_code_retain(function->code);
    copy_arguments(own ? memory : (void *)(payload + 1), launch, function);
    /* Blocks run to their end before anybody can see what they triggered, so an
     * event of the launch is one of its completion. */
    for (size_t i = 0; i < launch->attribute_count; i++)
        if (records_event(&launch->attributes[i]))
            sim_event_record_last(launch->attributes[i].event.event, &submission);
    sim_stream_commit(stream, &submission);
    return RILL_SUCCESS;
}
