/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions about devices.
 */
#include <stdio.h>
#include <string.h>

#include "standin/context/current.h"
#include "standin/object/device_attribute.h"

/* Asks rill, which refuses the call inside a host function. */
ENTRY(cuDeviceGetCount, (int *count), (count))
{
    CUresult status = si_check_ready();
    if (status) return status;
    return count ? rill_device_count(si_platform, count) : RILL_ERROR_INVALID_VALUE;
}

ENTRY(cuDeviceGet, (CUdevice *device, int ordinal), (device, ordinal))
{
    CUresult status = si_check_ready();
    if (!status) status = si_check_outside();
    if (status) return status;
    if (!device) return RILL_ERROR_INVALID_VALUE;
    if (!si_device(ordinal)) return RILL_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return RILL_SUCCESS;
}

/* ---- Names ----------------------------------------------------------------------- */

/* Writes as much of the text as fits. */
static CUresult write_text(const char *text, char *out, int room)
{
    if (!out || room <= 0) return RILL_ERROR_INVALID_VALUE;
    snprintf(out, (size_t)room, "%s", text);
    return RILL_SUCCESS;
}

ENTRY(cuDeviceGetName, (char *name, int room, CUdevice number), (name, room, number))
{
    struct si_device *device;
    CUresult status = si_check_ready();
    if (!status && !name) status = RILL_ERROR_INVALID_VALUE; /* comes before a wrong device */
    if (!status) status = si_find_device(number, &device);
    return status ? status : write_text(device->info.name, name, room);
}

ENTRY(cuDeviceGetPCIBusId, (char *id, int room, CUdevice number), (id, room, number))
{
    struct si_device *device;
    CUresult status = si_find_device(number, &device);
    if (status) return status;
    if (room <= (int)strlen(device->info.bus_id)) return RILL_ERROR_INVALID_VALUE; /* all or none */
    return write_text(device->info.bus_id, id, room);
}

ENTRY(cuDeviceGetByPCIBusId, (CUdevice *device, const char *text), (device, text))
{
    struct si_bus_id wanted;
    CUresult status = si_check_ready();
    if (status) return status;
    if (!device || !text || !si_read_bus_id(text, &wanted)) return RILL_ERROR_INVALID_VALUE;
    for (int i = 0; i < si_device_count; i++) {
        struct si_bus_id id = si_device_bus_id(&si_devices[i]);
        if (id.domain != wanted.domain || id.bus != wanted.bus || id.slot != wanted.slot) continue;
        *device = i;
        return RILL_SUCCESS;
    }
    return RILL_ERROR_INVALID_DEVICE;
}

ENTRY(cuDeviceGetUuid_v2, (CUuuid *uuid, CUdevice number), (uuid, number))
{
    struct si_device *device;
    CUresult status = si_find_device(number, &device);
    if (status) return status;
    if (!uuid) return RILL_ERROR_INVALID_VALUE;
    memcpy(uuid->bytes, device->info.uuid, sizeof uuid->bytes);
    return RILL_SUCCESS;
}

SAME_AS(cuDeviceGetUuid, cuDeviceGetUuid_v2, (CUuuid *uuid, CUdevice device), (uuid, device))

/* ---- Size and shape -------------------------------------------------------------- */

/* Answers 0 when it fails. */
ENTRY(cuDeviceTotalMem_v2, (size_t *bytes, CUdevice number), (bytes, number))
{
    struct si_device *device;
    CUresult status = si_find_device(number, &device);
    if (bytes) *bytes = status ? 0 : device->info.memory_bytes;
    if (status) return status;
    return bytes ? RILL_SUCCESS : RILL_ERROR_INVALID_VALUE;
}

/* Answers as much as 32 bits can say. */
ENTRY(cuDeviceTotalMem, (unsigned *bytes, CUdevice number), (bytes, number))
{
    size_t all;
    CUresult status = cuDeviceTotalMem_v2(bytes ? &all : NULL, number);
    if (!status) *bytes = all > UINT32_MAX ? UINT32_MAX : (unsigned)all;
    return status;
}

ENTRY(cuDeviceComputeCapability, (int *major, int *minor, CUdevice number), (major, minor, number))
{
    struct si_device *device;
    CUresult status = si_find_device(number, &device);
    if (status) return status;
    if (!major || !minor) return RILL_ERROR_INVALID_VALUE;
    *major = device->info.compute_major;
    *minor = device->info.compute_minor;
    return RILL_SUCCESS;
}

ENTRY(cuDeviceGetAttribute,
      (int *value, int attribute, CUdevice number), (value, attribute, number))
{
    struct si_device *device;
    CUresult status = si_check_ready();
    if (!status && !value) status = RILL_ERROR_INVALID_VALUE; /* comes before a wrong device */
    if (!status) status = si_find_device(number, &device);
    if (!status) status = si_check_outside();
    if (status) return status;
    return si_device_attribute(device, attribute, value) ? RILL_SUCCESS
                                                         : RILL_ERROR_INVALID_VALUE;
}

/* What the oldest programs ask for; the numbers are those of the attributes. */
ENTRY(cuDeviceGetProperties, (CUdevprop *properties, CUdevice number), (properties, number))
{
    static const int attributes[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14 };
    enum { COUNT = sizeof attributes / sizeof attributes[0] };
    struct si_device *device;
    int values[COUNT];
    _Static_assert(sizeof values == sizeof *properties, "one number for each attribute");
    CUresult status = si_find_device(number, &device);
    if (status) return status;
    if (!properties) return RILL_ERROR_INVALID_VALUE;
    for (int i = 0; i < COUNT; i++) si_device_attribute(device, attributes[i], &values[i]);
    memcpy(properties, values, sizeof values);
    return RILL_SUCCESS;
}

/* A context cannot have fewer multiprocessors than the device, nor a share of anything else
 * that a type could stand for. */
ENTRY(cuDeviceGetExecAffinitySupport, (int *can, int type, CUdevice number), (can, type, number))
{
    struct si_device *device;
    CUresult status = si_find_device(number, &device);
    if (status) return status;
    if (!can) return RILL_ERROR_INVALID_VALUE;
    (void)type;
    *can = 0;
    return RILL_SUCCESS;
}
