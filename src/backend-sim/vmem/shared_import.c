/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of other processes.
 */
#include "backend-sim/vmem/shared.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend-sim/memory/address_map.h"
#include "backend-sim/vmem/drain.h"
#include "base/alloc.h"

struct shared_import {
    struct shared_import *next;
    struct shared_handle handle;
    unsigned opened;              /* how often                                     */
    int file;                     /* of the other process                          */
    struct shared_head *head;     /* of that file                                  */
    unsigned char *pages;         /* where they are mapped                         */
    struct allocation allocation; /* in the address map                            */
};

static struct shared_record *record_of(const struct shared_import *import)
{
    return &import->head->records[import->handle.record];
}

/* ---- Finding the file ----------------------------------------------------------------------- */

static rill_status fail_handle(const char *why)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "shared", "%s", why);
}

/* Checks what other processes may have written at will. */
static bool is_plausible(const struct shared_handle *handle)
{
    return handle->magic == SHARED_MAGIC && handle->record < SHARED_RECORDS && handle->pages &&
           handle->lead < SHARED_PAGE && handle->bytes &&
           handle->bytes <= handle->pages * SHARED_PAGE - handle->lead;
}

static bool is_in_file(int file, const struct shared_handle *handle)
{
    struct stat status;
    if (fstat(file, &status) || status.st_size < (off_t)SHARED_HEAD_BYTES) return false;
    const uint64_t pages = (uint64_t)status.st_size / SHARED_PAGE;
    return handle->at[0] < pages && handle->at[2] < pages &&
           (handle->pages < 3 || handle->at[1] + (uint64_t)handle->pages - 2 <= pages);
}

/* Opens the file of the process that shares. */
static rill_status open_file(struct shared_import *import)
{
    const struct shared_handle *handle = &import->handle;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", handle->process, handle->file);
    import->file = open(path, O_RDWR | O_CLOEXEC);
    if (import->file < 0)
        return fail_handle("the process that shares the memory has ended, or is another user's");
    if (!is_in_file(import->file, handle)) return fail_handle("the memory is shared no more");
    void *head = mmap(NULL, SHARED_HEAD_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, import->file, 0);
    if (head == MAP_FAILED) return RILL_ERROR_OUT_OF_MEMORY;
    import->head = head;
    return import->head->secret == handle->secret ? RILL_SUCCESS
                                                  : fail_handle("the memory is shared no more");
}

/* ---- Mapping -------------------------------------------------------------------------------- */

static bool map_part(const struct shared_import *import, uint64_t page, uint64_t count, uint32_t at)
{
    void *where = import->pages + page * SHARED_PAGE;
    return !count || mmap(where, count * SHARED_PAGE, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_FIXED, import->file,
                          (off_t)(at * SHARED_PAGE)) == where;
}

static rill_status map_pages(struct shared_import *import)
{
    const struct shared_handle *handle = &import->handle;
    void *pages = mmap(NULL, handle->pages * SHARED_PAGE, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) return RILL_ERROR_OUT_OF_MEMORY;
    import->pages = pages;
    const bool mapped = map_part(import, 0, 1, handle->at[0]) &&
                        map_part(import, 1, handle->pages > 2 ? handle->pages - 2 : 0,
                                 handle->at[1]) &&
                        (handle->pages < 2 ||
                         map_part(import, handle->pages - 1, 1, handle->at[2]));
    return mapped ? RILL_SUCCESS : RILL_ERROR_OUT_OF_MEMORY;
}

/* Leaves the record, whose pages go if it is the last to do so. */
static void leave_record(const struct shared_import *import)
{
    struct shared_record *record = record_of(import);
    const struct shared_handle *handle = &import->handle;
    if (atomic_fetch_sub(&record->users, 1) == 1 && atomic_load(&record->freed))
        sim_shared_end(import->file, record, handle->at[1],
                       handle->pages > 2 ? handle->pages - 2 : 0);
}

/* Enters the record, which may be another allocation's by now. */
static rill_status enter_record(const struct shared_import *import)
{
    struct shared_record *record = record_of(import);
    atomic_fetch_add(&record->users, 1);
    if (atomic_load(&record->serial) == import->handle.serial) return RILL_SUCCESS;
    atomic_fetch_sub(&record->users, 1);
    return fail_handle("the memory was freed");
}

static void free_import(struct shared_import *import)
{
    if (import->pages) munmap(import->pages, import->handle.pages * SHARED_PAGE);
    if (import->head) munmap(import->head, SHARED_HEAD_BYTES);
    if (import->file >= 0) close(import->file);
    rl_free(import);
}

static rill_status fill_import(struct sharing *sharing, struct shared_import *import)
{
    rill_status status = open_file(import);
    if (!status) status = enter_record(import);
    if (status) return status;
    status = map_pages(import);
    if (status) {
        leave_record(import);
        return status;
    }
    import->allocation.range.base = (uintptr_t)import->pages + import->handle.lead;
    import->allocation.range.bytes = import->handle.bytes;
    import->allocation.kind = ALLOCATION_IMPORTED;
    import->allocation.device = import->handle.device;
    sim_map_add(sharing->platform->map, &import->allocation);
    return RILL_SUCCESS;
}

/* ---- Opening and closing -------------------------------------------------------------------- */

/* Requires sharing->lock. */
static struct shared_import *find_import(const struct sharing *sharing,
                                         const struct shared_handle *handle)
{
    struct shared_import *import = sharing->imports;
    while (import && (import->handle.secret != handle->secret ||
                      import->handle.serial != handle->serial))
        import = import->next;
    return import;
}

/* Requires sharing->lock. */
static rill_status open_import(struct sharing *sharing, const struct shared_handle *handle,
                               struct shared_import **out)
{
    struct shared_import *import = *out = find_import(sharing, handle);
    if (import) return RILL_SUCCESS;
    import = rl_zalloc(sizeof *import);
    if (!import) return RILL_ERROR_OUT_OF_MEMORY;
    import->file = -1;
    import->handle = *handle;
    rill_status status = fill_import(sharing, import);
    if (status) {
        free_import(import);
        return status;
    }
    import->next = sharing->imports;
    sharing->imports = *out = import;
    atomic_store(&sharing->platform->has_others, true);
    return RILL_SUCCESS;
}

rill_status sim_shared_open(struct sim_platform *platform, const struct shared_handle *handle,
                            uint64_t *address)
{
    struct sharing *sharing = platform->sharing;
    struct shared_import *import;
    if (!is_plausible(handle)) return fail_handle("these bytes are no handle of memory");
    if (handle->process == (int32_t)getpid())
        return rill_backend_fail(RILL_ERROR_INVALID_CONTEXT, "shared",
                                 "the memory is this process's own");
    rill_status status = sim_check_device(platform, handle->device, RILL_ERROR_INVALID_VALUE,
                                          "shared");
    if (status) return status;
    rl_lock(&sharing->lock);
    status = open_import(sharing, handle, &import);
    if (!status) {
        import->opened++;
        *address = import->allocation.range.base;
    }
    rl_unlock(&sharing->lock);
    return status;
}

static void end_import(struct sharing *sharing, struct shared_import *import)
{
    sim_map_remove(sharing->platform->map, &import->allocation);
    leave_record(import);
    free_import(import);
}

rill_status sim_shared_close(struct sim_platform *platform, uint64_t address)
{
    struct sharing *sharing = platform->sharing;
    rl_lock(&sharing->lock);
    struct shared_import **link = &sharing->imports, *import;
    while ((import = *link) && import->allocation.range.base != address) link = &import->next;
    if (import && --import->opened) import = NULL, link = NULL;
    else if (import) *link = import->next;
    rl_unlock(&sharing->lock);
    if (!link) return RILL_SUCCESS;
    if (!import)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "address",
                                 "0x%" PRIx64 " is no memory of another process that is open",
                                 address);
    sim_vmem_drain(platform->engine);
    end_import(sharing, import);
    return RILL_SUCCESS;
}

void sim_imports_close(struct sharing *sharing)
{
    while (sharing->imports) {
        struct shared_import *import = sharing->imports;
        sharing->imports = import->next;
        end_import(sharing, import);
    }
}
