/* SPDX-License-Identifier: Apache-2.0
 *
 * How a call ends: the record that rill_last_error() returns.
 *
 * Code that fails, in the core or a backend, notes a sentence with rill_backend_fail()
 * and returns the status; the public function then ends in rl_finish(), which makes the
 * record out of the note.  rl_finish() also drops a note that the call did not use, since
 * the call found another way or failed for another reason.  So a call that succeeds, too,
 * checks whether its thread holds a note.
 */
#ifndef RL_ERROR_H
#define RL_ERROR_H

#include "base/thread.h"
#include "core/object/object.h"

/* 1 while this thread holds a note; every call reads this. */
extern _Thread_local int rl_noted RL_THREAD_WORD;

/* Makes the record out of the note, and drops the note.  Returns `status`. */
rill_status rl_settle(const char *operation, const void *object, rill_status status);

/* Ends every public call.  `operation` is its name, `object` what it was called on, or
 * NULL. */
static inline rill_status rl_finish(const char *operation, const void *object, rill_status status)
{
    if (__builtin_expect(status == RILL_SUCCESS, 1) &&
        __builtin_expect(!rl_noted, 1))
        return status;
    return rl_settle(operation, object, status);
}

/* Drops this thread's note.  Ends a call that leaves the record alone. */
void rl_drop_note(void);

/* Returns the status of this thread's note, or `otherwise` if it holds none.  For slots that
 * return a pointer. */
rill_status rl_noted_status(rill_status otherwise);

/* Copies the sentence of this thread's note, or "", for use in another sentence. */
void rl_noted_message(char text[RILL_ERROR_MESSAGE_MAX]);

/* ---- Calls that call the program back ----------------------------------- */

/* A note that is kept aside, since the program's own calls would drop it. */
struct rl_note {
    rill_status status; /* RILL_SUCCESS for no note */
    const char *argument;
    char message[RILL_ERROR_MESSAGE_MAX];
    rill_error_cause cause;
    void (*tell)(void *data, uint64_t id, const char *operation); /* or NULL */
    void *data;
    uint64_t id;
};

/* Moves this thread's note about `status`, or the general words for it, to `note`. */
void rl_take_note(struct rl_note *note, const void *object, rill_status status);

/* Makes `note` this thread's note again, for rl_finish().  Returns the note's status. */
rill_status rl_put_note(const struct rl_note *note);

/* Returns how many failures this thread's record has held so far, which tells whether a
 * function that was called left a record of its own. */
unsigned long rl_failures(void);

#endif
