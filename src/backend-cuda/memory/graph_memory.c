/* SPDX-License-Identifier: Apache-2.0
 *
 * How much memory a device keeps for graphs.
 */
#include "backend-cuda/memory/graph_memory.h"

#include <inttypes.h>

#include "backend-cuda/context/context.h"

_Static_assert(RILL_GRAPH_MEMORY_USED_CURRENT == (int)CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT,
               "the driver's number");
_Static_assert(RILL_GRAPH_MEMORY_USED_HIGH == (int)CU_GRAPH_MEM_ATTR_USED_MEM_HIGH,
               "the driver's number");
_Static_assert(RILL_GRAPH_MEMORY_RESERVED_CURRENT == (int)CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT,
               "the driver's number");
_Static_assert(RILL_GRAPH_MEMORY_RESERVED_HIGH == (int)CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH,
               "the driver's number");

static rill_status find_device(rill_platform *handle, int device, CUdevice *raw)
{
    struct cuda_platform *platform = cuda_platform_of(handle);
    rill_status status = cuda_check_device(platform, device, "device");
    if (!status) *raw = platform->devices[device].raw;
    return status;
}

static rill_status refuse_attribute(rill_graph_memory_attribute attribute, const char *what)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "attribute", "%d %s", (int)attribute, what);
}

rill_status cuda_get_graph_memory(rill_platform *platform, int device,
                                  rill_graph_memory_attribute attribute, uint64_t *value)
{
    CUdevice raw;
    uint64_t found = 0;
    rill_status status = find_device(platform, device, &raw);
    if (status) return status;
    if ((unsigned)attribute > RILL_GRAPH_MEMORY_RESERVED_HIGH)
        return refuse_attribute(attribute, "is no attribute of the memory of graphs");
    status = cuda_end(cuda_api.DeviceGetGraphMemAttribute(raw, (CUgraphMem_attribute)attribute,
                                                          &found),
                      "cuDeviceGetGraphMemAttribute");
    if (!status) *value = found;
    return status;
}

rill_status cuda_set_graph_memory(rill_platform *platform, int device,
                                  rill_graph_memory_attribute attribute, uint64_t value)
{
    CUdevice raw;
    rill_status status = find_device(platform, device, &raw);
    if (status) return status;
    if (attribute != RILL_GRAPH_MEMORY_USED_HIGH && attribute != RILL_GRAPH_MEMORY_RESERVED_HIGH)
        return refuse_attribute(attribute, "is no high watermark; only those can be set");
    if (value)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "value",
                                 "a high watermark can be set to 0 only, not to %" PRIu64, value);
    return cuda_end(cuda_api.DeviceSetGraphMemAttribute(raw, (CUgraphMem_attribute)attribute,
                                                        &value),
                    "cuDeviceSetGraphMemAttribute");
}

rill_status cuda_trim_graph_memory(rill_platform *platform, int device)
{
    CUdevice raw;
    rill_status status = find_device(platform, device, &raw);
    if (status) return status;
    return cuda_end(cuda_api.DeviceGraphMemTrim(raw), "cuDeviceGraphMemTrim");
}
