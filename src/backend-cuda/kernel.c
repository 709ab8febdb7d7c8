/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-cuda/kernel.h"

#include <string.h>

#include "backend-cuda/attribute.h"
#include "backend-cuda/capture_list.h"
#include "backend-cuda/stream.h"

/* ---- Faults ---------------------------------------------------------------------------- */

static bool is_empty(rill_dim3 size)
{
    return !size.x || !size.y || !size.z;
}

static rill_status check_sizes(const rill_kernel_op *op)
{
    if (op->shared_bytes > UINT32_MAX)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "shared_bytes",
                                 "%zu bytes of shared memory", op->shared_bytes);
    if (op->attribute_count > CUDA_ATTRIBUTES_MAX)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "attributes",
                                 "%zu attributes; a launch or a node can have %d",
                                 op->attribute_count, CUDA_ATTRIBUTES_MAX);
    return RILL_SUCCESS;
}

rill_status cuda_check_kernel(const rill_kernel_op *op)
{
    rill_status status = check_sizes(op);
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

static const char *blame(const struct cuda_kernel *kernel, const rill_kernel_op *op,
                         CUresult result)
{
    int threads = 0, shared = 0;
    if (result == CUDA_ERROR_INVALID_HANDLE) return "kernel";
    if (result == CUDA_ERROR_INVALID_CLUSTER_SIZE) return "attributes";
    if (result == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE) return "grid";
    if (result == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES && op->buffer) return "buffer_bytes";
    if (result != CUDA_ERROR_INVALID_VALUE) return NULL;
    if (is_empty(op->grid)) return "grid";
    if (is_empty(op->block)) return "block";
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

rill_status cuda_explain_kernel(CUresult result, const char *call, const rill_kernel_op *op)
{
    return cuda_fail(result, call, blame(cuda_kernel_of(op->kernel), op, result));
}

/* ---- Launches ----------------------------------------------------------------------------- */

void cuda_pack_arguments(const rill_kernel_op *op, struct cuda_packed *packed)
{
    packed->bytes = op->buffer_bytes;
    packed->extra[0] = CU_LAUNCH_PARAM_BUFFER_POINTER;
    memcpy(&packed->extra[1], &op->buffer, sizeof packed->extra[1]);
    packed->extra[2] = CU_LAUNCH_PARAM_BUFFER_SIZE;
    packed->extra[3] = &packed->bytes;
    packed->extra[4] = CU_LAUNCH_PARAM_END;
}

/* The driver reads the arguments and writes to none of them. */
static void **params_of(const rill_kernel_op *op)
{
    void **params;
    memcpy(&params, &op->params, sizeof params);
    return params;
}

static CUresult launch_with(struct cuda_stream *stream, const rill_kernel_op *op, void **extra)
{
    CUlaunchAttribute attributes[CUDA_ATTRIBUTES_MAX];
    for (size_t i = 0; i < op->attribute_count; i++)
        cuda_write_attribute(&op->attributes[i], &attributes[i]);
    const CUlaunchConfig config = {
        .gridDimX = op->grid.x, .gridDimY = op->grid.y, .gridDimZ = op->grid.z,
        .blockDimX = op->block.x, .blockDimY = op->block.y, .blockDimZ = op->block.z,
        .sharedMemBytes = (unsigned)op->shared_bytes, .hStream = stream->raw,
        .attrs = attributes, .numAttrs = (unsigned)op->attribute_count,
    };
    return cuda_api.LaunchKernelEx(&config, cuda_kernel_of(op->kernel)->raw, params_of(op), extra);
}

static CUresult launch(struct cuda_stream *stream, const rill_kernel_op *op, void **extra)
{
    return cuda_api.LaunchKernel(cuda_kernel_of(op->kernel)->raw, op->grid.x, op->grid.y,
                                 op->grid.z, op->block.x, op->block.y, op->block.z,
                                 (unsigned)op->shared_bytes, stream->raw, params_of(op), extra);
}

rill_status cuda_submit_kernel(struct cuda_stream *stream, rill_op *op)
{
    struct cuda_packed packed;
    void **extra = NULL;
    rill_status status = cuda_check_kernel(&op->kernel);
    if (__builtin_expect(status != RILL_SUCCESS, 0)) return status;
    if (op->kernel.buffer) {
        cuda_pack_arguments(&op->kernel, &packed);
        extra = packed.extra;
    }
    CUresult result = op->kernel.attribute_count ? launch_with(stream, &op->kernel, extra)
                                                 : launch(stream, &op->kernel, extra);
    if (__builtin_expect(result == CUDA_SUCCESS, 1)) return RILL_SUCCESS;
    return cuda_submitted(stream, cuda_explain_kernel(result, "cuLaunchKernel", &op->kernel));
}
