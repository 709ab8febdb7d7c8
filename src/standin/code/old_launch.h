/* SPDX-License-Identifier: Apache-2.0
 *
 * The launches of old.
 */
#ifndef SI_OLD_LAUNCH_H
#define SI_OLD_LAUNCH_H

#include "standin/code/function.h"

/* Frees what was set for a function, which goes. */
void si_launch_setup_free(struct si_function *function);

#endif
