/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/run/races.h"
#include "ptx/run/fault.h"

#include <inttypes.h>
#include <string.h>

/* An earlier access; a time of 0 if there was none. */
struct note {
    uint32_t time, line;
    uint16_t thread;
    bool strong;
};

/* What is known of a byte of shared memory: the thread that wrote it last, and what; and the
 * last two threads that read it.  A third reader is not missed: one of the two is not the
 * writer. */
struct cell {
    struct note write, reads[2];
    unsigned char value;
};

struct thread_times {
    uint32_t block, warp;
};

struct ptx_races {
    uint32_t now, threads, shared_bytes;
    struct cell *cells;
    struct thread_times met[];
};

static size_t times_bytes(uint32_t threads)
{
    return (threads * sizeof(struct thread_times) + 15) / 16 * 16;
}

size_t ptx_races_bytes(uint32_t threads, uint32_t shared_bytes)
{
    return sizeof(struct ptx_races) + times_bytes(threads) + shared_bytes * sizeof(struct cell);
}

void ptx_races_begin(struct ptx_races *races, uint32_t threads, uint32_t shared_bytes)
{
    memset(races, 0, ptx_races_bytes(threads, shared_bytes));
    races->threads = threads;
    races->shared_bytes = shared_bytes;
    races->cells = (struct cell *)(void *)((char *)races->met + times_bytes(threads));
}

/* Returns the next time.  Once in 2^32 steps everything is forgotten. */
static uint32_t next_time(struct ptx_races *races)
{
    if (races->now == UINT32_MAX)
        ptx_races_begin(races, races->threads, races->shared_bytes);
    return ++races->now;
}

/* ---- What puts accesses in order ---------------------------------------------------------- */

void ptx_races_sync(struct ptx_group *group, bool block)
{
    struct ptx_races *races = group->block->races;
    uint32_t now = next_time(races);
    PTX_IN_TURN(group, i) {
        struct thread_times *met = &races->met[ptx_thread_of(group, i)];
        if (block) met->block = now;
        met->warp = now;
    }
}

void ptx_races_sync_all(struct ptx_block *block)
{
    struct ptx_races *races = block->races;
    uint32_t now = next_time(races);
    for (uint32_t i = 0; i < races->threads; i++)
        races->met[i] = (struct thread_times){ now, now };
}

static bool has_synchronised(const struct ptx_races *races, uint32_t thread, uint32_t since,
                             bool warp)
{
    const struct thread_times *met = &races->met[thread];
    return (warp ? met->warp : met->block) > since;
}

/* Returns true if nothing lies between another thread's note and this access. */
static bool races_with(const struct ptx_races *races, const struct note *note, uint32_t thread,
                       bool strong)
{
    if (note->time == 0 || note->thread == thread || (note->strong && strong)) return false;
    bool warp = note->thread / PTX_WARP == thread / PTX_WARP;
    return !has_synchronised(races, note->thread, note->time, warp) ||
           !has_synchronised(races, thread, note->time, warp);
}

/* ---- Accesses ----------------------------------------------------------------------------- */

struct visit {
    const struct ptx_access *access;
    struct ptx_races *races;
    struct note note;        /* of this access */
    uint32_t lane;
    uint32_t offset;         /* of the lane's access */
    bool atomic;
};

static void report_race(const struct visit *visit, uint32_t at, const struct note *other,
                        const char *did)
{
    const uint32_t *size = visit->access->group->block->launch->block;
    uint32_t t = other->thread;
    ptx_fail(visit->access->group, visit->access->step, visit->lane, RILL_ERROR_LAUNCH_FAILED,
             at, "a race for shared memory: %s of %u bytes at offset %" PRIu32
             ", where thread (%u,%u,%u) %s in line %u, and no barrier in between",
             visit->access->verb, visit->access->bytes, visit->offset, t % size[0],
             t / size[0] % size[1], t / size[0] / size[1], did, other->line);
}

static bool see_reads(const struct visit *visit, uint32_t at, const struct cell *cell)
{
    for (unsigned r = 0; r < 2; r++)
        if (races_with(visit->races, &cell->reads[r], visit->note.thread, visit->note.strong)) {
            report_race(visit, at, &cell->reads[r], "loaded");
            return false;
        }
    return true;
}

static bool see_write(const struct visit *visit, uint32_t at, const struct cell *cell)
{
    if (!races_with(visit->races, &cell->write, visit->note.thread, visit->note.strong))
        return true;
    report_race(visit, at, &cell->write, "stored");
    return false;
}

static bool visit_load(const struct visit *visit, uint32_t at, unsigned char value)
{
    (void)value;
    struct cell *cell = &visit->races->cells[at];
    if (!see_write(visit, at, cell)) return false;
    if (cell->reads[0].thread != visit->note.thread) cell->reads[1] = cell->reads[0];
    cell->reads[0] = visit->note;
    return true;
}

/* Threads may store the same value. */
static bool visit_store(const struct visit *visit, uint32_t at, unsigned char value)
{
    struct cell *cell = &visit->races->cells[at];
    if ((visit->atomic || cell->value != value) && !see_write(visit, at, cell)) return false;
    if (!see_reads(visit, at, cell)) return false;
    cell->write = visit->note;
    cell->value = value;
    return true;
}

static bool begin_lane(struct visit *visit, uint32_t lane)
{
    const struct ptx_access *access = visit->access;
    uint64_t address = ptx_access_address(access, lane);
    if (access->where == PTX_TO_ANY && PTX_WINDOW_OF(address) == PTX_SHARED_WINDOW)
        address -= PTX_SHARED_WINDOW;
    else if (access->where != PTX_TO_SHARED)
        return false;
    else
        address -= ptx_wrap_of(access->where, address);
    uint32_t bytes = visit->races->shared_bytes;
    if (bytes < access->bytes || address > bytes - access->bytes) return false;
    visit->lane = lane;
    visit->offset = (uint32_t)address;
    visit->note.thread = (uint16_t)ptx_thread_of(access->group, lane);
    return true;
}

static struct visit begin_visit(const struct ptx_access *access, bool strong)
{
    struct ptx_races *races = access->group->block->races;
    return (struct visit){
        .access = access,
        .races = races,
        .note = { .time = next_time(races), .line = access->step->line, .strong = strong },
    };
}

static bool is_strong(const struct ptx_access *access)
{
    return access->step->kind & PTX_STRONG;
}

void ptx_races_load(const struct ptx_access *access)
{
    struct visit visit = begin_visit(access, is_strong(access));
    PTX_IN_TURN(access->group, i) {
        if (!begin_lane(&visit, i)) continue;
        for (uint32_t n = 0; n < access->bytes; n++)
            if (!visit_load(&visit, visit.offset + n, 0)) return;
    }
    if (is_strong(access)) ptx_races_sync(access->group, true);
}

void ptx_races_store(const struct ptx_access *access, size_t memory, size_t reg)
{
    const struct ptx_step *step = access->step;
    struct visit visit = begin_visit(access, is_strong(access));
    PTX_IN_TURN(access->group, i) {
        if (!begin_lane(&visit, i)) continue;
        for (uint32_t n = 0; n < access->bytes; n++) {
            const unsigned char *value =
                PTX_ELEMENT(access->group, step, n / memory, step->b, const unsigned char);
            if (!visit_store(&visit, visit.offset + n, value[i * reg + n % memory])) return;
        }
    }
    if (is_strong(access)) ptx_races_sync(access->group, true);
}

void ptx_races_atomic(const struct ptx_access *access)
{
    struct visit visit = begin_visit(access, true);
    visit.atomic = true;
    PTX_IN_TURN(access->group, i) {
        if (!begin_lane(&visit, i)) continue;
        for (uint32_t n = 0; n < access->bytes; n++)
            if (!visit_store(&visit, visit.offset + n, 0)) return;
    }
    ptx_races_sync(access->group, true);
}
