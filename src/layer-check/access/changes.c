/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/access/changes.h"

static struct ck_log_entry *add_entry(struct ck_log *log, struct ck_order *order,
                                      const char *call, const void *site)
{
    const struct ck_what what = { .host = true, .name = call, .site = site };
    struct ck_work *work = ck_host_add(order, &what);
    struct ck_log_entry *entry = work ? ck_log_add(log, work, order->host) : NULL;
    if (!entry) order->failed = true;
    ck_work_release(work);
    return entry;
}

struct ck_log_entry *ck_changes_add(struct ck_log *log, struct ck_order *order,
                                    const struct ck_block *block)
{
    struct ck_log_entry *entry = add_entry(log, order, "the allocation", block->made);
    if (!entry) return NULL;
    entry->pending = 0;
    entry->change = CK_CHANGE_ADD;
    entry->kind = block->kind;
    entry->name = block->name;
    entry->device = block->device;
    entry->mapped = block->mapped;
    entry->base = block->range.base;
    entry->bytes = block->range.bytes;
    return entry;
}

struct ck_log_entry *ck_changes_begin_free(struct ck_log *log, struct ck_order *order,
                                           const struct range *range, const void *site)
{
    struct ck_log_entry *entry = add_entry(log, order, "the host", site);
    struct ck_rows *rows = entry ? ck_log_add_rows(entry, 0, 0, 1) : NULL;
    if (!rows) {
        order->failed = true;
        return NULL;
    }
    entry->change = CK_CHANGE_REMOVE;
    entry->base = range->base;
    entry->bytes = range->bytes;
    rows->items[0] = (rill_touched){ range->base, range->bytes, CK_TOUCH_FREE };
    return entry;
}

void ck_changes_end_free(struct ck_log_entry *entry, bool freed)
{
    entry->pending = 0;
    if (freed) return;
    entry->change = CK_CHANGE_NONE;
    ck_log_drop_rows(entry);
}
