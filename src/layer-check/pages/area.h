/* SPDX-License-Identifier: Apache-2.0
 *
 * An allocation of pinned memory, and how its pages are protected.
 *
 * Each page has its level in a byte.  A thread that changes a byte has the system protect the
 * page accordingly, looks at the byte again, and repeats that while it differs; so the thread whose
 * call of the system came last is one that saw the byte as it is.  Bytes are raised under the
 * module's lock alone, and lowered by fault handlers, too, which take no lock.
 */
#ifndef CK_AREA_H
#define CK_AREA_H

#include <stdatomic.h>

#include "layer-check/pages/pages.h"

enum ck_level { CK_OPEN, CK_READABLE, CK_CLOSED };

/* Who is told of touches. */
struct ck_listener {
    ck_touched_fn touched;
    void *data;
    atomic_uint telling; /* threads that are in `touched`, or about to be */
    /* A touch opened a page since this was last false, or is about to.  Set before the page's
     * byte is lowered and after: a thread that clears this, and then looks at the bytes, sees the
     * page or leaves this true. */
    atomic_bool eased;
};

struct ck_area {
    uintptr_t begin, end; /* of whole pages */
    struct ck_listener *listener;
    atomic_uchar *now;     /* the level of each page */
    unsigned char *wanted; /* the level to which each page may fall; the lock */
    size_t first, stop;    /* the pages whose `wanted` is being asked for; the lock */
    bool aside;            /* it is in no table; the lock                           */
};

/* Returns how long a page is. */
size_t ck_page_bytes(void);

/* Returns NULL if memory is short.  All pages are taken for open. */
struct ck_area *ck_area_create(uintptr_t begin, size_t bytes, struct ck_listener *listener);
void ck_area_destroy(struct ck_area *area);

static inline size_t ck_area_page(const struct ck_area *area, uintptr_t address)
{
    return (address - area->begin) / ck_page_bytes();
}

/* Tells whether a page of these is on a lower level. */
bool ck_area_is_below(const struct ck_area *area, size_t first, size_t stop, enum ck_level level);

/* Raises the pages that are on a lower level.  Opens the area and returns false if the system
 * refuses.  Requires the lock. */
bool ck_area_raise(struct ck_area *area, size_t first, size_t stop, enum ck_level level);

/* Lowers pages to what is wanted of each.  Opens the area if the system refuses.  Requires the
 * lock. */
void ck_area_lower(struct ck_area *area, size_t first, size_t stop);

/* Opens all pages, by one system call or none.  Returns false if the system refuses. */
bool ck_area_open(struct ck_area *area);

/* Does the same in a child of fork(), where a thread that is not there any more may have been
 * about to change the protection. */
void ck_area_open_in_child(struct ck_area *area);

enum ck_eased {
    CK_EASED,   /* the page allows the access, or another thread just saw to it */
    CK_ALLOWED, /* it did so before, and nobody is changing any                 */
    CK_STUCK    /* the system refuses                                           */
};

/* Lowers a page to a level for a thread that faulted there.  Safe in signal handlers. */
enum ck_eased ck_area_ease(struct ck_area *area, size_t page, enum ck_level level);

/* Returns how many changes of protection were begun. */
unsigned long ck_area_changes(void);

#endif
