/* SPDX-License-Identifier: Apache-2.0
 *
 * Changed executables: kernel nodes.
 */
#include "changes.h"

/* New arguments: seen by later launches of this executable only, the node's own
 * parameters and a second executable stay. */
CASE(update, kernel_args)
{
    CUgraph g;
    CUgraphNode n;
    CUgraphExec x, y;
    CUstream s;
    CUdeviceptr p = dalloc(t, 8);
    CUDA_KERNEL_NODE_PARAMS k;
    S0(s);
    G0(g);
    OK(add_ma(t, &n, g, NULL, 0, p, 1, 1));
    INST(x, g);
    INST(y, g);
    say_go(t, x, s, p, 2);
    R("add", exec_ma(t, x, n, p, 1, 10));
    say_go(t, x, s, p, 2);
    say_go(t, y, s, p, 2);
    OK(cuGraphKernelNodeGetParams(n, &k));
    say(t, " node_arg=%u", *(unsigned *)k.kernelParams[2]);
    R("pointer", exec_ma(t, x, n, p + 4, 1, 3));
    say_go(t, x, s, p, 2);
    INST(y, g);
    say_go(t, y, s, p, 2);
    R("node", node_ma(t, n, p, 1, 1000));
    say_go(t, x, s, p, 2);
    R("back", exec_ma(t, x, n, p, 1, 1));
    say_go(t, x, s, p, 2);
}

/* New launch dimensions and shared memory, good and bad; what is left after a
 * call that failed. */
CASE(update, kernel_dims)
{
    static const struct {
        const char *label;
        unsigned gx, gy, gz, bx, by, bz, sh;
    } v[] = {
        { "grid", 3, 2, 1, 1, 1, 1, 0 },
        { "block", 1, 1, 1, 8, 2, 2, 0 },
        { "both", 5, 1, 2, 32, 1, 1, 0 },
        { "shared", 1, 1, 1, 1, 1, 1, 1024 },
        { "grid0", 0, 1, 1, 1, 1, 1, 0 },
        { "block0", 1, 1, 1, 1, 0, 1, 0 },
        { "block_big", 1, 1, 1, 2048, 1, 1, 0 },
        { "grid_big", 1, 70000, 1, 1, 1, 1, 0 },
        { "shared_big", 1, 1, 1, 1, 1, 1, 1 << 20 },
        { "again", 2, 2, 2, 2, 2, 2, 0 },
    };
    CUgraph g;
    CUgraphNode n;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 28);
    void *args[] = { &p };
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "dims"), 1, 1, args);
    S0(s);
    G0(g);
    OK(cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    INST(x, g);
    say_go(t, x, s, p, 7);
    for (size_t i = 0; i < COUNT(v); i++) {
        k.gridDimX = v[i].gx;
        k.gridDimY = v[i].gy;
        k.gridDimZ = v[i].gz;
        k.blockDimX = v[i].bx;
        k.blockDimY = v[i].by;
        k.blockDimZ = v[i].bz;
        k.sharedMemBytes = v[i].sh;
        R(v[i].label, cuGraphExecKernelNodeSetParams(x, n, &k));
        zero_memory(t, p, 28);
        say_go(t, x, s, p, 7);
    }
}

/* Another function: more parameters, fewer, none, from another module; packed
 * arguments. */
CASE(update, kernel_function)
{
    CUgraph g;
    CUgraphNode n;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 8);
    unsigned v = 50, m = 2, a = 1;
    void *one[] = { &p }, *two[] = { &p, &v }, *three[] = { &p, &m, &a };
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "inc"), 1, 1, one);
    CUfunction put = kernel(t, "put"), ma = kernel(t, "mul_add"), nop = kernel(t, "nop"),
               other = cond_kernel(t, "inc");
    S0(s);
    G0(g);
    OK(cuGraphAddKernelNode(&n, g, NULL, 0, &k));
    INST(x, g);
    say_go(t, x, s, p, 1);
    k = kparams(put, 1, 1, two);
    R("put", cuGraphExecKernelNodeSetParams(x, n, &k));
    say_go(t, x, s, p, 1);
    k = kparams(ma, 1, 1, three);
    R("mul_add", cuGraphExecKernelNodeSetParams(x, n, &k));
    say_go(t, x, s, p, 1);
    k = kparams(nop, 1, 1, NULL);
    R("nop", cuGraphExecKernelNodeSetParams(x, n, &k));
    say_go(t, x, s, p, 1);
    k = kparams(other, 1, 1, one);
    R("other_module", cuGraphExecKernelNodeSetParams(x, n, &k));
    say_go(t, x, s, p, 1);
    struct {
        CUdeviceptr p;
        unsigned v;
    } pack = { p, 7 };
    size_t size = 12;
    void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, &pack, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                      CU_LAUNCH_PARAM_END };
    k = kparams(put, 1, 1, NULL);
    k.extra = extra;
    R("packed", cuGraphExecKernelNodeSetParams(x, n, &k));
    pack.v = 8;
    say_go(t, x, s, p, 1);
}

/* Nodes the executable was not made from, wrong type, NULLs; what still runs. */
CASE(update, kernel_errors)
{
    CUgraph g, o, c;
    CUgraphNode n, m, on, cn, late, late_o;
    CUgraphExec x;
    CUstream s;
    CUdeviceptr p = dalloc(t, 12);
    unsigned one = 1, a = 100;
    void *args[] = { &p, &one, &a };
    CUDA_KERNEL_NODE_PARAMS k = kparams(kernel(t, "mul_add"), 1, 1, args);
    S0(s);
    G0(g);
    OK(add_ma(t, &n, g, NULL, 0, p, 1, 1));
    OK(add_set(t, &m, g, &n, 1, p + 4, 9, 1));
    G0(o);
    OK(add_ma(t, &on, o, NULL, 0, p, 1, 1));
    OK(add_set(t, &late_o, o, &on, 1, p + 4, 9, 1));
    OK(cuGraphClone(&c, g));
    OK(cuGraphNodeFindInClone(&cn, n, c));
    INST(x, g);
    OK(add_ma(t, &late, g, &m, 1, p + 8, 1, 1));
    R("null_exec", cuGraphExecKernelNodeSetParams(NULL, n, &k));
    R("null_node", cuGraphExecKernelNodeSetParams(x, NULL, &k));
    R("null_params", cuGraphExecKernelNodeSetParams(x, n, NULL));
    R("memset_node", exec_ma(t, x, m, p, 1, 100));
    R("other_graph", exec_ma(t, x, on, p, 1, 100));
    R("clone", exec_ma(t, x, cn, p, 1, 100));
    R("late", exec_ma(t, x, late, p, 1, 100));
    say_go(t, x, s, p, 3);
    R("good", exec_ma(t, x, n, p, 1, 100));
    say_go(t, x, s, p, 3);
}
