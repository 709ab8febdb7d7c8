/* SPDX-License-Identifier: Apache-2.0
 *
 * One thread for all host functions, for programs that are to meet what a driver does:
 * there, one of its own threads calls them, one after the other, so two of them cannot
 * wait for each other, and none runs in a thread of the program's.
 *
 * It costs two changes of threads for each function.  So it is only there when asked for;
 * else a function runs in whichever thread comes to it.
 */
#ifndef SIM_HOST_THREAD_H
#define SIM_HOST_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include <rill/stream.h>

struct host_thread;
struct sim_stream;
struct strand;

/* Where a call is; the host thread's lock. */
enum host_place {
    HOST_PLACE_NONE,
    HOST_PLACE_KEPT,  /* in the list, but what comes before it is not done yet */
    HOST_PLACE_POSTED /* in the list, and can be made                          */
};

/* Lies with whoever posted it, until it is finished. */
struct host_call {
    void (*fn)(void *data);
    void *data;
    struct strand *strand;                    /* that it is part of            */
    uint64_t number;                          /* of its operation there, where a
                                                 place is kept for it          */
    void (*finished)(struct host_call *call); /* the last that is done with it,
                                                 whether it was made or dropped */
    enum host_place place;                    /* host_thread.c's, as is ...    */
    struct host_call *next;                   /* ... this                      */
};

/* Whether the calling thread is one of those. */
extern _Thread_local bool sim_is_host_thread;

/* The thread itself begins with the first call. */
rill_status sim_host_thread_create(struct host_thread **host);

/* The call is made there, in the place that was kept for it, else behind those that were
 * posted before; here and now where the system has no more threads. */
void sim_host_post(struct host_thread *host, struct host_call *call);

/* Functions of several streams are called in the order in which they can be.  One that
 * comes behind nothing, or behind what ends by itself and soon, counts as one that can be
 * called when it is submitted: its place in the list is kept from then on, and the
 * thread, when it comes to that place, waits for the little that is missing, or does it.
 * No other function is ever waited for, since it may itself wait for one that is further
 * behind in the list.
 *
 * Such a call is posted later, or withdrawn. */
void sim_host_keep_place(struct host_thread *host, struct host_call *call);
void sim_host_withdraw(struct host_thread *host, struct host_call *call);

/* A function waits for what comes behind another one: in this thread, whose turn that is.
 * Calls the next that was posted, inside the one that waits. */
void sim_host_thread_help(struct host_thread *host);

/* No call is made any more.  The thread ends within `patience_ns`; false: it is in the midst
 * of a function, and left to itself. */
bool sim_host_thread_abandon(struct host_thread *host, uint64_t patience_ns);

/* Waits for the thread to end, since nobody is in a call: before the engine goes, at whose
 * strands the thread may still be.  Calls that are posted from now on are not made.  NULL is
 * nothing. */
void sim_host_thread_stop(struct host_thread *host);

/* Once it was stopped, and nobody can post to it any more. */
void sim_host_thread_free(struct host_thread *host);

/* ---- What streams have called there ------------------------------------------------------ */

/* What a stream has called there: a function, or a status callback. */
struct host_thread_op {
    rill_host_fn fn;
    void *data;
    rill_destroy_fn destroy;
    rill_stream_callback callback; /* NULL: it is a function  */
    rill_stream *stream;           /* as the caller named it  */
};

rill_status sim_submit_on_host_thread(struct sim_stream *stream, const struct host_thread_op *op);

#endif
