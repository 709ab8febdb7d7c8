/* SPDX-License-Identifier: Apache-2.0
 *
 * Small programs under the layer `check`, with what it finds.
 *
 * Each test is a program that is right with `good` and has one bug without, so that a finding
 * cannot come from what both have.
 */
#ifndef PAIRS_H
#define PAIRS_H

#include "layer-check/checked.h"

#define BYTES 4096u /* in x and in y */

static inline rill_stream *new_stream(struct checked *checked, uint32_t flags)
{
    const rill_stream_options options = { .size = sizeof options, .flags = flags };
    rill_stream *stream;
    OK(rill_stream_create(checked->context, &options, &stream));
    return stream;
}

/* Makes four words of zero, which streams can write and wait for. */
static inline rill_devptr new_words(struct checked *checked)
{
    rill_devptr words;
    OK(rill_mem_alloc(checked->context, 16, &words));
    OK(rill_memset_d32(checked->context, words, 0, 4));
    OK(rill_context_synchronize(checked->context));
    return words;
}

static inline void free_words(struct checked *checked, rill_devptr words)
{
    OK(rill_context_synchronize(checked->context));
    OK(rill_mem_free(checked->context, words));
}

static inline void begin_pair(struct checked *checked)
{
    setenv("RILL_CHECK", "race life capture init hints log=/dev/null", 0);
    begin_checked(checked);
    OK(rill_event_create(checked->context, NULL, &checked->event));
    OK(rill_mem_alloc(checked->context, BYTES, &checked->x));
    OK(rill_mem_alloc(checked->context, BYTES, &checked->y));
    OK(rill_memset_d8(checked->context, checked->x, 0, BYTES));
    OK(rill_memset_d8(checked->context, checked->y, 0, BYTES));
    OK(rill_context_synchronize(checked->context));
}

static inline void end_pair(struct checked *checked)
{
    OK(rill_context_synchronize(checked->context));
    OK(rill_mem_free(checked->context, checked->x));
    OK(rill_mem_free(checked->context, checked->y));
    OK(rill_event_destroy(&checked->event));
    end_checked(checked);
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

static inline struct found expect_bug(program_fn *program, rill_finding_kind kind)
{
    struct checked checked;
    begin_pair(&checked);
    program(&checked, true);
    OK(rill_context_synchronize(checked.context));
    for (size_t i = 0; i < checked.count; i++)
        fail_msg("the good one: %s", checked.found[i].sentence);
    end_pair(&checked);
    skip_bugs();
    begin_pair(&checked);
    program(&checked, false);
    OK(rill_context_synchronize(checked.context));
    size_t i = 0;
    while (i < checked.count && checked.found[i].kind != kind) i++;
    if (i == checked.count) fail_msg("the bad one: nothing of kind %d was found", (int)kind);
    struct found found = checked.found[i];
    end_pair(&checked);
    return found;
}

#define RACES(program) \
    static void program(void **state) \
    { \
        (void)state; \
        expect_bug(program##_program, RILL_FINDING_RACE); \
    }
#define LIVES(program) \
    static void program(void **state) \
    { \
        (void)state; \
        expect_bug(program##_program, RILL_FINDING_LIFETIME); \
    }

#endif
