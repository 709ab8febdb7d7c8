/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes, places of fields and numbers of the driver's interface, once as
 * src/standin/abi/abi.h has them and once as cuda.h does.  layout.def lists them; it is read
 * in two files, since both name the same types:
 *
 *     TYPE(ours, theirs)                          the size of a type
 *     FIELD(our type, field, their type, field)   where a field is
 *     NUMBER(name)
 */
#ifndef STANDIN_LAYOUT_H
#define STANDIN_LAYOUT_H

#include <stddef.h>

struct layout {
    const char *what;
    long long value;
};

extern const struct layout layout_ours[], layout_theirs[];
extern const size_t layout_count;

#endif
