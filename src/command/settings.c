/* SPDX-License-Identifier: Apache-2.0 */
#include "command/settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend-sim/platform/settings.h"
#include "base/words/log_words.h"
#include "command/command.h"
#include "command/schedule.h"
#include "command/words.h"
#include "core/object/error.h"
#include "core/registry/layers.h"
#include "layer-fail/plan/plan.h"

extern char **environ;

/* Tells what the library says of a status that is not success. */
static int tell_note(rill_status status)
{
    char why[RILL_ERROR_MESSAGE_MAX];
    rl_noted_message(why);
    rl_drop_note();
    return command_fail(COMMAND_NOT_READY, "run", "%s", *why ? why : rill_error_string(status));
}

/* ---- The simulator ----------------------------------------------------------------------- */

static const char simulator[] = "RILL_SIM_";

/* All variables that begin so. */
static const char *const known[] = { "CLOCK", "COSTS", "DEVICE", "DEVICES", "DRIVER", "HOST_THREAD",
                                     "MEMORY", "PRIORITY", "SCHEDULE", "SCHEDULE_TRAIL",
                                     "WATCHDOG", "WHIMS", "WORKERS", NULL };

static bool is_known(const char *rest)
{
    for (size_t i = 0; known[i]; i++) {
        size_t length = strlen(known[i]);
        if (!strncmp(rest, known[i], length) && rest[length] == '=') return true;
    }
    return false;
}

/* A variable that is misspelt has no effect. */
static int check_names(void)
{
    size_t length = strlen(simulator);
    for (char **entry = environ; *entry; entry++)
        if (!strncmp(*entry, simulator, length) && !is_known(*entry + length))
            return command_fail(COMMAND_NOT_READY, "run", "there is no variable %.*s; rill(7) "
                                "lists those of the simulator", (int)strcspn(*entry, "="), *entry);
    return COMMAND_DONE;
}

static int check_simulator(void)
{
    struct sim_settings found;
    const char *trail = getenv(COMMAND_TRAIL);
    rill_status status = sim_settings_read(NULL, &found);
    if (status) return tell_note(status);
    sim_schedule_spec_free(&found.schedule);
    if (trail && *trail && !command_is_writable(trail))
        return command_fail(COMMAND_NOT_READY, "run", COMMAND_TRAIL ": %s cannot be written: %s",
                            trail, strerror(errno));
    return check_names();
}

/* ---- The stand-in ------------------------------------------------------------------------ */

static int check_log(void)
{
    char all[128] = "";
    size_t length;
    const char *word = rl_log_unknown(getenv(COMMAND_LOG), &length);
    if (!word) return COMMAND_DONE;
    for (size_t i = 0; rl_log_words[i]; i++) {
        if (*all) strcat(all, rl_log_words[i + 1] ? ", " : " and ");
        strcat(all, rl_log_words[i]);
    }
    return command_fail(COMMAND_NOT_READY, "run", COMMAND_LOG ": there is no word \"%.*s\"; there "
                        "are %s", (int)length, word, all);
}

/* What has no slash is looked for by the loader. */
static int check_kernels(void)
{
    const char *paths = getenv("RILL_KERNELS");
    char path[COMMAND_PATH_MAX];
    for (size_t length; paths && *paths; paths += length + (paths[length] == ':')) {
        length = strcspn(paths, ":");
        if (length >= sizeof path || !memchr(paths, '/', length)) continue;
        memcpy(path, paths, length);
        path[length] = 0;
        if (access(path, R_OK))
            return command_fail(COMMAND_NOT_READY, "run", "RILL_KERNELS: %s: %s", path,
                                strerror(errno));
    }
    return COMMAND_DONE;
}

/* ---- All ----------------------------------------------------------------------------------- */

static int check_layers(void)
{
    rill_status status = rl_check_layer_names();
    if (!status && command_has_layer("fail")) status = fa_plan_read();
    return status ? tell_note(status) : COMMAND_DONE;
}

int command_check_settings(void)
{
    int status = check_simulator();
    if (!status) status = check_log();
    if (!status) status = check_kernels();
    return status ? status : check_layers();
}
