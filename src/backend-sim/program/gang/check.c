/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/program/gang/check.h"

#include <stdio.h>

#include "backend-sim/program/external_node.h"
#include "backend-sim/program/plan.h"
#include "backend-sim/scheduler/watchdog.h"

#define NAMED 4 /* counters that a sentence gives */

static bool waits_outside(const struct gang *gang)
{
    const struct program *program = gang->program;
    for (uint32_t i = 0; i < program->external_count; i++)
        if (program->external_nodes[i].gang) return true;
    return false;
}

/* Names some units whose counters say that something must come before or, for a plan, are not
 * the plan's.  Returns how many such units there are. */
static uint32_t name_units(struct gang *gang, char *text, size_t room)
{
    const struct plan *plan = gang->plan;
    uint32_t count = plan ? plan->count : gang->program->count, found = 0;
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t unit = 0; unit < count; unit++) {
        unsigned joins = atomic_load(&gang->joins[unit]);
        if (joins == (plan ? plan->clusters[unit].joins : 0) || found++ >= NAMED) continue;
        used += (size_t)snprintf(text + used, room - used, "%s%u of unit %u", used ? ", " : "",
                                 joins, (unsigned)unit);
        if (plan)
            used += (size_t)snprintf(text + used, room - used, " (not %u)",
                                     (unsigned)plan->clusters[unit].joins);
    }
    return found;
}

void sim_gang_check_left(struct gang *gang, uint32_t inside)
{
    char units[256];
    if (atomic_load(&gang->done) || atomic_load(&gang->members) > inside) return;
    if (sim_gang_has_work(gang) || waits_outside(gang)) return;
    uint32_t counters = name_units(gang, units, sizeof units);
    sim_watchdog_bark("a launch has %u ends left, but no unit of its %u is ready, none waits for "
                      "what is outside, and no thread is at it; %u counters are not 0 or as "
                      "planned: %s",
                      atomic_load(&gang->left),
                      (unsigned)(gang->plan ? gang->plan->count : gang->program->count),
                      (unsigned)counters, units);
}

void sim_gang_check_armed(struct gang *gang)
{
    char units[256];
    uint32_t counters = name_units(gang, units, sizeof units);
    if (counters)
        sim_watchdog_bark("a run of a plan begins with %u counters that are not the plan's: %s",
                          (unsigned)counters, units);
}

void sim_gang_check_report(uint32_t done, uint32_t left)
{
    if (done > left)
        sim_watchdog_bark("a member of a launch did %u ends where %u were left: some ran twice",
                          (unsigned)done, (unsigned)left);
}
