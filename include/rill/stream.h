/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/stream.h>: streams, and what runs in them.
 */
#ifndef RILL_STREAM_H
#define RILL_STREAM_H

#include <rill/error.h>
#include <rill/op.h>

RILL_BEGIN_DECLS

/* ---- Streams ------------------------------------------------------------ */

/* Neither waits for the legacy default stream nor is waited for by it. */
#define RILL_STREAM_NON_BLOCKING 0x1u

typedef struct rill_stream_options {
    size_t size;
    uint32_t flags; /* RILL_STREAM_* */
    int priority;   /* lower is more urgent; clamped to the context's range */
    const char *label;
} rill_stream_options;

/* NULL options: a blocking stream of the least priority. */
RILL_API rill_status rill_stream_create(rill_context *context, const rill_stream_options *options,
                                        rill_stream **stream);

/* Returns at once; what was submitted still runs. */
RILL_API rill_status rill_stream_destroy(rill_stream **stream);

/* Borrowed, one each a context, not to be destroyed.  The legacy default
 * stream orders itself with every blocking stream of its context.  The
 * per-thread handle stands for a blocking stream of the thread that uses it. */
RILL_API rill_stream *rill_stream_legacy(rill_context *context);
RILL_API rill_stream *rill_stream_per_thread(rill_context *context);

/* RILL_SUCCESS when all is done, RILL_ERROR_NOT_READY while work is pending. */
RILL_API rill_status rill_stream_query(rill_stream *stream);

/* Waits for what was submitted before the call. */
RILL_API rill_status rill_stream_synchronize(rill_stream *stream);

/* What the stream is: a number that no other stream has, its flags, its
 * priority, the number of its device, and its context.  Asking for the flags while
 * the stream captures breaks the capture, as it does in the driver. */
RILL_API rill_status rill_stream_id(rill_stream *stream, uint64_t *id);
RILL_API rill_status rill_stream_flags(rill_stream *stream, uint32_t *flags);
RILL_API rill_status rill_stream_priority(rill_stream *stream, int *priority);
RILL_API rill_status rill_stream_device(rill_stream *stream, int *device);
RILL_API rill_status rill_stream_context(rill_stream *stream, rill_context **context);

/* What error records call the stream; copied, and NULL for its number alone.  What was
 * asked for stays readable as long as the stream is. */
RILL_API rill_status rill_stream_set_label(rill_stream *stream, const char *label);
RILL_API const char *rill_stream_label(const rill_stream *stream);

/* Stream attributes: access window, sync policy, priority, memory synchronization
 * domain and its map.  `id` is set by the caller.  In the simulator the priority
 * changes what the stream says of itself, not when it runs, and only the sync
 * policy has an effect. */
RILL_API rill_status rill_stream_get_attribute(rill_stream *stream, rill_attribute *attribute);
RILL_API rill_status rill_stream_set_attribute(rill_stream *stream,
                                               const rill_attribute *attribute);
RILL_API rill_status rill_stream_copy_attributes(rill_stream *dst, rill_stream *src);

/* ---- Order -------------------------------------------------------------- */

/* Later work of the stream runs after what `event` stands for now. */
RILL_API rill_status rill_stream_wait_event(rill_stream *stream, rill_event *event,
                                            uint32_t flags);

/* Later work of `stream` runs after what is in `other` now. */
RILL_API rill_status rill_stream_wait_stream(rill_stream *stream, rill_stream *other);

/* ---- Forks and joins ----------------------------------------------------- */

/* Work spreads over several streams and comes together again:
 *
 *     rill_stream *side[3] = { ... };
 *     rill_stream_fork(stream, side, 3);
 *     ... work in `stream` and in each of `side` ...
 *     rill_stream_join(stream, side, 3);
 *
 * Forking orders each of `others` behind what is in `stream` now; when that is
 * capturing, they become part of its capture.  They are then out of it until
 * they are joined: later work of `stream` runs after what is in them.  A fork of
 * a fork is out of both, and may be joined to either.  A capture must have all
 * its forks back when it ends, and what is out of it is forgotten then.
 *
 * All handles are checked before anything is done.  If the backend then refuses
 * one, those in front of it are forked, or joined, and it and the rest are not. */
RILL_API rill_status rill_stream_fork(rill_stream *stream, rill_stream *const *others,
                                      size_t count);

/* Refuses a stream that is not out of `stream`: for order without a fork there
 * is rill_stream_wait_stream(). */
RILL_API rill_status rill_stream_join(rill_stream *stream, rill_stream *const *others,
                                      size_t count);

/* Joins all that are out. */
RILL_API rill_status rill_stream_join_all(rill_stream *stream);

typedef struct rill_fork {
    rill_stream *stream;       /* NULL: destroyed while it was out           */
    char name[RILL_LABEL_MAX]; /* "stream 'left'", by label or by its number */
} rill_fork;

/* The forks that are out of `stream`, those of forks included, oldest first.
 * With a NULL array *count receives how many there are; else at most *count
 * entries are written, spare ones are set to zero, and *count receives how many
 * were real. */
RILL_API rill_status rill_stream_unjoined(rill_stream *stream, rill_fork *forks, size_t *count);

/* ---- Work --------------------------------------------------------------- */

/* `params` points at each argument, all of which are copied; NULL when the kernel has
 * none.  rill_stream_submit() takes packed arguments and launch attributes, too. */
RILL_API rill_status rill_launch_kernel(rill_stream *stream, rill_kernel *kernel, rill_dim3 grid,
                                        rill_dim3 block, size_t shared_bytes,
                                        const void *const *params);

/* `destroy`, when given, runs exactly once: after fn, or when fn never runs. */
RILL_API rill_status rill_launch_host(rill_stream *stream, rill_host_fn fn, void *data,
                                      rill_destroy_fn destroy);

/* Called on the host after the work before it, with its status: also when that failed.
 * `flags`: 0. */
typedef void (*rill_stream_callback)(rill_stream *stream, rill_status status, void *data);
RILL_API rill_status rill_stream_add_callback(rill_stream *stream, rill_stream_callback callback,
                                              void *data, uint32_t flags);

/* ---- Values in memory --------------------------------------------------- */

/* Later work of the stream runs after the value was written, or after what is in memory
 * meets the condition in `flags` (RILL_WRITE_*, RILL_WAIT_* in <rill/op.h>), whoever
 * writes it there.  Several at once are one operation, in the order of the array. */
RILL_API rill_status rill_stream_write_value32(rill_stream *stream, rill_devptr address,
                                               uint32_t value, uint32_t flags);
RILL_API rill_status rill_stream_write_value64(rill_stream *stream, rill_devptr address,
                                               uint64_t value, uint32_t flags);
RILL_API rill_status rill_stream_wait_value32(rill_stream *stream, rill_devptr address,
                                              uint32_t value, uint32_t flags);
RILL_API rill_status rill_stream_wait_value64(rill_stream *stream, rill_devptr address,
                                              uint64_t value, uint32_t flags);
RILL_API rill_status rill_stream_batch_values(rill_stream *stream, const rill_value *items,
                                              size_t count, uint32_t flags);

/* ---- Managed memory ----------------------------------------------------- */

enum {
    RILL_ATTACH_GLOBAL = 1,
    RILL_ATTACH_HOST = 2,
    RILL_ATTACH_SINGLE = 4
};

/* No backend of this library allocates managed memory, so every address is
 * refused as the driver refuses memory that is not managed. */
RILL_API rill_status rill_stream_attach(rill_stream *stream, rill_devptr address, size_t bytes,
                                        uint32_t flags);

RILL_END_DECLS

#endif
