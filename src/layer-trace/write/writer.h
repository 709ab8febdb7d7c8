/* SPDX-License-Identifier: Apache-2.0
 *
 * A file that records become events in, in the format of trace events that Perfetto and
 * chrome://tracing read: an array with one event a line.  A viewer takes it without its last
 * line as well, as a process leaves it that is killed.
 */
#ifndef TR_WRITER_H
#define TR_WRITER_H

#include "layer-trace/record/record.h"
#include "layer-trace/write/arrows.h"
#include "layer-trace/write/out.h"
#include "layer-trace/write/places.h"
#include "layer-trace/write/tracks.h"

/* Nothing in here is for two threads at a time. */
struct tr_writer {
    struct tr_out out;
    uint64_t start_ns;       /* is 0 in the file */
    uint64_t host;           /* the number of the process in the file */
    uint64_t lanes;          /* that got a number */
    struct tr_tracks tracks;
    struct tr_lanes waits;   /* of the host */
    struct tr_arrows arrows;
    struct tr_places places;
    uint64_t lost;           /* records that there was no memory for */
};

/* Begins a file that is open, or goes on with one that was ended, behind its last event.  Returns
 * NULL if memory is short. */
struct tr_writer *tr_writer_create(int file, bool goes_on, uint64_t start_ns);

/* Ends the file, closes it and frees the writer.  Returns what writing failed with, or 0. */
int tr_writer_finish(struct tr_writer *writer);

/* What is behind the last event of a file that was ended. */
#define TR_LAST_LINE "\n]\n"

void tr_writer_add(struct tr_writer *writer, unsigned platform, const struct tr_record *record);

/* Adds arrows to waits, once all rings of the platform were emptied. */
void tr_writer_add_arrows(struct tr_writer *writer, unsigned platform);

#endif
