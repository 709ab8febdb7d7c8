/* SPDX-License-Identifier: Apache-2.0
 *
 * An account of a run: which steps were taken, in which order, and which of them conflict although
 * nothing orders them.  What explores schedules needs it.  Nothing is reported then, unless a
 * process explores that has settings of reports as well.
 *
 * The checker's lock protects all of it, but `outcome.taken`, which belongs to the thread
 * that takes steps.
 */
#ifndef CK_ACCOUNT_H
#define CK_ACCOUNT_H

#include "explore/outcome.h"
#include "layer-check/access/page.h"

struct ck_party;
struct ck_session;

/* Bytes that a step touched. */
struct ck_account_row {
    uint64_t from, to;
    uint32_t how;
    uint32_t party;
};

struct ck_account {
    struct ck_session *session;  /* that nobody sees; NULL: it is reported as well; fixed */
    struct xp_outcome outcome;   /* complete once it is settled */
    struct ck_party *parties;    /* steps that touched something, as they were judged */
    size_t party_count, party_room;
    struct ck_account_row *rows;
    size_t row_count, row_room;
    bool too_much;               /* more was touched than is kept */
    bool failed;                 /* memory was short              */
    bool settled;
    bool left;                   /* to the platform, which frees it and the session */
    const char *path;            /* of the file it is written to, or NULL */
};

/* Has the next platform that this thread opens give an account; NULL: none. */
void ck_account_want(struct ck_account *account);

/* Returns what is wanted, and forgets it; else what RILL_EXPLORE wants of each platform of the
 * process, written to that file; else NULL.  With RILL_CHECK, that reports as well. */
struct ck_account *ck_account_wanted(void);

/* Adds what a step touched. */
void ck_account_rows(struct ck_account *account, const struct ck_step *step,
                     const rill_touched *rows, size_t count);
void ck_account_page(struct ck_account *account, const struct ck_step *step, uint64_t page,
                     uint32_t how, const struct ck_map *map);

/* Notes that a step is taken; `data` is the account. */
void ck_account_taken(void *data, uint32_t stream, uint64_t number, uint32_t node);

/* Completes the outcome, and forgets what it was made of. */
void ck_account_settle(struct ck_account *account);

/* Forgets all. */
void ck_account_fini(struct ck_account *account);

#endif
