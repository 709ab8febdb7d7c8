/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps of the stream area.
 */
#ifndef RANDOM_STREAM_STEPS_H
#define RANDOM_STREAM_STEPS_H

#include "../random.h"

/* Some streams may wait for the gate: then nothing may wait for a stream. */
bool is_gated(const struct world *);
CUstream draw_any_stream(struct world *);

/* stream_life.c */
void stream_create_step(struct world *);
void stream_end_step(struct world *);
void stream_ask_step(struct world *);
void stream_attribute_step(struct world *);
void event_life_step(struct world *);

/* stream_order.c */
void gate_step(struct world *);
void open_gate_step(struct world *);
void event_order_step(struct world *);
void ready_step(struct world *);
void synchronize_step(struct world *);

/* stream_values.c */
void value_one_step(struct world *);
void value_batch_step(struct world *);
void stream_work_step(struct world *);

#endif
