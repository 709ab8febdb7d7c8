/* SPDX-License-Identifier: Apache-2.0 */
#include <sched.h>

#include "base/park.h"
#include "sim/torture.h"

/* ---- The legacy stream ---------------------------------------------------------------- */

#define HANDS 3

/* What one thread put where, and how far that has come. */
struct hand {
    struct legacy *round;
    int number;
    atomic_int before, legacy, after; /* of its own operations */
};

struct legacy {
    struct sized_platform *sized;
    rill_stream *shared, *other; /* blocking; every thread uses both */
    int many;
    struct hand hands[HANDS];
};

/* In the shared stream; some take their time, so that what does not wait for
 * them comes too early. */
static void in_shared(void *data)
{
    struct hand *hand = data;
    for (int i = torture_read(&hand->before) % 8 ? 0 : 400; i; i--) rl_relax();
    torture_count(&hand->before);
}

/* In the legacy stream: what the same thread had put into the shared stream
 * before is done. */
static void after_shared(void *data)
{
    struct hand *hand = data;
    int turn = atomic_fetch_add_explicit(&hand->legacy, 1, memory_order_relaxed) + 1;
    must_be(torture_read(&hand->before) >= turn);
}

/* In the other stream: the legacy operation is done. */
static void after_legacy(void *data)
{
    struct hand *hand = data;
    int turn = atomic_fetch_add_explicit(&hand->after, 1, memory_order_relaxed) + 1;
    must_be(torture_read(&hand->legacy) >= turn);
}

static void check_answers(struct hand *hand, int turn)
{
    rill_stream *legacy = rill_stream_legacy(hand->round->sized->context);
    rill_status status = rill_stream_query(legacy);
    if (status != RILL_ERROR_NOT_READY) must(status);
    must_be(status || torture_read(&hand->before) >= turn);
    if (turn % 16 == 0) {
        must(rill_context_synchronize(hand->round->sized->context));
        must_be(torture_read(&hand->before) >= turn);
    } else if (turn % 16 == 8) {
        must(rill_stream_synchronize(legacy));
        must_be(torture_read(&hand->before) >= turn);
    }
}

static void *use_legacy(void *data)
{
    struct hand *hand = data;
    struct legacy *round = hand->round;
    rill_stream *legacy = rill_stream_legacy(round->sized->context);
    for (int turn = 1; turn <= round->many; turn++) {
        must(rill_launch_host(round->shared, in_shared, hand, NULL));
        if (hand->number == 0) check_answers(hand, turn);
        must(rill_launch_host(legacy, after_shared, hand, NULL));
        must(rill_launch_host(round->other, after_legacy, hand, NULL));
    }
    return NULL;
}

void round_of_legacy(struct sized_platform *sized, unsigned number)
{
    struct legacy round = { .sized = sized, .many = sized_scaled(500) };
    struct crew crew = { .count = 0 };
    (void)number;
    round.shared = sized_stream(sized, 0);
    round.other = sized_stream(sized, 0);
    for (int i = 0; i < HANDS; i++) {
        round.hands[i].round = &round;
        round.hands[i].number = i;
        crew_add(&crew, use_legacy, &round.hands[i]);
    }
    crew_join(&crew);
    must(rill_stream_synchronize(rill_stream_legacy(sized->context)));
    for (int i = 0; i < HANDS; i++) must_be(torture_read(&round.hands[i].after) == round.many);
    must(rill_stream_destroy(&round.shared));
    must(rill_stream_destroy(&round.other));
}

/* ---- A duel over the legacy stream -------------------------------------------------------- */

/* One thread closes a gate in a blocking stream at the moment when another one
 * submits something.  Behind the gate nothing of the legacy stream may run, and
 * no query may say that all is done. */
struct duel {
    struct sized_platform *sized;
    rill_stream *shared, *legacy;
    rill_devptr word; /* holds the number of the last turn whose gate is open */
    atomic_int turn;
    atomic_int ran, other_ran;
    int many;
};

static void *disturb(void *data)
{
    struct duel *duel = data;
    for (int turn = 1; turn <= duel->many; turn++) {
        while (torture_read(&duel->turn) < turn) rl_relax();
        for (int i = turn % 32; i; i--) rl_relax();
        torture_put(turn % 3 ? duel->legacy : duel->shared, &duel->other_ran);
    }
    return NULL;
}

static void check_closed(struct duel *duel, int turn)
{
    for (int look = 0; look < 12; look++) {
        must_be(rill_stream_query(duel->legacy) == RILL_ERROR_NOT_READY);
        must_be(torture_read(&duel->ran) == turn - 1);
        for (int i = 0; i < 20; i++) rl_relax();
    }
}

static void close_and_open(struct duel *duel, int turn)
{
    atomic_store_explicit(&duel->turn, turn, memory_order_relaxed);
    for (int i = turn / 32 % 32; i; i--) rl_relax();
    must(rill_stream_wait_value32(duel->shared, duel->word, (uint32_t)turn, RILL_WAIT_GEQ));
    if (turn % 2) must_be(rill_stream_query(duel->legacy) == RILL_ERROR_NOT_READY);
    torture_put(duel->legacy, &duel->ran);
    check_closed(duel, turn);
    atomic_store(&duel->sized->words[0], (uint32_t)turn);
    must(rill_stream_synchronize(duel->legacy));
    must_be(torture_read(&duel->ran) == turn);
}

void round_of_duels(struct sized_platform *sized, unsigned number)
{
    struct duel duel = { .sized = sized, .legacy = rill_stream_legacy(sized->context),
                         .word = sized->words_at, .many = sized_scaled(400) };
    struct crew crew = { .count = 0 };
    (void)number;
    duel.shared = sized_stream(sized, 0);
    crew_add(&crew, disturb, &duel);
    for (int turn = 1; turn <= duel.many; turn++) close_and_open(&duel, turn);
    crew_join(&crew);
    must(rill_context_synchronize(sized->context));
    must_be(torture_read(&duel.other_ran) == duel.many);
    must(rill_stream_destroy(&duel.shared));
}

/* ---- A context that others use ----------------------------------------------------------- */

#define IDLERS 40

struct context_users {
    struct sized_platform *sized;
    struct crew crew;
    rill_stream *streams[IDLERS];
};

/* Keeps streams of the context coming and going between idle and pending. */
static void *flicker(void *data)
{
    struct context_users *round = data;
    atomic_int ran = 0;
    int put = 0;
    for (int i = 0; crew_goes_on(&round->crew); i++, put++)
        torture_put(round->streams[i % IDLERS], &ran);
    must(rill_context_synchronize(round->sized->context));
    must_be(torture_read(&ran) == put);
    return NULL;
}

/* A synchronize of the context leaves out none that had work before. */
void round_of_contexts(struct sized_platform *sized, unsigned number)
{
    struct context_users round = { .sized = sized };
    rill_stream *mine = sized_stream(sized, RILL_STREAM_NON_BLOCKING);
    atomic_int ran = 0;
    for (int i = 0; i < IDLERS; i++) round.streams[i] = sized_stream(sized, (uint32_t)number % 2);
    for (int i = 0; i < 2; i++) crew_add(&round.crew, flicker, &round);
    for (int turn = 1; turn <= sized_scaled(300); turn++) {
        torture_put(mine, &ran);
        must(rill_context_synchronize(sized->context));
        must_be(torture_read(&ran) == turn);
    }
    atomic_store(&round.crew.stop, true);
    crew_join(&round.crew);
    for (int i = 0; i < IDLERS; i++) must(rill_stream_destroy(&round.streams[i]));
    must(rill_stream_destroy(&mine));
}

/* ---- Two devices --------------------------------------------------------------------------- */

/* A ball that goes to and fro between streams of two devices. */
struct rally {
    struct sized_platform *sized;
    rill_context *context[2];
    int many;
    int ball; /* plain: only the events order its strokes */
};

struct stroke {
    struct rally *rally;
    int number;
};

static void hit(void *data)
{
    struct stroke *stroke = data;
    must_be(stroke->rally->ball == stroke->number);
    stroke->rally->ball++;
}

#define STROKES 300

static void *play_rally(void *data)
{
    struct rally *rally = data;
    static _Thread_local struct stroke strokes[STROKES];
    rill_stream *streams[2];
    rill_event *events[2];
    for (int i = 0; i < 2; i++) {
        must(rill_stream_create(rally->context[i], NULL, &streams[i]));
        must(rill_event_create(rally->context[i], NULL, &events[i]));
    }
    for (int i = 0; i < rally->many; i++) {
        int here = i % 2, there = 1 - here;
        strokes[i] = (struct stroke){ rally, i };
        if (i) must(rill_stream_wait_event(streams[here], events[there], 0));
        must(rill_launch_host(streams[here], hit, &strokes[i], NULL));
        must(rill_event_record(events[here], streams[here], 0));
    }
    must(rill_event_synchronize(events[(rally->many - 1) % 2]));
    must_be(rally->ball == rally->many);
    for (int i = 0; i < 2; i++) {
        must(rill_stream_destroy(&streams[i]));
        must(rill_event_destroy(&events[i]));
    }
    return NULL;
}

void round_of_devices(struct sized_platform *sized, unsigned number)
{
    const rill_context_options far = { .size = sizeof far, .device = 1, .flags = RILL_CONTEXT_OWN };
    struct rally rallies[4];
    struct crew crew = { .count = 0 };
    rill_context *other;
    (void)number;
    must(rill_context_create(sized->platform, &far, &other));
    for (int i = 0; i < 4; i++) {
        rallies[i] = (struct rally){ .sized = sized, .context = { sized->context, other },
                                     .many = sized_scaled(STROKES) };
        if (rallies[i].many > STROKES) rallies[i].many = STROKES;
        crew_add(&crew, play_rally, &rallies[i]);
    }
    for (int i = 0; i < 20; i++) must(rill_context_synchronize(other));
    crew_join(&crew);
    must(rill_context_destroy(&other));
}
