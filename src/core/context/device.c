/* SPDX-License-Identifier: Apache-2.0 */
#include "core/object/check.h"
#include "core/object/error.h"
#include "core/object/options.h"

rill_status rill_device_count(rill_platform *platform, int *count)
{
    rill_status status = rl_check(platform, RILL_OBJECT_PLATFORM, "platform");
    if (!status) status = rl_required(count, "count");
    if (!status) status = rl_backend(platform)->device->count(platform, count);
    return rl_finish(__func__, platform, status);
}

rill_status rill_device_get_info(rill_platform *platform, int device, rill_device_info *info)
{
    rill_device_info full = { .size = sizeof full };
    rill_status status = rl_check(platform, RILL_OBJECT_PLATFORM, "platform");
    if (!status) status = rl_required(info, "info");
    if (!status) status = rl_check_output(info, sizeof full, "info->size");
    if (!status) status = rl_backend(platform)->device->info(platform, device, &full);
    if (!status) rl_write_output(info, &full, sizeof full);
    return rl_finish(__func__, platform, status);
}

rill_status rill_device_can_access_peer(rill_platform *platform, int device, int peer, int *can)
{
    rill_status status = rl_check(platform, RILL_OBJECT_PLATFORM, "platform");
    if (!status) status = rl_required(can, "can");
    if (!status)
        status = rl_need(platform, rl_backend(platform)->device->can_access_peer != NULL, __func__);
    if (!status)
        status = rl_backend(platform)->device->can_access_peer(platform, device, peer, can);
    return rl_finish(__func__, platform, status);
}
