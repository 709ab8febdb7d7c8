/* SPDX-License-Identifier: Apache-2.0
 *
 * Segments that processes share, as file descriptors.
 *
 * The file has the memory and, behind it, a label.  Its size is fixed for good, so that no
 * process can take the memory away from another.
 */
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend-sim/vmem/segment.h"
#include "base/alloc.h"
#include "base/memory_file.h"

struct label {
    char what[24];
    uint64_t bytes;
    int32_t device, reserved;
};

static const char what_it_is[24] = "rill device memory 1";

static bool write_label(int file, uint64_t bytes, int device)
{
    struct label label = { .bytes = bytes, .device = device };
    memcpy(label.what, what_it_is, sizeof label.what);
    return rl_memory_file_grow(file, bytes + sizeof label) &&
           pwrite(file, &label, sizeof label, (off_t)bytes) == (ssize_t)sizeof label &&
           rl_memory_file_seal(file);
}

int sim_share_make(uint64_t bytes, int device)
{
    int file = rl_memory_file_open("rill shared device memory");
    if (file < 0 || write_label(file, bytes, device)) return file;
    close(file);
    return -1;
}

rill_status sim_share_export(struct segment *segment, int *file)
{
    if (segment->extent)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "handle",
                                 "the memory was not made to be shared: set options->shareable");
    int copy = fcntl(segment->file, F_DUPFD_CLOEXEC, 0);
    if (copy < 0)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL,
                                 "the process can have no more file descriptors");
    *file = copy;
    return RILL_SUCCESS;
}

/* Reads the label of a file.  Returns false if it has none. */
static bool read_label(int file, const struct stat *status, struct label *label)
{
    if (status->st_size <= (off_t)sizeof *label || !rl_memory_file_is_sealed(file)) return false;
    off_t at = status->st_size - (off_t)sizeof *label;
    return pread(file, label, sizeof *label, at) == (ssize_t)sizeof *label &&
           !memcmp(label->what, what_it_is, sizeof label->what) && label->bytes == (uint64_t)at &&
           label->bytes % VMEM_GRAIN == 0;
}

/* Returns the segment that has this very file, or NULL. */
static struct segment *find_sharing(struct vmem *vmem, const struct stat *status)
{
    struct stat other;
    for (struct range *name = rl_ranges_from(&vmem->segments, 0); name;
         name = rl_range_next(name)) {
        struct segment *segment = sim_segment_of(name);
        if (!segment->extent && !fstat(segment->file, &other) &&
            other.st_ino == status->st_ino && other.st_dev == status->st_dev)
            return segment;
    }
    return NULL;
}

static rill_status fail_import(int file)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "file",
                             "%d is no file descriptor of memory that was exported", file);
}

rill_status sim_share_import(struct sim_platform *platform, int file, struct segment **out)
{
    struct stat status;
    struct label label;
    if (fstat(file, &status) || !read_label(file, &status, &label)) return fail_import(file);
    rill_status wrong = sim_check_device(platform, label.device, RILL_ERROR_NOT_SUPPORTED, "file");
    if (wrong) return wrong;
    *out = find_sharing(platform->vmem, &status);
    if (*out) {
        (*out)->handles++;
        return RILL_SUCCESS;
    }
    struct segment *segment = rl_zalloc(sizeof *segment);
    int copy = segment ? fcntl(file, F_DUPFD_CLOEXEC, 0) : -1;
    if (copy < 0) {
        rl_free(segment);
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL,
                                 "no memory, or no file descriptor, to note memory");
    }
    *segment = (struct segment){ .device = label.device, .bytes = label.bytes, .file = copy };
    sim_segment_add(platform->vmem, segment);
    *out = segment;
    return RILL_SUCCESS;
}
