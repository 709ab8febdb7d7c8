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

struct kernel_storage {
    CUkernel kernel; /* that the node was given instead of a function, or NULL          */
    void *extra[5];  /* all arguments in one buffer, in the driver's form               */
    size_t bytes;    /* of that buffer                                                  */
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
    void **extra = NULL;
    CUresult status = si_node_get(node, RILL_OP_KERNEL, &graph, &op);
    if (!status && !params) status = RILL_ERROR_INVALID_VALUE;
    if (!status && op.kernel.buffer) status = store_packed(graph, node, &op.kernel, &extra);
    if (status) return status;
    struct si_slot *slot = si_handle_of(op.kernel.kernel);
    CUkernel kernel = stored_kernel(graph, node);
    *params = (CUDA_KERNEL_NODE_PARAMS){
        .function = kernel ? NULL : (CUfunction)(void *)slot,
        .kernel = kernel,
        .grid = op.kernel.grid,
        .block = op.kernel.block,
        .shared_bytes = (unsigned)op.kernel.shared_bytes,
        .extra = extra,
        .context = slot ? si_context_handle(slot->context) : NULL,
    };
    if (!extra) memcpy(&params->params, &op.kernel.params, sizeof params->params);
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
