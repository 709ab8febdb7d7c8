/* SPDX-License-Identifier: Apache-2.0
 *
 * What a node does, as an operation: read back from the driver, and from the notes
 * of its graph where the driver does not tell.
 */
#include <string.h>

#include "backend-cuda/attribute.h"
#include "backend-cuda/copy.h"
#include "backend-cuda/event.h"
#include "backend-cuda/graph.h"
#include "backend-cuda/host.h"
#include "backend-cuda/module.h"
#include "base/alloc.h"

/* ---- Kernels --------------------------------------------------------------------- */

/* Those that a node can be asked for.  The driver has a value for each of them, given
 * or not: told is what is not as it is by itself. */
static const rill_attribute_id askable[] = {
    RILL_ATTRIBUTE_ACCESS_WINDOW, RILL_ATTRIBUTE_COOPERATIVE, RILL_ATTRIBUTE_CLUSTER,
    RILL_ATTRIBUTE_CLUSTER_SCHEDULING, RILL_ATTRIBUTE_PRIORITY, RILL_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP,
    RILL_ATTRIBUTE_MEM_SYNC_DOMAIN, RILL_ATTRIBUTE_PREFERRED_CLUSTER,
    RILL_ATTRIBUTE_DEVICE_UPDATABLE, RILL_ATTRIBUTE_SHARED_CARVEOUT,
};
enum { ASKABLE = sizeof askable / sizeof *askable };

static bool is_default(const rill_attribute *attribute)
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
        if (!is_default(&told[count])) count++;
    }
    return count;
}

static rill_status read_attributes(struct cuda_graph *graph, CUgraphNode raw, rill_kernel_op *op)
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

/* Drivers before 12.0 do not tell the context. */
static CUresult ask_kernel(CUgraphNode raw, CUDA_KERNEL_NODE_PARAMS_v2 *params)
{
    CUDA_KERNEL_NODE_PARAMS_v1 early;
    memset(params, 0, sizeof *params);
    if (cuda_api.GraphKernelNodeGetParams) return cuda_api.GraphKernelNodeGetParams(raw, params);
    CUresult result = cuda_api.GraphKernelNodeGetParams_10000(raw, &early);
    if (!result) memcpy(params, &early, sizeof early);
    return result;
}

_Static_assert(sizeof(CUDA_KERNEL_NODE_PARAMS_v1) ==
                   offsetof(CUDA_KERNEL_NODE_PARAMS_v2, extra) + sizeof(void **),
               "the newer form begins with the older one");

static rill_status find_kernel(struct cuda_graph *graph, const CUDA_KERNEL_NODE_PARAMS_v2 *params,
                               rill_kernel **kernel)
{
    struct cuda_context *context = cuda_graph_home(graph);
    rill_context *other = params->ctx && !(context && params->ctx == context->raw)
                              ? cuda_find_context(graph->platform, params->ctx)
                              : NULL;
    if (other) context = cuda_context_of(other);
    *kernel = context ? cuda_find_kernel(context, params->func) : NULL;
    if (*kernel) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_FOUND, "node",
                             "its kernel was not got through rill, or its module is gone");
}

/* The driver keeps packed arguments as such, and has their size where it wrote it. */
static void read_arguments(const CUDA_KERNEL_NODE_PARAMS_v2 *params, rill_kernel_op *op)
{
    memcpy(&op->params, &params->kernelParams, sizeof op->params);
    for (void **item = params->extra; item && *item != CU_LAUNCH_PARAM_END; item += 2) {
        if (item[0] == CU_LAUNCH_PARAM_BUFFER_POINTER) op->buffer = item[1];
        if (item[0] == CU_LAUNCH_PARAM_BUFFER_SIZE) op->buffer_bytes = *(const size_t *)item[1];
    }
}

static rill_status read_kernel(struct cuda_graph *graph, CUgraphNode raw, rill_kernel_op *op)
{
    CUDA_KERNEL_NODE_PARAMS_v2 params;
    rill_status status = cuda_end(ask_kernel(raw, &params), "cuGraphKernelNodeGetParams");
    if (!status) status = find_kernel(graph, &params, &op->kernel);
    if (status) return status;
    op->grid = (rill_dim3){ params.gridDimX, params.gridDimY, params.gridDimZ };
    op->block = (rill_dim3){ params.blockDimX, params.blockDimY, params.blockDimZ };
    op->shared_bytes = params.sharedMemBytes;
    read_arguments(&params, op);
    return read_attributes(graph, raw, op);
}

/* ---- The other kinds ------------------------------------------------------------- */

static rill_status read_copy(CUgraphNode raw, rill_copy *op)
{
    CUDA_MEMCPY3D params;
    rill_status status = cuda_end(cuda_api.GraphMemcpyNodeGetParams(raw, &params),
                                  "cuGraphMemcpyNodeGetParams");
    if (!status) cuda_read_copy(&params, op);
    return status;
}

static rill_status read_fill(CUgraphNode raw, rill_fill *op)
{
    CUDA_MEMSET_NODE_PARAMS params;
    rill_status status = cuda_end(cuda_api.GraphMemsetNodeGetParams(raw, &params),
                                  "cuGraphMemsetNodeGetParams");
    if (status) return status;
    *op = (rill_fill){ .dst = params.dst,
                       .pitch = params.pitch,
                       .value = params.value,
                       .element_bytes = params.elementSize,
                       .width = params.width,
                       .height = params.height };
    return RILL_SUCCESS;
}

static rill_status read_host(CUgraphNode raw, rill_host_op *op)
{
    CUDA_HOST_NODE_PARAMS params;
    rill_status status = cuda_end(cuda_api.GraphHostNodeGetParams(raw, &params),
                                  "cuGraphHostNodeGetParams");
    if (status) return status;
    const struct cuda_box *box = cuda_find_box(params.fn, params.userData);
    op->fn = box ? box->fn : params.fn;
    op->data = box ? box->data : params.userData;
    return RILL_SUCCESS;
}

static rill_status read_child(struct cuda_graph *graph, CUgraphNode raw, rill_graph_op *op)
{
    CUgraph child;
    rill_status status = cuda_end(cuda_api.GraphChildGraphNodeGetGraph(raw, &child),
                                  "cuGraphChildGraphNodeGetGraph");
    if (!status) status = cuda_inner_graph(graph, raw, child, &op->graph);
    if (status) return status;
    /* One that moved in is still the object that it was. */
    op->flags = cuda_graph_of(op->graph)->moved ? RILL_CHILD_MOVE : 0;
    return RILL_SUCCESS;
}

static rill_status read_event(struct cuda_graph *graph, CUgraphNode raw, bool wait,
                              rill_event_op *op)
{
    CUevent event;
    CUresult result = wait ? cuda_api.GraphEventWaitNodeGetEvent(raw, &event)
                           : cuda_api.GraphEventRecordNodeGetEvent(raw, &event);
    if (result)
        return cuda_fail(result, wait ? "cuGraphEventWaitNodeGetEvent"
                                      : "cuGraphEventRecordNodeGetEvent", NULL);
    op->event = cuda_find_event(graph->platform, event);
    if (op->event) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_FOUND, "node",
                             "its event was destroyed, or not made through rill");
}

static rill_status read_alloc(CUgraphNode raw, rill_alloc_op *op)
{
    CUDA_MEM_ALLOC_NODE_PARAMS params;
    rill_status status = cuda_end(cuda_api.GraphMemAllocNodeGetParams(raw, &params),
                                  "cuGraphMemAllocNodeGetParams");
    if (status) return status;
    op->bytes = params.bytesize;
    op->device = params.poolProps.location.id;
    op->address = params.dptr;
    return RILL_SUCCESS;
}

static rill_status read_free(CUgraphNode raw, rill_free_op *op)
{
    CUdeviceptr address;
    rill_status status = cuda_end(cuda_api.GraphMemFreeNodeGetParams(raw, &address),
                                  "cuGraphMemFreeNodeGetParams");
    if (!status) op->address = address;
    return status;
}

static rill_status read_values(struct cuda_graph *graph, CUgraphNode raw, rill_values_op *op)
{
    CUDA_BATCH_MEM_OP_NODE_PARAMS params;
    rill_status status = cuda_end(cuda_api.GraphBatchMemOpNodeGetParams(raw, &params),
                                  "cuGraphBatchMemOpNodeGetParams");
    if (status) return status;
    op->flags = params.flags;
    op->count = params.count;
    if (!op->count) return RILL_SUCCESS;
    struct cuda_note *note = cuda_node_note(graph, raw, true);
    rill_value *items = note ? rl_zalloc(op->count * sizeof *items) : NULL;
    if (!items) return RILL_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; i < op->count; i++) cuda_read_value(&params.paramArray[i], &items[i]);
    rl_free(note->values);
    note->values = items;
    op->items = items;
    return RILL_SUCCESS;
}

/* The driver tells nothing of them. */
static rill_status read_conditional(struct cuda_graph *graph, CUgraphNode raw,
                                    rill_conditional_op *op)
{
    const struct cuda_note *note = cuda_node_note(graph, raw, false);
    if (note && note->conditional.bodies) {
        *op = note->conditional;
        return RILL_SUCCESS;
    }
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "node",
                             "it was not added through rill, and the driver tells nothing of "
                             "conditional nodes");
}

/* ---- All of them ----------------------------------------------------------------- */

static rill_status read_kind(struct cuda_graph *graph, CUgraphNode raw, rill_op *op)
{
    if (op->kind == CUDA_KIND_UNKNOWN)
        return cuda_end(CUDA_ERROR_NOT_PERMITTED, "cuGraphNodeGetType");
    switch ((int)op->kind) {
    case RILL_OP_KERNEL: return read_kernel(graph, raw, &op->kernel);
    case RILL_OP_MEMCPY: return read_copy(raw, &op->memcpy);
    case RILL_OP_MEMSET: return read_fill(raw, &op->memset);
    case RILL_OP_HOST: return read_host(raw, &op->host);
    case RILL_OP_GRAPH: return read_child(graph, raw, &op->graph);
    case RILL_OP_EMPTY: return RILL_SUCCESS;
    case RILL_OP_EVENT_WAIT: return read_event(graph, raw, true, &op->event);
    case RILL_OP_EVENT_RECORD: return read_event(graph, raw, false, &op->event);
    case RILL_OP_ALLOC: return read_alloc(raw, &op->alloc);
    case RILL_OP_FREE: return read_free(raw, &op->free);
    case RILL_OP_VALUES: return read_values(graph, raw, &op->values);
    case RILL_OP_CONDITIONAL: return read_conditional(graph, raw, &op->conditional);
    }
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "node",
                             "rill has no operation for nodes of kind %d", (int)op->kind);
}

rill_status cuda_read_op(struct cuda_graph *graph, CUgraphNode raw, rill_op *op)
{
    rill_op read;
    memset(&read, 0, sizeof read);
    read.kind = cuda_kind_of(raw);
    rill_status status = read_kind(graph, raw, &read);
    if (!status) *op = read;
    return status;
}
