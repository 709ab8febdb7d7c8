/* SPDX-License-Identifier: Apache-2.0
 *
 * Recorded programs: when their steps ran, as the simulator saw it.
 */
#include "random/checked/running.h"

/* Requires running->sighting. */
static int step_at(const struct running *running, const rill_sim_sighting *seen)
{
    for (int i = running->points - 1; i >= 0; i--)
        if (running->point[i].point == seen->point && running->point[i].stream == seen->stream)
            return running->point[i].step;
    return -1;
}

/* The simulator has streams of its own. */
static bool is_stream(const struct running *running, uint64_t id)
{
    for (int s = 0; s < running->program->streams; s++)
        if (running->stream_id[s] == id) return true;
    return false;
}

/* The operation is of the step whose turn it is.  Requires running->sighting. */
static void note_point(struct running *running, const rill_sim_sighting *seen)
{
    if (running->points == 4 * STEPS_MAX || !is_stream(running, seen->stream)) return;
    running->point[running->points++] = (struct step_point){ seen->stream, seen->point,
                                                             running->turn };
}

/* Only what touches memory: a launch is seen by its nodes, and a step may submit waits in
 * front of its operation. */
static bool is_act(const rill_sim_sighting *seen)
{
    static const bool acts[] = {
        [RILL_OP_KERNEL] = true, [RILL_OP_MEMCPY] = true, [RILL_OP_MEMSET] = true,
        [RILL_OP_HOST] = true,   [RILL_OP_ALLOC] = true,  [RILL_OP_FREE] = true,
    };
    return seen->moment == RILL_SIM_SUBMITTED ||
           (seen->kind < sizeof acts / sizeof *acts && acts[seen->kind]);
}

static void see(void *data, const rill_sim_sighting *seen)
{
    struct running *running = data;
    if (!is_act(seen)) return;
    pthread_mutex_lock(&running->sighting);
    int step = -1;
    if (seen->moment == RILL_SIM_SUBMITTED) note_point(running, seen);
    else if (seen->moment != RILL_SIM_READY) step = step_at(running, seen);
    if (step >= 0) {
        struct step_times *times = &running->times[step];
        uint64_t ticket = ++running->ticket;
        if (seen->moment == RILL_SIM_DONE) times->done = ticket;
        else if (!times->start) times->start = ticket;
    }
    pthread_mutex_unlock(&running->sighting);
}

rill_status running_observe(struct running *running)
{
    const rill_sim_observer observer = { see, running };
    return rill_sim_observe(running->platform, &observer);
}

void running_begins(struct running *running, int step)
{
    pthread_mutex_lock(&running->sighting);
    running->times[step].start = ++running->ticket;
    pthread_mutex_unlock(&running->sighting);
}

void running_ends(struct running *running, int step)
{
    pthread_mutex_lock(&running->sighting);
    running->times[step].done = ++running->ticket;
    pthread_mutex_unlock(&running->sighting);
}

/* All acts of the first step come before all of the second one's. */
static bool steps_promised(const struct promises *promises, int first, int second)
{
    int acts = 0;
    for (int a = 0; a < promises->acts; a++) {
        for (int b = 0; b < promises->acts; b++) {
            if (promises->act[a].step != first || promises->act[b].step != second) continue;
            if (!promised(promises, a, b)) return false;
            acts++;
        }
    }
    return acts > 0;
}

bool running_broke_promise(const struct running *running, const struct promises *promises,
                           int *first, int *second)
{
    for (int a = 0; a < running->program->steps; a++) {
        for (int b = a + 1; b < running->program->steps; b++) {
            const struct step_times *one = &running->times[a], *other = &running->times[b];
            if (!one->done || !other->start || one->done < other->start) continue;
            if (!steps_promised(promises, a, b)) continue;
            *first = a;
            *second = b;
            return true;
        }
    }
    return false;
}
