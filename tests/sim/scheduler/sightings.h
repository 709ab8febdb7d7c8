/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of observers: what was seen.
 */
#ifndef SIGHTINGS_H
#define SIGHTINGS_H

#include <stdlib.h>
#include <string.h>

#include <rill/sim.h>

#include "conformance/fixture.h"

/* ---- What was seen --------------------------------------------------------- */

#define SIGHTINGS 65536

/* Sightings in the order in which they were made. */
struct album {
    atomic_int count;
    struct sighting {
        rill_sim_sighting seen;
        char label[RILL_LABEL_MAX];
    } sightings[SIGHTINGS];
};

static inline void see(void *data, const rill_sim_sighting *seen)
{
    struct album *album = data;
    int at = atomic_fetch_add(&album->count, 1);
    if (at >= SIGHTINGS) return;
    struct sighting *sighting = &album->sightings[at];
    sighting->seen = *seen;
    if (seen->stream_label) strncpy(sighting->label, seen->stream_label, RILL_LABEL_MAX - 1);
}

static inline struct album *watch(struct fixture *f)
{
    static struct album album;
    const rill_sim_observer observer = { see, &album };
    memset(&album, 0, sizeof album);
    ok(rill_sim_observe(f->platform, &observer));
    return &album;
}

static inline void unwatch(struct fixture *f)
{
    ok(rill_sim_observe(f->platform, NULL));
}

static inline int count_of(struct album *album)
{
    int count = atomic_load(&album->count);
    assert_in_range(count, 0, SIGHTINGS);
    return count;
}

/* The place in the album of a moment of an operation; -1: it was not seen. */
static inline int place_of(struct album *album, uint64_t stream, uint64_t point,
                           rill_sim_moment moment)
{
    for (int i = 0; i < count_of(album); i++) {
        const rill_sim_sighting *seen = &album->sightings[i].seen;
        if (seen->stream == stream && seen->point == point && seen->moment == moment) return i;
    }
    return -1;
}

static inline const rill_sim_sighting *sighting_of(struct album *album, rill_stream *stream,
                                                   uint64_t point, rill_sim_moment moment)
{
    uint64_t id = 0;
    ok(rill_stream_id(stream, &id));
    int place = place_of(album, id, point, moment);
    if (place < 0) fail_msg("operation %d was not seen at moment %d", (int)point, (int)moment);
    return &album->sightings[place].seen;
}

static inline uint64_t id_of(rill_stream *stream)
{
    uint64_t id = 0;
    ok(rill_stream_id(stream, &id));
    return id;
}

/* Each operation once at each moment, in the order of the moments and of their
 * times. */
static inline void check_lives(struct album *album)
{
    for (int i = 0; i < count_of(album); i++) {
        const rill_sim_sighting *first = &album->sightings[i].seen;
        if (first->moment != RILL_SIM_SUBMITTED) continue;
        int before = i;
        for (int moment = RILL_SIM_READY; moment <= RILL_SIM_DONE; moment++) {
            int at = place_of(album, first->stream, first->point, (rill_sim_moment)moment);
            assert_true(at > before);
            assert_true(album->sightings[at].seen.time_ns >= album->sightings[before].seen.time_ns);
            assert_int_equal(album->sightings[at].seen.kind, first->kind);
            assert_ptr_equal(album->sightings[at].seen.name, first->name);
            before = at;
        }
    }
}

/* Nothing began before what it was promised to come after was done. */
static inline void check_promises(struct album *album)
{
    for (int i = 0; i < count_of(album); i++) {
        const rill_sim_sighting *seen = &album->sightings[i].seen;
        if (seen->moment != RILL_SIM_STARTED) continue;
        if (seen->point > 1) {
            int before = place_of(album, seen->stream, seen->point - 1, RILL_SIM_DONE);
            assert_in_range(before, 0, i - 1);
        }
        if (!seen->after.stream) continue;
        assert_int_equal(seen->kind, RILL_OP_EVENT_WAIT);
        int after = place_of(album, seen->after.stream, seen->after.point, RILL_SIM_DONE);
        assert_in_range(after, 0, i - 1);
    }
}

/* ---- Promises -------------------------------------------------------------- */

struct many {
    struct fixture *f;
    rill_stream *streams[8];
    rill_event *events[8];
};

/* ---- Setting up ------------------------------------------------------------ */

static inline rill_status open_sim(int devices, rill_platform **platform)
{
    const rill_sim_options sim = { .size = sizeof sim, .devices = devices };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    return rill_open(&options, platform);
}

static inline int setup(void **state)
{
    static const struct suite_backend backend = { .name = "sim", .open = open_sim };
    suite = &backend;
    return fixture_setup(state, 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, fixture_teardown)

#endif
