/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices, codes, lookups: what is refused.
 */
#include "../streams.h"

/* No place to answer. */
CASE(err, device_null_out)
{
    R("version", cuDriverGetVersion(NULL));
    R("count", cuDeviceGetCount(NULL));
    R("get", cuDeviceGet(NULL, 0));
    R("attr", cuDeviceGetAttribute(NULL, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    R("total", cuDeviceTotalMem(NULL, 0));
    R("name", cuDeviceGetName(NULL, 10, 0));
}

static void lookup(T *t, const char *label, const char *sym, int ver, cuuint64_t fl)
{
    void *f = (void *)1;
    CUdriverProcAddressQueryResult q = (CUdriverProcAddressQueryResult)9;
    CUresult r = cuGetProcAddress(sym, &f, ver, fl, &q);
    say(t, " %s=%s/%d/%s", label, ename(r), (int)q,
        f == NULL        ? "null"
        : f == (void *)1 ? "untouched"
                         : "set");
}
/* cuGetProcAddress: known and unknown names, versions, flags. */
CASE(err, proc_address)
{
    lookup(t, "known", "cuMemAlloc", 12000, 0);
    lookup(t, "oldest", "cuInit", 2000, 0);
    lookup(t, "too_old", "cuMemAllocAsync", 10000, 0);
    lookup(t, "just", "cuMemAllocAsync", 11020, 0);
    lookup(t, "before", "cuMemAllocAsync", 11010, 0);
    lookup(t, "unknown", "cuNoSuchFunction", 12000, 0);
    lookup(t, "not_ours", "malloc", 12000, 0);
    lookup(t, "runtime_name", "cudaMalloc", 12000, 0);
    lookup(t, "suffixed", "cuMemAlloc_v2", 12000, 0);
    lookup(t, "suffixed_v3", "cuStreamGetCaptureInfo_v3", 13000, 0);
    lookup(t, "ptsz_name", "cuStreamQuery_ptsz", 12000, 0);
    lookup(t, "empty", "", 12000, 0);
    lookup(t, "version_0", "cuMemAlloc", 0, 0);
    lookup(t, "version_neg", "cuMemAlloc", -1, 0);
    lookup(t, "version_future", "cuMemAlloc", 99000, 0);
    lookup(t, "legacy", "cuStreamQuery", 12000, CU_GET_PROC_ADDRESS_LEGACY_STREAM);
    lookup(t, "per_thread", "cuStreamQuery", 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
    lookup(t, "both_flags", "cuStreamQuery", 12000, 3);
    lookup(t, "flag_4", "cuStreamQuery", 12000, 4);
    lookup(t, "self", "cuGetProcAddress", 12000, 0);
}
