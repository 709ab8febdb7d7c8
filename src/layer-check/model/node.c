/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/model/node.h"

#include <string.h>

#include "base/alloc.h"
#include "layer-check/access/rows.h"
#include "layer-check/access/segment.h"

static void release_event_state(struct ck_event_state *state)
{
    if (!state || --state->references) return;
    ck_event_fini(&state->event);
    rl_free(state);
}

/* What the event stands for may be a launch whose nodes have its state: nobody asks for it any
 * more, and it would keep all of them. */
void ck_event_state_end(struct ck_event_state *state)
{
    state->ended = true;
    ck_event_fini(&state->event);
    release_event_state(state);
}

void ck_node_release(struct ck_node *node)
{
    if (!node || --node->references) return;
    release_event_state(node->event);
    rl_free(node->values);
    rl_free(node);
}

void ck_hull_add(struct ck_hull *hull, const struct ck_node *node)
{
    for (size_t i = 0; i < node->row_count; i++) {
        const rill_touched *row = &node->rows[i];
        if (!(row->how & CK_TOUCH_BY_HOST)) continue;
        if (!hull->to || row->address < hull->from) hull->from = row->address;
        if (row->address + row->bytes > hull->to) hull->to = row->address + row->bytes;
    }
}

static bool keep_values(struct ck_node *node, const rill_values_op *values)
{
    node->values = rl_alloc(values->count * sizeof *node->values);
    if (!node->values) return false;
    if (values->count) memcpy(node->values, values->items, values->count * sizeof *node->values);
    node->value_count = values->count;
    return true;
}

struct ck_node *ck_node_create(const struct ck_survey *survey, const rill_op *op)
{
    struct ck_row_list rows;
    ck_row_list_init(&rows);
    ck_rows_of_op(&rows, survey->beneath, op);
    struct ck_node *node = rl_zalloc(sizeof *node + rows.count * sizeof node->rows[0]);
    bool fits = node && !rows.failed;
    if (node) {
        *node = (struct ck_node){ .references = 1, .what = { .kind = op->kind },
                                  .row_count = rows.count };
        memcpy(node->rows, rows.items, rows.count * sizeof *rows.items);
    }
    ck_row_list_fini(&rows);
    if (fits && op->kind == RILL_OP_KERNEL)
        node->what.name = survey->kernel_name(survey->data, op->kernel.kernel);
    if (fits && (op->kind == RILL_OP_EVENT_RECORD || op->kind == RILL_OP_EVENT_WAIT))
        node->event = survey->event(survey->data, op->event.event);
    if (fits && op->kind == RILL_OP_VALUES) fits = keep_values(node, &op->values);
    if (fits) return node;
    ck_node_release(node);
    return NULL;
}
