/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps of the area of contexts.
 *
 * Contexts and memory that have ended are asked about as well, as long as no younger object of
 * the kind can have the handle: a driver may give that away again.  What else has ended is not,
 * since that may be the end of the process.
 */
#ifndef RANDOM_CONTEXT_STEPS_H
#define RANDOM_CONTEXT_STEPS_H

#include "../random.h"

/* Flags of a context, of memory. */
enum { OWN, PRIMARY };
enum { DEVICE_MEMORY, HOST_MEMORY };

/* What is done to it, or NULL if there is none.  The first may have ended. */
struct object *draw_object(struct world *, enum kind);
struct object *draw_living(struct world *, enum kind);
const char *object_name(struct world *, const struct object *);

/* The object of the context that is current in the calling thread, or NULL. */
struct object *current_object(struct world *);
bool current_ended(struct world *);
const char *context_name(struct world *, CUcontext);
/* A context as an argument: one that lives most of the time. */
CUcontext draw_context(struct world *);
unsigned draw_context_flags(struct world *);
/* Notes that something has ended, or a context with all that is its own. */
void object_end(struct world *, struct object *);
/* Adds what the current context now has. */
struct object *object_made(struct world *, enum kind, const void *value, unsigned flags);

/* context_life.c */
void context_create_step(struct world *);
void context_destroy_step(struct world *);
void context_uses_step(struct world *);
void primary_retain_step(struct world *);
void primary_release_step(struct world *);
void primary_reset_step(struct world *);
void primary_flags_step(struct world *);
void primary_state_step(struct world *);
/* Ends all of them. */
void contexts_close(struct world *);

/* context_current.c */
void current_push_step(struct world *);
void current_pop_step(struct world *);
void current_set_step(struct world *);
void current_clear(struct world *);

/* context_ask.c */
void context_flags_step(struct world *);
void context_set_flags_step(struct world *);
void context_ask_step(struct world *);
void context_limit_step(struct world *);
void context_cache_step(struct world *);
void context_synchronize_step(struct world *);

/* context_streams.c */
void its_stream_step(struct world *);
void its_stream_ask_step(struct world *);
void its_event_step(struct world *);
void its_order_step(struct world *);

/* context_memory.c */
void its_memory_step(struct world *);
void its_memory_use_step(struct world *);
void its_memory_ask_step(struct world *);
void its_module_step(struct world *);

#endif
