/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/schedule/policy.h"

#include <string.h>

#include "backend-sim/scheduler/steering.h"
#include "base/alloc.h"
#include "base/shuffle.h"

/* ---- Random numbers ---------------------------------------------------------------- */

static uint64_t mix_number(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static uint64_t draw_number(struct policy_state *state)
{
    return mix_number(state->random += 0x9e3779b97f4a7c15u);
}

/* ---- As soon as possible, and as late as possible ------------------------------------ */

static uint32_t choose_early(struct policy_state *state, const struct candidate *candidates,
                             uint32_t count, enum moment_kind moment)
{
    (void)state, (void)candidates, (void)count, (void)moment;
    return 0;
}

/* Returns the last candidate that the host's wait needs, or the last of all if it needs none. */
static uint32_t last_needed(const struct candidate *candidates, uint32_t count)
{
    for (uint32_t i = count; i-- > 0;)
        if (candidates[i].needed) return i;
    return count - 1;
}

static uint32_t choose_late(struct policy_state *state, const struct candidate *candidates,
                            uint32_t count, enum moment_kind moment)
{
    (void)state;
    return moment == MOMENT_CALL ? CHOOSE_HOST : last_needed(candidates, count);
}

static struct kernel_manner run_backwards(const struct policy_state *state,
                                          const struct candidate *step)
{
    (void)state, (void)step;
    return (struct kernel_manner){ .order = RL_SHUFFLE_BACK };
}

static struct kernel_manner run_overlapped(const struct policy_state *state,
                                           const struct candidate *step)
{
    (void)state, (void)step;
    return (struct kernel_manner){ .pauses = true };
}

/* ---- One queue for all streams --------------------------------------------------------
 *
 * The most serial machine that is still right: what was submitted to a device first must be over
 * before anything else begins there.
 */

static uint32_t choose_serial(struct policy_state *state, const struct candidate *candidates,
                              uint32_t count, enum moment_kind moment)
{
    (void)state, (void)moment;
    for (uint32_t i = 0; i < count; i++)
        if (candidates[i].oldest) return i;
    return CHOOSE_HOST;
}

/* ---- At random ------------------------------------------------------------------------ */

/* Draws one bit: most decisions are between the host and one step, and a number serves for many. */
static bool draw_bit(struct policy_state *state)
{
    if (state->bits <= 1) state->bits = draw_number(state) | (uint64_t)1 << 63;
    bool bit = state->bits & 1;
    state->bits >>= 1;
    return bit;
}

/* Lets the host go if the next bit that was drawn already says so, and uses that bit up. */
static bool random_lets_host_go(struct policy_state *state, uint32_t stream)
{
    (void)stream;
    if (state->bits <= 1 || !(state->bits & 1)) return false;
    state->bits >>= 1;
    return true;
}

static uint32_t choose_random(struct policy_state *state, const struct candidate *candidates,
                              uint32_t count, enum moment_kind moment)
{
    (void)candidates;
    if (moment == MOMENT_CALL && draw_bit(state)) return CHOOSE_HOST;
    return count == 1 ? 0 : (uint32_t)(draw_number(state) % count);
}

/* Draws how a kernel runs from the name of its step and the seed, so that it depends on nothing
 * else. */
static struct kernel_manner draw_manner(const struct policy_state *state,
                                        const struct candidate *step)
{
    uint64_t name = step->stream * UINT64_C(0x9e3779b97f4a7c15) ^ step->number << 24 ^ step->place;
    uint64_t drawn = mix_number(mix_number(state->spec.numbers[0] + 1) ^ name);
    static const uint64_t orders[] = { RL_SHUFFLE_NONE, RL_SHUFFLE_BACK };
    uint64_t order = drawn >> 8 & 3;
    return (struct kernel_manner){ .order = order < 2 ? orders[order] : 2 + (drawn >> 16 & 0xffff),
                                   .pauses = drawn & 1 };
}

/* ---- Priorities that change a few times --------------------------------------------------
 *
 * The host and each stream have a priority, drawn at random; the highest goes first.  At
 * DEPTH - 1 random ones of so many decisions, or at the next one after them, the one who would go
 * loses its turn: its priority is the lowest from then on.  A bug that needs DEPTH orderings shows
 * with a probability of at least one in streams * decisions ^ (DEPTH - 1).
 */

/* How many decisions, steps and calls, a program is assumed to have if the spec does not say. */
#define PCT_DECISIONS 64u

static uint64_t least_change(const struct policy_state *state)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < state->change_count; i++)
        if (state->changes[i] < least) least = state->changes[i];
    return least;
}

static void init_pct(struct policy_state *state)
{
    uint64_t depth = state->spec.numbers[1], decisions = state->spec.numbers[2];
    uint32_t most = (uint32_t)(sizeof state->changes / sizeof *state->changes);
    state->lowest = (uint64_t)1 << 32;
    if (!decisions) decisions = PCT_DECISIONS;
    for (uint64_t i = 1; i < depth && state->change_count < most; i++)
        state->changes[state->change_count++] = 1 + draw_number(state) % decisions;
    state->sure_before = least_change(state);
}

/* Returns the priority of a stream, or of the host (0).  If memory is short, streams share one. */
static uint64_t *priority_of(struct policy_state *state, uint32_t stream)
{
    if (stream >= state->priority_room) {
        uint32_t room = stream + 16;
        uint64_t *more = rl_alloc(room * sizeof *more);
        if (!more) return &state->lowest;
        if (state->priorities)
            memcpy(more, state->priorities, state->priority_room * sizeof *more);
        rl_free(state->priorities);
        for (uint32_t i = state->priority_room; i < room; i++)
            more[i] = (draw_number(state) | (uint64_t)1 << 63);
        state->priorities = more;
        state->priority_room = room;
    }
    return &state->priorities[stream];
}

/* Returns the rank of a step among those of its stream; nodes of a launch have random ones. */
static uint64_t rank_of(const struct policy_state *state, const struct candidate *candidate)
{
    if (candidate->place == HOLD_ANY_PLACE) return 0;
    return mix_number(state->spec.numbers[0] + candidate->number * 1000003u + candidate->place);
}

static uint32_t choose_highest(struct policy_state *state, const struct candidate *candidates,
                               uint32_t count, bool host)
{
    uint32_t best = host ? CHOOSE_HOST : 0;
    uint64_t highest = *priority_of(state, host ? 0 : candidates[0].stream);
    uint64_t rank = host ? 0 : rank_of(state, &candidates[0]);
    for (uint32_t i = host ? 0 : 1; i < count; i++) {
        uint64_t priority = *priority_of(state, candidates[i].stream);
        uint64_t its_rank = rank_of(state, &candidates[i]);
        if (priority < highest || (priority == highest && its_rank <= rank)) continue;
        best = i, highest = priority, rank = its_rank;
    }
    return best;
}

/* Tells whether a change of priorities is due at this decision, and takes it off the list. */
static bool takes_change(struct policy_state *state, uint64_t decision)
{
    for (uint32_t i = 0; i < state->change_count; i++) {
        if (state->changes[i] > decision) continue;
        state->changes[i] = state->changes[--state->change_count];
        state->sure_before = least_change(state);
        return true;
    }
    return false;
}

static bool pct_lets_host_go(struct policy_state *state, uint32_t stream)
{
    return sim_policy_is_sure(state) && stream < state->priority_room &&
           state->priorities[0] > state->priorities[stream];
}

static uint32_t choose_pct(struct policy_state *state, const struct candidate *candidates,
                           uint32_t count, enum moment_kind moment)
{
    bool host = moment == MOMENT_CALL;
    uint32_t best = choose_highest(state, candidates, count, host);
    if (!takes_change(state, state->steps + state->calls)) return best;
    *priority_of(state, best == CHOOSE_HOST ? 0 : candidates[best].stream) = --state->lowest;
    return choose_highest(state, candidates, count, host);
}

/* ---- One stream that hardly gets anything ------------------------------------------------- */

static bool starving_lets_host_go(struct policy_state *state, uint32_t stream)
{
    return stream == state->spec.numbers[0];
}

static uint32_t choose_starving(struct policy_state *state, const struct candidate *candidates,
                                uint32_t count, enum moment_kind moment)
{
    for (uint32_t i = 0; i < count; i++)
        if (candidates[i].stream != state->spec.numbers[0]) return i;
    return moment == MOMENT_CALL ? CHOOSE_HOST : last_needed(candidates, count);
}

/* ---- What is held, by name -------------------------------------------------------------- */

/* When a step comes, the least first.  In the call until which steps were held, they come in the
 * order of the list. */
#define STEP_COMES_FIRST 0u
#define STEP_COMES 1u
#define STEP_WAS_HELD 2u
#define STEP_IS_HELD UINT32_MAX

static inline bool is_named(const struct schedule_hold *hold, const struct candidate *step)
{
    return hold->stream == step->stream && hold->number == step->number &&
           (hold->place == HOLD_ANY_PLACE || hold->place == step->place);
}

static uint32_t turn_of(const struct policy_state *state, const struct candidate *candidate)
{
    uint32_t turn = STEP_COMES;
    for (uint32_t i = 0; i < state->spec.hold_count; i++) {
        const struct schedule_hold *hold = &state->spec.holds[i];
        if (!is_named(hold, candidate)) continue;
        if (!hold->call && (hold->order || hold->pauses)) continue;
        if (!hold->call || state->calls < hold->call) return STEP_IS_HELD;
        if (state->calls == hold->call) turn = hold->pauses ? STEP_COMES_FIRST : STEP_WAS_HELD + i;
    }
    return turn;
}

__attribute__((noinline))
static uint32_t choose_by_turn(struct policy_state *state, const struct candidate *candidates,
                               uint32_t count, enum moment_kind moment)
{
    uint32_t first = 0, its_turn = STEP_IS_HELD;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t turn = turn_of(state, &candidates[i]);
        if (turn < its_turn) first = i, its_turn = turn;
    }
    if (its_turn != STEP_IS_HELD) return first;
    if (moment == MOMENT_CALL) return CHOOSE_HOST;
    for (uint32_t i = 0; i < count; i++)
        if (candidates[i].needed) return i;
    return 0;
}

static bool is_in_list(const struct policy_state *state, const struct candidate *step)
{
    for (uint32_t i = 0; i < state->spec.hold_count; i++)
        if (is_named(&state->spec.holds[i], step)) return true;
    return false;
}

static uint32_t choose_replay(struct policy_state *state, const struct candidate *candidates,
                              uint32_t count, enum moment_kind moment)
{
    if (count == 1 && !is_in_list(state, candidates)) return 0; /* mostly */
    return choose_by_turn(state, candidates, count, moment);
}

static struct kernel_manner replay_manner(const struct policy_state *state,
                                          const struct candidate *step)
{
    struct kernel_manner manner = { RL_SHUFFLE_NONE, false };
    for (uint32_t i = 0; i < state->spec.hold_count; i++) {
        const struct schedule_hold *hold = &state->spec.holds[i];
        if (!is_named(hold, step)) continue;
        if (hold->order) manner.order = hold->order;
        manner.pauses = manner.pauses || hold->pauses;
    }
    return manner;
}

/* ---- Some steps in an order, and others as soon as they can ---------------------------------- */

/* Returns the index of a step in what is left of the list, or the end of the list. */
static uint32_t place_in_list(const struct policy_state *state, const struct candidate *step)
{
    uint32_t at = state->next;
    while (at < state->spec.hold_count && !is_named(&state->spec.holds[at], step)) at++;
    return at;
}

/* Takes a step off the list, and goes on to the first that is left. */
static void take_off(struct policy_state *state, uint32_t at)
{
    struct schedule_hold *list = state->spec.holds;
    list[at].stream = 0; /* no stream has this number */
    while (state->next < state->spec.hold_count && !list[state->next].stream) state->next++;
}

/* Keeps to the order of the list, unless what the host waits for needs a step that comes later:
 * then the order is impossible. */
static uint32_t choose_in_order(struct policy_state *state, const struct candidate *candidates,
                                uint32_t count, enum moment_kind moment)
{
    uint32_t first = 0, least = UINT32_MAX;
    if (count == 1 && !is_in_list(state, candidates)) return 0; /* mostly */
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = place_in_list(state, &candidates[i]);
        if (at == state->spec.hold_count) return i;
        if (at < least) first = i, least = at;
    }
    if (least != state->next) {
        if (moment == MOMENT_CALL) return CHOOSE_HOST;
        if (moment == MOMENT_WAIT) first = last_needed(candidates, count);
        least = place_in_list(state, &candidates[first]);
    }
    take_off(state, least);
    return first;
}

/* ---- All policies ---------------------------------------------------------------------- */

static const struct schedule_policy policies[] = {
    { .name = "early", .choose = choose_early, .takes_only = true,
      .form = "nothing follows early" },
    { .name = "late", .choose = choose_late, .manner = run_backwards,
      .waits_only = true, .takes_only = true, .form = "nothing follows late" },
    { .name = "overlap", .choose = choose_late, .manner = run_overlapped,
      .waits_only = true, .takes_only = true, .form = "nothing follows overlap" },
    { .name = "serial", .choose = choose_serial, .form = "nothing follows serial",
      .keeps_order = true },
    { .name = "random", .choose = choose_random, .lets_host_go = random_lets_host_go,
      .manner = draw_manner, .numbers = 1,
      .form = "it has the form random:SEED, a number" },
    { .name = "pct", .choose = choose_pct, .lets_host_go = pct_lets_host_go,
      .manner = draw_manner, .numbers = 2, .more_numbers = 1,
      .form = "it has the form pct:SEED:DEPTH or pct:SEED:DEPTH:DECISIONS, of numbers" },
    { .name = "starve", .choose = choose_starving, .lets_host_go = starving_lets_host_go,
      .takes_only = true, .numbers = 1,
      .form = "it has the form starve:STREAM, the number of a stream" },
    { .name = "replay", .choose = choose_replay, .manner = replay_manner, .holds = true,
      .takes_only = true,
      .form = "it has the form replay:HELD,..." },
    { .name = "order", .choose = choose_in_order, .orders = true, .same_numbers = true,
      .form = "it has the form order:STEP,..." },
};

const struct schedule_policy *sim_schedule_policy(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++)
        if (strlen(policies[i].name) == length && !memcmp(policies[i].name, name, length))
            return &policies[i];
    return NULL;
}

void sim_policy_init(struct policy_state *state, const struct schedule_spec *spec)
{
    *state = (struct policy_state){ .spec = *spec };
    state->random = mix_number(spec->numbers[0] + 1);
    if (spec->policy->takes_only) state->sure_before = UINT64_MAX;
    if (spec->policy->choose == choose_pct) init_pct(state);
}

void sim_policy_fini(struct policy_state *state)
{
    sim_schedule_spec_free(&state->spec);
    rl_free(state->priorities);
}
