/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/graph/task_slab.h"

#include "backend-sim/graph/task.h"
#include "base/alloc.h"

/* Under a sanitizer each task has memory of its own, so that the sanitizer sees its bounds. */
#if defined(__SANITIZE_ADDRESS__)
#define SLAB_BYTES 0u
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SLAB_BYTES 0u
#endif
#endif
#ifndef SLAB_BYTES
#define SLAB_BYTES 4080u /* a page, with what malloc adds */
#endif

#define UNIT 8u /* tasks lie on boundaries of that many bytes */

/* While a slab is filled this stands for all tasks that it may yet hold. */
#define OPEN 0x10000u

struct task_slab {
    atomic_uint live; /* tasks in it that are not freed */
    uint32_t used;    /* bytes; the room's lock         */
    uint32_t count;   /* tasks; the same                */
};

static void release_slab(struct task_slab *slab, unsigned tasks)
{
    if (atomic_fetch_sub_explicit(&slab->live, tasks, memory_order_acq_rel) == tasks) rl_free(slab);
}

static void close_slab(struct task_slab *slab)
{
    if (slab) release_slab(slab, OPEN - slab->count);
}

static struct task_slab *open_slab(void)
{
    struct task_slab *slab = rl_alloc(SLAB_BYTES);
    if (!slab) return NULL;
    atomic_init(&slab->live, OPEN);
    slab->used = (sizeof *slab + UNIT - 1) / UNIT * UNIT;
    slab->count = 0;
    return slab;
}

static struct task *cut_task(struct task_slab *slab, size_t bytes)
{
    struct task *task = (void *)((unsigned char *)slab + slab->used);
    task->slab = (uint16_t)(slab->used / UNIT);
    slab->used += (uint32_t)bytes;
    slab->count++;
    return task;
}

/* Requires room->lock. */
static struct task *place_task(struct task_room *room, size_t bytes)
{
    if (!room->open || bytes > SLAB_BYTES - room->open->used) {
        struct task_slab *slab = open_slab();
        if (!slab) return NULL;
        close_slab(room->open);
        room->open = slab;
    }
    return cut_task(room->open, bytes);
}

static void *mark_alone(void *memory)
{
    if (memory) ((struct task *)memory)->slab = 0;
    return memory;
}

void *sim_task_alloc(struct task_room *room, size_t bytes)
{
    bytes = (bytes + UNIT - 1) / UNIT * UNIT;
    if (!room || bytes > SLAB_BYTES / 8) return mark_alone(rl_alloc(bytes));
    rl_spin_lock(&room->lock);
    void *task = room->over ? mark_alone(rl_alloc(bytes)) : place_task(room, bytes);
    rl_spin_unlock(&room->lock);
    return task;
}

void sim_task_free(struct task *task)
{
    if (!task->slab) rl_free(task);
    else release_slab((void *)((unsigned char *)task - (size_t)task->slab * UNIT), 1);
}

void sim_task_room_end(struct task_room *room)
{
    rl_spin_lock(&room->lock);
    close_slab(room->open);
    room->open = NULL;
    room->over = true;
    rl_spin_unlock(&room->lock);
}
