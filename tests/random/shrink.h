/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks for less of a program that still fails.
 */
#ifndef SHRINK_H
#define SHRINK_H

#include "random/program.h"

/* Leaves steps of the program out as long as it still fails: in child processes,
 * since it may crash or hang.  False when it does not fail there at all. */
bool shrink_program(struct program *program);

/* What such a child is told to leave out. */
void shrink_obey(struct program *program);

#endif
