/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/report/report.h"

#include <string.h>

#include "base/alloc.h"
#include "layer-check/report/block.h"
#include "layer-check/report/json.h"
#include "layer-check/report/state.h"

struct ck_report *ck_report_create(struct ck_session *session)
{
    struct ck_report *report = rl_zalloc(sizeof *report);
    if (!report) return NULL;
    report->session = session;
    rl_lock(&session->lock);
    report->next = session->reports;
    session->reports = report;
    rl_unlock(&session->lock);
    return report;
}

static void free_entry(struct ck_entry *entry)
{
    ck_text_fini(&entry->block);
    ck_text_fini(&entry->json);
    rl_free(entry);
}

void ck_report_destroy(struct ck_report *report)
{
    if (!report) return;
    struct ck_session *session = report->session;
    rl_lock(&session->lock);
    if (!session->over) ck_report_write(report);
    rl_unlock(&session->lock);
    for (size_t i = 0; i < report->count; i++) free_entry(report->entries[i]);
    rl_free(report->entries);
    rl_free(report->keys);
    rl_free(report);
}

/* ---- Keys: what is known of a finding without looking anything up -------------------------- */

static uint64_t hash_finding(const struct ck_finding *finding)
{
    uint64_t hash = ck_hash_number(CK_HASH_START, finding->kind);
    hash = ck_hash_text(hash, finding->cause);
    for (size_t i = 0; i < finding->end_count; i++) {
        const struct ck_end *end = &finding->ends[i];
        hash = ck_hash_text(hash, end->what);
        hash = ck_hash_number(hash, (uintptr_t)end->site);
        hash = ck_hash_number(hash, (uintptr_t)end->launched);
        if (!end->site) hash = ck_hash_text(hash, end->stream);
    }
    return hash;
}

/* Returns where the key is, or the free place for it. */
static struct ck_key *find_key(struct ck_key *keys, size_t room, uint64_t hash)
{
    size_t at = hash % room;
    while (keys[at].entry && keys[at].hash != hash) at = (at + 1) % room;
    return &keys[at];
}

static struct ck_entry *find_by_key(const struct ck_report *report, uint64_t hash)
{
    return report->key_room ? find_key(report->keys, report->key_room, hash)->entry : NULL;
}

static bool grow_keys(struct ck_report *report)
{
    size_t room = report->key_room ? report->key_room * 2 : 64;
    if (report->key_count < report->key_room / 2) return true;
    struct ck_key *keys = rl_zalloc(room * sizeof *keys);
    if (!keys) return false;
    for (size_t i = 0; i < report->key_room; i++)
        if (report->keys[i].entry) *find_key(keys, room, report->keys[i].hash) = report->keys[i];
    rl_free(report->keys);
    report->keys = keys;
    report->key_room = room;
    return true;
}

/* Without memory for it the key stays unknown, and its finding is described each time. */
static void add_key(struct ck_report *report, uint64_t hash, struct ck_entry *entry)
{
    if (!grow_keys(report)) return;
    struct ck_key *key = find_key(report->keys, report->key_room, hash);
    if (!key->entry) report->key_count++;
    *key = (struct ck_key){ hash, entry };
}

/* ---- Entries ------------------------------------------------------------------------------- */

static uint64_t order_of(const struct ck_finding *finding, size_t end)
{
    return end < finding->end_count ? finding->ends[end].order : 0;
}

/* One of several findings of the same two operations has to be taken, and the same one in
 * each run: not that of the lowest address, and not the first. */
static uint64_t hash_tie(const struct ck_finding *finding)
{
    uint64_t hash = ck_hash_text(CK_HASH_START, finding->memory);
    for (size_t i = 0; i < finding->end_count; i++)
        hash = ck_hash_text(hash, finding->ends[i].does);
    return hash;
}

static bool is_before(const struct ck_finding *finding, const struct ck_entry *entry)
{
    for (size_t i = 0; i < 2; i++)
        if (order_of(finding, i) != entry->order[i]) return order_of(finding, i) < entry->order[i];
    return hash_tie(finding) < entry->tie;
}

static bool stands_before(const struct ck_entry *a, const struct ck_entry *b)
{
    for (size_t i = 0; i < 2; i++)
        if (a->order[i] != b->order[i]) return a->order[i] < b->order[i];
    return a->identity < b->identity;
}

static struct ck_entry *find_by_identity(const struct ck_report *report, uint64_t identity)
{
    for (size_t i = 0; i < report->count; i++)
        if (report->entries[i]->identity == identity) return report->entries[i];
    return NULL;
}

/* Puts an entry where it belongs; there is room. */
static void insert_entry(struct ck_report *report, struct ck_entry *entry)
{
    size_t at = report->count++;
    for (; at && stands_before(entry, report->entries[at - 1]); at--)
        report->entries[at] = report->entries[at - 1];
    report->entries[at] = entry;
}

static void remove_entry(struct ck_report *report, const struct ck_entry *entry)
{
    size_t at = 0;
    while (report->entries[at] != entry) at++;
    report->count--;
    memmove(report->entries + at, report->entries + at + 1,
            (report->count - at) * sizeof *report->entries);
}

static bool grow_entries(struct ck_report *report)
{
    if (report->count < report->room) return true;
    if (report->room == CK_ENTRIES_MAX) return false;
    size_t room = report->room ? report->room * 2 : 16;
    if (room > CK_ENTRIES_MAX) room = CK_ENTRIES_MAX;
    struct ck_entry **entries = rl_alloc(room * sizeof *entries);
    if (!entries) return false;
    if (report->count) memcpy(entries, report->entries, report->count * sizeof *entries);
    rl_free(report->entries);
    report->entries = entries;
    report->room = room;
    return true;
}

/* ---- Findings in words ------------------------------------------------------------------ */

/* Returns NULL if memory is short. */
static struct ck_entry *create_entry(const struct ck_finding *finding,
                                     const struct ck_description *description)
{
    struct ck_entry *entry = rl_zalloc(sizeof *entry);
    if (!entry) return NULL;
    entry->kind = finding->kind;
    entry->identity = description->identity;
    entry->tie = hash_tie(finding);
    for (size_t i = 0; i < 2; i++) entry->order[i] = order_of(finding, i);
    memcpy(entry->id, description->id, sizeof entry->id);
    ck_put_block(&entry->block, &description->finding);
    ck_put_json(&entry->json, &description->finding);
    if (!entry->block.cut && !entry->json.cut) return entry;
    free_entry(entry);
    return NULL;
}

/* Takes the words of an earlier pair of operations for an entry, and frees what had them. */
static void replace_words(struct ck_report *report, struct ck_entry *entry, struct ck_entry *by)
{
    remove_entry(report, entry);
    const struct ck_entry old = *entry;
    *entry = *by;
    entry->count = old.count;
    entry->cost_ns = old.cost_ns;
    entry->suppressed = old.suppressed;
    entry->told = old.told;
    by->block = old.block;
    by->json = old.json;
    free_entry(by);
    insert_entry(report, entry);
}

static void count_finding(struct ck_report *report, struct ck_entry *entry,
                          const struct ck_finding *finding)
{
    uint64_t count = finding->count ? finding->count : 1;
    entry->count += count;
    entry->cost_ns += finding->cost_ns;
    if (entry->kind != RILL_FINDING_HINT && !entry->suppressed) report->met += count;
}

/* Adds the finding to its entry, or makes `fresh` that.  Returns true if it was not known.
 * Requires the session's lock. */
static bool keep_finding(struct ck_report *report, const struct ck_finding *finding, uint64_t hash,
                         struct ck_entry *fresh, const rill_finding *said)
{
    struct ck_entry *known = find_by_identity(report, fresh->identity);
    if (known) {
        if (is_before(finding, known))
            replace_words(report, known, fresh);
        else
            free_entry(fresh);
        add_key(report, hash, known);
        count_finding(report, known, finding);
        return false;
    }
    if (!grow_entries(report)) {
        report->left_out++;
        free_entry(fresh);
        return false;
    }
    struct ck_suppression *rule = ck_suppressions_find(report->session->suppressions, said);
    if (rule) rule->used = true;
    fresh->suppressed = rule != NULL;
    fresh->told = report->tell != NULL;
    insert_entry(report, fresh);
    add_key(report, hash, fresh);
    count_finding(report, fresh, finding);
    return !rule;
}

/* ---- Adding ------------------------------------------------------------------------------ */

/* Counts a finding whose entry has the words that it is to have, or for which there is no room.
 * Requires the lock. */
static bool count_known(struct ck_report *report, const struct ck_finding *finding, uint64_t hash)
{
    struct ck_entry *entry = find_by_key(report, hash);
    if (!entry && report->count == CK_ENTRIES_MAX) {
        report->left_out++;
        return true;
    }
    if (!entry || is_before(finding, entry)) return false;
    count_finding(report, entry, finding);
    return true;
}

static void tell_program(struct ck_report *report, const rill_finding *said)
{
    struct ck_session *session = report->session;
    rl_lock(&session->telling);
    rl_lock(&session->lock);
    rill_finding_fn tell = session->over ? NULL : report->tell;
    void *data = report->tell_data;
    rl_unlock(&session->lock);
    if (tell) tell(data, said);
    rl_unlock(&session->telling);
}

static void leave_out(struct ck_report *report)
{
    rl_lock(&report->session->lock);
    report->left_out++;
    rl_unlock(&report->session->lock);
}

static void add_in_words(struct ck_report *report, const struct ck_finding *finding, uint64_t hash)
{
    struct ck_session *session = report->session;
    struct ck_description description;
    if (!ck_describe(&description, finding, &session->finder)) {
        leave_out(report);
        return;
    }
    struct ck_entry *fresh = create_entry(finding, &description);
    if (fresh) {
        rl_lock(&session->lock);
        bool is_new = !session->over &&
                      keep_finding(report, finding, hash, fresh, &description.finding);
        if (session->over) free_entry(fresh);
        rl_unlock(&session->lock);
        if (is_new) tell_program(report, &description.finding);
    } else {
        leave_out(report);
    }
    ck_description_fini(&description);
}

void ck_report_add(struct ck_report *report, const struct ck_finding *finding)
{
    uint64_t hash = hash_finding(finding);
    rl_lock(&report->session->lock);
    bool done = report->session->over || count_known(report, finding, hash);
    rl_unlock(&report->session->lock);
    if (!done) add_in_words(report, finding, hash);
}

/* ---- The rest ---------------------------------------------------------------------------- */

void ck_report_tell(struct ck_report *report, rill_finding_fn tell, void *data)
{
    rl_lock(&report->session->lock);
    report->tell = tell;
    report->tell_data = data;
    rl_unlock(&report->session->lock);
}

uint64_t ck_report_count(struct ck_report *report)
{
    rl_lock(&report->session->lock);
    uint64_t met = report->met;
    rl_unlock(&report->session->lock);
    return met;
}

void ck_report_seen(struct ck_report *report)
{
    atomic_fetch_add(&report->session->unjudged, 1);
}

void ck_report_judged(struct ck_report *report, size_t count)
{
    atomic_fetch_sub(&report->session->unjudged, count);
}

void ck_report_failed(struct ck_report *report)
{
    atomic_fetch_add(&report->session->failed, 1);
}

void ck_report_unseen(struct ck_report *report, const char *why)
{
    atomic_store(&report->session->unseen, why);
}

void ck_report_efault(struct ck_report *report)
{
    atomic_store(&report->session->efault, true);
}

void ck_report_pinned(struct ck_report *report)
{
    atomic_store(&report->session->pinned, true);
}

void ck_report_stopped(struct ck_report *report, const char *why)
{
    rl_lock(&report->session->lock);
    report->stopped = why;
    rl_unlock(&report->session->lock);
}
