/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules, functions and launches: what is refused.
 */
#include "../streams.h"

/* ---- modules and functions --------------------------------------------- */

/* Images that are none. */
CASE(err, module_images)
{
    CUmodule m = (CUmodule)1;
    R("garbage", cuModuleLoadData(&m, "this is not a module image at all, only text"));
    say(t, " out=%s", m == (CUmodule)1 ? "untouched" : m ? "set" : "null");
    R("empty", cuModuleLoadData(&m, ""));
    R("bad_ptx",
      cuModuleLoadData(
          &m,
          ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry x() { nonsense; }\n"));
    R("new_ptx", cuModuleLoadData(&m, ".version 99.0\n.target sm_75\n.address_size 64\n"));
    R("bare_ptx", cuModuleLoadData(&m, ".version 7.0\n.target sm_75\n.address_size 64\n"));
    R("no_file", cuModuleLoad(&m, "/nonexistent/module.cubin"));
}

/* Attributes of a function. */
CASE(err, func_attributes)
{
    CUfunction f = warm(t, "put");
    int v = -1, optin = -1;
    for (int a = 0; a <= 9; a++) {
        v = -1;
        CUresult r = cuFuncGetAttribute(&v, (CUfunction_attribute)a, f);
        if (a == CU_FUNC_ATTRIBUTE_NUM_REGS) v = v > 0;
        say(t, " %d=%s:%d", a, ename(r), v);
    }
    R("bad", cuFuncGetAttribute(&v, (CUfunction_attribute)99, f));
    R("neg", cuFuncGetAttribute(&v, (CUfunction_attribute)-1, f));
    OK(cuDeviceGetAttribute(&optin, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 0));
    R("shared_more", cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536));
    R("get", cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, f));
    say(t, ":%d", v);
    R("shared_optin",
      cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, optin));
    R("shared_over",
      cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, optin + 1));
    R("shared_neg", cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, -1));
    R("set_regs", cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NUM_REGS, 8));
    R("carveout_200",
      cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 200));
}
/* A function's module, its name, its parameters. */
CASE(err, func_names)
{
    CUfunction f = warm(t, "put");
    CUmodule m = NULL;
    const char *name = NULL;
    size_t off = 99, sz = 99;
    R("module", cuFuncGetModule(&m, f));
    say(t, ":%d", m == t->mod);
    R("name", cuFuncGetName(&name, f));
    say(t, ":%s", name ? name : "null");
    for (size_t i = 0; i < 3; i++) {
        off = sz = 99;
        CUresult r = cuFuncGetParamInfo(f, i, &off, &sz);
        say(t, " param%zu=%s:%zu,%zu", i, ename(r), off, sz);
    }
}
/* No function, no place to answer. */
CASE(err, func_null)
{
    CUfunction f = warm(t, "put");
    int v = -1;
    R("func", cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_NUM_REGS, NULL));
    R("set", cuFuncSetAttribute(NULL, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 0));
    R("out", cuFuncGetAttribute(NULL, CU_FUNC_ATTRIBUTE_NUM_REGS, f));
}

/* ---- launches ----------------------------------------------------------- */

/* Shapes that are refused; none of them spoils the context. */
CASE(err, launch_shapes)
{
    static const struct {
        const char *n;
        unsigned d[6], sh;
    } v[] = { { "grid_x_0", { 0, 1, 1, 1, 1, 1 }, 0 },
              { "grid_z_0", { 1, 1, 0, 1, 1, 1 }, 0 },
              { "block_x_0", { 1, 1, 1, 0, 1, 1 }, 0 },
              { "block_z_0", { 1, 1, 1, 1, 1, 0 }, 0 },
              { "threads_1024", { 1, 1, 1, 1024, 1, 1 }, 0 },
              { "threads_1025", { 1, 1, 1, 1025, 1, 1 }, 0 },
              { "threads_2048", { 1, 1, 1, 32, 32, 2 }, 0 },
              { "block_z_64", { 1, 1, 1, 1, 1, 64 }, 0 },
              { "block_z_65", { 1, 1, 1, 1, 1, 65 }, 0 },
              { "grid_y_65535", { 1, 65535, 1, 1, 1, 1 }, 0 },
              { "grid_y_65536", { 1, 65536, 1, 1, 1, 1 }, 0 },
              { "grid_z_65536", { 1, 1, 65536, 1, 1, 1 }, 0 },
              { "grid_x_2_31", { 1u << 31, 1, 1, 1, 1, 1 }, 0 },
              { "shared_48k", { 1, 1, 1, 1, 1, 1 }, 49152 },
              { "shared_over", { 1, 1, 1, 1, 1, 1 }, 49153 },
              { "shared_huge", { 1, 1, 1, 1, 1, 1 }, 0x7fffffff } };
    CUfunction f = warm(t, "nop");
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++)
        R(v[i].n, cuLaunchKernel(f, v[i].d[0], v[i].d[1], v[i].d[2], v[i].d[3], v[i].d[4],
                                 v[i].d[5], v[i].sh, NULL, NULL, NULL));
    R("sync", cuCtxSynchronize());
    R("still_fine", launch1(f, NULL, NULL));
    R("sync", cuCtxSynchronize());
}
static CUlaunchConfig config(CUstream s, CUlaunchAttribute *a, unsigned n)
{
    return (CUlaunchConfig){ .gridDimX = 1,
                             .gridDimY = 1,
                             .gridDimZ = 1,
                             .blockDimX = 1,
                             .blockDimY = 1,
                             .blockDimZ = 1,
                             .hStream = s,
                             .attrs = a,
                             .numAttrs = n };
}
/* No function to launch. */
CASE(err, launch_null_function)
{
    CUlaunchConfig c = config(NULL, NULL, 0);
    R("plain", launch1(NULL, NULL, NULL));
    R("cooperative", cuLaunchCooperativeKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL));
    R("ex", cuLaunchKernelEx(&c, NULL, NULL, NULL));
    R("sync", cuCtxSynchronize());
}
/* A stream handle of each default kind. */
CASE(err, launch_handles)
{
    CUfunction f = warm(t, "nop");
    R("null", launch1(f, NULL, NULL));
    R("legacy", launch1(f, CU_STREAM_LEGACY, NULL));
    R("per_thread", launch1(f, CU_STREAM_PER_THREAD, NULL));
    R("sync", cuCtxSynchronize());
}
/* Parameters as a packed buffer, and both forms at once. */
CASE(err, launch_extra)
{
    CUfunction f = warm(t, "put"), g = warm(t, "nop");
    CUdeviceptr p = dalloc(t, 8);
    struct {
        CUdeviceptr p;
        unsigned v;
    } buf = { p, 31 };
    size_t n = 12;
    unsigned v = 5;
    void *params[] = { &p, &v };
    void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, &buf, CU_LAUNCH_PARAM_BUFFER_SIZE, &n,
                      CU_LAUNCH_PARAM_END };
    void *none[] = { CU_LAUNCH_PARAM_END };
    void *odd[] = { (void *)7, &buf, CU_LAUNCH_PARAM_END };
    R("buffer", cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
    R("sync", cuCtxSynchronize());
    say(t, " v=%u", dread(t, p));
    buf.v = 32;
    n = sizeof buf;
    R("padded", cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
    R("sync", cuCtxSynchronize());
    say(t, " v=%u", dread(t, p));
    R("both", cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, extra));
    R("both_empty", cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, none));
    R("nop_end", cuLaunchKernel(g, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, none));
    R("odd_key", cuLaunchKernel(g, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, odd));
    R("sync", cuCtxSynchronize());
    say(t, " v=%u", dread(t, p));
}
/* A kernel with parameters launched with none. */
CASE(err, launch_no_params)
{
    CUfunction f = warm(t, "put");
    R("launch", launch1(f, NULL, NULL));
    R("sync", cuCtxSynchronize());
}

/* cuLaunchKernelEx: attributes that are taken, and ones that are not. */
CASE(err, launch_ex)
{
    CUfunction f = warm(t, "put");
    CUdeviceptr p = dalloc(t, 4);
    unsigned v = 1;
    void *args[] = { &p, &v };
    CUlaunchAttribute a[2];
    CUlaunchConfig c = config(NULL, NULL, 0);
    int least = 0, greatest = 0;
    OK(cuCtxGetStreamPriorityRange(&least, &greatest));
    R("plain", cuLaunchKernelEx(&c, f, args, NULL));
#define WITH(label, ident, stmt)                                                                   \
    do {                                                                                           \
        memset(a, 0, sizeof a);                                                                    \
        a[0].id = (CUlaunchAttributeID)(ident);                                                    \
        stmt;                                                                                      \
        v++;                                                                                       \
        c = config(NULL, a, 1);                                                                    \
        R(label, cuLaunchKernelEx(&c, f, args, NULL));                                             \
    } while (0)
    WITH("ignore", CU_LAUNCH_ATTRIBUTE_IGNORE, (void)0);
    WITH("priority", CU_LAUNCH_ATTRIBUTE_PRIORITY, a[0].value.priority = greatest);
    WITH("priority_far", CU_LAUNCH_ATTRIBUTE_PRIORITY, a[0].value.priority = -1000);
    WITH("cooperative", CU_LAUNCH_ATTRIBUTE_COOPERATIVE, a[0].value.cooperative = 1);
    WITH("domain", CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN,
         a[0].value.memSyncDomain = CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE);
    WITH("domain_9", CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN,
         a[0].value.memSyncDomain = (CUlaunchMemSyncDomain)9);
    WITH("serialization", CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
         a[0].value.programmaticStreamSerializationAllowed = 1);
    WITH("cluster_1", CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
         (a[0].value.clusterDim.x = a[0].value.clusterDim.y = a[0].value.clusterDim.z = 1));
    WITH("cluster_2", CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
         (a[0].value.clusterDim.x = 2, a[0].value.clusterDim.y = a[0].value.clusterDim.z = 1));
    WITH("cluster_0", CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, (void)0);
    WITH("sync_policy", CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY,
         a[0].value.syncPolicy = CU_SYNC_POLICY_SPIN);
    WITH("id_99", 99, (void)0);
    WITH("id_-1", -1, (void)0);
#undef WITH
    memset(a, 0, sizeof a);
    a[0].id = a[1].id = CU_LAUNCH_ATTRIBUTE_PRIORITY;
    c = config(NULL, a, 2);
    R("twice", cuLaunchKernelEx(&c, f, args, NULL));
    c = config(NULL, NULL, 0);
    c.gridDimX = 0;
    R("grid_0", cuLaunchKernelEx(&c, f, args, NULL));
    c = config(CU_STREAM_PER_THREAD, NULL, 0);
    v = 77;
    R("per_thread", cuLaunchKernelEx(&c, f, args, NULL));
    R("sync", cuCtxSynchronize());
    say(t, " v=%u", dread(t, p));
}

/* Cooperative launches, small and too large. */
CASE(err, launch_cooperative)
{
    CUfunction f = warm(t, "nop"), g = warm(t, "put");
    CUdeviceptr p = dalloc(t, 4);
    unsigned v = 8;
    R("small", cuLaunchCooperativeKernel(g, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){ &p, &v }));
    R("grid_0", cuLaunchCooperativeKernel(f, 0, 1, 1, 1, 1, 1, 0, NULL, NULL));
    R("too_large", cuLaunchCooperativeKernel(f, 1 << 20, 1, 1, 1024, 1, 1, 0, NULL, NULL));
    R("sync", cuCtxSynchronize());
    say(t, " v=%u", dread(t, p));
}
