/* SPDX-License-Identifier: Apache-2.0
 *
 * Pools of several processes: the pool goes to another process as a file descriptor, and what
 * was allocated of it as data of 64 bytes.
 */
#include <rill/sim.h>

#include <stdint.h>
#include <string.h>

#include "standin/memory/pool.h"
#include "standin/memory/share_way.h"

_Static_assert(sizeof(CUmemPoolPtrExportData) == sizeof(rill_sim_shared), "the data is passed on");

ENTRY(cuMemPoolExportToShareableHandle,
      (void *out, CUmemoryPool handle, int way, unsigned long long flags),
      (out, handle, way, flags))
{
    rill_pool *pool;
    CUresult status = si_pool(handle, &pool);
    if (status) return status;
    if (!out || flags || way != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return RILL_ERROR_INVALID_VALUE; /* no pool was made for another way */
    return rill_sim_share_pool(pool, out);
}

/* The file descriptor is passed as a pointer. */
ENTRY(cuMemPoolImportFromShareableHandle,
      (CUmemoryPool *handle, void *file, int way, unsigned long long flags),
      (handle, file, way, flags))
{
    const int number = (int)(intptr_t)file;
    const rill_pool_options options = { .size = sizeof options, .file = &number };
    rill_pool *made = NULL;
    CUresult status = si_check_ready();
    if (status) return status;
    if (!handle || flags) return RILL_ERROR_INVALID_VALUE;
    status = si_check_share_way(way);
    if (!status) status = rill_pool_create(si_platform, &options, &made);
    if (status) return status;
    status = si_hand_out_pool(status, made, handle);
    if (status) rill_pool_destroy(&made);
    return status;
}

ENTRY(cuMemPoolExportPointer, (CUmemPoolPtrExportData *out, CUdeviceptr address), (out, address))
{
    rill_sim_shared shared;
    CUresult status = si_check_ready();
    if (status) return status;
    if (!out || !address) return RILL_ERROR_INVALID_VALUE;
    status = rill_sim_share_block(si_platform, address, &shared);
    if (!status) memcpy(out, &shared, sizeof shared);
    return status;
}

ENTRY(cuMemPoolImportPointer,
      (CUdeviceptr *address, CUmemoryPool handle, CUmemPoolPtrExportData *data),
      (address, handle, data))
{
    rill_pool *pool;
    rill_sim_shared shared;
    CUresult status = si_pool(handle, &pool);
    if (status) return status;
    if (!address || !data) return RILL_ERROR_INVALID_VALUE;
    memcpy(&shared, data, sizeof shared);
    return rill_sim_open_block(pool, &shared, address);
}
