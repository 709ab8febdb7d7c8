/* SPDX-License-Identifier: Apache-2.0
 *
 * The log: works in the order of submission, until they can be judged.
 *
 * What a copy touches is known at once; what a kernel touches, once it has run.  A work is
 * judged when all before it are, so that the same program gives the same findings whatever
 * ran first.
 *
 * The checker's lock protects all of it.
 */
#ifndef CK_LOG_H
#define CK_LOG_H

#include "layer-check/access/attached.h"

/* Bytes of a page that a step touches. */
struct ck_page_rows {
    uint64_t address;
    uint32_t how;
    struct ck_map *map; /* one of those that are behind all pages */
};

/* What one step touches.  A row of 0 bytes stands for the whole allocation around its address,
 * if there is one. */
struct ck_rows {
    struct ck_rows *next;
    uint32_t node;
    uint16_t round;
    bool assumed;  /* nobody saw it     */
    bool extra;    /* it adds to what the node's operation says */
    struct ck_page_rows *pages;
    size_t page_count, count;
    rill_touched items[];
};

/* How a work changes which allocations there are. */
enum ck_change {
    CK_CHANGE_NONE,
    CK_CHANGE_ADD,
    CK_CHANGE_REMOVE, /* once the rows are touched                                 */
    CK_CHANGE_ATTACH, /* managed memory                                            */
    CK_CHANGE_LOSE    /* what is attached to a stream, which is gone               */
};

struct ck_log_entry {
    struct ck_log_entry *next;
    struct ck_work *work;   /* retained */
    struct ck_clock *host;  /* what the host knew when it was submitted; retained */
    uint32_t pending;       /* parts of it that are not over: submission, and what runs */
    struct ck_rows *rows;   /* of its steps, the newest first                           */
    enum ck_change change;
    enum ck_block_kind kind; /* of what is added */
    bool mapped;             /* ditto            */
    const char *name;        /* of a variable    */
    int device;
    uint64_t base, bytes;    /* of what is removed: 0 if it is one allocation */
    struct ck_attachment attachment; /* of managed memory; flags 0: nobody looks at that */
    bool dropped;           /* its device has failed: what is assumed of it means nothing */
};

struct ck_log {
    struct ck_log_entry *head, *tail;
    size_t count;
};

struct ck_account;
struct ck_held;
struct ck_tellings;

/* What the log works on. */
struct ck_court {
    struct ck_memory *memory;
    struct ck_verdicts *verdicts;
    struct ck_tellings *tellings;     /* by flags                      */
    struct ck_held *held;             /* conflicts                     */
    const struct ck_log *log;
    struct ck_caller *const *callers; /* of the order's, the first one */
    struct ck_busy *busy;             /* kernels that may run          */
    bool races, lives, inits, hints;  /* what is looked for            */
    struct ck_account *account;       /* that is given, or NULL        */
};

/* Appends an entry for a work, with one part pending.  Retains the work and the clock.  Returns
 * NULL if memory is short. */
struct ck_log_entry *ck_log_add(struct ck_log *log, struct ck_work *work, struct ck_clock *host);

/* Adds room for what a step touches.  Returns NULL if memory is short. */
struct ck_rows *ck_log_add_rows(struct ck_log_entry *entry, uint32_t node, uint16_t round,
                                size_t count);

/* Adds what a kernel was seen to touch, by what was done to it and by address.  Returns NULL if
 * memory is short. */
struct ck_rows *ck_log_add_seen(struct ck_log_entry *entry, uint32_t node, uint16_t round,
                                const rill_touches *touches);

/* Forgets what the steps of an entry were said to touch. */
void ck_log_drop_rows(struct ck_log_entry *entry);

/* Forgets what was assumed of them. */
void ck_log_drop_assumed(struct ck_log_entry *entry);

/* Judges all that can be judged, or until there are many verdicts.  Returns false if memory is
 * short. */
bool ck_log_advance(struct ck_log *log, const struct ck_court *court);

/* Adds and removes the allocations of works that could not be judged: nothing comes after them. */
void ck_log_settle(const struct ck_log *log, struct ck_memory *memory);

/* Forgets what could not be judged. */
void ck_log_clear(struct ck_log *log);

#endif
