/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory that a device keeps for graphs, counted in chunks, as measured.
 *
 * Graphs have addresses of their own, but share memory: launches in one stream need
 * what they free themselves one at a time.  At any moment the device needs
 *
 *   - for each stream in which launches are underway, a run of chunks: the most that
 *     one of the launches allocates and frees again.  Launches of one exec never
 *     overlap, whatever their streams, so that a run which only one exec uses moves
 *     with the exec to the stream of its next launch.  No other order between streams
 *     counts;
 *   - the chunks, in their graph's layout, of what launches leave allocated, until
 *     a free of it has happened.
 *
 * Memory is claimed from the device when more is needed than is held, and held until a
 * trim.  The lock of the graph heap protects everything here.
 */
#ifndef SIM_GRAPH_RESERVE_H
#define SIM_GRAPH_RESERVE_H

#include <stdbool.h>
#include <stdint.h>

struct sim_device;
struct strand;

struct chunk_run {
    const struct strand *strand;
    const void *only;           /* the exec, if all launches are of one, or NULL */
    uint64_t launches;          /* underway                                      */
    uint64_t bytes;             /* of whole chunks                               */
};

struct graph_reserve {
    struct sim_device *device;  /* fixed, like chunk_bytes                       */
    uint64_t chunk_bytes;
    uint64_t held, needed;      /* bytes of whole chunks; needed <= held         */
    uint64_t held_high, used_high;
    struct chunk_run *runs;
    uint32_t run_count, run_room;
};

/* The chunks that hold an exec's allocations, which are adjacent.  The exec has a reference,
 * and so has each of its blocks whose memory is not freed yet. */
struct chunk_set {
    uint32_t references;
    uint32_t count;
    uint32_t blocks[];          /* that lie in each chunk, wholly or in part     */
};

/* Makes a set with one reference.  Returns NULL if memory is short. */
struct chunk_set *sim_chunk_set_make(uint64_t chunks);
void sim_chunk_set_release(struct chunk_set *chunk_set);

/* Opens it with the device's first alloc node.  Returns false if the host's memory is short. */
bool sim_reserve_open(struct graph_reserve *reserve, struct sim_device *device);
void sim_reserve_close(struct graph_reserve *reserve);

/* Needs more.  Returns false if the device has less. */
bool sim_reserve_claim(struct graph_reserve *reserve, uint64_t bytes);

/* Needs less. */
void sim_reserve_unclaim(struct graph_reserve *reserve, uint64_t bytes);

/* Unclaims what is not needed. */
void sim_reserve_trim(struct graph_reserve *reserve);

/* Counts a launch in a stream that allocates and frees `bytes`.  Returns false, with nothing
 * changed, if memory is short. */
bool sim_chunk_run_enter(struct graph_reserve *reserve, const struct strand *strand,
                         const void *exec, uint64_t bytes);

/* Ends that, since the launch is over or was withdrawn. */
void sim_chunk_run_leave(struct graph_reserve *reserve, const struct strand *strand);

#endif
