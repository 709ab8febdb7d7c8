/* SPDX-License-Identifier: Apache-2.0 */
#include "base/words/copy_sides.h"

rill_pointer_info rl_memory_at(const struct rill_backend *beneath, rill_context *context,
                               rill_devptr address)
{
    rill_pointer_info info = { .size = sizeof info };
    const struct rill_memory_ops *memory = beneath->memory;
    if (!memory->pointer_info || memory->pointer_info(context, address, &info)) info.known = 0;
    return info;
}

bool rl_side_is_host(const rill_place *place, const rill_pointer_info *info)
{
    return info->known ? info->kind == RILL_MEMORY_HOST : place->kind != RILL_MEMORY_DEVICE;
}

bool rl_memory_ends_call(const rill_pointer_info *info)
{
    return info->known &&
           (info->kind == RILL_MEMORY_HOST || info->managed || info->sync_memops);
}

bool rl_copy_is_empty(const rill_copy *copy)
{
    return !copy->width || !copy->height || !copy->depth;
}
