/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs whose schedule is given: what ran is a word, a letter for each host function, and the
 * trail says in which order the steps were taken.
 */
#ifndef STEERED_H
#define STEERED_H

#include "sim/machine.h"

enum { STREAMS_MOST = 8, LETTERS_MOST = 512, TRAIL_MOST = 1 << 16 };

struct steered {
    rill_platform *platform;
    rill_context *context;
    rill_stream *streams[STREAMS_MOST]; /* non-blocking */
    int count;
    atomic_uint *words;                 /* pinned, 0 at first */
    char trail_path[64];
};

/* What ran so far. */
static char ran[LETTERS_MOST];
static atomic_int ran_count;

static inline void run_letter(void *data)
{
    int at = atomic_fetch_add(&ran_count, 1);
    ran[at % (LETTERS_MOST - 1)] = *(const char *)data;
}

/* Returns what makes run_letter() add the letter. */
static inline char *letter_data(char which)
{
    static char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return strchr(letters, which);
}

static inline void letter(rill_stream *stream, char which)
{
    ok(rill_launch_host(stream, run_letter, letter_data(which), NULL));
}

#define ran_is(word) do { \
        ran[atomic_load(&ran_count)] = '\0'; \
        assert_string_equal(ran, word); \
    } while (0)

static inline void open_steered_with(struct steered *s, const char *spec, int devices, int workers)
{
    const rill_sim_options sim = { .size = sizeof sim, .schedule = spec, .devices = devices,
                                   .workers = workers };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    void *page = NULL;
    memset(s, 0, sizeof *s);
    memset(ran, 0, sizeof ran);
    atomic_store(&ran_count, 0);
    strcpy(s->trail_path, "/tmp/rill-trail-XXXXXX");
    int file = mkstemp(s->trail_path);
    assert_true(file >= 0);
    close(file);
    setenv("RILL_SIM_SCHEDULE_TRAIL", s->trail_path, 1);
    ok(rill_open(&options, &s->platform));
    s->context = machine_context(s->platform, 0);
    ok(rill_host_alloc(s->context, 4096, 0, &page));
    memset(page, 0, 4096);
    s->words = page;
}

/* One device and `streams` streams, under the policy. */
static inline void open_steered(struct steered *s, const char *spec, int streams)
{
    open_steered_with(s, spec, 1, 2);
    for (s->count = 0; s->count < streams; s->count++)
        s->streams[s->count] = machine_stream(s->context);
}

static inline rill_devptr word_at(struct steered *s, int number)
{
    return (rill_devptr)(uintptr_t)&s->words[number];
}

/* Closes all, whatever is pending, and returns the trail, which lives until the next one. */
static inline const char *close_steered(struct steered *s)
{
    static char trail[TRAIL_MOST];
    /* A device that failed says so. */
    for (int i = 0; i < s->count; i++) rill_stream_destroy(&s->streams[i]);
    rill_context_destroy(&s->context);
    ok(rill_close(&s->platform));
    FILE *file = fopen(s->trail_path, "r");
    assert_non_null(file);
    trail[fread(trail, 1, sizeof trail - 1, file)] = '\0';
    fclose(file);
    /* A platform that is opened later would make the file again. */
    unsetenv("RILL_SIM_SCHEDULE_TRAIL");
    unlink(s->trail_path);
    return trail;
}

/* `second` goes on after what `first` holds by now. */
static inline void pass(struct steered *s, rill_stream *first, rill_stream *second)
{
    rill_event *event = NULL;
    ok(rill_event_create(s->context, NULL, &event));
    ok(rill_event_record(event, first, 0));
    ok(rill_stream_wait_event(second, event, 0));
    ok(rill_event_destroy(&event));
}

static inline void wait_all(struct steered *s)
{
    for (int i = 0; i < s->count; i++) ok(rill_stream_synchronize(s->streams[i]));
}

#endif
