/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies in the thread's own stream.
 */
#ifndef SI_COPY_H
#define SI_COPY_H

#include "standin/context/current.h"

/* Tells memory of a device from memory of the host that devices may reach. */
int si_is_device_memory(CUdeviceptr address);

/* Ends a _ptds form: waits for what was put into the thread's own stream. */
CUresult si_wait_own(CUresult status);

#endif
