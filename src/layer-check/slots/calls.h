/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls by their site: waits of streams and of the host, of which some site may never have
 * ordered anything.  Only kept if hints are wanted, and told at the end, when no call of the
 * site is to come that might.
 */
#ifndef CK_CALLS_H
#define CK_CALLS_H

#include "layer-check/slots/checker.h"

enum ck_call_kind {
    CK_CALL_EVENT_WAIT,
    CK_CALL_STREAM_SYNCHRONIZE,
    CK_CALL_EVENT_SYNCHRONIZE,
    CK_CALL_CONTEXT_SYNCHRONIZE
};

struct ck_call {
    enum ck_call_kind kind;
    const void *site;
    const struct ck_stream *stream; /* that waits; NULL: the host does      */
    bool orders;                    /* something that was not ordered before */
    uint64_t ns;                    /* that it took; 0: nobody knows         */
};

/* Counts a call.  Requires checker->lock. */
void ck_calls_count(struct ck_checker *checker, const struct ck_call *call);

/* Takes all sites, the earliest first.  Requires checker->lock. */
struct ck_call_site *ck_calls_take(struct ck_checker *checker);

/* Makes one of the sites of one line.  Finds sources, so the caller should hold no lock. */
void ck_calls_merge(struct ck_call_site *sites);

/* Lists a hint for each site of which no call ordered anything, and frees the sites.  Returns
 * false if memory is short.  Requires checker->lock. */
bool ck_calls_tell(struct ck_checker *checker, struct ck_call_site *sites);

/* Frees sites that were taken. */
void ck_calls_free(struct ck_call_site *sites);

void ck_calls_forget(struct ck_checker *checker);

/* ---- Calls in which the host waits ---------------------------------------------------------- */

struct ck_waiting {
    bool counts; /* hints are wanted */
    const void *site;
    uint64_t since;
};

/* Called around a wait of the host's, on the way to it and with what came out.  Takes the lock. */
struct ck_waiting ck_waiting_begin(const void *object);
void ck_waiting_end(const struct ck_waiting *waiting, const void *object, enum ck_call_kind kind,
                    bool orders);

#endif
