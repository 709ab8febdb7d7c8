/* SPDX-License-Identifier: Apache-2.0
 *
 * Managed memory: one address for the host and all devices.
 */
#include "standin/context/current.h"

/* ---- Allocating ------------------------------------------------------------------------- */

ENTRY(cuMemAllocManaged, (CUdeviceptr *address, size_t bytes, unsigned flags),
      (address, bytes, flags))
{
    rill_context *context;
    CUresult status = si_here(&context);
    return status ? status : rill_mem_alloc_managed(context, bytes, flags, address);
}
