/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of failures: a backend that fails in every way.
 */
#ifndef FAILING_H
#define FAILING_H

#include "support/cmocka_all.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "core/object/error.h"
#include "support/fake/fake.h"
#include "support/world.h"

/* ---- A backend that fails in every way ---------------------------------- */

/* What the next call of a stream's query or synchronize does. */
static struct {
    rill_status noted;   /* 0: notes nothing        */
    rill_status returns;
    const char *argument;
    const char *sentence;
    const rill_error_cause *cause;
    void (*tell)(void *data, uint64_t id, const char *operation);
    void *data;          /* for tell()             */
    uint64_t id;
} next;

static inline rill_status do_next(rill_stream *stream)
{
    (void)stream;
    if (next.noted) rill_backend_fail(next.noted, next.argument, "%s", next.sentence);
    if (next.cause) rill_backend_fail_cause(next.cause);
    if (next.tell) rill_backend_fail_told(next.tell, next.data, next.id);
    return next.returns;
}

static inline const char *explain(rill_platform *platform, rill_status status)
{
    assert_non_null(platform);
    return status == RILL_ERROR_ILLEGAL_STATE ? "the backend's own words" : NULL;
}

static inline rill_status fail_with_a_note(rill_stream *stream, const rill_stream_options *options)
{
    (void)stream;
    (void)options;
    return next.noted ? do_next(NULL) : RILL_SUCCESS;
}

static struct fake_tables failing;
static struct world world;

static inline int open_world(void **state)
{
    (void)state;
    fake_build(&failing, "failing", 0);
    failing.stream.query = do_next;
    failing.stream.synchronize = do_next;
    failing.stream.create = fail_with_a_note;
    failing.backend.explain = explain;
    return rill_backend_register(&failing.backend) || plain_world_open(&world, "failing") ? -1 : 0;
}

static inline int close_world(void **state)
{
    (void)state;
    return world_close(&world);
}

/* Every test begins without a record and ends without a note. */
static inline int begin(void **state)
{
    (void)state;
    memset(&next, 0, sizeof next);
    rill_clear_error();
    rill_stream_set_label(world.stream, NULL);
    return 0;
}

static inline int end(void **state)
{
    (void)state;
    return rl_noted ? -1 : 0;
}

static inline rill_status query(rill_status noted, rill_status returns, const char *sentence)
{
    next.noted = noted;
    next.returns = returns;
    next.sentence = sentence;
    return rill_stream_query(world.stream);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

#endif
