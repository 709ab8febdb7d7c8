/* SPDX-License-Identifier: Apache-2.0
 *
 * How the fixture proves orders: gates, looks at what is held, and marks.
 */
#include "conformance/fixture.h"

#include <sched.h>
#include <string.h>
#include <time.h>

/* How long held() and its like look.  A wrong library has several chances to
 * be caught in it; a right one is not in a hurry. */
#define LOOK_NS 1500000u
#define PATIENCE_NS 10000000000u

/* ---- Gates ------------------------------------------------------------------------ */

struct gate *new_gate(struct fixture *f)
{
    atomic_uint *word = new_word(f);
    struct gate *gate = &f->gates[f->gate_count++]; /* there are as many as words */
    gate->word = word;
    return gate;
}

/* What the test may want behind the gate is loaded before, since that may wait for
 * all that is held. */
struct gate *gate(struct fixture *f, rill_stream *stream)
{
    struct gate *gate = new_gate(f);
    if (!suite->expects.loads_beside_work && suite->fault && f->context)
        fault_kernel(f, f->context);
    ok(rill_stream_wait_value32(stream, address_of(f, gate->word), 1, RILL_WAIT_EQ));
    return gate;
}

void open_gate(struct gate *gate)
{
    atomic_store(gate->word, 1);
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t fixture_look(void)
{
    return now_ns() + LOOK_NS;
}

uint64_t fixture_patience(void)
{
    return now_ns() + PATIENCE_NS;
}

bool fixture_before(uint64_t end)
{
    sched_yield();
    return now_ns() < end;
}

static rill_status query_stream(void *stream)
{
    return rill_stream_query(stream);
}

static rill_status query_event(void *event)
{
    return rill_event_query(event);
}

static void look(rill_status (*query)(void *object), void *object, const char *what,
                 const char *file, int line)
{
    for (uint64_t end = fixture_look(); fixture_before(end);)
        fixture_check(query(object), RILL_ERROR_NOT_READY, what, file, line);
}

void fixture_held(rill_stream *stream, const char *file, int line)
{
    look(query_stream, stream, "the query of a held stream", file, line);
}

void fixture_event_held(rill_event *event, const char *file, int line)
{
    look(query_event, event, "the query of a held event", file, line);
}

static void await(rill_status (*query)(void *object), void *object, const char *what,
                  const char *file, int line)
{
    rill_status status = query(object);
    for (uint64_t end = fixture_patience(); status == RILL_ERROR_NOT_READY && fixture_before(end);)
        status = query(object);
    fixture_check(status, RILL_SUCCESS, what, file, line);
}

void fixture_drained(rill_stream *stream, const char *file, int line)
{
    await(query_stream, stream, "the query of a stream that nothing holds", file, line);
}

void fixture_event_drained(rill_event *event, const char *file, int line)
{
    await(query_event, event, "the query of an event that nothing holds", file, line);
}

/* ---- Recorded orders ---------------------------------------------------------------- */

void note(struct fixture *f, char letter)
{
    int at = atomic_fetch_add(&f->mark_count, 1);
    if (at < FIXTURE_MARKS - 1) f->marks[at] = letter;
}

static void write_down(void *data)
{
    struct mark *mark = data;
    note(mark->fixture, mark->letter);
}

void mark(struct fixture *f, rill_stream *stream, char letter)
{
    ok(rill_launch_host(stream, write_down, &f->letters[(unsigned char)letter & 127], NULL));
}

void fixture_order(struct fixture *f, const char *letters, const char *file, int line)
{
    if (!strcmp(f->marks, letters)) return;
    print_error("the marks are \"%s\", not \"%s\"\n", f->marks, letters);
    _fail(file, line);
}

void fixture_ordered(struct fixture *f, const char *before, const char *after, const char *file,
                     int line)
{
    const char *last = f->marks, *first = f->marks + strcspn(f->marks, after);
    bool all = true;
    for (const char *letter = before; *letter; letter++) {
        const char *at = strrchr(f->marks, *letter);
        all = all && at;
        if (at > last) last = at;
    }
    if (all && (!*first || last < first)) return;
    print_error("the marks are \"%s\"; each of \"%s\" should be before any of \"%s\"\n", f->marks,
                before, after);
    _fail(file, line);
}
