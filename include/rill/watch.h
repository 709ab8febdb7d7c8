/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/watch.h>: what a backend tells a layer of all that runs.
 *
 * A part of the contract of <rill/backend.h>, which includes this header: the table
 * `watch`, which a backend may have.
 */
#ifndef RILL_WATCH_H
#define RILL_WATCH_H

#include <rill/op.h>
#include <rill/touch.h>

RILL_BEGIN_DECLS

/* ---- Bytes that were touched ---------------------------------------------- */

typedef struct rill_touched {
    rill_devptr address;
    uint64_t bytes;
    uint32_t how; /* RILL_TOUCH_* */
} rill_touched;

/* Bytes of a page of 4 KiB: its byte n, if bit n % 64 of map[n / 64] is set. */
typedef struct rill_touched_page {
    rill_devptr address; /* a multiple of 4096 */
    uint32_t how;        /* RILL_TOUCH_*       */
    const uint64_t *map; /* 64 words           */
} rill_touched_page;

/* All bytes that were touched, each of them in a row or in a page; valid during the call that has
 * it as its argument. */
typedef struct rill_touches {
    const rill_touched *rows; /* by address, apart from each other                           */
    size_t row_count;
    const rill_touched_page *pages; /* by address; several are of one page if its bytes were */
    size_t page_count;              /* touched in several ways                               */
    const rill_touched *signals; /* some words at which threads tell others what is done, or are
                                told so: by accesses that are volatile, or relaxed and stronger and
                                wider than a block, and by atomic operations of the whole system, or
                                that change nothing */
    size_t signal_count;
} rill_touches;

/* ---- Who is told ---------------------------------------------------------- */

/* An operation that runs, or a node of the graph that an operation launches. */
typedef struct rill_running {
    uint64_t queue, point; /* the operation, as `submitted` said it                  */
    uint64_t node;         /* 0: the operation; else the node's number in its exec   */
    rill_op_kind kind;
    const uint32_t *rounds; /* of the bodies that the node is in, from the outermost
                               on: how often each has begun in this launch, from 1   */
    uint32_t depth;         /* of these bodies                                       */
    uint32_t dropped;       /* the operation does not run: its device has failed (a
                               callback is called with that status all the same)     */
} rill_running;

/* Something that is wrong within a kernel: between its threads, or with memory that is theirs. */
typedef struct rill_kernel_finding {
    const char *sentence; /* without what changes from run to run; valid during the call      */
    const char *cause;    /* tells it from what else is wrong in the kernel: "race 12 14"     */
    const char *advice;   /* what would mend it                                               */
    rill_devptr address;  /* of global memory; 0: it is not about that                        */
    uint64_t bytes;
    uint64_t count;       /* how often it was met in this launch                              */
    uint32_t partial;     /* nothing is wrong, but not all was looked at, as the sentence says */
} rill_kernel_finding;

/* What a layer is told by a backend that knows it.  The functions are called by many
 * threads at once, and must not call the library.  Told of are kernels, host functions
 * and callbacks, launches, and of their nodes kernels, host functions, and all that runs
 * in bodies of conditionals.
 *
 * Each operation of which `submitted` was called begins once and ends once, also if it is
 * dropped, before its point is reached; those that are pending when a platform is
 * abandoned do so when their contexts are destroyed.  A launch begins before its nodes
 * and ends after them.  Nodes that are disabled, or that a failed device does not run any
 * more, neither begin nor end. */
struct rill_watcher {
    void *data;
    /* Called by the thread that submits, inside the slot and before the operation can
     * run; once for each part of an operation that the backend submits in parts. */
    void (*submitted)(void *data, uint64_t queue, uint64_t point, rill_op_kind kind);
    /* Called by the thread that runs it, right before and after. */
    void (*begins)(void *data, const rill_running *running);
    /* Called by another thread that runs blocks of a C kernel, before the first and after
     * the last of them; between begin and end. */
    void (*joins)(void *data, const rill_running *running);  /* [opt] */
    void (*leaves)(void *data, const rill_running *running); /* [opt] */
    /* `touches` is all that a kernel touched, or NULL if the backend does not know it. */
    void (*ends)(void *data, const rill_running *running, const rill_touches *touches);
    /* Called when the program is proved to wait for ever, with the addresses of the values
     * that streams wait for, before their devices fail.  [opt]: who does not ask for it has
     * the proof left out, unless a schedule is given. */
    void (*hangs)(void *data, const rill_devptr *addresses, size_t count);
    /* Called before that, for each host function or callback that runs and so will never return.
     * [opt] */
    void (*stuck)(void *data, uint64_t queue, uint64_t point);
    /* Called before what is pending is discarded since the process ends; may wait for it. */
    void (*abandons)(void *data);
    /* Called for each finding within a kernel, before its `ends`.  [opt]: kernels are looked into
     * only for who asks for it. */
    void (*found)(void *data, const rill_running *running, const rill_kernel_finding *finding);
    /* Called for a kernel that fails, and its device with it, before its `ends`.  [opt] */
    void (*failed)(void *data, const rill_running *running);
};

/* ---- When it ran ---------------------------------------------------------- */

/* An operation that is over, or a node of the graph that an operation launched.  Numbers and
 * names are those of rill_sim_sighting. */
typedef struct rill_span {
    uint64_t queue, point; /* the operation                                      */
    uint64_t node;         /* 0: the operation; else a node of its launch        */
    rill_op_kind kind;
    int device;
    const char *name;      /* the kernel's, or the kind in words; valid during the call   */
    uint64_t begin_ns;     /* a wait begins when it is in front and cannot go on          */
    uint64_t end_ns;
    uint64_t bytes;        /* of copies and fills                                         */
    uint64_t after_queue, after_point; /* the operation that an event wait waited for; or 0 */
    uint32_t dropped;      /* it did not run: its device has failed                       */
} rill_span;

/* What a layer is told by a backend that knows when things run: of all operations, and of the
 * nodes of launches.  The functions are called by many threads at once, and must not call
 * the library. */
struct rill_timekeeper {
    void *data;
    /* Called by the thread that submits, inside the slot and before the operation can
     * run; once for each part of an operation that the backend submits in parts. */
    void (*submitted)(void *data, uint64_t queue, uint64_t point, rill_op_kind kind);
    /* Called by a thread that ran it, before its point is reached: nodes before their
     * launch, and what a wait waited for before the wait. */
    void (*ended)(void *data, const rill_span *span);
};

/* ---- The table ------------------------------------------------------------ */

struct rill_watch_ops {
    /* Installs a copy of the watcher, once, when the platform was just opened. */
    rill_status (*set)(rill_platform *platform, const struct rill_watcher *watcher);
    /* Returns the number by which a watcher knows a node: of the graph that the exec was
     * made from, or of one inside it. */
    rill_status (*node_number)(rill_exec *exec, rill_node node, uint64_t *number);
    /* Has the backend work on pinned memory that it allocates from now on through pages
     * mapped twice: the program's may then be protected.  Allocations share no pages, and
     * what protects one is lifted when it is freed.  Called when the platform was just
     * opened.  Returns RILL_ERROR_NOT_SUPPORTED, and changes nothing, where the system
     * does not map memory twice. */
    rill_status (*split_views)(rill_platform *platform); /* [opt] */
    /* Has the backend lay bytes of a pattern behind each allocation of device, pinned or
     * managed memory from now on, which nobody may write.  Called when the platform was just
     * opened. */
    rill_status (*guard)(rill_platform *platform); /* [opt] */
    /* Stores the address of the first byte of the pattern behind the allocation at `base`
     * that was written, or 0.  Also answers for one of those that were freed last. */
    rill_status (*guard_broken)(rill_platform *platform, rill_devptr base,
                                rill_devptr *broken); /* [opt] */
    /* Has the device fail, with a sticky status, when the stream gets there. */
    rill_status (*fault)(rill_stream *stream, rill_status status, const char *message); /* [opt] */
    /* Installs a copy of the timekeeper, once, when the platform was just opened.  Event
     * records and waits are operations then, even where none is needed to keep the order;
     * not under a given schedule, which stays what it is. */
    rill_status (*keep_time)(rill_platform *platform,
                             const struct rill_timekeeper *timekeeper); /* [opt] */
    /* Returns the time on the clock that spans are in. */
    uint64_t (*now)(rill_platform *platform); /* [opt] */
    /* Tells whether a kernel that may begin before the one in front of it has ended waits for
     * that by itself (griddepcontrol.wait). */
    int (*awaits_kernel)(const rill_kernel *kernel); /* [opt] */
    /* Has the addresses of device memory that is freed from now on not be given out again, of up
     * to so many bytes that were freed last and as long as there are others.  Called when the
     * platform was just opened. */
    rill_status (*quarantine)(rill_platform *platform, uint64_t bytes); /* [opt] */
};

RILL_END_DECLS

#endif
