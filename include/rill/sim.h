/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/sim.h>: what only the simulator can do.
 */
#ifndef RILL_SIM_H
#define RILL_SIM_H

#include <rill/platform.h>
#include <rill/module.h>
#include <rill/op.h>

RILL_BEGIN_DECLS

/* ---- Options ------------------------------------------------------------ */

/* Zero fields take the value of the environment variable beside them, else the
 * default. */
typedef struct rill_sim_options {
    size_t size;
    int devices;           /* RILL_SIM_DEVICES, default 1; at most 64              */
    uint64_t memory_bytes; /* RILL_SIM_MEMORY, of each device, default 8 GiB; the
                              environment takes K, M, G, T suffixes                */
    int workers;           /* RILL_SIM_WORKERS, threads that run work, default the
                              number of processors; at most 1024                   */
    int priority_greatest; /* RILL_SIM_PRIORITY, default -5; the least is 0        */
    int host_thread;       /* RILL_SIM_HOST_THREAD, 1: host functions are called by one
                              thread, one after the other, as a driver does; default:
                              by whichever thread comes to them, several at once.
                              With it sightings tell when such a function was done,
                              and not how long it took                             */

    /* Kernels of PTX. */
    uint32_t ptx_check;    /* RILL_PTX_CHECK=races: RILL_PTX_CHECK_*, default none */
    uint64_t ptx_steps;    /* RILL_PTX_STEPS, instructions that a thread may run before
                              its launch fails, default: as many as it likes       */
    uint64_t ptx_heap_bytes; /* RILL_PTX_HEAP, what malloc() of kernels gives out on a
                              device, default 8 MiB                                */
    /* Gets what kernels print, whole lines mostly, from any thread; it must not call the
     * library.  NULL: it goes to stdout. */
    void (*print)(void *data, const char *text, size_t bytes);
    void *print_data;
} rill_sim_options;

/* Two threads of a block that touch the same shared memory, one of them to write it, with
 * no barrier in between: the launch fails with RILL_ERROR_LAUNCH_FAILED. */
#define RILL_PTX_CHECK_RACES 1u

/* ---- What cannot run -------------------------------------------------------- */

/* A module may have kernels of PTX that need what the simulator lacks: tensor cores,
 * asynchronous copies, textures, clusters.  It loads, and its other kernels run.  Launching
 * such a kernel, or one that may call a function which needs that, is refused with
 * RILL_ERROR_NOT_SUPPORTED and a sentence with the instruction, its name and its line; so is
 * a node with it.  Everything else can be done with it.  Where no kernel of the text can run,
 * and none has a C function, rill_module_load() is refused with that sentence.  A text that
 * is wrong is refused as a whole.
 *
 * To learn all that at once: number `index` of the kernels that cannot run, from 0, and why.
 * Both belong to the module.  NULL: there are no more. */
RILL_API rill_status rill_sim_lacking_kernel(rill_module *module, size_t index, const char **name,
                                             const char **why);

/* ---- Faults ------------------------------------------------------------- */

/* Called by a kernel: the device fails with a sticky status once the launch
 * ends.  What is queued behind it does not run, and later calls that need the
 * device return the status.  `message` is copied into the error record. */
RILL_API void rill_sim_fault(const rill_launch *launch, rill_status status, const char *message);

/* ---- Conditionals -------------------------------------------------------------- */

/* Called by a kernel: the conditional nodes that have `handle` find `value` when
 * they are reached, or when an iteration ends.  Of two that are not ordered the
 * last wins.  A handle is a number: it means the handle of that number which the
 * graph that is launched has for the kernel's context, and nothing happens where the
 * graph has fewer.  Where it has none the device fails with
 * RILL_ERROR_ILLEGAL_ADDRESS, as hardware does. */
RILL_API void rill_sim_set_conditional(const rill_launch *launch, rill_conditional handle,
                                       uint32_t value);

/* ---- Graphs ----------------------------------------------------------------------- */

/* The graph that a node belongs to, borrowed: for whoever was given a node alone. */
RILL_API rill_status rill_sim_node_graph(rill_platform *platform, rill_node node,
                                         rill_graph **graph);

/* ---- Kernels in libraries of their own ----------------------------------------- */

/* A kernel that is not linked with the library that runs it finds the two above in its
 * launch: launch->calls->fault(launch, status, message).  Further ones may follow. */
typedef struct rill_launch_calls {
    size_t size;
    void (*fault)(const rill_launch *launch, rill_status status, const char *message);
    void (*set_conditional)(const rill_launch *launch, rill_conditional handle, uint32_t value);
} rill_launch_calls;

/* As rill_conditional_create(), for bodies that hold kernels and fills of `context`, and
 * not of the graph's.  Handles are numbered for each context of a graph, from 1 on: the
 * low 32 bits of one are its number, which is all that a kernel names it by.  The second
 * call finds the handle of a number. */
RILL_API rill_status rill_sim_conditional_create(rill_graph *graph, rill_context *context,
                                                 uint32_t initial, uint32_t flags,
                                                 rill_conditional *handle);
RILL_API rill_status rill_sim_conditional_find(rill_graph *graph, rill_context *context,
                                               uint32_t number, rill_conditional *handle);

/* ---- Calls of the program's own ------------------------------------------------------ */

typedef enum rill_sim_call {
    RILL_SIM_CALL_PLAIN = 0,  /* needs a device or context: not from inside a host function */
    RILL_SIM_CALL_UNSAFE = 1, /* nor while a capture forbids it, as rill_mem_alloc()        */
    RILL_SIM_CALL_ORDERS = 2  /* nor while streams of `context` capture, as
                                 rill_context_synchronize()                                 */
} rill_sim_call;

/* For a call that the program offers itself, above this library, and that is to be
 * refused when such a call of a driver would be: what it has to answer when that is not
 * RILL_SUCCESS.  What it refuses for a capture breaks the capture.  `context`: only where
 * it counts. */
RILL_API rill_status rill_sim_permits(rill_platform *platform, rill_context *context,
                                      rill_sim_call call);

/* ---- Observation -------------------------------------------------------- */

/* The life of an operation, as the simulator lived it. */
typedef enum rill_sim_moment {
    RILL_SIM_SUBMITTED = 0, /* the host put it into its stream         */
    RILL_SIM_READY = 1,     /* nothing it was promised to wait for is left */
    RILL_SIM_STARTED = 2,
    RILL_SIM_DONE = 3
} rill_sim_moment;

/* Operation `point` of the stream with number `stream`. */
typedef struct rill_sim_point {
    uint64_t stream, point;
} rill_sim_point;

typedef struct rill_sim_sighting {
    size_t size;
    rill_sim_moment moment;
    uint64_t time_ns;     /* the platform's clock                               */
    uint64_t thread;      /* the thread that did it, as the system numbers it   */
    int device;
    uint64_t stream;      /* the stream's number, rill_stream_id()              */
    uint64_t point;       /* the operation's place in the stream, from 1        */
    rill_op_kind kind;
    const char *name;     /* the kernel's name, or the kind in words            */
    const char *stream_label; /* or NULL                                        */
    rill_sim_point after; /* EVENT_WAIT: the point that it waits for            */
    uint64_t node;        /* 0: an operation of the stream.  Else a node of the graph
                             that the operation launches, counted from 1 in an order
                             in which each comes after those that it depends on; it
                             is only seen to start and to be done               */
} rill_sim_sighting;

typedef struct rill_sim_observer {
    void (*see)(void *data, const rill_sim_sighting *sighting);
    void *data;
} rill_sim_observer;

/* Installs `observer` (copied), or none when NULL, for operations submitted
 * from now on.  `see` is called from many threads at once, in the midst of
 * their work: it must not call the library.  An operation's predecessors, as
 * promised, are the one before it in its stream and, for EVENT_WAIT, `after`.
 * While there is an observer, every wait for what was recorded elsewhere and
 * every record is an operation, also where none is needed to keep the order.
 * Returns once no thread is inside the previous observer. */
RILL_API rill_status rill_sim_observe(rill_platform *platform, const rill_sim_observer *observer);

/* The platform's clock. */
RILL_API rill_status rill_sim_clock(rill_platform *platform, uint64_t *time_ns);

/* ---- The end of the process --------------------------------------------- */

/* Before the process ends or the library is unloaded, with work pending: all of it is
 * forgotten, as if the device had failed with RILL_ERROR_DEINITIALIZED, and the
 * simulator's threads end.  What is left to do then is to destroy contexts and to close
 * the platform.  RILL_ERROR_NOT_READY: a thread was inside a function of the program
 * still when `patience_ns` were over, and the platform has to be left as it is. */
RILL_API rill_status rill_sim_abandon(rill_platform *platform, uint64_t patience_ns);

/* ---- Counters ----------------------------------------------------------- */

typedef struct rill_sim_counters {
    size_t size;
    uint64_t operations;        /* completed                              */
    uint64_t helped;            /* strands run by a waiting host thread   */
    uint64_t wakes;             /* times a sleeping worker was woken      */
    uint64_t parks;             /* times a strand had to wait             */
    uint64_t queue_bytes;       /* held by queues now, spare ones included */
    int workers;                /* started so far                         */
} rill_sim_counters;

/* What the simulator did since it was opened.  `size` is set by the caller. */
RILL_API rill_status rill_sim_get_counters(rill_platform *platform, rill_sim_counters *counters);

RILL_END_DECLS

#endif
