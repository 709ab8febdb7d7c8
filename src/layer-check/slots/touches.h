/* SPDX-License-Identifier: Apache-2.0
 *
 * Touches that handlers of faults have seen and nobody has judged yet.
 *
 * Handlers put them in, from any thread and whatever they interrupt: they take no lock and no
 * memory, and wait for nobody.  A thread that enters the checker takes them out, all that were put
 * in whole, so that one which was seen before something else is judged before it.
 */
#ifndef CK_TOUCHES_H
#define CK_TOUCHES_H

#include <rill/backend.h>
#include <stdbool.h>
#include <stddef.h>

struct ck_touches;

struct ck_seen {
    rill_touched touched;
    const void *site;
    const rill_running *running; /* the host function that touched, which still runs; NULL: the
                                    host                                                    */
};

/* Makes room for that many.  Memory that is never needed is not touched.  Returns NULL if memory
 * is short. */
struct ck_touches *ck_touches_create(unsigned room);
void ck_touches_destroy(struct ck_touches *touches); /* which may be NULL */

/* Puts one in.  Returns false if there is no room.  Safe in signal handlers. */
bool ck_touches_put(struct ck_touches *touches, const struct ck_seen *seen);

/* Tells whether there are any. */
bool ck_touches_wait(const struct ck_touches *touches);

/* Takes out what is in, and calls the function for each, the oldest first.  Returns how many there
 * were.  One thread at a time. */
typedef void (*ck_seen_fn)(void *data, const struct ck_seen *seen);
size_t ck_touches_take(struct ck_touches *touches, ck_seen_fn function, void *data);

#endif
