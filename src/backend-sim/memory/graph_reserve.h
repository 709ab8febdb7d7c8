/* SPDX-License-Identifier: Apache-2.0
 *
 * How much memory a device keeps for graphs, counted in chunks as hardware does.
 *
 * Graphs keep their addresses, but share memory: what launches in one stream free
 * themselves is needed by one of them at a time.  Needed at any moment are
 *
 *   - for each stream in which launches are underway, a chunk run: the most that one of
 *     them allocates and frees again.  An exec's launches follow each other in
 *     whatever stream, so that a chunk run that is an exec's alone goes with it to the
 *     stream of its next launch.  What else orders streams does not count;
 *   - the chunks, in their graph's layout, of what launches leave allocated, until
 *     a free of it has happened.
 *
 * Memory is taken from the device when more is needed than there is, and kept
 * until a trim.  The heap's lock protects all of it.
 */
#ifndef SIM_GRAPH_RESERVE_H
#define SIM_GRAPH_RESERVE_H

#include <stdbool.h>
#include <stdint.h>

struct sim_device;
struct strand;

struct chunk_run {
    const struct strand *strand;
    const void *only;           /* the exec whose launches they all are, or NULL */
    uint64_t launches;          /* underway                                      */
    uint64_t bytes;             /* of whole chunks                               */
};

struct graph_reserve {
    struct sim_device *device;  /* fixed, as is the next                         */
    uint64_t chunk_bytes;
    uint64_t held, needed;      /* bytes of whole chunks; needed <= held         */
    uint64_t held_high, used_high;
    struct chunk_run *runs;
    uint32_t run_count, run_room;
};

/* The chunks that an exec's allocations lie in, side by side.  Belongs to the exec
 * and to those blocks of it whose memory is not freed yet. */
struct chunk_set {
    uint32_t references;
    uint32_t count;
    uint32_t blocks[];          /* how many stand on each chunk                  */
};

struct chunk_set *sim_chunk_set_make(uint64_t chunks);
void sim_chunk_set_release(struct chunk_set *chunk_set);

/* With the first alloc node of the device; false when the host's memory is short. */
bool sim_reserve_open(struct graph_reserve *reserve, struct sim_device *device);
void sim_reserve_close(struct graph_reserve *reserve);

/* Needs more, or less.  False: the device has not as much. */
bool sim_reserve_claim(struct graph_reserve *reserve, uint64_t bytes);
void sim_reserve_unclaim(struct graph_reserve *reserve, uint64_t bytes);

/* Gives back what is not needed. */
void sim_reserve_trim(struct graph_reserve *reserve);

/* A launch that allocates and frees `bytes` comes into a stream, and is over, or is
 * taken back.  Entering fails when memory is short, with nothing changed. */
bool sim_chunk_run_enter(struct graph_reserve *reserve, const struct strand *strand,
                         const void *exec, uint64_t bytes);
void sim_chunk_run_leave(struct graph_reserve *reserve, const struct strand *strand);

#endif
