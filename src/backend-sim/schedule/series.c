/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/schedule/series.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const adversarial[] = { "early", "late", "serial", "overlap" };
enum { ADVERSARIAL = sizeof adversarial / sizeof *adversarial };

/* One schedule in so many starves a stream, at most. */
#define STARVING_PART 3u

/* One schedule in so many is an order that was given, at most. */
#define ORDERS_PART 4u

/* The depths of the seeds.  A bug that needs one unlikely moment is found sooner with several
 * changes of priority than with few. */
enum { DEPTH_LEAST = 4, DEPTHS = 8 };

/* How many decisions a program is assumed to have if its first run told of none. */
#define DECISIONS 64u

void sim_series_begin(struct series *series, unsigned count)
{
    *series = (struct series){ .count = count };
}

void sim_series_note(struct series *series, uint32_t stream, uint64_t call)
{
    series->steps++;
    series->calls = call;
    if (stream >= 1 && stream <= SERIES_STREAMS_MOST) series->steps_of[stream - 1]++;
}

/* ---- Orders -------------------------------------------------------------------------------- */

unsigned sim_series_room(const struct series *series)
{
    unsigned most = series->count / ORDERS_PART;
    if (most > SERIES_ORDERS_MOST) most = SERIES_ORDERS_MOST;
    return most - series->orders;
}

bool sim_series_add(struct series *series, const char *spec)
{
    if (!sim_series_room(series) || strlen(spec) >= SERIES_SPEC_MAX) return false;
    strcpy(series->order[series->orders++], spec);
    return true;
}

bool sim_series_is_order(const struct series *series, unsigned number)
{
    return number >= ADVERSARIAL && number - ADVERSARIAL < series->orders;
}

/* ---- Streams ------------------------------------------------------------------------------- */

/* Tells whether a stream is starved before another one. */
static bool comes_before(const struct series *series, unsigned one, unsigned other)
{
    uint32_t steps = series->steps_of[one], others = series->steps_of[other];
    return steps > others || (steps == others && one < other);
}

/* Returns the stream that is starved after so many others, or 0 if no other has anything to do. */
static uint32_t stream_after(const struct series *series, unsigned others)
{
    for (unsigned stream = 0; stream < SERIES_STREAMS_MOST; stream++) {
        unsigned before = 0;
        for (unsigned i = 0; i < SERIES_STREAMS_MOST; i++)
            before += i != stream && comes_before(series, i, stream);
        if (before == others) return series->steps_of[stream] ? stream + 1 : 0;
    }
    return 0;
}

static unsigned count_starving(const struct series *series)
{
    unsigned streams = 0, most = series->count / STARVING_PART;
    for (unsigned i = 0; i < SERIES_STREAMS_MOST; i++) streams += series->steps_of[i] > 0;
    return streams < most ? streams : most;
}

/* ---- The order ----------------------------------------------------------------------------- */

void sim_series_write(const struct series *series, unsigned number, char spec[SERIES_SPEC_MAX])
{
    unsigned starving = count_starving(series), before = ADVERSARIAL + series->orders;
    if (number < ADVERSARIAL) {
        snprintf(spec, SERIES_SPEC_MAX, "%s", adversarial[number]);
    } else if (number < before) {
        snprintf(spec, SERIES_SPEC_MAX, "%s", series->order[number - ADVERSARIAL]);
    } else if (number < before + starving) {
        snprintf(spec, SERIES_SPEC_MAX, "starve:%" PRIu32, stream_after(series, number - before));
    } else {
        unsigned seed = number - before - starving + 1;
        uint64_t decisions = series->steps ? series->steps + series->calls : DECISIONS;
        snprintf(spec, SERIES_SPEC_MAX, "pct:%u:%u:%" PRIu64, seed,
                 DEPTH_LEAST + seed % DEPTHS, decisions);
    }
}
