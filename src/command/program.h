/* SPDX-License-Identifier: Apache-2.0
 *
 * What `rill run` wants to know of a program before it starts it.
 */
#ifndef COMMAND_PROGRAM_H
#define COMMAND_PROGRAM_H

#include <stdbool.h>

/* Tells whether a program has CUDA's runtime inside, rather than using a library. */
bool command_has_runtime_inside(const char *program);

#endif
