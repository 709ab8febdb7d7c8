/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of this room share: a session, its reports, and their entries.
 */
#ifndef CK_STATE_H
#define CK_STATE_H

#include <sys/types.h>

#include "base/lock.h"
#include "layer-check/report/describe.h"
#include "layer-check/report/kind.h"
#include "layer-check/report/session.h"
#include "layer-check/report/suppress.h"
#include "layer-check/report/text.h"

/* The entries of a report.  What is found beyond is counted and not described: nobody reads
 * so much, and a process that dies can write so much without memory of its own. */
enum { CK_ENTRIES_MAX = 1000 };

/* A pair of places.  The words are those of the pair of operations that was submitted first. */
struct ck_entry {
    rill_finding_kind kind;
    uint64_t identity; /* ck_identity()                                                  */
    uint64_t order[2]; /* of both ends                                                   */
    uint64_t tie;      /* chooses among findings of the same two operations              */
    uint64_t count, cost_ns; /* of all findings that led here                        */
    char id[CK_ID_MAX];
    struct ck_text block, json; /* without their ends: count and cost                    */
    bool suppressed;
    bool told;         /* to the program's function: it is not to be written             */
};

/* From what one call can compare to the entry: a hash over addresses and names.  Several may
 * lead to one entry, since the compiler copies calls. */
struct ck_key {
    uint64_t hash;
    struct ck_entry *entry; /* NULL if the place is free */
};

/* All of it is protected by the session's lock. */
struct ck_report {
    struct ck_session *session;
    struct ck_report *next;
    struct ck_entry **entries; /* by the order of submission */
    size_t count, room;
    struct ck_key *keys;       /* open addressing            */
    size_t key_count, key_room;
    uint64_t left_out;         /* findings, for lack of room or memory      */
    uint64_t met;              /* all bugs that count, however often        */
    const char *stopped;       /* NULL while checking goes on */
    rill_finding_fn tell;
    void *tell_data;
};

struct ck_totals {
    uint64_t kinds[CK_KINDS];
    uint64_t suppressed, left_out;
};

struct ck_session {
    struct rl_lock lock;       /* protects what follows `finder`, and the reports */
    struct rl_lock telling;    /* held while a function of the program is called       */
    struct ck_settings settings;
    struct ck_finder finder;
    struct ck_suppression *suppressions;
    struct ck_report *reports; /* that are not destroyed */
    int text_file, json_file;  /* -1 for none            */
    pid_t process;
    atomic_uint_least64_t unjudged; /* touches of pinned memory; without the lock */
    atomic_uint_least64_t failed;   /* kernels; without the lock                   */
    const char *_Atomic unseen; /* why some were not even seen, or NULL; without the lock */
    atomic_bool efault; /* a system call of the program failed so; without the lock */
    atomic_bool pinned; /* the program has had pinned memory that is protected at times; without */
    bool passed_on;     /* SIGSEGV was sent, which ends the process; written while it dies       */
    bool over;
    bool written;              /* some report was not told to the program alone */
    const char *stopped;
    struct ck_totals text, json;
    char line[CK_PATH_MAX * 6 + 256]; /* to compose what is written at the end */
};

/* ---- Writing: all of this may be called in a handler of a signal, and requires the lock ---- */

/* Writes the report's entries, adds them to the totals, and takes it off the session. */
void ck_report_write(struct ck_report *report);

/* Writes all reports and the summary, once.  `dying` keeps off what is not safe then. */
void ck_session_write(struct ck_session *session, bool dying);

void ck_write_summary(struct ck_session *session, bool dying);

/* Writes two texts, both in one call of the system if that takes them whole. */
void ck_write_both(int file, const struct ck_text *first, const struct ck_text *second);

/* ---- The end ---------------------------------------------------------------------------- */

/* Has the session written if the process dies by a signal that the program does not handle. */
void ck_session_watch_death(struct ck_session *session);

#endif
