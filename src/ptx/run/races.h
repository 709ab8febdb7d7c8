/* SPDX-License-Identifier: Apache-2.0
 *
 * Races for shared memory between the threads of a block (RILL_PTX_CHECK=races).
 *
 * Two accesses of different threads to the same byte, one of them a store that changes it,
 * race if nothing puts them in order.  What puts them in order is kept as two times for
 * each thread: when it last synchronised with its block (barriers, atomics, fences, volatile
 * accesses) and with its warp.  An earlier access is certainly not ordered with the present
 * one if one of the two threads has not synchronised since.  Only such pairs are reported;
 * if both have synchronised, with whatever, nothing is said.
 */
#ifndef PTX_RUN_RACES_H
#define PTX_RUN_RACES_H

#include "ptx/run/memory.h"

struct ptx_races;

/* Returns how many bytes the races of a block need.  The memory comes zeroed from the caller
 * and is used for one block after another. */
size_t ptx_races_bytes(uint32_t threads, uint32_t shared_bytes);

/* Forgets the block before. */
void ptx_races_begin(struct ptx_races *races, uint32_t threads, uint32_t shared_bytes);

/* Notes that the lanes of the group synchronise, with their block or only with their warps.
 * Must be called when they arrive, and again when they go on. */
void ptx_races_sync(struct ptx_group *group, bool block);

/* Notes that all threads of the block synchronise: a barrier for all of them is over. */
void ptx_races_sync_all(struct ptx_block *block);

/* Check an access before it happens.  `memory` and `reg` are the sizes of an element. */
void ptx_races_load(const struct ptx_access *access);
void ptx_races_store(const struct ptx_access *access, size_t memory, size_t reg);
void ptx_races_atomic(const struct ptx_access *access);

#endif
