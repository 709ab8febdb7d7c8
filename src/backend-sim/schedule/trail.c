/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/schedule/trail.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <rill/backend.h>

rill_status sim_trail_open(struct trail *trail, const char *path)
{
    *trail = (struct trail){ .hash = 1 };
    if (!path || !*path) return RILL_SUCCESS;
    trail->file = fopen(path, "we");
    if (!trail->file)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "RILL_SIM_SCHEDULE_TRAIL",
                                 "%.128s cannot be written: %s", path, strerror(errno));
    /* What is known must be there after a crash. */
    setvbuf(trail->file, NULL, _IOLBF, 1 << 12);
    return RILL_SUCCESS;
}

static void write_name(const struct trail *trail, const char *word, const struct candidate *step)
{
    fprintf(trail->file, "%s %u %" PRIu64, word, step->stream, step->number);
    if (step->place != HOLD_ANY_PLACE) fprintf(trail->file, " node %u", step->place);
}

static void write_hash(const struct trail *trail)
{
    fprintf(trail->file, " hash %016" PRIx64 "\n", trail->hash);
}

void sim_trail_write(const struct trail *trail, const struct candidate *step, uint64_t calls)
{
    write_name(trail, "step", step);
    fprintf(trail->file, " call %" PRIu64, calls);
    write_hash(trail);
}

void sim_trail_note_order(struct trail *trail, const struct candidate *step, uint64_t order)
{
    sim_trail_add_name(trail, step);
    sim_trail_add(trail, order);
    if (!trail->file) return;
    write_name(trail, "order", step);
    fprintf(trail->file, " blocks %" PRIu64, order);
    write_hash(trail);
}

void sim_trail_note_pause(struct trail *trail, const struct candidate *step)
{
    sim_trail_add_name(trail, step);
    if (!trail->file) return;
    write_name(trail, "pause", step);
    write_hash(trail);
}

void sim_trail_note_thread(struct trail *trail, uint32_t thread, uint64_t arrivals)
{
    sim_trail_add(trail, thread);
    sim_trail_add(trail, arrivals);
    if (!trail->file) return;
    fprintf(trail->file, "thread %u after %" PRIu64, thread, arrivals);
    write_hash(trail);
}

void sim_trail_say(struct trail *trail, const char *word)
{
    if (trail->file) fprintf(trail->file, "%s\n", word);
}

void sim_trail_close(struct trail *trail)
{
    if (!trail->file) return;
    fclose(trail->file);
    trail->file = NULL;
}
