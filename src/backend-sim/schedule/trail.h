/* SPDX-License-Identifier: Apache-2.0
 *
 * What happened in a run whose schedule is given: a number that stands for all of it, and, if a
 * file is asked for, a line for each step.
 */
#ifndef SIM_SCHEDULE_TRAIL_H
#define SIM_SCHEDULE_TRAIL_H

#include <rill/status.h>

#include <stdint.h>
#include <stdio.h>

#include "backend-sim/schedule/policy.h"

struct trail {
    uint64_t hash;
    FILE *file; /* NULL if none is asked for */
};

/* Opens the file, if a path is given. */
rill_status sim_trail_open(struct trail *trail, const char *path);

static inline void sim_trail_add(struct trail *trail, uint64_t number)
{
    uint64_t hash = (trail->hash ^ number) * 0x9e3779b97f4a7c15u;
    trail->hash = hash ^ hash >> 32;
}

static inline void sim_trail_add_name(struct trail *trail, const struct candidate *step)
{
    sim_trail_add(trail, (uint64_t)step->place << 32 | step->stream);
    sim_trail_add(trail, step->number);
}

/* Writes the line of a step that was noted. */
void sim_trail_write(const struct trail *trail, const struct candidate *step, uint64_t calls);

/* Notes a step that is about to be taken, after so many calls of the host. */
static inline void sim_trail_note(struct trail *trail, const struct candidate *step,
                                  uint64_t calls)
{
    uint64_t stream = (uint64_t)step->place << 32 | step->stream;
    sim_trail_add(trail, stream * 0xbf58476d1ce4e5b9u + step->number + (calls << 40 | calls >> 24));
    if (trail->file) sim_trail_write(trail, step, calls);
}

/* Notes that the blocks of the step's kernel begin in an order that is not that of their numbers,
 * and that others go on in the middle of it. */
void sim_trail_note_order(struct trail *trail, const struct candidate *step, uint64_t order);
void sim_trail_note_pause(struct trail *trail, const struct candidate *step);

/* Notes that another thread of the host arrives than the last time, after so many arrivals. */
void sim_trail_note_thread(struct trail *trail, uint32_t thread, uint64_t arrivals);

/* Writes a word about something else that happened: a hang, a host that was let go. */
void sim_trail_say(struct trail *trail, const char *word);

/* Closes the file. */
void sim_trail_close(struct trail *trail);

#endif
