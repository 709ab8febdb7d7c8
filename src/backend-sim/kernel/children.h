/* SPDX-License-Identifier: Apache-2.0
 *
 * What the kernels of a launch launch.
 *
 * A thread asks for memory for the parameters of a child, stores them there and launches it; the
 * parameters are copied then.  Children wait for the end of their grid, and run one after the other
 * in the order of their launches, each with all that it launches itself: that is as a GPU may do it
 * with streams of all kinds.  The launch of the host ends when none is left.
 */
#ifndef SIM_CHILDREN_H
#define SIM_CHILDREN_H

#include "backend-sim/kernel/kernel.h"
#include "base/lock.h"
#include "ptx/builtin/children.h"

struct kernel_host;
struct thread_status;

/* A launch of a kernel, or a copy or a fill. */
struct child {
    struct child *next;        /* the owner's, as the rest is                           */
    struct sim_function *function; /* NULL for a copy or a fill                         */
    struct ptx_child_rows rows;
    rill_dim3 grid, block;
    uint32_t shared;           /* dynamic                                               */
    uint64_t parameters;       /* where the thread stores them, of the heap of kernels  */
    unsigned char arguments[]; /* packed, once it is launched                           */
};

struct child_list {
    struct child *first, *last;
};

/* Of a grid. */
struct children {
    struct rl_lock lock;
    struct child_list prepared;     /* not launched yet; lock          */
    struct child_list launched;     /* lock                            */
    struct child_list tails;        /* are to come after those; lock   */
    struct thread_status **statuses; /* of threads that failed, in lists by their numbers; NULL
                                       before one has; lock */
};

extern const struct ptx_children sim_ptx_children;

/* Moves what the grid has launched, which has ended, before all that is pending, and frees the
 * rest. */
void sim_children_end(struct kernel_host *host, struct child_list *pending);

/* Appends a child to those of its stream.  Requires children->lock. */
void sim_child_append(struct children *children, struct child *child, uint64_t stream);

/* Submit and run a copy or a fill (child_memory.c). */
uint32_t sim_child_submit(void *data, const struct ptx_child_rows *rows, uint64_t stream);
void sim_child_move(const struct kernel_launch *launch, const struct ptx_child_rows *rows,
                    struct kernel_fault *fault);

/* Takes the first one off.  Returns NULL if there is none. */
struct child *sim_child_take(struct child_list *list);

#endif
