/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/schedule/spec.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rill/backend.h>

#include "backend-sim/schedule/policy.h"
#include "base/alloc.h"

#define HOLDS_MOST 65536u

static rill_status refuse_spec(const char *argument, const char *text, const char *why)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument,
                             "%s: '%.64s' is no schedule: %s", argument, text, why);
}

/* Reads a number, and moves on.  Returns false if there is none. */
static bool read_number(const char **at, uint64_t *number)
{
    char *end;
    if (!isdigit((unsigned char)**at)) return false;
    errno = 0;
    *number = strtoull(*at, &end, 10);
    *at = end;
    return !errno;
}

/* Moves past a letter.  Returns false if it is not there. */
static bool skip_letter(const char **at, char letter)
{
    if (**at != letter) return false;
    ++*at;
    return true;
}

/* Reads "2.17" or "2.17.3", and what follows of "~%1@5". */
static bool read_hold(const char **at, struct schedule_hold *hold)
{
    uint64_t stream, place = HOLD_ANY_PLACE;
    *hold = (struct schedule_hold){ .place = HOLD_ANY_PLACE };
    if (!read_number(at, &stream) || !stream || stream > UINT32_MAX) return false;
    if (!skip_letter(at, '.') || !read_number(at, &hold->number) || !hold->number) return false;
    if (skip_letter(at, '.') && (!read_number(at, &place) || place >= HOLD_ANY_PLACE)) return false;
    hold->pauses = skip_letter(at, '~');
    if (skip_letter(at, '%') && (!read_number(at, &hold->order) || !hold->order)) return false;
    if (skip_letter(at, '@') && (!read_number(at, &hold->call) || !hold->call)) return false;
    hold->stream = (uint32_t)stream;
    hold->place = (uint32_t)place;
    return true;
}

static size_t count_letters(const char *text, char letter)
{
    size_t count = 0;
    for (; *text; text++) count += *text == letter;
    return count;
}

static rill_status read_holds(const char *text, const char *at, const char *argument,
                              struct schedule_spec *spec)
{
    size_t room = count_letters(at, ',') + 1;
    if (room > HOLDS_MOST) return refuse_spec(argument, text, "it is too long");
    spec->holds = rl_alloc(room * sizeof *spec->holds);
    if (!spec->holds) return RILL_ERROR_OUT_OF_MEMORY;
    while (*at) {
        bool read = read_hold(&at, &spec->holds[spec->hold_count++]);
        if (!read || (*at && (*at != ',' || !at[1])))
            return refuse_spec(argument, text, "what is held is named STREAM.OPERATION, "
                               "STREAM.OPERATION.NODE, or one of them and ~, %ORDER or @CALL");
        skip_letter(&at, ',');
    }
    return RILL_SUCCESS;
}

/* Reads the list of steps, of which each is named once. */
static rill_status read_order(const char *text, const char *at, const char *argument,
                              struct schedule_spec *spec)
{
    rill_status status = read_holds(text, at, argument, spec);
    for (uint32_t i = 0; !status && i < spec->hold_count; i++) {
        const struct schedule_hold *hold = &spec->holds[i];
        if (hold->pauses || hold->order || hold->call)
            status = refuse_spec(argument, text, "steps of an order are named STREAM.OPERATION or "
                                 "STREAM.OPERATION.NODE");
    }
    return status;
}

/* Reads the numbers that follow the name, as many as the policy has. */
static rill_status read_numbers(const char *text, const char *at, const char *argument,
                                struct schedule_spec *spec)
{
    int most = spec->policy->numbers + spec->policy->more_numbers;
    for (int i = 0; i < most; i++) {
        if (i >= spec->policy->numbers && !*at) break;
        if (!skip_letter(&at, ':') || !read_number(&at, &spec->numbers[i]))
            return refuse_spec(argument, text, spec->policy->form);
    }
    return *at ? refuse_spec(argument, text, spec->policy->form) : RILL_SUCCESS;
}

/* Reads "2x7" or "2". */
static bool read_arrival(const char **at, struct schedule_arrival *arrival)
{
    uint64_t thread, times = 0;
    if (!read_number(at, &thread) || !thread || thread > UINT32_MAX) return false;
    if (skip_letter(at, 'x') && (!read_number(at, &times) || !times || times > UINT32_MAX))
        return false;
    *arrival = (struct schedule_arrival){ (uint32_t)thread, (uint32_t)times };
    return true;
}

static rill_status read_arrivals(const char *text, const char *at, const char *argument,
                                 struct schedule_arrivals *arrivals)
{
    size_t room = count_letters(at, ',') + 1;
    if (room > HOLDS_MOST) return refuse_spec(argument, text, "it is too long");
    arrivals->items = rl_alloc(room * sizeof *arrivals->items);
    if (!arrivals->items) return RILL_ERROR_OUT_OF_MEMORY;
    do {
        if (!read_arrival(&at, &arrivals->items[arrivals->count++]) || (*at && *at != ','))
            return refuse_spec(argument, text, "the order of threads is /THREADxTIMES,...");
    } while (skip_letter(&at, ','));
    return RILL_SUCCESS;
}

/* Reads the policy and what belongs to it. */
static rill_status read_policy(const char *text, const char *words, const char *argument,
                               struct schedule_spec *spec)
{
    size_t length = strcspn(words, ":");
    spec->policy = sim_schedule_policy(words, length);
    if (!spec->policy)
        return refuse_spec(argument, text, "there are early, late, serial, random:SEED, overlap, "
                           "pct:SEED:DEPTH[:DECISIONS], starve:STREAM, order:STEP,... "
                           "and replay:HELD,...");
    const char *at = words + length;
    if (spec->policy->holds && skip_letter(&at, ':')) return read_holds(text, at, argument, spec);
    if (spec->policy->orders && skip_letter(&at, ':')) return read_order(text, at, argument, spec);
    return read_numbers(text, at, argument, spec);
}

rill_status sim_schedule_read(const char *text, const char *argument, struct schedule_spec *spec)
{
    const char *threads = strchr(text, '/');
    rill_status status = RILL_SUCCESS;
    char *words = rl_strdup(text);
    *spec = (struct schedule_spec){ .policy = NULL };
    if (!words) return RILL_ERROR_OUT_OF_MEMORY;
    if (threads) {
        words[threads - text] = '\0';
        status = read_arrivals(text, threads + 1, argument, &spec->arrivals);
    }
    if (!status) status = read_policy(text, words, argument, spec);
    if (status) sim_schedule_spec_free(spec);
    rl_free(words);
    return status;
}

void sim_schedule_spec_free(struct schedule_spec *spec)
{
    rl_free(spec->holds);
    spec->holds = NULL;
    spec->hold_count = 0;
    rl_free(spec->arrivals.items);
    spec->arrivals = (struct schedule_arrivals){ .count = 0 };
}
