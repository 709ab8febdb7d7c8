/* SPDX-License-Identifier: Apache-2.0
 *
 * In whose name ThreadSanitizer sees what happens.
 *
 * Work of streams runs in whichever thread comes to it.  For TSan each piece runs in a fiber of its
 * own, which knows nothing but what is before the platform was opened and what it is told to
 * acquire: so what one thread did one after the other is not taken for a promise.  Since the
 * stack of a thread is reused by work that is in no order, a function of the program has a stack
 * of its own as well.
 *
 * What the library does itself is hidden.
 */
#ifndef TS_FIBER_H
#define TS_FIBER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/lock.h"

/* A fiber from which all others of a platform are made, so that they know as little. */
struct ts_root {
    struct rl_lock lock; /* held by who is in the fiber         */
    void *fiber;         /* fixed                               */
    void *stacks;        /* that nobody uses, a list; the lock  */
};

void ts_root_init(struct ts_root *root);
void ts_root_fini(struct ts_root *root);

/* A fiber that lives on, with a stack, for works each of which comes after the one before. */
struct ts_home;

/* Returns NULL if memory is short, or there are many. */
struct ts_home *ts_home_create(void);
void ts_home_destroy(struct ts_home *home); /* which may be NULL */

struct ts_fiber {
    struct ts_root *root;
    const char *name; /* for reports                                            */
    const void *site; /* of the call that asked for it, as a frame, or NULL     */
    bool own_stack;   /* for functions of the program                           */
    struct ts_home *home; /* where it runs, unless somebody is there; or NULL   */
};

/* Calls the function in its home or in a fresh fiber, with nothing hidden.  Where there is no
 * memory for a stack, it runs on that of the thread. */
void ts_fiber_run(const struct ts_fiber *fiber, void (*function)(void *data), void *data);

/* Hide what the calling thread does, and no longer.  They nest. */
void ts_hide(void);
void ts_show(void);

/* Calls the function in the name of the thread, with nothing hidden. */
void ts_run_shown(void (*function)(void *data), void *data);

/* Returns the number of the calling thread or of its fiber, which no other has ever had. */
uint64_t ts_line_here(void);

/* Returns a number for anything else that has points. */
uint64_t ts_line_new(void);

#endif
