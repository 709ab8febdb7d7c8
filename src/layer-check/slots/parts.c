/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/slots/parts.h"

#include "base/alloc.h"

static struct ck_queue **find_queue(struct ck_parts *parts, uint64_t id)
{
    struct ck_queue **link = &parts->queues[id % CK_QUEUES];
    while (*link && (*link)->id != id) link = &(*link)->next;
    return link;
}

struct ck_part *ck_part_find(struct ck_parts *parts, const rill_running *running)
{
    const struct ck_queue *queue = *find_queue(parts, running->queue);
    struct ck_part *part = queue ? queue->first : NULL;
    while (part && part->point != running->point) part = part->next;
    return part;
}

static void add_function(struct ck_functions *functions, struct ck_point at)
{
    if (functions->count < CK_FUNCTIONS) functions->at[functions->count++] = at;
    else functions->more++;
}

static void end_function(struct ck_functions *functions, struct ck_point at)
{
    size_t i = 0;
    while (i < functions->count &&
           (functions->at[i].line != at.line || functions->at[i].number != at.number))
        i++;
    if (i < functions->count) functions->at[i] = functions->at[--functions->count];
    else functions->more--;
}

/* ---- Memory -------------------------------------------------------------------------------- */

/* A part is mostly made by one thread and freed by another, for which malloc() takes long. */
#define SPARES_MAX 64u

static struct ck_part *make_part(struct ck_parts *parts)
{
    struct ck_part *part = parts->spare;
    if (!part) return rl_alloc(sizeof *part);
    parts->spare = part->next;
    parts->spare_count--;
    return part;
}

static void free_part(struct ck_parts *parts, struct ck_part *part)
{
    if (parts->spare_count == SPARES_MAX) {
        rl_free(part);
        return;
    }
    part->next = parts->spare;
    parts->spare = part;
    parts->spare_count++;
}

static struct ck_queue *make_queue(struct ck_parts *parts, uint64_t id)
{
    struct ck_queue *queue = parts->spare_queue;
    if (!queue) queue = rl_alloc(sizeof *queue);
    parts->spare_queue = NULL;
    if (queue) *queue = (struct ck_queue){ .id = id };
    return queue;
}

static void free_queue(struct ck_parts *parts, struct ck_queue *queue)
{
    rl_free(parts->spare_queue);
    parts->spare_queue = queue;
}

/* ---- Parts --------------------------------------------------------------------------------- */

bool ck_part_add(struct ck_parts *parts, uint64_t id, const struct ck_part *like)
{
    struct ck_queue **link = find_queue(parts, id);
    struct ck_part *part = make_part(parts);
    if (part && !*link) *link = make_queue(parts, id);
    if (!part || !*link) {
        rl_free(part);
        return false;
    }
    struct ck_queue *queue = *link;
    *part = *like;
    part->next = NULL;
    if (queue->last) queue->last->next = part;
    else queue->first = part;
    queue->last = part;
    part->entry->pending++;
    if (part->function) add_function(&parts->functions, part->entry->work->at);
    return true;
}

void ck_part_end(struct ck_parts *parts, uint64_t id, struct ck_part *part)
{
    if (part->function) end_function(&parts->functions, part->entry->work->at);
    struct ck_queue **link = find_queue(parts, id), *queue = *link;
    struct ck_part *before = queue->first == part ? NULL : queue->first;
    while (before && before->next != part) before = before->next;
    if (before) before->next = part->next;
    else queue->first = part->next;
    if (queue->last == part) queue->last = before;
    part->entry->pending--;
    free_part(parts, part);
    if (queue->first) return;
    *link = queue->next;
    free_queue(parts, queue);
}

void ck_parts_forget(struct ck_parts *parts)
{
    for (unsigned i = 0; i < CK_QUEUES; i++)
        while (parts->queues[i]) ck_part_end(parts, parts->queues[i]->id,
                                             parts->queues[i]->first);
    while (parts->spare) rl_free(make_part(parts));
    rl_free(parts->spare_queue);
    parts->spare_queue = NULL;
}
