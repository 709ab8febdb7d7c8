/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/clock/steps.h"

#include "base/alloc.h"

#define ROOM_FIRST 64

static size_t bucket_of(const struct steps *steps, uint32_t stream, uint64_t number,
                        uint32_t place)
{
    uint64_t hash = (number << 32 ^ (uint64_t)stream << 20 ^ place) * 0x9e3779b97f4a7c15u;
    return (size_t)(hash >> 32) & (steps->room - 1);
}

struct step *sim_steps_find(const struct steps *steps, uint32_t stream, uint64_t number,
                            uint32_t place)
{
    if (!steps->room) return NULL;
    struct step *step = steps->buckets[bucket_of(steps, stream, number, place)];
    while (step && (step->stream != stream || step->number != number || step->place != place))
        step = step->next;
    return step;
}

static void put_step(struct steps *steps, struct step *step)
{
    struct step **bucket =
        &steps->buckets[bucket_of(steps, step->stream, step->number, step->place)];
    step->next = *bucket;
    *bucket = step;
}

/* Makes the table larger once it is full, if there is memory.  Returns false if there is no table
 * at all. */
static bool make_room(struct steps *steps)
{
    if (steps->count < steps->room) return true;
    struct steps larger = { .room = steps->room ? 2 * steps->room : ROOM_FIRST };
    larger.buckets = rl_zalloc(larger.room * sizeof *larger.buckets);
    if (!larger.buckets) return steps->room;
    for (size_t i = 0; i < steps->room; i++)
        for (struct step *step = steps->buckets[i], *next; step; step = next) {
            next = step->next;
            put_step(&larger, step);
        }
    rl_free(steps->buckets);
    steps->buckets = larger.buckets;
    steps->room = larger.room;
    return true;
}

struct step *sim_steps_add(struct steps *steps, uint32_t stream, uint64_t number, uint32_t place)
{
    if (!make_room(steps)) return NULL;
    struct step *step = steps->spare;
    if (step) steps->spare = step->next;
    else step = rl_alloc(sizeof *step);
    if (!step) return NULL;
    *step = (struct step){ .stream = stream, .number = number, .place = place };
    put_step(steps, step);
    steps->count++;
    return step;
}

void sim_steps_remove(struct steps *steps, struct step *step)
{
    struct step **link = &steps->buckets[bucket_of(steps, step->stream, step->number, step->place)];
    while (*link != step) link = &(*link)->next;
    *link = step->next;
    step->next = steps->spare;
    steps->spare = step;
    steps->count--;
}

static void free_list(struct step *step)
{
    while (step) {
        struct step *next = step->next;
        rl_free(step);
        step = next;
    }
}

void sim_steps_fini(struct steps *steps)
{
    for (size_t i = 0; i < steps->room; i++) free_list(steps->buckets[i]);
    free_list(steps->spare);
    rl_free(steps->buckets);
}
