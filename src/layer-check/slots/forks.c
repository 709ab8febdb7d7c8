/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/slots/forks.h"

#include "base/alloc.h"

struct ck_fork {
    struct ck_fork *next;
    const rill_stream *stream;
    uint64_t capture;          /* its id                            */
    uint64_t captured, joined; /* calls                             */
    struct ck_what newest;     /* of what was captured in it        */
};

static struct ck_fork *find_fork(const struct ck_forks *forks, const rill_stream *stream)
{
    struct ck_fork *fork = forks->first;
    while (fork && fork->stream != stream) fork = fork->next;
    return fork;
}

static struct ck_fork *add_fork(struct ck_forks *forks, const rill_stream *stream)
{
    struct ck_fork *fork = rl_zalloc(sizeof *fork);
    if (!fork) return NULL;
    fork->stream = stream;
    fork->next = forks->first;
    return forks->first = fork;
}

bool ck_forks_add(struct ck_forks *forks, const rill_stream *stream, uint64_t capture,
                  const struct ck_what *what)
{
    struct ck_fork *fork = find_fork(forks, stream);
    if (!fork) fork = add_fork(forks, stream);
    if (!fork) return false;
    if (fork->capture != capture) fork->captured = fork->joined = 0;
    fork->capture = capture;
    fork->captured++;
    fork->newest = *what;
    return true;
}

void ck_forks_record(struct ck_forks *forks, const rill_stream *stream,
                     struct ck_event_state *event, const void *site)
{
    const struct ck_fork *fork = find_fork(forks, stream);
    event->captured = stream;
    event->captured_at = fork ? fork->captured : 0;
    event->captured_site = site;
}

void ck_forks_wait(struct ck_forks *forks, const struct ck_event_state *event)
{
    struct ck_fork *fork = find_fork(forks, event->captured);
    if (fork && fork->joined < event->captured_at) fork->joined = event->captured_at;
}

uint64_t ck_forks_capture(const struct ck_forks *forks, const rill_stream *stream)
{
    const struct ck_fork *fork = find_fork(forks, stream);
    return fork ? fork->capture : 0;
}

const struct ck_what *ck_forks_unjoined(const struct ck_forks *forks, const rill_stream *origin,
                                        uint64_t capture)
{
    for (const struct ck_fork *fork = forks->first; fork; fork = fork->next)
        if (fork->stream != origin && fork->capture == capture && fork->joined < fork->captured)
            return &fork->newest;
    return NULL;
}

static void remove_at(struct ck_fork **link)
{
    struct ck_fork *fork = *link;
    *link = fork->next;
    rl_free(fork);
}

void ck_forks_end(struct ck_forks *forks, uint64_t capture)
{
    for (struct ck_fork **link = &forks->first; *link;) {
        if ((*link)->capture == capture) remove_at(link);
        else link = &(*link)->next;
    }
}

void ck_forks_forget(struct ck_forks *forks, const rill_stream *stream)
{
    for (struct ck_fork **link = &forks->first; *link;) {
        if (!stream || (*link)->stream == stream) remove_at(link);
        else link = &(*link)->next;
    }
}
