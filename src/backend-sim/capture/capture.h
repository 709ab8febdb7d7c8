/* SPDX-License-Identifier: Apache-2.0
 *
 * Stream capture: what is submitted to a stream becomes nodes of a graph instead
 * of running.
 *
 * A capture has an origin, the stream that it was begun in, and other streams
 * that joined it by waiting for an event recorded in it.  Each of them knows the
 * nodes that its next one will depend on; that is all its state:
 *
 *     an operation     becomes a node behind these, and they become that node
 *     a record         copies them into the event
 *     a wait           adds those of the event; a stream outside joins with them
 *     the end          asks that something follows what each other stream did last
 *
 * Whatever a capture cannot stand breaks it: it stays, and refuses all work, until
 * it is ended in its origin, and then says which call it was.
 *
 * One lock for each platform; those of events and of graph memory come after it,
 * none before.  Nothing takes it while no stream captures (ALERT_CAPTURE in
 * guard.h), and nothing of the user's is called under it.
 */
#ifndef SIM_CAPTURE_H
#define SIM_CAPTURE_H

#include "backend-sim/graph/graph.h"
#include "backend-sim/guard/interceptor.h"
#include "backend-sim/stream/event.h"
#include "backend-sim/stream/stream.h"

/* ---- Who may call what (capture_rules.c) --------------------------------------- */

/* The name of a call, as an error record says it. */
const char *sim_call_name(enum sim_call call);

/* Whether captures let a call pass; where not, they may be broken by it.  The
 * first is part of sim_enter(), and is all for calls on nothing in particular. */
rill_status sim_capture_permits(struct sim_platform *platform, enum sim_call call);
rill_status sim_capture_permits_stream(struct sim_stream *stream, enum sim_call call);
rill_status sim_capture_permits_context(struct sim_context *context, enum sim_call call);

/* The same for an event, which may stand for a point in a capture that is over:
 * also asked while nothing captures, of events that sim_event_captured_point(). */
rill_status sim_capture_permits_event(rill_event *event, enum sim_call call);

/* ---- Work (capture_submit.c) ------------------------------------------------------- */

/* Whether the stream captures: then `op` became a node, or was refused, and
 * *status says which. */
bool sim_capture_takes(struct sim_stream *stream, rill_op *op, rill_status *status);

/* A stream waits for an event that was captured, and joins if it does not capture
 * yet.  False when the event was recorded elsewhere meanwhile. */
bool sim_capture_follow(struct sim_stream *stream, rill_event *event, rill_status *status);

/* Whether it was last recorded in a capture that is over: then not even an external wait
 * has something to wait for. */
rill_status sim_capture_refuse_external(struct sim_platform *platform, rill_event *event);

/* ---- What goes away meanwhile (capture.c) ----------------------------------------- */

/* A stream is destroyed: the capture that was begun in it goes with it. */
void sim_capture_forget_stream(struct sim_stream *stream);

/* The same in two steps, for one who holds a lock: returns a graph, or NULL, for
 * sim_capture_discard(), which may run what the user gave with nodes. */
rill_graph *sim_capture_leave(struct sim_stream *stream);
void sim_capture_discard(rill_graph *graph);

/* A context is destroyed, and its streams and graphs with it. */
void sim_capture_forget_context(struct sim_context *context);

/* Whether a stream captures into the graph. */
bool sim_capture_fills(const struct sim_graph *graph);

/* A graph that is captured into may not be destroyed; nor does anything come of it
 * when another thread began the capture meanwhile. */
rill_status sim_capture_permits_end(const struct sim_graph *graph);
void sim_capture_forget_graph(struct sim_graph *graph);

extern const struct rill_capture_ops sim_capture_ops;

/* What calls on streams, events and graphs ask of captures. */
extern const struct sim_interceptor sim_capture_interceptor;

/* ---- For the files of this part --------------------------------------------------- */

/* A stream in a capture. */
struct participant {
    struct capture *capture;
    struct participant *next;
    struct sim_stream *stream;  /* NULL: it was destroyed                        */
    char name[RILL_LABEL_MAX];  /* then                                          */
    struct links dependencies;      /* what its next node will depend on             */
    uint32_t work;              /* its last node that was captured, which must be
                                   joined; NODE_NONE: there is none, or it was
                                   taken off by hand                             */
    uint32_t forked_at;         /* a node that it joined behind; NODE_NONE: none */
    rill_node *nodes;           /* what was last said of `before`                */
    rill_edge *edges;
    uint32_t room;              /* of these two                                  */
};

/* Every field but the fixed ones is under the platform's captures_lock. */
struct capture {
    atomic_uint references;     /* one while it goes on, one for each event      */
    uint64_t id;                /* fixed, unique in the process                  */
    uint64_t thread;            /* fixed: sim_thread_number() of who began it    */
    rill_capture_mode mode;     /* fixed                                         */
    struct sim_platform *platform; /* fixed                                      */
    struct capture *next;       /* of those in progress                          */
    rill_capture_state state;   /* NONE: it is over                              */
    struct sim_graph *graph;    /* NULL: it was destroyed                        */
    bool own;                   /* the graph is the capture's                    */
    struct participant *first, *last; /* the origin is the first                 */
    rill_error_cause cause;     /* when INVALIDATED: what broke it               */
    uint64_t call;              /* that broke it and is not over, so that its
                                   public name is not known: its number; or 0    */
};

/* What an event stands for that was recorded in a capture.  Never changes. */
struct captured_nodes {
    struct captured_point point;  /* event.h  */
    struct capture *capture;    /* retained */
    uint32_t count;
    struct link nodes[];
};

/* Never the same for two threads, also when one of them is gone. */
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

/* The functions below are called under the lock, unless they say otherwise. */

/* "stream 'decode'", or "event 12". */
void sim_describe_object(const char *word, const void *handle, char text[RILL_LABEL_MAX]);

/* A number for a call that may break captures, unlike those of all others: by it
 * they know the call again when it ends. */
uint64_t sim_capture_call(void);

/* Breaks the capture, if it is not broken yet, and remembers how.  For a call that
 * is refused and has noted why: when it ends, the captures that it broke learn what
 * it is called in public; until then `operation` is the best that is known. */
void sim_capture_break(struct capture *capture, uint64_t call, rill_status status,
                       const char *operation, const char *object);

/* The status of an operation that a broken capture refuses; and of one whose
 * stream left the capture while it was made ready. */
rill_status sim_capture_refuse_broken(const struct capture *capture);
rill_status sim_capture_refuse_left(void);

/* The stream takes part from now on, and its first node will depend on these; NULL: no
 * memory. */
struct participant *sim_capture_join(struct capture *capture, struct sim_stream *stream,
                                     const struct link *nodes, uint32_t count);

/* Room for more dependencies; and one more, unless it is there. */
bool sim_participant_reserve(struct participant *participant, uint32_t more);
void sim_participant_add_dependency(struct participant *participant, struct link link);

/* Puts a node behind the stream's last ones; takes a reference of its own on the
 * task.  False: no memory. */
bool sim_participant_insert_node(struct participant *participant, struct task *task);

/* Whether everything was joined; where not, RILL_ERROR_STREAM_CAPTURE_UNJOINED
 * and which streams were not (capture_join.c). */
rill_status sim_capture_check_joined(const struct capture *capture);

/* It is over: all streams leave.  Returns its own graph, or NULL, to be handed
 * on or discarded without the lock.  Where it `failed`, a graph of the user's is
 * lost. */
rill_graph *sim_capture_finish(struct capture *capture, bool failed);

void sim_capture_release(struct capture *capture);

/* What the event keeps, retained, or NULL. */
static inline struct captured_nodes *sim_captured_nodes(struct event_state *state)
{
    return (struct captured_nodes *)sim_event_captured_point(state);
}

static inline void sim_captured_nodes_release(struct captured_nodes *captured)
{
    sim_captured_point_release((struct captured_point *)captured); /* which may be NULL */
}

/* Its operations that are not simply a node: record and wait (capture_event.c),
 * and what a launch of a kernel says beside its node (capture_kernel.c). */
rill_status sim_capture_event(struct sim_stream *stream, rill_op *op);
rill_status sim_captured_kernel_task(struct sim_stream *stream, const rill_kernel_op *op,
                                     struct task **task);
void sim_captured_kernel_loosen(struct participant *participant, const rill_kernel_op *op);
rill_status sim_captured_kernel_record(struct participant *participant, const rill_kernel_op *op);

/* Any operation as a node.  Without the lock (capture_submit.c). */
rill_status sim_capture_node(struct sim_stream *stream, rill_op *op);

/* An event stands for these nodes from now on.  False: no memory. */
bool sim_capture_record(struct capture *capture, rill_event *event, const struct link *nodes,
                        uint32_t count);

#endif
