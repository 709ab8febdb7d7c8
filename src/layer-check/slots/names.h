/* SPDX-License-Identifier: Apache-2.0
 *
 * Names that are kept for good: a module may go before what was found of its kernels and variables
 * is told.
 */
#ifndef CK_NAMES_H
#define CK_NAMES_H

struct ck_name;

#define CK_NAME_LISTS 64

/* Lists by hash.  The name that was asked for last is the first of its list.  The checker's lock
 * protects all of it. */
struct ck_names {
    struct ck_name *lists[CK_NAME_LISTS];
};

/* Returns a lasting copy of a name, the same for the same text; NULL if memory is short. */
const char *ck_names_keep(struct ck_names *names, const char *text);

void ck_names_forget(struct ck_names *names);

#endif
