/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps that change nodes: their parameters and attributes.
 */
#include "graph_steps.h"

/* A child or a body may be another one now. */
static void forget_inner(struct world *w, struct object *node)
{
    for (int i = 0; i < w->count; i++) {
        struct object *o = &w->objects[i];
        if (o->live && o->kind == GRAPH && o->owner == object_index(w, node)) object_forget(w, o);
    }
}

void set_params_step(struct world *w)
{
    struct object *node = object_pick(w, NODE);
    struct drawn d;
    if (!node) return;
    w->target = node->owner;
    draw_params(w, chance(w, 8) ? draw_type(w) : node->type, &d);
    const int type = (int)d.params.type;
    CUgraphNode n = HANDLE_OF(node, CUgraphNode);
    bool done;
    if (chance(w, 2) && set_name(type)) {
        line_call(w, set_name(type), "n%d, %s", node->number, d.text);
        done = !line_result(w, set_typed(w, n, &d));
    } else {
        line_call(w, note(w, "cuGraphNodeSetParams:%s", ntype(d.params.type)), "n%d, %s",
                  node->number, d.text);
        done = !line_result(w, cuGraphNodeSetParams(n, &d.params));
    }
    if (done) forget_inner(w, node);
    CUgraphNodeParams now;
    CUresult r;
    if (get_typed(w, n, node->type, &now, &r)) {
        line_see(w, "now %s", r ? ename(r) : params_text(w, &now));
    }
    line_end(w);
}

static bool is_kernel(const struct object *o)
{
    return o->type == CU_GRAPH_NODE_TYPE_KERNEL;
}

static const CUkernelNodeAttrID attributes[] = {
    CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW,
    CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
    CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
    CU_LAUNCH_ATTRIBUTE_PRIORITY,
    CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
    CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN,
};

static void draw_attribute(struct world *w, CUkernelNodeAttrID id, CUkernelNodeAttrValue *v)
{
    memset(v, 0, sizeof *v);
    switch (id) {
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE: v->cooperative = (int)dice(w, 3); break;
    case CU_LAUNCH_ATTRIBUTE_PRIORITY: v->priority = (int)dice(w, 12) - 8; break;
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        v->clusterDim.x = dice(w, 3);
        v->clusterDim.y = v->clusterDim.z = 1;
        break;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
        v->memSyncDomain = (CUlaunchMemSyncDomain)dice(w, 3);
        break;
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
        v->programmaticStreamSerializationAllowed = (int)dice(w, 2);
        break;
    default:
        v->accessPolicyWindow.base_ptr = (void *)(uintptr_t)w->slots;
        v->accessPolicyWindow.num_bytes = 64 * dice(w, 4);
        v->accessPolicyWindow.hitRatio = 0.5f;
        v->accessPolicyWindow.hitProp = CU_ACCESS_PROPERTY_PERSISTING;
        v->accessPolicyWindow.missProp = CU_ACCESS_PROPERTY_STREAMING;
    }
}

static const char *attribute_text(struct world *w, CUkernelNodeAttrID id,
                                  const CUkernelNodeAttrValue *v)
{
    switch (id) {
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE: return note(w, "%d", v->cooperative);
    case CU_LAUNCH_ATTRIBUTE_PRIORITY: return note(w, "%d", v->priority);
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        return note(w, "%u,%u,%u", v->clusterDim.x, v->clusterDim.y, v->clusterDim.z);
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN: return note(w, "%d", (int)v->memSyncDomain);
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
        return note(w, "%d", v->programmaticStreamSerializationAllowed);
    default:
        return note(w, "%s,%zu,%.2f,%d,%d",
                    name_address(w, (CUdeviceptr)(uintptr_t)v->accessPolicyWindow.base_ptr),
                    v->accessPolicyWindow.num_bytes, (double)v->accessPolicyWindow.hitRatio,
                    (int)v->accessPolicyWindow.hitProp, (int)v->accessPolicyWindow.missProp);
    }
}

void attribute_step(struct world *w)
{
    struct object *node = chance(w, 10) ? object_pick(w, NODE) : object_pick_if(w, NODE, is_kernel);
    struct object *other = object_pick_if(w, NODE, is_kernel);
    const CUkernelNodeAttrID id = attributes[dice(w, sizeof attributes / sizeof *attributes)];
    CUkernelNodeAttrValue v;
    if (!node || !other) return;
    CUgraphNode n = HANDLE_OF(node, CUgraphNode);
    switch (dice(w, 5)) {
    case 0:
        CALL(w, cuGraphKernelNodeCopyAttributes(n, HANDLE_OF(other, CUgraphNode)),
             "cuGraphKernelNodeCopyAttributes", "n%d, n%d", node->number, other->number);
        break;
    case 1:
        memset(&v, 0, sizeof v);
        line_call(w, "cuGraphKernelNodeGetAttribute", "n%d, %d", node->number, (int)id);
        if (!line_result(w, cuGraphKernelNodeGetAttribute(n, id, &v))) {
            line_see(w, "%s", attribute_text(w, id, &v));
        }
        line_end(w);
        break;
    default:
        draw_attribute(w, id, &v);
        line_call(w, "cuGraphKernelNodeSetAttribute", "n%d, %d, %s", node->number, (int)id,
                  attribute_text(w, id, &v));
        line_result(w, cuGraphKernelNodeSetAttribute(n, id, &v));
        if (!cuGraphKernelNodeGetAttribute(n, id, &v)) {
            line_see(w, "now %s", attribute_text(w, id, &v));
        }
        line_end(w);
    }
}
