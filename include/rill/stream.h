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

/* Keeps the stream and the legacy default stream from waiting for each other. */
#define RILL_STREAM_NON_BLOCKING 0x1u

typedef struct rill_stream_options {
    size_t size;
    uint32_t flags; /* RILL_STREAM_* */
    int priority;   /* lower is more urgent; clamped to the context's range */
    const char *label;
} rill_stream_options;

/* Creates a stream.  NULL options stand for a blocking stream of the least priority. */
RILL_API rill_status rill_stream_create(rill_context *context, const rill_stream_options *options,
                                        rill_stream **stream);

/* Destroys the stream.  Returns at once; work that was submitted still runs. */
RILL_API rill_status rill_stream_destroy(rill_stream **stream);

/* Returns a default stream of the context.  Each context has one of each kind; both are
 * borrowed and must not be destroyed.  The legacy default stream is ordered with every
 * blocking stream of its context.  The per-thread handle stands for a blocking stream
 * of whichever thread uses it. */
RILL_API rill_stream *rill_stream_legacy(rill_context *context);
RILL_API rill_stream *rill_stream_per_thread(rill_context *context);

/* Returns RILL_SUCCESS if all work of the stream is done, or RILL_ERROR_NOT_READY while
 * some is pending. */
RILL_API rill_status rill_stream_query(rill_stream *stream);

/* Waits for the work that was submitted before the call. */
RILL_API rill_status rill_stream_synchronize(rill_stream *stream);

/* Returns the stream's number, which no other stream has, its flags, its priority, the
 * number of its device, or its context.  Asking for the flags while the stream captures
 * breaks the capture, as it does in the driver. */
RILL_API rill_status rill_stream_id(rill_stream *stream, uint64_t *id);
RILL_API rill_status rill_stream_flags(rill_stream *stream, uint32_t *flags);
RILL_API rill_status rill_stream_priority(rill_stream *stream, int *priority);
RILL_API rill_status rill_stream_device(rill_stream *stream, int *device);
RILL_API rill_status rill_stream_context(rill_stream *stream, rill_context **context);

/* Sets, or returns, the name that error records use for the stream.  The label is
 * copied; after NULL, records use the stream's number.  A label that was returned stays
 * readable for as long as the stream exists. */
RILL_API rill_status rill_stream_set_label(rill_stream *stream, const char *label);
RILL_API const char *rill_stream_label(const rill_stream *stream);

/* Returns, sets or copies attributes of a stream: access window, sync policy, priority,
 * memory synchronization domain and its map.  The caller sets `id`.  In the simulator
 * only the sync policy has an effect; the priority changes what the stream reports, not
 * when the stream runs. */
RILL_API rill_status rill_stream_get_attribute(rill_stream *stream, rill_attribute *attribute);
RILL_API rill_status rill_stream_set_attribute(rill_stream *stream,
                                               const rill_attribute *attribute);
RILL_API rill_status rill_stream_copy_attributes(rill_stream *dst, rill_stream *src);

/* ---- Order -------------------------------------------------------------- */

/* Makes later work of the stream run after what `event` stands for now. */
RILL_API rill_status rill_stream_wait_event(rill_stream *stream, rill_event *event,
                                            uint32_t flags);

/* Makes later work of `stream` run after what is in `other` now. */
RILL_API rill_status rill_stream_wait_stream(rill_stream *stream, rill_stream *other);

/* ---- Forks and joins ----------------------------------------------------- */

/* Spreads work over several streams, to be brought together again:
 *
 *     rill_stream *side[3] = { ... };
 *     rill_stream_fork(stream, side, 3);
 *     ... work in `stream` and in each of `side` ...
 *     rill_stream_join(stream, side, 3);
 *
 * A fork orders each of `others` after what is in `stream` now; if `stream` is
 * capturing, `others` become part of its capture.  They are then out of `stream` until
 * they are joined: from the join on, later work of `stream` runs after what is in
 * `others`.  A fork of a fork is out of both streams, and may be joined to either.  A
 * capture needs all its forks back when it ends; forks that are still out then are
 * forgotten.
 *
 * All handles are checked before anything is done.  If the backend then refuses one,
 * the streams before it in the array are forked, or joined, and it and the rest are
 * not. */
RILL_API rill_status rill_stream_fork(rill_stream *stream, rill_stream *const *others,
                                      size_t count);

/* Joins streams that were forked.  Refuses a stream that is not out of `stream`; use
 * rill_stream_wait_stream() for order without a fork. */
RILL_API rill_status rill_stream_join(rill_stream *stream, rill_stream *const *others,
                                      size_t count);

/* Joins all streams that are out of `stream`. */
RILL_API rill_status rill_stream_join_all(rill_stream *stream);

typedef struct rill_fork {
    rill_stream *stream;       /* NULL if destroyed while it was out         */
    char name[RILL_LABEL_MAX]; /* "stream 'left'", by label or else number   */
} rill_fork;

/* Lists the forks that are out of `stream`, including forks of forks, oldest first.  If
 * the array is NULL, *count receives the number of forks.  Otherwise at most *count
 * entries are written, spare entries are set to zero, and *count receives the number of
 * real ones. */
RILL_API rill_status rill_stream_unjoined(rill_stream *stream, rill_fork *forks, size_t *count);

/* ---- Work --------------------------------------------------------------- */

/* Launches a kernel.  `params` points at each argument; all arguments are copied.
 * `params` is NULL if the kernel has no parameters.  rill_stream_submit() also takes
 * packed arguments and launch attributes. */
RILL_API rill_status rill_launch_kernel(rill_stream *stream, rill_kernel *kernel, rill_dim3 grid,
                                        rill_dim3 block, size_t shared_bytes,
                                        const void *const *params);

/* Calls fn(data) on the host, in the stream's order.  `destroy`, if given, runs exactly
 * once: after `fn`, or when `fn` never runs. */
RILL_API rill_status rill_launch_host(rill_stream *stream, rill_host_fn fn, void *data,
                                      rill_destroy_fn destroy);

/* Has `callback` called on the host after the work before it, with the status of that
 * work, even if that work failed.  `flags` is 0. */
typedef void (*rill_stream_callback)(rill_stream *stream, rill_status status, void *data);
RILL_API rill_status rill_stream_add_callback(rill_stream *stream, rill_stream_callback callback,
                                              void *data, uint32_t flags);

/* ---- Values in memory --------------------------------------------------- */

/* Writes a value to memory, or waits until memory meets the condition in `flags`
 * (RILL_WRITE_* and RILL_WAIT_* in <rill/op.h>), no matter who writes there.  Later
 * work of the stream runs after that.  Several values at once are one operation,
 * carried out in the order of the array. */
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

/* Says, in the stream's order, who uses managed memory from then on: every stream
 * (RILL_ATTACH_GLOBAL), the host alone (RILL_ATTACH_HOST), or the host and this stream
 * (RILL_ATTACH_SINGLE, which default streams refuse that stand for all).  `address` is the
 * one that was allocated, `bytes` its size or 0.  That is a promise of the program's: where
 * the host and devices may use the memory at the same time, nothing enforces it.  The layer
 * `check` tells who breaks it on devices that have no concurrent access. */
RILL_API rill_status rill_stream_attach(rill_stream *stream, rill_devptr address, size_t bytes,
                                        uint32_t flags);

RILL_END_DECLS

#endif
