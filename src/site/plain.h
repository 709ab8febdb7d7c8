/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of functions as their source has them: `scale<float, 2>` for what a C++ compiler made
 * of it, `_Z5scaleIfLi2EEvPT_i`.
 */
#ifndef CS_PLAIN_H
#define CS_PLAIN_H

#include <stddef.h>

/* Finds the C++ library that tells the names, if this is one of C++: the program's own, or one
 * that is loaded for it.  That takes the loader's lock, so code that will ask for the name on a
 * thread that others wait for calls this before. */
void cs_plain_prepare(const char *name);

/* A longer name is that of a template of templates, which nobody reads to its end. */
#define CS_LONG_NAME 120

/* Writes the plain form of a name, without result and parameters, and without the arguments of
 * templates if it is long; or the name as it is if it is not a C++ compiler's or nobody can tell.
 * What does not fit is cut, as snprintf() does. */
void cs_plain_name(const char *name, char *text, size_t room);

/* Copies a text with each name in single quotes in its plain form. */
void cs_plain_text(const char *from, char *text, size_t room);

#endif
