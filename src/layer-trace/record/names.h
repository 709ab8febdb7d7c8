/* SPDX-License-Identifier: Apache-2.0
 *
 * Names that records point to: each is kept once, ready to be written as JSON, until the trace
 * ends.
 */
#ifndef TR_NAMES_H
#define TR_NAMES_H

#include <stdatomic.h>
#include <stddef.h>

#include "base/lock.h"

struct tr_name {
    struct tr_name *next;
    size_t length;    /* of `json`                             */
    const char *json; /* without quotes                        */
    const char *text; /* as people read it                     */
    char given[];     /* by what it is found; the rest follows */
};

enum { TR_NAME_BUCKETS = 256, TR_NAMES_RECENT = 64 };

struct tr_names {
    struct rl_lock lock; /* held to add one */
    _Atomic(struct tr_name *) buckets[TR_NAME_BUCKETS];
};

/* The names that a thread asked for of late, by their addresses; the thread's own. */
struct tr_recent_names {
    struct {
        const char *text;
        const struct tr_name *name;
    } items[TR_NAMES_RECENT];
};

/* Returns the name for this text, told in its plain form (cs_plain_name()), or a shorter word if
 * memory is short.  `text` need not stay. */
const struct tr_name *tr_name_of(struct tr_names *names, struct tr_recent_names *recent,
                                 const char *text);

/* Writes a text as JSON has it, without quotes, and a 0.  Each byte takes up to six.  Returns how
 * long it is. */
size_t tr_escape(char *out, const char *text, size_t length);

/* Frees all of them. */
void tr_names_fini(struct tr_names *names);

#endif
