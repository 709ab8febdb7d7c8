/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether all that a capture forked was joined again: the last nodes of every
 * other stream must come before the last nodes of the origin.
 */
#include <stdio.h>

#include "backend-sim/capture.h"
#include "base/alloc.h"

/* ---- Which nodes are reached --------------------------------------------------------- */

struct walk {
    struct sim_graph *graph;
    uint32_t stamp;
    uint32_t *stack; /* slots whose own dependencies were not looked at yet */
    size_t depth;
};

static void reach(struct walk *walk, const struct links *links)
{
    for (uint32_t i = 0; i < links->count; i++) {
        struct node *node = sim_node(walk->graph, links->items[i].slot);
        if (node->mark == walk->stamp) continue;
        node->mark = walk->stamp;
        walk->stack[walk->depth++] = links->items[i].slot;
    }
}

/* Marks what the links lead back to.  False: no memory. */
static bool mark_reached(struct sim_graph *graph, const struct links *from, uint32_t *stamp)
{
    struct walk walk = { .graph = graph, .stamp = sim_graph_stamp(graph) };
    *stamp = walk.stamp;
    walk.stack = rl_alloc(graph->count * sizeof *walk.stack);
    if (!walk.stack) return false;
    reach(&walk, from);
    while (walk.depth) reach(&walk, &sim_node(graph, walk.stack[--walk.depth])->before);
    rl_free(walk.stack);
    return true;
}

/* ---- Which streams are not ------------------------------------------------------------- */

static bool is_joined(const struct sim_graph *graph, const struct participant *part,
                      uint32_t stamp)
{
    for (uint32_t i = 0; i < part->before.count; i++)
        if (sim_node(graph, part->before.items[i].slot)->mark != stamp) return false;
    return true;
}

struct text {
    char words[RILL_ERROR_MESSAGE_MAX / 2];
    size_t length;
    unsigned streams;
};

static void append(struct text *text, const char *words)
{
    if (text->length >= sizeof text->words) return;
    int more = snprintf(text->words + text->length, sizeof text->words - text->length, "%s", words);
    text->length += (size_t)more;
}

/* "stream 'decode' (forked behind kernel node 3)" */
static void name_stream(struct text *text, const struct capture *capture,
                        const struct participant *part)
{
    char name[RILL_LABEL_MAX], node[RILL_LABEL_MAX], words[3 * RILL_LABEL_MAX];
    if (part->stream) sim_describe("stream", part->stream->handle, name);
    else snprintf(name, sizeof name, "%.40s, destroyed since", part->name);
    if (part->forked_at != NODE_NONE) {
        sim_node_describe(capture->graph, part->forked_at, node);
        snprintf(words, sizeof words, "%s (forked behind %s)", name, node);
    } else {
        snprintf(words, sizeof words, "%s (forked before any node)", name);
    }
    if (text->streams++) append(text, ", ");
    append(text, words);
}

/* The usual case needs no walk: each of these nodes is one of the origin's. */
static bool joined_at_once(const struct capture *capture)
{
    const struct links *last = &capture->first->before;
    for (const struct participant *part = capture->first->next; part; part = part->next)
        for (uint32_t i = 0; i < part->before.count; i++)
            if (sim_links_find(last, part->before.items[i].slot) == NODE_NONE) return false;
    return true;
}

rill_status sim_capture_check_joined(const struct capture *capture)
{
    uint32_t stamp;
    struct text text = { .length = 0 };
    if (joined_at_once(capture)) return RILL_SUCCESS;
    if (!mark_reached(capture->graph, &capture->first->before, &stamp))
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "no memory to end the capture");
    for (const struct participant *part = capture->first->next; part; part = part->next)
        if (!is_joined(capture->graph, part, stamp)) name_stream(&text, capture, part);
    if (!text.streams) return RILL_SUCCESS;
    char origin[RILL_LABEL_MAX];
    sim_describe("stream", capture->first->stream->handle, origin);
    return rill_backend_fail(RILL_ERROR_STREAM_CAPTURE_UNJOINED, "stream",
                             "work in %s was not joined: let %s wait for it before the capture "
                             "ends", text.words, origin);
}
