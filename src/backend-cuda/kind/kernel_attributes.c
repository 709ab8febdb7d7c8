/* SPDX-License-Identifier: Apache-2.0
 *
 * The attributes that an operation gives to a kernel node.
 */
#include "backend-cuda/kind/kernel_attributes.h"

#include <string.h>

#include "backend-cuda/kind/attribute.h"
#include "backend-cuda/object/graph_nodes.h"
#include "base/alloc.h"

CUresult cuda_get_node_attribute(CUgraphNode raw, CUlaunchAttribute *attribute)
{
    memset(&attribute->value, 0, sizeof attribute->value);
    return cuda_api.GraphKernelNodeGetAttribute(raw, attribute->id, &attribute->value);
}

CUresult cuda_set_node_attribute(CUgraphNode raw, const CUlaunchAttribute *attribute)
{
    return cuda_api.GraphKernelNodeSetAttribute(raw, attribute->id, &attribute->value);
}

/* ---- Setting ----------------------------------------------------------------------- */

rill_status cuda_set_node_attributes(CUgraphNode raw, const rill_kernel_op *op,
                                     CUlaunchAttribute *before, size_t *done)
{
    *done = 0;
    for (size_t i = 0; i < op->attribute_count; i++) {
        CUlaunchAttribute attribute;
        cuda_write_attribute(&op->attributes[i], &attribute);
        if (before) before[i] = attribute;
        if (before && attribute.id) cuda_get_node_attribute(raw, &before[i]);
        CUresult result = attribute.id ? cuda_set_node_attribute(raw, &attribute) : CUDA_SUCCESS;
        if (result)
            return cuda_fail(result, "cuGraphKernelNodeSetAttribute",
                             result == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE ? "grid"
                                                                               : "attributes");
        *done = i + 1;
    }
    return RILL_SUCCESS;
}

void cuda_restore_attributes(CUgraphNode raw, const CUlaunchAttribute *before, size_t done)
{
    while (done--)
        if (before[done].id) cuda_set_node_attribute(raw, &before[done]);
}

bool cuda_has_attributes(CUgraphNode raw, const rill_kernel_op *op)
{
    for (size_t i = 0; i < op->attribute_count; i++) {
        CUlaunchAttribute wanted, present;
        cuda_write_attribute(&op->attributes[i], &wanted);
        present.id = wanted.id;
        if (wanted.id && (cuda_get_node_attribute(raw, &present) != CUDA_SUCCESS ||
                          memcmp(&wanted.value, &present.value, sizeof wanted.value) != 0))
            return false;
    }
    return true;
}

/* ---- Reading ----------------------------------------------------------------------- */

/* The attributes that a node can be asked for.  The driver has a value for each of them,
 * given or not: rill tells those that differ from what they are by themselves. */
static const rill_attribute_id askable[] = {
    RILL_ATTRIBUTE_ACCESS_WINDOW, RILL_ATTRIBUTE_COOPERATIVE, RILL_ATTRIBUTE_CLUSTER,
    RILL_ATTRIBUTE_CLUSTER_SCHEDULING, RILL_ATTRIBUTE_PRIORITY, RILL_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP,
    RILL_ATTRIBUTE_MEM_SYNC_DOMAIN, RILL_ATTRIBUTE_PREFERRED_CLUSTER,
    RILL_ATTRIBUTE_DEVICE_UPDATABLE, RILL_ATTRIBUTE_SHARED_CARVEOUT,
};
enum { ASKABLE = sizeof askable / sizeof *askable };

static bool has_default_value(const rill_attribute *attribute)
{
    static const unsigned char zero[sizeof attribute->bytes];
    if (attribute->id == RILL_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP)
        return !attribute->domain_map.local && attribute->domain_map.remote == 1;
    if (attribute->id == RILL_ATTRIBUTE_SHARED_CARVEOUT)
        return !attribute->carveout ||
               attribute->carveout == (uint32_t)CU_SHAREDMEM_CARVEOUT_DEFAULT;
    return !memcmp(attribute->bytes, zero, sizeof zero);
}

static size_t ask_attributes(CUgraphNode raw, rill_attribute told[ASKABLE])
{
    size_t count = 0;
    for (size_t i = 0; i < ASKABLE; i++) {
        CUlaunchAttributeValue value;
        memset(&value, 0, sizeof value);
        if (cuda_api.GraphKernelNodeGetAttribute(raw, (CUlaunchAttributeID)askable[i], &value))
            continue;
        told[count].id = askable[i];
        cuda_read_attribute(&value, &told[count]);
        if (!has_default_value(&told[count])) count++;
    }
    return count;
}

rill_status cuda_read_node_attributes(struct cuda_graph *graph, CUgraphNode raw,
                                      rill_kernel_op *op)
{
    rill_attribute told[ASKABLE];
    op->attribute_count = ask_attributes(raw, told);
    if (!op->attribute_count) return RILL_SUCCESS;
    struct cuda_note *note = cuda_node_note(graph, raw, true);
    if (!note) return RILL_ERROR_OUT_OF_MEMORY;
    if (!note->attributes) note->attributes = rl_alloc(sizeof told);
    if (!note->attributes) return RILL_ERROR_OUT_OF_MEMORY;
    memcpy(note->attributes, told, op->attribute_count * sizeof *told);
    op->attributes = note->attributes;
    return RILL_SUCCESS;
}
