/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of the fixture that has to do with threads.
 */
#include "conformance/fixture.h"

#include <sched.h>
#include <stdlib.h>

struct member {
    void (*work)(void *data, int index);
    void *data;
    int index;
    pthread_barrier_t *start;
    pthread_t thread;
};

static void *member_main(void *data)
{
    struct member *member = data;
    pthread_barrier_wait(member->start);
    member->work(member->data, member->index);
    return NULL;
}

void crew(int count, void (*work)(void *data, int index), void *data)
{
    struct member members[64];
    pthread_barrier_t start;
    assert_in_range(count, 1, 64);
    pthread_barrier_init(&start, NULL, (unsigned)count);
    for (int i = 0; i < count; i++) {
        members[i] = (struct member){ work, data, i, &start, 0 };
        if (pthread_create(&members[i].thread, NULL, member_main, &members[i])) abort();
    }
    for (int i = 0; i < count; i++) pthread_join(members[i].thread, NULL);
    pthread_barrier_destroy(&start);
}

void fixture_works(struct fixture *f, rill_status status, const char *call)
{
    if (!status) return;
    atomic_store(&f->failed_status, (int)status);
    atomic_store(&f->failed_call, call);
}

void fixture_all_worked(struct fixture *f, const char *file, int line)
{
    const char *call = atomic_load(&f->failed_call);
    if (!call) return;
    fixture_check((rill_status)atomic_load(&f->failed_status), RILL_SUCCESS, call, file, line);
}

static void *call_main(void *data)
{
    struct call *call = data;
    call->status = call->make(call->object);
    atomic_store(&call->returned, 1);
    return NULL;
}

struct call *start_call(struct fixture *f, rill_status (*make)(void *object), void *object)
{
    assert_in_range(f->call_count, 0, 63);
    struct call *call = &f->calls[f->call_count];
    call->make = make;
    call->object = object;
    if (pthread_create(&call->thread, NULL, call_main, call)) fail_msg("no thread for a call");
    call->started = true;
    f->call_count++;
    return call;
}

void fixture_join_call(struct call *call)
{
    if (call->started) pthread_join(call->thread, NULL);
    call->started = false;
}

rill_status fixture_finish_call(struct call *call, const char *file, int line)
{
    for (uint64_t end = fixture_patience(); !atomic_load(&call->returned);) {
        if (fixture_before(end)) continue;
        print_error("a call did not return\n");
        _fail(file, line);
    }
    fixture_join_call(call);
    return call->status;
}

void fixture_blocked(struct call *call, const char *file, int line)
{
    for (uint64_t end = fixture_look(); fixture_before(end);) {
        if (!atomic_load(&call->returned)) continue;
        print_error("a call returned that should have waited\n");
        _fail(file, line);
    }
}

rill_status synchronize_stream(void *stream)
{
    return rill_stream_synchronize(stream);
}

rill_status synchronize_event(void *event)
{
    return rill_event_synchronize(event);
}

rill_status synchronize_context(void *context)
{
    return rill_context_synchronize(context);
}

static void stay(void *data)
{
    struct latch *latch = data;
    atomic_store(&latch->entered, 1);
    while (!atomic_load(&latch->open)) sched_yield();
}

struct latch *latch(struct fixture *f, rill_stream *stream)
{
    assert_in_range(f->latch_count, 0, 15);
    struct latch *latch = &f->latches[f->latch_count++];
    ok(rill_launch_host(stream, stay, latch, NULL));
    return latch;
}

void await_latch(struct latch *latch)
{
    while (!atomic_load(&latch->entered)) sched_yield();
}

void open_latch(struct latch *latch)
{
    atomic_store(&latch->open, 1);
}
