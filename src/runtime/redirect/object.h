/* SPDX-License-Identifier: Apache-2.0
 *
 * What a process has loaded: the program, and libraries.
 */
#ifndef REDIRECT_OBJECT_H
#define REDIRECT_OBJECT_H

#include <stdint.h>

#include "symbols.h"

struct object {
    uintptr_t base;
    const char *name; /* "" for the program */
    struct symbols symbols;
};

/* Tells whether the name of a file begins so, wherever the file lies. */
int file_begins(const char *file, const char *name);

/* Gives so many bytes of code a protection.  Returns 0 if that cannot be done. */
int code_protect(uintptr_t at, size_t bytes, int protection);

/* Gives all code of an object its protection at once: a call of the system for each jump would
 * take longer than the rest. */
int object_protect(const struct object *object, int protection);

/* Returns what takes the place of a function, or NULL if the function stays. */
typedef const void *replacement_fn(const char *function, void *data);

/* Lets each function of an object for which there is a replacement begin with a jump to that.
 * Returns 0 if the code cannot be written, or if a function has no room for a jump. */
int object_redirect(const struct object *object, replacement_fn *find, void *data);

#endif
