/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulator's structs for platforms, devices and contexts.
 *
 * A platform is one machine: an engine of worker threads, a map of memory, and devices.  A
 * context belongs to a device and owns streams; each stream is a strand (strand.h), which the
 * engine runs.
 */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include <rill/backend.h>

#include <stdatomic.h>
#include <stdbool.h>

#include "base/lock.h"
#include "base/spin.h"
#include "base/time_source.h"
#include "ptx/ptx.h"

struct sim_interceptor;
struct device_model;
struct engine;
struct gangs;
struct solos;
struct grids;
struct shared_work;
struct strand;
struct address_map;
struct heap;
struct pools;
struct graph_heap;
struct schedule;
struct virtual_clock;
struct views;
struct vmem;
struct sim_stream;
struct task_slab;
struct capture;

extern const struct rill_backend rl_backend_sim;

#define SIM_DEVICES_MAX 64
#define SIM_ALIGNMENT 512 /* of device allocations, as measured */

struct sim_device {
    struct sim_platform *platform;
    int ordinal;
    const struct device_model *model;
    uint64_t memory_bytes; /* fixed, as are the pointers */
    struct heap *heap;   /* heap.h: its own lock, and a count of what is left */
    struct pools *pools; /* pool.h: its own lock                              */
    struct graph_heap *graphs; /* graph_heap.h: its own lock                  */
    atomic_uint_least64_t kernel_heap; /* bytes that malloc() of kernels gave out */
};

/* Mixed into the fingerprint of a graph (fingerprint.h).  Drawn when the platform is opened, and
 * fixed. */
struct fingerprint_secret {
    uint64_t words[2];
};

/* Memory in which one launch of a kernel of PTX runs when there is no other (kernel/reserve.h). */
struct kernel_reserve {
    struct rl_lock use;    /* held by the launch that has `memory`, for all its threads */
    struct rl_lock lock;   /* protects the fields below; taken under `use`              */
    void *memory;          /* protected by `use` as well                                */
    void *larger;          /* replaces `memory` for the next launch, or NULL            */
    atomic_size_t bytes;   /* of the one that the next launch gets; read without a lock */
};

/* A simulated machine: the private bytes of a rill_platform.  Its fields do not change while the
 * platform is open, unless they say otherwise. */
struct sim_platform {
    rill_platform *handle;

    /* Work. */
    struct engine *engine;
    struct shared_work *shared_work; /* owns the next three */
    struct gangs *gangs;         /* program/gang/gang.h */
    struct solos *solos;
    struct grids *grids;

    /* Memory. */
    struct address_map *map;     /* memory/address_map.h: its own lock */
    struct views *views;         /* memory/views.h; NULL unless a layer asked for them, before
                                    there were contexts */
    struct guards *guards;       /* memory/guard_bytes.h: its own lock; like `views` */
    struct rl_lock deferred_frees_lock;
    struct deferred_free *deferred_frees; /* memory/deferred_free.c; deferred_frees_lock */
    struct vmem *vmem;           /* vmem/vmem.h: its own lock */
    struct sharing *sharing;     /* vmem/shared.h: its own lock */
    atomic_bool has_others;      /* other processes may write to this one's memory; stays so */
    /* Makes an allocation that is freed this process's own.  NULL until something is shared; set
     * once. */
    void (*_Atomic forget_shared)(struct sim_platform *platform, uint64_t base);
    atomic_uint pools_dirty;     /* counts devices whose pools want to know what is synchronized */

    int device_count;
    struct sim_device *devices;
    int priority_greatest;

    /* Time, and who runs what. */
    struct virtual_clock *clock; /* clock/clock.h; NULL unless time is virtual */
    struct schedule *schedule;   /* schedule/schedule.h; NULL unless one is given */
    struct rl_time_source sleeps; /* of the program, if `has_sleeps` (platform/sleeps.h)      */
    bool has_sleeps;              /* used by the thread that opens and the one that closes    */
    struct host_thread *host_thread; /* NULL if host functions run where the work does */

    /* Kernels of PTX. */
    struct ptx_limits ptx_limits;
    uint32_t checks;             /* RILL_PTX_CHECK_* */
    uint64_t kernel_heap_bytes;  /* that malloc() of kernels may give out, of each device */
    void (*print)(void *data, const char *text, size_t bytes); /* NULL if to stdout */
    void *print_data;
    struct kernel_reserve kernel_reserve; /* its own locks */

    struct fingerprint_secret fingerprint_secret;

    /* Calls and captures. */
    atomic_uint alert;           /* enum alert: flags that every call must heed */
    const struct sim_interceptor *interceptor; /* guard/interceptor.h */
    struct rl_lock captures_lock;
    struct capture *captures;    /* those in progress; captures_lock */

    /* The status of the first device fault, or 0.  Stored once, under `fault_lock`, after the
     * record of the fault is complete and before the alert is raised. */
    atomic_int fault;
    struct rl_lock fault_lock;
    rill_error_cause fault_cause;
    char fault_message[RILL_ERROR_MESSAGE_MAX];
    /* Is told of that fault under `fault_lock`. */
    void (*fault_listener)(void *data, const rill_error_cause *cause, const char *message);
    void *fault_data;
    /* Is told of accesses beyond the end of an allocation; NULL if they are faults. */
    void (*beyond)(void *data, const char *message);
    void *beyond_data;
    /* Answers kernels that ask for attributes of devices; NULL if they are refused. */
    int (*attribute)(void *data, int device, int attribute, int *value);
    void *attribute_data;
};

struct sim_peer {
    uint64_t id; /* of the context */
    int device;
    struct sim_peer *next;
};

/* Where a context's next tasks are allocated (task_slab.h). */
struct task_room {
    struct rl_spin lock;
    struct task_slab *open; /* lock */
    bool over;              /* the context is over; lock */
};

struct sim_context {
    rill_context *handle;
    struct sim_platform *platform;
    struct sim_device *device;
    uint64_t id; /* unique in the process */
    struct rl_lock peers_lock;
    struct sim_peer *peers;      /* contexts whose memory kernels may reach; peers_lock */
    rill_status (*drain)(struct sim_context *context); /* drains its streams; fixed */
    struct rl_lock end_lock;     /* held while the context or one of its streams ends */
    struct task_room tasks;      /* its own lock */
    struct sim_streams *streams; /* NULL once the context is destroyed; end_lock */
};

/* Returns where the tasks of the context's graphs are allocated, or NULL for no context. */
static inline struct task_room *sim_task_room(struct sim_context *context)
{
    return context ? &context->tasks : NULL;
}

static inline struct sim_platform *sim_platform_of(const rill_platform *platform)
{
    return rill_private(platform);
}

static inline struct sim_context *sim_context_of(const rill_context *context)
{
    return rill_private(context);
}

/* Refuses a device that the platform does not have, with `code` and in the name of `argument`. */
rill_status sim_check_device(const struct sim_platform *platform, int device, rill_status code,
                             const char *argument);

/* Tells whether pools want to know what is synchronized (pool.h). */
static inline bool sim_pools_dirty(struct sim_platform *platform)
{
    return atomic_load_explicit(&platform->pools_dirty, memory_order_relaxed);
}

/* ---- Peers: contexts whose memory this one's kernels may reach ---- */

bool sim_context_reaches(struct sim_context *context, int device);
rill_status sim_peer_add(struct sim_context *context, const struct sim_context *peer);
rill_status sim_peer_remove(struct sim_context *context, const struct sim_context *peer);
void sim_peers_forget(struct sim_context *context);

/* Waits for all that was submitted to the context's streams. */
static inline rill_status sim_context_drain(struct sim_context *context)
{
    return context->drain(context);
}

#endif
