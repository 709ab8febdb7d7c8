/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens the driver, and tells what its devices say of themselves.
 */
#include <string.h>

#include <rill/cuda.h>

#include "backend-cuda/capture/capture.h"
#include "backend-cuda/context/context.h"
#include "backend-cuda/exec/exec.h"
#include "backend-cuda/graph/calls.h"
#include "backend-cuda/memory/memory.h"
#include "backend-cuda/memory/pool.h"
#include "backend-cuda/memory/vmem.h"
#include "backend-cuda/memory/vmem_handles.h"
#include "backend-cuda/object/event.h"
#include "backend-cuda/object/module.h"
#include "backend-cuda/platform/context.h"
#include "backend-cuda/stream/stream.h"
#include "base/alloc.h"

/* ---- Life ------------------------------------------------------------------------------ */

static rill_status count_devices(int *count)
{
    rill_status status = cuda_end(cuda_api.DeviceGetCount(count), "cuDeviceGetCount");
    if (status || *count) return status;
    return rill_backend_fail(RILL_ERROR_NO_DEVICE, NULL,
                             "the driver is there, but no CUDA device that this process may use; "
                             "see nvidia-smi and $CUDA_VISIBLE_DEVICES");
}

static rill_status read_options(const rill_cuda_options *options, const char **library)
{
    *library = NULL;
    if (!options) return RILL_SUCCESS;
    if (options->size != sizeof *options)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->cuda->size",
                                 "%zu is not sizeof(rill_cuda_options)", options->size);
    *library = options->library;
    return RILL_SUCCESS;
}

static rill_status probe_driver(const rill_open_options *options)
{
    const char *library;
    int count;
    rill_status status = read_options(options->cuda, &library);
    if (!status) status = cuda_load(library);
    return status ? status : count_devices(&count);
}

static rill_status find_devices(struct cuda_platform *platform)
{
    rill_status status = count_devices(&platform->device_count);
    if (status) return status;
    struct cuda_device *devices = rl_zalloc((size_t)platform->device_count * sizeof *devices);
    if (!devices) return RILL_ERROR_OUT_OF_MEMORY;
    for (int i = 0; !status && i < platform->device_count; i++)
        status = cuda_end(cuda_api.DeviceGet(&devices[i].raw, i), "cuDeviceGet");
    if (status)
        rl_free(devices);
    else
        platform->devices = devices;
    return status;
}

static rill_status open_platform(rill_platform *handle, const rill_open_options *options)
{
    struct cuda_platform *platform = cuda_platform_of(handle);
    const char *library;
    rill_status status = read_options(options->cuda, &library);
    if (!status) status = cuda_load(library);
    if (!status) status = find_devices(platform);
    platform->handle = handle;
    return status;
}

static void close_platform(rill_platform *handle)
{
    struct cuda_platform *platform = cuda_platform_of(handle);
    cuda_forget_pools(platform);
    cuda_vmem_forget_all(platform);
    rl_free(platform->devices);
    platform->devices = NULL;
}

/* ---- Devices ------------------------------------------------------------------------------ */

static rill_status count_now(rill_platform *handle, int *count)
{
    (void)handle;
    return cuda_end(cuda_api.DeviceGetCount(count), "cuDeviceGetCount");
}

static int ask_attribute(CUdevice device, CUdevice_attribute attribute)
{
    int value = 0;
    cuda_api.DeviceGetAttribute(&value, attribute, device);
    return value;
}

static void describe_limits(CUdevice device, rill_device_info *info)
{
    info->compute_major = ask_attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    info->compute_minor = ask_attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    info->multiprocessors = ask_attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    info->managed_memory = ask_attribute(device, CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY);
    info->concurrent_managed_access =
        ask_attribute(device, CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS);
    info->warp_size = ask_attribute(device, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
    info->max_threads_per_block = ask_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    info->max_block.x = (uint32_t)ask_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
    info->max_block.y = (uint32_t)ask_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y);
    info->max_block.z = (uint32_t)ask_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
    info->max_grid.x = (uint32_t)ask_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
    info->max_grid.y = (uint32_t)ask_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y);
    info->max_grid.z = (uint32_t)ask_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
    info->shared_bytes_per_block =
        (uint32_t)ask_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    info->shared_bytes_per_block_opt_in =
        (uint32_t)ask_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
}

/* Only a context tells the range, and there may be none.  Devices that have priorities have
 * six levels, as measured. */
#define PRIORITY_GREATEST (-5)

static rill_status describe_device(rill_platform *handle, int device, rill_device_info *info)
{
    struct cuda_platform *platform = cuda_platform_of(handle);
    size_t bytes = 0;
    rill_status status = cuda_check_device(platform, device, "device");
    if (status) return status;
    CUdevice raw = platform->devices[device].raw;
    status = cuda_end(cuda_api.DeviceGetName(info->name, sizeof info->name, raw),
                      "cuDeviceGetName");
    if (!status)
        status = cuda_end(cuda_api.DeviceGetUuid((CUuuid *)(void *)info->uuid, raw),
                          "cuDeviceGetUuid");
    if (!status)
        status = cuda_end(cuda_api.DeviceGetPCIBusId(info->bus_id, sizeof info->bus_id, raw),
                          "cuDeviceGetPCIBusId");
    if (!status) status = cuda_end(cuda_api.DeviceTotalMem(&bytes, raw), "cuDeviceTotalMem");
    if (status) return status;
    info->memory_bytes = bytes;
    describe_limits(raw, info);
    info->priority_greatest =
        ask_attribute(raw, CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED) ? PRIORITY_GREATEST : 0;
    return RILL_SUCCESS;
}

static rill_status can_access_peer(rill_platform *handle, int device, int peer, int *can)
{
    struct cuda_platform *platform = cuda_platform_of(handle);
    rill_status status = cuda_check_device(platform, device, "device");
    if (!status) status = cuda_check_device(platform, peer, "peer");
    if (status) return status;
    return cuda_end(cuda_api.DeviceCanAccessPeer(can, platform->devices[device].raw,
                                                 platform->devices[peer].raw),
                    "cuDeviceCanAccessPeer");
}

static const struct rill_device_ops device_ops = {
    .count = count_now,
    .info = describe_device,
    .can_access_peer = can_access_peer,
};

/* ---- The backend ----------------------------------------------------------------------------- */

static rill_status supports_feature(rill_platform *platform, rill_feature feature)
{
    (void)platform;
    if (feature == RILL_FEATURE_CONDITIONALS) return cuda_need(GraphConditionalHandleCreate, 12030);
    return RILL_SUCCESS;
}

extern const struct rill_backend rl_backend_cuda;

const struct rill_backend rl_backend_cuda = {
    .abi = RILL_BACKEND_ABI,
    .size = sizeof(struct rill_backend),
    .name = "cuda",
    .rank = 100,
    .platform_private_bytes = sizeof(struct cuda_platform),
    .probe = probe_driver,
    .open = open_platform,
    .close = close_platform,
    .supports = supports_feature,
    .device = &device_ops,
    .context = &cuda_context_ops,
    .memory = &cuda_memory_ops,
    .module = &cuda_module_ops,
    .stream = &cuda_stream_ops,
    .event = &cuda_event_ops,
    .pool = &cuda_pool_ops,
    .vmem = &cuda_vmem_ops,
    .capture = &cuda_capture_ops,
    .graph = &cuda_graph_ops,
    .exec = &cuda_exec_ops,
};
