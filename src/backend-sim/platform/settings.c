/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/platform/settings.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend-sim/scheduler/engine.h"
#include "base/thread.h"

#define MEMORY_LEAST (UINT64_C(1) << 20)
#define MEMORY_MOST (UINT64_C(1) << 44)
#define PRIORITY_DEFAULT (-5)
#define KERNEL_HEAP_DEFAULT (8 << 20) /* as measured */

/* ---- One setting --------------------------------------------------------------- */

/* Parses a whole number, which K, M, G or T may follow. */
static bool parse_number(const char *text, int64_t *number)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || errno) return false;
    static const char suffixes[] = "KMGT";
    const char *suffix = isalpha((unsigned char)*end) ? strchr(suffixes, *end & ~0x20) : NULL;
    if (suffix) {
        int shift = 10 * (int)(suffix - suffixes + 1);
        if (value < 0 || value > INT64_MAX >> shift) return false;
        value <<= shift;
        end++;
    }
    *number = value;
    return !*end;
}

/* Reads what the program asked for, else what the environment says, else `fallback`. */
static rill_status read_setting(int64_t asked, const char *field, const char *variable,
                                int64_t least, int64_t most, int64_t fallback, int64_t *out)
{
    const char *argument = field, *text = asked ? NULL : rl_getenv(variable);
    int64_t value = asked ? asked : fallback;
    if (text && *text) {
        argument = variable;
        if (!parse_number(text, &value))
            return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument,
                                     "%s: '%.64s' is not a number (K, M, G, T may follow it)",
                                     argument, text);
    }
    if (value < least || value > most)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument,
                                 "%s: %lld is not within %lld to %lld", argument,
                                 (long long)value, (long long)least, (long long)most);
    *out = value;
    return RILL_SUCCESS;
}

/* Reads how much memory a device has; 0 says that its model tells. */
static rill_status read_memory(uint64_t asked, int64_t *out)
{
    const char *text = rl_getenv("RILL_SIM_MEMORY");
    *out = 0;
    if (!asked && !(text && *text)) return RILL_SUCCESS;
    return read_setting((int64_t)asked, "options->sim->memory_bytes", "RILL_SIM_MEMORY",
                        (int64_t)MEMORY_LEAST, (int64_t)MEMORY_MOST, 0, out);
}

/* Reads how many devices there are, and of which models. */
static rill_status read_devices(const rill_sim_options *options, struct sim_settings *out)
{
    const char *argument = options->device ? "options->sim->device" : "RILL_SIM_DEVICE";
    const char *text = options->device ? options->device : rl_getenv("RILL_SIM_DEVICE");
    if (!text) text = "";
    size_t named = device_models_count(text), length;
    rill_status status = read_setting(options->devices, "options->sim->devices",
                                      "RILL_SIM_DEVICES", 1, SIM_DEVICES_MAX,
                                      named < 1 ? 1 : (int64_t)named, &out->devices);
    if (status) return status;
    const char *word = device_models_read(text, out->models, (size_t)out->devices, &length);
    if (word) {
        char known[240];
        device_models_list(known, sizeof known);
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument,
                                 "%s: there is no model '%.*s'; there are %s", argument,
                                 (int)(length < 64 ? length : 64), word, known);
    }
    if (named <= (size_t)out->devices) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument,
                             "%s: it names %zu models for %d %s", argument, named,
                             (int)out->devices, out->devices == 1 ? "device" : "devices");
}

/* What kernels of PTX can be checked for. */
static const struct {
    const char *word;
    uint32_t bit;
} checks_known[] = {
    { "races", RILL_PTX_CHECK_RACES }, { "global", RILL_PTX_CHECK_GLOBAL },
    { "init", RILL_PTX_CHECK_INIT }, { "barriers", RILL_PTX_CHECK_BARRIERS },
};

/* Returns the bit of a word, or 0 if there is no such check. */
static uint32_t find_check(const char *word, size_t bytes)
{
    for (size_t i = 0; i < sizeof checks_known / sizeof *checks_known; i++)
        if (strlen(checks_known[i].word) == bytes && !memcmp(checks_known[i].word, word, bytes))
            return checks_known[i].bit;
    return 0;
}

#define CHECKS_ALL (RILL_PTX_CHECK_RACES | RILL_PTX_CHECK_GLOBAL | RILL_PTX_CHECK_INIT | \
                    RILL_PTX_CHECK_BARRIERS)

/* Reads words with commas between them. */
static rill_status read_checks(uint32_t asked, uint32_t *checks)
{
    const char *text = asked ? NULL : rl_getenv("RILL_PTX_CHECK");
    *checks = asked;
    if (asked & ~CHECKS_ALL)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->sim->ptx_check",
                                 "0x%x holds unknown bits", asked);
    while (text && *text) {
        size_t bytes = strcspn(text, ",");
        uint32_t bit = find_check(text, bytes);
        if (bytes && !bit)
            return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "RILL_PTX_CHECK",
                                     "RILL_PTX_CHECK: '%.64s' is no check; there are races, "
                                     "global, init and barriers", text);
        *checks |= bit;
        text += bytes + (text[bytes] == ',');
    }
    return RILL_SUCCESS;
}

/* ---- All settings -------------------------------------------------------------- */

/* Takes over whom the program names for what it is told. */
static void read_listeners(const rill_sim_options *options, struct sim_settings *out)
{
    out->print = options->print;
    out->print_data = options->print_data;
    out->fault = options->fault;
    out->fault_data = options->fault_data;
    out->beyond = options->beyond;
    out->beyond_data = options->beyond_data;
    out->attribute = options->attribute;
    out->attribute_data = options->attribute_data;
}

/* Reads the settings of kernels of PTX. */
static rill_status read_ptx_settings(const rill_sim_options *options, struct sim_settings *out)
{
    int64_t steps = options->ptx_steps < INT64_MAX ? (int64_t)options->ptx_steps : INT64_MAX;
    int64_t heap = options->ptx_heap_bytes < INT64_MAX ? (int64_t)options->ptx_heap_bytes
                                                       : INT64_MAX;
    rill_status status = read_checks(options->ptx_check, &out->checks);
    if (!status)
        status = read_setting(steps, "options->sim->ptx_steps", "RILL_PTX_STEPS", 0, INT64_MAX, 0,
                              &out->steps);
    if (!status)
        status = read_setting(heap, "options->sim->ptx_heap_bytes", "RILL_PTX_HEAP", 0, INT64_MAX,
                              KERNEL_HEAP_DEFAULT, &out->kernel_heap);
    return status;
}

static const char *schedule_text(const char *asked)
{
    return asked ? asked : rl_getenv("RILL_SIM_SCHEDULE");
}

static const char *clock_text(const char *asked)
{
    return asked ? asked : rl_getenv("RILL_SIM_CLOCK");
}

/* Options had this size before they grew. */
#define FIRST_BYTES offsetof(rill_sim_options, device)
#define SECOND_BYTES offsetof(rill_sim_options, beyond)
#define THIRD_BYTES offsetof(rill_sim_options, attribute)

static bool is_known_size(size_t size)
{
    return size == sizeof(rill_sim_options) || size == FIRST_BYTES || size == SECOND_BYTES ||
           size == THIRD_BYTES;
}

bool sim_settings_have_schedule(const rill_sim_options *options)
{
    bool known = options && is_known_size(options->size);
    const char *text = schedule_text(known ? options->schedule : NULL);
    const char *clock = clock_text(known ? options->clock : NULL);
    return (text && *text) || (clock && *clock && strcmp(clock, "real") != 0);
}

/* Reads the schedule, if one is given. */
static rill_status read_schedule(const char *asked, struct sim_settings *out)
{
    const char *text = schedule_text(asked);
    out->schedule = (struct schedule_spec){ .policy = NULL };
    out->trail = rl_getenv("RILL_SIM_SCHEDULE_TRAIL");
    if (!text || !*text) return RILL_SUCCESS;
    return sim_schedule_read(text, asked ? "options->sim->schedule" : "RILL_SIM_SCHEDULE",
                             &out->schedule);
}

/* Reads what things cost: what the program says, else what is in the file that the environment
 * names. */
static rill_status read_costs(const char *asked, struct costs *costs)
{
    const char *path = asked ? NULL : rl_getenv("RILL_SIM_COSTS");
    if (asked) return sim_costs_read(costs, asked, "options->sim->costs");
    return path && *path ? sim_costs_read_file(costs, path, "RILL_SIM_COSTS") : RILL_SUCCESS;
}

/* Reads which clock there is, and with a virtual one the costs. */
static rill_status read_clock(const rill_sim_options *options, struct sim_settings *out)
{
    const char *argument = options->clock ? "options->sim->clock" : "RILL_SIM_CLOCK";
    const char *text = clock_text(options->clock);
    if (!text || !*text || !strcmp(text, "real")) return RILL_SUCCESS;
    if (strcmp(text, "virtual") != 0)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument,
                                 "%s: '%.64s' is no clock; there are virtual and real", argument,
                                 text);
    if (out->schedule.policy)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument,
                                 "%s: with a virtual clock the costs decide what runs when, so "
                                 "that no other schedule can be given", argument);
    out->costs = sim_costs_create();
    if (!out->costs) return RILL_ERROR_OUT_OF_MEMORY;
    return read_costs(options->costs, out->costs);
}

rill_status sim_settings_read(const rill_sim_options *given, struct sim_settings *out)
{
    rill_sim_options copy = { .size = 0 };
    const rill_sim_options *options = &copy;
    *out = (struct sim_settings){ .costs = NULL };
    if (given && !is_known_size(given->size))
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->sim->size",
                                 "%zu is not sizeof(rill_sim_options)", given->size);
    if (given) memcpy(&copy, given, given->size);
    if (options->memory_bytes > (uint64_t)INT64_MAX)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->sim->memory_bytes",
                                 "this is more than any machine can address");
    read_listeners(options, out);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (processors < 1) processors = 1;
    if (processors > ENGINE_WORKERS_MAX) processors = ENGINE_WORKERS_MAX;
    rill_status status = read_devices(options, out);
    if (!status) status = read_memory(options->memory_bytes, &out->memory);
    if (!status)
        status = read_setting(options->workers, "options->sim->workers", "RILL_SIM_WORKERS", 1,
                              ENGINE_WORKERS_MAX, processors, &out->workers);
    if (!status)
        status = read_setting(options->priority_greatest, "options->sim->priority_greatest",
                              "RILL_SIM_PRIORITY", -(ENGINE_PRIORITIES - 1), 0, PRIORITY_DEFAULT,
                              &out->priority);
    if (!status)
        status = read_setting(options->host_thread, "options->sim->host_thread",
                              "RILL_SIM_HOST_THREAD", HOST_THREAD_ANY, HOST_THREAD_IN_CALLS,
                              HOST_THREAD_ANY, &out->host_thread);
    /* Only in the environment: these are for work on the simulator, with programs as they are. */
    if (!status)
        status = read_setting(0, "RILL_SIM_WATCHDOG", "RILL_SIM_WATCHDOG", 0, 1, 0, &out->watchdog);
    if (!status)
        status = read_setting(0, "RILL_SIM_WHIMS", "RILL_SIM_WHIMS", 0, 1, 0, &out->whims);
    if (!status) status = read_ptx_settings(options, out);
    if (!status) status = read_schedule(options->schedule, out);
    if (!status) status = read_clock(options, out);
    if (status) sim_settings_free(out);
    return status;
}

void sim_settings_free(struct sim_settings *settings)
{
    sim_schedule_spec_free(&settings->schedule);
    sim_costs_free(settings->costs);
    settings->costs = NULL;
}
