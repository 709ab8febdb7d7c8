/* SPDX-License-Identifier: Apache-2.0
 *
 * The members of a gang: how they come and go, and the strand of the launch, which parks until
 * the last has left (gang.h).
 */
#include "backend-sim/program/gang/gang.h"

#include "backend-sim/program/gang/check.h"
#include "base/park.h"
#include "base/processor.h"

/* A thread that waits for the end of a run inside another one looks again after so long. */
#define NAP_NS 200000u

/* ---- Coming and going ------------------------------------------------------------------ */

/* Requires engine->lock. */
static bool run_is_over(struct gang *gang)
{
    return atomic_load(&gang->done) && !atomic_load(&gang->members);
}

/* Takes a free seat, of which each member has one: the seat that the thread had last, if that is
 * free, so that it runs much of what it ran in the launch before, whose memory is still in its
 * caches. */
static uint32_t take_seat(struct gang *gang)
{
    static _Thread_local uint32_t last;
    uint64_t taken = atomic_load(&gang->taken);
    for (;;) {
        uint32_t seat = last;
        if (seat >= gang->most || taken >> seat & 1) seat = (uint32_t)__builtin_ctzll(~taken);
        if (!atomic_compare_exchange_weak(&gang->taken, &taken, taken | UINT64_C(1) << seat))
            continue;
        last = seat;
        return seat;
    }
}

uint32_t sim_gang_take_seat(struct gang *gang)
{
    atomic_fetch_add(&gang->members, 1);
    return take_seat(gang);
}

bool sim_gang_enter(struct gang *gang, unsigned least, uint32_t *seat)
{
    unsigned members = atomic_load(&gang->members);
    do {
        if (members < least || members >= gang->most) return false;
    } while (!atomic_compare_exchange_weak(&gang->members, &members, members + 1));
    *seat = take_seat(gang);
    return true;
}

/* Gives the seat free.  Its member stays one of the gang, which keeps the gang there. */
static void free_seat(struct gang *gang, struct seat *seat)
{
    if (gang->engine->watchdog) sim_gang_check_report(seat->done, atomic_load(&gang->left));
    atomic_fetch_and(&gang->taken, ~(UINT64_C(1) << (seat - gang->seats)));
}

/* Leaves a gang that has more members than the last two, without the lock: what hangs on
 * leaving, the end of a run and the end of sim_gang_finish(), is for those.  At the end of a run
 * all leave at once, and under the lock they would do so one after the other.  Returns false if
 * the lock is needed. */
static bool leave_crowd(struct gang *gang)
{
    unsigned members = atomic_load(&gang->members);
    while (members > 2)
        if (atomic_compare_exchange_weak(&gang->members, &members, members - 1)) return true;
    return false;
}

/* Leaves the gang.  Returns true if this was the last member of a run that is over.  Touches
 * nothing of the gang once it has left and the lock is free, since its program may then be
 * gone. */
static bool leave_gang(struct gang *gang, uint32_t seat, struct strand **wake)
{
    struct engine *engine = gang->engine;
    if (wake) *wake = NULL;
    free_seat(gang, &gang->seats[seat]);
    if (leave_crowd(gang)) return false;
    rl_lock(&engine->lock);
    atomic_fetch_sub(&gang->members, 1);
    bool over = run_is_over(gang);
    if (engine->watchdog) sim_gang_check_left(gang, 0);
    if (wake && over && gang->parked) {
        *wake = gang->launch->context.strand;
        gang->parked = false;
    }
    if (gang->awaited) {
        atomic_store(&gang->futex_word, 1);
        rl_unpark(&gang->futex_word, 1);
    }
    rl_unlock(&engine->lock);
    return over;
}

/* How long the thread of a launch waits for members that leave: less than it takes to be woken by
 * the last of them. */
#define LEAVING_LOOKS 200

static void wait_for_leavers(struct gang *gang)
{
    if (!atomic_load(&gang->done)) return;
    for (int i = 0; i < LEAVING_LOOKS && atomic_load(&gang->members) > 1; i++) rl_relax();
}

bool sim_gang_work(struct gang *gang, uint32_t seat)
{
    sim_gang_take_part(gang, seat);
    wait_for_leavers(gang);
    return leave_gang(gang, seat, NULL);
}

void sim_gang_help(struct gang *gang, uint32_t seat)
{
    struct strand *wake;
    sim_gang_take_part(gang, seat);
    leave_gang(gang, seat, &wake);
    if (wake) sim_strand_unpark(wake); /* it stays while it is parked */
}

enum gang_seat sim_gang_join(struct gang *gang, uint32_t *seat)
{
    struct engine *engine = gang->engine;
    rl_lock(&engine->lock);
    bool over = run_is_over(gang);
    bool joined = !atomic_load(&gang->done) && sim_gang_enter(gang, 0, seat);
    rl_unlock(&engine->lock);
    return over ? GANG_OVER : joined ? GANG_JOINED : GANG_FULL;
}

void sim_gang_finish(struct gang *gang, uint32_t seat)
{
    struct engine *engine = gang->engine;
    bool over = false;
    while (!over) {
        sim_gang_take_part(gang, seat);
        rl_lock(&engine->lock);
        over = atomic_load(&gang->done) && atomic_load(&gang->members) == 1;
        gang->awaited = !over;
        if (engine->watchdog) sim_gang_check_left(gang, 1);
        atomic_store(&gang->futex_word, 0);
        if (over) {
            free_seat(gang, &gang->seats[seat]);
            atomic_fetch_sub(&gang->members, 1);
        }
        rl_unlock(&engine->lock);
        /* Others do what is left, but they may find more than they can do: looks again now
         * and then. */
        if (!over) rl_park(&gang->futex_word, 0, NAP_NS);
    }
}

/* ---- The launch's strand ------------------------------------------------------------------ */

bool sim_gang_park(struct gang *gang)
{
    struct engine *engine = gang->engine;
    rl_lock(&engine->lock);
    bool wait = !run_is_over(gang) &&
                !(sim_gang_has_work(gang) && atomic_load(&gang->members) < gang->most);
    if (wait) gang->parked = true;
    rl_unlock(&engine->lock);
    return wait;
}

void sim_gang_resume(struct gang *gang, uint32_t place)
{
    struct engine *engine = gang->engine;
    rl_lock(&engine->lock);
    sim_gang_spill(gang, place);
    sim_gang_wake(gang, 1); /* before the lock is free: the last of them cannot leave */
    struct strand *wake = gang->parked ? gang->launch->context.strand : NULL;
    gang->parked = false;
    rl_unlock(&engine->lock);
    if (wake) sim_strand_unpark(wake);
}
