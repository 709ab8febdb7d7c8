/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/slots/captures.h"

#include "base/alloc.h"

bool ck_captures_add(struct ck_captures *captures, uint64_t id, const rill_stream *stream,
                     const void *site)
{
    struct ck_capture *capture = rl_zalloc(sizeof *capture);
    if (!capture) return false;
    capture->id = id;
    capture->stream = stream;
    capture->begin = (struct ck_what){ .host = true, .site = site,
                                       .name = "the begin of the capture" };
    capture->next = captures->newest;
    captures->newest = capture;
    return true;
}

struct ck_capture *ck_captures_find(const struct ck_captures *captures, uint64_t id)
{
    struct ck_capture *capture = captures->newest;
    while (capture && capture->id != id) capture = capture->next;
    return capture;
}

struct ck_capture *ck_captures_in(const struct ck_captures *captures, const rill_stream *stream)
{
    struct ck_capture *capture = captures->newest;
    while (capture && capture->stream != stream) capture = capture->next;
    return capture;
}

static void remove_at(struct ck_capture **link)
{
    struct ck_capture *capture = *link;
    *link = capture->next;
    rl_free(capture);
}

void ck_captures_end(struct ck_captures *captures, uint64_t id)
{
    struct ck_capture **link = &captures->newest;
    while (*link && (*link)->id != id) link = &(*link)->next;
    if (*link) remove_at(link);
}

void ck_captures_forget(struct ck_captures *captures, const rill_stream *stream)
{
    for (struct ck_capture **link = &captures->newest; *link;) {
        if (!stream || (*link)->stream == stream) remove_at(link);
        else link = &(*link)->next;
    }
}
