/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of graphs: what the device says of it.
 */
#include "allocations.h"

static void attrs(T *t, const char *label, size_t size)
{
    cuuint64_t v[4] = { 0, 0, 0, 0 };
    for (int i = 0; i < 4; i++) {
        CUresult r = cuDeviceGetGraphMemAttribute(t->dev, (CUgraphMem_attribute)i, &v[i]);
        if (r) say(t, " attr%d=%s", i, ename(r));
    }
    say(t, " %s:", label);
    static const char *n[] = { "used", "usedhigh", "res", "reshigh" };
    for (int i = 0; i < 4; i++)
        say(t, " %s%s", n[i], v[i] == 0 ? "=0" : v[i] >= size ? ">=size" : "<size");
    say(t, " used<=res=%d", v[0] <= v[2]);
}

/* Used and reserved memory through a graph's life, then trimmed. */
CASE(gmem, attr_life)
{
    CUgraph g;
    CUgraphExec x;
    CUstream s;
    CUgraphNode a, m;
    CUdeviceptr p;
    const size_t size = (size_t)8 << 20;
    S0(s);
    G0(g);
    attrs(t, "start", size);
    OK(add_alloc_node(t, &a, g, NULL, size, &p));
    OK(add_set_word(t, &m, g, &a, p, 1));
    attrs(t, "built", size);
    OK(cuGraphInstantiate(&x, g, 0));
    attrs(t, "inst", size);
    OK(go(x, s));
    attrs(t, "live", size);
    R("trim_live", cuDeviceGraphMemTrim(t->dev));
    attrs(t, "trim_live", size);
    say(t, " v=%u", dread(t, p));
    OK(cuMemFree(p));
    attrs(t, "freed", size);
    R("trim_freed", cuDeviceGraphMemTrim(t->dev));
    attrs(t, "trim_freed", size);
    R("relaunch", go(x, s));
    attrs(t, "relaunch", size);
    OK(cuMemFree(p));
    OK(cuGraphExecDestroy(x));
    OK(cuGraphDestroy(g));
    attrs(t, "destroyed", size);
    R("trim", cuDeviceGraphMemTrim(t->dev));
    attrs(t, "trimmed", size);
}

/* Attribute arguments: what can be set, to what; devices, NULLs. */
CASE(gmem, attr_args)
{
    CUgraph g;
    CUgraphExec x;
    CUgraphNode a;
    CUstream s;
    CUdeviceptr p;
    cuuint64_t zero = 0, one = 1, v = 7;
    risky();
    S0(s);
    BUILD_UNFREED(g, x, a, p, 1);
    OK(go(x, s));
    OK(cuMemFree(p));
    R("set_used", cuDeviceSetGraphMemAttribute(t->dev, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &zero));
    R("set_res",
      cuDeviceSetGraphMemAttribute(t->dev, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &zero));
    R("high_one", cuDeviceSetGraphMemAttribute(t->dev, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &one));
    R("reshigh_one",
      cuDeviceSetGraphMemAttribute(t->dev, CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH, &one));
    attrs(t, "before", 4096);
    R("high_zero", cuDeviceSetGraphMemAttribute(t->dev, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &zero));
    R("reshigh_zero",
      cuDeviceSetGraphMemAttribute(t->dev, CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH, &zero));
    attrs(t, "after", 4096);
    R("dev99", cuDeviceGetGraphMemAttribute(99, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &v));
    R("attr9", cuDeviceGetGraphMemAttribute(t->dev, (CUgraphMem_attribute)9, &v));
    R("set_attr9", cuDeviceSetGraphMemAttribute(t->dev, (CUgraphMem_attribute)9, &zero));
    R("trim99", cuDeviceGraphMemTrim(99));
    R("trim-1", cuDeviceGraphMemTrim(-1));
    say(t, " v=%llu", (unsigned long long)v);
    R("null", cuDeviceGetGraphMemAttribute(t->dev, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, NULL));
    R("set_null", cuDeviceSetGraphMemAttribute(t->dev, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, NULL));
}
