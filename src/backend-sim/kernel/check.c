/* SPDX-License-Identifier: Apache-2.0
 *
 * Which launches of a kernel are possible.
 */
#include "backend-sim/kernel/code.h"
#include "backend-sim/kernel/kernel.h"
#include "device/model.h"

#define CARVEOUT_DEFAULT UINT32_MAX /* the driver's choice */

static rill_status refuse_launch(const char *argument, const char *why,
                                 const struct sim_function *function)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument, "launch of '%s': %s",
                             function->name, why);
}

static bool is_too_large(rill_dim3 block, const struct sim_function *function)
{
    uint64_t threads = (uint64_t)block.x * block.y;
    return block.x > SIM_THREADS_MAX || block.y > SIM_THREADS_MAX || block.z > SIM_BLOCK_Z_MAX ||
           threads * block.z > function->max_threads;
}

static bool is_as_required(rill_dim3 block, const struct sim_function *function)
{
    const uint32_t *required = function->required;
    return !required[0] ||
           (block.x == required[0] && block.y == required[1] && block.z == required[2]);
}

static inline bool is_possible(rill_dim3 block, const struct sim_function *function)
{
    return !is_too_large(block, function) && is_as_required(block, function);
}

/* Says what is wrong with the block; or, if the grid could be one, that they may be swapped. */
__attribute__((cold, noinline))
static rill_status refuse_block(const rill_kernel_op *op, const struct sim_function *function)
{
    rill_dim3 grid = op->grid, block = op->block;
    const uint32_t *required = function->required;
    bool alone = grid.x == 1 && grid.y == 1 && grid.z == 1;
    if (!alone && is_possible(grid, function))
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "block",
                                 "launch of '%s': a block of %u x %u x %u cannot be, and the grid "
                                 "of %u x %u x %u could be one; are they swapped?", function->name,
                                 block.x, block.y, block.z, grid.x, grid.y, grid.z);
    if (is_too_large(block, function))
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "block",
                                 "launch of '%s': a block of %u x %u x %u; it may have %u threads, "
                                 "and %d x %d x %d at most",
                                 function->name, block.x, block.y, block.z, function->max_threads,
                                 SIM_THREADS_MAX, SIM_THREADS_MAX, SIM_BLOCK_Z_MAX);
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "block",
                             "launch of '%s': a block of %u x %u x %u; its .reqntid says that "
                             "it is %u x %u x %u", function->name, block.x, block.y, block.z,
                             required[0], required[1], required[2]);
}

static rill_status check_shared(size_t bytes, const struct sim_function *function)
{
    int most = atomic_load(&function->dynamic_shared);
    if (bytes <= (size_t)most) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "shared_bytes",
                             "launch of '%s': %zu bytes, and the kernel allows %d; raise "
                             "RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES", function->name, bytes, most);
}

static rill_status check_block(const rill_kernel_op *op, const struct sim_function *function)
{
    rill_dim3 block = op->block;
    if (!block.x || !block.y || !block.z)
        return refuse_launch("block", "a dimension of the block is 0", function);
    return is_possible(block, function) ? RILL_SUCCESS : refuse_block(op, function);
}

static rill_status check_grid(const rill_kernel_op *op, const struct sim_function *function)
{
    rill_dim3 grid = op->grid;
    if (!grid.x || !grid.y || !grid.z)
        return refuse_launch("grid", "a dimension of the grid is 0", function);
    if (grid.x > SIM_GRID_X_MAX || grid.y > SIM_GRID_YZ_MAX || grid.z > SIM_GRID_YZ_MAX)
        return refuse_launch("grid", "the grid exceeds 2147483647 x 65535 x 65535 blocks",
                             function);
    return RILL_SUCCESS;
}

static rill_status check_dims(const rill_kernel_op *op, const struct sim_function *function)
{
    rill_status status = check_grid(op, function);
    if (!status) status = check_block(op, function);
    return status ? status : check_shared(op->shared_bytes, function);
}

/* Checks a buffer of arguments.  As measured, it may be shorter than the layout, and zeros
 * follow here; it may be longer only for a node of a kernel without parameters. */
static rill_status check_buffer(const rill_kernel_op *op, const struct sim_function *function,
                                rill_status wrong_size)
{
    bool ignored = !function->param_count && wrong_size == RILL_ERROR_INVALID_VALUE;
    if (function->param_count && !op->buffer_bytes)
        return refuse_launch("buffer_bytes", "the buffer of the arguments is empty", function);
    if (op->buffer_bytes <= function->buffer_bytes || ignored) return RILL_SUCCESS;
    return rill_backend_fail(wrong_size, "buffer_bytes",
                             "launch of '%s': %zu bytes of arguments, its layout has %u",
                             function->name, op->buffer_bytes, function->buffer_bytes);
}

static rill_status check_arguments(const rill_kernel_op *op, const struct sim_function *function,
                                   rill_status wrong_size)
{
    if (op->params && op->buffer)
        return refuse_launch("params", "pass either params or buffer, not both", function);
    if (op->buffer) return check_buffer(op, function, wrong_size);
    if (!function->param_count) return RILL_SUCCESS;
    if (!op->params) return refuse_launch("params", "the arguments are missing", function);
    for (uint32_t i = 0; op->params && i < function->param_count; i++)
        if (!op->params[i])
            return refuse_launch("params", "a pointer to an argument is NULL", function);
    return RILL_SUCCESS;
}

/* A block with more shared memory than it may have fits no device. */
static rill_status check_cooperative(const rill_kernel_op *op, const struct sim_function *function)
{
    uint32_t threads = op->block.x * op->block.y * op->block.z;
    const struct device_model *model = function->code->device->model;
    const struct device_generation *generation = device_generation_of(model);
    uint32_t each = generation->threads / threads;
    if (each > generation->blocks) each = generation->blocks;
    if (op->shared_bytes > (size_t)atomic_load(&function->dynamic_shared)) each = 0;
    uint64_t most = (uint64_t)each * model->multiprocessors;
    /* By factors, since the product of three can overflow. */
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
    const struct device_model *model = function->code->device->model;
    if (!device_generation_of(model)->clusters)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "attributes",
                                 "launch of '%s': there are clusters from compute capability 9.0 "
                                 "on, and %s has %d.%d", function->name, model->name,
                                 model->capability / 10, model->capability % 10);
    if (cluster.x && cluster.y && cluster.z && grid.x % cluster.x == 0 &&
        grid.y % cluster.y == 0 && grid.z % cluster.z == 0 &&
        (uint64_t)cluster.x * cluster.y * cluster.z <= 8)
        return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_CLUSTER_SIZE, "attributes",
                             "launch of '%s': clusters of %u x %u x %u do not divide the grid, or "
                             "hold more than 8 blocks", function->name, cluster.x, cluster.y,
                             cluster.z);
}

static rill_status check_whole_cluster(rill_dim3 cluster, const struct sim_function *function)
{
    bool none = !cluster.x && !cluster.y && !cluster.z;
    if (none || (cluster.x && cluster.y && cluster.z)) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_CLUSTER_SIZE, "attributes",
                             "launch of '%s': a dimension of the cluster is 0", function->name);
}

rill_status sim_kernel_check_value(const rill_attribute *attribute,
                                   const struct sim_function *function)
{
    switch ((int)attribute->id) {
    case RILL_ATTRIBUTE_CLUSTER: return check_whole_cluster(attribute->cluster, function);
    case RILL_ATTRIBUTE_MEM_SYNC_DOMAIN:
        if (attribute->domain < 0 || attribute->domain > 1)
            return refuse_launch("attributes", "the memory synchronization domain is not 0 or 1",
                                 function);
        return RILL_SUCCESS;
    case RILL_ATTRIBUTE_SHARED_CARVEOUT:
        if (attribute->carveout > 100 && attribute->carveout != CARVEOUT_DEFAULT)
            return refuse_launch("attributes", "the shared memory carveout is a percentage",
                                 function);
        return RILL_SUCCESS;
    case RILL_ATTRIBUTE_IGNORE:
    case RILL_ATTRIBUTE_ACCESS_WINDOW:
    case RILL_ATTRIBUTE_COOPERATIVE:
    case RILL_ATTRIBUTE_CLUSTER_SCHEDULING: /* a node keeps any number */
    case RILL_ATTRIBUTE_PROGRAMMATIC_SERIALIZATION: /* may overlap, and need not */
    case RILL_ATTRIBUTE_PRIORITY:
    case RILL_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case RILL_ATTRIBUTE_PREFERRED_CLUSTER:
    case RILL_ATTRIBUTE_NVLINK_SCHEDULING:
    case RILL_ATTRIBUTE_PROGRAMMATIC_EVENT:
    case RILL_ATTRIBUTE_COMPLETION_EVENT:
    case RILL_ATTRIBUTE_DEVICE_UPDATABLE:
        return RILL_SUCCESS;
    default:
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "attributes",
                                 "launch of '%s': %d is not an attribute of launches",
                                 function->name, (int)attribute->id);
    }
}

static rill_status check_clusters(const rill_kernel_op *op, const struct sim_function *function)
{
    rill_status status = RILL_SUCCESS;
    for (size_t i = 0; !status && i < op->attribute_count; i++)
        if (op->attributes[i].id == RILL_ATTRIBUTE_CLUSTER)
            status = check_cluster(op->grid, op->attributes[i].cluster, function);
    return status;
}

rill_status sim_kernel_check_attribute(const rill_kernel_op *op, const rill_attribute *attribute,
                                       const struct sim_function *function)
{
    rill_status status = sim_kernel_check_value(attribute, function);
    if (!status && attribute->id == RILL_ATTRIBUTE_CLUSTER)
        status = check_cluster(op->grid, attribute->cluster, function);
    if (!status && attribute->id == RILL_ATTRIBUTE_COOPERATIVE && attribute->cooperative)
        status = check_cooperative(op, function);
    return status;
}

struct launch_dims sim_launch_dims(const rill_attribute *attributes, size_t count)
{
    struct launch_dims dims = { .cooperative = false };
    for (size_t i = 0; i < count; i++) {
        const rill_attribute *attribute = &attributes[i];
        if (attribute->id == RILL_ATTRIBUTE_COOPERATIVE) {
            dims.cooperative = attribute->cooperative;
        } else if (attribute->id == RILL_ATTRIBUTE_CLUSTER) {
            dims.cluster[0] = (uint8_t)attribute->cluster.x;
            dims.cluster[1] = (uint8_t)attribute->cluster.y;
            dims.cluster[2] = (uint8_t)attribute->cluster.z;
        }
    }
    return dims;
}

bool sim_kernel_lacks_arguments(const rill_kernel_op *op, const struct sim_function *function)
{
    return !function->unsupported && !check_dims(op, function) &&
           check_arguments(op, function, RILL_ERROR_INVALID_VALUE);
}

rill_status sim_kernel_check_unbound(const struct sim_function *function)
{
    if (function->stored_bytes == function->buffer_bytes) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "kernel",
                             "kernel '%s': its module has references to textures or surfaces, "
                             "which launches of graphs do not have", function->name);
}

static rill_status check_supported(const struct sim_function *function)
{
    if (!function->unsupported) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "kernel", "%s", function->unsupported);
}

rill_status sim_kernel_check_block(const rill_kernel_op *op, const struct sim_function *function)
{
    rill_status status = check_supported(function);
    if (!status && op->params && op->buffer)
        status = refuse_launch("params", "pass either params or buffer, not both", function);
    return status ? status : check_block(op, function);
}

rill_status sim_kernel_check_launch(const rill_kernel_op *op, const struct sim_function *function)
{
    rill_status status = check_grid(op, function);
    if (!status) status = check_clusters(op, function);
    for (size_t i = 0; !status && i < op->attribute_count; i++)
        if (op->attributes[i].id == RILL_ATTRIBUTE_COOPERATIVE && op->attributes[i].cooperative)
            status = check_cooperative(op, function);
    if (!status) status = check_shared(op->shared_bytes, function);
    return status ? status : check_arguments(op, function, RILL_ERROR_LAUNCH_OUT_OF_RESOURCES);
}

rill_status sim_kernel_check(const rill_kernel_op *op, const struct sim_function *function,
                             rill_status wrong_size)
{
    rill_status status = check_supported(function);
    if (status) return status;
    status = check_dims(op, function);
    if (!status) status = check_arguments(op, function, wrong_size);
    if (!status && op->attribute_count && !op->attributes)
        status = refuse_launch("attributes", "the array is NULL", function);
    return status;
}
