/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/access/account.h"

#include <string.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "explore/account.h"
#include "layer-check/report/session.h"

/* How many rows are kept: comparing them takes time with the square of that. */
#define ROWS_MOST 16384u

/* A step that touched something. */
struct ck_party {
    struct ck_step step; /* its work is retained */
    bool conflicts;
    size_t at;           /* where it was taken, or NOWHERE: it has no name, or was not taken once */
    size_t place;        /* among those that conflict */
};

#define NOWHERE SIZE_MAX

static _Thread_local struct ck_account *wanted;

void ck_account_want(struct ck_account *account)
{
    wanted = account;
}

/* Makes an account that is its platform's. */
static struct ck_account *make_account(const char *path)
{
    char why[CK_WHY_MAX];
    struct ck_account *account = rl_zalloc(sizeof *account);
    const bool reports = rl_getenv("RILL_CHECK");
    if (account && !reports) account->session = ck_session_create(NULL, why);
    if (account && (account->session || reports)) {
        account->path = path;
        account->left = true;
        return account;
    }
    rl_free(account);
    return NULL;
}

struct ck_account *ck_account_wanted(void)
{
    struct ck_account *account = wanted;
    const char *path = account ? NULL : rl_getenv("RILL_EXPLORE");
    wanted = NULL;
    return path && *path ? make_account(path) : account;
}

/* ---- What is touched ----------------------------------------------------------------------- */

/* Makes room for one more.  Returns false if memory is short. */
static bool make_room(void **items, size_t bytes, size_t count, size_t *room)
{
    if (count < *room) return true;
    size_t more = *room ? 2 * *room : 32;
    void *larger = rl_alloc(more * bytes);
    if (!larger) return false;
    if (count) memcpy(larger, *items, count * bytes);
    rl_free(*items);
    *items = larger;
    *room = more;
    return true;
}

static bool same_step(const struct ck_step *a, const struct ck_step *b)
{
    return a->work == b->work && a->node == b->node && a->round == b->round;
}

/* Returns the number of a step among the parties, which it joins if it is new. */
static bool find_party(struct ck_account *account, const struct ck_step *step, uint32_t *number)
{
    for (size_t i = account->party_count; i-- > 0;) {
        if (!same_step(&account->parties[i].step, step)) continue;
        *number = (uint32_t)i;
        return true;
    }
    void *parties = account->parties;
    bool fits = make_room(&parties, sizeof *account->parties, account->party_count,
                          &account->party_room);
    account->parties = parties;
    if (!fits) return false;
    *number = (uint32_t)account->party_count++;
    account->parties[*number] = (struct ck_party){ .step = *step };
    ck_work_retain(step->work);
    return true;
}

static void add_row(struct ck_account *account, const struct ck_step *step, uint64_t from,
                    uint64_t to, uint32_t how)
{
    uint32_t party;
    void *rows = account->rows;
    if (account->row_count == ROWS_MOST) account->too_much = true;
    if (account->too_much || account->failed) return;
    bool fits = make_room(&rows, sizeof *account->rows, account->row_count, &account->row_room);
    account->rows = rows;
    if (fits && find_party(account, step, &party))
        account->rows[account->row_count++] = (struct ck_account_row){ from, to, how, party };
    else account->failed = true;
}

void ck_account_rows(struct ck_account *account, const struct ck_step *step,
                     const rill_touched *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].bytes)
            add_row(account, step, rows[i].address, rows[i].address + rows[i].bytes, rows[i].how);
}

void ck_account_page(struct ck_account *account, const struct ck_step *step, uint64_t page,
                     uint32_t how, const struct ck_map *map)
{
    const unsigned bytes = 64 * CK_PAGE_WORDS;
    for (unsigned at = 0, end; at < bytes; at = end) {
        end = at + 1;
        if (!(map->words[at / 64] >> at % 64 & 1)) continue;
        while (end < bytes && map->words[end / 64] >> end % 64 & 1) end++;
        add_row(account, step, page + at, page + end, how);
    }
}

void ck_account_taken(void *data, uint32_t stream, uint64_t number, uint32_t node)
{
    struct ck_account *account = data;
    const struct xp_name name = { .stream = stream, .number = number, .place = node };
    if (!xp_order_add(&account->outcome.taken, name)) account->failed = true;
}

/* ---- Conflicts ----------------------------------------------------------------------------- */

/* Tells whether it makes a difference which of two comes first that touch the same bytes.  Atomic
 * operations of kernels are taken to commute; values that are written are not. */
static bool depends_on_order(const struct ck_account_row *a, const struct ck_account_row *b,
                             bool values)
{
    const uint32_t changes = CK_TOUCH_WRITES | RILL_TOUCH_ATOMIC;
    if (!((a->how | b->how) & changes)) return false;
    bool atomic = (a->how & b->how & RILL_TOUCH_ATOMIC) &&
                  !((a->how | b->how) & (CK_TOUCH_WRITES | RILL_TOUCH_READ));
    return values || !atomic;
}

static bool is_values(const struct ck_party *party)
{
    return ck_step_what(&party->step).kind == RILL_OP_VALUES;
}

static bool rows_conflict(const struct ck_account *account, const struct ck_account_row *a,
                          const struct ck_account_row *b)
{
    if (a->party == b->party || a->from >= b->to || b->from >= a->to) return false;
    return depends_on_order(a, b, is_values(&account->parties[a->party]) ||
                                      is_values(&account->parties[b->party]));
}

/* Tells whether one party is promised to be over before another one begins.  One that was submitted
 * later may be: a write that a wait for a value waits for. */
static bool is_before(const struct ck_account *account, size_t first, size_t then)
{
    const struct ck_step *a = &account->parties[first].step, *b = &account->parties[then].step;
    return (first < then || a->work != b->work) && ck_step_ordered(a, b);
}

/* Notes a conflict of two parties, unless they are in an order. */
static void note_conflict(struct ck_account *account, struct xp_pairs *pairs, uint32_t first,
                          uint32_t then)
{
    struct ck_party *a = &account->parties[first], *b = &account->parties[then];
    if (xp_pairs_has(pairs, first, then) || is_before(account, first, then) ||
        is_before(account, then, first))
        return;
    xp_pairs_add(pairs, first, then);
    xp_pairs_add(pairs, then, first);
    if (a->at == NOWHERE || b->at == NOWHERE) account->outcome.others++;
    else a->conflicts = b->conflicts = true;
}

static void compare_rows(struct ck_account *account, struct xp_pairs *pairs)
{
    for (size_t i = 0; i < account->row_count; i++)
        for (size_t j = 0; j < i; j++) {
            if (rows_conflict(account, &account->rows[i], &account->rows[j]))
                note_conflict(account, pairs, account->rows[j].party, account->rows[i].party);
        }
}

/* ---- Names --------------------------------------------------------------------------------- */

/* Stores how a schedule names a step.  Returns false if it does not, or as another run of it. */
static bool name_step(const struct ck_step *step, struct xp_name *name)
{
    const struct ck_work *work = step->work;
    uint64_t number = step->node ? work->inside->type->number(work->inside, step->node) : 0;
    if (!work->named_number || step->round || (step->node && !number)) return false;
    *name = (struct xp_name){ .stream = work->named_stream, .number = work->named_number,
                              .place = step->node ? (uint32_t)number - 1 : XP_WHOLE };
    return true;
}

/* Returns where a step was taken, if that was once. */
static size_t find_taken(const struct xp_order *taken, const struct xp_name *name)
{
    size_t at = NOWHERE;
    for (size_t i = 0; i < taken->count; i++) {
        if (!xp_same_name(&taken->items[i], name)) continue;
        if (at != NOWHERE) return NOWHERE;
        at = i;
    }
    return at;
}

static void place_parties(struct ck_account *account)
{
    for (size_t i = 0; i < account->party_count; i++) {
        struct xp_name name;
        struct ck_party *party = &account->parties[i];
        party->at = name_step(&party->step, &name) ? find_taken(&account->outcome.taken, &name)
                                                   : NOWHERE;
    }
}

/* ---- The outcome --------------------------------------------------------------------------- */

static bool list_steps(struct ck_account *account)
{
    struct xp_outcome *outcome = &account->outcome;
    for (size_t at = 0; at < outcome->taken.count; at++)
        for (size_t i = 0; i < account->party_count; i++) {
            struct ck_party *party = &account->parties[i];
            if (!party->conflicts || party->at != at) continue;
            party->place = outcome->steps.count;
            if (!xp_order_add(&outcome->steps, outcome->taken.items[at])) return false;
        }
    return xp_pairs_init(&outcome->before, outcome->steps.count) &&
           xp_pairs_init(&outcome->conflicts, outcome->steps.count);
}

static void relate_steps(struct ck_account *account, const struct xp_pairs *pairs)
{
    struct xp_outcome *outcome = &account->outcome;
    for (size_t i = 0; i < account->party_count; i++)
        for (size_t j = 0; j < account->party_count; j++) {
            const struct ck_party *a = &account->parties[i], *b = &account->parties[j];
            if (i == j || !a->conflicts || !b->conflicts) continue;
            if (xp_pairs_has(pairs, i, j)) xp_pairs_add(&outcome->conflicts, a->place, b->place);
            else if (is_before(account, i, j))
                xp_pairs_add(&outcome->before, a->place, b->place);
        }
}

static void forget_parties(struct ck_account *account)
{
    for (size_t i = 0; i < account->party_count; i++)
        ck_work_release(account->parties[i].step.work);
    rl_free(account->parties);
    rl_free(account->rows);
    account->parties = NULL;
    account->rows = NULL;
    account->party_count = account->row_count = 0;
    account->party_room = account->row_room = 0;
}

void ck_account_settle(struct ck_account *account)
{
    struct xp_pairs pairs = { .bits = NULL };
    if (account->settled) return;
    bool fits = !account->failed && xp_pairs_init(&pairs, account->party_count);
    if (fits) {
        place_parties(account);
        compare_rows(account, &pairs);
        fits = list_steps(account);
    }
    if (fits) relate_steps(account, &pairs);
    else account->failed = true;
    xp_pairs_fini(&pairs);
    forget_parties(account);
    account->settled = true;
    if (account->path && !account->failed)
        xp_account_write(account->path, &account->outcome, account->too_much);
}

void ck_account_fini(struct ck_account *account)
{
    forget_parties(account);
    xp_outcome_fini(&account->outcome);
}
