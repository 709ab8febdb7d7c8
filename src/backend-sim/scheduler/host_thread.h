/* SPDX-License-Identifier: Apache-2.0
 *
 * One thread for all host functions, as a driver has: it calls them one after the other, so
 * two of them cannot wait for each other, and none runs in a thread of the program.
 *
 * That costs two changes of threads for each function, so a platform has such a thread only
 * when it is asked for.  Otherwise a function runs in whichever thread comes to it.
 */
#ifndef SIM_HOST_THREAD_H
#define SIM_HOST_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include <rill/stream.h>

struct host_thread;
struct sim_stream;
struct strand;

/* Where a call is. */
enum host_place {
    HOST_PLACE_NONE,
    HOST_PLACE_KEPT,  /* in the list, but what comes before it is not done yet */
    HOST_PLACE_POSTED /* in the list, and can be made                          */
};

/* A call that the thread is to make.  The memory is the poster's, until the call is finished. */
struct host_call {
    void (*fn)(void *data);
    void *data;
    struct strand *strand;                    /* that it is a part of          */
    uint64_t number;                          /* of its operation there; only needed if a
                                                 place is kept for it          */
    void (*finished)(struct host_call *call); /* called last, whether the call was made
                                                 or dropped                    */
    enum host_place place;                    /* the host thread's lock        */
    struct host_call *next;                   /* the host thread's lock        */
};

/* True in a host thread. */
extern _Thread_local bool sim_is_host_thread;

/* Creates a host thread; the thread itself starts with the first call. */
rill_status sim_host_thread_create(struct host_thread **host);

/* Has the call made in the host thread: in the place that was kept for it, otherwise after those
 * that were posted before.  Where the system has no more threads it is made here and now. */
void sim_host_post(struct host_thread *host, struct host_call *call);

/* Keeps a place in the list for a call that is posted later, or withdrawn.
 *
 * Functions of several streams are called in the order in which they can be.  A function that
 * comes after nothing, or after what ends soon and by itself, counts as one that can be called
 * when it is submitted.  Its place is kept from then on; when the thread comes to that place it
 * waits for the little that is missing, or does it.  The thread waits for no other function,
 * since that may itself wait for one that is later in the list. */
void sim_host_keep_place(struct host_thread *host, struct host_call *call);
void sim_host_withdraw(struct host_thread *host, struct host_call *call);

/* Makes the next call that was posted, inside the function that waits for it.  For the host
 * thread only, when its function waits for what comes after another function. */
void sim_host_thread_help(struct host_thread *host);

/* Ends the thread; no call is made any more.  Returns false if the thread does not end within
 * `patience_ns`, since it is in a function; it is left to itself then. */
bool sim_host_thread_abandon(struct host_thread *host, uint64_t patience_ns);

/* Ends the thread and waits for that; no function may be running.  Must come before the engine is
 * freed, since the thread may still use its strands.  Calls that are posted from now on are not
 * made.  Does nothing for NULL. */
void sim_host_thread_stop(struct host_thread *host);

/* Frees a host thread that was stopped and to which no thread can post any more. */
void sim_host_thread_free(struct host_thread *host);

/* ---- What streams have called there ------------------------------------------------------ */

/* A function or a status callback of a stream, for the host thread. */
struct host_thread_op {
    rill_host_fn fn;
    void *data;
    rill_destroy_fn destroy;
    rill_stream_callback callback; /* NULL for a function     */
    rill_stream *stream;           /* as the caller named it  */
};

/* Submits it to the stream, which is parked while the thread calls it. */
rill_status sim_submit_on_host_thread(struct sim_stream *stream, const struct host_thread_op *op);

/* Tells whether the thread, if there is one, calls a function of that strand now. */
bool sim_host_thread_calls(struct host_thread *host, const struct strand *strand);

#endif
