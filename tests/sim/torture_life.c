/* SPDX-License-Identifier: Apache-2.0 */
#include <sched.h>
#include <string.h>

#include "sim/torture.h"
#include "support/random.h"

/* ---- Streams and events that end while they are pending --------------------------------- */

struct makers {
    struct sized_platform *sized;
    int many;
    atomic_int ran;
};

/* Each stream waits for the one before it, which is gone by then. */
static void *make_and_destroy(void *data)
{
    struct makers *round = data;
    rill_event *before = NULL;
    for (int i = 0; i < round->many; i++) {
        rill_stream *stream = sized_stream(round->sized, (uint32_t)i % 2);
        rill_event *event = sized_event(round->sized);
        if (before) must(rill_stream_wait_event(stream, before, 0));
        torture_put(stream, &round->ran);
        must(rill_event_record(event, stream, 0));
        must(rill_event_destroy(&before));
        before = event;
        must(rill_stream_destroy(&stream));
    }
    must(rill_event_synchronize(before));
    must(rill_event_destroy(&before));
    return NULL;
}

void round_of_streams(struct sized_platform *sized, unsigned number)
{
    struct makers round = { .sized = sized, .many = sized_scaled(400) };
    struct crew crew = { .count = 0 };
    (void)number;
    for (int i = 0; i < 4; i++) crew_add(&crew, make_and_destroy, &round);
    crew_join(&crew);
    must_be(torture_read(&round.ran) == 4 * round.many);
}

/* ---- Threads that end, with default streams of their own ----------------------------------- */

struct guests {
    rill_context *context[2];
    atomic_int ran, left;
};

static void *use_thread_streams(void *data)
{
    struct guests *guests = data;
    for (int i = 0; i < 6; i++) {
        rill_stream *mine = rill_stream_per_thread(guests->context[i % 2]);
        torture_put(mine, &guests->ran);
        torture_put(rill_stream_legacy(guests->context[i % 2]), &guests->ran);
        if (i == 4) must(rill_stream_synchronize(mine));
    }
    /* The context may be gone before the thread is, and the other way round. */
    atomic_fetch_add(&guests->left, 1);
    return NULL;
}

void round_of_thread_streams(struct sized_platform *sized, unsigned number)
{
    const rill_context_options own = { .size = sizeof own, .flags = RILL_CONTEXT_OWN };
    const int threads = 6;
    (void)number;
    for (int turn = 0; turn < sized_scaled(20); turn++) {
        struct guests guests = { .context = { NULL, sized->context } };
        struct crew crew = { .count = 0 };
        must(rill_context_create(sized->platform, &own, &guests.context[0]));
        for (int i = 0; i < threads; i++) crew_add(&crew, use_thread_streams, &guests);
        while (atomic_load(&guests.left) < threads) sched_yield();
        must(rill_context_destroy(&guests.context[0]));
        must(rill_context_synchronize(sized->context));
        must_be(torture_read(&guests.ran) == threads * 12);
        crew_join(&crew);
    }
}

/* ---- Platforms ------------------------------------------------------------------------------- */

static void *open_and_close(void *data)
{
    const rill_sim_options sim = { .size = sizeof sim, .workers = 1 + (int)(uintptr_t)data };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    for (int turn = 0; turn < sized_scaled(15); turn++) {
        rill_platform *platform;
        rill_context *context;
        rill_stream *stream;
        atomic_int ran = 0;
        must(rill_open(&options, &platform));
        must(rill_context_create(platform, NULL, &context));
        must(rill_stream_create(context, NULL, &stream));
        for (int i = 0; i < 10; i++)
            torture_put(i % 2 ? stream : rill_stream_legacy(context), &ran);
        /* The context keeps the platform, and its end waits for the work. */
        must(rill_close(&platform));
        must(rill_stream_destroy(&stream));
        must(rill_context_destroy(&context));
        must_be(torture_read(&ran) == 10);
    }
    return NULL;
}

void round_of_platforms(struct sized_platform *sized, unsigned number)
{
    struct crew crew = { .count = 0 };
    (void)sized, (void)number;
    for (uintptr_t i = 0; i < 3; i++) crew_add(&crew, open_and_close, (void *)i);
    crew_join(&crew);
}

/* ---- A context that its users share -------------------------------------------------------- */

static void *share_primary(void *data)
{
    struct sized_platform *sized = data;
    for (int turn = 0; turn < sized_scaled(60); turn++) {
        rill_context *context;
        atomic_int ran = 0;
        must(rill_context_create(sized->platform, NULL, &context));
        rill_stream *mine = rill_stream_per_thread(context);
        torture_put(mine, &ran);
        torture_put(rill_stream_legacy(context), &ran);
        if (turn % 3) must(rill_stream_synchronize(rill_stream_legacy(context)));
        else must(rill_context_synchronize(context));
        must_be(torture_read(&ran) == 2);
        must(rill_context_destroy(&context));
    }
    return NULL;
}

void round_of_primaries(struct sized_platform *sized, unsigned number)
{
    struct crew crew = { .count = 0 };
    (void)number;
    for (int i = 0; i < 4; i++) crew_add(&crew, share_primary, sized);
    crew_join(&crew);
}

/* ---- Observers ----------------------------------------------------------------------------- */

#define ALIVE 0x5eeU

struct witness {
    atomic_uint alive;
    atomic_int seen;
};

static void see(void *data, const rill_sim_sighting *sighting)
{
    struct witness *witness = data;
    must_be(atomic_load(&witness->alive) == ALIVE);
    must_be(sighting->size == sizeof *sighting);
    must_be(sighting->name && strlen(sighting->name) > 0);
    must_be(!sighting->stream_label || !strncmp(sighting->stream_label, "observed", 8));
    must_be(sighting->point > 0 && sighting->stream > 0);
    atomic_fetch_add_explicit(&witness->seen, 1, memory_order_relaxed);
}

struct observed {
    struct sized_platform *sized;
    int many;
    atomic_int ran;
};

static void *be_observed(void *data)
{
    struct observed *round = data;
    const rill_stream_options labelled = { .size = sizeof labelled, .label = "observed stream" };
    rill_event *event = sized_event(round->sized);
    for (int i = 0; i < round->many; i++) {
        rill_stream *stream;
        must(rill_stream_create(round->sized->context, &labelled, &stream));
        must(rill_stream_wait_event(stream, event, 0));
        for (int k = 0; k < 5; k++) torture_put(stream, &round->ran);
        must(rill_event_record(event, stream, 0));
        if (i % 3 == 0) must(rill_stream_set_label(stream, "observed under another name"));
        must(rill_stream_destroy(&stream));
    }
    must(rill_event_synchronize(event));
    must(rill_event_destroy(&event));
    return NULL;
}

/* Observers come and go while operations run, and so do the streams they see.
 * Nobody is inside one any more when the call that replaces it returns. */
void round_of_observers(struct sized_platform *sized, unsigned number)
{
    struct observed round = { .sized = sized, .many = sized_scaled(200) };
    struct crew crew = { .count = 0 };
    struct witness witnesses[2];
    (void)number;
    memset(witnesses, 0, sizeof witnesses);
    for (int i = 0; i < 3; i++) crew_add(&crew, be_observed, &round);
    for (int turn = 0; torture_read(&round.ran) < 3 * 5 * round.many; turn++) {
        struct witness *now = &witnesses[turn % 2], *before = &witnesses[1 - turn % 2];
        const rill_sim_observer observer = { see, now };
        atomic_store(&now->alive, ALIVE);
        must(rill_sim_observe(sized->platform, turn % 5 == 4 ? NULL : &observer));
        atomic_store(&before->alive, 0);
        sched_yield();
    }
    must(rill_sim_observe(sized->platform, NULL));
    for (int i = 0; i < 2; i++) atomic_store(&witnesses[i].alive, 0);
    crew_join(&crew);
    must_be(torture_read(&round.ran) == 3 * 5 * round.many);
}
