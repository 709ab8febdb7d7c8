/* SPDX-License-Identifier: Apache-2.0 */
#include "standin/graph/exec.h"

#include <rill/sim.h>
#include <stdio.h>

#include "standin/abi/status.h"

/* ---- Making and ending ----------------------------------------------------------- */

/* An exec belongs to the current context, wherever its graph was made: work has its own. */
static CUresult make_exec(CUgraphExec *out, CUgraph graph_handle, rill_exec_options *options)
{
    struct si_context *context;
    rill_graph *graph;
    CUresult status = si_graph(graph_handle, &graph);
    if (!status && !out) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = si_current(&context);
    if (!status) status = si_here(&options->context);
    if (status) return status;
    struct si_exec_slot *slot = si_handle_reserve(SI_EXEC, context);
    if (!slot) return RILL_ERROR_OUT_OF_MEMORY;
    slot->flags = options->flags & (RILL_EXEC_AUTO_FREE | RILL_EXEC_DEVICE_LAUNCH);
    rill_exec *made = NULL;
    status = rill_exec_create(graph, options, &made);
    if (status) {
        si_handle_free(SI_EXEC, slot);
        return status;
    }
    si_handle_publish(slot, made);
    *out = (CUgraphExec)(void *)slot;
    return RILL_SUCCESS;
}

/* The flags cannot ask for an upload, since there is no stream for it. */
ENTRY(cuGraphInstantiateWithFlags,
      (CUgraphExec *exec, CUgraph graph, unsigned long long flags), (exec, graph, flags))
{
    CUresult status = si_check_ready();
    if (status) return status;
    if (flags > UINT32_MAX || flags & RILL_EXEC_UPLOAD) return RILL_ERROR_INVALID_VALUE;
    rill_exec_options options = { .size = sizeof options, .flags = (uint32_t)flags };
    return make_exec(exec, graph, &options);
}

static int result_of(CUresult status, const rill_exec_options *options)
{
    return status && !options->result ? RILL_EXEC_ERROR : (int)options->result;
}

ENTRY(cuGraphInstantiateWithParams,
      (CUgraphExec *exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *params),
      (exec, graph, params))
{
    CUresult status = si_check_ready();
    if (status) return status;
    if (!params) return RILL_ERROR_INVALID_VALUE;
    rill_exec_options options = { .size = sizeof options, .flags = (uint32_t)params->flags };
    if (params->flags > UINT32_MAX) status = RILL_ERROR_INVALID_VALUE;
    if (!status && params->flags & RILL_EXEC_UPLOAD)
        status = si_stream(params->upload_stream, &options.upload_stream);
    if (!status) status = make_exec(exec, graph, &options);
    params->result = result_of(status, &options);
    params->failing_node = options.failing_node;
    return status;
}

SI_EXPORT CUresult cuGraphInstantiateWithParams_ptsz(CUgraphExec *exec, CUgraph graph,
                                                     CUDA_GRAPH_INSTANTIATE_PARAMS *params);
SI_EXPORT CUresult cuGraphInstantiateWithParams_ptsz(CUgraphExec *exec, CUgraph graph,
                                                     CUDA_GRAPH_INSTANTIATE_PARAMS *params)
{
    if (!params || params->upload_stream) return cuGraphInstantiateWithParams(exec, graph, params);
    params->upload_stream = CU_STREAM_PER_THREAD;
    CUresult status = cuGraphInstantiateWithParams(exec, graph, params);
    params->upload_stream = NULL;
    return status;
}

/* Returns what was wrong; the record says more if rill refused. */
static const char *failure_words(CUresult status)
{
    const char *message = rill_last_error()->message;
    return !status ? "" : *message ? message : si_status_words(status);
}

/* The first two forms have no flags, and say in words what was wrong. */
ENTRY(cuGraphInstantiate_v2,
      (CUgraphExec *exec, CUgraph graph, CUgraphNode *failing_node, char *words, size_t bytes),
      (exec, graph, failing_node, words, bytes))
{
    rill_exec_options options = { .size = sizeof options };
    rill_clear_error();
    CUresult status = make_exec(exec, graph, &options);
    if (failing_node) *failing_node = options.failing_node;
    if (words && bytes) snprintf(words, bytes, "%s", failure_words(status));
    return status;
}

SAME_AS(cuGraphInstantiate, cuGraphInstantiate_v2,
        (CUgraphExec *exec, CUgraph graph, CUgraphNode *failing_node, char *words, size_t bytes),
        (exec, graph, failing_node, words, bytes))

static CUresult end_exec(struct si_slot *slot, void *object)
{
    rill_exec *exec = object;
    CUresult status = rill_exec_destroy(&exec);
    si_handle_free(SI_EXEC, slot);
    return status;
}

/* Returns the status with which a capture forbids the end of an exec, which stays then, or
 * success. */
static CUresult refuse_in_capture(void)
{
    CUresult status = rill_sim_permits(si_platform, NULL, RILL_SIM_CALL_UNSAFE);
    int of_capture = status >= RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED &&
                     status <= RILL_ERROR_STREAM_CAPTURE_WRONG_THREAD;
    return of_capture ? status : RILL_SUCCESS;
}

ENTRY(cuGraphExecDestroy, (CUgraphExec handle), (handle))
{
    CUresult status = si_object(SI_EXEC, handle) ? refuse_in_capture() : RILL_SUCCESS;
    if (status) return status;
    rill_exec *exec = si_handle_take(SI_EXEC, handle);
    return exec ? si_end((struct si_slot *)handle, exec, end_exec) : si_wrong(SI_EXEC, handle);
}

/* ---- Answers --------------------------------------------------------------------- */

/* Returns what a call answers that rill refused with `status`.  An exec whose context is gone
 * takes launches and updates, and runs nothing, as measured. */
static CUresult answer_refusal(rill_exec *exec, CUresult status)
{
    uint32_t flags;
    if (status != RILL_ERROR_CONTEXT_IS_DESTROYED) return status;
    return rill_exec_flags(exec, &flags) == status ? RILL_SUCCESS : status;
}

static inline CUresult exec_answer(rill_exec *exec, CUresult status)
{
    return __builtin_expect(status == RILL_SUCCESS, 1) ? status : answer_refusal(exec, status);
}

ENTRY(cuGraphExecGetFlags, (CUgraphExec handle, uint64_t *flags), (handle, flags))
{
    rill_exec *exec;
    CUresult status = si_exec(handle, &exec);
    if (status) return status;
    if (!flags) return RILL_ERROR_INVALID_VALUE;
    uint32_t known = ((const struct si_exec_slot *)(void *)handle)->flags;
    status = exec_answer(exec, rill_exec_flags(exec, &known));
    if (!status) *flags = known;
    return status;
}

/* ---- Single nodes ---------------------------------------------------------------- */

CUresult si_exec_set_node(CUgraphExec handle, CUgraphNode node, CUresult read, const rill_op *op)
{
    rill_exec *exec;
    int on;
    CUresult status = si_exec(handle, &exec);
    /* That the node is foreign comes before a function that is none. */
    if (!status && read == RILL_ERROR_INVALID_HANDLE && rill_exec_get_enabled(exec, node, &on))
        read = RILL_ERROR_INVALID_VALUE;
    if (!status) status = read;
    return status ? status : rill_exec_set_op(exec, node, op);
}

ENTRY(cuGraphNodeSetEnabled,
      (CUgraphExec handle, CUgraphNode node, unsigned enabled), (handle, node, enabled))
{
    rill_exec *exec;
    CUresult status = si_exec(handle, &exec);
    return status ? status : rill_exec_set_enabled(exec, node, enabled != 0);
}

ENTRY(cuGraphNodeGetEnabled,
      (CUgraphExec handle, CUgraphNode node, unsigned *enabled), (handle, node, enabled))
{
    rill_exec *exec;
    int on = 0;
    CUresult status = si_exec(handle, &exec);
    if (!status && !enabled) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = rill_exec_get_enabled(exec, node, &on);
    if (!status) *enabled = on != 0;
    return status;
}

/* ---- Launching ------------------------------------------------------------------- */

ENTRY(cuGraphLaunch, (CUgraphExec handle, CUstream stream_handle), (handle, stream_handle))
{
    rill_exec *exec = si_object(SI_EXEC, handle);
    rill_stream *stream;
    CUresult status = si_stream(stream_handle, &stream);
    return status ? status : exec_answer(exec, rill_exec_launch(exec, stream));
}

ENTRY(cuGraphUpload, (CUgraphExec handle, CUstream stream_handle), (handle, stream_handle))
{
    rill_exec *exec = si_object(SI_EXEC, handle);
    rill_stream *stream;
    CUresult status = si_stream(stream_handle, &stream);
    return status ? status : exec_answer(exec, rill_exec_upload(exec, stream));
}

PER_THREAD_FORM(cuGraphLaunch, _ptsz, (CUgraphExec exec, CUstream stream), (exec, stream))
PER_THREAD_FORM(cuGraphUpload, _ptsz, (CUgraphExec exec, CUstream stream), (exec, stream))

/* ---- Updating as a whole --------------------------------------------------------- */

static CUresult update_exec(CUgraphExec handle, CUgraph graph_handle, rill_update_result *result)
{
    rill_exec *exec;
    rill_graph *graph;
    CUresult status = si_exec(handle, &exec);
    if (!status) status = si_graph(graph_handle, &graph);
    return status ? status : exec_answer(exec, rill_exec_update(exec, graph, result));
}

ENTRY(cuGraphExecUpdate_v2,
      (CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info), (exec, graph, info))
{
    rill_update_result result = { RILL_UPDATE_SUCCESS, NULL, NULL };
    CUresult status = update_exec(exec, graph, &result);
    if (info) *info = (CUgraphExecUpdateResultInfo){ result.reason, result.node, result.from_node };
    return status;
}

ENTRY(cuGraphExecUpdate,
      (CUgraphExec exec, CUgraph graph, CUgraphNode *node, int *reason),
      (exec, graph, node, reason))
{
    rill_update_result result = { RILL_UPDATE_SUCCESS, NULL, NULL };
    CUresult status = update_exec(exec, graph, &result);
    if (node) *node = result.node;
    if (reason) *reason = result.reason;
    return status;
}
