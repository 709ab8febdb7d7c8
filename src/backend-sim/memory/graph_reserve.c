/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/memory/graph_reserve.h"

#include <string.h>

#include "backend-sim/memory/heap.h"
#include "backend-sim/memory/pool.h"
#include "base/alloc.h"

/* The number of chunk runs that a device has room for at first. */
#define RUNS_MIN 8

bool sim_reserve_open(struct graph_reserve *reserve, struct sim_device *device)
{
    struct chunk_run *runs = rl_alloc(RUNS_MIN * sizeof *runs);
    if (!runs) return false;
    *reserve = (struct graph_reserve){
        .device = device,
        .chunk_bytes = sim_chunk_bytes(device->memory_bytes),
        .runs = runs,
        .run_room = RUNS_MIN,
    };
    return true;
}

void sim_reserve_close(struct graph_reserve *reserve)
{
    sim_heap_unclaim(reserve->device->heap, reserve->held);
    rl_free(reserve->runs);
}

/* ---- Memory ------------------------------------------------------------------------- */

/* Claims memory of the device, if need be what its pools do not use. */
static bool claim_memory(struct sim_device *device, uint64_t bytes)
{
    if (sim_heap_claim(device->heap, bytes)) return true;
    return sim_pools_reclaim(device, bytes) && sim_heap_claim(device->heap, bytes);
}

bool sim_reserve_claim(struct graph_reserve *reserve, uint64_t bytes)
{
    uint64_t idle = reserve->held - reserve->needed;
    if (bytes > idle) {
        if (!claim_memory(reserve->device, bytes - idle)) return false;
        reserve->held += bytes - idle;
    }
    reserve->needed += bytes;
    if (reserve->held > reserve->held_high) reserve->held_high = reserve->held;
    if (reserve->held > reserve->used_high) reserve->used_high = reserve->held;
    return true;
}

void sim_reserve_unclaim(struct graph_reserve *reserve, uint64_t bytes)
{
    reserve->needed -= bytes;
}

void sim_reserve_trim(struct graph_reserve *reserve)
{
    uint64_t idle = reserve->held - reserve->needed;
    if (idle) sim_heap_unclaim(reserve->device->heap, idle);
    reserve->held = reserve->needed;
}

/* ---- Chunk runs --------------------------------------------------------------------- */

/* Returns the chunk run of a stream, or NULL. */
static struct chunk_run *find_run(struct graph_reserve *reserve, const struct strand *strand)
{
    for (uint32_t i = 0; i < reserve->run_count; i++)
        if (reserve->runs[i].strand == strand) return &reserve->runs[i];
    return NULL;
}

/* Makes room for one more run.  Returns false if the host's memory is short. */
static bool widen_runs(struct graph_reserve *reserve)
{
    if (reserve->run_count < reserve->run_room) return true;
    uint32_t room = 2 * reserve->run_room;
    struct chunk_run *runs = rl_alloc(room * sizeof *runs);
    if (!runs) return false;
    memcpy(runs, reserve->runs, reserve->run_count * sizeof *runs);
    rl_free(reserve->runs);
    reserve->runs = runs;
    reserve->run_room = room;
    return true;
}

/* Removes a run, in whose place the last one moves. */
static void drop_run(struct graph_reserve *reserve, struct chunk_run *run)
{
    *run = reserve->runs[--reserve->run_count];
}

/* Finds the chunk run of another stream that only launches of the exec use and that still
 * has its memory. */
static struct chunk_run *find_own_run(struct graph_reserve *reserve, const void *exec,
                                      const struct chunk_run *but)
{
    for (uint32_t i = 0; i < reserve->run_count; i++) {
        struct chunk_run *run = &reserve->runs[i];
        if (run != but && run->only == exec && run->bytes) return run;
    }
    return NULL;
}

static uint64_t larger_size(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Makes a chunk run as wide as one more launch of the exec needs it. */
static bool fit_run(struct graph_reserve *reserve, struct chunk_run *run, const void *exec,
                    uint64_t bytes)
{
    struct chunk_run *own = run->only == exec ? find_own_run(reserve, exec, run) : NULL;
    uint64_t there = run->bytes + (own ? own->bytes : 0);
    uint64_t most = larger_size(run->bytes, larger_size(bytes, own ? own->bytes : 0));
    if (most > there && !sim_reserve_claim(reserve, most - there)) return false;
    if (most < there) sim_reserve_unclaim(reserve, there - most);
    if (own) own->bytes = 0;
    run->bytes = most;
    return true;
}

bool sim_chunk_run_enter(struct graph_reserve *reserve, const struct strand *strand,
                         const void *exec, uint64_t bytes)
{
    struct chunk_run *run = find_run(reserve, strand);
    if (!run) {
        if (!widen_runs(reserve)) return false;
        run = &reserve->runs[reserve->run_count++];
        *run = (struct chunk_run){ .strand = strand, .only = exec };
    }
    if (!fit_run(reserve, run, exec, bytes)) {
        if (!run->launches) drop_run(reserve, run);
        return false;
    }
    if (run->only != exec) run->only = NULL;
    run->launches++;
    return true;
}

void sim_chunk_run_leave(struct graph_reserve *reserve, const struct strand *strand)
{
    struct chunk_run *run = find_run(reserve, strand);
    if (--run->launches) return;
    sim_reserve_unclaim(reserve, run->bytes);
    drop_run(reserve, run);
}

/* ---- Chunk sets ------------------------------------------------------------------------- */

struct chunk_set *sim_chunk_set_make(uint64_t chunks)
{
    struct chunk_set *set = rl_zalloc(sizeof *set + (size_t)chunks * sizeof *set->blocks);
    if (!set) return NULL;
    set->references = 1;
    set->count = (uint32_t)chunks;
    return set;
}

void sim_chunk_set_release(struct chunk_set *set)
{
    if (set && --set->references == 0) rl_free(set);
}
