/* SPDX-License-Identifier: Apache-2.0
 *
 * Tracks: the rows of a trace.  Each stream has one, and lanes for the nodes of its launches.
 */
#ifndef TR_TRACKS_H
#define TR_TRACKS_H

#include "layer-trace/record/names.h"
#include "layer-trace/write/lanes.h"

struct tr_track {
    struct tr_track *next;
    unsigned platform;           /* its number in the trace, from 0        */
    uint64_t queue;
    uint64_t number;             /* of the track, from 1                   */
    int device;                  /* or -1: not known yet                   */
    bool shown;                  /* its name was written                   */
    const struct tr_name *label; /* or NULL                                */
    struct tr_lanes nodes;
};

enum { TR_TRACK_BUCKETS = 1024 };

struct tr_tracks {
    struct tr_track *buckets[TR_TRACK_BUCKETS];
    struct tr_track *last; /* that was asked for, or NULL */
    uint64_t count;
};

/* Returns the track of a stream; NULL if memory is short. */
struct tr_track *tr_track_of(struct tr_tracks *tracks, unsigned platform, uint64_t queue);

void tr_tracks_fini(struct tr_tracks *tracks);

#endif
