/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams and events: what ends with a context.
 */
#ifndef SI_STREAM_H
#define SI_STREAM_H

#include "standin/context/context.h"

/* Both are an si_take_fn. */
struct si_slot *si_streams_take(struct si_context *context, struct si_slot *taken);
struct si_slot *si_events_take(struct si_context *context, struct si_slot *taken);

#endif
