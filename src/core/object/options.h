/* SPDX-License-Identifier: Apache-2.0
 *
 * Structs that begin with their size, so that they can grow: a program built
 * with a newer header passes a larger one.
 */
#ifndef RL_OPTIONS_H
#define RL_OPTIONS_H

#include <rill/error.h>

/* Fills `known`, of `bytes`, from what the caller gave; NULL gives all zero.  A
 * larger struct is taken when the fields that this library does not know are
 * zero.  `argument` is the name of the size field. */
rill_status rl_read_options(const void *given, void *known, size_t bytes, const char *argument);

/* The size field of a struct that the call fills. */
rill_status rl_check_output(const void *given, size_t bytes, const char *argument);

/* Hands a filled struct back; fields that this library does not know get zero. */
void rl_write_output(void *given, const void *full, size_t bytes);

#endif
