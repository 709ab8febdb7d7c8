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

/* Reads "2.17" or "2.17.3", and behind it as much as there is of "~%1@5". */
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

/* Reads the numbers behind the name, as many as the policy has. */
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

rill_status sim_schedule_read(const char *text, const char *argument, struct schedule_spec *spec)
{
    size_t length = strcspn(text, ":");
    *spec = (struct schedule_spec){ .policy = sim_schedule_policy(text, length) };
    if (!spec->policy)
        return refuse_spec(argument, text, "there are early, late, serial, random:SEED, "
                           "overlap, pct:SEED:DEPTH[:DECISIONS], starve:STREAM and "
                           "replay:HELD,...");
    const char *at = text + length;
    rill_status status = RILL_SUCCESS;
    if (spec->policy->holds && skip_letter(&at, ':')) status = read_holds(text, at, argument, spec);
    else status = read_numbers(text, at, argument, spec);
    if (status) sim_schedule_spec_free(spec);
    return status;
}

void sim_schedule_spec_free(struct schedule_spec *spec)
{
    rl_free(spec->holds);
    spec->holds = NULL;
    spec->hold_count = 0;
}
