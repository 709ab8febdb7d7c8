/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory that graphs have on a device.
 */
#include "standin/context.h"

static CUresult check(CUdevice device)
{
    CUresult status = si_check_ready();
    if (status) return status;
    return si_device(device) ? RILL_SUCCESS : RILL_ERROR_INVALID_DEVICE;
}

ENTRY(cuDeviceGetGraphMemAttribute, CUdevice device, int attribute, void *value)
{
    CUresult status = check(device);
    if (status) return status;
    return rill_device_get_graph_memory(si_platform, device,
                                        (rill_graph_memory_attribute)attribute, value);
}

ENTRY(cuDeviceSetGraphMemAttribute, CUdevice device, int attribute, void *value)
{
    CUresult status = check(device);
    if (status) return status;
    if (!value) return RILL_ERROR_INVALID_VALUE;
    return rill_device_set_graph_memory(si_platform, device,
                                        (rill_graph_memory_attribute)attribute,
                                        *(const uint64_t *)value);
}

ENTRY(cuDeviceGraphMemTrim, CUdevice device)
{
    CUresult status = check(device);
    return status ? status : rill_device_trim_graph_memory(si_platform, device);
}
