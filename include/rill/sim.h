/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/sim.h>: what only the simulator can do.
 */
#ifndef RILL_SIM_H
#define RILL_SIM_H

#include <rill/error.h>
#include <rill/platform.h>
#include <rill/module.h>
#include <rill/op.h>

RILL_BEGIN_DECLS

/* ---- Options ------------------------------------------------------------ */

/* Options of the simulated machine.  A field that is zero takes the value of the
 * environment variable named next to it, else the default. */
typedef struct rill_sim_options {
    size_t size;
    int devices;           /* RILL_SIM_DEVICES: at most 64, default 1, or as many as
                              models are named                                    */
    uint64_t memory_bytes; /* RILL_SIM_MEMORY: of each device, default 8 GiB, or what
                              the model has; the environment takes the suffixes K,
                              M, G and T                                           */
    int workers;           /* RILL_SIM_WORKERS: threads that run work, default the
                              number of processors, at most 1024                   */
    int priority_greatest; /* RILL_SIM_PRIORITY: default -5; the least is 0        */
    int host_thread;       /* RILL_SIM_HOST_THREAD: 1 if one thread calls all host
                              functions, one after the other, as a driver does.  By
                              default several threads call them, several at once.
                              With 1, sightings tell when such a function was done,
                              but not how long it took.  2: as by default, and the
                              program promises that its host functions wait for
                              nothing that a thread of it does: under a schedule, a
                              thread in a call then calls them itself, which is many
                              times quicker                                        */

    /* For kernels of PTX. */
    uint32_t ptx_check;    /* RILL_PTX_CHECK=races,global,init,barriers: RILL_PTX_CHECK_*,
                              default none                                         */
    uint64_t ptx_steps;    /* RILL_PTX_STEPS: instructions that a thread may run
                              before its launch fails, default no limit            */
    uint64_t ptx_heap_bytes; /* RILL_PTX_HEAP: bytes that malloc() of kernels gives
                              out on a device, default 8 MiB                       */
    const char *schedule;  /* RILL_SIM_SCHEDULE: what decides which operations run when,
                              such as "early", "late", "serial", "random:1", "pct:1:3",
                              "starve:2" or "replay:1.4"; default is chance            */
    const char *clock;     /* RILL_SIM_CLOCK: "virtual" has what runs take the time that it
                              costs, and not that which it takes; default is "real"    */
    const char *costs;     /* what things cost on a virtual clock: lines of text, as in the
                              file that RILL_SIM_COSTS names; what has no line costs what
                              is built in                                              */

    /* Receives what kernels print, mostly whole lines, on any thread.  It must not call
     * the library.  If it is NULL, the text goes to stdout. */
    void (*print)(void *data, const char *text, size_t bytes);
    void *print_data;

    /* Receives the fault that makes a device fail, when it happens and on the thread that
     * meets it: the status, the kernel or other operation, its stream, and a sentence that
     * tells kernel, line, thread, block and address where they are known.  Of one machine
     * only the first fault counts.  It must not call the library. */
    void (*fault)(void *data, const rill_error_cause *cause, const char *message);
    void *fault_data;

    const char *device;    /* RILL_SIM_DEVICE: the model that devices are of, such as "a100",
                              or "a100,t4" for one of each: their name, compute capability,
                              memory, limits and attributes.  A model is repeated for the
                              devices that are left.  `rill info` lists the models; the
                              default has the limits of an H200                          */

    /* Receives what a GPU does not notice: a kernel of PTX touches memory behind the end of
     * an allocation, in the last of the 512 bytes that are given out at a time.  The access
     * goes on as it would there; each kernel is told of once, on the thread that meets it.
     * If this is NULL, as by default, such an access is a fault.  It must not call the
     * library. */
    void (*beyond)(void *data, const char *message);
    void *beyond_data;

    /* Answers what a kernel asks of a device by cudaDeviceGetAttribute(), whose attributes have
     * the driver's numbers: returns a status of CUDA's runtime.  It is called on the thread that
     * runs the kernel, and must not call the library.  If this is NULL, as by default, the
     * kernel is told that it is not supported (801). */
    int (*attribute)(void *data, int device, int attribute, int *value);
    void *attribute_data;
} rill_sim_options;

/* Make a launch fail with RILL_ERROR_LAUNCH_FAILED if one of its threads does what is wrong:
 * touches shared memory that another thread touches as well, with nothing in between that puts the
 * two in order, where at least one of them writes it and not both are atomic or volatile; does the
 * same with global memory; reads shared or local memory that nothing has written; comes to a
 * barrier that other threads do not come to.  doc/checking.md says what counts. */
#define RILL_PTX_CHECK_RACES 1u
#define RILL_PTX_CHECK_GLOBAL 2u
#define RILL_PTX_CHECK_INIT 4u
#define RILL_PTX_CHECK_BARRIERS 8u

/* ---- What cannot run -------------------------------------------------------- */

/* Returns number `index`, from 0, of the kernels of a module that cannot run here, and
 * the reason.  Both strings belong to the module.  `name` and `why` receive NULL past
 * the end.
 *
 * A module may have kernels of PTX that need what the simulator lacks, such as `tcgen05`
 * or copies of tensors by `.im2col`.  Such a module loads, and its other kernels run.
 * Launching a kernel that needs such a feature, or may call a function that does, is
 * refused with RILL_ERROR_NOT_SUPPORTED and a sentence that has the instruction, its name
 * and its line; adding a node with it is refused in the same way.  Everything else can be
 * done with the kernel.  If no kernel of the text can run, and none has a C function,
 * rill_module_load() is refused with that sentence.  A text that is not valid PTX is
 * refused as a whole. */
RILL_API rill_status rill_sim_lacking_kernel(rill_module *module, size_t index, const char **name,
                                             const char **why);

/* Binds what has a handle of the stand-in's, as cuTexObjectCreate() gives them out, to a reference
 * that the PTX of a module declares (.global .texref, or .surfref for a surface), or nothing if the
 * handle is 0.  Kernels that are launched from then on look there; those of graphs cannot.  Fails
 * with RILL_ERROR_NOT_FOUND if there is no such reference. */
RILL_API rill_status rill_sim_bind_texture(rill_module *module, const char *name, int surface,
                                           uint64_t handle);

/* ---- Memory of other processes ------------------------------------------------- */

/* A handle by which another process on the machine, of the same user, opens memory. */
typedef struct rill_sim_shared {
    unsigned char bytes[64];
} rill_sim_shared;

/* Makes a handle of the allocation of rill_mem_alloc() around an address.  The first time for an
 * allocation, that waits for all work of the platform, and no other thread may submit work on
 * memory nearby meanwhile.  The memory stays until the last process has left it: until it is freed
 * here, and closed wherever it was opened. */
RILL_API rill_status rill_sim_share(rill_context *context, rill_devptr address,
                                    rill_sim_shared *shared);

/* Opens memory of another process as memory of the device with the same number, at an address of
 * its own.  What is open already is opened at the same address, and is closed as often.  Closing
 * waits for all work of the platform. */
RILL_API rill_status rill_sim_open_shared(rill_context *context, const rill_sim_shared *shared,
                                          rill_devptr *address);
RILL_API rill_status rill_sim_close_shared(rill_context *context, rill_devptr address);

/* Makes a file descriptor, which is the caller's to close, of a pool with `shareable` set.  The
 * process that gets it opens the pool with `file` of rill_pool_options.  A pool that was opened so
 * gives out no memory, but that which the other process allocated. */
RILL_API rill_status rill_sim_share_pool(rill_pool *pool, int *file);

/* Makes a handle of the allocation that begins at an address, of a pool that was shared. */
RILL_API rill_status rill_sim_share_block(rill_platform *platform, rill_devptr address,
                                          rill_sim_shared *shared);

/* Opens memory of a pool of another process, which is freed as other memory of pools is, before
 * the other process frees it.  What the handle does not tell is whether the other process has
 * come to the point where it is allocated: work on it has to wait for that. */
RILL_API rill_status rill_sim_open_block(rill_pool *pool, const rill_sim_shared *shared,
                                         rill_devptr *address);

/* ---- Faults ------------------------------------------------------------- */

/* Makes the device fail with a sticky status once the launch ends.  Called by a kernel.
 * What is queued after the launch does not run, and later calls that need the device
 * return the status.  `message` is copied into the error record. */
RILL_API void rill_sim_fault(const rill_launch *launch, rill_status status, const char *message);

/* ---- Conditionals -------------------------------------------------------------- */

/* Sets the value that the conditional nodes of `handle` find when they are reached, or
 * when an iteration ends.  Called by a kernel.  Of two calls that are not ordered, the
 * last one wins.  Only the number in a handle counts: it stands for the handle of that
 * number which the launched graph has for the kernel's context.  If the graph has fewer
 * handles, nothing happens; if it has none, the device fails with
 * RILL_ERROR_ILLEGAL_ADDRESS, as hardware does. */
RILL_API void rill_sim_set_conditional(const rill_launch *launch, rill_conditional handle,
                                       uint32_t value);

/* ---- Graphs ----------------------------------------------------------------------- */

/* Returns the graph to which a node belongs, for a caller that was given only the node.
 * The graph is borrowed. */
RILL_API rill_status rill_sim_node_graph(rill_platform *platform, rill_node node,
                                         rill_graph **graph);

/* ---- Kernels in libraries of their own ----------------------------------------- */

/* rill_sim_fault(), rill_sim_set_conditional() and rill_sim_charge(), for a kernel that is
 * not linked with the library that runs it: launch->calls->fault(launch, status, message).
 * More may follow. */
typedef struct rill_launch_calls {
    size_t size;
    void (*fault)(const rill_launch *launch, rill_status status, const char *message);
    void (*set_conditional)(const rill_launch *launch, rill_conditional handle, uint32_t value);
    void (*charge)(const rill_launch *launch, uint64_t instructions);
} rill_launch_calls;

/* Creates a handle as rill_conditional_create() does, for bodies that hold kernels and
 * fills of `context` instead of the graph's own context; or finds the handle of a
 * number.  Handles are numbered for each context of a graph, from 1: the low 32 bits of
 * a handle are its number, by which alone a kernel names it. */
RILL_API rill_status rill_sim_conditional_create(rill_graph *graph, rill_context *context,
                                                 uint32_t initial, uint32_t flags,
                                                 rill_conditional *handle);
RILL_API rill_status rill_sim_conditional_find(rill_graph *graph, rill_context *context,
                                               uint32_t number, rill_conditional *handle);

/* ---- Calls of the program's own ------------------------------------------------------ */

typedef enum rill_sim_call {
    RILL_SIM_CALL_PLAIN = 0,  /* needs a device or context: not inside a host function      */
    RILL_SIM_CALL_UNSAFE = 1, /* nor while a capture forbids it, like rill_mem_alloc()      */
    RILL_SIM_CALL_ORDERS = 2  /* nor while streams of `context` capture, like
                                 rill_context_synchronize()                                 */
} rill_sim_call;

/* Tells whether a call that the program itself offers on top of this library may go on
 * now.  Returns RILL_SUCCESS, or the status with which such a call must fail now
 * because a driver's would.  A refusal on account of a capture breaks the capture.
 * `context` is needed only where it counts. */
RILL_API rill_status rill_sim_permits(rill_platform *platform, rill_context *context,
                                      rill_sim_call call);

/* ---- Observation -------------------------------------------------------- */

/* The moments in the life of an operation, as the simulator saw them. */
typedef enum rill_sim_moment {
    RILL_SIM_SUBMITTED = 0, /* the host put the operation into its stream           */
    RILL_SIM_READY = 1,     /* nothing is left that the operation must wait for     */
    RILL_SIM_STARTED = 2,
    RILL_SIM_DONE = 3
} rill_sim_moment;

/* Operation number `point` of the stream with number `stream`. */
typedef struct rill_sim_point {
    uint64_t stream, point;
} rill_sim_point;

typedef struct rill_sim_sighting {
    size_t size;
    rill_sim_moment moment;
    uint64_t time_ns;     /* the platform's clock                               */
    uint64_t thread;      /* the thread that did this, as the system numbers it */
    int device;
    uint64_t stream;      /* the stream's number, rill_stream_id()              */
    uint64_t point;       /* the operation's place in the stream, from 1        */
    rill_op_kind kind;
    const char *name;     /* the kernel's name, or the kind in words            */
    const char *stream_label; /* or NULL                                        */
    rill_sim_point after; /* EVENT_WAIT: the point to wait for                  */
    uint64_t node;        /* 0: an operation of the stream.  Else a node of the graph
                             that the operation launches, counted from 1 in an order
                             in which each node comes after those that it depends
                             on; a node is only seen to start and to be done    */
} rill_sim_sighting;

typedef struct rill_sim_observer {
    void (*see)(void *data, const rill_sim_sighting *sighting);
    void *data;
} rill_sim_observer;

/* Installs a copy of `observer`, or none if it is NULL, for operations submitted from
 * now on.  Returns once no thread is inside the previous observer.
 *
 * `see` is called by many threads at once, while they work, and must not call the
 * library.  The promised predecessors of an operation are the operation before it in
 * its stream and, for EVENT_WAIT, `after`.  While there is an observer, every record is
 * an operation, and so is every wait for what was recorded in another stream, even if
 * none is needed to keep the order. */
RILL_API rill_status rill_sim_observe(rill_platform *platform, const rill_sim_observer *observer);

/* Returns the time on the platform's clock. */
RILL_API rill_status rill_sim_clock(rill_platform *platform, uint64_t *time_ns);

/* ---- Virtual time ---------------------------------------------------------------------- */

/* On a platform whose clock is virtual, a copy, fill, kernel or host function begins when
 * what it waits for is over and an engine of its device is free, and takes as long as it
 * costs.  So elapsed times are exact, and the same in each run and on each machine.  Where
 * time is real, the calls on a platform are refused with RILL_ERROR_ILLEGAL_STATE. */

#define RILL_SIM_NO_SPAN ((size_t)-1)

/* When something ran. */
typedef struct rill_sim_span {
    rill_op_kind kind;    /* KERNEL, MEMCPY, MEMSET, HOST, or CONDITIONAL: until the first
                             body begins, whose nodes have spans of their own          */
    int device;           /* of a copy between devices, the source                     */
    const char *name;     /* the kernel's, or what it costs as, such as "copy peer"    */
    uint64_t stream;      /* the stream's number, rill_stream_id()                     */
    uint64_t point;       /* the operation's place in the stream, from 1               */
    uint64_t node;        /* 0, or a node of the graph that the operation launches, as in
                             rill_sim_sighting                                         */
    uint64_t ready_ns;    /* nothing was left to wait for but an engine                */
    uint64_t start_ns, end_ns;
    size_t after;         /* the span that it had to wait for last, or RILL_SIM_NO_SPAN if
                             it began when the host had submitted it                   */
    int critical;         /* it is on the critical path                                */
} rill_sim_span;

/* What ran since the platform was opened, or the timeline was cleared.  A span that goes on
 * ends where it will end. */
typedef struct rill_sim_history {
    size_t size;
    const rill_sim_span *spans; /* in the order in which they began                    */
    size_t count;
    uint64_t left_out;          /* spans that there was no memory for                  */
    uint64_t start_ns, end_ns;  /* of the first, and of the one that ends last         */
    uint64_t makespan_ns;       /* from start to end                                   */
    uint64_t serial_ns;         /* what all spans take: the makespan without overlap   */
    uint64_t critical_ns;       /* what those on the critical path take, the chain of spans
                                   that ends last, each of which had to wait for the one
                                   before it                                           */
} rill_sim_history;

/* Returns what ran so far.  It is the caller's, and stays as it is. */
RILL_API rill_status rill_sim_timeline(rill_platform *platform, rill_sim_history **history);

/* Forgets it; the time goes on. */
RILL_API rill_status rill_sim_timeline_clear(rill_platform *platform);

/* Frees a history and sets the handle to NULL; NULL is fine. */
RILL_API void rill_sim_history_free(rill_sim_history **history);

/* Returns how long a stream, or a device, was at work. */
RILL_API uint64_t rill_sim_stream_busy(const rill_sim_history *history, uint64_t stream);
RILL_API uint64_t rill_sim_device_busy(const rill_sim_history *history, int device);

/* Returns for how long both streams were at work at the same time. */
RILL_API uint64_t rill_sim_overlap(const rill_sim_history *history, uint64_t stream,
                                   uint64_t other);

/* Has time pass for the host, as if it computed or slept; meanwhile the devices go on. */
RILL_API rill_status rill_sim_pass_time(rill_platform *platform, uint64_t ns);

/* Charges the launch for so many instructions, in all.  Called by a kernel that is a C
 * function, which otherwise is charged for one instruction of each of its threads.  For a
 * kernel of PTX they are counted.  Does nothing where time is real. */
RILL_API void rill_sim_charge(const rill_launch *launch, uint64_t instructions);

/* ---- The end of the process --------------------------------------------- */

/* Discards all pending work before the process ends or the library is unloaded, as if
 * the device had failed with RILL_ERROR_DEINITIALIZED, and ends the simulator's
 * threads.  After that only contexts remain to be destroyed and the platform to be
 * closed.  Returns RILL_ERROR_NOT_READY if a thread was still inside a function of the
 * program when `patience_ns` had passed; then the platform must be left as it is. */
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

/* Returns what the simulator has done since it was opened.  The caller sets `size`. */
RILL_API rill_status rill_sim_get_counters(rill_platform *platform, rill_sim_counters *counters);

RILL_END_DECLS

#endif
