/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of `rill run` and `rill info`.
 */
#include "command/command.h"

#include <stdlib.h>
#include <string.h>

const char *command_value(const char *name, int argc, char **argv, int *at)
{
    size_t length = strlen(name);
    const char *word = argv[*at];
    if (strncmp(word, name, length)) return NULL;
    if (word[length] == '=') return word + length + 1;
    if (word[length]) return NULL;
    if (*at + 1 >= argc) return "";
    return argv[++*at];
}

/* The simulator has up to 64 devices. */
static bool is_device_count(const char *text)
{
    char *end;
    if (*text < '0' || *text > '9') return false;
    long count = strtol(text, &end, 10);
    return !*end && count >= 1 && count <= 64;
}

/* "12.4": nothing that could name another folder. */
static bool is_version(const char *text)
{
    size_t major = strspn(text, "0123456789");
    if (!major || text[major] != '.') return false;
    size_t minor = strspn(text + major + 1, "0123456789");
    return minor && !text[major + 1 + minor];
}

static bool read_quiet(struct command_options *options, const char *word)
{
    bool quiet = !strcmp(word, "--quiet") || !strcmp(word, "-q");
    options->quiet |= quiet;
    return quiet;
}

/* Passes a setting on to the program.  Returns COMMAND_DONE, or fails. */
static int pass_on(const char *variable, const char *value, const char *verb, int wrong)
{
    return setenv(variable, value, 1) ? command_fail(wrong, verb, "out of memory") : COMMAND_DONE;
}

static int take_devices(const char *value, const char *verb, int wrong)
{
    if (!is_device_count(value))
        return command_fail(wrong, verb, "--devices takes a number from 1 to 64, not \"%s\"",
                            value);
    return pass_on("RILL_SIM_DEVICES", value, verb, wrong);
}

static int take_device(const char *value, const char *verb, int wrong)
{
    if (!*value) return command_fail(wrong, verb, "--device takes models, such as a100");
    return pass_on("RILL_SIM_DEVICE", value, verb, wrong);
}

/* Takes the version of the driver, which was given by the option or the variable `where`. */
static int take_driver(const char *value, const char *where, const char *verb, int wrong)
{
    if (!is_version(value))
        return command_fail(wrong, verb, "%s takes a version such as 12.4, not \"%s\"", where,
                            value);
    return pass_on("RILL_SIM_DRIVER", value, verb, wrong);
}

int command_read(struct command_options *options, int argc, char **argv, int wrong)
{
    int status = COMMAND_DONE;
    const char *verb = argv[0], *value, *where = "RILL_SIM_DRIVER";
    int at = 1;
    *options = (struct command_options){ .words = 0 };
    options->driver = getenv("RILL_SIM_DRIVER");
    if (options->driver && !*options->driver) options->driver = NULL;
    for (; status == COMMAND_DONE && at < argc && argv[at][0] == '-'; at++) {
        if (!strcmp(argv[at], "--")) {
            at++;
            break;
        }
        if ((value = command_value("--driver", argc, argv, &at))) {
            options->driver = value;
            where = "--driver";
        } else if ((value = command_value("--devices", argc, argv, &at))) {
            status = take_devices(value, verb, wrong);
        } else if ((value = command_value("--device", argc, argv, &at))) {
            status = take_device(value, verb, wrong);
        } else if (!strcmp(argv[at], "--help") || !strcmp(argv[at], "-h")) {
            options->help = true;
            return COMMAND_DONE;
        } else if (strcmp(verb, "run") ||
                   (!read_quiet(options, argv[at]) &&
                    !command_read_check(&options->check, argc, argv, &at) &&
                    !command_read_schedule(&options->schedule, argc, argv, &at) &&
                    !command_read_trace(&options->trace, argc, argv, &at) &&
                    !command_read_clock(&options->clock, argc, argv, &at))) {
            return command_fail(wrong, verb, "there is no option %s; rill --help says which "
                                "there are", argv[at]);
        }
    }
    if (status == COMMAND_DONE && options->driver)
        status = take_driver(options->driver, where, verb, wrong);
    options->words = at;
    return status;
}
