/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels, in streams and as nodes.
 */
#include "backend-cuda/kind/kernel.h"

#include <string.h>

#include "backend-cuda/context/capture_list.h"
#include "backend-cuda/kind/attribute.h"
#include "backend-cuda/kind/kernel_attributes.h"
#include "backend-cuda/kind/kind.h"
#include "backend-cuda/object/graph_nodes.h"

/* How many attributes a launch or a node has at most. */
#define ATTRIBUTES_MOST 32

/* ---- Faults ---------------------------------------------------------------------------- */

static bool is_empty_size(rill_dim3 size)
{
    return !size.x || !size.y || !size.z;
}

static rill_status check_kernel_sizes(const rill_kernel_op *op)
{
    if (op->shared_bytes > UINT32_MAX)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "shared_bytes",
                                 "%zu bytes of shared memory", op->shared_bytes);
    if (op->attribute_count > ATTRIBUTES_MOST)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "attributes",
                                 "%zu attributes; a launch or a node can have %d",
                                 op->attribute_count, ATTRIBUTES_MOST);
    return RILL_SUCCESS;
}

static rill_status check_kernel(const rill_kernel_op *op)
{
    rill_status status = check_kernel_sizes(op);
    if (__builtin_expect(status != RILL_SUCCESS, 0)) return status;
    const struct cuda_kernel *kernel = cuda_kernel_of(op->kernel);
    if (!op->params) return RILL_SUCCESS;
    for (size_t i = 0; i < kernel->param_count; i++)
        if (__builtin_expect(!op->params[i], 0))
            return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "params",
                                     "launch of '%s': the pointer to argument %zu is NULL",
                                     kernel->name, i);
    return RILL_SUCCESS;
}

/* Returns the argument at fault, or NULL. */
static const char *blame_argument(const struct cuda_kernel *kernel, const rill_kernel_op *op,
                                  CUresult result)
{
    int threads = 0, shared = 0;
    if (result == CUDA_ERROR_INVALID_HANDLE) return "kernel";
    if (result == CUDA_ERROR_INVALID_CLUSTER_SIZE) return "attributes";
    if (result == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE) return "grid";
    if (result == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES && op->buffer) return "buffer_bytes";
    if (result != CUDA_ERROR_INVALID_VALUE) return NULL;
    if (is_empty_size(op->grid)) return "grid";
    if (is_empty_size(op->block)) return "block";
    if (op->grid.x > INT32_MAX || op->grid.y > 65535 || op->grid.z > 65535) return "grid";
    cuda_api.FuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel->raw);
    uint64_t wanted = (uint64_t)op->block.x * op->block.y;
    if (op->block.z > 64 || wanted > 1024 || wanted * op->block.z > (uint64_t)threads)
        return "block";
    cuda_api.FuncGetAttribute(&shared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                              kernel->raw);
    if (op->shared_bytes > (size_t)shared) return "shared_bytes";
    if (op->params ? op->buffer != NULL : kernel->param_count && !op->buffer) return "params";
    return op->attribute_count ? "attributes" : NULL;
}

/* Says why the driver refused the launch, or the node, with the argument at fault. */
static rill_status explain_launch(CUresult result, const char *call, const rill_kernel_op *op)
{
    return cuda_fail(result, call, blame_argument(cuda_kernel_of(op->kernel), op, result));
}

/* ---- Launches ----------------------------------------------------------------------------- */

static void pack_arguments(const rill_kernel_op *op, struct cuda_packed *packed)
{
    packed->bytes = op->buffer_bytes;
    packed->extra[0] = CU_LAUNCH_PARAM_BUFFER_POINTER;
    memcpy(&packed->extra[1], &op->buffer, sizeof packed->extra[1]);
    packed->extra[2] = CU_LAUNCH_PARAM_BUFFER_SIZE;
    packed->extra[3] = &packed->bytes;
    packed->extra[4] = CU_LAUNCH_PARAM_END;
}

/* The driver reads the arguments and writes to none of them, though it takes them so. */
static void **arguments_of(const rill_kernel_op *op)
{
    void **params;
    memcpy(&params, &op->params, sizeof params);
    return params;
}

static CUresult launch_with_attributes(struct cuda_stream *stream, const rill_kernel_op *op,
                                       void **extra)
{
    CUlaunchAttribute attributes[ATTRIBUTES_MOST];
    for (size_t i = 0; i < op->attribute_count; i++)
        cuda_write_attribute(&op->attributes[i], &attributes[i]);
    const CUlaunchConfig config = {
        .gridDimX = op->grid.x, .gridDimY = op->grid.y, .gridDimZ = op->grid.z,
        .blockDimX = op->block.x, .blockDimY = op->block.y, .blockDimZ = op->block.z,
        .sharedMemBytes = (unsigned)op->shared_bytes, .hStream = stream->raw,
        .attrs = attributes, .numAttrs = (unsigned)op->attribute_count,
    };
    return cuda_api.LaunchKernelEx(&config, cuda_kernel_of(op->kernel)->raw, arguments_of(op),
                                   extra);
}

static CUresult launch_plain(struct cuda_stream *stream, const rill_kernel_op *op, void **extra)
{
    return cuda_api.LaunchKernel(cuda_kernel_of(op->kernel)->raw, op->grid.x, op->grid.y,
                                 op->grid.z, op->block.x, op->block.y, op->block.z,
                                 (unsigned)op->shared_bytes, stream->raw, arguments_of(op),
                                 extra);
}

static rill_status submit_kernel(struct cuda_stream *stream, rill_op *op)
{
    struct cuda_packed packed;
    void **extra = NULL;
    rill_status status = check_kernel(&op->kernel);
    if (__builtin_expect(status != RILL_SUCCESS, 0)) return status;
    if (op->kernel.buffer) {
        pack_arguments(&op->kernel, &packed);
        extra = packed.extra;
    }
    CUresult result = op->kernel.attribute_count
                          ? launch_with_attributes(stream, &op->kernel, extra)
                          : launch_plain(stream, &op->kernel, extra);
    if (__builtin_expect(result == CUDA_SUCCESS, 1)) return RILL_SUCCESS;
    return cuda_submitted(stream, explain_launch(result, "cuLaunchKernel", &op->kernel));
}

static CUresult launch_null(const struct cuda_stream *stream)
{
    return cuda_api.LaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, stream->raw, NULL, NULL);
}

/* ---- To the driver's parameters -------------------------------------------------------- */

rill_status cuda_write_kernel(const rill_kernel_op *op, struct cuda_kernel_params *raw,
                              struct cuda_packed *packed)
{
    rill_status status = check_kernel(op);
    if (status) return status;
    *raw = (struct cuda_kernel_params){
        .function = cuda_kernel_of(op->kernel)->raw,
        .grid = { op->grid.x, op->grid.y, op->grid.z },
        .block = { op->block.x, op->block.y, op->block.z },
        .shared_bytes = (unsigned)op->shared_bytes,
        .context = cuda_home(op->kernel)->raw,
    };
    memcpy(&raw->params, &op->params, sizeof raw->params); /* the driver only reads */
    if (!op->buffer) return RILL_SUCCESS;
    pack_arguments(op, packed);
    raw->extra = packed->extra;
    return RILL_SUCCESS;
}

static struct cuda_context *context_of_kernel(const rill_op *op)
{
    return cuda_home(op->kernel.kernel);
}

static rill_status write_kernel(const struct cuda_site *site, const rill_op *op,
                                struct cuda_node_params *params, struct cuda_room *room)
{
    (void)site;
    return cuda_write_kernel(&op->kernel, &params->kernel, &room->packed);
}

/* ---- And back ---------------------------------------------------------------------------- */

/* Drivers before 12.0 do not tell the context of a kernel. */
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

static rill_status find_kernel_object(struct cuda_graph *graph,
                                      const CUDA_KERNEL_NODE_PARAMS_v2 *params,
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

/* The driver keeps packed arguments packed, with their size. */
static void read_arguments(const CUDA_KERNEL_NODE_PARAMS_v2 *params, rill_kernel_op *op)
{
    memcpy(&op->params, &params->kernelParams, sizeof op->params);
    for (void **item = params->extra; item && *item != CU_LAUNCH_PARAM_END; item += 2) {
        if (item[0] == CU_LAUNCH_PARAM_BUFFER_POINTER) op->buffer = item[1];
        if (item[0] == CU_LAUNCH_PARAM_BUFFER_SIZE) op->buffer_bytes = *(const size_t *)item[1];
    }
}

static rill_status read_kernel(struct cuda_graph *graph, CUgraphNode raw, rill_op *out)
{
    rill_kernel_op *op = &out->kernel;
    CUDA_KERNEL_NODE_PARAMS_v2 params;
    rill_status status = cuda_end(ask_kernel(raw, &params), "cuGraphKernelNodeGetParams");
    if (!status) status = find_kernel_object(graph, &params, &op->kernel);
    if (status) return status;
    op->grid = (rill_dim3){ params.gridDimX, params.gridDimY, params.gridDimZ };
    op->block = (rill_dim3){ params.blockDimX, params.blockDimY, params.blockDimZ };
    op->shared_bytes = params.sharedMemBytes;
    read_arguments(&params, op);
    return cuda_read_node_attributes(graph, raw, op);
}

static bool is_kernel(CUgraphNode raw)
{
    CUDA_KERNEL_NODE_PARAMS_v2 params;
    return cuda_api.GraphKernelNodeGetParams && !cuda_api.GraphKernelNodeGetParams(raw, &params);
}

/* ---- Nodes ------------------------------------------------------------------------------- */

/* The driver's calls for kernel nodes take no context; the current one counts. */
static CUDA_KERNEL_NODE_PARAMS_v1 early_params(const struct cuda_kernel_params *params)
{
    return (CUDA_KERNEL_NODE_PARAMS_v1){
        .func = params->function,
        .gridDimX = params->grid[0], .gridDimY = params->grid[1], .gridDimZ = params->grid[2],
        .blockDimX = params->block[0], .blockDimY = params->block[1], .blockDimZ = params->block[2],
        .sharedMemBytes = params->shared_bytes,
        .kernelParams = params->params, .extra = params->extra,
    };
}

static CUresult typed_add_kernel(struct cuda_addition *a)
{
    const CUDA_KERNEL_NODE_PARAMS_v1 raw = early_params(&a->params.kernel);
    return cuda_api.GraphAddKernelNode(&a->node, a->graph->raw, cuda_raw_dependencies(a), a->count,
                                       &raw);
}

static CUresult typed_set_kernel(CUgraphNode node, const struct cuda_node_params *params)
{
    const CUDA_KERNEL_NODE_PARAMS_v1 raw = early_params(&params->kernel);
    return cuda_api.GraphKernelNodeSetParams(node, &raw);
}

static CUresult typed_exec_set_kernel(CUgraphExec exec, CUgraphNode node,
                                      const struct cuda_node_params *params)
{
    const CUDA_KERNEL_NODE_PARAMS_v1 raw = early_params(&params->kernel);
    return cuda_api.GraphExecKernelNodeSetParams_10010(exec, node, &raw);
}

static rill_status add_kernel(struct cuda_addition *a)
{
    size_t done;
    rill_status status = cuda_add_raw(a);
    if (status || !a->op->kernel.attribute_count) return status;
    status = cuda_set_node_attributes(a->node, &a->op->kernel, NULL, &done);
    if (status) cuda_api.GraphDestroyNode(a->node);
    return status;
}

/* Sets the attributes first, since they can be taken back. */
static rill_status set_kernel(struct cuda_change *c)
{
    CUlaunchAttribute before[ATTRIBUTES_MOST];
    size_t done = 0;
    if (!c->op->kernel.attribute_count) return cuda_set_raw(c);
    rill_status status = cuda_set_node_attributes(c->node, &c->op->kernel, before, &done);
    if (!status) status = cuda_set_raw(c);
    if (status) cuda_restore_attributes(c->node, before, done);
    return status;
}

static rill_status explain_kernel(const struct cuda_refusal *r)
{
    return explain_launch(r->result, r->call, &r->op->kernel);
}

const struct cuda_kind cuda_kind_kernel = {
    .op = RILL_OP_KERNEL,
    .traits = CUDA_KIND_CAN_REST,
    .context_of = context_of_kernel,
    .write = write_kernel,
    .read = read_kernel,
    .recognises = is_kernel,
    .add = add_kernel,
    .set = set_kernel,
    .typed_add = typed_add_kernel,
    .typed_set = typed_set_kernel,
    .typed_exec_set = typed_exec_set_kernel,
    .explain = explain_kernel,
    .submit = submit_kernel,
    .submit_null = launch_null,
};
