/* SPDX-License-Identifier: Apache-2.0
 *
 * Segments that processes share, as file descriptors.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend-sim/memory/file_label.h"
#include "backend-sim/vmem/segment.h"
#include "base/alloc.h"

static const char what_it_is[] = "rill device memory 1";

int sim_share_make(uint64_t bytes, int device)
{
    return sim_labelled_file(what_it_is, bytes, device);
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

/* Returns the segment that has this very file, or NULL. */
static struct segment *find_sharing(struct vmem *vmem, uint64_t id)
{
    struct stat other;
    for (struct range *name = rl_ranges_from(&vmem->segments, 0); name;
         name = rl_range_next(name)) {
        struct segment *segment = sim_segment_of(name);
        if (!segment->extent && !fstat(segment->file, &other) && other.st_ino == id)
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
    struct file_label label;
    uint64_t id;
    if (!sim_label_read(file, what_it_is, &label, &id) || label.bytes % VMEM_GRAIN)
        return fail_import(file);
    rill_status wrong = sim_check_device(platform, label.device, RILL_ERROR_NOT_SUPPORTED, "file");
    if (wrong) return wrong;
    *out = find_sharing(platform->vmem, id);
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
