/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of a run, read from its trail, and what was held back in it.
 */
#ifndef COMMAND_STEPS_H
#define COMMAND_STEPS_H

#include <stdbool.h>
#include <stddef.h>

#include "backend-sim/schedule/spec.h"

/* How much of a trail is looked at. */
#define COMMAND_STEPS_MOST 65536u

struct steps {
    struct schedule_hold *items; /* in the order in which they were taken; `call` is when */
    size_t count;
};

/* Reads a trail.  Returns false if there is none, it is too long, or memory is short. */
bool command_steps_read(struct steps *steps, const char *trail);
void command_steps_free(struct steps *steps);

/* Writes which of the steps that a schedule names a run did not come to, as "2.1, 3.7", cut where
 * there is no room.  Returns whether there are any. */
bool command_steps_missing(const struct steps *run, const struct schedule_hold *holds,
                           size_t count, char *text, size_t room);

/* Tells whether the trail ends with a hang.  Stores the sentence about it in `words` (NULL: not
 * asked for), "" if there is none. */
bool command_steps_tell_hang(const char *trail, char words[512]);

/* Writes in which order the program's threads made their calls, as what a schedule ends in; "" if
 * there is only one, or the order needs more than `room`. */
void command_steps_threads(const char *trail, char *text, size_t room);

/* Lists what was held back in a run: what `early` takes in an earlier call, and what something
 * overtook that comes later there; then, not counted in `taken`, what the run did not come to.
 * Returns false if memory is short. */
bool command_steps_deviations(const struct steps *early, const struct steps *run,
                              struct steps *held, size_t *taken);

/* Writes "replay:" and the holds.  Returns false if they need more than `room`. */
bool command_holds_write(const struct schedule_hold *holds, size_t count, char *text, size_t room);

#endif
