/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps of the capture area.
 */
#ifndef RANDOM_CAPTURE_STEPS_H
#define RANDOM_CAPTURE_STEPS_H

#include "../random.h"

/* A graph that a capture adds to and nobody has been given yet. */
enum { CAPTURING = 1 << 30 };
/* A stream in which a capture began. */
enum { ORIGIN = 1 << 29 };

/* capture_streams.c */
CUstream draw_stream(struct world *);
CUstream draw_capturing(struct world *); /* mostly */
CUstream draw_broken(struct world *);    /* NULL: there is none */
CUstreamCaptureStatus stream_status(struct world *, CUstream);
CUgraph stream_graph(struct world *, CUstream);
void forget_broken(struct world *);
void status_show(struct world *);
void captures_close(struct world *);

/* Whether this seed mostly does what breaks no capture. */
bool is_calm(struct world *);

/* capture_calls.c */
void begin_step(struct world *);
void begin_to_graph_step(struct world *);
void end_step(struct world *);
void close_step(struct world *);
void end_stream(struct world *, CUstream);
void info_step(struct world *);
void update_step(struct world *);
void mode_step(struct world *);

/* capture_work.c */
void launch_step(struct world *);
void fill_step(struct world *);
void copy_step(struct world *);
void host_step(struct world *);
void value_step(struct world *);
void exec_step(struct world *);
void pool_step(struct world *);

/* capture_events.c */
void record_step(struct world *);
void wait_step(struct world *);
void fork_step(struct world *);
/* Into that stream. */
void join_all(struct world *, CUstream to);
void join_step(struct world *);
void event_step(struct world *);

/* capture_unsafe.c */
void unsafe_step(struct world *);

#endif
