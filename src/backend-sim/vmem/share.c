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

/* As a device on a label: the memory is the host's. */
enum { LABEL_HOST = -1 };

int sim_share_make(uint64_t bytes, const rill_vmem_options *options)
{
    return sim_labelled_file(what_it_is, bytes, options->host ? LABEL_HOST : options->device);
}

rill_status sim_share_export(struct segment *segment, int *file)
{
    if (!sim_segment_can_be_shared(segment))
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "handle",
                                 segment->imported
                                     ? "the memory was imported: export that which it came from"
                                     : "the memory was not made to be shared: set "
                                       "options->shareable");
    int copy = fcntl(segment->file, F_DUPFD_CLOEXEC, 0);
    if (copy < 0)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL,
                                 "the process can have no more file descriptors");
    *file = copy;
    return RILL_SUCCESS;
}

/* Returns a segment of the list that has the file of this one, or NULL. */
static struct segment *find_sharing(const struct vmem *vmem, const struct segment *gone)
{
    struct stat file, other;
    if (fstat(gone->file, &file)) return NULL;
    for (struct range *name = rl_ranges_from(&vmem->segments, 0); name;
         name = rl_range_next(name)) {
        struct segment *segment = sim_segment_of(name);
        if (!segment->extent && !fstat(segment->file, &other) && other.st_ino == file.st_ino)
            return segment;
    }
    return NULL;
}

bool sim_share_leave(const struct vmem *vmem, const struct segment *segment)
{
    struct segment *heir = segment->extent ? NULL : find_sharing(vmem, segment);
    if (heir) heir->counted = true;
    return heir != NULL;
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
    bool host = label.device == LABEL_HOST;
    int device = host ? 0 : label.device;
    rill_status wrong = sim_check_device(platform, device, RILL_ERROR_NOT_SUPPORTED, "file");
    if (wrong) return wrong;
    struct segment *segment = rl_zalloc(sizeof *segment);
    int copy = segment ? fcntl(file, F_DUPFD_CLOEXEC, 0) : -1;
    if (copy < 0) {
        rl_free(segment);
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL,
                                 "no memory, or no file descriptor, to note memory");
    }
    *segment = (struct segment){ .device = device, .host = host, .bytes = label.bytes,
                                 .imported = true, .file = copy };
    sim_segment_add(platform->vmem, segment);
    *out = segment;
    return RILL_SUCCESS;
}
