/* SPDX-License-Identifier: Apache-2.0
 *
 * The suite over the simulator.
 */
#include <rill/sim.h>

#include "base/alloc.h"
#include "conformance/held.h"
#include "conformance/suite.h"
#include "site/site.h"

static rill_status open_sim(int devices, rill_platform **platform)
{
    const rill_sim_options sim = { .size = sizeof sim, .devices = devices };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim,
                                        .layers = held_layers() };
    return rill_open(&options, platform);
}

static void fault(const rill_launch *launch)
{
    rill_sim_fault(launch, RILL_ERROR_LAUNCH_FAILED, "as the test wanted");
}

/* The places of calls that failed are kept for the process. */
static long count_blocks(void)
{
    cs_forget_sources();
    return rl_alloc_live();
}

int main(int count, char **arguments)
{
    static const rill_function function = { .name = "fault", .over_grid = fault };
    static const struct suite_backend backend = {
        .name = "sim",
        .open = open_sim,
        .blocks = count_blocks,
        .objects = held_objects,
        .fault = &function,
        .fault_message = "as the test wanted",
        .expects = {
            .reopening_mends = 1,
            .refuses_endless_waits = 1,
            .refuses_swallowing = 1,
            .nodes_stay_gone = 1,
            .execs_keep_handles = 1,
            .breaks_captures_inside = 1,
            .runs_functions = 1,
            .loads_beside_work = 1,
            .has_a_queue_for_each_stream = 1,
            .queues_without_bound = 1,
            .captures_stand_disputes = 1,
            .gives_back_unasked = 1,
            .counts_graph_memory_by_model = 1,
            .words_graph_text = 1,
            .bounds_whole_words = 1,
            .names_faults = 1,
            .counts_every_byte = 1,
            .names_unjoined_streams = 1,
        },
    };
    return suite_main(&backend, count, arguments);
}
