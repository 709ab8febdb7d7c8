/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver's calls by name, and what is no status: descriptions of channels.
 */
#include "runtime/driver/version.h"
#include "runtime/thread/entry.h"

enum { FLAGS_DEFAULT = 0 };

/* That a call is not there is no failure, whether there is room for the reason or not. */
static cudaError_t find_call(const char *name, void **address, int version,
                             unsigned long long flags, int *reason)
{
    int unasked;
    if (!reason) reason = &unasked;
    return (cudaError_t)rt_driver.cuGetProcAddress_v2(name, address, version, flags, reason);
}

static unsigned long long per_thread(unsigned long long flags)
{
    return flags == FLAGS_DEFAULT ? CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM : flags;
}

PLAIN(cudaGetDriverEntryPoint_v2,
      (const char *name, void **address, unsigned long long flags, int *reason),
      (name, address, flags, reason))
{
    return find_call(name, address, rt_version, flags, reason);
}

PLAIN(cudaGetDriverEntryPoint_v2_ptsz,
      (const char *name, void **address, unsigned long long flags, int *reason),
      (name, address, flags, reason))
{
    return find_call(name, address, rt_version, per_thread(flags), reason);
}

/* Those of 11, for which it is one. */
static cudaError_t find_call_there(const char *name, void **address, unsigned long long flags)
{
    void *found = NULL;
    if (!address) return RILL_ERROR_INVALID_VALUE;
    cudaError_t status = find_call(name, &found, rt_version, flags, NULL);
    if (!status && !found) status = RILL_ERROR_NOT_FOUND;
    if (!status) *address = found;
    return status;
}

PLAIN(cudaGetDriverEntryPoint_v1,
      (const char *name, void **address, unsigned long long flags), (name, address, flags))
{
    return find_call_there(name, address, flags);
}

PLAIN(cudaGetDriverEntryPoint_v1_ptsz,
      (const char *name, void **address, unsigned long long flags), (name, address, flags))
{
    return find_call_there(name, address, per_thread(flags));
}

PLAIN(cudaGetDriverEntryPointByVersion,
      (const char *name, void **address, unsigned version, unsigned long long flags, int *reason),
      (name, address, version, flags, reason))
{
    return find_call(name, address, (int)version, flags, reason);
}

PLAIN(cudaGetDriverEntryPointByVersion_ptsz,
      (const char *name, void **address, unsigned version, unsigned long long flags, int *reason),
      (name, address, version, flags, reason))
{
    return find_call(name, address, (int)version, per_thread(flags), reason);
}

RT_EXPORT struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, int kind);
RT_EXPORT struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, int kind)
{
    return (struct cudaChannelFormatDesc){ x, y, z, w, kind };
}
