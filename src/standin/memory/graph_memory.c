/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory that graphs have on a device.
 */
#include "standin/context/current.h"

ENTRY(cuDeviceGetGraphMemAttribute,
      (CUdevice number, int attribute, void *value), (number, attribute, value))
{
    struct si_device *device;
    CUresult status = si_find_device(number, &device);
    if (status) return status;
    return rill_device_get_graph_memory(si_platform, number,
                                        (rill_graph_memory_attribute)attribute, value);
}

ENTRY(cuDeviceSetGraphMemAttribute,
      (CUdevice number, int attribute, void *value), (number, attribute, value))
{
    struct si_device *device;
    CUresult status = si_find_device(number, &device);
    if (status) return status;
    if (!value) return RILL_ERROR_INVALID_VALUE;
    return rill_device_set_graph_memory(si_platform, number,
                                        (rill_graph_memory_attribute)attribute,
                                        *(const uint64_t *)value);
}

ENTRY(cuDeviceGraphMemTrim, (CUdevice number), (number))
{
    struct si_device *device;
    CUresult status = si_find_device(number, &device);
    return status ? status : rill_device_trim_graph_memory(si_platform, number);
}
