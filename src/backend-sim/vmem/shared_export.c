/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/vmem/shared.h"

#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "backend-sim/memory/address_map.h"
#include "backend-sim/vmem/drain.h"
#include "base/alloc.h"
#include "base/memory_file.h"

/* Pages that are in the file, side by side in both. */
struct moved {
    struct range range; /* must stay first */
    uint64_t at;        /* page of the file */
};

struct shared_export {
    struct shared_export *next;
    uint64_t base;
    struct shared_handle handle;
};

/* ---- The file ------------------------------------------------------------------------------- */

rill_status sim_sharing_open(struct sim_platform *platform)
{
    struct sharing *sharing = rl_zalloc_lines(sizeof *sharing);
    if (!sharing) return RILL_ERROR_OUT_OF_MEMORY;
    sharing->platform = platform;
    sharing->file = -1;
    platform->sharing = sharing;
    return RILL_SUCCESS;
}

void sim_sharing_close(struct sim_platform *platform)
{
    struct sharing *sharing = platform->sharing;
    if (!sharing) return;
    atomic_store(&platform->forget_shared, NULL);
    sim_imports_close(sharing);
    while (sharing->exports) {
        struct shared_export *shared = sharing->exports;
        sharing->exports = shared->next;
        rl_free(shared);
    }
    while (sharing->moved.root) {
        struct range *range = sharing->moved.root;
        rl_ranges_remove(&sharing->moved, range);
        rl_free(range);
    }
    if (sharing->head) munmap(sharing->head, SHARED_HEAD_BYTES);
    if (sharing->file >= 0) close(sharing->file);
    rl_free(sharing);
    platform->sharing = NULL;
}

static rill_status fail_file(void)
{
    return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL,
                             "the system has no file in memory to share, or no room in it");
}

/* Requires sharing->lock. */
static rill_status make_file(struct sharing *sharing)
{
    if (sharing->head) return RILL_SUCCESS;
    if (sharing->file < 0) sharing->file = rl_memory_file_open("rill shared memory");
    if (sharing->file < 0 || !rl_memory_file_grow(sharing->file, SHARED_HEAD_BYTES))
        return fail_file();
    void *head = mmap(NULL, SHARED_HEAD_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, sharing->file,
                      0);
    if (head == MAP_FAILED) return fail_file();
    sharing->head = head;
    sharing->file_pages = SHARED_HEAD_BYTES / SHARED_PAGE;
    if (getrandom(&sharing->head->secret, sizeof sharing->head->secret, GRND_NONBLOCK) < 0)
        sharing->head->secret = (uint64_t)getpid() << 32 ^ (uintptr_t)sharing;
    return RILL_SUCCESS;
}

/* Returns a free record, or NULL.  Requires sharing->lock. */
static struct shared_record *take_record(struct sharing *sharing)
{
    for (uint32_t i = 0; i < SHARED_RECORDS; i++) {
        struct shared_record *record = &sharing->head->records[i];
        if (atomic_load(&record->serial)) continue;
        atomic_store(&record->users, 0);
        atomic_store(&record->freed, 0);
        atomic_store(&record->serial, ++sharing->newest);
        return record;
    }
    return NULL;
}

void sim_shared_end(int file, struct shared_record *record, uint32_t first, uint32_t count)
{
    rl_memory_file_discard(file, first * SHARED_PAGE, count * SHARED_PAGE);
    atomic_store(&record->serial, 0);
}

/* ---- Moving pages --------------------------------------------------------------------------- */

/* Moves pages, none of which is in the file.  Requires sharing->lock, and that nothing runs. */
static bool move_pages(struct sharing *sharing, uint64_t from, uint64_t bytes)
{
    void *address = (void *)(uintptr_t)from;
    const off_t at = (off_t)(sharing->file_pages * SHARED_PAGE);
    struct moved *moved = rl_zalloc(sizeof *moved);
    bool fits = moved && rl_memory_file_grow(sharing->file, (uint64_t)at + bytes);
    for (uint64_t done = 0; fits && done < bytes;) {
        ssize_t some = pwrite(sharing->file, (char *)address + done, bytes - done,
                              at + (off_t)done);
        fits = some > 0;
        done += fits ? (uint64_t)some : 0;
    }
    fits = fits && mmap(address, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                        sharing->file, at) == address;
    if (!fits) {
        rl_free(moved);
        return false;
    }
    moved->range = (struct range){ .base = from, .bytes = bytes };
    moved->at = sharing->file_pages;
    sharing->file_pages += bytes / SHARED_PAGE;
    rl_ranges_add(&sharing->moved, &moved->range);
    return true;
}

/* Moves those pages of a range that are not in the file. */
static bool move_rest(struct sharing *sharing, uint64_t from, uint64_t end)
{
    bool fits = true;
    while (fits && from < end) {
        struct range *there = rl_ranges_at(&sharing->moved, from);
        if (there) {
            from = rl_range_end(there);
            continue;
        }
        struct range *next = rl_ranges_from(&sharing->moved, from);
        const uint64_t to = next && next->base < end ? next->base : end;
        fits = move_pages(sharing, from, to - from);
        from = to;
    }
    return fits;
}

/* Returns the page of the file that holds an address. */
static uint32_t page_of(const struct sharing *sharing, uint64_t address)
{
    const struct moved *moved = (const struct moved *)rl_ranges_at(&sharing->moved, address);
    return (uint32_t)(moved->at + (address - moved->range.base) / SHARED_PAGE);
}

/* ---- Freeing -------------------------------------------------------------------------------- */

/* Takes pages out of what has moved.  Returns false if memory is short; then they stay. */
static bool unlist_pages(struct sharing *sharing, uint64_t from, uint64_t end)
{
    struct moved *moved = (struct moved *)rl_ranges_at(&sharing->moved, from);
    struct moved *rest = moved ? rl_zalloc(sizeof *rest) : NULL;
    if (!rest) return false;
    const uint64_t stop = rl_range_end(&moved->range), base = moved->range.base;
    rl_ranges_remove(&sharing->moved, &moved->range);
    if (end < stop) {
        *rest = (struct moved){ .range = { .base = end, .bytes = stop - end },
                                .at = moved->at + (end - base) / SHARED_PAGE };
        rl_ranges_add(&sharing->moved, &rest->range);
    } else {
        rl_free(rest);
    }
    if (from > base) {
        moved->range = (struct range){ .base = base, .bytes = from - base };
        rl_ranges_add(&sharing->moved, &moved->range);
    } else {
        rl_free(moved);
    }
    return true;
}

/* The pages that nothing else can be on become memory of this process alone.  The first and the
 * last stay where they are. */
static void take_back(struct sharing *sharing, const struct shared_export *shared)
{
    const struct shared_handle *handle = &shared->handle;
    struct shared_record *record = &sharing->head->records[handle->record];
    const uint64_t from = shared->base - handle->lead + SHARED_PAGE;
    const uint32_t count = handle->pages > 2 ? handle->pages - 2 : 0;
    if (count && unlist_pages(sharing, from, from + count * SHARED_PAGE))
        mmap((void *)(uintptr_t)from, count * SHARED_PAGE, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    atomic_store(&record->freed, 1);
    if (!atomic_load(&record->users))
        sim_shared_end(sharing->file, record, handle->at[1], count);
}

/* Makes an allocation that is freed memory of this process alone, if it was shared. */
static void forget_shared(struct sim_platform *platform, uint64_t base)
{
    struct sharing *sharing = platform->sharing;
    rl_lock(&sharing->lock);
    struct shared_export **link = &sharing->exports, *shared;
    while ((shared = *link) && shared->base != base) link = &shared->next;
    if (shared) {
        *link = shared->next;
        take_back(sharing, shared);
        rl_free(shared);
    }
    rl_unlock(&sharing->lock);
}

/* ---- Sharing -------------------------------------------------------------------------------- */

/* Tells whether the pages between the first and the last are side by side in the file: they are if
 * nobody else has them, since pages of an allocation move at once. */
static void write_parts(const struct sharing *sharing, uint64_t first, struct shared_handle *handle)
{
    const uint64_t last = first + (handle->pages - 1) * SHARED_PAGE;
    handle->at[0] = page_of(sharing, first);
    handle->at[1] = handle->pages > 2 ? page_of(sharing, first + SHARED_PAGE) : 0;
    handle->at[2] = handle->pages > 1 ? page_of(sharing, last) : 0;
}

/* Requires sharing->lock, and that nothing runs. */
static rill_status share_pages(struct sharing *sharing, const struct address_info *info,
                               struct shared_export *shared)
{
    const uint64_t first = info->base & ~(SHARED_PAGE - 1);
    const uint64_t end = (info->base + info->bytes + SHARED_PAGE - 1) & ~(SHARED_PAGE - 1);
    struct shared_handle *handle = &shared->handle;
    rill_status status = make_file(sharing);
    if (status) return status;
    if (!move_rest(sharing, first, end)) return fail_file();
    struct shared_record *record = take_record(sharing);
    if (!record)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL,
                                 "%d allocations are shared already", (int)SHARED_RECORDS);
    shared->base = info->base;
    *handle = (struct shared_handle){
        .magic = SHARED_MAGIC, .process = (int32_t)getpid(), .file = sharing->file,
        .device = info->device, .secret = sharing->head->secret,
        .serial = atomic_load(&record->serial), .bytes = info->bytes,
        .record = (uint32_t)(record - sharing->head->records),
        .lead = (uint32_t)(info->base - first), .pages = (uint32_t)((end - first) / SHARED_PAGE),
    };
    write_parts(sharing, first, handle);
    return RILL_SUCCESS;
}

static struct shared_export *find_export(const struct sharing *sharing, uint64_t base)
{
    struct shared_export *shared = sharing->exports;
    while (shared && shared->base != base) shared = shared->next;
    return shared;
}

/* Waits for all work, and moves the pages of an allocation. */
static rill_status make_export(struct sharing *sharing, const struct address_info *info,
                               struct shared_handle *out)
{
    struct shared_export *shared = rl_zalloc(sizeof *shared);
    if (!shared || !sim_vmem_drain(sharing->platform->engine)) {
        rl_free(shared);
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL,
                                 "no memory to note what is shared");
    }
    rl_lock(&sharing->lock);
    struct shared_export *known = find_export(sharing, info->base);
    rill_status status = known ? RILL_SUCCESS : share_pages(sharing, info, shared);
    if (!status) *out = known ? known->handle : shared->handle;
    if (!status && !known) {
        shared->next = sharing->exports;
        sharing->exports = shared;
        atomic_store(&sharing->platform->forget_shared, forget_shared);
        atomic_store(&sharing->platform->has_others, true);
    }
    rl_unlock(&sharing->lock);
    if (status || known) rl_free(shared);
    return status;
}

rill_status sim_share(struct sim_platform *platform, uint64_t address, struct shared_handle *out)
{
    struct sharing *sharing = platform->sharing;
    struct address_info info;
    char words[SIM_DESCRIPTION_MAX];
    if (sysconf(_SC_PAGESIZE) != (long)SHARED_PAGE)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, NULL,
                                 "memory is shared in pages of 4 KiB, which this system has not");
    sim_map_lookup(platform->map, address, &info);
    if (!info.known || info.kind != ALLOCATION_DEVICE)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "address",
                                 "0x%" PRIx64 " cannot be shared in this way: it is %s", address,
                                 sim_describe_address(&info, address, words));
    rl_lock(&sharing->lock);
    const struct shared_export *known = find_export(sharing, info.base);
    if (known) *out = known->handle;
    rl_unlock(&sharing->lock);
    return known ? RILL_SUCCESS : make_export(sharing, &info, out);
}
