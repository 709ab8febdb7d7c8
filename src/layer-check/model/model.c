/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/model/model.h"

#include <string.h>

#include "base/alloc.h"
#include "layer-check/model/draft.h"
#include "layer-check/model/node.h"

/* ---- Making -------------------------------------------------------------------------------- */

static struct ck_model *allocate_model(struct ck_shape *shape)
{
    struct ck_model *model = rl_zalloc(sizeof *model + (shape->count + 1) * sizeof(void *));
    if (!model) return NULL;
    model->references = 1;
    model->shape = shape;
    return model;
}

static struct ck_model *finish_draft(struct ck_draft *draft)
{
    uint32_t *order = rl_alloc((draft->count + 1) * sizeof *order);
    struct ck_shape *shape = NULL;
    for (uint32_t i = 1; i <= draft->count; i++) draft->places[i].begin = 0;
    if (!draft->edges) draft->edges = rl_alloc(sizeof *draft->edges);
    if (!draft->places) draft->places = rl_zalloc(sizeof *draft->places);
    if (order)
        shape = ck_shape_create(draft->places, draft->count, draft->edges, draft->edge_count,
                                order);
    if (order) draft->places = NULL, draft->edges = NULL;
    struct ck_model *model = shape ? allocate_model(shape) : NULL;
    if (!model) ck_shape_release(shape);
    for (uint32_t i = 1; model && i <= draft->count; i++) {
        model->nodes[order[i]] = draft->nodes[i];
        draft->nodes[i] = NULL;
    }
    if (model) {
        model->bodies = draft->bodies;
        model->effects = draft->effects;
        model->touches = draft->touches;
        model->host = draft->host;
    }
    rl_free(order);
    return model;
}

struct ck_model *ck_model_create(const struct ck_survey *survey, rill_graph *graph)
{
    struct ck_draft draft = { .survey = survey };
    struct ck_model *model = ck_draft_read(&draft, graph) ? finish_draft(&draft) : NULL;
    ck_draft_fini(&draft);
    return model;
}

void ck_model_release(struct ck_model *model)
{
    if (!model || --model->references) return;
    for (uint32_t i = 1; i <= model->shape->count; i++) ck_node_release(model->nodes[i]);
    ck_shape_release(model->shape);
    rl_free(model);
}

/* ---- Changing ------------------------------------------------------------------------------ */

/* Makes *model one that no launch has. */
static bool own_model(struct ck_model **model)
{
    struct ck_model *old = *model;
    if (old->references == 1) return true;
    struct ck_model *copy = allocate_model(old->shape);
    if (!copy) return false;
    old->shape->references++;
    copy->bodies = old->bodies;
    copy->effects = old->effects;
    copy->touches = old->touches;
    copy->host = old->host;
    for (uint32_t i = 1; i <= old->shape->count; i++) {
        copy->nodes[i] = old->nodes[i];
        if (copy->nodes[i]) copy->nodes[i]->references++;
    }
    *model = copy;
    ck_model_release(old);
    return true;
}

static uint32_t find_node(const struct ck_model *model, rill_node handle)
{
    for (uint32_t i = 1; i <= model->shape->count; i++)
        if (model->nodes[i] && model->nodes[i]->handle == handle) return i;
    return 0;
}

static void replace_node(struct ck_model *model, uint32_t number, struct ck_node *node)
{
    const struct ck_node *old = model->nodes[number];
    node->handle = old->handle;
    node->what.node = old->what.node;
    node->what.within = old->what.within;
    node->disabled = old->disabled;
    ck_node_release(model->nodes[number]);
    model->nodes[number] = node;
}

bool ck_model_set_op(const struct ck_survey *survey, struct ck_model **model, rill_node handle,
                     const rill_op *op)
{
    uint32_t number = find_node(*model, handle);
    if (!number || op->kind == RILL_OP_GRAPH || op->kind == RILL_OP_CONDITIONAL) return true;
    struct ck_node *node = ck_node_create(survey, op);
    if (!node || !own_model(model)) {
        ck_node_release(node);
        return false;
    }
    node->what.site = (*model)->nodes[number]->what.site;
    node->born = survey->born;
    replace_node(*model, number, node);
    if (node->row_count) (*model)->touches = true;
    ck_hull_add(&(*model)->host, node);
    return true;
}

bool ck_model_set_enabled(struct ck_model **model, rill_node handle, bool enabled)
{
    uint32_t number = find_node(*model, handle);
    if (!number) return true;
    const struct ck_node *old = (*model)->nodes[number];
    if (old->disabled == !enabled) return true;
    size_t bytes = sizeof *old + old->row_count * sizeof old->rows[0];
    struct ck_node *node = rl_alloc(bytes);
    if (!node || !own_model(model)) {
        rl_free(node);
        return false;
    }
    memcpy(node, (*model)->nodes[number], bytes);
    node->references = 1;
    node->event = NULL; /* nodes of events and values cannot be disabled */
    node->values = NULL;
    node->value_count = 0;
    replace_node(*model, number, node);
    node->disabled = !enabled;
    return true;
}
