/* SPDX-License-Identifier: Apache-2.0
 *
 * Clocks: how far each timeline is promised to be done.
 *
 * A stream is a timeline, whose works are counted from 1; line 0 is the host's.  A clock
 * says for each line up to which number it is done.  Clocks are shared and never change
 * once two have a reference to one; a join makes a new clock where that is needed.
 *
 * A hole (hole.h) is in a clock only until it is filled: the next join puts what fills it in
 * its place, so that clocks have no more holes than there are lines.
 *
 * The checker's lock protects clocks and their references.
 */
#ifndef CK_CLOCK_H
#define CK_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CK_HOST_LINE 0u

struct ck_work;
struct ck_hole;

/* Work `number` of a line. */
struct ck_point {
    uint32_t line;
    uint64_t number;
};

/* What a number for each line cannot say: that a launch is done as far as a node and the nodes
 * before it, or that what a hole will stand for is done. */
struct ck_extra {
    struct ck_work *launch; /* retained, or NULL */
    uint32_t node;
    struct ck_hole *hole;   /* retained, or NULL */
};

struct ck_clock {
    uint32_t references;
    uint32_t lines;          /* numbers that `upto` has room for */
    uint32_t extra_count, extra_room;
    struct ck_extra *extras;  /* seldom any */
    struct ck_clock *settled; /* see ck_clock_settle(); NULL: nobody has asked */
    uint64_t upto[];         /* by line; 0: nothing is promised */
};

/* Returns a clock that promises nothing, or NULL if memory is short. */
struct ck_clock *ck_clock_create(void);

static inline struct ck_clock *ck_clock_retain(struct ck_clock *clock)
{
    clock->references++;
    return clock;
}

void ck_clock_release(struct ck_clock *clock); /* which may be NULL */

static inline uint64_t ck_clock_upto(const struct ck_clock *clock, uint32_t line)
{
    return line < clock->lines ? clock->upto[line] : 0;
}

static inline bool ck_clock_covers(const struct ck_clock *clock, struct ck_point point)
{
    return ck_clock_upto(clock, point.line) >= point.number;
}

/* Puts what fills them in place of the holes of *clock that are filled.  The old clock remembers
 * the new one, for others that have it.  Returns false if memory is short. */
bool ck_clock_settle(struct ck_clock **clock);

/* Returns the newest clock that is known to say the same. */
static inline const struct ck_clock *ck_clock_newest(const struct ck_clock *clock)
{
    while (clock->settled) clock = clock->settled;
    return clock;
}

/* Tells whether a join would tell the clock anything new. */
bool ck_clock_lacks(struct ck_clock *clock, struct ck_clock *other, struct ck_point point,
                    uint32_t own);

/* Makes *clock promise what it did, and what `other` does, and that `point` is done.  Line `own`
 * is left out: what a timeline knows of itself goes without saying.  Returns false if memory is
 * short; *clock may promise some of it then. */
bool ck_clock_join(struct ck_clock **clock, struct ck_clock *other, struct ck_point point,
                   uint32_t own);

/* Does the same for one extra. */
bool ck_clock_join_extra(struct ck_clock **clock, const struct ck_extra *extra);

/* Makes *clock promise no more than both do: what is done whichever of two was waited for. */
bool ck_clock_meet(struct ck_clock **clock, struct ck_clock *other);

#endif
