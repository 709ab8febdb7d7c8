/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams: attributes.
 */
#include "../streams.h"

/* Synchronization policy: default, each value, values outside the enum. */
CASE(stream, attr_sync_policy)
{
    CUstream s;
    CUstreamAttrValue v;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    memset(&v, 0, sizeof v);
    R("get", cuStreamGetAttribute(s, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v));
    say(t, ":%d", (int)v.syncPolicy);
    for (int i = 0; i <= 5; i++) {
        memset(&v, 0, sizeof v);
        v.syncPolicy = (CUsynchronizationPolicy)i;
        CUresult r = cuStreamSetAttribute(s, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v);
        memset(&v, 0, sizeof v);
        cuStreamGetAttribute(s, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v);
        say(t, " set%d=%s:%d", i, ename(r), (int)v.syncPolicy);
    }
    CUstream sp[] = { NULL, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD };
    for (int i = 0; i < 3; i++) {
        memset(&v, 0, sizeof v);
        CUresult r = cuStreamGetAttribute(sp[i], CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v);
        say(t, " special%d=%s:%d", i, ename(r), (int)v.syncPolicy);
        v.syncPolicy = CU_SYNC_POLICY_BLOCKING_SYNC;
        R("set", cuStreamSetAttribute(sp[i], CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v));
    }
}

static void window(T *t, CUstream s, const char *label, void *base, size_t n, float ratio, int hit,
                   int miss)
{
    CUstreamAttrValue v;
    memset(&v, 0, sizeof v);
    v.accessPolicyWindow.base_ptr = base;
    v.accessPolicyWindow.num_bytes = n;
    v.accessPolicyWindow.hitRatio = ratio;
    v.accessPolicyWindow.hitProp = (CUaccessProperty)hit;
    v.accessPolicyWindow.missProp = (CUaccessProperty)miss;
    R(label, cuStreamSetAttribute(s, CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW, &v));
}

/* Memory synchronization domain and its map. */
CASE(stream, attr_mem_sync)
{
    CUstream s;
    CUstreamAttrValue v;
    int n = -1;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT, t->dev));
    say(t, " domains=%d", n);
    memset(&v, 0x5a, sizeof v);
    R("get", cuStreamGetAttribute(s, CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN, &v));
    say(t, ":%d", (int)v.memSyncDomain);
    for (int i = 0; i < 3; i++) {
        memset(&v, 0, sizeof v);
        v.memSyncDomain = (CUlaunchMemSyncDomain)i;
        CUresult r = cuStreamSetAttribute(s, CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN, &v);
        memset(&v, 0, sizeof v);
        cuStreamGetAttribute(s, CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN, &v);
        say(t, " set%d=%s:%d", i, ename(r), (int)v.memSyncDomain);
    }
    memset(&v, 0x5a, sizeof v);
    R("map", cuStreamGetAttribute(s, CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP, &v));
    say(t, ":%u,%u", v.memSyncDomainMap.default_, v.memSyncDomainMap.remote);
    const unsigned char maps[][2] = {
        { 1, 1 }, { 0, 0 }, { 3, 2 }, { 200, 1 }, { 0, (unsigned char)n }
    };
    for (unsigned i = 0; i < 5; i++) {
        memset(&v, 0, sizeof v);
        v.memSyncDomainMap.default_ = maps[i][0];
        v.memSyncDomainMap.remote = maps[i][1];
        CUresult r = cuStreamSetAttribute(s, CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP, &v);
        memset(&v, 0x5a, sizeof v);
        cuStreamGetAttribute(s, CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP, &v);
        say(t, " map[%u,%u]=%s:%u,%u", maps[i][0], maps[i][1], ename(r),
            v.memSyncDomainMap.default_, v.memSyncDomainMap.remote);
    }
}

/* Which attributes cuStreamCopyAttributes carries over, and default streams. */
CASE(stream, attr_copy)
{
    CUstream a, b;
    CUstreamAttrValue v;
    int least = 0, greatest = 0, p = 99;
    CUdeviceptr m = dalloc(t, 65536);
    OK(cuCtxGetStreamPriorityRange(&least, &greatest));
    OK(cuStreamCreateWithPriority(&a, CU_STREAM_NON_BLOCKING, greatest));
    OK(cuStreamCreate(&b, CU_STREAM_DEFAULT));
    memset(&v, 0, sizeof v);
    v.syncPolicy = CU_SYNC_POLICY_YIELD;
    R("policy", cuStreamSetAttribute(a, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v));
    memset(&v, 0, sizeof v);
    v.memSyncDomain = CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE;
    R("domain", cuStreamSetAttribute(a, CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN, &v));
    window(t, a, "window", (void *)(uintptr_t)m, 4096, 1.0f, CU_ACCESS_PROPERTY_STREAMING,
           CU_ACCESS_PROPERTY_NORMAL);
    R("copy", cuStreamCopyAttributes(b, a));
    memset(&v, 0, sizeof v);
    OK(cuStreamGetAttribute(b, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v));
    say(t, " policy=%d", (int)v.syncPolicy);
    memset(&v, 0, sizeof v);
    OK(cuStreamGetAttribute(b, CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN, &v));
    say(t, " domain=%d", (int)v.memSyncDomain);
    memset(&v, 0, sizeof v);
    OK(cuStreamGetAttribute(b, CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW, &v));
    say(t, " window=%d,%zu", v.accessPolicyWindow.base_ptr == (void *)(uintptr_t)m,
        v.accessPolicyWindow.num_bytes);
    OK(cuStreamGetPriority(b, &p));
    say(t, " prio=%s", p == greatest ? "copied" : "kept");
    R("self", cuStreamCopyAttributes(a, a));
    R("to_null", cuStreamCopyAttributes(NULL, a));
    R("from_null", cuStreamCopyAttributes(b, NULL));
    memset(&v, 0, sizeof v);
    OK(cuStreamGetAttribute(b, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &v));
    say(t, " policy=%d", (int)v.syncPolicy);
}
