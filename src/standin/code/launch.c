/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of kernels into streams.
 */
#include <string.h>

#include "base/alloc.h"
#include "standin/code/attribute.h"
#include "standin/code/launch.h"
#include "standin/code/old_launch.h"

enum { FEW_ATTRIBUTES = 8 };

/* ---- Arguments ---------------------------------------------------------------------- */

/* Reads the list of keys and values that gives arguments as one buffer. */
static CUresult read_extra(void *const *extra, rill_kernel_op *op)
{
    const size_t *bytes = NULL;
    for (; extra[0] != CU_LAUNCH_PARAM_END; extra += 2) {
        if (!extra[1]) return RILL_ERROR_INVALID_VALUE;
        if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
            op->buffer = extra[1];
        else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE)
            bytes = extra[1];
        else
            return RILL_ERROR_INVALID_VALUE;
    }
    op->buffer_bytes = bytes ? *bytes : 0;
    return RILL_SUCCESS;
}

CUresult si_launch_arguments(void **params, void **extra, rill_kernel_op *op)
{
    op->params = (const void *const *)params;
    return __builtin_expect(extra != NULL, 0) ? read_extra(extra, op) : RILL_SUCCESS;
}

/* ---- What a kernel asks for --------------------------------------------------------- */

/* Refuses a block of another size than the kernel was compiled for. */
static CUresult check_block(const struct si_function *function, rill_dim3 block)
{
    const uint32_t *wanted = si_entry_of(function)->block;
    if (!wanted[0]) return RILL_SUCCESS;
    int same = block.x == wanted[0] && block.y == wanted[1] && block.z == wanted[2];
    return same ? RILL_SUCCESS : RILL_ERROR_INVALID_VALUE;
}

static unsigned cluster_size(const struct si_function *function, int which)
{
    return atomic_load_explicit(&function->cluster[which], memory_order_relaxed);
}

rill_dim3 si_function_cluster(const struct si_function *function)
{
    return (rill_dim3){ cluster_size(function, 0), cluster_size(function, 1),
                        cluster_size(function, 2) };
}

/* A cluster that rill refuses, whatever the grid is. */
static const rill_dim3 impossible = { UINT32_MAX, UINT32_MAX, UINT32_MAX };

rill_dim3 si_function_fit_cluster(const struct si_function *function, rill_dim3 given)
{
    const rill_dim3 wanted = si_function_cluster(function);
    bool fits = (!wanted.x || wanted.x == given.x) && (!wanted.y || wanted.y == given.y) &&
                (!wanted.z || wanted.z == given.z);
    return fits ? given : impossible;
}

/* Adds the cluster that the kernel must have as an attribute of the launch.  If the launch has a
 * cluster, that must fit, or becomes one that rill refuses. */
static void add_cluster(const struct si_function *function, rill_attribute *attributes,
                        size_t *count)
{
    rill_dim3 wanted = si_function_cluster(function);
    bool given = !wanted.x && !wanted.y && !wanted.z;
    if (!wanted.x || !wanted.y || !wanted.z) wanted = impossible;
    for (size_t i = 0; i < *count; i++) {
        if (attributes[i].id != RILL_ATTRIBUTE_CLUSTER) continue;
        attributes[i].cluster = si_function_fit_cluster(function, attributes[i].cluster);
        given = true;
    }
    if (given) return;
    attributes[(*count)++] = (rill_attribute){ .id = RILL_ATTRIBUTE_CLUSTER, .cluster = wanted };
}

static CUresult prepare_special(const struct si_function *function, rill_attribute *attributes,
                                rill_kernel_op *op)
{
    CUresult status = si_refuse_missing(function);
    if (!status) status = check_block(function, op->block);
    if (!status) add_cluster(function, attributes, &op->attribute_count);
    return status;
}

CUresult si_launch_prepare(const struct si_function *function, rill_attribute *attributes,
                           rill_kernel_op *op)
{
    if (__builtin_expect(!__atomic_load_n(&function->plain, __ATOMIC_RELAXED), 0)) {
        CUresult status = prepare_special(function, attributes, op);
        if (status) return status;
    }
    op->kernel = si_function_kernel(function);
    op->attributes = attributes;
    return RILL_SUCCESS;
}

/* ---- Launching ---------------------------------------------------------------------- */

CUresult si_launch_submit(const struct si_function *function, const struct si_place *place,
                          rill_op *op, rill_attribute *attributes)
{
    CUresult status = place->status;
    if (!status) status = si_launch_prepare(function, attributes, &op->kernel);
    return status ? status : rill_stream_submit(place->stream, op);
}

/* That the stream's capture is broken comes first, whatever the function is. */
static CUresult refuse_launch(CUresult wrong, const struct si_place *place)
{
    rill_op none = { .kind = RILL_OP_KERNEL };
    if (place->status) return wrong;
    return si_wrong_in(rill_stream_submit(place->stream, &none), wrong);
}

static CUresult launch_kernel(CUfunction handle, rill_dim3 grid, rill_dim3 block, unsigned shared,
                              CUstream stream, void **params, void **extra)
{
    struct si_function *function;
    struct si_place place;
    rill_attribute room[1];
    rill_op op;
    si_place(stream, &place);
    CUresult status = si_function(handle, &place, &function);
    if (__builtin_expect(status != RILL_SUCCESS, 0)) return refuse_launch(status, &place);
    op.kind = RILL_OP_KERNEL;
    op.kernel = (rill_kernel_op){ .grid = grid, .block = block, .shared_bytes = shared };
    status = si_launch_arguments(params, extra, &op.kernel);
    if (!status) status = si_launch_submit(function, &place, &op, room);
    if (!status) si_launch_setup_follow(function, &op.kernel);
    return status;
}

ENTRY(cuLaunchKernel,
      (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
       unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void **params,
       void **extra),
      (function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, params, extra))
{
    return launch_kernel(function, (rill_dim3){ grid_x, grid_y, grid_z },
                         (rill_dim3){ block_x, block_y, block_z }, shared, stream, params, extra);
}

PER_THREAD_FORM(cuLaunchKernel, _ptsz,
                (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                 unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                 CUstream stream, void **params, void **extra),
                (function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream,
                 params, extra))

ENTRY(cuLaunchCooperativeKernel,
      (CUfunction handle, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
       unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void **params),
      (handle, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, params))
{
    struct si_function *function;
    struct si_place place;
    rill_attribute attributes[2] = { { .id = RILL_ATTRIBUTE_COOPERATIVE, .cooperative = 1 } };
    rill_op op = { .kind = RILL_OP_KERNEL };
    si_place(stream, &place);
    CUresult status = si_function(handle, &place, &function);
    if (status) return refuse_launch(status, &place);
    op.kernel = (rill_kernel_op){
        .grid = { grid_x, grid_y, grid_z }, .block = { block_x, block_y, block_z },
        .shared_bytes = shared, .params = (const void *const *)params, .attribute_count = 1,
    };
    return si_launch_submit(function, &place, &op, attributes);
}

PER_THREAD_FORM(cuLaunchCooperativeKernel, _ptsz,
                (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                 unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                 CUstream stream, void **params),
                (function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream,
                 params))

/* ---- With attributes ---------------------------------------------------------------- */

/* Turns attributes into rill's. */
static CUresult read_attributes(const CUlaunchAttribute *given, unsigned count,
                                rill_attribute *attributes)
{
    CUresult status = RILL_SUCCESS;
    for (unsigned i = 0; !status && i < count; i++)
        status = si_attribute_read(given[i].id, &given[i].value, &attributes[i]);
    return status;
}

static CUresult launch_attributes(const CUlaunchConfig *config, const struct si_place *place,
                                  struct si_function *function, void **params, void **extra,
                                  rill_attribute *attributes)
{
    rill_op op = { .kind = RILL_OP_KERNEL };
    op.kernel = (rill_kernel_op){
        .grid = config->grid, .block = config->block, .shared_bytes = config->shared_bytes,
        .attribute_count = config->attribute_count,
    };
    CUresult status = si_launch_arguments(params, extra, &op.kernel);
    if (!status)
        status = read_attributes(config->attributes, config->attribute_count, attributes);
    return status ? status : si_launch_submit(function, place, &op, attributes);
}

static CUresult launch_ex(const CUlaunchConfig *config, CUfunction handle, void **params,
                          void **extra)
{
    rill_attribute few[FEW_ATTRIBUTES + 1], *attributes = few;
    struct si_function *function;
    struct si_place place;
    si_place(config->stream, &place);
    CUresult status = si_function(handle, &place, &function);
    if (status) return refuse_launch(status, &place);
    if (config->attribute_count && !config->attributes) return RILL_ERROR_INVALID_VALUE;
    if (config->attribute_count > FEW_ATTRIBUTES)
        attributes = rl_alloc((config->attribute_count + (size_t)1) * sizeof *attributes);
    if (!attributes) return RILL_ERROR_OUT_OF_MEMORY;
    status = launch_attributes(config, &place, function, params, extra, attributes);
    if (attributes != few) rl_free(attributes);
    return status;
}

ENTRY(cuLaunchKernelEx,
      (const CUlaunchConfig *config, CUfunction function, void **params, void **extra),
      (config, function, params, extra))
{
    CUresult status = si_check_ready();
    if (status) return status;
    return config ? launch_ex(config, function, params, extra) : RILL_ERROR_INVALID_VALUE;
}

SI_EXPORT CUresult cuLaunchKernelEx_ptsz(const CUlaunchConfig *config, CUfunction function,
                                         void **params, void **extra);
SI_EXPORT CUresult cuLaunchKernelEx_ptsz(const CUlaunchConfig *config, CUfunction function,
                                         void **params, void **extra)
{
    if (!config || config->stream) return cuLaunchKernelEx(config, function, params, extra);
    CUlaunchConfig mine = *config;
    mine.stream = CU_STREAM_PER_THREAD;
    return cuLaunchKernelEx(&mine, function, params, extra);
}
