/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the members of a gang run.  Each notes its processor when it comes, and
 * between two units when the system moved it, and counts that in `moves`; workers
 * that see another count check whether they share a processor with another member.
 * A member that comes to the seat and the processor that it had in the last run only
 * checks for itself: most do, and else each would have all others check.
 */
#include "backend-sim/program/gang/gang.h"
#include "backend-sim/scheduler/worker.h"

#include "base/processor.h"

/* Two members on one processor do the work of one, and the system may not part them for
 * milliseconds: a worker that shares a processor moves to one without a member.  Of two workers
 * the one on the later seat does. */
static void leave_shared_processor(struct gang *gang, struct seat *own)
{
    int here = atomic_load_explicit(&own->processor, memory_order_relaxed);
    int others[GANG_SEATS_MAX], count = 0;
    const uint64_t taken = atomic_load(&gang->taken);
    bool shared = false, told = false;
    for (uint32_t i = 0; i < gang->seat_count; i++) {
        const struct seat *seat = &gang->seats[i];
        if (seat == own || !(taken >> i & 1)) continue;
        others[count] = atomic_load_explicit(&seat->processor, memory_order_relaxed);
        bool stays = atomic_load_explicit(&seat->stays, memory_order_relaxed);
        shared = shared || (others[count] == here && (stays || seat < own));
        told = told || (others[count] == here && !stays && seat > own);
        count++;
    }
    if (told) own->moves = atomic_fetch_add(&gang->moves, 1) + 1;
    if (shared) rl_processor_leave(others, count);
}

void sim_gang_mind_processor(struct gang *gang, struct seat *seat)
{
    int here = rl_processor();
    if (here == RL_PROCESSOR_NONE) return;
    if (here != atomic_load_explicit(&seat->processor, memory_order_relaxed)) {
        atomic_store_explicit(&seat->processor, here, memory_order_relaxed);
        atomic_fetch_add(&gang->moves, 1);
    }
    if (!sim_is_worker) return;
    uint32_t moves = atomic_load_explicit(&gang->moves, memory_order_relaxed);
    if (moves == seat->moves) return;
    seat->moves = moves;
    leave_shared_processor(gang, seat);
}
