/* SPDX-License-Identifier: Apache-2.0
 *
 * Small programs under the layer `check`, with what it finds.
 *
 * Each test is a program that is right with `good` and has one bug without, so that a finding
 * cannot come from what both have.
 */
#ifndef PAIRS_H
#define PAIRS_H

#include "support/cmocka_all.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rill/backend.h>
#include <rill/check.h>

#ifdef __SANITIZE_ADDRESS__
/* The search for leaks crashes itself at the end of some of these programs; other tests of the
 * layer are searched. */
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return 1;
}
#endif

#define BYTES 4096u
#define FOUND_MAX 16

/* What is kept of a finding. */
struct found {
    rill_finding_kind kind;
    rill_mend mend;
    char sentence[200], what[2][64];
    uint64_t stream[2], number[2], node[2], from, bytes;
    bool assumed;
    size_t places;
};

struct checked {
    rill_platform *platform;
    rill_context *context;
    rill_stream *s, *t; /* non-blocking ones */
    rill_event *event;
    rill_devptr x, y;   /* BYTES each        */
    struct found found[FOUND_MAX];
    size_t count;
};

static inline void keep_finding(void *data, const rill_finding *finding)
{
    struct checked *checked = data;
    if (checked->count == FOUND_MAX) return;
    struct found *to = &checked->found[checked->count++];
    *to = (struct found){ .kind = finding->kind, .mend = finding->mend,
                          .from = finding->address, .bytes = finding->bytes,
                          .assumed = finding->assumed, .places = finding->place_count };
    snprintf(to->sentence, sizeof to->sentence, "%s", finding->sentence);
    for (size_t i = 0; i < finding->place_count; i++) {
        snprintf(to->what[i], sizeof to->what[i], "%s", finding->place[i].what);
        to->stream[i] = finding->place[i].stream_id;
        to->number[i] = finding->place[i].number;
        to->node[i] = finding->place[i].node;
    }
}

#define OK(call) assert_int_equal(call, RILL_SUCCESS)

static inline rill_stream *new_stream(struct checked *checked, uint32_t flags)
{
    const rill_stream_options options = { .size = sizeof options, .flags = flags };
    rill_stream *stream;
    OK(rill_stream_create(checked->context, &options, &stream));
    return stream;
}

static inline void begin_checked(struct checked *checked)
{
    const rill_open_options options = { .size = sizeof options, .backend = "sim",
                                        .layers = "check" };
    memset(checked, 0, sizeof *checked);
    setenv("RILL_CHECK", "race life capture init hints log=/dev/null", 0);
    OK(rill_open(&options, &checked->platform));
    OK(rill_check_report(checked->platform, keep_finding, checked));
    OK(rill_context_create(checked->platform, NULL, &checked->context));
    checked->s = new_stream(checked, RILL_STREAM_NON_BLOCKING);
    checked->t = new_stream(checked, RILL_STREAM_NON_BLOCKING);
    OK(rill_event_create(checked->context, NULL, &checked->event));
    OK(rill_mem_alloc(checked->context, BYTES, &checked->x));
    OK(rill_mem_alloc(checked->context, BYTES, &checked->y));
    OK(rill_memset_d8(checked->context, checked->x, 0, BYTES));
    OK(rill_memset_d8(checked->context, checked->y, 0, BYTES));
    OK(rill_context_synchronize(checked->context));
}

static inline void end_checked(struct checked *checked)
{
    OK(rill_context_synchronize(checked->context));
    OK(rill_mem_free(checked->context, checked->x));
    OK(rill_mem_free(checked->context, checked->y));
    OK(rill_event_destroy(&checked->event));
    OK(rill_stream_destroy(&checked->s));
    OK(rill_stream_destroy(&checked->t));
    OK(rill_context_destroy(&checked->context));
    OK(rill_close(&checked->platform));
}

/* `after` comes after what is in `before` now. */
static inline void order(struct checked *checked, rill_stream *before, rill_stream *after)
{
    OK(rill_event_record(checked->event, before, 0));
    OK(rill_stream_wait_event(after, checked->event, 0));
}

/* The two ends of the usual race: a fill, and a copy of what it fills. */
static inline void write_x(struct checked *checked, rill_stream *stream)
{
    OK(rill_memset_d8_async(stream, checked->x, 7, BYTES));
}

static inline void read_x(struct checked *checked, rill_stream *stream)
{
    OK(rill_memcpy_dtod_async(stream, checked->y, checked->x, BYTES));
}

/* A program with a race is one for ThreadSanitizer, too, and one that uses memory which is not
 * there for AddressSanitizer. */
static inline void skip_bugs(void)
{
#if defined __SANITIZE_THREAD__ || defined __SANITIZE_ADDRESS__
    skip();
#endif
}

/* Runs a program both ways, and expects a finding of one kind without `good`, and none with. */
typedef void program_fn(struct checked *checked, bool good);

static inline struct found expect_found(program_fn *program, rill_finding_kind kind)
{
    struct checked checked;
    begin_checked(&checked);
    program(&checked, true);
    OK(rill_context_synchronize(checked.context));
    for (size_t i = 0; i < checked.count; i++)
        fail_msg("the good one: %s", checked.found[i].sentence);
    end_checked(&checked);
    skip_bugs();
    begin_checked(&checked);
    program(&checked, false);
    OK(rill_context_synchronize(checked.context));
    size_t i = 0;
    while (i < checked.count && checked.found[i].kind != kind) i++;
    if (i == checked.count) fail_msg("the bad one: nothing of kind %d was found", (int)kind);
    struct found found = checked.found[i];
    end_checked(&checked);
    return found;
}

#define RACES(program) \
    static void program(void **state) \
    { \
        (void)state; \
        expect_found(program##_program, RILL_FINDING_RACE); \
    }
#define LIVES(program) \
    static void program(void **state) \
    { \
        (void)state; \
        expect_found(program##_program, RILL_FINDING_LIFETIME); \
    }

#endif
