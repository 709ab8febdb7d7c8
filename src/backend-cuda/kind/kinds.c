/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of all kinds, and which of them a node is.
 */
#include "backend-cuda/kind/kind.h"

#define CUDA_ROW(op, name) [RILL_OP_##op] = &cuda_kind_##name,
const struct cuda_kind *const cuda_kinds[CUDA_KIND_COUNT] = {
    CUDA_KINDS(CUDA_ROW)
    /* External semaphores, which rill does not have. */
    [RILL_OP_SEMAPHORE_SIGNAL] = &cuda_kind_none,
    [RILL_OP_SEMAPHORE_WAIT] = &cuda_kind_none,
};
#undef CUDA_ROW

/* Inside host functions the driver does not tell the kind of a node, but the parameters of some
 * kinds. */
__attribute__((noinline))
static rill_op_kind guess_kind(CUgraphNode node)
{
    for (size_t i = 0; i < CUDA_KIND_COUNT; i++) {
        const struct cuda_kind *kind = cuda_kinds[i];
        if (kind->recognises && kind->recognises(node)) return kind->op;
    }
    return CUDA_KIND_UNKNOWN;
}

rill_op_kind cuda_kind_of(CUgraphNode node)
{
    CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
    if (cuda_api.GraphNodeGetType(node, &type)) return guess_kind(node);
    return (rill_op_kind)type;
}
