/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of the suite stand on: a platform with a context, things made
 * in it that go away by themselves, gates that hold streams, marks that record
 * an order, threads.
 *
 * How an order is proven.  A gate is closed in the first stream, everything is
 * submitted, held() looks whether the second stream comes past; then the gate
 * is opened, everything is waited for, and order() compares the marks.  The
 * looking is bounded in time and only ever finds faults: while the gate is
 * closed a correct library cannot fail it.
 *
 * Helpers end the test when something is wrong, so only the thread that cmocka
 * called may use them; other threads note what they saw in plain variables.
 */
#ifndef CONFORMANCE_FIXTURE_H
#define CONFORMANCE_FIXTURE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "conformance/suite.h"

/* ---- Answers ------------------------------------------------------------------ */

/* ok(call): it succeeds.  is(status, call): it answers that. */
#define ok(call) is(RILL_SUCCESS, call)
#define is(status, call) fixture_check(call, status, #call, __FILE__, __LINE__)
void fixture_check(rill_status got, rill_status wanted, const char *call, const char *file,
                   int line);

/* The calling thread's error record names this call and this argument (NULL:
 * none) and holds a sentence. */
#define blames(operation, argument) fixture_blames(operation, argument, __FILE__, __LINE__)
void fixture_blames(const char *operation, const char *argument, const char *file, int line);

/* Both: the call answers that status, and its record blames this argument. */
#define refuses(status, argument, call) \
    fixture_refuses(call, status, argument, #call, __FILE__, __LINE__)
void fixture_refuses(rill_status got, rill_status wanted, const char *argument, const char *call,
                     const char *file, int line);

/* ---- The fixture -------------------------------------------------------------- */

#define FIXTURE_THINGS 512 /* that it keeps of each kind */
#define FIXTURE_MARKS 4096

/* What holds a stream: see gate(). */
struct gate {
    atomic_uint *word;
};

/* What holds a host function: see latch(). */
struct latch {
    atomic_int entered, open;
};

/* What another thread calls: see start_call(). */
struct call {
    rill_status (*make)(void *object);
    void *object;
    pthread_t thread;
    bool started;
    atomic_int returned;
    rill_status status;
};

struct mark {
    struct fixture *fixture;
    char letter;
};

struct fixture {
    rill_platform *platform;
    rill_platform *another; /* that the test has opened, or NULL */
    atomic_bool unseen;     /* it has what no layer counts: a replay, a call that goes on */
    rill_context *context; /* the primary context of device 0 */
    rill_stream *legacy, *per_thread;
    rill_kernel *fault; /* in the context, once it was asked for */

    void *streams[FIXTURE_THINGS], *events[FIXTURE_THINGS], *modules[FIXTURE_THINGS],
        *contexts[FIXTURE_THINGS], *graphs[FIXTURE_THINGS], *execs[FIXTURE_THINGS];

    atomic_uint *words; /* a page, registered in the context */
    int word_count, gate_count, latch_count, call_count;
    struct gate gates[FIXTURE_THINGS];
    struct latch latches[16];
    struct call calls[64];

    _Atomic(const char *) failed_call; /* of another thread; see works() */
    atomic_int failed_status;

    struct mark letters[128];
    atomic_int mark_count;
    char marks[FIXTURE_MARKS];
};

/* Setup and teardown of every test; *state is then a struct fixture. */
int fixture_setup(void **state, int devices);
int fixture_teardown(void **state);

/* ---- Things that go away by themselves ------------------------------------------ */

rill_stream *new_stream(struct fixture *f);              /* blocking  */
rill_stream *new_non_blocking(struct fixture *f);
rill_stream *new_stream_with(struct fixture *f, int priority);
rill_stream *new_stream_in(struct fixture *f, rill_context *context, uint32_t flags);
rill_event *new_event(struct fixture *f);                /* no timing */
rill_event *new_event_in(struct fixture *f, rill_context *context, uint32_t flags);
rill_context *new_context(struct fixture *f, int device, uint32_t flags);
rill_graph *new_graph(struct fixture *f);
rill_graph *keep_graph(struct fixture *f, rill_graph *graph); /* that a call made */
rill_exec *new_exec(struct fixture *f, rill_graph *graph); /* without flags */

/* An image of kernels: C functions, and the code of the same names for a backend that
 * runs code.  needs_functions() ends a test that has C functions alone. */
rill_image image_of(const rill_function *functions, size_t count);
void needs_functions(void);

/* Loads a module of one kernel. */
rill_kernel *new_kernel(struct fixture *f, rill_context *context, const rill_function *function);

/* The kernel that fails, in the context. */
rill_kernel *fault_kernel(struct fixture *f, rill_context *context);

/* Takes a thing out of the fixture's hands: the test destroys it. */
void forget(struct fixture *f, const void *thing);

/* A word of pinned host memory, zero at first, and its address on the device. */
atomic_uint *new_word(struct fixture *f);
rill_devptr address_of(struct fixture *f, atomic_uint *word);

/* ---- Gates ---------------------------------------------------------------------- */

/* Closes a gate in a stream: what is submitted behind it does not run before
 * open_gate().  It is a wait for a value and occupies no thread.  Gates that a
 * test leaves closed are opened when it ends. */
struct gate *gate(struct fixture *f, rill_stream *stream);
void open_gate(struct gate *gate);

/* A closed gate in no stream: what waits until its word is 1 is behind it. */
struct gate *new_gate(struct fixture *f);

/* The stream, or event, answers NOT_READY and goes on doing so. */
#define held(stream) fixture_held(stream, __FILE__, __LINE__)
#define event_held(event) fixture_event_held(event, __FILE__, __LINE__)
void fixture_held(rill_stream *stream, const char *file, int line);
void fixture_event_held(rill_event *event, const char *file, int line);

/* The stream, or event, completes within any reasonable time although something
 * else is held: what would hang in a wait fails here. */
#define drained(stream) fixture_drained(stream, __FILE__, __LINE__)
#define event_drained(event) fixture_event_drained(event, __FILE__, __LINE__)
void fixture_drained(rill_stream *stream, const char *file, int line);
void fixture_event_drained(rill_event *event, const char *file, int line);

/* The time that looking takes, and the longest that anything may take:
 *     for (end = fixture_look(); fixture_before(end);) */
uint64_t fixture_look(void);
uint64_t fixture_patience(void);
bool fixture_before(uint64_t end);

/* ---- Recorded orders -------------------------------------------------------------- */

/* Submits a host function that writes a letter down. */
void mark(struct fixture *f, rill_stream *stream, char letter);

/* Writes a letter down now, from any thread. */
void note(struct fixture *f, char letter);

/* What was written down so far is exactly this. */
#define order(f, letters) fixture_order(f, letters, __FILE__, __LINE__)
void fixture_order(struct fixture *f, const char *letters, const char *file, int line);

/* Every letter of `before` was written down, and before all of `after`. */
#define ordered(f, before, after) fixture_ordered(f, before, after, __FILE__, __LINE__)
void fixture_ordered(struct fixture *f, const char *before, const char *after, const char *file,
                     int line);

/* ---- Threads ---------------------------------------------------------------------- */

/* Runs work(data, 0) to work(data, count - 1) on threads of their own that
 * start together; returns when all have ended. */
void crew(int count, void (*work)(void *data, int index), void *data);

/* For other threads, which may not end the test: notes a call that fails, and
 * ends the test later when there was one. */
#define works(f, call) fixture_works(f, call, #call)
#define all_worked(f) fixture_all_worked(f, __FILE__, __LINE__)
void fixture_works(struct fixture *f, rill_status status, const char *call);
void fixture_all_worked(struct fixture *f, const char *file, int line);

/* Makes a call that is expected to block, on another thread.  finish_call()
 * waits until it returns, within any reasonable time. */
struct call *start_call(struct fixture *f, rill_status (*make)(void *object), void *object);
#define finish_call(call) fixture_finish_call(call, __FILE__, __LINE__)
rill_status fixture_finish_call(struct call *call, const char *file, int line);
void fixture_join_call(struct call *call);

/* It has not returned, and goes on not returning. */
#define blocked(call) fixture_blocked(call, __FILE__, __LINE__)
void fixture_blocked(struct call *call, const char *file, int line);

/* rill_stream_synchronize() and the like, for start_call(). */
rill_status synchronize_stream(void *stream);
rill_status synchronize_event(void *event);
rill_status synchronize_context(void *context);

/* Submits a host function that returns only after open_latch().  It occupies
 * whoever runs it, a worker or a thread that waits, so it is for what cannot be
 * shown with a gate; meanwhile nothing else may need a worker.  latch() returns
 * at once, await_latch() when the function has begun. */
struct latch *latch(struct fixture *f, rill_stream *stream);
void await_latch(struct latch *latch);
void open_latch(struct latch *latch);

#endif
