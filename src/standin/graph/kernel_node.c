/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes that launch a kernel.
 */
#include <string.h>

#include "standin/code/launch.h"
#include "standin/graph/exec.h"
#include "standin/graph/node_kind.h"

/* ---- Reading ------------------------------------------------------------------------------ */

/* Finds a function, or the function of a library's kernel in the context that the parameters
 * name: so nodes of several contexts can have one kernel.  A kernel is no function here. */
static CUresult find_function(const CUDA_KERNEL_NODE_PARAMS *params, struct si_function **function)
{
    CUfunction handle = params->function;
    if (!handle && !params->kernel) return RILL_ERROR_INVALID_HANDLE;
    if (!handle) return si_kernel_in(params->kernel, params->context, function);
    if (!si_object(SI_FUNCTION, handle)) return si_wrong(SI_FUNCTION, handle);
    *function = (struct si_function *)(void *)handle;
    return RILL_SUCCESS;
}

static CUresult read_kernel(const CUDA_KERNEL_NODE_PARAMS *params, struct si_op_buffers *buffers,
                            rill_op *op)
{
    struct si_function *function;
    if (!params || (params->params && params->extra)) return RILL_ERROR_INVALID_VALUE;
    CUresult status = find_function(params, &function);
    if (status) return status;
    *op = (rill_op){ .kind = RILL_OP_KERNEL };
    op->kernel.grid = params->grid;
    op->kernel.block = params->block;
    op->kernel.shared_bytes = params->shared_bytes;
    status = si_launch_arguments(params->params, params->extra, &op->kernel);
    return status ? status : si_launch_prepare(function, buffers->attributes, &op->kernel);
}

static CUDA_KERNEL_NODE_PARAMS from_v1(const CUDA_KERNEL_NODE_PARAMS_v1 *old)
{
    return (CUDA_KERNEL_NODE_PARAMS){ old->function, old->grid, old->block, old->shared_bytes,
                                      old->params, old->extra, NULL, NULL };
}

/* ---- What is stored for a node ------------------------------------------------------------ */

/* The arguments are in the driver's form: all in one buffer, or each by a pointer.  What these
 * pointers point at is the node's own: that of a clone is another. */
struct kernel_storage {
    CUkernel kernel; /* that the node was given instead of a function, or NULL          */
    void *extra[5];  /* all arguments in one buffer                                     */
    size_t bytes;    /* of that buffer                                                  */
    uint32_t count;  /* of the pointers, which follow the arguments; or 0               */
    size_t room;     /* bytes of the arguments                                          */
    max_align_t arguments[];
};

static CUkernel stored_kernel(rill_graph *graph, CUgraphNode node)
{
    const struct kernel_storage *stored = si_node_storage_find(si_node_storage_of(graph), node);
    return stored ? stored->kernel : NULL;
}

/* Stores whether the node was given a kernel of a library, which it tells then.  If there is
 * no memory, the node tells the function instead. */
static void keep_kernel(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params)
{
    rill_graph *graph;
    CUkernel kernel = params->function ? NULL : params->kernel;
    if (si_node_graph(node, &graph) || stored_kernel(graph, node) == kernel) return;
    struct kernel_storage *stored =
        si_node_storage_put(si_node_storage_of(graph), node, sizeof *stored);
    if (stored) stored->kernel = kernel;
}

/* Makes the driver's form of packed arguments, anew for each call that asks. */
static CUresult store_packed(rill_graph *graph, CUgraphNode node, const rill_kernel_op *op,
                             void ***extra)
{
    CUkernel kernel = stored_kernel(graph, node);
    struct kernel_storage *stored =
        si_node_storage_put(si_node_storage_of(graph), node, sizeof *stored);
    if (!stored) return RILL_ERROR_OUT_OF_MEMORY;
    stored->kernel = kernel;
    stored->bytes = op->buffer_bytes;
    stored->extra[0] = CU_LAUNCH_PARAM_BUFFER_POINTER;
    stored->extra[1] = (void *)(uintptr_t)op->buffer;
    stored->extra[2] = CU_LAUNCH_PARAM_BUFFER_SIZE;
    stored->extra[3] = &stored->bytes;
    stored->extra[4] = CU_LAUNCH_PARAM_END;
    *extra = stored->extra;
    return RILL_SUCCESS;
}

/* Returns where an argument is stored. */
static void *stored_argument(struct kernel_storage *stored, const struct image_entry *entry,
                             uint32_t i)
{
    return (char *)stored->arguments + entry->params[i].offset;
}

/* Returns the pointers to the arguments. */
static void **stored_pointers(struct kernel_storage *stored)
{
    return (void **)(void *)((char *)stored->arguments + stored->room);
}

/* Tells whether the arguments that the node told last are those that it has now: then they
 * stay where they are. */
static int is_stored(struct kernel_storage *stored, const struct image_entry *entry, size_t room,
                     const rill_kernel_op *op)
{
    int same = stored && stored->count == entry->param_count && stored->room == room;
    for (uint32_t i = 0; same && i < stored->count; i++)
        same = stored_pointers(stored)[i] == stored_argument(stored, entry, i) &&
               !memcmp(stored_pointers(stored)[i], op->params[i], entry->params[i].bytes);
    return same;
}

/* Makes the driver's form of arguments, each by a pointer, unless it is there. */
static CUresult store_arguments(rill_graph *graph, CUgraphNode node, const rill_kernel_op *op,
                                const struct image_entry *entry, void ***params)
{
    const size_t each = sizeof(max_align_t), count = entry->param_count;
    const size_t room = (entry->param_bytes + each - 1) / each * each;
    struct kernel_storage *stored = si_node_storage_find(si_node_storage_of(graph), node);
    if (!is_stored(stored, entry, room, op)) {
        CUkernel kernel = stored ? stored->kernel : NULL;
        stored = si_node_storage_put(si_node_storage_of(graph), node,
                                     sizeof *stored + room + count * sizeof **params);
        if (!stored) return RILL_ERROR_OUT_OF_MEMORY;
        stored->kernel = kernel;
        stored->count = entry->param_count;
        stored->room = room;
        for (uint32_t i = 0; i < count; i++) {
            stored_pointers(stored)[i] = stored_argument(stored, entry, i);
            memcpy(stored_pointers(stored)[i], op->params[i], entry->params[i].bytes);
        }
    }
    *params = stored_pointers(stored);
    return RILL_SUCCESS;
}

/* Makes the form of the arguments that a node tells.  If its kernel is gone, nothing says
 * how large they are, and the node tells those that rill has. */
static CUresult store_form(rill_graph *graph, CUgraphNode node, const rill_kernel_op *op,
                           CUDA_KERNEL_NODE_PARAMS *params)
{
    void *slot = si_handle_of(op->kernel);
    params->params = NULL;
    params->extra = NULL;
    if (op->buffer) return store_packed(graph, node, op, &params->extra);
    if (op->params && slot && si_object(SI_FUNCTION, slot))
        return store_arguments(graph, node, op, si_entry_of(slot), &params->params);
    memcpy(&params->params, &op->params, sizeof params->params);
    return RILL_SUCCESS;
}

/* ---- The row ------------------------------------------------------------------------------ */

static CUresult read_params(const CUgraphNodeParams *params, struct si_op_buffers *buffers,
                            rill_op *op)
{
    return read_kernel(&params->kernel, buffers, op);
}

static CUresult keep_params(CUgraphNode node, const CUgraphNodeParams *params)
{
    keep_kernel(node, &params->kernel);
    return RILL_SUCCESS;
}

const struct si_node_kind si_kernel_kind = { .bytes = sizeof(CUDA_KERNEL_NODE_PARAMS),
                                             .read = read_params, .keep = keep_params };

/* ---- Calls for this kind alone ------------------------------------------------------------ */

ENTRY(cuGraphAddKernelNode_v2,
      (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
       const CUDA_KERNEL_NODE_PARAMS *params),
      (node, graph, dependencies, count, params))
{
    rill_op op;
    struct si_op_buffers buffers;
    CUresult read = read_kernel(params, &buffers, &op);
    if (!graph && read == RILL_ERROR_INVALID_HANDLE) return read; /* comes before a missing graph */
    CUresult status = si_node_add(node, graph, dependencies, count, NULL, read, &op);
    if (!status) keep_kernel(*node, params);
    return status;
}

ENTRY(cuGraphAddKernelNode,
      (CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
       const CUDA_KERNEL_NODE_PARAMS_v1 *params),
      (node, graph, dependencies, count, params))
{
    CUDA_KERNEL_NODE_PARAMS now;
    if (params) now = from_v1(params);
    return cuGraphAddKernelNode_v2(node, graph, dependencies, count, params ? &now : NULL);
}

ENTRY(cuGraphKernelNodeGetParams_v2,
      (CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params), (node, params))
{
    rill_op op;
    rill_graph *graph;
    CUDA_KERNEL_NODE_PARAMS form;
    CUresult status = si_node_get(node, RILL_OP_KERNEL, &graph, &op);
    if (!status && !params) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = store_form(graph, node, &op.kernel, &form);
    if (status) return status;
    struct si_slot *slot = si_handle_of(op.kernel.kernel);
    CUkernel kernel = stored_kernel(graph, node);
    *params = (CUDA_KERNEL_NODE_PARAMS){
        .function = kernel ? NULL : (CUfunction)(void *)slot,
        .kernel = kernel,
        .grid = op.kernel.grid,
        .block = op.kernel.block,
        .shared_bytes = (unsigned)op.kernel.shared_bytes,
        .params = form.params,
        .extra = form.extra,
        .context = slot ? si_context_handle(slot->context) : NULL,
    };
    return RILL_SUCCESS;
}

ENTRY(cuGraphKernelNodeGetParams,
      (CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1 *params), (node, params))
{
    CUDA_KERNEL_NODE_PARAMS now;
    CUresult status = cuGraphKernelNodeGetParams_v2(node, params ? &now : NULL);
    if (status) return status;
    *params = (CUDA_KERNEL_NODE_PARAMS_v1){ now.function, now.grid, now.block, now.shared_bytes,
                                            now.params, now.extra };
    return RILL_SUCCESS;
}

ENTRY(cuGraphKernelNodeSetParams_v2,
      (CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params), (node, params))
{
    rill_op op;
    struct si_op_buffers buffers;
    CUresult read = si_node_check_settable(node, RILL_OP_KERNEL, 0);
    if (!read) read = read_kernel(params, &buffers, &op);
    CUresult status = si_node_set(node, read, &op);
    if (!status) keep_kernel(node, params);
    return status;
}

ENTRY(cuGraphKernelNodeSetParams,
      (CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *params), (node, params))
{
    CUDA_KERNEL_NODE_PARAMS now;
    if (params) now = from_v1(params);
    return cuGraphKernelNodeSetParams_v2(node, params ? &now : NULL);
}

ENTRY(cuGraphExecKernelNodeSetParams_v2,
      (CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params),
      (exec, node, params))
{
    rill_op op;
    struct si_op_buffers buffers;
    CUresult read = si_node_check_settable(node, RILL_OP_KERNEL, 0);
    if (!read) read = read_kernel(params, &buffers, &op);
    return si_exec_set_node(exec, node, read, &op);
}

ENTRY(cuGraphExecKernelNodeSetParams,
      (CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *params),
      (exec, node, params))
{
    CUDA_KERNEL_NODE_PARAMS now;
    if (params) now = from_v1(params);
    return cuGraphExecKernelNodeSetParams_v2(exec, node, params ? &now : NULL);
}
