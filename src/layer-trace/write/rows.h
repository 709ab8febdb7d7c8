/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of a file: which process and which number each has, and what a viewer calls it.  The
 * host is a process with a row for each thread, and each device is one with a row for each stream.
 * What overlaps has rows of its own: the nodes of launches, and calls that blocked.
 */
#ifndef TR_ROWS_H
#define TR_ROWS_H

#include "layer-trace/write/writer.h"

/* Gives the host its process, and names it. */
void tr_rows_begin(struct tr_writer *writer);

/* Names the process that stands for a device. */
void tr_rows_name_device(struct tr_writer *writer, unsigned platform, int device,
                         const struct tr_name *name);

void tr_rows_name_thread(struct tr_writer *writer, const struct tr_record *record);

/* Names a stream's row, on the device that the track has. */
void tr_rows_name_track(struct tr_writer *writer, struct tr_track *track);

/* Returns the row of a node, or 0 if memory is short. */
uint64_t tr_row_of_node(struct tr_writer *writer, struct tr_track *track,
                        const struct tr_record *record);

/* Returns the row of a call that blocked the host, or 0 if memory is short. */
uint64_t tr_row_of_wait(struct tr_writer *writer, const struct tr_record *record);

/* Returns the number of the process that stands for a device. */
static inline uint64_t tr_process_of(unsigned platform, int device)
{
    return platform * 100u + (unsigned)(device < 0 ? 0 : device);
}

#endif
