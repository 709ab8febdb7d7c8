/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/slots/calls.h"

#include "base/alloc.h"
#include "base/thread.h"
#include "site/site.h"

/* The checker's lock protects it. */
struct ck_call_site {
    struct ck_call_site *next; /* of the bucket                     */
    enum ck_call_kind kind;
    const void *site;
    bool orders;               /* some call has                     */
    uint64_t count, ns;        /* of all calls                      */
    uint64_t turn;             /* counts sites, by their first call */
    uint64_t serial, number;   /* of the first call                 */
    struct ck_who *who;        /* who waited then; NULL: the host   */
};

/* ---- Counting ------------------------------------------------------------------------------ */

static struct ck_call_site **bucket_of(struct ck_checker *checker, const void *site)
{
    uint64_t hash = (uintptr_t)site * UINT64_C(0x9E3779B97F4A7C15);
    return &checker->call_sites[(hash >> 32) % CK_BUCKETS];
}

static struct ck_call_site *find_site(struct ck_checker *checker, const struct ck_call *call)
{
    struct ck_call_site *site = *bucket_of(checker, call->site);
    while (site && (site->site != call->site || site->kind != call->kind)) site = site->next;
    return site;
}

/* Returns NULL if memory is short. */
static struct ck_call_site *add_site(struct ck_checker *checker, const struct ck_call *call)
{
    struct ck_call_site **bucket = bucket_of(checker, call->site);
    struct ck_call_site *site = rl_zalloc(sizeof *site);
    if (!site) return NULL;
    *site = (struct ck_call_site){ .next = *bucket, .kind = call->kind, .site = call->site,
                                   .turn = ++checker->call_site_count,
                                   .serial = checker->order.serial };
    if (call->stream) {
        site->who = call->stream->who;
        site->who->references++;
        site->number = call->stream->last.number;
    }
    *bucket = site;
    return site;
}

void ck_calls_count(struct ck_checker *checker, const struct ck_call *call)
{
    struct ck_call_site *site = find_site(checker, call);
    if (!site) site = add_site(checker, call);
    if (!site) {
        checker->order.failed = true;
        return;
    }
    site->count++;
    site->ns += call->ns;
    if (call->orders) site->orders = true;
}

struct ck_waiting ck_waiting_begin(const void *object)
{
    struct ck_waiting waiting = { .counts = ck_checker_of(object)->hints };
    if (!waiting.counts) return waiting;
    waiting.site = cs_site_here();
    waiting.since = rl_monotonic_ns();
    return waiting;
}

void ck_waiting_end(const struct ck_waiting *waiting, const void *object, enum ck_call_kind kind,
                    bool orders)
{
    if (!waiting->counts) return;
    uint64_t ns = rl_monotonic_ns() - waiting->since;
    struct ck_checker *checker = ck_enter(object);
    if (!checker) return;
    ck_calls_count(checker, &(struct ck_call){ .kind = kind, .site = waiting->site,
                                               .orders = orders, .ns = ns });
    ck_leave(checker);
}

/* ---- Adding up ------------------------------------------------------------------------------ */

/* Takes the site whose first call was the earliest.  Returns NULL if there is none. */
static struct ck_call_site *take_first(struct ck_checker *checker)
{
    struct ck_call_site **first = NULL;
    for (unsigned i = 0; i < CK_BUCKETS; i++)
        for (struct ck_call_site **link = &checker->call_sites[i]; *link; link = &(*link)->next)
            if (!first || (*link)->turn < (*first)->turn) first = link;
    struct ck_call_site *site = first ? *first : NULL;
    if (site) *first = site->next;
    return site;
}

struct ck_call_site *ck_calls_take(struct ck_checker *checker)
{
    struct ck_call_site *sites = NULL, **end = &sites;
    while ((*end = take_first(checker))) end = &(*end)->next;
    return sites;
}

/* The sites that were added to another stay in the list, without calls. */
void ck_calls_merge(struct ck_call_site *sites)
{
    for (struct ck_call_site *site = sites; site; site = site->next)
        for (struct ck_call_site *other = site->next; site->count && other; other = other->next) {
            if (!other->count || other->kind != site->kind ||
                !cs_same_line(other->site, site->site))
                continue;
            site->count += other->count;
            site->ns += other->ns;
            if (other->orders) site->orders = true;
            other->count = 0;
        }
}

/* ---- Telling ------------------------------------------------------------------------------- */

static const char *const sentences[] = {
    [CK_CALL_EVENT_WAIT] = "the wait orders nothing that was not ordered already",
    [CK_CALL_STREAM_SYNCHRONIZE] = "the host waits for nothing that it did not know to be done",
    [CK_CALL_EVENT_SYNCHRONIZE] = "the host waits for nothing that it did not know to be done",
    [CK_CALL_CONTEXT_SYNCHRONIZE] = "the host waits for nothing that it did not know to be done",
};

static struct ck_what what_of(const struct ck_call_site *site)
{
    static const char *const calls[] = {
        [CK_CALL_STREAM_SYNCHRONIZE] = "rill_stream_synchronize",
        [CK_CALL_EVENT_SYNCHRONIZE] = "rill_event_synchronize",
        [CK_CALL_CONTEXT_SYNCHRONIZE] = "rill_context_synchronize",
    };
    if (site->kind == CK_CALL_EVENT_WAIT)
        return (struct ck_what){ .kind = RILL_OP_EVENT_WAIT, .site = site->site };
    return (struct ck_what){ .host = true, .name = calls[site->kind], .site = site->site };
}

static bool tell_site(struct ck_checker *checker, const struct ck_call_site *site)
{
    struct ck_verdict *verdict = ck_verdicts_add(&checker->verdicts, RILL_FINDING_HINT);
    if (!verdict) return false;
    const struct ck_what what = what_of(site);
    ck_verdict_set_call(verdict, 0, &what, site->who, site->number);
    verdict->finding.ends[0].order = site->serial << 20;
    verdict->finding.sentence = sentences[site->kind];
    verdict->finding.cause = "repeats";
    verdict->finding.count = site->count;
    verdict->finding.cost_ns = site->ns;
    return true;
}

static void free_site(struct ck_call_site *site)
{
    ck_who_release(site->who);
    rl_free(site);
}

void ck_calls_free(struct ck_call_site *sites)
{
    while (sites) {
        struct ck_call_site *site = sites;
        sites = site->next;
        free_site(site);
    }
}

bool ck_calls_tell(struct ck_checker *checker, struct ck_call_site *sites)
{
    bool fits = true;
    while (sites) {
        struct ck_call_site *site = sites;
        sites = site->next;
        if (fits && site->count && !site->orders) fits = tell_site(checker, site);
        free_site(site);
    }
    return fits;
}

void ck_calls_forget(struct ck_checker *checker)
{
    struct ck_call_site *site;
    while ((site = take_first(checker))) free_site(site);
}
