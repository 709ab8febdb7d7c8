/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files on copies and fills share.
 */
#ifndef SI_COPY_H
#define SI_COPY_H

#include "standin/current.h"

/* Memory of a device, as opposed to memory of the host that devices may reach. */
int si_is_device_memory(CUdeviceptr address);

/* The end of a _ptds form: what was put into the thread's own stream is done. */
CUresult si_wait_own(CUresult status);

/* A box as the driver describes it, as rill does.  Fails for arrays and unknown kinds
 * of memory.  With `peers`, places name contexts, NULL for the current one. */
CUresult si_read_copy(const CUDA_MEMCPY3D *given, int peers, rill_copy *copy);

#endif
