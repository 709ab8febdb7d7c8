/* SPDX-License-Identifier: Apache-2.0 */
#include "base/spin.h"

#include <sched.h>
#include <time.h>

#include "base/park.h"

#define SPINS 64
#define YIELDS 16
#define SLEEP_NS 20000

/* Waits for one round: spins at first, then yields, then sleeps. */
static void wait_round(int round)
{
    static const struct timespec moment = { .tv_sec = 0, .tv_nsec = SLEEP_NS };
    if (round < SPINS) rl_relax();
    else if (round < SPINS + YIELDS) sched_yield();
    else nanosleep(&moment, NULL);
}

void rl_spin_slow(struct rl_spin *spin)
{
    for (int round = 0;; round += round < SPINS + YIELDS) {
        if (!atomic_load_explicit(&spin->held, memory_order_relaxed) &&
            !atomic_exchange_explicit(&spin->held, 1, memory_order_acquire))
            return;
        wait_round(round);
    }
}
