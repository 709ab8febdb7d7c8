/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/schedule/one_queue.h"

#include <string.h>

#include "base/alloc.h"

/* How many rows have room that is kept while none is pending. */
#define ROOM_KEPT 64u

static void note_sole(struct one_queue *queue)
{
    bool one = queue->to - queue->from == 1;
    atomic_store(&queue->sole, one ? queue->rows[queue->from].strand : NULL);
}

/* Makes room for one more row. */
static bool make_room(struct one_queue *queue)
{
    size_t left = queue->to - queue->from;
    if (queue->from) {
        memmove(queue->rows, queue->rows + queue->from, left * sizeof *queue->rows);
        queue->from = 0;
        queue->to = left;
    }
    if (left < queue->room) return true;
    size_t room = 2 * (left + 1);
    struct submitted_row *more = rl_alloc(room * sizeof *more);
    if (!more) return false;
    if (left) memcpy(more, queue->rows, left * sizeof *more);
    rl_free(queue->rows);
    queue->rows = more;
    queue->room = room;
    return true;
}

static void forget_over(struct one_queue *queue)
{
    atomic_store(&queue->sole, NULL); /* before a look at what is noted */
    for (; queue->from < queue->to; queue->from++) {
        const struct submitted_row *row = &queue->rows[queue->from];
        bool is_last = queue->from == queue->to - 1;
        uint64_t last = is_last ? atomic_load(&row->strand->noted) : row->last;
        if (!sim_strand_reached(row->strand, last)) return;
        sim_strand_release(row->strand);
    }
}

bool sim_one_queue_add(struct one_queue *queue, struct strand *strand)
{
    if (queue->from < queue->to && queue->rows[queue->to - 1].strand == strand) return true;
    forget_over(queue);
    if (queue->from < queue->to) {
        struct submitted_row *last = &queue->rows[queue->to - 1];
        last->last = atomic_load(&last->strand->noted);
    }
    bool fits = queue->to < queue->room || make_room(queue);
    if (fits) {
        sim_strand_retain(strand);
        queue->rows[queue->to++] = (struct submitted_row){ .strand = strand };
    }
    note_sole(queue);
    return fits;
}

struct point sim_one_queue_oldest(struct one_queue *queue)
{
    forget_over(queue);
    if (queue->from < queue->to) {
        struct strand *strand = queue->rows[queue->from].strand;
        note_sole(queue);
        return (struct point){ strand, atomic_load(&strand->completed) + 1 };
    }
    queue->from = queue->to = 0;
    if (queue->room > ROOM_KEPT) sim_one_queue_fini(queue);
    note_sole(queue);
    return (struct point){ NULL, 0 };
}

void sim_one_queue_fini(struct one_queue *queue)
{
    for (size_t i = queue->from; i < queue->to; i++) sim_strand_release(queue->rows[i].strand);
    rl_free(queue->rows);
    *queue = (struct one_queue){ .rows = NULL };
}
