/* SPDX-License-Identifier: Apache-2.0 */
#include "command/turns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "command/words.h"
#include "explore/account.h"
#include "explore/turns.h"
#include "explore/words.h"

static const char wanted[] = "RILL_EXPLORE", check[] = "RILL_CHECK", layers[] = "RILL_LAYERS";

/* ---- The environment of the run ------------------------------------------------------------- */

/* What a variable was before. */
struct variable {
    const char *name;
    char *value; /* owned, or NULL if it was not set */
};

/* Returns false if memory is short. */
static bool keep(struct variable *variable, const char *name)
{
    const char *value = getenv(name);
    variable->name = name;
    variable->value = value ? strdup(value) : NULL;
    return !value || variable->value;
}

static void put_back(struct variable *variable)
{
    if (variable->value) setenv(variable->name, variable->value, 1);
    else unsetenv(variable->name);
    free(variable->value);
}

/* Runs the program so that its account is in the file. */
static int run_with_account(struct trials *trials, struct trial *trial, const char *path)
{
    struct variable before[2];
    int error = 0;
    bool kept = keep(&before[0], check);
    kept = keep(&before[1], layers) && kept;
    unsetenv(check); /* with settings the layer would report */
    if (kept && !setenv(wanted, path, 1) && command_add_layer("check")) {
        error = command_trial_start(trials, trial, "order");
        if (!error) command_trials_await(trials);
    }
    for (size_t i = 0; i < 2; i++) put_back(&before[i]);
    unsetenv(wanted);
    return error;
}

/* ---- Orders --------------------------------------------------------------------------------- */

static void add_turn(struct series *series, const struct xp_turn *turn)
{
    const struct xp_name names[] = { turn->then, turn->first };
    char *words = xp_words_of(names, 2);
    if (words) sim_series_add(series, words);
    rl_free(words);
}

static void add_turns(struct series *series, const struct xp_outcome *outcome)
{
    struct xp_turn turns[SERIES_ORDERS_MOST];
    size_t count = xp_turns_list(outcome, turns, sim_series_room(series));
    for (size_t i = 0; i < count; i++) add_turn(series, &turns[i]);
}

int command_turns_add(struct trials *trials, struct trial *trial, struct series *series)
{
    struct xp_outcome outcome;
    size_t room = strlen(trials->folder) + sizeof "/account";
    char *path = rl_alloc(room);
    if (!path) return 0;
    snprintf(path, room, "%s/account", trials->folder);
    int error = run_with_account(trials, trial, path);
    if (!error && xp_account_read(path, &outcome) == XP_ACCOUNT_READ) {
        add_turns(series, &outcome);
        xp_outcome_fini(&outcome);
    }
    unlink(path);
    rl_free(path);
    return error;
}
