/* SPDX-License-Identifier: Apache-2.0
 *
 * The line that sums up, and what goes with it.  No line of it names a line of a file.
 */
#include "layer-check/report/block.h"
#include "layer-check/report/json.h"
#include "layer-check/report/state.h"

static void flush_line(struct ck_session *session, int file, struct ck_text *line)
{
    const struct ck_text nothing = { .bytes = NULL };
    ck_write_both(file, line, &nothing);
    *line = ck_text_in(session->line, sizeof session->line);
}

static uint64_t count_bugs(const struct ck_totals *totals)
{
    uint64_t bugs = 0;
    for (int kind = 1; kind < CK_KINDS; kind++)
        if (kind != RILL_FINDING_HINT) bugs += totals->kinds[kind];
    return bugs;
}

/* ---- Text --------------------------------------------------------------------------------- */

/* Puts ": 2 races" or "; 1 hint". */
static void put_count(struct ck_text *line, const char *before, uint64_t count, const char *one,
                      const char *many)
{
    if (!count) return;
    ck_put(line, before);
    ck_put_number(line, count);
    ck_put(line, " ");
    ck_put(line, count == 1 ? one : many);
}

static void put_kinds(struct ck_text *line, const struct ck_totals *totals)
{
    const char *before = ": ";
    for (int kind = 1; kind < CK_KINDS; kind++) {
        if (kind == RILL_FINDING_HINT || !totals->kinds[kind]) continue;
        put_count(line, before, totals->kinds[kind], ck_kinds[kind].one, ck_kinds[kind].many);
        before = ", ";
    }
}

static void put_wanted(struct ck_text *line, const struct ck_settings *settings)
{
    const char *before = "; looked for ";
    for (int kind = 1; kind < CK_KINDS; kind++) {
        if (!ck_wants(settings, (rill_finding_kind)kind)) continue;
        ck_put(line, before);
        ck_put(line, ck_kinds[kind].setting);
        before = ", ";
    }
}

static void put_summary(struct ck_text *line, const struct ck_session *session)
{
    const struct ck_totals *totals = &session->text;
    uint64_t bugs = count_bugs(totals);
    const struct ck_kind *hint = &ck_kinds[RILL_FINDING_HINT];
    ck_put(line, CK_PREFIX " ");
    put_count(line, "", bugs, "finding", "findings");
    if (!bugs) ck_put(line, "no findings");
    put_kinds(line, totals);
    put_count(line, "; ", totals->kinds[RILL_FINDING_HINT], hint->one, hint->many);
    put_count(line, "; ", totals->suppressed, "suppressed", "suppressed");
    put_count(line, "; ", totals->left_out, "left out", "left out");
    put_count(line, "; ", atomic_load(&session->failed), "failed kernel", "failed kernels");
    if (!bugs) put_wanted(line, &session->settings);
    ck_put(line, "\n");
}

static void write_unused(struct ck_session *session, struct ck_text *line)
{
    const struct ck_suppression *rule = session->suppressions;
    for (; session->settings.list_unused && rule; rule = rule->next) {
        if (rule->used) continue;
        ck_put(line, CK_PREFIX " nothing matched line ");
        ck_put_number(line, (uint64_t)rule->line);
        ck_put(line, " of the suppressions, \"");
        ck_put(line, rule->words);
        ck_put(line, "\"\n");
        flush_line(session, session->text_file, line);
    }
}

static void put_sentence(struct ck_text *line, const char *begin, const char *sentence)
{
    if (!sentence) return;
    ck_put(line, CK_PREFIX " ");
    ck_put(line, begin);
    ck_put(line, sentence);
    ck_put(line, "\n");
}

static void put_unjudged(struct ck_text *line, uint64_t count)
{
    if (!count) return;
    put_count(line, CK_PREFIX " ", count, "touch of pinned memory was",
              "touches of pinned memory were");
    ck_put(line, " seen and not judged\n");
}

static void write_text(struct ck_session *session, bool dying)
{
    struct ck_text line = ck_text_in(session->line, sizeof session->line);
    write_unused(session, &line);
    put_sentence(&line, "checking stopped: ", session->stopped);
    if (atomic_load(&session->efault))
        put_sentence(&line, "", "a system call failed with EFAULT, perhaps since it was given "
                     "pinned memory that pending work uses; \"unprotected\" in $RILL_CHECK "
                     "leaves it open");
    if (session->passed_on)
        put_sentence(&line, "", "SIGSEGV was sent, as by a handler that passes on a fault: perhaps "
                     "that of a touch of pinned memory that pending work uses, which the program's "
                     "handler got instead of this layer's; \"unprotected\" in $RILL_CHECK leaves "
                     "it open");
    put_sentence(&line, "touches of pinned memory were not all seen: ",
                 atomic_load(&session->unseen));
    put_unjudged(&line, atomic_load(&session->unjudged));
    put_sentence(&line, "", dying ? NULL : cs_source_hint());
    put_summary(&line, session);
    flush_line(session, session->text_file, &line);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void put_member(struct ck_text *line, const char *name, uint64_t number)
{
    ck_put(line, ",\"");
    ck_put(line, name);
    ck_put(line, "\":");
    ck_put_number(line, number);
}

static void write_unused_json(struct ck_session *session, struct ck_text *line)
{
    const char *before = "";
    for (const struct ck_suppression *rule = session->suppressions; rule; rule = rule->next) {
        if (rule->used) continue;
        ck_put(line, before);
        ck_put_json_string(line, rule->words);
        flush_line(session, session->json_file, line);
        before = ",";
    }
}

static void write_json(struct ck_session *session)
{
    struct ck_text line = ck_text_in(session->line, sizeof session->line);
    const struct ck_totals *totals = &session->json;
    ck_put(&line, "{\"kind\":\"summary\"");
    put_member(&line, "findings", count_bugs(totals));
    for (int kind = 1; kind < CK_KINDS; kind++)
        put_member(&line, ck_kinds[kind].word, totals->kinds[kind]);
    put_member(&line, "suppressed", totals->suppressed);
    put_member(&line, "left_out", totals->left_out);
    put_member(&line, "unjudged", atomic_load(&session->unjudged));
    put_member(&line, "failed_kernels", atomic_load(&session->failed));
    ck_put(&line, ",\"stopped\":");
    if (session->stopped)
        ck_put_json_string(&line, session->stopped);
    else
        ck_put(&line, "null");
    ck_put(&line, ",\"unused_suppressions\":[");
    write_unused_json(session, &line);
    ck_put(&line, "]}\n");
    flush_line(session, session->json_file, &line);
}

void ck_write_summary(struct ck_session *session, bool dying)
{
    if (session->json_file >= 0) write_json(session);
    if (session->written) write_text(session, dying);
}
