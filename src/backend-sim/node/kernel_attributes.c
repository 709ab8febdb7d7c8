/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes of kernel nodes.  They belong to the node: another kernel or other
 * arguments leave them as they are.
 */
#include <string.h>

#include "backend-sim/graph/graph.h"
#include "backend-sim/node/kernel_task.h"
#include "backend-sim/stream/stream.h"

/* ---- Which there are -------------------------------------------------------------- */

/* Returns whether nodes have the attribute, as measured.  NVLink scheduling can be set, but not
 * read. */
static bool is_of_nodes(rill_attribute_id id, bool set)
{
    switch ((int)id) {
    case RILL_ATTRIBUTE_ACCESS_WINDOW:
    case RILL_ATTRIBUTE_COOPERATIVE:
    case RILL_ATTRIBUTE_CLUSTER:
    case RILL_ATTRIBUTE_CLUSTER_SCHEDULING:
    case RILL_ATTRIBUTE_PRIORITY:
    case RILL_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case RILL_ATTRIBUTE_MEM_SYNC_DOMAIN:
    case RILL_ATTRIBUTE_DEVICE_UPDATABLE:
    case RILL_ATTRIBUTE_SHARED_CARVEOUT:
        return true;
    case RILL_ATTRIBUTE_NVLINK_SCHEDULING:
        return set;
    default:
        return false;
    }
}

static rill_status refuse_attribute(rill_attribute_id id)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "attribute->id",
                             "%d is not an attribute of kernel nodes", (int)id);
}

/* Returns the value that an attribute of a node has before it is set. */
static rill_attribute initial_attribute(rill_attribute_id id)
{
    rill_attribute attribute = { .id = id };
    if (id == RILL_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP) attribute.domain_map.remote = 1;
    return attribute;
}

static const rill_attribute *find_attribute(const rill_attribute *items, size_t count,
                                            rill_attribute_id id)
{
    for (size_t i = 0; i < count; i++)
        if (items[i].id == id) return &items[i];
    return NULL;
}

rill_attribute sim_kernel_task_attribute(const struct kernel_task *kernel, rill_attribute_id id)
{
    const rill_attribute *set = find_attribute(kernel->attributes, kernel->attribute_count, id);
    return set ? *set : initial_attribute(id);
}

/* ---- Checking ---------------------------------------------------------------------- */

static rill_status check_attribute(const rill_attribute *attribute, const rill_kernel_op *op,
                                   const struct sim_function *function)
{
    switch ((int)attribute->id) {
    case RILL_ATTRIBUTE_DEVICE_UPDATABLE:
        if (!attribute->device_updatable) return RILL_SUCCESS;
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "attribute->device_updatable",
                                 "the simulator cannot update nodes from the device");
    case RILL_ATTRIBUTE_ACCESS_WINDOW:
    case RILL_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case RILL_ATTRIBUTE_MEM_SYNC_DOMAIN:
        return sim_attribute_check(attribute);
    default:
        return sim_kernel_check_attribute(op, attribute, function);
    }
}

/* Adds an attribute to the list or replaces it there; clamps priorities to the device's range. */
static void put_attribute(struct attribute_list *list, const struct sim_platform *platform,
                          const rill_attribute *attribute)
{
    const rill_attribute *there = find_attribute(list->items, list->count, attribute->id);
    rill_attribute *item = &list->items[there ? (size_t)(there - list->items) : list->count++];
    *item = *attribute;
    if (item->id == RILL_ATTRIBUTE_PRIORITY)
        item->priority = sim_clamp_priority(platform, item->priority);
}

static void begin_list(struct attribute_list *list, const struct kernel_task *kernel)
{
    list->count = kernel ? kernel->attribute_count : 0;
    if (list->count)
        memcpy(list->items, kernel->attributes, list->count * sizeof *list->items);
}

/* Returns whether an attribute of launches means nothing for a node. */
static bool means_nothing(rill_attribute_id id)
{
    return id == RILL_ATTRIBUTE_IGNORE || id == RILL_ATTRIBUTE_PROGRAMMATIC_SERIALIZATION ||
           id == RILL_ATTRIBUTE_PREFERRED_CLUSTER;
}

rill_status sim_attributes_merge(const struct kernel_task *before, const rill_kernel_op *op,
                                 const struct sim_platform *platform,
                                 const struct sim_function *function,
                                 struct attribute_list *list)
{
    begin_list(list, before);
    for (size_t i = 0; i < op->attribute_count; i++) {
        if (means_nothing(op->attributes[i].id)) continue;
        if (!is_of_nodes(op->attributes[i].id, true))
            return refuse_attribute(op->attributes[i].id);
        put_attribute(list, platform, &op->attributes[i]);
    }
    rill_status status = RILL_SUCCESS;
    for (size_t i = 0; !status && i < list->count; i++)
        status = check_attribute(&list->items[i], op, function);
    return status;
}

/* ---- Calls ------------------------------------------------------------------------- */

/* Finds the slot and the task of a kernel node, or refuses `argument`. */
static rill_status find_kernel(const struct sim_graph *graph, rill_node node,
                               const char *argument, uint32_t *slot,
                               const struct kernel_task **kernel)
{
    *slot = sim_node_find(graph, node, argument);
    if (*slot == NODE_NONE) return RILL_ERROR_INVALID_VALUE;
    rill_status status = sim_check_outside(graph->platform);
    if (status) return status;
    const struct task *task = sim_node_task(graph, *slot);
    *kernel = sim_kernel_task_of(task);
    if (task->kind->op == RILL_OP_KERNEL) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument,
                             "only kernel nodes have attributes");
}

/* Gives the node these attributes. */
static rill_status replace_attributes(struct sim_graph *graph, uint32_t slot,
                                      const struct kernel_task *kernel,
                                      const struct attribute_list *list)
{
    rill_op op;
    sim_task_read(&kernel->task, &op);
    op.kernel.attributes = list->items;
    op.kernel.attribute_count = list->count;
    rill_status status = RILL_SUCCESS;
    if (kernel->function->ptx)
        status = sim_kernel_reserve_for(&op.kernel, kernel->function, kernel->platform);
    if (status) return status;
    struct kernel_task *made = sim_kernel_task_make(&op.kernel, kernel->platform, kernel->context,
                                                    kernel->function);
    if (!made) return sim_out_of_memory_for_node();
    sim_node_replace(graph, slot, &made->task);
    return RILL_SUCCESS;
}

rill_status sim_node_get_attribute(rill_graph *handle, rill_node node, rill_attribute *attribute)
{
    const struct kernel_task *kernel;
    uint32_t slot;
    rill_status status = find_kernel(sim_graph_of(handle), node, "node", &slot, &kernel);
    if (status) return status;
    if (!is_of_nodes(attribute->id, false)) return refuse_attribute(attribute->id);
    *attribute = sim_kernel_task_attribute(kernel, attribute->id);
    return RILL_SUCCESS;
}

rill_status sim_node_set_attribute(rill_graph *handle, rill_node node,
                                   const rill_attribute *attribute)
{
    struct sim_graph *graph = sim_graph_of(handle);
    const struct kernel_task *kernel;
    uint32_t slot;
    rill_status status = find_kernel(graph, node, "node", &slot, &kernel);
    if (status) return status;
    if (!is_of_nodes(attribute->id, true)) return refuse_attribute(attribute->id);
    rill_op op;
    sim_task_read(&kernel->task, &op);
    status = check_attribute(attribute, &op.kernel, kernel->function);
    if (status) return status;
    /* The same value again keeps the task, so that pointers read from the node stay valid. */
    for (uint32_t i = 0; i < kernel->attribute_count; i++)
        if (!memcmp(&kernel->attributes[i], attribute, sizeof *attribute)) return RILL_SUCCESS;
    struct attribute_list list;
    begin_list(&list, kernel);
    put_attribute(&list, kernel->platform, attribute);
    return replace_attributes(graph, slot, kernel, &list);
}

rill_status sim_node_copy_attributes(rill_graph *handle, rill_node dst, rill_node src)
{
    struct sim_graph *graph = sim_graph_of(handle);
    const struct kernel_task *receiver, *giver;
    uint32_t to, from;
    rill_status status = find_kernel(graph, dst, "dst", &to, &receiver);
    if (!status) status = find_kernel(graph, src, "src", &from, &giver);
    if (status) return status;
    if (receiver->context != giver->context)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "src",
                                 "src has a kernel of another context than dst");
    rill_op op;
    sim_task_read(&receiver->task, &op);
    struct attribute_list list;
    begin_list(&list, giver);
    for (size_t i = 0; i < list.count; i++) {
        if (!check_attribute(&list.items[i], &op.kernel, receiver->function)) continue;
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "src",
                                 "the launch of dst cannot have the attributes of src");
    }
    return replace_attributes(graph, to, receiver, &list);
}
