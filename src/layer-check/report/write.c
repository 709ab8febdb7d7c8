/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing what was found.  Everything was put into words when it was found, so that nothing
 * here needs memory: it works in a handler of a signal, too.
 */
#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

#include "layer-check/report/block.h"
#include "layer-check/report/file.h"
#include "layer-check/report/json.h"
#include "layer-check/report/state.h"

void ck_write_both(int file, const struct ck_text *first, const struct ck_text *second)
{
    struct iovec parts[2] = { { first->bytes, first->size }, { second->bytes, second->size } };
    size_t at = 0;
    while (file >= 0 && at < 2) {
        ssize_t done = writev(file, parts + at, (int)(2 - at));
        if (done < 0 && errno != EINTR) return;
        for (size_t left = done < 0 ? 0 : (size_t)done; at < 2; at++) {
            size_t part = left < parts[at].iov_len ? left : parts[at].iov_len;
            parts[at].iov_base = (char *)parts[at].iov_base + part;
            parts[at].iov_len -= part;
            left -= part;
            if (parts[at].iov_len) break;
        }
    }
}

static void write_entry(struct ck_session *session, const struct ck_entry *entry)
{
    char room[128];
    struct ck_text end = ck_text_in(room, sizeof room);
    if (!entry->told) {
        ck_put_block_end(&end, entry->id, entry->count, entry->cost_ns);
        ck_write_both(session->text_file, &entry->block, &end);
        session->text.kinds[entry->kind]++;
    }
    end = ck_text_in(room, sizeof room);
    ck_put_json_end(&end, entry->count, entry->cost_ns);
    ck_write_both(session->json_file, &entry->json, &end);
    session->json.kinds[entry->kind]++;
}

static void take_off(struct ck_report *report)
{
    struct ck_report **at = &report->session->reports;
    while (*at && *at != report) at = &(*at)->next;
    if (*at) *at = report->next;
}

static void add_left(struct ck_totals *totals, const struct ck_report *report)
{
    totals->left_out += report->left_out;
    for (size_t i = 0; i < report->count; i++)
        totals->suppressed += report->entries[i]->suppressed;
}

void ck_report_write(struct ck_report *report)
{
    struct ck_session *session = report->session;
    for (size_t i = 0; i < report->count; i++)
        if (!report->entries[i]->suppressed) write_entry(session, report->entries[i]);
    add_left(&session->json, report);
    if (!report->tell) {
        add_left(&session->text, report);
        session->written = true;
    }
    if (report->stopped) session->stopped = report->stopped;
    take_off(report);
}

void ck_session_write(struct ck_session *session, bool dying)
{
    if (session->over) return;
    const int file = session->text_file;
    if (!*session->settings.log) session->text_file = ck_file_read_by_users(file);
    while (session->reports) ck_report_write(session->reports);
    ck_write_summary(session, dying);
    session->text_file = file;
    session->over = true;
}
