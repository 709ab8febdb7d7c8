/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of the program that the backend is given: it calls them through this layer, in a fiber.
 */
#ifndef TS_FUNCTION_H
#define TS_FUNCTION_H

#include "layer-tsan/slots/teller.h"

struct ts_function;

/* Puts the layer between the backend and a host function.  Returns NULL, with nothing changed, if
 * memory is short.  `point`: where it runs in a stream, whose reference is taken over; NULL: as a
 * node. */
struct ts_function *ts_function_wrap(struct ts_teller *teller, rill_op *op, struct ts_point *point);

/* Gives back what the program gave, if the operation is a wrapped function. */
void ts_function_unwrap(rill_op *op);

/* Does the same for a status callback. */
struct ts_function *ts_callback_wrap(struct ts_teller *teller, rill_stream_callback callback,
                                     void *data, struct ts_point *point);
void ts_callback_run(rill_stream *stream, rill_status status, void *function);

/* Frees the function of a callback that the backend has refused. */
void ts_callback_refused(struct ts_function *function);

/* ---- User objects ------------------------------------------------------------------------- */

/* Puts the layer in between.  Returns NULL if memory is short. */
void *ts_owned_wrap(struct ts_teller *teller, void *data, rill_destroy_fn destroy);
void ts_owned_free(void *owned);
void ts_owned_destroy(void *owned);

/* ---- What runs ---------------------------------------------------------------------------- */

extern const struct rill_watcher ts_watcher;

/* Names the launch that the calling thread submits from now on, or none. */
void ts_watch_submitting(struct ts_launch *launch);

/* Returns the launch of what runs, and the place of the node; NULL if it is none.  Requires
 * order.lock. */
struct ts_launch *ts_running_launch(struct ts_teller *teller, uint32_t *place);

#endif
