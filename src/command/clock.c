/* SPDX-License-Identifier: Apache-2.0
 *
 * `rill run --clock`: on which clock the program runs.
 */
#include "command/command.h"

#include <stdlib.h>
#include <string.h>

#include "backend-sim/clock/costs.h"
#include "core/object/error.h"

bool command_read_clock(struct command_clock *clock, int argc, char **argv, int *at)
{
    if (!strcmp(argv[*at], "--sleeps")) return clock->sleeps = true;
    const char *value = command_value("--clock", argc, argv, at);
    if (value) clock->kind = value;
    else if ((value = command_value("--costs", argc, argv, at))) clock->costs = value;
    return value;
}

/* Returns false after saying what is wrong with the file. */
static bool are_costs(const char *path)
{
    char why[RILL_ERROR_MESSAGE_MAX];
    struct costs *costs = sim_costs_create();
    rill_status status = costs ? sim_costs_read_file(costs, path, "--costs")
                               : RILL_ERROR_OUT_OF_MEMORY;
    sim_costs_free(costs);
    if (!status) return true;
    rl_noted_message(why);
    rl_drop_note();
    command_fail(0, "run", "%s", *why ? why : "out of memory");
    return false;
}

int command_set_clock(const struct command_clock *given, bool scheduled)
{
    const char *kind = given->kind ? given->kind : getenv("RILL_SIM_CLOCK");
    bool is_virtual = kind && !strcmp(kind, "virtual");
    if (given->kind && !is_virtual && strcmp(kind, "real"))
        return command_fail(COMMAND_NOT_READY, "run", "--clock takes virtual or real, not \"%s\"",
                            kind);
    if (given->costs && !is_virtual)
        return command_fail(COMMAND_NOT_READY, "run", "--costs is for runs with --clock virtual");
    if (given->sleeps && !is_virtual)
        return command_fail(COMMAND_NOT_READY, "run", "--sleeps is for runs with --clock virtual");
    if (is_virtual && scheduled)
        return command_fail(COMMAND_NOT_READY, "run", "with --clock virtual the costs decide what "
                            "runs when, so that no other schedule can be given");
    if (given->costs && !are_costs(given->costs)) return COMMAND_NOT_READY;
    if ((given->kind && setenv("RILL_SIM_CLOCK", kind, 1)) ||
        (given->costs && setenv("RILL_SIM_COSTS", given->costs, 1)))
        return command_fail(COMMAND_NOT_READY, "run", "out of memory");
    return COMMAND_DONE;
}
