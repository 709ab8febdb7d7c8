/* SPDX-License-Identifier: Apache-2.0 */
#include "command/steps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static int compare_names(const struct schedule_hold *a, const struct schedule_hold *b)
{
    if (a->stream != b->stream) return a->stream < b->stream ? -1 : 1;
    if (a->number != b->number) return a->number < b->number ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* ---- Reading ---------------------------------------------------------------------------- */

/* Reads "step 2 7 node 3 call 12 hash ...".  Returns false if the line is another one. */
static bool read_step(const char *line, struct schedule_hold *step)
{
    *step = (struct schedule_hold){ .place = HOLD_ANY_PLACE };
    return sscanf(line, "step %" SCNu32 " %" SCNu64 " node %" SCNu32 " call %" SCNu64,
                  &step->stream, &step->number, &step->place, &step->call) == 4 ||
           sscanf(line, "step %" SCNu32 " %" SCNu64 " call %" SCNu64, &step->stream,
                  &step->number, &step->call) == 3;
}

/* Reads "pause 2 7 node 3 hash ..." or "order 2 7 node 3 blocks 5 hash ..." */
static bool read_manner(const char *line, struct schedule_hold *manner)
{
    *manner = (struct schedule_hold){ .place = HOLD_ANY_PLACE };
    manner->pauses = !strncmp(line, "pause ", 6);
    if (!manner->pauses && strncmp(line, "order ", 6)) return false;
    if (sscanf(line + 6, "%" SCNu32 " %" SCNu64 " node %" SCNu32, &manner->stream,
               &manner->number, &manner->place) < 2)
        return false;
    const char *blocks = strstr(line, " blocks ");
    return manner->pauses || (blocks && sscanf(blocks, " blocks %" SCNu64, &manner->order) == 1);
}

/* Adds to the last step of that name how its kernel ran. */
static void add_manner(struct steps *steps, const struct schedule_hold *manner)
{
    for (size_t i = steps->count; i-- > 0;) {
        struct schedule_hold *step = &steps->items[i];
        if (compare_names(step, manner)) continue;
        if (manner->order) step->order = manner->order;
        step->pauses |= manner->pauses;
        return;
    }
}

static bool add_step(struct steps *steps, const struct schedule_hold *step)
{
    size_t count = steps->count;
    if (count == COMMAND_STEPS_MOST) return false;
    if (!(count & (count - 1))) { /* the room is a power of two */
        struct schedule_hold *more = rl_alloc((count ? 2 * count : 1) * sizeof *more);
        if (!more) return false;
        if (count) memcpy(more, steps->items, count * sizeof *more);
        rl_free(steps->items);
        steps->items = more;
    }
    steps->items[steps->count++] = *step;
    return true;
}

bool command_steps_read(struct steps *steps, const char *trail)
{
    char line[512];
    struct schedule_hold step;
    FILE *file = fopen(trail, "re");
    bool good = file;
    *steps = (struct steps){ .count = 0 };
    while (good && fgets(line, sizeof line, file))
        if (read_step(line, &step)) good = add_step(steps, &step);
        else if (read_manner(line, &step)) add_manner(steps, &step);
    if (file) fclose(file);
    if (!good) command_steps_free(steps);
    return good;
}

static bool has_step(const struct steps *run, const struct schedule_hold *hold)
{
    for (size_t i = 0; i < run->count; i++)
        if (run->items[i].stream == hold->stream && run->items[i].number == hold->number &&
            (hold->place == HOLD_ANY_PLACE || hold->place == run->items[i].place))
            return true;
    return false;
}

bool command_steps_missing(const struct steps *run, const struct schedule_hold *holds,
                           size_t count, char *text, size_t room)
{
    size_t used = 0;
    *text = 0;
    for (size_t i = 0; i < count && used < room; i++) {
        char node[24] = "";
        if (has_step(run, &holds[i])) continue;
        if (holds[i].place != HOLD_ANY_PLACE)
            snprintf(node, sizeof node, ".%" PRIu32, holds[i].place);
        used += (size_t)snprintf(text + used, room - used, "%s%" PRIu32 ".%" PRIu64 "%s",
                                 used ? ", " : "", holds[i].stream, holds[i].number, node);
    }
    return used;
}

void command_steps_free(struct steps *steps)
{
    rl_free(steps->items);
    *steps = (struct steps){ .count = 0 };
}

bool command_steps_tell_hang(const char *trail, char words[512])
{
    char line[512];
    bool hangs = false;
    FILE *file = fopen(trail, "re");
    if (words) *words = 0;
    if (!file) return false;
    while (!hangs && fgets(line, sizeof line, file)) hangs = !strcmp(line, "hang\n");
    if (hangs && words && fgets(line, sizeof line, file) && !strncmp(line, "the ", 4)) {
        line[strcspn(line, "\n")] = 0;
        snprintf(words, 512, "%s", line);
    }
    fclose(file);
    return hangs;
}

/* ---- Threads ------------------------------------------------------------------------------ */

/* Adds that a thread arrived so many times; 0: from then on.  Returns false if there is no room. */
static bool add_arrivals(char *text, size_t room, size_t *used, unsigned thread, uint64_t times)
{
    char one[64], count[32] = "";
    if (times) snprintf(count, sizeof count, "x%" PRIu64, times);
    size_t more = (size_t)snprintf(one, sizeof one, "%c%u%s", *used ? ',' : '/', thread, count);
    if (*used + more >= room) return false;
    memcpy(text + *used, one, more + 1);
    *used += more;
    return true;
}

void command_steps_threads(const char *trail, char *text, size_t room)
{
    char line[512];
    FILE *file = fopen(trail, "re");
    unsigned thread = 1, next;
    uint64_t before = 0, after;
    size_t used = 0;
    bool fits = true, others = false;
    *text = '\0';
    while (file && fits && fgets(line, sizeof line, file)) {
        if (sscanf(line, "thread %u after %" SCNu64, &next, &after) != 2) continue;
        if (after > before) fits = add_arrivals(text, room, &used, thread, after - before);
        thread = next, before = after, others = true;
    }
    if (file) fclose(file);
    if (!others || !fits || !add_arrivals(text, room, &used, thread, 0)) *text = '\0';
}

/* ---- Comparing --------------------------------------------------------------------------- */

/* A step of a run, and how many came before it. */
struct ranked {
    struct schedule_hold step;
    size_t rank;
};

static int by_name(const void *a, const void *b)
{
    const struct ranked *first = a, *second = b;
    int order = compare_names(&first->step, &second->step);
    return order ? order : first->rank < second->rank ? -1 : first->rank > second->rank;
}

static int by_rank(const void *a, const void *b)
{
    const struct ranked *first = a, *second = b;
    return first->rank < second->rank ? -1 : first->rank > second->rank;
}

/* Lists the steps by name.  Of those that have the same name, as a wait that is tried twice, the
 * last is meant.  Returns NULL if memory is short. */
static struct ranked *rank_steps(const struct steps *steps, size_t *count)
{
    size_t kept = 0;
    struct ranked *list = rl_alloc(steps->count * sizeof *list);
    if (!list) return NULL;
    for (size_t i = 0; i < steps->count; i++) list[i] = (struct ranked){ steps->items[i], i };
    if (steps->count) qsort(list, steps->count, sizeof *list, by_name);
    for (size_t i = 0; i < steps->count; i++) {
        if (kept && !compare_names(&list[kept - 1].step, &list[i].step)) kept--;
        list[kept++] = list[i];
    }
    *count = kept;
    return list;
}

static const struct ranked *find_ranked(const struct ranked *list, size_t count,
                                        const struct schedule_hold *step)
{
    size_t low = 0;
    while (count > low) {
        size_t middle = low + (count - low) / 2;
        int order = compare_names(step, &list[middle].step);
        if (!order) return &list[middle];
        if (order < 0) count = middle;
        else low = middle + 1;
    }
    return NULL;
}

/* Adds what has to be said of a step: that it is late, and how its kernel runs. */
static bool add_deviation(struct steps *held, const struct schedule_hold *step, bool late)
{
    struct schedule_hold hold = *step, order = *step;
    hold.order = 0;
    order.call = 0;
    order.pauses = false;
    return (!(late || hold.pauses) || add_step(held, &hold)) &&
           (!order.order || add_step(held, &order));
}

/* Adds what `list`, in the order in which it was taken, has later than `base`, which is in the
 * order of names. */
static bool add_late(const struct ranked *base, size_t base_count, const struct ranked *list,
                     size_t count, struct steps *held)
{
    size_t highest = 0;
    uint64_t call = 0; /* that `highest` is of */
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        const struct schedule_hold *step = &list[i].step;
        const struct ranked *then = find_ranked(base, base_count, step);
        size_t rank = then ? then->rank : 0;
        if (step->call != call) call = step->call, highest = 0;
        bool late = !then || step->call > then->step.call || rank < highest;
        good = add_deviation(held, step, late);
        if (rank > highest) highest = rank;
    }
    return good;
}

/* Adds what `list`, in the order of names, does not have. */
static bool add_never(const struct ranked *base, size_t base_count, const struct ranked *list,
                      size_t count, struct steps *held)
{
    bool good = true;
    for (size_t i = 0; good && i < base_count; i++) {
        struct schedule_hold step = base[i].step;
        step.call = step.order = step.pauses = 0;
        if (!find_ranked(list, count, &step)) good = add_step(held, &step);
    }
    return good;
}

bool command_steps_deviations(const struct steps *early, const struct steps *run,
                              struct steps *held, size_t *taken)
{
    size_t base_count = 0, count = 0;
    struct ranked *base = rank_steps(early, &base_count), *list = rank_steps(run, &count);
    *held = (struct steps){ .count = 0 };
    struct steps never = { .count = 0 };
    bool good = base && list && add_never(base, base_count, list, count, &never);
    if (good && count) qsort(list, count, sizeof *list, by_rank);
    good = good && add_late(base, base_count, list, count, held);
    *taken = held->count;
    for (size_t i = 0; good && i < never.count; i++) good = add_step(held, &never.items[i]);
    command_steps_free(&never);
    if (!good) command_steps_free(held);
    rl_free(base);
    rl_free(list);
    return good;
}

/* ---- Writing ----------------------------------------------------------------------------- */

bool command_holds_write(const struct schedule_hold *holds, size_t count, char *text, size_t room)
{
    size_t used = (size_t)snprintf(text, room, "replay:");
    for (size_t i = 0; i < count; i++) {
        char hold[128], node[24] = "", call[32] = "", order[32] = "";
        if (holds[i].place != HOLD_ANY_PLACE)
            snprintf(node, sizeof node, ".%" PRIu32, holds[i].place);
        if (holds[i].call) snprintf(call, sizeof call, "@%" PRIu64, holds[i].call);
        if (holds[i].order) snprintf(order, sizeof order, "%%%" PRIu64, holds[i].order);
        size_t more = (size_t)snprintf(hold, sizeof hold, "%s%" PRIu32 ".%" PRIu64 "%s%s%s%s",
                                       i ? "," : "", holds[i].stream, holds[i].number, node,
                                       holds[i].pauses ? "~" : "", order, call);
        if (used + more >= room) return false;
        memcpy(text + used, hold, more + 1);
        used += more;
    }
    return true;
}
