/* SPDX-License-Identifier: Apache-2.0
 *
 * Executables updated from a whole graph.
 */
#include "changes.h"

/* NULL arguments and graphs that are the same. */
CASE(update, identical)
{
    CUgraph g, o, c;
    CUgraphNode n, m, on, om;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 8);
    CUgraphExecUpdateResultInfo i = { .result = (CUgraphExecUpdateResult)77,
                                      .errorNode = SENT_N,
                                      .errorFromNode = SENT_N };
    S0(s);
    G0(g);
    OK(add_ma(t, &n, g, NULL, 0, p, 1, 1));
    OK(add_ma(t, &m, g, &n, 1, p + 4, 1, 1));
    G0(o);
    OK(add_ma(t, &on, o, NULL, 0, p, 1, 1));
    OK(add_ma(t, &om, o, &on, 1, p + 4, 1, 1));
    OK(cuGraphClone(&c, g));
    INST(x, g);
    update_say(t, "self", x, g, &n, 1);
    update_say(t, "other", x, o, &on, 1);
    update_say(t, "clone", x, c, NULL, 0);
    R("null_exec", cuGraphExecUpdate(NULL, g, &i));
    say(t, " %s:%c%c", uname_(i.result), which(i.errorNode, NULL, 0),
        which(i.errorFromNode, NULL, 0));
    i = (CUgraphExecUpdateResultInfo){ .result = (CUgraphExecUpdateResult)77,
                                       .errorNode = SENT_N,
                                       .errorFromNode = SENT_N };
    R("null_graph", cuGraphExecUpdate(x, NULL, &i));
    say(t, " %s:%c%c", uname_(i.result), which(i.errorNode, NULL, 0),
        which(i.errorFromNode, NULL, 0));
    say_go(t, x, s, p, 2);
}
CASE(update, null_info)
{
    CUgraph g;
    CUgraphNode n;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4);
    S0(s);
    G0(g);
    OK(add_ma(t, &n, g, NULL, 0, p, 1, 1));
    INST(x, g);
    OK(node_ma(t, n, p, 1, 5));
    R("update", cuGraphExecUpdate(x, g, NULL));
    say_go(t, x, s, p, 1);
}

/* Kernel nodes: arguments, dimensions, function; one executable updated again
 * and again. */
CASE(update, whole_kernel)
{
    enum { SAME, ARG, GRID, BLOCK, SHARED, FUNCTION, NO_ARGS, OTHER_MODULE, FIRST_FUNCTION, BACK };
    static const char *const label[] = {
        [SAME] = "same",
        [ARG] = "arg",
        [GRID] = "grid",
        [BLOCK] = "block",
        [SHARED] = "shared",
        [FUNCTION] = "function",
        [NO_ARGS] = "no_args",
        [OTHER_MODULE] = "other_module",
        [FIRST_FUNCTION] = "first_function",
        [BACK] = "back",
    };
    CUfunction dims = kernel(t, "dims"), inc = kernel(t, "inc"), nop = kernel(t, "nop"),
               put = kernel(t, "put"), other = cond_kernel(t, "inc");
    CUgraphExec x = NULL;
    CUstream s;
    CUdeviceptr p = dalloc(t, 32), q = p + 4;
    S0(s);
    for (int i = -1; i < (int)COUNT(label); i++) {
        unsigned m = 10, a = i == ARG ? 2 : 1;
        void *aa[] = { &p, &m, &a }, *ap[] = { &p, &a }, *aq[] = { &q };
        CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "mul_add"), 1, 1, aa),
                                l = kparams(dims, 1, 1, aq);
        if (i == GRID) l.gridDimX = 3;
        if (i == BLOCK) l.blockDimY = 8;
        if (i == SHARED) l.sharedMemBytes = 2048;
        if (i == FUNCTION) l.func = inc;
        if (i == NO_ARGS) l = kparams(nop, 1, 1, NULL);
        if (i == OTHER_MODULE) l.func = other;
        if (i == FIRST_FUNCTION) k = kparams(put, 1, 1, ap);
        CUgraph g;
        CUgraphNode v[2];
        G0(g);
        OK(cuGraphAddKernelNode(&v[0], g, NULL, 0, &k));
        OK(cuGraphAddKernelNode(&v[1], g, &v[0], 1, &l));
        if (i < 0) {
            INST(x, g);
            continue;
        }
        update_say(t, label[i], x, g, v, 2);
        R("destroy", cuGraphDestroy(g));
        zero_memory(t, p, 32);
        say_go(t, x, s, p, 8);
    }
}

/* Host, event and batch-memory-operation nodes. */
CASE(update, whole_other_types)
{
    enum { SAME, HOST_FN, HOST_DATA, RECORD, WAIT, OP_VALUE, OP_ADDRESS, OP_KIND, OP_COUNT, BACK };
    static const char *const label[] = {
        [SAME] = "same",
        [HOST_FN] = "host_fn",
        [HOST_DATA] = "host_data",
        [RECORD] = "record",
        [WAIT] = "wait",
        [OP_VALUE] = "op_value",
        [OP_ADDRESS] = "op_address",
        [OP_KIND] = "op_kind",
        [OP_COUNT] = "op_count",
        [BACK] = "back",
    };
    static int a, b;
    CUgraphExec x = NULL;
    CUstream s;
    CUevent e[4];
    CUdeviceptr p = dalloc(t, 12);
    S0(s);
    for (int i = 0; i < 4; i++) OK(cuEventCreate(&e[i], CU_EVENT_DEFAULT));
    for (int i = -1; i < (int)COUNT(label); i++) {
        CUdeviceptr at = i == OP_ADDRESS ? p + 4 : p;
        CUstreamBatchMemOpParams o[2] = { write_op(at, i == OP_VALUE ? 7 : 3), write_op(p + 8, 1) };
        if (i == OP_KIND) o[0] = wait_op(p, 0, CU_STREAM_WAIT_VALUE_GEQ);
        CUDA_BATCH_MEM_OP_NODE_PARAMS bm = {
            .ctx = t->ctx, .count = i == OP_COUNT ? 2 : 1, .paramArray = o, .flags = 0
        };
        CUgraph g;
        CUgraphNode v[5];
        float ms;
        G0(g);
        OK(add_host(&v[0], g, NULL, 0, i == HOST_FN ? count_hundred : count_one,
                    i == HOST_DATA ? &b : &a));
        OK(cuGraphAddEventRecordNode(&v[1], g, &v[0], 1, e[i == RECORD ? 2 : 0]));
        OK(cuGraphAddEventWaitNode(&v[2], g, &v[1], 1, e[i == WAIT ? 3 : 1]));
        OK(cuGraphAddBatchMemOpNode(&v[3], g, &v[2], 1, &bm));
        OK(cuGraphAddEmptyNode(&v[4], g, &v[3], 1));
        if (i < 0) {
            INST(x, g);
            continue;
        }
        update_say(t, label[i], x, g, v, 5);
        zero_memory(t, p, 12);
        say_go(t, x, s, p, 3);
        say(t, " a=%d b=%d recorded=%d", a, b, cuEventElapsedTime(&ms, e[2], e[2]) == CUDA_SUCCESS);
    }
}

/* More, fewer and no nodes; an executable without nodes. */
CASE(update, whole_counts)
{
    static const char *const label[] = { "none", "one", "two", "three", "four" };
    CUgraphExec x[5];
    CUgraph g[5];
    CUgraphNode v[5][4];
    CUstream s;
    CUdeviceptr p = dalloc(t, 16);
    S0(s);
    for (int i = 0; i < 5; i++) {
        G0(g[i]);
        for (unsigned j = 0; j < (unsigned)i; j++)
            OK(add_ma(t, &v[i][j], g[i], j ? &v[i][j - 1] : NULL, j ? 1 : 0, p + 4 * j, 1, 1));
    }
    INST(x[3], g[3]);
    INST(x[0], g[0]);
    for (int i = 0; i < 5; i++) update_say(t, label[i], x[3], g[i], v[i], i);
    say_go(t, x[3], s, p, 4);
    update_say(t, "none_from_none", x[0], g[0], NULL, 0);
    update_say(t, "none_from_one", x[0], g[1], v[1], 1);
    say_go(t, x[0], s, p, 4);
}

/* Chains of kernels of one type inserted the other way round: which arguments
 * go where (the order of operations shows in the value); independent kernels
 * with their arguments exchanged; a root inserted after its followers. */
CASE(update, whole_pairing)
{
    CUstream s;
    CUdeviceptr p = dalloc(t, 8);
    S0(s);
    CUgraph g, h;
    CUgraphNode a, b, v[3];
    CUgraphExec x;
    G0(g);
    OK(add_ma(t, &a, g, NULL, 0, p, 10, 1));
    OK(add_ma(t, &b, g, &a, 1, p, 10, 2));
    INST(x, g);
    G0(h); /* inserted back to front, the same chain: 3 then 4 */
    OK(add_ma(t, &v[1], h, NULL, 0, p, 10, 4));
    OK(add_ma(t, &v[0], h, NULL, 0, p, 10, 3));
    OK(cuGraphAddDependencies(h, &v[0], &v[1], NULL, 1));
    update_say(t, "chain", x, h, v, 2);
    say_go(t, x, s, p, 1);
    zero_memory(t, p, 8);
    G0(g); /* two roots with different words */
    OK(add_ma(t, &a, g, NULL, 0, p, 1, 1));
    OK(add_ma(t, &b, g, NULL, 0, p + 4, 1, 2));
    INST(x, g);
    G0(h);
    OK(add_ma(t, &v[0], h, NULL, 0, p + 4, 1, 30));
    OK(add_ma(t, &v[1], h, NULL, 0, p, 1, 40));
    update_say(t, "roots", x, h, v, 2);
    say_go(t, x, s, p, 2);
    OK(cuGraphNodeSetEnabled(x, a, 0)); /* the first node now is h's first */
    say_go(t, x, s, p, 2);
    zero_memory(t, p, 8);
    G0(g); /* a chain of two and a lone node, the lone one first or last */
    OK(add_ma(t, &a, g, NULL, 0, p, 10, 1));
    OK(add_ma(t, &b, g, &a, 1, p, 10, 2));
    OK(add_ma(t, &b, g, NULL, 0, p + 4, 10, 3));
    INST(x, g);
    G0(h);
    OK(add_ma(t, &v[0], h, NULL, 0, p + 4, 10, 6));
    OK(add_ma(t, &v[1], h, NULL, 0, p, 10, 4));
    OK(add_ma(t, &v[2], h, &v[1], 1, p, 10, 5));
    update_say(t, "lone", x, h, v, 3);
    say_go(t, x, s, p, 2);
}

/* Kernel node attributes that differ: cooperative, priority with and without
 * per-node priorities, cluster size, memory domain. */
CASE(update, whole_attributes)
{
    static const struct {
        const char *label;
        int flags, id, from, to;
    } w[] = {
        { "coop_on", 0, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, 0, 1 },
        { "coop_off", 0, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, 1, 0 },
        { "coop_same", 0, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, 1, 1 },
        { "prio", 0, CU_LAUNCH_ATTRIBUTE_PRIORITY, 0, -1 },
        { "prio_node", 8, CU_LAUNCH_ATTRIBUTE_PRIORITY, 0, -1 },
        { "prio_node_same", 8, CU_LAUNCH_ATTRIBUTE_PRIORITY, -1, -1 },
        { "cluster_on", 0, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 0, 1 },
        { "cluster_size", 0, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 1, 2 },
        { "cluster_off", 0, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 2, 0 },
        { "domain", 0, CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN, 0, 1 },
    };
    CUstream s;
    CUdeviceptr p = dalloc(t, 28);
    void *args[] = { &p };
    CUDA_KERNEL_NODE_PARAMS kp = kparams(kernel(t, "dims"), 2, 1, args);
    S0(s);
    for (size_t i = 0; i < COUNT(w); i++) {
        CUgraph g[2];
        CUgraphNode n[2];
        CUgraphExec x;
        CUresult r[2] = { CUDA_SUCCESS, CUDA_SUCCESS };
        for (int k = 0; k < 2; k++) {
            int set = k ? w[i].to : w[i].from;
            CUlaunchAttributeValue v;
            memset(&v, 0, sizeof v);
            G0(g[k]);
            kp.blockDimX = k ? 2 : 1;
            OK(cuGraphAddKernelNode(&n[k], g[k], NULL, 0, &kp));
            if (w[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
                v.cooperative = set;
            else if (w[i].id == CU_LAUNCH_ATTRIBUTE_PRIORITY)
                v.priority = set;
            else if (w[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
                v.clusterDim.x = (unsigned)set;
                v.clusterDim.y = v.clusterDim.z = 1;
            } else
                v.memSyncDomain = (CUlaunchMemSyncDomain)set;
            if (set) r[k] = cuGraphKernelNodeSetAttribute(n[k], (CUkernelNodeAttrID)w[i].id, &v);
        }
        say(t, " %s", w[i].label);
        if (r[0] || r[1]) {
            say(t, "=attr:%s,%s", ename(r[0]), ename(r[1]));
            continue;
        }
        OK(cuGraphInstantiate(&x, g[0], (unsigned)w[i].flags));
        update_say(t, "update", x, g[1], &n[1], 1);
        zero_memory(t, p, 28);
        CUresult q = go(x, s);
        say(t, " go=%s:%u", ename(q), dread(t, p + 24));
    }
}

/* Graphs with allocation and free nodes: from the graph itself, after an edit of
 * its memset, from another graph of the same shape. */
CASE(update, whole_alloc)
{
    CUgraph g[2];
    CUgraphNode v[2][4];
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 4), in[2];
    S0(s);
    for (int k = 0; k < 2; k++) {
        CUDA_MEM_ALLOC_NODE_PARAMS m;
        memset(&m, 0, sizeof m);
        m.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        m.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        m.poolProps.location.id = t->dev;
        m.bytesize = 4096;
        G0(g[k]);
        OK(cuGraphAddMemAllocNode(&v[k][0], g[k], NULL, 0, &m));
        in[k] = m.dptr;
        OK(add_set(t, &v[k][1], g[k], &v[k][0], 1, in[k], k ? 20 : 10, 1));
        OK(add_device_copy(t, &v[k][2], g[k], &v[k][1], 1, p, in[k], 4));
        OK(cuGraphAddMemFreeNode(&v[k][3], g[k], &v[k][2], 1, in[k]));
    }
    INST(x, g[0]);
    say_go(t, x, s, p, 1);
    update_say(t, "self", x, g[0], v[0], 4);
    CUDA_MEMSET_NODE_PARAMS ms = mset(in[0], 11, 4, 1, 1, 0);
    R("edit", cuGraphMemsetNodeSetParams(v[0][1], &ms));
    update_say(t, "edited", x, g[0], v[0], 4);
    say_go(t, x, s, p, 1);
    update_say(t, "other", x, g[1], v[1], 4);
    say_go(t, x, s, p, 1);
}
