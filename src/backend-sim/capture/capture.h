/* SPDX-License-Identifier: Apache-2.0
 *
 * Stream capture: what is submitted to a stream becomes nodes of a graph instead
 * of running.
 *
 * A capture has an origin, the stream that it was begun in, and other streams
 * that joined it by waiting for an event recorded in it.  Each participant knows the
 * dependencies of its next node; that is all its state:
 *
 *     an operation     becomes a node with these dependencies, then their only one
 *     a record         copies the dependencies into the event
 *     a wait           adds those of the event; a stream outside joins with them
 *     the end          requires that the last node of each other stream was joined
 *
 * A call that a capture does not permit breaks it: the capture stays, and refuses all work,
 * until it is ended in its origin, and then reports which call it was.
 *
 * Each platform has one lock for its captures.  The locks of events and of graph memory may be
 * taken under it; it is taken under none.  Nobody takes it while no stream captures
 * (ALERT_CAPTURE in call_guard.h), and no function of the user is called under it.
 *
 * This is the header of the room.
 */
#ifndef SIM_CAPTURE_H
#define SIM_CAPTURE_H

#include "backend-sim/graph/graph.h"
#include "backend-sim/guard/interceptor.h"
#include "backend-sim/stream/event.h"
#include "backend-sim/stream/stream.h"

/* ---- Which calls are permitted -------------------------------------------------- */

/* Returns the name of a call for error records. */
const char *sim_call_name(enum sim_call call);

/* Check whether captures permit a call; a call that they do not permit may break them.
 * sim_enter() asks the first, which is all for calls that concern no object. */
rill_status sim_capture_permits(struct sim_platform *platform, enum sim_call call);
rill_status sim_capture_permits_stream(struct sim_stream *stream, enum sim_call call);
rill_status sim_capture_permits_context(struct sim_context *context, enum sim_call call);

/* Does the same for an event, which may stand for a point in a capture that is over: so it is
 * also asked while nothing captures, for events with sim_event_is_captured(). */
rill_status sim_capture_permits_event(rill_event *event, enum sim_call call);

/* ---- Work ----------------------------------------------------------------------------- */

/* Returns true if the stream captures: then `op` became a node or was refused, and *status says
 * which. */
bool sim_capture_takes(struct sim_stream *stream, rill_op *op, rill_status *status);

/* Lets a stream wait for an event that was captured, and join if it does not capture yet.  Returns
 * false if the event was recorded outside a capture since. */
bool sim_capture_follow(struct sim_stream *stream, rill_event *event, rill_status *status);

/* Refuses an external wait for an event that was last recorded in a capture that is over: there is
 * nothing to wait for. */
rill_status sim_capture_refuse_external(struct sim_platform *platform, rill_event *event);

/* ---- What goes away during captures ----------------------------------------------- */

/* Called when a stream is destroyed: ends the capture that was begun in it. */
void sim_capture_forget_stream(struct sim_stream *stream);

/* Destroys the graph of a capture that ended, unless it is NULL.  May run functions that the user
 * gave with nodes, and so requires that no lock is held. */
void sim_capture_discard(rill_graph *graph);

/* Called when a context is destroyed, with its streams and graphs. */
void sim_capture_forget_context(struct sim_context *context);

extern const struct rill_capture_ops sim_capture_ops;

/* What the calls on streams, events and graphs ask captures. */
extern const struct sim_interceptor sim_capture_interceptor;

/* ---- For the files of this room --------------------------------------------------- */

/* A stream in a capture.  All fields are under the platform's captures_lock. */
struct participant {
    struct capture *capture;
    struct participant *next;
    struct sim_stream *stream;  /* NULL after the stream was destroyed           */
    char name[RILL_LABEL_MAX];  /* of a stream that was destroyed                */
    struct links dependencies;  /* of its next node                              */
    uint32_t work;              /* its last captured node, which must be joined, or
                                   NODE_NONE if there is none or the program
                                   replaced the dependencies                     */
    uint32_t forked_at;         /* a node of the event that the stream joined by,
                                   or NODE_NONE                                  */
    rill_node *nodes;           /* the dependencies that were last reported      */
    rill_edge *edges;
    uint32_t room;              /* of both arrays                                */
};

/* All fields that are not fixed are under the platform's captures_lock. */
struct capture {
    atomic_uint references;     /* one while it goes on, one for each event      */
    uint64_t id;                /* fixed, unique in the process                  */
    uint64_t thread;            /* fixed: sim_thread_number() of the thread that
                                   began the capture                             */
    rill_capture_mode mode;     /* fixed                                         */
    struct sim_platform *platform; /* fixed                                      */
    struct capture *next;       /* in the platform's list                        */
    rill_capture_state state;   /* NONE once the capture is over                 */
    struct sim_graph *graph;    /* NULL after the graph was destroyed            */
    bool own;                   /* the graph is the capture's                    */
    struct participant *first, *last; /* the origin is the first                 */
    rill_error_cause cause;     /* when INVALIDATED: what broke the capture      */
    uint64_t call;              /* number of the call that broke the capture, until
                                   that call ends and its public name is known;
                                   else 0                                        */
};

/* What an event stands for after a record in a capture.  Never changes. */
struct captured_nodes {
    struct captured_point point; /* event.h */
    struct capture *capture;     /* retained */
    uint32_t count;
    struct link nodes[];
};

/* Returns a number of the calling thread, which no other thread of the process ever has. */
uint64_t sim_thread_number(void);

/* The thread's own mode. */
extern _Thread_local rill_capture_mode sim_thread_capture_mode;

static inline void sim_captures_lock(struct sim_platform *platform)
{
    rl_lock(&platform->captures_lock);
}

static inline void sim_captures_unlock(struct sim_platform *platform)
{
    rl_unlock(&platform->captures_lock);
}

/* The functions below require captures_lock, unless they say otherwise. */

/* Writes "stream 'decode'", or "event 12" for an object without a label. */
void sim_describe_object(const char *word, const void *handle, char text[RILL_LABEL_MAX]);

/* Returns a new number for a call that may break captures; by it the captures recognize the call
 * when it ends. */
uint64_t sim_capture_call(void);

/* Breaks the capture, if it is not broken yet, and remembers how.  Called after a call was refused
 * and has noted why: when that call ends, the captures that it broke learn its public name;
 * until then `operation` is the best name known. */
void sim_capture_break(struct capture *capture, uint64_t call, rill_status status,
                       const char *operation, const char *object);

/* Return the status of an operation that a broken capture refuses, and of an operation whose stream
 * left the capture while the operation was prepared. */
rill_status sim_capture_refuse_broken(const struct capture *capture);
rill_status sim_capture_refuse_left(void);

/* Makes the stream a participant whose first node will depend on `nodes`.  Returns NULL if memory
 * is short. */
struct participant *sim_capture_join(struct capture *capture, struct sim_stream *stream,
                                     const struct link *nodes, uint32_t count);

/* Reserve room for more dependencies, and add one unless the participant has it already. */
bool sim_participant_reserve(struct participant *participant, uint32_t more);
void sim_participant_add_dependency(struct participant *participant, struct link link);

/* Adds a node with the participant's dependencies, and makes the node its only dependency.  Retains
 * the task.  Returns false if memory is short. */
bool sim_participant_insert_node(struct participant *participant, struct task *task);

/* Checks that everything was joined; else returns RILL_ERROR_STREAM_CAPTURE_UNJOINED and names the
 * streams that were not. */
rill_status sim_capture_check_joined(const struct capture *capture);

/* Ends the capture: all streams leave it.  Returns the capture's own graph, or NULL; the caller
 * hands it on or discards it, without the lock.  If the capture `failed`, a graph of the user's
 * is lost. */
rill_graph *sim_capture_finish(struct capture *capture, bool failed);

void sim_capture_release(struct capture *capture);

/* Returns what the event keeps, retained, or NULL. */
static inline struct captured_nodes *sim_captured_nodes(struct event_state *state)
{
    return (struct captured_nodes *)sim_event_captured_point(state);
}

static inline void sim_captured_nodes_release(struct captured_nodes *captured)
{
    sim_captured_point_release((struct captured_point *)captured); /* which may be NULL */
}

/* Capture the operations that are more than a node: records and waits, and what a launch of a
 * kernel says besides its node.  The first two are called without the lock. */
rill_status sim_capture_event(struct sim_stream *stream, rill_op *op);
rill_status sim_captured_kernel_task(struct sim_stream *stream, const rill_kernel_op *op,
                                     struct task **task);
void sim_captured_kernel_loosen(struct participant *participant, const rill_kernel_op *op);
rill_status sim_captured_kernel_record(struct participant *participant, const rill_kernel_op *op);

/* Captures any operation as a node.  Called without the lock. */
rill_status sim_capture_node(struct sim_stream *stream, rill_op *op);

/* Makes an event stand for these nodes.  Returns false if memory is short. */
bool sim_capture_record(struct capture *capture, rill_event *event, const struct link *nodes,
                        uint32_t count);

#endif
