/* SPDX-License-Identifier: Apache-2.0
 *
 * Structs that begin with their size, so that they can grow: a program built with a
 * newer header passes a larger struct.
 */
#ifndef RL_OPTIONS_H
#define RL_OPTIONS_H

#include <rill/error.h>

/* Fills `known`, of `bytes` bytes, from the caller's struct; NULL gives all zero.  Accepts a
 * larger struct if the fields that this library does not know are zero.  `argument` is the
 * name of the size field. */
rill_status rl_read_options(const void *given, void *known, size_t bytes, const char *argument);

/* Checks the size field of a struct that the call will fill. */
rill_status rl_check_output(const void *given, size_t bytes, const char *argument);

/* Copies a filled struct to the caller's.  Fields that this library does not know become
 * zero. */
void rl_write_output(void *given, const void *full, size_t bytes);

#endif
