/* SPDX-License-Identifier: Apache-2.0
 *
 * Host memory that the devices know: pinned, and registered by the program.
 */
#include <inttypes.h>
#include <unistd.h>

#include "backend-sim/guard/call_guard.h"
#include "backend-sim/memory/guard_bytes.h"
#include "backend-sim/memory/host_memory.h"
#include "backend-sim/memory/host_pages.h"
#include "backend-sim/memory/memory.h"
#include "backend-sim/memory/views.h"
#include "base/alloc.h"
#include "base/asan.h"

#define ALLOC_FLAGS (RILL_HOST_PORTABLE | RILL_HOST_MAPPED | RILL_HOST_WRITE_COMBINED)
#define REGISTER_FLAGS (RILL_HOST_PORTABLE | RILL_HOST_MAPPED | RILL_HOST_READ_ONLY)

/* The last address of programs is below this on every known processor of 64 bits. */
#if UINTPTR_MAX > UINT32_MAX
#define ADDRESS_LAST (((uintptr_t)1 << 57) - 1)
#else
#define ADDRESS_LAST UINTPTR_MAX
#endif

/* Returns how much memory the machine has, and so the most that it can pin, or UINT64_MAX if
 * the system does not say. */
static uint64_t machine_bytes(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
}

static rill_status fail_flags(uint32_t flags, uint32_t known)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "flags",
                             "0x%" PRIx32 " holds bits other than 0x%" PRIx32, flags, known);
}

static rill_status fail_short(size_t bytes)
{
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, "bytes", "the host has no %zu bytes to pin",
                             bytes);
}

/* Makes an allocation without a range.  Returns NULL if memory is short. */
static struct allocation *make_allocation(struct sim_context *context, enum allocation_kind kind)
{
    struct allocation *allocation = rl_zalloc(sizeof *allocation);
    if (!allocation) return NULL;
    allocation->kind = kind;
    allocation->device = context->device->ordinal;
    allocation->context = context;
    return allocation;
}

/* ---- Pinned, and managed -------------------------------------------------------------- */

/* Programs say by pages where they want managed memory. */
#define MANAGED_ALIGNMENT 4096u

/* Returns how much to allocate so that nothing of the program's own heap lies in the last granule
 * of the memory, as nothing does in that of a driver: there are programs that write a little
 * behind the end, and must not fail elsewhere for it.  Where a tool sees the end of the memory,
 * it is not moved. */
static size_t granules(size_t bytes, size_t granule)
{
    if (rl_has_asan() || RL_POISON_GAP) return bytes;
    return bytes > SIZE_MAX - granule ? bytes : (bytes + granule - 1) / granule * granule;
}

/* Allocates the memory.  Returns false if memory is short. */
static bool take_bytes(struct sim_platform *platform, struct allocation *allocation, size_t bytes)
{
    if (__builtin_add_overflow(bytes, sim_guard_bytes(platform), &bytes)) return false;
    if (platform->views) {
        allocation->extent = sim_views_alloc(platform->views, bytes);
        if (allocation->extent) allocation->range.base = allocation->extent->range.base;
        return allocation->extent;
    }
    const size_t granule = allocation->kind == ALLOCATION_MANAGED ? MANAGED_ALIGNMENT
                                                                   : SIM_ALIGNMENT;
    allocation->bytes = rl_alloc_aligned(granules(bytes, granule), granule);
    allocation->range.base = (uintptr_t)allocation->bytes;
    return allocation->bytes;
}

struct allocation *sim_shared_make(struct sim_context *context, size_t bytes,
                                   enum allocation_kind kind, enum allocation_kind split)
{
    struct sim_platform *platform = context->platform;
    struct allocation *allocation = NULL;
    if (bytes <= machine_bytes())
        allocation = make_allocation(context, platform->views ? split : kind);
    if (!allocation) return NULL;
    if (take_bytes(platform, allocation, bytes)) {
        allocation->range.bytes = bytes;
        sim_guard_fill(platform, allocation);
        return allocation;
    }
    rl_free(allocation);
    return NULL;
}

rill_status sim_shared_release(struct sim_platform *platform, struct allocation *allocation,
                               const struct address_info *info)
{
    rill_status status = sim_context_drain(info->context);
    if (status) {
        sim_map_unclaim(platform->map, allocation);
        return status;
    }
    sim_guard_keep(platform, allocation);
    sim_map_remove(platform->map, allocation);
    if (allocation->extent) sim_views_free(platform->views, allocation->extent);
    else sim_defer_free(platform, allocation->bytes);
    rl_free(allocation);
    return RILL_SUCCESS;
}

rill_status sim_host_alloc(rill_context *handle, size_t bytes, uint32_t flags, void **pointer)
{
    struct sim_context *context = sim_context_of(handle);
    rill_status status = sim_enter(context->platform, CALL_HOST_ALLOC);
    if (status) return status;
    if (flags & ~(uint32_t)ALLOC_FLAGS) return fail_flags(flags, ALLOC_FLAGS);
    if (!bytes) {
        *pointer = NULL;
        return RILL_SUCCESS;
    }
    struct allocation *allocation =
        sim_shared_make(context, bytes, ALLOCATION_PINNED, ALLOCATION_SPLIT);
    if (!allocation) return fail_short(bytes);
    allocation->flags = flags | RILL_HOST_MAPPED;
    *pointer = (void *)(uintptr_t)allocation->range.base;
    sim_map_add(context->platform->map, allocation);
    return RILL_SUCCESS;
}

rill_status sim_host_free(rill_context *handle, void *pointer)
{
    struct sim_platform *platform = sim_context_of(handle)->platform;
    rill_status status = sim_enter(platform, CALL_HOST_FREE);
    if (status || !pointer) return status;
    struct address_info info;
    char words[SIM_DESCRIPTION_MAX];
    struct allocation *allocation =
        sim_map_claim(platform->map, (uintptr_t)pointer, ALLOCATION_PINNED | ALLOCATION_SPLIT,
                      &info);
    if (allocation) return sim_shared_release(platform, allocation, &info);
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "pointer",
                             "%p is not the begin of memory from rill_host_alloc(): it is %s",
                             pointer, sim_describe_address(&info, (uintptr_t)pointer, words));
}

/* ---- Registered --------------------------------------------------------------------- */

static rill_status check_arguments(void *pointer, size_t bytes, uint32_t flags)
{
    uintptr_t base = (uintptr_t)pointer, end;
    if (!pointer || !bytes)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, pointer ? "bytes" : "pointer",
                                 "%zu bytes at %p are no memory", bytes, pointer);
    if (flags & RILL_HOST_IO_MEMORY)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "flags",
                                 "there is no memory of other devices here, as 0x%x would have it",
                                 RILL_HOST_IO_MEMORY);
    if (flags & ~(uint32_t)REGISTER_FLAGS) return fail_flags(flags, REGISTER_FLAGS);
    if (__builtin_add_overflow(base, bytes, &end))
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "bytes",
                                 "%zu bytes at %p go beyond the last address", bytes, pointer);
    if (end - 1 > ADDRESS_LAST)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "bytes",
                                 "%zu bytes at %p go beyond what a program can have", bytes,
                                 pointer);
    return RILL_SUCCESS;
}

static rill_status fail_touches(const struct address_info *info, void *pointer, size_t bytes)
{
    unsigned long long base = info->base, size = info->bytes;
    if (info->known && info->kind == ALLOCATION_REGISTERED)
        return rill_backend_fail(RILL_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "pointer",
                                 "%zu bytes at %p touch the %llu bytes at 0x%llx, which are "
                                 "registered", bytes, pointer, size, base);
    if (info->known && info->kind & (ALLOCATION_PINNED | ALLOCATION_SPLIT))
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "pointer",
                                 "%zu bytes at %p touch the %llu bytes at 0x%llx, which are pinned",
                                 bytes, pointer, size, base);
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "pointer",
                             "%zu bytes at %p touch %s", bytes, pointer,
                             info->known && sim_address_is_managed(info) ? "managed memory"
                                                                        : "addresses of a device");
}

static rill_status check_memory(struct address_map *map, void *pointer, size_t bytes,
                                bool read_only)
{
    struct range range = { .base = (uintptr_t)pointer, .bytes = bytes };
    struct address_info info;
    if (sim_map_touches(map, &range, &info)) return fail_touches(&info, pointer, bytes);
    if (bytes > machine_bytes()) return fail_short(bytes);
    if (sim_host_is_there(range.base, range.bytes, !read_only)) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "pointer",
                             "not all of the %zu bytes at %p are memory that can be %s", bytes,
                             pointer, read_only ? "read" : "written");
}

rill_status sim_host_register(rill_context *handle, void *pointer, size_t bytes, uint32_t flags)
{
    struct sim_context *context = sim_context_of(handle);
    rill_status status = sim_enter(context->platform, CALL_HOST_REGISTER);
    if (!status) status = check_arguments(pointer, bytes, flags);
    const bool read_only = flags & RILL_HOST_READ_ONLY;
    if (!status) status = check_memory(context->platform->map, pointer, bytes, read_only);
    if (status) return status;
    struct allocation *allocation = make_allocation(context, ALLOCATION_REGISTERED);
    if (!allocation) return fail_short(bytes);
    allocation->range.base = (uintptr_t)pointer;
    allocation->range.bytes = bytes;
    allocation->flags = (flags & RILL_HOST_PORTABLE) | RILL_HOST_MAPPED;
    allocation->read_only = read_only;
    struct address_info info; /* another thread may have been faster */
    if (sim_map_add_if_apart(context->platform->map, allocation, &info)) return RILL_SUCCESS;
    rl_free(allocation);
    return fail_touches(&info, pointer, bytes);
}

rill_status sim_host_unregister(rill_context *handle, void *pointer)
{
    struct sim_platform *platform = sim_context_of(handle)->platform;
    rill_status status = sim_enter(platform, CALL_HOST_UNREGISTER);
    if (status) return status;
    if (!pointer)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "pointer",
                                 "pointer is NULL; pass the address of the memory");
    struct address_info info;
    char words[SIM_DESCRIPTION_MAX];
    uintptr_t address = (uintptr_t)pointer;
    struct allocation *allocation =
        sim_map_claim(platform->map, address, ALLOCATION_REGISTERED, &info);
    if (allocation) return sim_shared_release(platform, allocation, &info);
    return rill_backend_fail(info.known ? RILL_ERROR_INVALID_VALUE
                                        : RILL_ERROR_HOST_MEMORY_NOT_REGISTERED,
                             "pointer", "%p is not the begin of registered memory: it is %s",
                             pointer, sim_describe_address(&info, address, words));
}

/* ---- Questions ---------------------------------------------------------------------- */

/* Looks up a pointer that must be pinned or registered. */
static rill_status lookup_pointer(rill_context *handle, void *pointer, struct address_info *info)
{
    struct sim_platform *platform = sim_context_of(handle)->platform;
    rill_status status = sim_enter(platform, CALL_MAKE);
    if (status) return status;
    char words[SIM_DESCRIPTION_MAX];
    sim_map_lookup(platform->map, (uintptr_t)pointer, info);
    if (info->known && sim_address_is_host(info)) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "pointer",
                             "%p is neither pinned nor registered: it is %s", pointer,
                             sim_describe_address(info, (uintptr_t)pointer, words));
}

rill_status sim_host_device_pointer(rill_context *handle, void *pointer, rill_devptr *address)
{
    struct address_info info;
    rill_status status = lookup_pointer(handle, pointer, &info);
    if (!status) *address = (uintptr_t)pointer;
    return status;
}

rill_status sim_host_flags(rill_context *handle, void *pointer, uint32_t *flags)
{
    struct address_info info;
    rill_status status = lookup_pointer(handle, pointer, &info);
    if (!status) *flags = info.flags;
    return status;
}
