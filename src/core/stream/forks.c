/* SPDX-License-Identifier: Apache-2.0 */
#include "core/stream/forks.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "core/object/error.h"
#include "core/op/submit.h"

struct rl_fork {
    struct rl_fork *next;
    rill_stream *from, *other; /* other is NULL once destroyed     */
    uint64_t from_id, other_id;
    uint64_t capture;          /* in which it was made, or 0       */
    int seen;                  /* set by mark_forks()              */
    char name[RILL_LABEL_MAX]; /* of a stream that is destroyed    */
};

rill_status rl_capture_id(rill_stream *stream, uint64_t *id)
{
    const struct rill_capture_ops *captures = rl_backend(stream)->capture;
    rill_capture_info info = { .size = sizeof info };
    *id = 0;
    rill_status status = captures ? captures->info(stream, &info) : RILL_SUCCESS;
    if (status) return status;
    if (info.state == RILL_CAPTURE_INVALIDATED) *id = RL_BROKEN_CAPTURE;
    if (info.state == RILL_CAPTURE_ACTIVE) *id = info.id;
    return RILL_SUCCESS;
}

rill_status rl_place(rill_stream *stream, struct rl_place *place)
{
    *place = (struct rl_place){ .stream = stream };
    rill_status status = rl_capture_id(stream, &place->capture);
    return status ? status : rl_stream_ops(stream)->id(stream, &place->id);
}

/* ---- The list ----------------------------------------------------------- */

static struct rl_platform_part *part_of(const void *object)
{
    return rl_platform_part(rill_object_of(object)->platform);
}

static void unlink_fork(struct rl_platform_part *part, struct rl_fork **at)
{
    struct rl_fork *gone = *at;
    *at = gone->next;
    rl_free(gone);
    atomic_fetch_sub_explicit(&part->fork_count, 1, memory_order_relaxed);
}

static int is_from(const struct rl_fork *fork, const struct rl_place *from)
{
    return fork->from == from->stream && fork->from_id == from->id &&
           fork->capture == from->capture;
}

static int is_other(const struct rl_fork *fork, const rill_stream *other, uint64_t id)
{
    return fork->other == other && fork->other_id == id;
}

static struct rl_fork *find_fork(const struct rl_platform_part *part, const struct rl_place *from,
                                 const rill_stream *other, uint64_t other_id)
{
    struct rl_fork *fork = part->forks;
    while (fork && !(is_from(fork, from) && is_other(fork, other, other_id))) fork = fork->next;
    return fork;
}

struct rl_fork *rl_fork_new(void)
{
    struct rl_fork *fork = rl_zalloc(sizeof *fork);
    if (!fork)
        rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "there is no memory to list a fork");
    return fork;
}

void rl_fork_drop(struct rl_fork *fork)
{
    rl_free(fork);
}

/* Tells whether a fork is of a capture that has ended without a call to say so: a stream is in
 * one capture at a time. */
static int is_outdated(const struct rl_fork *fork, const struct rl_place *from)
{
    return fork->capture && fork->capture != from->capture && fork->from == from->stream &&
           fork->from_id == from->id;
}

void rl_fork_list(struct rl_fork *fork, const struct rl_place *from, rill_stream *other,
                  uint64_t other_id)
{
    struct rl_platform_part *part = part_of(other);
    *fork = (struct rl_fork){ .from = from->stream,
                              .other = other,
                              .from_id = from->id,
                              .other_id = other_id,
                              .capture = from->capture };
    rl_lock(&part->forks_lock);
    int known = find_fork(part, from, other, other_id) != NULL;
    struct rl_fork **at = &part->forks;
    while (*at)
        if (is_outdated(*at, from))
            unlink_fork(part, at);
        else
            at = &(*at)->next;
    if (!known) {
        *at = fork;
        atomic_fetch_add_explicit(&part->fork_count, 1, memory_order_relaxed);
    }
    rl_unlock(&part->forks_lock);
    if (known) rl_free(fork);
}

/* ---- Forks of forks ----------------------------------------------------- */

/* Tells whether a fork was forked off one that is marked.  Requires part->forks_lock. */
static int is_beyond(const struct rl_fork *fork, const struct rl_platform_part *part)
{
    const struct rl_fork *near = part->forks;
    while (near && !(near->seen && near->capture == fork->capture &&
                     is_other(near, fork->from, fork->from_id)))
        near = near->next;
    return near != NULL;
}

/* Marks the forks that are out of `from`, directly or not.  Returns their number.  Requires
 * part->forks_lock. */
static size_t mark_forks(struct rl_platform_part *part, const struct rl_place *from)
{
    size_t count = 0, before;
    for (struct rl_fork *fork = part->forks; fork; fork = fork->next) {
        fork->seen = is_from(fork, from);
        count += (size_t)fork->seen;
    }
    do {
        before = count;
        for (struct rl_fork *fork = part->forks; count && fork; fork = fork->next)
            if (!fork->seen && is_beyond(fork, part)) {
                fork->seen = 1;
                count++;
            }
    } while (count != before);
    return count;
}

static int is_seen(const struct rl_platform_part *part, const rill_stream *other, uint64_t id)
{
    const struct rl_fork *fork = part->forks;
    while (fork && !(fork->seen && is_other(fork, other, id))) fork = fork->next;
    return fork != NULL;
}

int rl_is_out(const struct rl_place *from, rill_stream *other, uint64_t other_id)
{
    struct rl_platform_part *part = part_of(other);
    rl_lock(&part->forks_lock);
    mark_forks(part, from);
    int out = is_seen(part, other, other_id);
    rl_unlock(&part->forks_lock);
    return out;
}

/* Tells whether a join of `other` removes the fork.  Within a capture a stream is out only
 * once, even if several streams forked it off. */
static int comes_back(const struct rl_fork *fork, const struct rl_place *from,
                      const rill_stream *other, uint64_t other_id)
{
    if (!is_other(fork, other, other_id) || fork->capture != from->capture) return 0;
    return from->capture || fork->seen;
}

void rl_fork_joined(const struct rl_place *from, rill_stream *other, uint64_t other_id)
{
    struct rl_platform_part *part = part_of(other);
    const struct rl_place joined = { other, other_id, from->capture };
    rl_lock(&part->forks_lock);
    mark_forks(part, from);
    for (struct rl_fork **at = &part->forks; *at;) {
        struct rl_fork *fork = *at;
        if (is_from(fork, &joined)) {
            fork->from = from->stream;
            fork->from_id = from->id;
        }
        int itself = is_other(fork, from->stream, from->id) && is_from(fork, from);
        if (itself || comes_back(fork, from, other, other_id))
            unlink_fork(part, at);
        else
            at = &fork->next;
    }
    rl_unlock(&part->forks_lock);
}

/* ---- Telling ------------------------------------------------------------ */

static void name_fork(const struct rl_fork *fork, char text[RILL_LABEL_MAX])
{
    if (fork->other)
        rl_describe(fork->other, text);
    else
        memcpy(text, fork->name, RILL_LABEL_MAX);
}

static void tell_fork(const struct rl_fork *fork, rill_fork *told)
{
    told->stream = fork->other;
    name_fork(fork, told->name);
}

/* Tells whether an earlier marked entry has the same stream, which several streams may have
 * forked off.  Requires part->forks_lock. */
static int repeats_stream(const struct rl_platform_part *part, const struct rl_fork *fork)
{
    const struct rl_fork *near = part->forks;
    while (near != fork && !(near->seen && is_other(near, fork->other, fork->other_id)))
        near = near->next;
    return near != fork;
}

int rl_first_fork(const struct rl_place *from, rill_fork *fork, uint64_t *id)
{
    struct rl_platform_part *part = part_of(from->stream);
    rl_lock(&part->forks_lock);
    const struct rl_fork *first = mark_forks(part, from) ? part->forks : NULL;
    while (first && !first->seen) first = first->next;
    if (first) tell_fork(first, fork);
    if (first) *id = first->other_id;
    rl_unlock(&part->forks_lock);
    return first != NULL;
}

void rl_list_forks(const struct rl_place *from, rill_fork *forks, size_t *count)
{
    struct rl_platform_part *part = part_of(from->stream);
    size_t room = forks ? *count : 0, listed = 0, all = 0;
    rl_lock(&part->forks_lock);
    mark_forks(part, from);
    for (const struct rl_fork *fork = part->forks; fork; fork = fork->next) {
        if (!fork->seen || repeats_stream(part, fork)) continue;
        if (listed < room) tell_fork(fork, &forks[listed++]);
        all++;
    }
    rl_unlock(&part->forks_lock);
    if (room > listed) memset(&forks[listed], 0, (room - listed) * sizeof *forks);
    *count = forks ? listed : all;
}

/* Tells whether a later entry has the same stream in the same capture.  Requires
 * part->forks_lock. */
static int comes_again(const struct rl_fork *fork)
{
    const struct rl_fork *rest = fork->next;
    while (rest && !(rest->capture == fork->capture && is_other(rest, fork->other, fork->other_id)))
        rest = rest->next;
    return rest != NULL;
}

/* Appends the name of a fork to `names` if there is room. */
static void add_name(const struct rl_fork *fork, char *names, size_t bytes)
{
    char one[RILL_LABEL_MAX];
    size_t used = strlen(names);
    name_fork(fork, one);
    int more = snprintf(names + used, bytes - used, "%s%s", used ? ", " : "", one);
    if (more < 0 || used + (size_t)more >= bytes) names[used] = '\0';
}

void rl_forks_end_capture(const rill_stream *stream, uint64_t id, rill_status status)
{
    struct rl_platform_part *part = part_of(stream);
    char names[RILL_ERROR_MESSAGE_MAX / 2] = "";
    rl_lock(&part->forks_lock);
    for (struct rl_fork **at = &part->forks; *at;) {
        if ((*at)->capture != id) {
            at = &(*at)->next;
            continue;
        }
        if (!comes_again(*at)) add_name(*at, names, sizeof names);
        unlink_fork(part, at);
    }
    rl_unlock(&part->forks_lock);
    if (names[0] && status == RILL_ERROR_STREAM_CAPTURE_UNJOINED && !rl_noted_status(RILL_SUCCESS))
        rill_backend_fail(status, "stream", "stream was forked and is not joined by: %s; join them "
                          "before the capture ends", names);
}

/* ---- The end ------------------------------------------------------------ */

/* Tells whether a stream ends with the object: the stream itself or its context. */
static int stream_goes(const rill_stream *stream, const void *object)
{
    return stream && (stream == object || rill_object_of(stream)->context == object);
}

/* Gives a fork whose origin ends to the stream that forked off that origin.  Returns 0 if
 * there is none.  Requires part->forks_lock. */
static int inherit_fork(const struct rl_platform_part *part, struct rl_fork *fork,
                        const void *object)
{
    for (const struct rl_fork *up = part->forks; up; up = up->next) {
        if (!is_other(up, fork->from, fork->from_id) || up->capture != fork->capture) continue;
        if (up->from == fork->other || stream_goes(up->from, object)) continue;
        fork->from = up->from;
        fork->from_id = up->from_id;
        return 1;
    }
    return 0;
}

/* Replaces the stream of a fork, which ends, by its name.  Returns 0 if the entry is not
 * needed, since it is of no capture.  Requires part->forks_lock. */
static int keep_name(struct rl_fork *fork)
{
    rl_describe(fork->other, fork->name);
    fork->other = NULL;
    return fork->capture != 0;
}

/* Treats origins first, since inherit_fork() needs the entries of the streams that end. */
void rl_forks_forget(const void *object)
{
    if (!rl_any_forks(object)) return;
    struct rl_platform_part *part = part_of(object);
    rl_lock(&part->forks_lock);
    for (struct rl_fork **at = &part->forks; *at;)
        if (stream_goes((*at)->from, object) && !inherit_fork(part, *at, object))
            unlink_fork(part, at);
        else
            at = &(*at)->next;
    for (struct rl_fork **at = &part->forks; *at;)
        if (stream_goes((*at)->other, object) && !keep_name(*at))
            unlink_fork(part, at);
        else
            at = &(*at)->next;
    rl_unlock(&part->forks_lock);
}
