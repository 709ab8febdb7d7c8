/* SPDX-License-Identifier: Apache-2.0
 *
 * Segments: memory of a device without an address.
 *
 * What is not shareable lies in one file in memory, since a program may have more of it than a
 * process has file descriptors.  What is shareable is a file of its own: the memory, and behind
 * it a page that tells other processes what it is (share.c).
 */
#ifndef SIM_SEGMENT_H
#define SIM_SEGMENT_H

#include "backend-sim/machine/machine.h"
#include "backend-sim/vmem/vmem.h"

struct segment {
    struct range name;     /* base: its handle; must stay first */
    int device;
    bool host;             /* it is the host's, and no device counts it          */
    bool tiles;            /* it is for arrays, and is never mapped              */
    bool imported;         /* from a file                                        */
    uint64_t bytes;
    int file;
    uint64_t offset;       /* in the file                                        */
    struct extent *extent; /* of vmem->file, or NULL: the file is its own        */

    /* ---- vmem->lock ---- */
    bool counted;               /* against the device: not what another process made */
    uint64_t handles, mappings; /* that keep it                                      */
};

static inline struct segment *sim_segment_of(struct range *name)
{
    return (struct segment *)name;
}

/* Tells whether the memory can be exported; what was imported cannot, as the driver has it. */
static inline bool sim_segment_can_be_shared(const struct segment *segment)
{
    return !segment->extent && !segment->imported;
}

/* All of these require vmem->lock. */

/* Makes a segment with one handle.  Fails with a note. */
rill_status sim_segment_make(struct sim_platform *platform, uint64_t bytes,
                             const rill_vmem_options *options, struct segment **segment);

/* Gives a segment a handle, and lists it. */
void sim_segment_add(struct vmem *vmem, struct segment *segment);

/* Finds the segment of a handle that was given out and not given back.  Fails with a note. */
rill_status sim_segment_find(struct vmem *vmem, rill_vmem_handle handle,
                             struct segment **segment);

/* Frees the segment if nothing keeps it. */
void sim_segment_settle(struct sim_platform *platform, struct segment *segment);

/* Does so in any case. */
void sim_segment_free(struct sim_platform *platform, struct segment *segment);

/* ---- Sharing (share.c) --------------------------------------------------------------- */

/* Makes the file of a shareable segment.  Returns -1 if the system refuses. */
int sim_share_make(uint64_t bytes, const rill_vmem_options *options);

rill_status sim_share_export(struct segment *segment, int *file);

/* Makes a segment of a file.  One that came from this process is another one than the segment that
 * was exported, with a handle of its own, as the driver has it. */
rill_status sim_share_import(struct sim_platform *platform, int file, struct segment **segment);

/* Has another segment of the same file count the memory of one that has left the list.  Returns
 * false if there is none. */
bool sim_share_leave(const struct vmem *vmem, const struct segment *segment);

#endif
