/* SPDX-License-Identifier: Apache-2.0
 *
 * What may object to calls while streams capture, or take work in the place of a stream.
 * Streams, events and graphs ask it through this table of the platform, most slots only while
 * ALERT_CAPTURE says that some stream captures (call_guard.h).
 */
#ifndef SIM_INTERCEPTOR_H
#define SIM_INTERCEPTOR_H

#include "backend-sim/guard/call_guard.h"

struct sim_graph;
struct sim_stream;

struct sim_interceptor {
    /* ---- Calls: each returns RILL_SUCCESS or the refusal, which may break captures ---- */

    /* Asked for calls on nothing in particular; part of sim_enter(). */
    rill_status (*permits)(struct sim_platform *platform, enum sim_call call);
    rill_status (*permits_stream)(struct sim_stream *stream, enum sim_call call);
    /* Also asked while nothing captures, for an event that sim_event_is_captured(): the event may
     * stand for a point in a capture that is over. */
    rill_status (*permits_event)(rill_event *event, enum sim_call call);
    /* Asked before a graph is destroyed, which fails if another thread captures into it by
     * then. */
    rill_status (*permits_end)(const struct sim_graph *graph);

    /* ---- Work ---- */

    /* Takes an operation if the stream captures: then it became a node or was refused, and
     * *status says which.  Returns false if the stream does not. */
    bool (*takes)(struct sim_stream *stream, rill_op *op, rill_status *status);
    /* Lets a stream wait for an event that was captured, and join.  Returns false if the
     * event was recorded elsewhere since. */
    bool (*follow)(struct sim_stream *stream, rill_event *event, rill_status *status);
    /* Refuses an external wait for an event whose last record was in a capture that is over. */
    rill_status (*refuse_external)(struct sim_platform *platform, rill_event *event);
    /* Tells whether a stream captures into the graph. */
    bool (*fills)(const struct sim_graph *graph);

    /* ---- What goes away ---- */

    /* The stream is destroyed: the capture that was begun in it goes with it. */
    void (*forget_stream)(struct sim_stream *stream);
    /* Does the same in two steps, for a caller that holds a lock: returns a graph, or NULL, for
     * discard(), which may call functions of the program. */
    rill_graph *(*leave)(struct sim_stream *stream);
    void (*discard)(rill_graph *graph);
    void (*forget_graph)(struct sim_graph *graph);
};

#endif
