/* SPDX-License-Identifier: Apache-2.0
 *
 * Changing one node of an exec.
 */
#include "backend-cuda/exec/exec.h"

#include "backend-cuda/exec/boxes.h"
#include "backend-cuda/kind/host.h"
#include "backend-cuda/kind/kernel_attributes.h"
#include "backend-cuda/kind/kind.h"
#include "base/alloc.h"
#include "base/words/op_kind.h"

/* ---- Which node ------------------------------------------------------------------ */

/* Returns the node as it was when the exec was made, or NULL with a status if its graph did not
 * have the node.  For an exec that somebody else made the driver has to know. */
static const struct cuda_slot *find_node(const struct cuda_exec *exec, rill_node node,
                                         rill_status *status)
{
    const struct cuda_slot *slot = cuda_nodes_find(&exec->nodes, cuda_raw_node(node));
    *status = slot || exec->foreign
                  ? RILL_SUCCESS
                  : rill_backend_fail(RILL_ERROR_INVALID_VALUE, "node",
                                      "the exec was made from a graph that did not have this node");
    return slot;
}

/* ---- What it does ---------------------------------------------------------------- */

static rill_status check_kind(const struct cuda_slot *slot, CUgraphNode raw, const rill_op *op)
{
    rill_op_kind kind = slot ? cuda_slot_kind(slot) : cuda_kind_of(raw);
    if (op->kind != kind)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "op->kind",
                                 "op->kind is %d, but the node is of the kind %s, which it keeps",
                                 (int)op->kind, rl_op_name(kind));
    if (cuda_find_kind(kind)->traits & CUDA_KIND_IS_FIXED)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->kind",
                                 "what a %s node does cannot be changed", rl_op_name(kind));
    return RILL_SUCCESS;
}

static rill_status explain_set(const struct cuda_exec *exec, CUgraphNode raw, CUresult result,
                               const rill_op *op)
{
    const struct cuda_kind *kind = cuda_find_kind(op->kind);
    const struct cuda_slot *slot = cuda_nodes_find(&exec->nodes, raw);
    const struct cuda_refusal refusal = { .platform = exec->context->platform,
                                          .context = exec->context, .result = result,
                                          .call = "cuGraphExecNodeSetParams", .op = op };
    if (result == (CUresult)RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE)
        return rill_backend_fail(RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "graph",
                                 "the graph has not the shape of the one in the exec: nodes, their "
                                 "kinds, edges, and the order in which they came must be the same");
    rill_status status = kind->explain_change
                             ? kind->explain_change(&refusal,
                                                    slot ? slot->kind >> CUDA_SLOT_KIND_BITS : 0)
                             : RILL_SUCCESS;
    return status ? status : cuda_explain_op(kind, &refusal);
}

static CUresult typed_exec_set(CUgraphExec exec, CUgraphNode raw, const struct cuda_kind *kind,
                               const struct cuda_node_params *params)
{
    return kind->typed_exec_set ? kind->typed_exec_set(exec, raw, params)
                                : CUDA_ERROR_NOT_SUPPORTED;
}

static rill_status set_in_driver(struct cuda_exec *exec, CUgraphNode raw, const rill_op *op,
                                 struct cuda_node_params *params)
{
    CUresult result = cuda_api.GraphExecNodeSetParams
                          ? cuda_api.GraphExecNodeSetParams(exec->raw, raw, params)
                          : typed_exec_set(exec->raw, raw, cuda_find_kind(op->kind), params);
    return __builtin_expect(result == CUDA_SUCCESS, 1) ? RILL_SUCCESS
                                                       : explain_set(exec, raw, result, op);
}

/* Gives the box back, if any, when the call fails. */
static rill_status set_host_node(struct cuda_exec *exec, CUgraphNode raw, const rill_op *op,
                                 struct cuda_node_params *params, struct cuda_box *box)
{
    struct cuda_own_box *own = box ? cuda_make_own_box() : NULL;
    rill_status status = box && !own ? RILL_ERROR_OUT_OF_MEMORY
                                     : set_in_driver(exec, raw, op, params);
    if (!status) {
        if (box || exec->boxes) cuda_exec_own(exec, raw, own, box);
        return status;
    }
    cuda_box_drop(box);
    rl_free(own);
    return status;
}

/* The driver's calls for one node of an exec take no attributes. */
__attribute__((noinline))
static rill_status check_attributes(CUgraphNode raw, const rill_kernel_op *op)
{
    if (cuda_has_attributes(raw, op)) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->kernel.attributes",
                             "the driver does not change attributes of one node in an exec; set "
                             "them in the graph and update the exec from that");
}

/* Kernels are changed again and again, so they take the call for kernels alone, without the room
 * that other kinds need. */
static rill_status set_kernel_node(struct cuda_exec *exec, CUgraphNode raw, const rill_op *op)
{
    struct cuda_kernel_params params;
    struct cuda_packed packed;
    struct cuda_visit visit;
    rill_status status = cuda_write_kernel(&op->kernel, &params, &packed);
    if (!status) status = cuda_enter_if_permitted(cuda_home(op->kernel.kernel), &visit);
    if (status) return status;
    const void *same = &params; /* the driver's form of old, see abi.h */
    CUresult result = cuda_api.GraphExecKernelNodeSetParams(exec->raw, raw, same);
    if (__builtin_expect(result != CUDA_SUCCESS, 0)) status = explain_set(exec, raw, result, op);
    cuda_leave(&visit);
    return status;
}

__attribute__((noinline))
static rill_status set_node(struct cuda_exec *exec, CUgraphNode raw, const rill_op *op)
{
    const struct cuda_kind *kind = cuda_find_kind(op->kind);
    const struct cuda_site site = { .platform = exec->context->platform, .context = exec->context,
                                    .replaces = true };
    struct cuda_node_params params;
    struct cuda_room room;
    struct cuda_visit visit;
    rill_status status = cuda_write_params(kind, &site, op, &params, &room);
    if (status || (kind->traits & CUDA_KIND_SAYS_NOTHING)) return status;
    status = cuda_enter_to_set(kind, exec->context, op, &visit);
    if (status) {
        cuda_box_drop(room.box);
        return status;
    }
    status = op->kind == RILL_OP_HOST ? set_host_node(exec, raw, op, &params, room.box)
                                      : set_in_driver(exec, raw, op, &params);
    cuda_leave(&visit);
    return status;
}

rill_status cuda_exec_set_op(rill_exec *handle, rill_node node, const rill_op *op)
{
    struct cuda_exec *exec = cuda_exec_of(handle);
    CUgraphNode raw = cuda_raw_node(node);
    rill_status status;
    const struct cuda_slot *slot = find_node(exec, node, &status);
    if (!status) status = check_kind(slot, raw, op);
    if (!status && op->kind == RILL_OP_KERNEL && op->kernel.attribute_count)
        status = check_attributes(raw, &op->kernel);
    if (!status)
        return op->kind == RILL_OP_KERNEL && cuda_api.GraphExecKernelNodeSetParams
                   ? set_kernel_node(exec, raw, op)
                   : set_node(exec, raw, op);
    rl_op_give_back(op);
    return status;
}

/* ---- Whether it does it ---------------------------------------------------------- */

static rill_status explain_enabling(CUresult result, const struct cuda_slot *slot, const char *call)
{
    rill_op_kind kind = slot ? cuda_slot_kind(slot) : RILL_OP_KERNEL;
    if (cuda_find_kind(kind)->traits & CUDA_KIND_CAN_REST)
        return cuda_fail(result, call, "node");
    return rill_backend_fail((rill_status)result, "node",
                             "the node is a %s node; only kernels, copies and fills can be "
                             "disabled", rl_op_name(kind));
}

rill_status cuda_exec_set_enabled(rill_exec *handle, rill_node node, int enabled)
{
    struct cuda_exec *exec = cuda_exec_of(handle);
    rill_status status;
    const struct cuda_slot *slot = find_node(exec, node, &status);
    if (status) return status;
    CUresult result = cuda_api.GraphNodeSetEnabled(exec->raw, cuda_raw_node(node), enabled != 0);
    return result ? explain_enabling(result, slot, "cuGraphNodeSetEnabled") : RILL_SUCCESS;
}

rill_status cuda_exec_get_enabled(rill_exec *handle, rill_node node, int *enabled)
{
    struct cuda_exec *exec = cuda_exec_of(handle);
    unsigned told = 0;
    rill_status status;
    const struct cuda_slot *slot = find_node(exec, node, &status);
    if (status) return status;
    CUresult result = cuda_api.GraphNodeGetEnabled(exec->raw, cuda_raw_node(node), &told);
    if (result) return explain_enabling(result, slot, "cuGraphNodeGetEnabled");
    *enabled = (int)told;
    return RILL_SUCCESS;
}
