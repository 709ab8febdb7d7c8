/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-cuda/memory/vmem_handles.h"

#include <inttypes.h>

#include "base/alloc.h"

struct vmem_handle {
    struct range name; /* the handle, and 1; must stay first */
    size_t count;      /* how often it was given out; vmem_lock */
};

/* Requires vmem_lock. */
static struct vmem_handle *find_handle(const struct cuda_platform *platform,
                                       rill_vmem_handle handle)
{
    return (struct vmem_handle *)rl_ranges_at(&platform->vmem_handles, handle);
}

/* Requires vmem_lock. */
static struct vmem_handle *add_handle(struct cuda_platform *platform, rill_vmem_handle handle)
{
    struct vmem_handle *made = rl_zalloc(sizeof *made);
    if (!made) return NULL;
    made->name.base = handle;
    made->name.bytes = 1;
    rl_ranges_add(&platform->vmem_handles, &made->name);
    return made;
}

bool cuda_vmem_note(struct cuda_platform *platform, rill_vmem_handle handle)
{
    rl_lock(&platform->vmem_lock);
    struct vmem_handle *found = find_handle(platform, handle);
    if (!found) found = add_handle(platform, handle);
    if (found) found->count++;
    rl_unlock(&platform->vmem_lock);
    return found != NULL;
}

/* Requires vmem_lock. */
static void remove_handle(struct cuda_platform *platform, struct vmem_handle *handle)
{
    rl_ranges_remove(&platform->vmem_handles, &handle->name);
    rl_free(handle);
}

void cuda_vmem_forget(struct cuda_platform *platform, rill_vmem_handle handle)
{
    rl_lock(&platform->vmem_lock);
    struct vmem_handle *found = find_handle(platform, handle);
    if (found && !--found->count) remove_handle(platform, found);
    rl_unlock(&platform->vmem_lock);
}

rill_status cuda_vmem_check(struct cuda_platform *platform, rill_vmem_handle handle)
{
    rl_lock(&platform->vmem_lock);
    bool lives = find_handle(platform, handle) != NULL;
    rl_unlock(&platform->vmem_lock);
    if (lives) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "handle",
                             "0x%" PRIx64 " is no handle of memory that this platform has", handle);
}

void cuda_vmem_forget_all(struct cuda_platform *platform)
{
    while (platform->vmem_handles.root)
        remove_handle(platform, (struct vmem_handle *)platform->vmem_handles.root);
}
