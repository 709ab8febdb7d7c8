/* SPDX-License-Identifier: Apache-2.0 */
#include <sched.h>
#include <string.h>
#include <time.h>

#include "sim/torture.h"
#include "support/random.h"

/* ---- Waiting for what others submit --------------------------------------------------- */

#define LANES 3

/* A stream that one thread submits to and all others wait for. */
struct lane {
    struct waiting *round;
    rill_stream *stream;
    rill_event *event;    /* recorded over and over behind the latest work  */
    atomic_int submitted; /* raised when the call is over                   */
    atomic_int recorded;  /* what the latest record is behind, or more      */
    atomic_int ran;
};

struct waiting {
    struct sized_platform *sized;
    struct crew submitters, waiters;
    struct lane lanes[LANES];
    int many;
};

static void *submit_to_lane(void *data)
{
    struct lane *lane = data;
    for (int i = 1; i <= lane->round->many; i++) {
        torture_put(lane->stream, &lane->ran);
        atomic_store_explicit(&lane->submitted, i, memory_order_release);
        if (i % 8) continue;
        must(rill_event_record(lane->event, lane->stream, 0));
        atomic_store_explicit(&lane->recorded, i, memory_order_release);
    }
    return NULL;
}

/* Every answer covers at least what was there when it was asked for. */
static void ask_once(struct lane *lane, int how)
{
    int submitted = atomic_load_explicit(&lane->submitted, memory_order_acquire);
    int recorded = atomic_load_explicit(&lane->recorded, memory_order_acquire);
    rill_status status;
    switch (how) {
    case 0:
        must(rill_stream_synchronize(lane->stream));
        must_be(torture_read(&lane->ran) >= submitted);
        break;
    case 1:
        must(rill_event_synchronize(lane->event));
        must_be(torture_read(&lane->ran) >= recorded);
        break;
    case 2:
        must(rill_context_synchronize(lane->round->sized->context));
        must_be(torture_read(&lane->ran) >= submitted);
        break;
    case 3:
        status = rill_stream_query(lane->stream);
        if (status != RILL_ERROR_NOT_READY) must(status);
        must_be(status || torture_read(&lane->ran) >= submitted);
        break;
    default:
        status = rill_event_query(lane->event);
        if (status != RILL_ERROR_NOT_READY) must(status);
        must_be(status || torture_read(&lane->ran) >= recorded);
    }
}

static void *wait_for_lanes(void *data)
{
    struct waiting *round = data;
    struct dice dice = { (uintptr_t)&dice };
    while (crew_goes_on(&round->waiters))
        ask_once(&round->lanes[dice_below(&dice, LANES)], dice_below(&dice, 5));
    return NULL;
}

static void *destroy_others(void *data)
{
    struct waiting *round = data;
    struct dice dice = { 1 };
    atomic_int ran = 0;
    int put = 0;
    while (crew_goes_on(&round->waiters)) {
        rill_stream *stream = sized_stream(round->sized, (uint32_t)dice_below(&dice, 2));
        must(rill_stream_wait_event(stream, round->lanes[dice_below(&dice, LANES)].event, 0));
        torture_put(stream, &ran);
        put++;
        must(rill_stream_destroy(&stream));
    }
    must(rill_context_synchronize(round->sized->context));
    must_be(torture_read(&ran) == put);
    return NULL;
}

static void open_lane(struct waiting *round, int i)
{
    struct lane *lane = &round->lanes[i];
    const rill_event_options patient = { .size = sizeof patient,
                                         .flags = RILL_EVENT_BLOCKING_SYNC };
    const rill_attribute block = { .id = RILL_ATTRIBUTE_SYNC_POLICY,
                                   .sync_policy = RILL_SYNC_BLOCK };
    lane->round = round;
    lane->stream = sized_stream(round->sized, i == 0 ? 0 : RILL_STREAM_NON_BLOCKING);
    if (i == 1) must(rill_stream_set_attribute(lane->stream, &block));
    must(rill_event_create(round->sized->context, i == 1 ? &patient : NULL, &lane->event));
}

void round_of_waiting(struct sized_platform *sized, unsigned number)
{
    struct waiting round = { .sized = sized, .many = sized_scaled(2000) };
    (void)number;
    for (int i = 0; i < LANES; i++) open_lane(&round, i);
    for (int i = 0; i < LANES; i++) crew_add(&round.submitters, submit_to_lane, &round.lanes[i]);
    for (int i = 0; i < 3; i++) crew_add(&round.waiters, wait_for_lanes, &round);
    crew_add(&round.waiters, destroy_others, &round);
    crew_join(&round.submitters);
    atomic_store(&round.waiters.stop, true);
    crew_join(&round.waiters);
    for (int i = 0; i < LANES; i++) {
        must(rill_stream_synchronize(round.lanes[i].stream));
        must_be(torture_read(&round.lanes[i].ran) == round.many);
        must(rill_stream_destroy(&round.lanes[i].stream));
        must(rill_event_destroy(&round.lanes[i].event));
    }
}

/* ---- Pings --------------------------------------------------------------------------------- */

/* The next operation comes the moment the last one ran: while its runner finds
 * out that nothing is left.  Nobody helps: the threads only look. */
struct ping {
    rill_stream *stream;
    atomic_int ran;
    int many;
};

static void *ping(void *data)
{
    struct ping *ping = data;
    for (int i = 0; i < ping->many; i++) {
        torture_put(ping->stream, &ping->ran);
        /* Now and then the runner gets far enough to go to rest. */
        for (int k = i % 64; k; k--) atomic_load(&ping->ran);
        while (torture_read(&ping->ran) <= i)
            if (i % 2) sched_yield();
    }
    return NULL;
}

struct pong {
    struct ping *ping;
    int me;
};

static void *ping_pong(void *data)
{
    struct pong *pong = data;
    struct ping *ping = pong->ping;
    for (int i = pong->me; i < ping->many; i += 2) {
        while (torture_read(&ping->ran) < i) sched_yield();
        torture_put(ping->stream, &ping->ran);
    }
    return NULL;
}

void round_of_pings(struct sized_platform *sized, unsigned number)
{
    struct ping alone[2], shared = { .many = sized_scaled(100) };
    struct pong pongs[2] = { { &shared, 0 }, { &shared, 1 } };
    struct crew crew = { .count = 0 };
    (void)number;
    shared.stream = sized_stream(sized, 0);
    for (int i = 0; i < 2; i++) {
        alone[i] = (struct ping){ .stream = sized_stream(sized, RILL_STREAM_NON_BLOCKING),
                                  .many = sized_scaled(200) };
        crew_add(&crew, ping, &alone[i]);
        crew_add(&crew, ping_pong, &pongs[i]);
    }
    crew_join(&crew);
    must(rill_stream_synchronize(shared.stream));
    must_be(torture_read(&shared.ran) == shared.many);
    for (int i = 0; i < 2; i++) must(rill_stream_destroy(&alone[i].stream));
    must(rill_stream_destroy(&shared.stream));
}

/* ---- Half the work ------------------------------------------------------------------------- */

struct half {
    struct sized_platform *sized;
    int many;
};

/* Who waits for the first of two operations may run it himself, and lets go of
 * the stream in the middle: the other one is for the workers, whoever of them
 * is just looking for work. */
static void *do_half(void *data)
{
    struct half *half = data;
    rill_stream *stream = sized_stream(half->sized, RILL_STREAM_NON_BLOCKING);
    rill_event *event = sized_event(half->sized);
    atomic_int ran = 0;
    for (int i = 0; i < half->many; i++) {
        torture_put(stream, &ran);
        must(rill_event_record(event, stream, 0));
        torture_put(stream, &ran);
        must(rill_event_synchronize(event));
        must_be(torture_read(&ran) > 2 * i);
        while (torture_read(&ran) < 2 * i + 2) sched_yield();
    }
    must(rill_event_destroy(&event));
    must(rill_stream_destroy(&stream));
    return NULL;
}

void round_of_halves(struct sized_platform *sized, unsigned number)
{
    struct half half = { sized, sized_scaled(60) };
    struct crew crew = { .count = 0 };
    (void)number;
    for (int i = 0; i < 4; i++) crew_add(&crew, do_half, &half);
    crew_join(&crew);
}

/* ---- After a rest -------------------------------------------------------------------------- */

/* Long enough for the last worker on watch to go to sleep, or nearly. */
void round_of_rest(struct sized_platform *sized, unsigned number)
{
    rill_stream *streams[3];
    atomic_int ran = 0;
    struct timespec rest = { .tv_nsec = 50000000 + (long)(number % 16) * 300000 };
    for (int i = 0; i < 3; i++) streams[i] = sized_stream(sized, 0);
    int gate = sized_gate(sized, streams[1]);
    torture_put(streams[0], &ran);
    torture_put(streams[1], &ran);
    nanosleep(&rest, NULL);
    must_be(torture_read(&ran) == 1);
    sized_open_gate(sized, gate);
    while (torture_read(&ran) < 2) sched_yield();
    nanosleep(&rest, NULL);
    for (int i = 0; i < 3; i++) torture_put(streams[i], &ran);
    while (torture_read(&ran) < 5) sched_yield();
    for (int i = 0; i < 3; i++) must(rill_stream_destroy(&streams[i]));
}

/* ---- Gates --------------------------------------------------------------------------------- */

#define GATED 8

struct gates {
    struct sized_platform *sized;
    rill_stream *streams[GATED];
    int gates[GATED][SIZED_GATES / GATED];
    int many;
    atomic_int ran[GATED];
};

struct opener {
    struct gates *round;
    int first;
};

static void *open_gates(void *data)
{
    struct opener *opener = data;
    struct gates *round = opener->round;
    struct dice dice = { (uint64_t)opener->first };
    for (int g = 0; g < round->many; g++)
        for (int i = opener->first; i < GATED; i += 2) {
            sized_open_gate(round->sized, round->gates[i][g]);
            if (dice_chance(&dice, 30)) sched_yield();
        }
    return NULL;
}

static void *pass_gates(void *data)
{
    struct opener *opener = data;
    struct gates *round = opener->round;
    for (int i = opener->first; i < GATED; i += 2) {
        must(rill_stream_synchronize(round->streams[i]));
        must_be(torture_read(&round->ran[i]) == round->many);
    }
    return NULL;
}

/* Streams that stand at gates, which others open while others wait. */
void round_of_gates(struct sized_platform *sized, unsigned number)
{
    struct gates round = { .sized = sized, .many = SIZED_GATES / GATED };
    struct opener openers[2] = { { &round, 0 }, { &round, 1 } };
    struct crew crew = { .count = 0 };
    for (int i = 0; i < GATED; i++) {
        round.streams[i] = sized_stream(sized, (uint32_t)(i + (int)number) % 2);
        for (int g = 0; g < round.many; g++) {
            round.gates[i][g] = sized_gate(sized, round.streams[i]);
            torture_put(round.streams[i], &round.ran[i]);
        }
    }
    for (int i = 0; i < 2; i++) {
        crew_add(&crew, open_gates, &openers[i]);
        crew_add(&crew, pass_gates, &openers[i]);
    }
    crew_join(&crew);
    for (int i = 0; i < GATED; i++) must(rill_stream_destroy(&round.streams[i]));
}
