/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-trace/write/tracks.h"

#include "base/alloc.h"

static bool is_track_of(const struct tr_track *track, unsigned platform, uint64_t queue)
{
    return track->queue == queue && track->platform == platform;
}

static struct tr_track *make_track(struct tr_tracks *tracks, unsigned platform, uint64_t queue)
{
    struct tr_track *track = rl_zalloc(sizeof *track);
    if (!track) return NULL;
    track->platform = platform;
    track->queue = queue;
    track->device = -1;
    track->number = ++tracks->count;
    return track;
}

struct tr_track *tr_track_of(struct tr_tracks *tracks, unsigned platform, uint64_t queue)
{
    struct tr_track *track = tracks->last;
    if (track && is_track_of(track, platform, queue)) return track;
    struct tr_track **bucket = &tracks->buckets[(queue + 61 * platform) % TR_TRACK_BUCKETS];
    for (track = *bucket; track && !is_track_of(track, platform, queue);) track = track->next;
    if (!track) {
        track = make_track(tracks, platform, queue);
        if (!track) return NULL;
        track->next = *bucket;
        *bucket = track;
    }
    return tracks->last = track;
}

void tr_tracks_fini(struct tr_tracks *tracks)
{
    for (unsigned i = 0; i < TR_TRACK_BUCKETS; i++)
        while (tracks->buckets[i]) {
            struct tr_track *track = tracks->buckets[i];
            tracks->buckets[i] = track->next;
            tr_lanes_fini(&track->nodes);
            rl_free(track);
        }
    tracks->last = NULL;
}
