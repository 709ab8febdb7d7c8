/* SPDX-License-Identifier: Apache-2.0
 *
 * Points: what other work may come after.
 *
 * A point lies on a line: of a stream, or of a thread or fiber that makes calls.  What a line is at
 * a later point of comes after all its earlier points.  ThreadSanitizer keeps the clock of a point
 * at the address of its `token`: it is released when the point is reached, and acquired by what
 * comes after it.
 *
 * A copy, or an operation that did not run, has no moment at which this layer is called.  Its
 * point is pending: it is told in arrears, by what comes after it and so knows that it is done.
 *
 * One lock for each platform, ts_order.lock, protects all of it.
 */
#ifndef TS_POINT_H
#define TS_POINT_H

#include <stddef.h>

#include "layer-tsan/fiber/fiber.h"
#include "layer-tsan/order/access.h"

/* Room for what reports call a fiber. */
#define TS_NAME_MAX 56

struct ts_point;

/* Where the operations of a stream run, for TSan; as long as one of them, or the stream, is
 * there. */
struct ts_shared_home {
    unsigned references;
    struct ts_home *home; /* NULL if there was no room */
};

/* The latest points of lines: what something comes after. */
struct ts_front {
    struct ts_point **points;
    size_t count, room;
};

enum ts_state {
    TS_RUNS,    /* somebody will release the token, or has   */
    TS_PENDING, /* to be told by who comes after it          */
    TS_DONE     /* all that it comes after is in its token   */
};

/* What a point stands for that is more than one clock. */
struct ts_many {
    void (*acquire)(struct ts_many *many); /* in the fiber that comes after it */
    void (*release)(struct ts_many *many); /* its reference                    */
};

struct ts_point {
    unsigned references;
    enum ts_state state;
    uint64_t line, number;
    struct ts_front before;     /* until it is done                                  */
    struct ts_many *many;       /* which is acquired as well, or NULL; until it is done */
    struct ts_access accesses[2]; /* of one that is pending                          */
    unsigned access_count;
    char name[TS_NAME_MAX];     /* of the fiber                                      */
    const void *site;           /* of the call, or NULL                              */
    struct ts_shared_home *home; /* of the stream, until it is done; or NULL         */
    struct ts_point *later;     /* while it waits to be told; see ts_point_settle()  */
    bool waits;                 /* the same                                          */
    char token;
};

struct ts_order {
    struct rl_lock lock;
    struct ts_root root;
    atomic_bool failed; /* memory was short: nothing is told any more              */
    char all;           /* token: after each function of the program that has run  */
};

/* Makes a point in the state TS_RUNS.  Returns NULL, and notes it, if memory is short. */
struct ts_point *ts_point_create(struct ts_order *order, uint64_t line, uint64_t number);

static inline struct ts_point *ts_point_retain(struct ts_point *point)
{
    point->references++;
    return point;
}

void ts_point_release(struct ts_point *point); /* which may be NULL */

/* Notes that all of a point is in its token. */
void ts_point_finish(struct ts_point *point);

/* Tells a pending point, after those that it comes after. */
void ts_point_settle(struct ts_order *order, struct ts_point *point);

/* Makes the point of a call that the calling thread or fiber makes now. */
struct ts_point *ts_point_here(struct ts_order *order);

static inline struct ts_shared_home *ts_shared_home_retain(struct ts_shared_home *home)
{
    if (home) home->references++;
    return home;
}

/* Gives back a reference, which may be NULL. */
void ts_shared_home_release(struct ts_shared_home *home);

/* Tells all points of a front that are pending. */
void ts_front_settle(struct ts_order *order, const struct ts_front *front);

void ts_front_fini(struct ts_front *front);

/* Add a point, or all points of a front.  Of a line only the latest stays. */
void ts_front_add(struct ts_order *order, struct ts_front *front, struct ts_point *point);
void ts_front_join(struct ts_order *order, struct ts_front *front, const struct ts_front *other);

/* Has a front be one point, which comes after all that was in it. */
void ts_front_set(struct ts_order *order, struct ts_front *front, struct ts_point *point);

/* Has a front with many points be one that is pending. */
void ts_front_fold(struct ts_order *order, struct ts_front *front);

/* Has the calling thread or fiber come after all of a front, all of which is done. */
void ts_front_acquire(struct ts_order *order, const struct ts_front *front);

#endif
