/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes of kernel nodes.
 */
#include "node_params.h"

/* Defaults of a fresh node. */
CASE(node, attr_defaults)
{
    CUgraph g;
    CUgraphNode n;
    CUkernelNodeAttrValue v;
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "nop"), 1, 1, NULL);
    G0(g);
    OK(cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    memset(&v, 0x33, sizeof v);
    R("priority", cuGraphKernelNodeGetAttribute(n, CU_LAUNCH_ATTRIBUTE_PRIORITY, &v));
    say(t, " %d", v.priority);
    memset(&v, 0x33, sizeof v);
    R("cooperative", cuGraphKernelNodeGetAttribute(n, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &v));
    say(t, " %d", v.cooperative);
    memset(&v, 0x33, sizeof v);
    R("window", cuGraphKernelNodeGetAttribute(n, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &v));
    say(t, " base=%d bytes=%zu ratio=%g hit=%d miss=%d", v.accessPolicyWindow.base_ptr != NULL,
        v.accessPolicyWindow.num_bytes, (double)v.accessPolicyWindow.hitRatio,
        (int)v.accessPolicyWindow.hitProp, (int)v.accessPolicyWindow.missProp);
    memset(&v, 0x33, sizeof v);
    R("cluster", cuGraphKernelNodeGetAttribute(n, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &v));
    say(t, " %u,%u,%u", v.clusterDim.x, v.clusterDim.y, v.clusterDim.z);
    memset(&v, 0x33, sizeof v);
    R("domain", cuGraphKernelNodeGetAttribute(n, CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN, &v));
    say(t, " %d", (int)v.memSyncDomain);
}

/* Access policy window: good values read back, bad ones refused? */
CASE(node, attr_access_policy)
{
    CUgraph g;
    CUgraphNode n;
    CUdeviceptr d = dalloc(t, 1 << 20);
    CUkernelNodeAttrValue v, w;
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "nop"), 1, 1, NULL);
    G0(g);
    OK(cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    memset(&w, 0, sizeof w);
    w.accessPolicyWindow.base_ptr = AS_POINTER(d);
    w.accessPolicyWindow.num_bytes = 1 << 20;
    w.accessPolicyWindow.hitRatio = 0.5f;
    w.accessPolicyWindow.hitProp = CU_ACCESS_PROPERTY_PERSISTING;
    w.accessPolicyWindow.missProp = CU_ACCESS_PROPERTY_STREAMING;
    R("set", cuGraphKernelNodeSetAttribute(n, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &w));
    memset(&v, 0x33, sizeof v);
    R("get", cuGraphKernelNodeGetAttribute(n, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &v));
    say(t, " base=%d bytes=%zu ratio=%g hit=%d miss=%d",
        v.accessPolicyWindow.base_ptr == AS_POINTER(d), v.accessPolicyWindow.num_bytes,
        (double)v.accessPolicyWindow.hitRatio, (int)v.accessPolicyWindow.hitProp,
        (int)v.accessPolicyWindow.missProp);
#define W(label, set)                                                                              \
    v = w;                                                                                         \
    set;                                                                                           \
    R(label, cuGraphKernelNodeSetAttribute(n, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &v))
    W("ratio1.5", v.accessPolicyWindow.hitRatio = 1.5f);
    W("ratio-1", v.accessPolicyWindow.hitRatio = -1.0f);
    W("miss_persist", v.accessPolicyWindow.missProp = CU_ACCESS_PROPERTY_PERSISTING);
    W("prop9", v.accessPolicyWindow.hitProp = (CUaccessProperty)9);
    W("huge", v.accessPolicyWindow.num_bytes = (size_t)1 << 40);
    W("zero", memset(&v, 0, sizeof v));
#undef W
    R("run", launch_graph_once(g));
}

static void say_attrs(T *t, const char *label, CUgraphNode n, int greatest)
{
    CUkernelNodeAttrValue v;
    memset(&v, 0x33, sizeof v);
    CUresult r = cuGraphKernelNodeGetAttribute(n, CU_LAUNCH_ATTRIBUTE_PRIORITY, &v);
    say(t, " %s=%s", label,
        r                        ? ename(r)
        : v.priority == greatest ? "greatest"
        : v.priority == 0        ? "0"
                                 : "other");
    memset(&v, 0x33, sizeof v);
    r = cuGraphKernelNodeGetAttribute(n, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &v);
    if (r)
        say(t, "/%s", ename(r));
    else
        say(t, "/%d", v.cooperative);
}

/* Copying attributes; they outlive a parameter change and go with a clone. */
CASE(node, attr_copy)
{
    CUgraph g, h, c;
    CUgraphNode a, b, f, e, ca;
    CUkernelNodeAttrValue v;
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "nop"), 1, 1, NULL);
    int least = 0, greatest = 0;
    risky();
    OK(cuCtxGetStreamPriorityRange(&least, &greatest));
    G0(g);
    G0(h);
    OK(cuGraphAddKernelNode(&a, g, NULL, 0, &k));
    OK(cuGraphAddKernelNode(&b, g, NULL, 0, &k));
    OK(cuGraphAddKernelNode(&f, h, NULL, 0, &k));
    OK(cuGraphAddEmptyNode(&e, g, NULL, 0));
    memset(&v, 0, sizeof v);
    v.priority = greatest;
    OK(cuGraphKernelNodeSetAttribute(a, CU_LAUNCH_ATTRIBUTE_PRIORITY, &v));
    memset(&v, 0, sizeof v);
    v.cooperative = 1;
    OK(cuGraphKernelNodeSetAttribute(a, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &v));
    R("copy", cuGraphKernelNodeCopyAttributes(b, a));
    say_attrs(t, "b", b, greatest);
    R("other_graph", cuGraphKernelNodeCopyAttributes(f, a));
    say_attrs(t, "f", f, greatest);
    R("self", cuGraphKernelNodeCopyAttributes(a, a));
    R("to_empty", cuGraphKernelNodeCopyAttributes(e, a));
    R("from_empty", cuGraphKernelNodeCopyAttributes(a, e));
    R("null_dst", cuGraphKernelNodeCopyAttributes(NULL, a));
    R("null_src", cuGraphKernelNodeCopyAttributes(a, NULL));
    k.blockDimX = 2;
    R("set", cuGraphKernelNodeSetParams(a, &k));
    say_attrs(t, "a", a, greatest);
    OK(cuGraphClone(&c, g));
    OK(cuGraphNodeFindInClone(&ca, a, c));
    say_attrs(t, "clone", ca, greatest);
}
