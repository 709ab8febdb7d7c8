/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of Python that called into C.
 */
#ifndef CS_PYTHON_H
#define CS_PYTHON_H

#include <stdbool.h>
#include <stddef.h>

#include "site/site.h"

/* Returns whether a module of that base name belongs to an interpreter of Python: the
 * interpreter, one of its extensions, or what calls C for it. */
bool cs_is_python_module(const char *module);

/* Lists the sites of the line of Python that the calling thread is at and of the lines that called
 * it, from the inside out and at most `room`.  Returns how many there are: 0 if that cannot be had,
 * since there is no interpreter, or the thread gave its lock away, and others keep theirs during
 * calls. */
size_t cs_python_sites(const void **sites, size_t room);

/* Returns whether a site is of that kind, and fills in where it is.  The text stays. */
bool cs_is_python_site(const void *site, struct cs_source *source);

#endif
