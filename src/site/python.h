/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of Python that called into C.
 */
#ifndef CS_PYTHON_H
#define CS_PYTHON_H

#include <stdbool.h>

#include "site/site.h"

/* Returns whether a module of that base name belongs to an interpreter of Python: the
 * interpreter, one of its extensions, or what calls C for it. */
bool cs_is_python_module(const char *module);

/* Returns the site of the line of Python that the calling thread is at, or NULL if that
 * cannot be had: there is no interpreter, or the thread gave its lock away, and others keep
 * theirs during calls. */
const void *cs_python_site(void);

/* Returns whether a site is of that kind, and fills in where it is.  The text stays. */
bool cs_is_python_site(const void *site, struct cs_source *source);

#endif
