/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks that all streams that a capture forked were joined again: the last node of each must be
 * among the origin's dependencies, or have a successor.
 */
#include <stdio.h>

#include "backend-sim/capture/capture.h"

/* A node with a successor was joined, even if the program added the edge. */
static bool is_joined(const struct capture *capture, const struct participant *participant)
{
    uint32_t work = participant->work;
    return work == NODE_NONE || sim_node(capture->graph, work)->successors.count ||
           sim_links_find(&capture->first->dependencies, work) != NODE_NONE;
}

struct stream_list {
    char words[RILL_ERROR_MESSAGE_MAX / 2];
    size_t length;
    unsigned streams;
};

static void append_words(struct stream_list *text, const char *words)
{
    if (text->length >= sizeof text->words) return;
    int more = snprintf(text->words + text->length, sizeof text->words - text->length, "%s", words);
    text->length += (size_t)more;
}

/* Appends "stream 'decode' (forked behind kernel node 3)". */
static void name_stream(struct stream_list *text, const struct capture *capture,
                        const struct participant *participant)
{
    char name[RILL_LABEL_MAX], node[RILL_LABEL_MAX], words[3 * RILL_LABEL_MAX];
    if (participant->stream) sim_describe_object("stream", participant->stream->handle, name);
    else snprintf(name, sizeof name, "%.40s, destroyed since", participant->name);
    if (participant->forked_at != NODE_NONE) {
        sim_node_describe(capture->graph, participant->forked_at, node);
        snprintf(words, sizeof words, "%s (forked behind %s)", name, node);
    } else {
        snprintf(words, sizeof words, "%s (forked before any node)", name);
    }
    if (text->streams++) append_words(text, ", ");
    append_words(text, words);
}

rill_status sim_capture_check_joined(const struct capture *capture)
{
    struct stream_list text = { .length = 0 };
    for (const struct participant *other = capture->first->next; other; other = other->next)
        if (!is_joined(capture, other)) name_stream(&text, capture, other);
    if (!text.streams) return RILL_SUCCESS;
    char origin[RILL_LABEL_MAX];
    sim_describe_object("stream", capture->first->stream->handle, origin);
    return rill_backend_fail(RILL_ERROR_STREAM_CAPTURE_UNJOINED, "stream",
                             "work in %s was not joined: let %s wait for it before the capture "
                             "ends", text.words, origin);
}
