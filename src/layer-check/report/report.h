/* SPDX-License-Identifier: Apache-2.0
 *
 * What the layer tells the program and its user.
 *
 * Each platform has a report, which keeps one entry for each pair of places and counts how
 * often it was met.  The findings are written when the platform is closed, in the order in
 * which their later ends were submitted, whatever thread found them first; or when the
 * process ends, if it leaves the platform open.  All reports of a process share its
 * settings, its files and the line that sums up (session.h).
 */
#ifndef CK_REPORT_H
#define CK_REPORT_H

#include <rill/check.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ck_session;
struct ck_report;

/* One of the two ends of a finding.  The texts are copied; none of them may hold what
 * changes from run to run, such as an address, a time or the number of a thread. */
struct ck_end {
    const char *what;   /* "memcpy", "kernel 'scale'", "the host": without sizes or counts  */
    const char *does;   /* "reads", "writes", "frees" ...; or NULL                          */
    const void *site;   /* to which the call that submitted it returned; or NULL            */
    const void *launched; /* of a node: to which the launch returned; of the begin of a capture:
                             to which the call returned that was captured last; or NULL     */
    const char *stream; /* "stream 'copy'", "stream 3", "the legacy stream"; NULL: the host */
    uint64_t stream_id; /* rill_stream_id(), or 0                                           */
    uint64_t number;    /* of the operation in its stream, from 1; or 0                     */
    uint64_t node;      /* in its graph, from 1; or 0                                       */
    uint64_t within;    /* the node that has the node's graph inside; or 0                  */
    uint64_t order;     /* counts all that was submitted to the platform: sorts the report  */
    bool returns_early; /* a synchronous call that may return before it is done             */
};

struct ck_finding {
    rill_finding_kind kind;
    const char *cause;      /* tells apart what may be wrong at the same places; or NULL  */
    const char *sentence;   /* NULL if that `what` of ends[0] `does` what that of ends[1] does,
                               and nothing orders them                                    */
    struct ck_end ends[2];  /* the later one first, in the order of submission            */
    size_t end_count;       /* 1 or 2                                                     */
    rill_devptr address;    /* of the bytes in question; 0: it is not about memory        */
    uint64_t bytes;
    const char *memory;     /* "bytes 0 to 65535 of 'frame' (device 0, 1 MiB)", or NULL   */
    const void *allocated;  /* to which the call that allocated it returned; or NULL      */
    rill_mend mend;
    const char *advice;     /* the mend in words; NULL: those that follow from `mend`     */
    bool assumed;           /* what is touched was not seen, but assumed                  */
    uint64_t count;         /* how often it was met; 0: once                              */
    uint64_t cost_ns;       /* how long its calls took in this run; 0: nobody asks        */
};

/* Returns NULL if memory is short. */
struct ck_report *ck_report_create(struct ck_session *session);

/* Writes the findings, and frees the report.  Nobody may be adding any more. */
void ck_report_destroy(struct ck_report *report);

/* Adds a finding, or counts one more of a pair of places that is known: of the same kind
 * and cause, with the same names at the same sites, or in the same streams if there is no
 * site.  May be called by
 * any thread.  Short memory is said at the end.  A finding that is new takes the loader's
 * lock, to look its sites up, and calls the program's function: the caller should hold no
 * lock that a call of the library needs. */
void ck_report_add(struct ck_report *report, const struct ck_finding *finding);

/* Has what is found from now on told to a function instead of written; NULL: written. */
void ck_report_tell(struct ck_report *report, rill_finding_fn tell, void *data);

/* Returns how many findings there were, each pair of places as often as it was met, without
 * hints and without those that are suppressed. */
uint64_t ck_report_count(struct ck_report *report);

/* Count touches of pinned memory that were seen, and those that were judged: it is said at the
 * end how many were not.  The first is safe in signal handlers. */
void ck_report_seen(struct ck_report *report);
void ck_report_judged(struct ck_report *report, size_t count);

/* Counts a kernel that failed, and its device with it: no finding, but nothing to pass over. */
void ck_report_failed(struct ck_report *report);

/* Has it said at the end that a system call of the program failed with EFAULT, which may be our
 * fault. */
void ck_report_efault(struct ck_report *report);

/* Notes that there is memory whose pages are protected at times: if a SIGSEGV that was sent ends
 * the process, it is said at the end that this may be our fault. */
void ck_report_pinned(struct ck_report *report);

/* Has it said at the end that touches may not have been seen, and why, which must be a literal. */
void ck_report_unseen(struct ck_report *report, const char *why);

/* Has it said at the end that checking stopped before the program did, and why, which must
 * be a literal: "there was no memory for ...". */
void ck_report_stopped(struct ck_report *report, const char *why);

#endif
